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

// Number by number: what copies memory waits for what was stored in other pieces.
SRS_INLINE void store_composite(lanes *x, const composite *c)
{
  x[0] = c->m, x[1] = c->h.x, x[2] = c->h.y, x[3] = c->h.z;
  x[4] = c->I.xx, x[5] = c->I.yy, x[6] = c->I.zz, x[7] = c->I.xy, x[8] = c->I.xz, x[9] = c->I.yz;
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

SRS_INLINE wide3 arm_of(const srs_batch *b, int k)
{
  return wide_sub(wide_load3(&b->origin[k]), wide_load3(&b->origin[b->model->parent[k]]));
}

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

// Momentum of what link k carries, at a unit rate of a coordinate with column s.
SRS_INLINE wide6 momentum_of(const composite *c, wide6 s)
{
  return (wide6){wide_add(wide_sym_times(&c->I, s.ang), wide_cross(c->h, s.lin)),
                 wide_add_scaled(wide_cross(s.ang, c->h), c->m, s.lin)};
}

SRS_INLINE bool turns_only_wide(const srs_model *m, int k)
{
  return m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS;
}

// Chains of hinges share a pass over the columns of what they carry, as those of one state do.
enum { WIDE_RUN = 4 };

static int run_length(const srs_model *m, int k)
{
  int n = 1;
  while (n < WIDE_RUN && m->parent[k - n + 1] >= 0 && m->parent[k - n + 1] == k - n &&
         m->subtree_end[k - n] == m->subtree_end[k] && turns_only_wide(m, k - n))
    n++;
  return n;
}

// Rows of n hinges, the outermost being that of link k. A force at the origin of link k has z . n + (z x d) . f for a
// hinge whose origin lies d behind.
SRS_INLINE void run_rows(const srs_batch *b, int k, int n)
{
  const srs_model *m = b->model;
  const int own = m->v_index[k], end = m->v_index[m->subtree_end[k]];
  const bool has_parent = m->parent[k - n + 1] >= 0;
  wide3 z[WIDE_RUN], zd[WIDE_RUN], behind[WIDE_RUN], d = wide3_zero;
  for (int i = 0; i < n; i++) {
    const wide3 axis = wide_load3(&b->axes[k - i].z);
    wide_store3(&z[i], axis);
    wide_store3(&behind[i], d);
    wide_store3(&zd[i], wide_cross(axis, d));
    if (i + 1 < n || has_parent) d = wide_add(d, arm_of(b, k - i));
  }
  for (int j = own + 1; j < end; j++) {
    wide6 *force = &b->forces[j];
    const wide3 ang = wide_load3(&force->ang), lin = wide_load3(&force->lin);
    for (int i = 0; i < n; i++) {
      const lanes entry = wide_dot(wide_load3(&z[i]), ang);
      put(b, own - i, j, i > 0 ? entry + wide_dot(wide_load3(&zd[i]), lin) : entry);
    }
    if (has_parent) wide_store3(&force->ang, wide_add(ang, wide_cross(d, lin)));
  }
  for (int c = 0; c < n; c++) {
    const composite body = load_composite(b->moments + 10 * (size_t)(k - c));
    const wide3 lin = wide_cross(wide_load3(&z[c]), body.h);
    wide3 ang = wide_sym_times(&body.I, wide_load3(&z[c]));
    put(b, own - c, own - c, wide_dot(wide_load3(&z[c]), ang) + m->armature[own - c]);
    if (c > 0) ang = wide_sub(ang, wide_cross(wide_load3(&behind[c]), lin));
    for (int i = c + 1; i < n; i++)
      put(b, own - i, own - c, wide_dot(wide_load3(&z[i]), ang) + wide_dot(wide_load3(&zd[i]), lin));
    wide_store6(&b->forces[own - c], wide_add(ang, wide_cross(d, lin)), lin);
  }
}

SRS_KERNEL static void rows_of_run(const srs_batch *b, int k, int n)
{
  switch (n) {
  case 1: run_rows(b, k, 1); break;
  case 2: run_rows(b, k, 2); break;
  case 3: run_rows(b, k, 3); break;
  default: run_rows(b, k, WIDE_RUN); break;
  }
}

// Rows of any link.
SRS_KERNEL static void rows_of_link(const srs_batch *b, int k)
{
  const srs_model *m = b->model;
  const int first = m->v_index[k], own_end = m->v_index[k + 1], end = m->v_index[m->subtree_end[k]];
  const wide3 arm = m->parent[k] >= 0 ? arm_of(b, k) : wide3_zero;
  const composite body = load_composite(b->moments + 10 * (size_t)k);
  wide6 columns[6];
  for (int i = first; i < own_end; i++) {
    const wide6 column = world_column(b, k, i), momentum = momentum_of(&body, column);
    wide_store6(&columns[i - first], column.ang, column.lin);
    wide_store6(&b->forces[i], momentum.ang, momentum.lin);
  }
  for (int j = first; j < end; j++) {
    wide6 *force = &b->forces[j];
    const wide3 ang = wide_load3(&force->ang), lin = wide_load3(&force->lin);
    for (int i = first; i < own_end && i <= j; i++) {
      const wide6 *s = &columns[i - first];
      const bool is_free = m->kind[k] == SRS_JOINT_FREE; // three coordinates slide, then three turn
      lanes entry = wide_number(0);
      if (!is_free || i >= first + 3) entry += wide_dot(wide_load3(&s->ang), ang);
      if (!is_free || i < first + 3) entry += wide_dot(wide_load3(&s->lin), lin);
      put(b, i, j, i == j ? entry + m->armature[i] : entry);
    }
    wide_store3(&force->ang, wide_add(ang, wide_cross(arm, lin)));
  }
}

static void rows_in(const srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = m->n_links - 1; k >= 0;) {
    if (!turns_only_wide(m, k)) {
      rows_of_link(b, k--);
      continue;
    }
    const int n = run_length(m, k);
    rows_of_run(b, k, n);
    k -= n;
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
