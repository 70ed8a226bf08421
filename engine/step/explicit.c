// Integrators that take their matrices at the step's start, or half a step later.
//
//   semi-implicit Euler   f at (q + h v+, v+):     (M + h D + h^2 K) (v+ - v) = h (tau - c + f(q + h v, v))
//   Moreau midpoint       f at the mean of both ends; with q^m = q + h/2 v the mean of q is q^m + h/4 (v+ - v):
//                                                  (M + h/2 D + h^2/4 K) (v+ - v) = h (tau - c + f(q^m, v));
//                         stiff dampers and springs are taken later than at the mean (theta.c)
//   geometrically implicit
//                         semi-implicit Euler, with contacts and gaps at the end of the step (engine/geometric)
//
// (Mylapilli & Jain sec. 2.7.1-2.7.2, M and c at q, or at q^m; c at the velocity v.)

#include "engine/geometric/geometrically_implicit.h"
#include "engine/step/integrator.h"
#include "engine/step/simulation.h"
#include "engine/step/step_position.h"
#include "engine/step/step_velocity.h"
#include "engine/step/theta.h"

srs_scheme srs_semi_implicit_scheme(srs_sim *sim)
{
  const srs_model *m = sim->model;
  const double h = sim->options.dt;
  const double *q = sim->state.q;
  if (m->has_springs || *sim->state.inputs.has_servo != 0) {
    srs_integrate(m, sim->state.q, sim->state.v, h, sim->step.q_mid);
    q = sim->step.q_mid;
  }
  return (srs_scheme){.q = sim->state.q, .q_force = q, .v_bias = sim->state.v, .h_q = h * h, .h_v = h};
}

static srs_status euler_velocities(srs_sim *sim, int *bad_v)
{
  const srs_scheme scheme = srs_semi_implicit_scheme(sim);
  return srs_find_velocities(sim, &scheme, bad_v);
}

const srs_integrator_table srs_semi_implicit_euler = {
    .traits = {.name = "semi-implicit-euler", .takes_rows = true, .sets_momentum = true, .keeps_wrenches = true},
    .velocities = euler_velocities,
    .positions = srs_end_at_velocity,
};

static srs_status midpoint_begin(srs_sim *sim, int *bad_v)
{
  srs_integrate(sim->model, sim->state.q, sim->state.v, 0.5 * sim->options.dt, sim->step.q_mid);
  const srs_status closed = srs_close_q_mid(sim, 0.5 * sim->options.dt, bad_v);
  if (closed == SRS_OK) srs_find_theta(sim, sim->step.q_mid);
  return closed;
}

static srs_status midpoint_velocities(srs_sim *sim, int *bad_v)
{
  const double h = sim->options.dt, *q = sim->step.q_mid;
  const srs_scheme scheme = {.q = q, .q_force = q, .v_bias = sim->state.v, .h_q = 0.25 * h * h, .h_v = 0.5 * h};
  return srs_find_velocities(sim, &scheme, bad_v);
}

const srs_integrator_table srs_moreau_midpoint = {
    .traits =
        {.name = "moreau-midpoint", .is_mean = true, .takes_rows = true, .sets_momentum = true, .keeps_wrenches = true},
    .begin = midpoint_begin,
    .velocities = midpoint_velocities,
    .positions = srs_end_at_mean,
};

static void accept_geometric(srs_sim *sim)
{
  if (sim->geometric != NULL) srs_geometric_accept(sim->geometric, &sim->state);
}

const srs_integrator_table srs_geometrically_implicit = {
    .traits = {.name = "geometrically-implicit",
               .takes_rows = true,
               .takes_surfaces = true,
               .sets_momentum = true,
               .keeps_wrenches = true},
    .velocities = euler_velocities,
    .positions = srs_end_at_velocity,
    .accept = accept_geometric,
};
