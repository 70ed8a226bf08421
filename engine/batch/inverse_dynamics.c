// Inverse dynamics of several states by the recursive Newton-Euler algorithm (RNEA), in the links' axes (relative.h):
// out with motions and each link's force, in with sums of forces.

#include "engine/batch/batch.h"
#include "engine/batch/relative.h"
#include "engine/batch/states.h"

SRS_KERNEL void srs_batch_forces_out(srs_batch *b, const lanes *v, const lanes *a)
{
  const srs_model *m = b->model;
  const wide3 ground = wide_vector((vec3){-b->gravity.x, -b->gravity.y, -b->gravity.z});
  for (int k = 0; k < m->n_links; k++) {
    wide_place(b, k);
    wide_link *l = &b->links[k];
    const int p = m->parent[k];
    if (p < 0) {
      l->w = l->alpha = wide3_zero;
      l->a = wide_rotate_back(&l->R, ground);
    } else {
      const wide_link *from = &b->links[p];
      const wide3 swing = wide_cross(from->w, wide_cross(from->w, l->r));
      l->w = wide_rotate_back(&l->R, from->w);
      l->alpha = wide_rotate_back(&l->R, from->alpha);
      l->a = wide_rotate_back(&l->R, wide_add(wide_add(from->a, wide_cross(from->alpha, l->r)), swing));
    }
    wide_joint_motion(b, k, v, a, l);
    l->force = wide_body_force(m->inertia + 10 * (size_t)k, l);
  }
}

SRS_KERNEL static void forces_in(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = m->n_links - 1; k >= 0; k--) {
    const wide_link *l = &b->links[k];
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) b->tau[i] = wide_project(b, k, i, &l->force);
    const int p = m->parent[k];
    if (p < 0) continue;
    const wide6 force = wide_carry_force(l, l->force);
    wide6 *sum = &b->links[p].force;
    sum->ang = wide_add(sum->ang, force.ang);
    sum->lin = wide_add(sum->lin, force.lin);
  }
}

srs_status srs_batch_inverse_dynamics(srs_batch *b, int n, const double *q, const double *v, const double *a,
                                      double *tau)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = b->model;
  srs_status status = srs_batch_check(b, n, q, v, v != NULL ? tau : NULL);
  if (status == SRS_OK && a != NULL) status = srs_batch_check_finite(b, n, "a", a, m->nv);
  if (status != SRS_OK) return status;
  bool finite = true;
  for (int first = 0; first < n; first += LANES) {
    srs_batch_load_q(b, n, first, q);
    srs_batch_load(n, first, m->nv, v, b->v);
    if (a != NULL) srs_batch_load(n, first, m->nv, a, b->a);
    srs_batch_forces_out(b, b->v, a != NULL ? b->a : NULL);
    forces_in(b);
    for (int i = 0; a != NULL && i < m->nv; i++) b->tau[i] += m->armature[i] * b->a[i];
    finite &= srs_batch_store(n, first, m->nv, b->tau, tau);
  }
  return finite ? SRS_OK : srs_batch_check_result(b, n, "the force", tau, m->nv);
}
