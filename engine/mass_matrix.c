// How much does every coordinate resist every other? Composite rigid bodies, O(n * depth).
//
//   in    composite inertia of link and all it carries, moved to the parent's origin by arm r: with g = h + m r / 2
//         h_p += h + m r,   I_p += I + 2 (r . g) 1 - (r g^T + g r^T)
//   in    the force [n; f] = I_c s_j of each unit motion, kept for all coordinates j of the subtree; at link k
//         M_ij = s_i . [n_j; f_j] for all j of the subtree, then n_j += r x f_j takes them to the parent
//
// World axes leave f_j alone on its way in, and depth-first order makes a subtree's coordinates neighbours, so that a
// row of M is one loop over contiguous memory, several columns at a time. (Featherstone 2008, ch. 6.)

#include "engine/lanes.h"
#include "engine/workspace.h"

#include <string.h>

SRS_KERNEL static void composite_in(srs_workspace *w)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) w->bodies[k] = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int p = m->parent[k];
    if (p < 0) continue;
    const body b = w->bodies[k];
    const v3 r = w->place[k].arm, g = b.moment + 0.5 * b.mass * r;
    const double d = 2 * dot(r, g);
    body *to = &w->bodies[p];
    to->mass += b.mass;
    to->moment += b.moment + b.mass * r;
    to->inertia.x += b.inertia.x + d * m3_identity.x - spread_x(r) * g - spread_x(g) * r;
    to->inertia.y += b.inertia.y + d * m3_identity.y - spread_y(r) * g - spread_y(g) * r;
    to->inertia.z += b.inertia.z + d * m3_identity.z - spread_z(r) * g - spread_z(g) * r;
  }
}

// The six rows of forces: torque x y z, force x y z; one column a coordinate.
typedef struct force_rows {
  double *nx, *ny, *nz, *fx, *fy, *fz;
} force_rows;

// Coordinates from … end - 1 go to the parent's origin.
SRS_INLINE void carry_rows(force_rows f, int from, int end, v3 arm)
{
  const vec3 r = {arm[0], arm[1], arm[2]};
  double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  SRS_INDEPENDENT
  for (int j = from; j < end; j++) {
    nx[j] = nx[j] + r.y * fz[j] - r.z * fy[j];
    ny[j] = ny[j] + r.z * fx[j] - r.x * fz[j];
    nz[j] = nz[j] + r.x * fy[j] - r.y * fx[j];
  }
}

SRS_INLINE void row_angular(force_rows f, int from, int end, v3 axis, double *restrict row)
{
  const vec3 s = {axis[0], axis[1], axis[2]};
  const double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  SRS_INDEPENDENT
  for (int j = from; j < end; j++) row[j] = s.x * nx[j] + s.y * ny[j] + s.z * nz[j];
}

SRS_INLINE void row_linear(force_rows f, int from, int end, v3 axis, double *restrict row)
{
  const vec3 s = {axis[0], axis[1], axis[2]};
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  SRS_INDEPENDENT
  for (int j = from; j < end; j++) row[j] = s.x * fx[j] + s.y * fy[j] + s.z * fz[j];
}

SRS_INLINE void row_both(force_rows f, int from, int end, v6 column, double *restrict row)
{
  const spatial s = {{column.ang[0], column.ang[1], column.ang[2]}, {column.lin[0], column.lin[1], column.lin[2]}};
  const double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  SRS_INDEPENDENT
  for (int j = from; j < end; j++)
    row[j] = s.ang.x * nx[j] + s.ang.y * ny[j] + s.ang.z * nz[j] + s.lin.x * fx[j] + s.lin.y * fy[j] + s.lin.z * fz[j];
}

// Four columns' forces at once.
typedef struct force_lanes {
  lanes nx, ny, nz, fx, fy, fz;
} force_lanes;

SRS_INLINE force_lanes lanes_of(force_rows f, int j)
{
  return (force_lanes){lanes_load(f.nx + j), lanes_load(f.ny + j), lanes_load(f.nz + j),
                       lanes_load(f.fx + j), lanes_load(f.fy + j), lanes_load(f.fz + j)};
}

SRS_INLINE void store_some(double *p, lanes a, int n)
{
  p[0] = a[0];
  if (n > 1) p[1] = a[1];
  if (n > 2) p[2] = a[2];
  if (n > 3) p[3] = a[3];
}

// A revolute hinge's axis and arm in all lanes, and its row of M.
typedef struct turning_row {
  lanes sx, sy, sz, rx, ry, rz;
  double *row;
} turning_row;

SRS_INLINE turning_row turning_row_of(const placement *place, double *row)
{
  const v3 s = place->axes.z, r = place->arm;
  return (turning_row){spread_x(s), spread_y(s), spread_z(s), spread_x(r), spread_y(r), spread_z(r), row};
}

SRS_INLINE lanes turn_lanes(const turning_row *t, force_lanes *c)
{
  const lanes entries = t->sx * c->nx + t->sy * c->ny + t->sz * c->nz;
  c->nx = c->nx + t->ry * c->fz - t->rz * c->fy;
  c->ny = c->ny + t->rz * c->fx - t->rx * c->fz;
  c->nz = c->nz + t->rx * c->fy - t->ry * c->fx;
  return entries;
}

// One hinge's row and the move of the subtree's columns in one pass; or two hinges', the second carrying the first.
// Starts at the four lanes that hold `begin`: what is written left of it is below the diagonal of M, mirrored later, and forces
// of coordinates whose turn is still to come.
SRS_INLINE void turning_rows(force_rows f, int begin, int end, const turning_row *one, const turning_row *two)
{
  int j = begin / LANES * LANES;
  for (; j + LANES <= end; j += LANES) {
    force_lanes c = lanes_of(f, j);
    lanes_store(one->row + j, turn_lanes(one, &c));
    if (two != NULL) lanes_store(two->row + j, turn_lanes(two, &c));
    lanes_store(f.nx + j, c.nx), lanes_store(f.ny + j, c.ny), lanes_store(f.nz + j, c.nz);
  }
  if (j >= end) return;
  force_lanes c = lanes_of(f, j);
  store_some(one->row + j, turn_lanes(one, &c), end - j);
  if (two != NULL) store_some(two->row + j, turn_lanes(two, &c), end - j);
  store_some(f.nx + j, c.nx, end - j), store_some(f.ny + j, c.ny, end - j), store_some(f.nz + j, c.nz, end - j);
}

// I_c s of one coordinate into the rows: the momentum of a unit rate.
SRS_INLINE void set_force(force_rows f, int i, const body *b, v6 s)
{
  const v6 force = body_momentum(b, s);
  f.nx[i] = force.ang[0], f.ny[i] = force.ang[1], f.nz[i] = force.ang[2];
  f.fx[i] = force.lin[0], f.fy[i] = force.lin[1], f.fz[i] = force.lin[2];
}

// The link's row alone, or together with its parent's where that carries nothing else; returns how many.
SRS_INLINE int turn_links(srs_workspace *w, force_rows f, int k, int begin, int end, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const int p = m->parent[k];
  const turning_row own = turning_row_of(&w->place[k], matrix + (size_t)begin * nv);
  set_force(f, begin, &w->bodies[k], (v6){w->place[k].axes.z, v3_zero});
  if (p < 0 || p != k - 1 || m->subtree_end[p] != m->subtree_end[k] || !turns_only(m, p)) {
    turning_rows(f, begin, end, &own, NULL);
    return 1;
  }
  const turning_row parent = turning_row_of(&w->place[p], own.row - nv);
  turning_rows(f, begin, end, &own, &parent);
  set_force(f, begin - 1, &w->bodies[p], (v6){w->place[p].axes.z, v3_zero});
  turning_rows(f, begin - 1, begin, &parent, NULL);
  return 2;
}

SRS_KERNEL static void rows_in(srs_workspace *w, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv, stride = w->v_stride;
  double *rows = w->rows;
  const force_rows f = {
      rows, rows + stride, rows + 2 * stride, rows + 3 * stride, rows + 4 * stride, rows + 5 * stride};
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int begin = m->v_index[k], end = m->v_index[m->subtree_end[k]];
    const v3 z = w->place[k].axes.z, r = w->place[k].arm;
    double *row = matrix + (size_t)begin * nv;
    switch ((srs_hinge_kind)m->kind[k]) {
    case SRS_HINGE_REVOLUTE:
    case SRS_HINGE_CONTINUOUS:
      k -= turn_links(w, f, k, begin, end, matrix) - 1;
      continue;
    case SRS_HINGE_PRISMATIC:
      set_force(f, begin, &w->bodies[k], (v6){v3_zero, z});
      row_linear(f, begin, end, z, row);
      break;
    case SRS_HINGE_HELICAL:
    case SRS_HINGE_CYLINDRICAL:
    case SRS_HINGE_UNIVERSAL:
    case SRS_HINGE_SPHERICAL:
    case SRS_HINGE_PLANAR:
    case SRS_HINGE_FREE:
    case SRS_HINGE_FIXED:
      for (int i = begin; i < m->v_index[k + 1]; i++) set_force(f, i, &w->bodies[k], hinge_column(w, k, i));
      for (int i = begin; i < m->v_index[k + 1]; i++, row += nv) {
        const v6 s = hinge_column(w, k, i);
        if (m->kind[k] == SRS_HINGE_SPHERICAL || m->kind[k] == SRS_HINGE_UNIVERSAL)
          row_angular(f, i, end, s.ang, row);
        else
          row_both(f, i, end, s, row);
      }
      break;
    }
    if (m->parent[k] >= 0) carry_rows(f, begin, end, r);
  }
}

// Four by four entries below the diagonal from their mirror image above it.
SRS_INLINE void mirror_tile(double *matrix, size_t stride, size_t i, size_t j)
{
  const double *from = matrix + i * stride + j;
  double *to = matrix + j * stride + i;
  const lanes a = lanes_load(from), b = lanes_load(from + stride);
  const lanes c = lanes_load(from + 2 * stride), d = lanes_load(from + 3 * stride);
  const lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  lanes_store(to, __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5));
  lanes_store(to + stride, __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5));
  lanes_store(to + 2 * stride, __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7));
  lanes_store(to + 3 * stride, __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7));
}

// Right of every row's subtree there are zeros; the lower triangle mirrors the upper, tile by tile.
SRS_KERNEL static void complete(const srs_model *m, double *restrict matrix)
{
  const size_t nv = (size_t)m->nv, whole = nv / LANES * LANES;
  for (size_t i = 0; i < nv; i++) {
    double *row = matrix + i * nv;
    const size_t end = (size_t)m->v_index[m->subtree_end[m->link_of_v[i]]];
    for (size_t j = end; j < nv; j++) row[j] = 0;
    row[i] += m->armature[i];
  }
  for (size_t i = 0; i < whole; i += LANES) {
    for (size_t a = i; a < i + LANES; a++)
      for (size_t b = a + 1; b < i + LANES; b++) matrix[b * nv + a] = matrix[a * nv + b];
    for (size_t j = i + LANES; j < whole; j += LANES) mirror_tile(matrix, nv, i, j);
  }
  for (size_t j = whole; j < nv; j++)
    for (size_t i = 0; i < j; i++) matrix[j * nv + i] = matrix[i * nv + j];
}

srs_status srs_mass_matrix(srs_workspace *w, const double *q, double *mass_matrix)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  if (w->model->nv > 0 && (q == NULL || mass_matrix == NULL)) return SRS_ERROR_ARGUMENT;
  const srs_status status = srs_check_finite(w, "q", q, w->model->nq);
  if (status != SRS_OK) return status;
  srs_place_links(w, q);
  composite_in(w);
  rows_in(w, mass_matrix);
  complete(w->model, mass_matrix);
  return SRS_OK;
}
