// The works of a step, for the energy balance. Internal. Mathematics: energy_balance.c.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/sim_state.h"

struct srs_constraints;
struct srs_geometric;

/// A step whose velocities are found and whose positions are not: the links are where its contacts act.
typedef struct srs_work_step {
  const srs_sim_options *options;
  bool is_mean;                              // positions move with the mean of v and v_next
  const double *theta;                       // nv, of midpoint schemes; NULL: 1/2 everywhere
  bool has_excess;                           // of implicit Euler: contacts make up for turning
  const struct srs_constraints *constraints; // NULL for none
  const struct srs_geometric *geometric;     // NULL for other integrators
  const double *q;                           // nq: the configuration of matrices and rows
  const double *v, *v_next;                  // nv: at the step's start and end, both at q
  const double *a;                           // nv: acceleration without rows
  const double *link_wrench;                 // n_links x 6 at q, about the links' origins, world axes; NULL for none
  double *mean_v;                            // nv, out: (v + v_next) / 2
  double *scratch;                           // nv
} srs_work_step;

/// Finds the works of a step, but those of torques and servos on coordinates.
/// @param works  SRS_WORKS, out
void srs_find_works(srs_workspace *workspace, const srs_work_step *step, double *works);

/// Adds the works over a time in which force (springs and dampers in it) and wrenches act at (q, v), where the links
/// are: a stage of rk4.
/// @param scratch  nv
void srs_add_stage_works(srs_workspace *workspace, double time, const double *q, const double *v, const double *force,
                         const double *link_wrench, double *scratch, double *works);

/// The work of forces f over time: time f . v.
double srs_work_of(int n, double time, const double *f, const double *v);

/// Adds the works of an accepted step. Those beyond the finite numbers are left out, as the state is kept finite.
void srs_add_works(const double *works, double *sum);

/// The changes of energy from a state to another one, into the balance; the rest is what works leave unexplained.
/// @param works  SRS_WORKS: in between
void srs_balance_energy(const srs_energies *start, const srs_energies *now, const double *works,
                        srs_energy_balance *balance);
