// The centroidal momentum matrix, its rate, and the Jacobian of the mass centre.
//
// The momentum of all links is the sum over coordinates of v_i I_i S_i, with I_i the inertia of what i carries, about
// i's link's origin O (outward.c): moved to the mass centre c that is column i of A_G. Its rate has two parts,
//
//   d/dt (I S) = (B + B^T) S + I (V x S),   (B + B^T) S = [(N + N^T) w + p x u; w x p],   S = [w; u],
//
// and moving the point: d/dt (n + (O - c) x f) = n' + (O - c) x f' - v_c x f, where n', f' are those about the point
// fixed at O. The linear rows over the whole mass are the mass centre's Jacobian.

#include "engine/derivatives/outward.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include <sarrus/derivatives.h>

typedef struct mass_center {
  double mass;
  v3 position, velocity;
} mass_center;

static mass_center find_center(const srs_workspace *w)
{
  const srs_model *m = w->model;
  mass_center c = {0, v3_zero, v3_zero};
  for (int k = 0; k < m->n_links; k++) {
    if (m->parent[k] >= 0) continue;
    const carried *root = &w->derivatives->carried[k];
    c.mass += root->body.mass;
    c.position += root->body.moment + root->body.mass * w->place[k].origin;
    c.velocity += root->p;
  }
  const double share = c.mass > 0 ? 1 / c.mass : 0;
  c.position *= share;
  c.velocity *= share;
  return c;
}

SRS_INLINE void put(double *matrix, size_t nv, int i, v6 f)
{
  double entries[6];
  v6_store(entries, f);
  for (size_t r = 0; r < 6; r++) matrix[r * nv + (size_t)i] = entries[r];
}

SRS_KERNEL static void fill(const srs_workspace *w, const mass_center *center, double *matrix, double *rate,
                            double *jacobian)
{
  const srs_model *m = w->model;
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t nv = (size_t)m->nv;
  const double share = center->mass > 0 ? 1 / center->mass : 0;
  for (int i = 0; i < m->nv; i++) {
    const int k = m->link_of_v[i];
    const carried *c = &d->carried[k];
    const v6 S = d->S[i], column = body_momentum(&c->body, S);
    const v3 lever = w->place[k].origin - center->position;
    put(matrix, nv, i, carry_force(column, lever));
    for (size_t r = 0; jacobian != NULL && r < 3; r++) jacobian[r * nv + (size_t)i] = share * column.lin[r];
    if (rate == NULL) continue;
    v6 change = body_momentum(&c->body, v6_add_scaled(d->rate[i], -1, d->psi[i]));
    change.ang += m3_times(c->N, S.ang) + m3_times_back(c->N, S.ang) + cross(c->p, S.lin);
    change.lin += cross(S.ang, c->p);
    change = carry_force(change, lever);
    change.ang -= cross(center->velocity, column.lin);
    put(rate, nv, i, change);
  }
}

srs_status srs_centroidal_momentum_matrix(srs_workspace *w, const double *q, const double *v, double *matrix,
                                          double *rate, double *jacobian)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || matrix == NULL || (v == NULL && rate != NULL)))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status == SRS_OK) status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK && v != NULL) status = srs_check_finite(w, "v", v, m->nv);
  if (status != SRS_OK) return status;
  srs_place_links(w, q);
  srs_derivative_columns(w, (const double[3]){0, 0, 0}, v != NULL ? v : w->zero_v, NULL);
  srs_derivative_sums(w, NULL);
  const mass_center center = find_center(w);
  fill(w, &center, matrix, rate, jacobian);
  status = srs_check_whole(w, "the momentum matrix", matrix, 6 * m->nv);
  if (status == SRS_OK && rate != NULL) status = srs_check_whole(w, "the momentum matrix's rate", rate, 6 * m->nv);
  if (status != SRS_OK || jacobian == NULL) return status;
  return srs_check_whole(w, "the mass centre's Jacobian", jacobian, 3 * m->nv);
}
