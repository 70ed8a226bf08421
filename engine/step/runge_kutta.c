// The classical Runge-Kutta method of order 4 on the configuration manifold, with explicit forces.
//
// Stage i is at integrate(q, u_i), and the rate of u_i is v_i transformed by the inverse differential of the
// exponential map (Munthe-Kaas 1998). For motion without contacts, loops, limits and dry friction. The works of the
// energy balance are integrated with it, to the same order; the efforts of actuators are their mean by the same
// weights.

#include "engine/conservation/energy_balance.h"
#include "engine/loops/mechanism.h"
#include "engine/step/forces.h"
#include "engine/step/integrator.h"
#include "engine/step/simulation.h"
#include "topology/model/configuration.h"

#include <string.h>

// Finds the rates of (u, v) at (integrate(q, u), v), and adds the works of a time there and the efforts' share of it.
static srs_status rates(srs_sim *sim, const double *u, const double *v, double time, double *u_rate, double *v_rate,
                        int *bad_v)
{
  srs_integrate(sim->model, sim->state.q, u, 1, sim->step.q_mid);
  const srs_force_query forces = {.model = sim->model,
                                  .state = &sim->state,
                                  .limited = sim->constraints,
                                  .dt = sim->options.dt,
                                  .q = sim->step.q_mid,
                                  .v = v};
  srs_find_forces(&forces, &sim->actuation, sim->step.error_v, sim->step.force, sim->step.extra);
  srs_explicit_efforts(&forces, &sim->actuation, time / sim->options.dt, sim->step.mean_a);
  srs_tangent_rate(sim->model, u, v, u_rate);
  const double *wrenches =
      srs_link_wrenches(sim->workspace, &sim->state.inputs, sim->step.q_mid, sim->step.link_wrench);
  const srs_status status =
      srs_solve_forward(sim->workspace, sim->step.q_mid, v, sim->step.force, NULL, wrenches, v_rate, bad_v);
  if (status == SRS_OK && sim->options.energy_balance)
    srs_add_stage_works(sim->workspace, time, sim->step.q_mid, v, sim->step.force, wrenches, sim->step.error_v,
                        sim->step.works);
  return status;
}

static srs_status velocities(srs_sim *sim, int *bad_v)
{
  static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const int nv = sim->model->nv;
  const double h = sim->options.dt;
  double *u = sim->step.mean_v, *v = sim->step.v_next, *effort = sim->step.mean_a; // the last by rates
  sim->actuation.are_rows = false;
  memset(effort, 0, (size_t)nv * sizeof *effort);
  memset(sim->step.works, 0, sizeof sim->step.works);
  for (int s = 0; s < 4; s++) {
    const double *u_before = sim->step.stage[s > 0 ? s - 1 : 0], *v_before = sim->step.stage[s > 0 ? 3 + s : 4];
    for (int i = 0; i < nv; i++) {
      u[i] = s == 0 ? 0 : h * node[s] * u_before[i];
      v[i] = s == 0 ? sim->state.v[i] : sim->state.v[i] + h * node[s] * v_before[i];
    }
    const srs_status status = rates(sim, u, v, h * weight[s], sim->step.stage[s], sim->step.stage[4 + s], bad_v);
    if (status != SRS_OK) return status;
  }
  memcpy(sim->actuation.force, effort, (size_t)nv * sizeof *effort);
  for (int i = 0; i < nv; i++) {
    double du = 0, dv = 0;
    for (int s = 0; s < 4; s++) {
      du += weight[s] * sim->step.stage[s][i];
      dv += weight[s] * sim->step.stage[4 + s][i];
    }
    u[i] = h * du;
    v[i] = sim->state.v[i] + h * dv;
  }
  return SRS_OK;
}

static srs_status positions(srs_sim *sim, int *bad_v)
{
  (void)bad_v;
  srs_integrate(sim->model, sim->state.q, sim->step.mean_v, 1, sim->step.q_next);
  return SRS_OK;
}

const srs_integrator_table srs_runge_kutta = {
    .traits = {.name = "rk4"},
    .velocities = velocities,
    .positions = positions,
};
