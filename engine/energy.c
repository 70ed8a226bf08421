// What does the whole mechanism carry: mass, momentum, energy? Sums over the links that can move.
//
//   mass centre   sum (m o + h) / sum m              o the link's origin, h = m c in world axes
//   momentum      p = m v + w x h,   l = I w + h x v about o, + o x p about the world's origin
//   energy        kinetic = sum (w . l + v . p) / 2 + sum armature v_i^2 / 2
//                 potential = -sum g . (m o + h) + sum k (q - reference)^2 / 2

#include "engine/workspace.h"

static spatial link_momentum(const srs_workspace *w, int k, const body *b)
{
  const spatial v = w->velocity[k];
  return (spatial){add3(sym3_times(b->inertia, v.ang), cross3(b->moment, v.lin)),
                   add_scaled3(cross3(v.ang, b->moment), b->mass, v.lin)};
}

static body link_body(const srs_workspace *w, int k)
{
  return body_in_world(w->model->inertia + 10 * (size_t)k, w->place[k].axes);
}

// Placements, and velocities (zero where v is NULL).
static srs_status prepare(srs_workspace *w, const double *q, const double *v, const void *out)
{
  if (w == NULL || out == NULL) return SRS_ERROR_ARGUMENT;
  return srs_forward_velocity(w, q, v != NULL ? v : w->zero_v);
}

srs_status srs_com(srs_workspace *w, const double *q, const double *v, srs_center_of_mass *com)
{
  const srs_status status = prepare(w, q, v, com);
  if (status != SRS_OK) return status;
  double mass = 0;
  vec3 moment = vec3_zero, linear = vec3_zero;
  for (int k = 0; k < w->model->n_links; k++) {
    const body b = link_body(w, k);
    mass += b.mass;
    moment = add3(moment, add_scaled3(b.moment, b.mass, w->place[k].origin));
    linear = add3(linear, link_momentum(w, k, &b).lin);
  }
  const double share = mass > 0 ? 1 / mass : 0;
  com->mass = mass;
  vec3_store(com->position, scale3(share, moment));
  vec3_store(com->velocity, scale3(share, linear));
  return SRS_OK;
}

srs_status srs_momentum(srs_workspace *w, const double *q, const double *v, double momentum[6])
{
  const srs_status status = prepare(w, q, v, momentum);
  if (status != SRS_OK) return status;
  spatial sum = spatial_zero;
  for (int k = 0; k < w->model->n_links; k++) {
    const body b = link_body(w, k);
    sum = add6(sum, carry_force(link_momentum(w, k, &b), w->place[k].origin));
  }
  vec3_store(momentum, sum.ang);
  vec3_store(momentum + 3, sum.lin);
  return SRS_OK;
}

static double spring_energy(const srs_workspace *w, const double *q)
{
  const srs_model *m = w->model;
  if (!m->has_springs) return 0;
  double sum = 0;
  srs_difference(m, q, m->reference, w->scratch_v);
  for (int i = 0; i < m->nv; i++)
    if (m->stiffness[i] > 0) sum += 0.5 * m->stiffness[i] * w->scratch_v[i] * w->scratch_v[i];
  return sum;
}

srs_status srs_energy(srs_workspace *w, const double *q, const double *v, srs_energies *energy)
{
  const srs_status status = prepare(w, q, v, energy);
  if (status != SRS_OK) return status;
  const srs_model *m = w->model;
  double kinetic = 0, potential = 0;
  for (int k = 0; k < m->n_links; k++) {
    const body b = link_body(w, k);
    kinetic += 0.5 * dot6(w->velocity[k], link_momentum(w, k, &b));
    potential -= dot3(w->gravity, add_scaled3(b.moment, b.mass, w->place[k].origin));
  }
  for (int i = 0; v != NULL && i < m->nv; i++) kinetic += 0.5 * m->armature[i] * v[i] * v[i];
  energy->kinetic = kinetic;
  energy->potential = potential + spring_energy(w, q);
  return SRS_OK;
}

srs_status srs_passive_forces(const srs_model *m, const double *q, const double *v, double *tau)
{
  if (m == NULL || (m->nv > 0 && (q == NULL || v == NULL || tau == NULL))) return SRS_ERROR_ARGUMENT;
  if (m->has_springs) srs_difference(m, q, m->reference, tau);
  for (int i = 0; i < m->nv; i++)
    tau[i] = (m->stiffness[i] > 0 ? -m->stiffness[i] * tau[i] : 0.0) - m->damping[i] * v[i];
  return SRS_OK;
}
