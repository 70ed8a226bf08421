// Applied forces of a step on coordinates and links. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/actuation.h"
#include "engine/state/sim_state.h"

struct srs_constraints;

/// Where forces are evaluated, and how positions and velocities there change per change of v+.
typedef struct srs_force_query {
  const srs_model *model;
  const srs_sim_state *state;
  const struct srs_constraints *limited; // its coordinates say which actuators have limits; NULL: none has
  double dt;
  const double *q, *v;        // nq, nv
  double h_q, h_v;            // both zero: the forces are explicit
  const double *guess_change; // nv, in implicit integrators: v_guess - v; else NULL
  const double *theta;        // nv, of midpoint schemes (theta.c): replaces h_q, h_v; NULL: 1/2 everywhere
} srs_force_query;

/// Finds applied torques, springs, dampers and servos: the force, and the diagonal of its linear change over a step.
/// For an implicit integrator the force is extrapolated linearly from the guess to v.
/// @param actuation      out: forces and changes of actuators
/// @param scratch        nv
/// @param force, extra   nv, out
void srs_find_forces(const srs_force_query *query, srs_actuation *actuation, double *scratch, double *force,
                     double *extra);

/// Sums the frames' wrenches into wrenches on links at q.
/// @param link_wrench  n_links x 6, out
/// @return link_wrench; NULL, with link_wrench untouched, when there are none
const double *srs_link_wrenches(srs_workspace *workspace, const srs_inputs *inputs, const double *q,
                                double *link_wrench);

/// Adds `share` times what actuators exert in an explicit step, within their limits, after srs_find_forces with h_v 0.
/// @param effort  nv
void srs_explicit_efforts(const srs_force_query *query, const srs_actuation *actuation, double share, double *effort);

/// Finds actuation->effort, the actuators' efforts in a step of dt from v that changed it by a dt.
void srs_find_efforts(const srs_model *model, const struct srs_constraints *constraints, double dt, const double *v,
                      const double *a, srs_actuation *actuation);
