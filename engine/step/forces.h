// What acts on coordinates and links in a step, beside rows. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/actuation.h"
#include "engine/state/sim_state.h"

struct srs_constraints;

/// Where forces are wanted, and how positions and velocities there change per change of v+.
typedef struct srs_force_query {
  const srs_model *model;
  const srs_sim_state *state;
  const struct srs_constraints *limited; // whose coordinates say which actuators have limits; NULL: none has
  double dt;
  const double *q, *v;        // nq, nv
  double h_q, h_v;            // zero: the forces are explicit
  const double *guess_change; // nv, of implicit integrators: v_guess - v; else NULL
} srs_force_query;

/// Applied torques, springs, dampers and servos, as force; with their linear change over a step as diagonal. Of an
/// implicit integrator, as they would be if v stayed, by that linear change from its guess.
/// @param actuation      out: forces and changes of actuators
/// @param scratch        nv
/// @param force, extra   nv, out
void srs_find_forces(const srs_force_query *query, srs_actuation *actuation, double *scratch, double *force,
                     double *extra);

/// The frames' wrenches as wrenches on links at q.
/// @param link_wrench  n_links x 6, out
/// @return link_wrench; NULL, untouched, when there are none
const double *srs_link_wrenches(srs_workspace *workspace, const srs_inputs *inputs, const double *q,
                                double *link_wrench);

/// What the actuators gave in a step of dt from v that changed it by a dt, as actuation->effort.
void srs_find_efforts(const srs_model *model, const struct srs_constraints *constraints, double dt, const double *v,
                      const double *a, srs_actuation *actuation);
