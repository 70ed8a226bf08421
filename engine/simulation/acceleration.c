// The acceleration at the present state, the workspace at that state, and the motion of the last step.

#include "engine/simulation/acceleration.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"
#include "engine/simulation/reports.h"
#include "engine/step/forces.h"
#include "engine/step/simulation.h"
#include "topology/base/errors.h"

#include <string.h>

srs_workspace *srs_sim_workspace(srs_sim *sim)
{
  if (sim == NULL) return NULL;
  if (!sim->workspace_is_current || sim->workspace->state_level < 2) {
    srs_place_links(sim->workspace, sim->state.q);
    srs_move_links(sim->workspace, sim->state.v);
    sim->workspace_is_current = true;
  }
  return sim->workspace;
}

srs_status srs_sim_acceleration(srs_sim *sim, double *a, srs_error *error)
{
  if (sim == NULL || (a == NULL && sim->model->nv > 0))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or no place for a");
  int bad_v = -1;
  sim->actuation.are_rows = false;
  srs_workspace *w = sim->workspace;
  double *v = sim->step.embedded_v;
  memcpy(v, sim->state.v, (size_t)sim->model->nv * sizeof *v);
  sim->workspace_is_current = false;
  if (w->embedding != NULL) {
    const srs_status placed = srs_embedding_prepare(w, sim->state.q, v);
    if (placed != SRS_OK && error != NULL) *error = w->error;
    if (placed != SRS_OK) return placed;
  }
  const srs_force_query forces = {.model = sim->model,
                                  .state = &sim->state,
                                  .limited = sim->constraints,
                                  .dt = sim->options.dt,
                                  .q = sim->state.q,
                                  .v = v,
                                  .guess_change = sim->fixed_point.guess_change};
  srs_find_forces(&forces, &sim->actuation, sim->step.error_v, sim->step.force, sim->step.extra);
  const double *wrenches = srs_link_wrenches(w, &sim->state.inputs, sim->state.q, sim->step.link_wrench);
  w->is_embedded = w->embedding != NULL;
  const srs_status status = srs_solve_forward(w, sim->state.q, v, sim->step.force, NULL, wrenches, sim->step.a, &bad_v);
  w->is_embedded = false;
  if (status != SRS_OK) return srs_report_singular(sim->workspace, &sim->state, bad_v, error);
  const srs_status finite = srs_check_coordinates(w, "the acceleration", sim->step.a);
  if (finite != SRS_OK)
    return srs_fail(error, finite, NULL, 0, 0, w->error.subject, "t = %.9g s, step %.0f: %s", *sim->state.time,
                    *sim->state.steps, w->error.message);
  memcpy(a, sim->step.a, (size_t)sim->model->nv * sizeof *a);
  return SRS_OK;
}

void srs_sim_state_effort(const srs_sim *sim, double *effort)
{
  const srs_force_query query = {
      .model = sim->model, .state = &sim->state, .limited = sim->constraints, .dt = sim->options.dt, .v = sim->state.v};
  memset(effort, 0, (size_t)sim->model->nv * sizeof *effort);
  srs_explicit_efforts(&query, &sim->actuation, 1, effort);
}

bool srs_sim_step_motion(const srs_sim *sim, const double **q, const double **v, const double **w, const double **a)
{
  if (sim == NULL || q == NULL || v == NULL || w == NULL || a == NULL || !sim->last.exists) return false;
  *q = sim->last.q, *v = sim->last.v, *a = sim->last.a;
  *w = sim->last.has_halves ? sim->last.second_v : sim->last.v;
  return true;
}
