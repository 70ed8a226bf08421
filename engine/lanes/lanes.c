// Lanes of runs: what they can carry, their memory, and how states get in and out.

#include "engine/lanes/lanes.h"
#include "engine/batch/kernels.h"
#include "engine/dynamics/block.h"
#include "engine/lanes/memory.h"
#include "engine/rows/constraints.h"
#include "topology/base/errors.h"
#include "topology/model/joint_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SRS_SIM_LANES == (int)LANES, "lanes of runs are those of batches");

// ---------------------------------------------------------------------------------------------------------------------
// What stands in the way
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(srs_error *error, const char *subject, const char *why)
{
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, subject, "lanes carry runs with free motion alone: %s",
                  why);
}

static srs_status check_options(const srs_sim_inside *sim, srs_error *error)
{
  if (!sim->is_semi_implicit)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "integrator",
                    "lanes step by semi-implicit-euler, and the integrator is %s: take the former, or no lanes",
                    srs_integrator_name(sim->options->integrator));
  if (sim->options->implicit_gyroscopic)
    return refuse(error, "implicit_gyroscopic", "switch implicit_gyroscopic off, or take no lanes");
  if (sim->sets_momentum)
    return refuse(error, "keep_momentum",
                  "a tree that floats is to keep its momentum: set keep_momentum to false, or take no lanes");
  return SRS_OK;
}

static srs_status check_rows(const srs_sim_inside *sim, srs_error *error)
{
  const srs_model *m = sim->model;
  const struct srs_constraints *c = sim->constraints;
  if (srs_model_n_loops(m) > 0) return refuse(error, srs_model_loop_name(m, 0), "the model has loops: take no lanes");
  if (c == NULL) return SRS_OK;
  if (c->collider != NULL)
    return refuse(error, "contact", "shapes of this model can meet: switch contact off, or take no lanes");
  for (int k = 0; k < c->n_coordinates; k++) {
    const joint_coordinate *x = &c->coordinates[k];
    const char *joint = m->joints[m->link_of_v[x->v]].name;
    if (x->subject != SRS_ROW_OF_COORDINATE)
      return refuse(error, joint, "a ball joint has limits: switch limits off, or take no lanes");
    if (x->friction > 0)
      return refuse(error, joint, "a joint has dry friction: set joint_friction to false, or take no lanes");
    if (x->lower == x->upper) return refuse(error, joint, "limits lock a joint: make it fixed, or take no lanes");
  }
  return SRS_OK;
}

static srs_status check_inputs(const srs_sim_inside *sim, srs_error *error)
{
  const srs_model *m = sim->model;
  const srs_inputs *in = &sim->state->inputs;
  if (*in->has_wrench != 0) return refuse(error, NULL, "wrenches act on frames: clear them, or take no lanes");
  for (int k = 0; k < m->n_links; k++) {
    const int at = srs_joint_kind_quaternion((srs_joint_kind)m->kind[k]);
    for (int i = m->v_index[k] + at; at >= 0 && i < m->v_index[k + 1]; i++)
      if (m->stiffness[i] > 0 || in->kp[i] > 0)
        return refuse(error, m->joints[k].name, "a spring or servo holds the turn of a ball joint: take no lanes");
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

static void lay_out_memory(srs_mean_velocity *s, size_t nv, char *base, size_t *used)
{
  double **arrays[] = {&s->guess, &s->best, &s->residual, &s->last[0], &s->last[1]};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = srs_block_take(base, used, nv, sizeof(double));
  for (int i = 0; i < 2 * SRS_MEAN_DEPTH; i++) s->changes[i] = srs_block_take(base, used, nv, sizeof(double));
}

static size_t lay_out(srs_lanes *w, char *base)
{
  const srs_model *m = w->sim.model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, n_trees = (size_t)w->n_trees;
  size_t used = 0;
  double **numbers[] = {&w->kp, &w->kd, &w->change, &w->damped};
  lanes **wide[] = {&w->tau, &w->v_ref, &w->effort, &w->mean_v, &w->guess, &w->kept};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = srs_block_take(base, &used, nv, sizeof(double));
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) *wide[i] = srs_block_take(base, &used, nv, sizeof(lanes));
  w->q_ref = srs_block_take(base, &used, nq, sizeof *w->q_ref);
  w->row = srs_block_take(base, &used, nq + 2 * nv, sizeof *w->row);
  w->q_of_v = srs_block_take(base, &used, nv, sizeof *w->q_of_v);
  w->limits = srs_block_take(base, &used, (size_t)w->n_limits, sizeof *w->limits);
  w->trees = srs_block_take(base, &used, n_trees, sizeof *w->trees);
  w->progress = srs_block_take(base, &used, n_trees * LANES, sizeof *w->progress);
  w->is_known = srs_block_take(base, &used, n_trees * LANES, sizeof *w->is_known);
  for (int l = 0; l < LANES; l++) lay_out_memory(&w->memory[l], nv, base, &used);
  return used;
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static void describe_coordinates(srs_lanes *w)
{
  const srs_model *m = w->sim.model;
  const srs_inputs *in = &w->sim.state->inputs;
  const double h = w->sim.options->dt;
  w->has_servo = *in->has_servo != 0;
  for (int k = 0; k < m->n_links; k++) {
    const int quaternion = srs_joint_kind_quaternion((srs_joint_kind)m->kind[k]), first = m->v_index[k];
    w->has_balls = w->has_balls || quaternion >= 0;
    for (int i = first; i < m->v_index[k + 1]; i++)
      w->q_of_v[i] = quaternion >= 0 && i - first >= quaternion ? -1 : m->q_index[k] + i - first;
  }
  for (int i = 0; i < m->nv; i++) {
    w->kp[i] = w->has_servo ? in->kp[i] : 0, w->kd[i] = w->has_servo ? in->kd[i] : 0;
    w->change[i] = h * h * w->kp[i] + h * w->kd[i];
    w->damped[i] = h * m->damping[i] + h * h * m->stiffness[i] + w->change[i];
  }
  for (int k = 0; k < w->n_limits; k++) {
    const joint_coordinate *x = &w->sim.constraints->coordinates[k];
    w->limits[k] = (lane_limit){x->v, x->q, x->lower, x->upper, x->max_effort, x->max_velocity};
  }
}

static void describe_trees(srs_lanes *w)
{
  const srs_model *m = w->sim.model;
  for (int k = 0, tree = 0; k < m->n_links; k = m->subtree_end[k]) {
    const int end = m->subtree_end[k], v = m->v_index[k];
    w->trees[tree++] = (lane_tree){k, end, v, m->v_index[end] - v};
  }
}

static srs_status take_memory(srs_lanes *w, srs_error *error)
{
  const srs_model *m = w->sim.model;
  for (int k = 0; k < m->n_links; k = m->subtree_end[k]) w->n_trees++;
  w->n_limits = w->sim.constraints != NULL ? w->sim.constraints->n_coordinates : 0;
  const size_t size = lay_out(w, NULL);
  w->block = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
  if (w->block == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for lanes");
  memset(w->block, 0, size);
  lay_out(w, w->block);
  return srs_batch_create_of(m, &srs_batch_four, &w->batch, error);
}

srs_status srs_lanes_create(const srs_sim *sim, srs_lanes **out, srs_error *error)
{
  *out = NULL;
  srs_lanes *w = calloc(1, sizeof *w);
  if (w == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for lanes");
  w->sim = srs_sim_look_inside(sim);
  srs_status status = check_options(&w->sim, error);
  if (status == SRS_OK) status = check_rows(&w->sim, error);
  if (status == SRS_OK) status = check_inputs(&w->sim, error);
  if (status == SRS_OK) status = take_memory(w, error);
  if (status == SRS_OK) status = srs_batch_set_gravity(w->batch, w->sim.gravity);
  if (status != SRS_OK) {
    srs_lanes_destroy(w);
    return status;
  }
  describe_coordinates(w);
  describe_trees(w);
  *out = w;
  return SRS_OK;
}

void srs_lanes_destroy(srs_lanes *w)
{
  if (w == NULL) return;
  srs_batch_destroy(w->batch);
  free(w->block);
  free(w);
}

// ---------------------------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------------------------

static void put(lanes *to, int lane, const double *from, int n)
{
  for (int i = 0; i < n; i++) to[i][lane] = from[i];
}

static bool has_gains(const srs_lanes *w, const srs_inputs *in)
{
  const size_t bytes = (size_t)w->sim.model->nv * sizeof(double);
  if ((*in->has_servo != 0) != w->has_servo) return false;
  return !w->has_servo || (memcmp(in->kp, w->kp, bytes) == 0 && memcmp(in->kd, w->kd, bytes) == 0);
}

// Whether rows acted in the last step, on which the next one would go on.
static bool had_rows(const srs_sim_inside *sim)
{
  const srs_model *m = sim->model;
  bool any = false;
  for (int k = 0; k < m->n_links; k++) any = any || (m->parent[k] < 0 && sim->state->is_free[k] < 0);
  for (int i = 0; sim->constraints != NULL && i < 2 * sim->constraints->n_slots; i++)
    any = any || sim->state->warm_rows[i] != 0;
  return any;
}

bool srs_lanes_load(srs_lanes *w, int lane, const srs_sim *from)
{
  const srs_sim_inside sim = srs_sim_look_inside(from);
  const srs_model *m = w->sim.model;
  const srs_sim_state *state = sim.state;
  const srs_inputs *in = &state->inputs;
  const bool is_carried = *in->has_wrench == 0 && has_gains(w, in) && !had_rows(&sim);
  put(w->batch->q, lane, state->q, m->nq);
  put(w->batch->v, lane, state->v, m->nv);
  put(w->tau, lane, in->tau, m->nv);
  put(w->q_ref, lane, in->q_ref, m->nq);
  put(w->v_ref, lane, in->v_ref, m->nv);
  put(w->guess, lane, state->free_a, m->nv);
  for (int t = 0; t < w->n_trees; t++) w->is_known[t * LANES + lane] = state->is_free[w->trees[t].first] > 0;
  w->start[lane][0] = state->start[0], w->start[lane][1] = state->start[1], w->steps[lane] = *state->steps;
  w->is_lost[lane] = !is_carried;
  return is_carried;
}

static void copy(lanes *x, int from, int to, int n)
{
  for (int i = 0; i < n; i++) x[i][to] = x[i][from];
}

void srs_lanes_copy(srs_lanes *w, int from, int to)
{
  const int nq = w->sim.model->nq, nv = w->sim.model->nv;
  copy(w->batch->q, from, to, nq);
  copy(w->batch->v, from, to, nv);
  copy(w->tau, from, to, nv);
  copy(w->q_ref, from, to, nq);
  copy(w->v_ref, from, to, nv);
  copy(w->guess, from, to, nv);
  for (int t = 0; t < w->n_trees; t++) w->is_known[t * LANES + to] = w->is_known[t * LANES + from];
  memcpy(w->start[to], w->start[from], sizeof w->start[to]);
  w->steps[to] = w->steps[from];
  w->is_lost[to] = w->is_lost[from];
}

// What is not finite is given up here, before limits cut it off.
void srs_lanes_set_torques(srs_lanes *w, const double *const torques[SRS_SIM_LANES])
{
  for (int i = 0; i < w->sim.model->nv; i++)
    w->tau[i] = (lanes){torques[0][i], torques[1][i], torques[2][i], torques[3][i]};
  for (int l = 0; l < LANES; l++) {
    double zero = 0;
    for (int i = 0; i < w->sim.model->nv; i++) zero += 0 * torques[l][i];
    w->is_lost[l] = w->is_lost[l] || zero != 0;
  }
}

void srs_lanes_give_up(srs_lanes *w, int lane) { w->is_lost[lane] = true; }
bool srs_lanes_is_carried(const srs_lanes *w, int lane) { return !w->is_lost[lane]; }

static double time_of(const srs_lanes *w, int lane)
{
  return w->start[lane][0] + srs_decimal_time(&w->sim.clock, w->steps[lane] - w->start[lane][1]);
}

void srs_lanes_state(const srs_lanes *w, int lane, double *time, double *q, double *v)
{
  if (time != NULL) *time = time_of(w, lane);
  for (int i = 0; q != NULL && i < w->sim.model->nq; i++) q[i] = w->batch->q[i][lane];
  for (int i = 0; v != NULL && i < w->sim.model->nv; i++) v[i] = w->batch->v[i][lane];
}

void srs_lanes_store(const srs_lanes *w, int lane, srs_sim *sim)
{
  const int nq = w->sim.model->nq, nv = w->sim.model->nv;
  double *q = w->row, *v = q + nq, *a = v + nv;
  srs_lanes_state(w, lane, NULL, q, v);
  for (int i = 0; i < nv; i++) a[i] = w->guess[i][lane];
  srs_sim_put(sim, time_of(w, lane), w->steps[lane], q, v, w->sim.takes_mean ? a : NULL);
}
