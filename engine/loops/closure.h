// Constraint rows of loops at a configuration: their gaps, and the velocities that they prescribe. Internal.
#pragma once
#include "engine/dynamics/step_row.h"
#include "engine/elimination/elimination.h"

/// One constraint row of a loop.
typedef struct srs_closure_row {
  srs_step_row row; // its velocity is the gap's rate without prescribed motion
  double gap;       // m or rad, prescribed motion subtracted: 0 where the loop is closed
  double rate;      // prescribed velocity of the row: 0, or that of the motion
  bool is_angular;  // the gap is in rad
  int closure;      // index of the loop: closures first, then couplings
} srs_closure_row;

/// Fills the rows of all loops, in the order of the loops, after srs_place_links at q. Allocates nothing.
/// @param rows  srs_model_n_loop_rows, out
/// @return their number
int srs_closure_rows(const srs_workspace *w, const double *q, double time, srs_closure_row *rows);

/// How many rows a loop has, closures first, then couplings, and on which links these have their sides.
srs_loop_shape srs_shape_of_loop(const srs_model *model, int loop);

/// Only the gaps of these rows.  @param gaps  srs_model_n_loop_rows, out
void srs_closure_gaps(const srs_workspace *w, const double *q, double time, double *gaps);

/// The rows that hold a frame at a pose in the world, likewise; their `closure` is -1.
/// @param mask  as in srs_closure_def, in the pose's axes
/// @return their number
int srs_target_rows(const srs_workspace *w, int frame, const srs_pose *pose, unsigned mask, srs_closure_row *rows);

/// The bias of the closures' rows, dG/dt v: how fast their velocities change while the coordinates' rates stay. Only
/// for closed loops and a v that keeps them closed, after srs_accelerate_links at v with zero acceleration. In the
/// order of srs_closure_rows.
/// @param bias  of the closures' rows, out
void srs_closure_bias(const srs_workspace *w, double *bias);

/// The value that a coupling prescribes for its follower: p(q_leader) + motion.
/// @param slope  out: p'(q_leader)   @param rate  out: of the motion
double srs_coupling_value(const srs_coupling *coupling, const double *q, double time, double *slope, double *rate);

/// The largest |gap| of rows.
double srs_largest_gap(const srs_closure_row *rows, int n_rows);

/// The row whose velocity is the rate of the coordinate that a revolute or prismatic closure leaves free: the angle
/// about a's axis, or the travel along it; or the rate of a free tendon's length. For limits, friction and actuators of
/// a loop joint.
/// @return false, row untouched, for other kinds of closures
bool srs_closure_coordinate_row(const srs_workspace *w, int closure, srs_step_row *row);

/// That coordinate: srs_closure_coordinate, or the length of a free tendon at q, v.  @param rate  may be NULL
srs_status srs_free_coordinate(const srs_workspace *w, const double *q, const double *v, int closure, double near,
                               double *value, double *rate);

/// The bias of that row, dJ/dt v, plus J times the given accelerations, after srs_accelerate_links (of tendons: zero,
/// and without these).  @param closure  a revolute or prismatic one, or a free tendon
double srs_closure_coordinate_bias(const srs_workspace *w, int closure);

/// The link on which a closure's wrench is reported; -1 for couplings.
static inline int srs_link_of_loop(const srs_model *m, int loop)
{
  if (loop >= m->n_closures) return -1;
  const int *link = m->closures[loop].link;
  return link[1] >= 0 ? link[1] : link[0];
}
