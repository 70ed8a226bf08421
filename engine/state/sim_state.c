// The state that a step starts from, as one block of doubles in a fixed order: time, counters, q, v, inputs, warm
// starts, energy balance.

#include "engine/state/sim_state.h"

#include <string.h>

static double *take(double *block, size_t *used, size_t count)
{
  double *at = block != NULL ? block + *used : NULL;
  *used += count;
  return at;
}

size_t srs_state_lay_out(srs_sim_state *s, const srs_model *m, size_t n_smooth, size_t n_slots, double *block)
{
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, n_closures = (size_t)m->n_closures;
  srs_inputs *in = &s->inputs;
  size_t used = 0;
  s->block = block;
  s->time = take(block, &used, 1);
  s->steps = take(block, &used, 1);
  s->start = take(block, &used, 2);
  const size_t first = used;
  in->has_wrench = take(block, &used, 1);
  in->has_servo = take(block, &used, 1);
  in->has_loop_joint_actuator = take(block, &used, 1);
  s->q = take(block, &used, nq);
  s->v = take(block, &used, nv);
  in->tau = take(block, &used, nv);
  in->wrench = take(block, &used, SRS_WRENCH_SIZE * (size_t)m->n_frames);
  in->q_ref = take(block, &used, nq);
  in->v_ref = take(block, &used, nv);
  in->kp = take(block, &used, nv);
  in->kd = take(block, &used, nv);
  in->loop_joint_actuator = take(block, &used, SRS_LOOP_JOINT_ACTUATOR * n_closures);
  in->targets = take(block, &used, SRS_TARGET * (n_closures + (size_t)m->n_couplings));
  s->loop_joint_turn = take(block, &used, n_closures);
  s->free_a = take(block, &used, nv);
  s->row_a = take(block, &used, nv);
  s->is_free = take(block, &used, (size_t)m->n_links);
  s->n_floating = srs_floating_root_count(m);
  s->momentum = take(block, &used, SRS_TREE_MOMENTUM * (size_t)s->n_floating);
  s->smooth_warm = take(block, &used, n_smooth);
  s->warm_rows = take(block, &used, 2 * n_slots);
  s->n_read = used - first;
  s->works = take(block, &used, SRS_WORKS);
  s->start_q = take(block, &used, nq);
  s->start_v = take(block, &used, nv);
  s->n = used;
  return used;
}

bool srs_is_floating_root(const srs_model *m, int k) { return m->parent[k] < 0 && m->kind[k] == SRS_JOINT_FREE; }

int srs_floating_root_count(const srs_model *m)
{
  int n = 0;
  for (int k = 0; k < m->n_links; k++) n += srs_is_floating_root(m, k);
  return n;
}

void srs_forget_momentum(srs_sim_state *s)
{
  memset(s->momentum, 0, SRS_TREE_MOMENTUM * (size_t)s->n_floating * sizeof *s->momentum);
}

void srs_state_reset(srs_sim_state *s, const srs_model *m)
{
  memset(s->block, 0, s->n * sizeof *s->block);
  memcpy(s->q, m->neutral, (size_t)m->nq * sizeof *s->q);
  memcpy(s->inputs.q_ref, m->neutral, (size_t)m->nq * sizeof *s->q);
  srs_state_start_balance(s, m);
}

void srs_state_start_balance(srs_sim_state *s, const srs_model *m)
{
  memset(s->works, 0, SRS_WORKS * sizeof *s->works);
  memcpy(s->start_q, s->q, (size_t)m->nq * sizeof *s->q);
  memcpy(s->start_v, s->v, (size_t)m->nv * sizeof *s->v);
}

void srs_inputs_clear(srs_inputs *in, const srs_model *m)
{
  const size_t nv = (size_t)m->nv;
  *in->has_wrench = *in->has_servo = *in->has_loop_joint_actuator = 0;
  memset(in->tau, 0, nv * sizeof *in->tau);
  memset(in->wrench, 0, SRS_WRENCH_SIZE * (size_t)m->n_frames * sizeof *in->wrench);
  memset(in->kp, 0, nv * sizeof *in->kp);
  memset(in->kd, 0, nv * sizeof *in->kd);
  memset(in->loop_joint_actuator, 0, SRS_LOOP_JOINT_ACTUATOR * (size_t)m->n_closures * sizeof *in->loop_joint_actuator);
  memset(in->targets, 0, SRS_TARGET * (size_t)(m->n_closures + m->n_couplings) * sizeof *in->targets);
}
