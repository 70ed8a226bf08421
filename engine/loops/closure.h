// What loops ask for at a configuration: rows, how far they are from closed, and how fast they are to move. Internal.
#pragma once
#include "engine/dynamics/step_row.h"

/// One row that a loop holds.
typedef struct srs_closure_row {
  srs_step_row row; // its velocity is the gap's rate, prescribed motion left out
  double gap;       // m or rad: 0 where it holds, prescribed motion taken off
  double rate;      // what the row's velocity is to be: 0, or that of a prescribed motion
  bool is_angular;  // the gap is in rad
  int closure;      // index of the loop: closures first, then couplings
} srs_closure_row;

/// The rows of all loops, in the order of the loops, after srs_place_links at q. Allocates nothing.
/// @param rows  srs_model_n_loop_rows, out
/// @return their number
int srs_closure_rows(const srs_workspace *w, const double *q, double time, srs_closure_row *rows);

/// Their gaps alone.  @param gaps  srs_model_n_loop_rows, out
void srs_closure_gaps(const srs_workspace *w, const double *q, double time, double *gaps);

/// The rows that hold a frame to a placement in the world, likewise; their `closure` is -1.
/// @param mask  as in srs_closure_def, in the placement's axes
/// @return their number
int srs_target_rows(const srs_workspace *w, int frame, const srs_pose *pose, unsigned mask, srs_closure_row *rows);

/// How fast the rows' velocities change while the coordinates' rates stay, dG/dt v, of the closures alone and where
/// they are closed, after srs_accelerate_links at v and no acceleration. Rows in the order of srs_closure_rows; v moves
/// along the loops.
/// @param bias  those of closures, out
void srs_closure_bias(const srs_workspace *w, double *bias);

/// Where a coupling wants its follower: p(q_leader) + motion.
/// @param slope  out: p'(q_leader)   @param rate  out: of the motion
double srs_coupling_value(const srs_coupling *coupling, const double *q, double time, double *slope, double *rate);

/// The largest |gap| of rows.
double srs_largest_gap(const srs_closure_row *rows, int n_rows);

/// The row whose velocity is the rate of the coordinate that a revolute or prismatic closure leaves free: the turn
/// about a's axis, the travel along it. For limits, friction and motors of a joint that was cut.
/// @return false, row untouched, for other kinds of closures
bool srs_closure_coordinate_row(const srs_workspace *w, int closure, srs_step_row *row);

/// How fast that rate changes by itself, dJ/dt v (and J times the accelerations that are given), after
/// srs_accelerate_links.  @param closure  a revolute or prismatic
double srs_closure_coordinate_bias(const srs_workspace *w, int closure);

/// The link that a closure's wrench is given for; -1 of couplings.
static inline int srs_link_of_loop(const srs_model *m, int loop)
{
  if (loop >= m->n_closures) return -1;
  const int *link = m->closures[loop].link;
  return link[1] >= 0 ? link[1] : link[0];
}
