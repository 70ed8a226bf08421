// Keeps what the wrenches in joints need of an accepted step (engine/simulation/wrenches.c).

#include "engine/step/last_step.h"

#include <string.h>

// Finds f in the step that is being accepted; constraints NULL: without rows.
void srs_find_loads(const srs_model *m, double dt, const double *force, const double *extra, const double *a,
                    const struct srs_constraints *c, double *load)
{
  for (int i = 0; i < m->nv; i++) load[i] = force[i] - ((extra != NULL ? extra[i] : 0) + m->armature[i]) * a[i];
  for (int i = 0; c != NULL && i < c->n_scalars; i++) {
    const scalar_row *s = &c->scalars[i];
    for (int side = 0; side < s->row.n_sides; side++)
      if (s->row.is_coordinate[side]) load[s->row.coordinate[side]] += s->row.coefficient[side] * s->impulse / dt;
  }
}

void srs_last_step_keep(srs_last_step *last, const srs_integrator_traits *traits, const srs_model *m,
                        const srs_sim_state *state, const srs_step_memory *step)
{
  const bool is_elsewhere = traits->is_mean || traits->is_implicit;
  last->has_part_wrench = false;
  last->exists = traits->keeps_wrenches;
  if (!last->exists) return;
  memcpy(last->q, is_elsewhere ? step->q_mid : state->q, (size_t)m->nq * sizeof *last->q);
  last->has_halves = step->has_halves;
  memcpy(last->v, step->has_halves ? step->half_bias_v[0] : step->bias_v, (size_t)m->nv * sizeof *last->v);
  if (step->has_halves) memcpy(last->second_v, step->half_bias_v[1], (size_t)m->nv * sizeof *last->second_v);
  memcpy(last->a, step->mean_a, (size_t)m->nv * sizeof *last->a);
  last->has_wrench = *state->inputs.has_wrench != 0;
  if (last->has_wrench)
    memcpy(last->wrench, state->inputs.wrench, SRS_WRENCH_SIZE * (size_t)m->n_frames * sizeof *last->wrench);
}
