// Positions at the end of a step: q_next from v_next, or from the mean of v and v_next (of coordinates with stiff
// dampers or springs a mean that leans towards v_next: theta.c), and the motion that leads out of penetration and
// passed limits; then the projection onto the loops.

#include "engine/step/step_position.h"
#include "engine/conservation/momentum.h"
#include "engine/dynamics/checks.h"
#include "engine/geometric/independent_rows.h"
#include "engine/loops/embedding.h"
#include "engine/loops/projection.h"
#include "engine/rows/constraints.h"
#include "engine/step/simulation.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

static srs_status fail_embedded(srs_sim *sim, srs_status status)
{
  if (status != SRS_OK) sim->constraints->error = sim->workspace->error;
  return status;
}

// Sets the dependent coordinates of embedded loops in q_next and v_next from the independent ones.
static srs_status close_embedded_loops(srs_sim *sim)
{
  srs_workspace *w = sim->workspace;
  if (w->embedding == NULL || srs_first_not_finite(sim->step.v_next, sim->model->nv) >= 0) return SRS_OK;
  srs_status status = srs_embedding_close(w, sim->step.q_next);
  if (status == SRS_OK) status = srs_embedding_map(w, NULL);
  if (status == SRS_OK) status = srs_embedding_check_passage(w);
  if (status == SRS_OK) srs_embedding_lift(w, sim->step.v_next);
  return fail_embedded(sim, status);
}

// Projects q_next onto the loops, and records the remaining gap. The geometrically implicit step has closed them
// itself, but where it could not.
static srs_status close_loops(srs_sim *sim, int *bad_v)
{
  struct srs_constraints *c = sim->constraints;
  if (sim->projector == NULL) return SRS_OK;
  const bool is_projected = sim->options.closure.projection, is_geometric = sim->geometric != NULL;
  const double h = sim->options.dt;
  double gap = 0;
  // Of rows: that of the step's start, so one step late; of the geometrically implicit step, that of its end.
  if (!is_projected || is_geometric) gap = srs_largest_gap(c->loop_rows, c->n_loop_rows);
  const bool is_open = is_projected && (!is_geometric || gap > srs_closed_by_rows);
  if (is_open && srs_first_not_finite(sim->step.q_next, sim->model->nq) < 0) { // otherwise srs_sim_step names the entry
    srs_status status = srs_project_closures(sim->projector, *sim->state.time + h, sim->step.q_next, bad_v);
    gap = srs_projection_gap(sim->projector);
    if (status != SRS_OK && status != SRS_ERROR_SINGULAR) {
      const char *name = srs_model_loop_name(sim->model, srs_projection_loop(sim->projector));
      return srs_fail(&c->error, status, NULL, 0, 0, name,
                      "loop '%.80s' cannot be closed: a gap of %.3g is left; take smaller steps, or see "
                      "whether motions and limits let it close",
                      name, gap);
    }
    if (status == SRS_OK && is_geometric)
      status = srs_project_velocities(sim->projector, *sim->state.time + h, sim->step.q_next, sim->step.v_next, bad_v);
    if (status != SRS_OK) return status;
  }
  c->next.closure_error_max = fmax(c->next.closure_error_max, gap);
  return SRS_OK;
}

static double potential_at(srs_workspace *w, const double *q)
{
  srs_energies energy = {0};
  (void)srs_energy(w, q, NULL, &energy);
  return energy.potential;
}

// q_next = integrate(q, h rate + what the push-out moves). Overwrites mean_v, which may be `rate`. The push-out's work
// is what it changes the potential energy by.
static void move(srs_sim *sim, const double *rate)
{
  const struct srs_constraints *c = sim->constraints;
  srs_step_memory *step = &sim->step;
  const double h = sim->options.dt;
  const bool has_push = c != NULL && c->has_push, has_work = has_push && sim->options.energy_balance;
  if (has_work) {
    srs_integrate(sim->model, sim->state.q, rate, h, step->q_next);
    step->works[SRS_WORK_PUSH_OUT] -= potential_at(sim->workspace, step->q_next);
  }
  if (has_push) {
    for (int i = 0; i < sim->model->nv; i++) step->mean_v[i] = rate[i] + c->moved[i] / h;
    rate = step->mean_v;
  }
  srs_integrate(sim->model, sim->state.q, rate, h, step->q_next);
  if (has_work) step->works[SRS_WORK_PUSH_OUT] += potential_at(sim->workspace, step->q_next);
}

// Finds q_next from v_next.
srs_status srs_end_at_velocity(srs_sim *sim, int *bad_v)
{
  const double *rate = sim->step.v_next;
  if (sim->floating != NULL) {
    memcpy(sim->step.mean_v, rate, (size_t)sim->model->nv * sizeof *rate);
    srs_turn_with_mean(sim->floating, sim->state.v, sim->step.v_next, sim->step.mean_v);
    rate = sim->step.mean_v;
  }
  move(sim, rate);
  const srs_status followed = close_embedded_loops(sim);
  return followed == SRS_OK ? close_loops(sim, bad_v) : followed;
}

srs_status srs_end_at_mean(srs_sim *sim, int *bad_v)
{
  const double h = sim->options.dt;
  const double *theta = sim->step.theta;
  for (int i = 0; i < sim->model->nv; i++) sim->step.mean_v[i] = 0.5 * (sim->state.v[i] + sim->step.v_next[i]);
  for (int i = 0; theta != NULL && i < sim->model->nv; i++)
    sim->step.mean_v[i] += (theta[i] - 0.5) * (sim->step.v_next[i] - sim->state.v[i]);
  move(sim, sim->step.mean_v);
  const srs_status followed = close_embedded_loops(sim);
  if (followed != SRS_OK) return followed;
  const srs_status closed = close_loops(sim, bad_v);
  if (closed != SRS_OK || sim->projector == NULL) return closed;
  if (sim->workspace->embedding != NULL && sim->workspace->embedding->holds_all) return SRS_OK;
  // Rows on the mean velocity leave v's component across the loops with its sign reversed: of order h^2 after a step,
  // but near a change point, where the loops' directions turn fast, it would grow.
  return srs_project_velocities(sim->projector, *sim->state.time + h, sim->step.q_next, sim->step.v_next, bad_v);
}
