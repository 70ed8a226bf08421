// From v+ to the end of the step. Where all coordinates are numbers, no loop is projected and no tree floats,
// q+ = q + h v+ + push-out, so dq+ = dq + h dv+ + dpush. Elsewhere the way from v+ to q+ (step_position.c, momentum.c)
// is cheap and smooth, and its derivative along each column is a central difference.

#include "engine/linearise/linearisation.h"
#include "engine/loops/projection.h"
#include "engine/step/step.h"
#include "engine/step/step_velocity.h"
#include "topology/model/joint_kind.h"
#include "topology/model/model.h"

#include <math.h>
#include <string.h>

static const double width = 1e-5;

static bool is_additive(const srs_sim *sim)
{
  if (sim->floating != NULL || (sim->projector != NULL && sim->options.closure.projection)) return false;
  for (int k = 0; k < sim->model->n_links; k++)
    if (srs_joint_kind_quaternion((srs_joint_kind)sim->model->kind[k]) >= 0) return false;
  return true;
}

static void add_ends(srs_linearisation *l, int column)
{
  const size_t at = (size_t)column * (size_t)l->nv;
  for (int i = 0; i < l->nv; i++) {
    l->dq_next[at + (size_t)i] =
        (column == i ? 1 : 0) + l->twin->options.dt * l->dplus[at + (size_t)i] + l->dmoved[at + (size_t)i];
    l->dv_next[at + (size_t)i] = l->dplus[at + (size_t)i];
  }
}

// Ends the step that starts beside the state by `by` of a column, to q_next, v_next of the step memory.
static srs_status end_beside(srs_linearisation *l, int column, double by)
{
  srs_sim *sim = l->twin;
  const size_t at = (size_t)column * (size_t)l->nv;
  int bad_v = -1;
  srs_set_arguments(l, column, by);
  const srs_scheme scheme = srs_semi_implicit_scheme(sim);
  const srs_step_context step = srs_step_context_at(sim, sim->state.q, sim->state.v);
  srs_find_step_forces(sim, &scheme, &step, sim->state.v);
  for (int i = 0; i < l->nv; i++) {
    sim->step.v_next[i] = l->v_plus[i] + by * l->dplus[at + (size_t)i];
    sim->step.mean_a[i] = (sim->step.v_next[i] - sim->state.v[i]) / sim->options.dt;
    if (sim->constraints != NULL && sim->constraints->has_push)
      sim->constraints->moved[i] = l->moved[i] + by * l->dmoved[at + (size_t)i];
  }
  if (sim->projector != NULL) srs_projector_forget(sim->projector);
  return srs_step_end(sim, &bad_v);
}

static srs_status difference_ends(srs_linearisation *l, int column)
{
  srs_sim *sim = l->twin;
  const size_t at = (size_t)column * (size_t)l->nv;
  double most = 1;
  for (int i = 0; i < l->nv; i++) most = fmax(most, fabs(l->dplus[at + (size_t)i]));
  const srs_parameter *parameter = srs_parameter_of(l, column);
  const double by = parameter != NULL ? fmin(width / most, srs_parameter_width(l, parameter)) : width / most;
  srs_status status = end_beside(l, column, by);
  if (status != SRS_OK) return status;
  memcpy(l->q_up, sim->step.q_next, (size_t)sim->model->nq * sizeof *l->q_up);
  memcpy(l->v_up, sim->step.v_next, (size_t)l->nv * sizeof *l->v_up);
  status = end_beside(l, column, -by);
  if (status != SRS_OK) return status;
  srs_difference(sim->model, l->q_up, sim->step.q_next, l->dq_next + at);
  for (int i = 0; i < l->nv; i++) {
    l->dq_next[at + (size_t)i] *= 0.5 / by;
    l->dv_next[at + (size_t)i] = 0.5 / by * (l->v_up[i] - sim->step.v_next[i]);
  }
  return SRS_OK;
}

srs_status srs_find_ends(srs_linearisation *l)
{
  const bool adds = is_additive(l->twin);
  srs_status status = SRS_OK;
  for (int i = 0; i < l->n_columns && status == SRS_OK; i++) {
    if (adds)
      add_ends(l, i);
    else
      status = difference_ends(l, i);
  }
  return status;
}
