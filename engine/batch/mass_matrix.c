// Mass matrices of several states by composite rigid bodies (CRBA), in the world's axes, at the links' origins, where a
// force stays the same on its way inward but for its torque (engine/dynamics/mass_matrix.c has the equations).

#include "engine/batch/batch.h"
#include "engine/batch/relative.h"
#include "engine/batch/states.h"
#include "engine/batch/world.h"

#include <string.h>

typedef struct composite {
  lanes m;
  wide3 h;
  wide_sym I;
} composite;

SRS_INLINE composite load_composite(const lanes *x)
{
  return (composite){x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
}

SRS_INLINE void store_composite(lanes *x, const composite *c)
{
  const lanes all[10] = {c->m, c->h.x, c->h.y, c->h.z, c->I.xx, c->I.yy, c->I.zz, c->I.xy, c->I.xz, c->I.yz};
  memcpy(x, all, sizeof all);
}

SRS_INLINE composite composite_of(const double *inertia, const wide33 *axes)
{
  const wide_sym I = {wide_number(inertia[4]), wide_number(inertia[5]), wide_number(inertia[6]),
                      wide_number(inertia[7]), wide_number(inertia[8]), wide_number(inertia[9])};
  return (composite){wide_number(inertia[0]),
                     wide_rotate(axes, wide_vector((vec3){inertia[1], inertia[2], inertia[3]})),
                     wide_sym_rotate(axes, &I)};
}

// What is carried, added to the parent's own: with g = h + m r / 2, I += 2 (r . g) 1 - (r g^T + g r^T).
SRS_INLINE void add_composite(composite *to, const composite *c, wide3 r)
{
  const wide3 g = wide_add_scaled(c->h, 0.5 * c->m, r);
  const lanes x = r.x * g.x, y = r.y * g.y, z = r.z * g.z;
  to->m += c->m;
  to->h = wide_add(to->h, wide_add_scaled(c->h, c->m, r));
  to->I.xx += c->I.xx + 2 * (y + z);
  to->I.yy += c->I.yy + 2 * (x + z);
  to->I.zz += c->I.zz + 2 * (x + y);
  to->I.xy += c->I.xy - (r.x * g.y + g.x * r.y);
  to->I.xz += c->I.xz - (r.x * g.z + g.x * r.z);
  to->I.yz += c->I.yz - (r.y * g.z + g.y * r.z);
}

SRS_INLINE wide3 arm_of(const srs_batch *b, int k) { return wide_sub(b->origin[k], b->origin[b->model->parent[k]]); }

SRS_KERNEL static void composites_in(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = m->n_links - 1; k >= 0; k--) {
    const bool carries = m->subtree_end[k] > k + 1;
    lanes *moments = b->moments + 10 * (size_t)k;
    const composite c = carries ? load_composite(moments) : composite_of(m->inertia + 10 * (size_t)k, &b->axes[k]);
    if (!carries) store_composite(moments, &c);
    const int p = m->parent[k];
    if (p < 0) continue;
    lanes *parents = b->moments + 10 * (size_t)p;
    const bool is_first = m->subtree_end[p] == m->subtree_end[k]; // of those that the parent carries
    composite to = is_first ? composite_of(m->inertia + 10 * (size_t)p, &b->axes[p]) : load_composite(parents);
    add_composite(&to, &c, arm_of(b, k));
    store_composite(parents, &to);
  }
}

// Columns in the world's axes, where joints with one coordinate have one along z.
SRS_INLINE wide6 world_column(const srs_batch *b, int k, int i)
{
  const wide33 *axes = &b->axes[k];
  if (wide_has_columns(b->model, k))
    return (wide6){wide_rotate(axes, b->column[i].ang), wide_rotate(axes, b->column[i].lin)};
  const vec3 screw = wide_screw(b->model, k);
  return (wide6){wide_scale(wide_number(screw.x), axes->z), wide_scale(wide_number(screw.y), axes->z)};
}

SRS_INLINE void put(const srs_batch *b, int i, int j, lanes x)
{
  const size_t nv = (size_t)b->model->nv;
  b->matrix[(size_t)i * nv + (size_t)j] = x;
  b->matrix[(size_t)j * nv + (size_t)i] = x;
}

SRS_KERNEL static void rows_in(srs_batch *b)
{
  const srs_model *m = b->model;
  const size_t nv = (size_t)m->nv;
  for (int k = 0; k < m->n_links; k++)
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) b->forces[i] = world_column(b, k, i);
  for (int i = 0; i < m->nv; i++) {
    const int k = m->link_of_v[i];
    const composite c = load_composite(b->moments + 10 * (size_t)k);
    const wide6 s = b->forces[i];
    wide3 n = wide_add(wide_sym_times(&c.I, s.ang), wide_cross(c.h, s.lin));
    const wide3 f = wide_add_scaled(wide_cross(s.ang, c.h), c.m, s.lin);
    for (int j = i; j >= m->v_index[k]; j--)
      put(b, i, j, wide_dot(b->forces[j].ang, n) + wide_dot(b->forces[j].lin, f));
    for (int from = k, to = m->parent[k]; to >= 0; from = to, to = m->parent[to]) {
      n = wide_add(n, wide_cross(arm_of(b, from), f));
      const bool turns = m->kind[to] == SRS_JOINT_REVOLUTE || m->kind[to] == SRS_JOINT_CONTINUOUS;
      for (int j = m->v_index[to]; j < m->v_index[to + 1]; j++) {
        const lanes product = wide_dot(b->forces[j].ang, n);
        put(b, i, j, turns ? product : product + wide_dot(b->forces[j].lin, f));
      }
    }
    b->matrix[(size_t)i * (nv + 1)] += m->armature[i];
  }
}

srs_status srs_batch_mass_matrix(srs_batch *b, int n, const double *q, double *matrices)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  const srs_status status = srs_batch_check(b, n, q, NULL, matrices);
  if (status != SRS_OK) return status;
  const size_t nv = (size_t)b->model->nv;
  const int size = (int)(nv * nv);
  memset(b->matrix, 0, nv * nv * sizeof *b->matrix); // between branches it stays zero
  bool finite = true;
  for (int first = 0; first < n; first += LANES) {
    srs_batch_load_q(b, n, first, q);
    srs_batch_place(b);
    composites_in(b);
    rows_in(b);
    finite &= srs_batch_store(n, first, size, b->matrix, matrices);
  }
  return finite ? SRS_OK : srs_batch_check_result(b, n, "the inertia", matrices, size);
}
