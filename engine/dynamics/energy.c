// Mass centre, momentum and energy of the whole mechanism, as sums over the links that can move.
//
//   mass centre   sum (m o + h) / sum m              o the link's origin, h = m c in world axes
//   momentum      p = m v + w x h,   l = I w + h x v about o, + o x p about the world's origin
//   energy        kinetic = sum (w . l + v . p) / 2 + sum armature v_i^2 / 2
//                 potential = -sum g . (m o + h) + sum k (q - reference)^2 / 2

#include "engine/dynamics/checks.h"
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/workspace.h"
#include "topology/model/configuration.h"

SRS_INLINE body link_body(const srs_workspace *w, int k)
{
  return body_in_world(w->model->inertia + 10 * (size_t)k, w->place[k].axes);
}

// Places the links and finds their velocities (zero where v is NULL).
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
  v3 moment = v3_zero, linear = v3_zero;
  for (int k = 0; k < w->model->n_links; k++) {
    const body b = link_body(w, k);
    mass += b.mass;
    moment += b.moment + b.mass * w->place[k].origin;
    linear += body_momentum(&b, w->velocity[k]).lin;
  }
  const double share = mass > 0 ? 1 / mass : 0;
  com->mass = mass;
  v3_store(com->position, share * moment);
  v3_store(com->velocity, share * linear);
  const srs_status finite = srs_check_whole(w, "the mass centre", com->position, 3);
  return finite == SRS_OK ? srs_check_whole(w, "the mass centre's velocity", com->velocity, 3) : finite;
}

srs_status srs_momentum(srs_workspace *w, const double *q, const double *v, double momentum[6])
{
  const srs_status status = prepare(w, q, v, momentum);
  if (status != SRS_OK) return status;
  v6 sum = v6_zero;
  for (int k = 0; k < w->model->n_links; k++) {
    const body b = link_body(w, k);
    sum = v6_add(sum, carry_force(body_momentum(&b, w->velocity[k]), w->place[k].origin));
  }
  v6_store(momentum, sum);
  return srs_check_whole(w, "the momentum", momentum, 6);
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

SRS_KERNEL static void sum_links(const srs_workspace *w, double *kinetic, double *potential)
{
  for (int k = 0; k < w->model->n_links; k++) {
    const body b = link_body(w, k);
    *kinetic += 0.5 * v6_dot(w->velocity[k], body_momentum(&b, w->velocity[k]));
    *potential -= dot(w->gravity, b.moment + b.mass * w->place[k].origin);
  }
}

void srs_energy_of_moving_links(const srs_workspace *w, const double *q, const double *v, srs_energies *energy)
{
  const srs_model *m = w->model;
  double kinetic = 0, potential = 0;
  sum_links(w, &kinetic, &potential);
  for (int i = 0; v != NULL && i < m->nv; i++) kinetic += 0.5 * m->armature[i] * v[i] * v[i];
  energy->kinetic = kinetic;
  energy->springs = spring_energy(w, q);
  energy->potential = potential + energy->springs;
}

srs_status srs_energy(srs_workspace *w, const double *q, const double *v, srs_energies *energy)
{
  const srs_status status = prepare(w, q, v, energy);
  if (status != SRS_OK) return status;
  srs_energy_of_moving_links(w, q, v, energy);
  return srs_check_whole(w, "the energy", (const double[2]){energy->kinetic, energy->potential}, 2);
}

srs_status srs_passive_forces(const srs_model *m, const double *q, const double *v, double *tau)
{
  if (m == NULL || (m->nv > 0 && (q == NULL || v == NULL || tau == NULL))) return SRS_ERROR_ARGUMENT;
  srs_spring_damper_forces(m, q, v, tau);
  return srs_first_not_finite(tau, m->nv) < 0 ? SRS_OK : SRS_ERROR_DIVERGED;
}
