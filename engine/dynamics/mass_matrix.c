// The mass matrix M by the composite-rigid-body algorithm (CRBA), O(n * depth).
//
//   in    composite inertia of a link and all it carries, moved to the parent's origin by arm r: with g = h + m r / 2
//         h_p += h + m r,   I_p += I + 2 (r . g) 1 - (r g^T + g r^T)
//   in    the force [n; f] = I_c s_j of each unit motion, kept for all coordinates j of the subtree; at link k
//         M_ij = s_i . [n_j; f_j] for all j of the subtree, then n_j += r x f_j moves them to the parent
//
// In world axes f_j stays the same on its way inward, and depth-first order makes a subtree's coordinates neighbours,
// so a row of M is one loop over contiguous memory, several columns at a time. (Featherstone 2008, ch. 6.)

#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/lanes.h"
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/unit_forces.h"
#include "engine/dynamics/workspace.h"

#include <string.h>

// In depth-first order backwards a link comes right after the last of the links that it carries, whose body is still at
// hand in a chain; where it carries several, the others' have been added up in its place.
SRS_KERNEL static void composite_in(srs_workspace *w)
{
  const srs_model *m = w->model;
  body b = {s33_zero, v3_zero, 0}; // of link k + 1, moved to link k
  for (int k = m->n_links - 1; k >= 0; k--) {
    const body own = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    if (m->subtree_end[k] == k + 1) {
      b = own;
    } else {
      b = (body){s33_add(own.inertia, b.inertia), own.moment + b.moment, own.mass + b.mass};
      if (m->subtree_end[k + 1] < m->subtree_end[k]) add_body(&b, &w->bodies[k]);
    }
    store_body(&w->bodies[k], &b);
    const int p = m->parent[k];
    if (p < 0) continue;
    b = moved_body(b, w->place[k].arm);
    if (p == k - 1) continue;
    body sum = b; // the last one that p carries comes first
    if (m->subtree_end[k] < m->subtree_end[p]) add_body(&sum, &w->bodies[p]);
    store_body(&w->bodies[p], &sum);
  }
}

SRS_INLINE void store_some(double *p, lanes a, int n)
{
  if (n == LANES) {
    lanes_store(p, a);
    return;
  }
  p[0] = a[0];
  if (n > 1) p[1] = a[1];
  if (n > 2) p[2] = a[2];
}

SRS_INLINE lanes entries_of(const four_rows *c, v6 column, bool turns, bool slides)
{
  if (!slides) return all_along(c->nx, c->ny, c->nz, column.ang);
  if (!turns) return all_along(c->fx, c->fy, c->fz, column.lin);
  return all_along(c->nx, c->ny, c->nz, column.ang) + all_along(c->fx, c->fy, c->fz, column.lin);
}

// Entries from … end - 1 of a coordinate's row.
SRS_INLINE void row_over(row_block f, int from, int end, v6 column, bool turns, bool slides, double *row)
{
  int j = from;
  for (; j + LANES <= end; j += LANES) {
    const four_rows c = rows_at(f, j);
    lanes_store(row + j, entries_of(&c, column, turns, slides));
  }
  if (j >= end) return;
  const four_rows c = rows_at(f, j);
  store_some(row + j, entries_of(&c, column, turns, slides), end - j);
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs of revolute joints: chains in which each link carries only the next. Up to four rows in one pass over the
// columns of what they carry
// ---------------------------------------------------------------------------------------------------------------------

enum { RUN = 4 };

// The columns are taken at the origin of the lowest link of the run. Relative to it the row of a link whose origin lies
// d behind is z . (n + d x f) = z . n + (z x d) . f, and one move takes the columns past the whole run.
typedef struct run_row {
  lanes zx, zy, zz; // axis
  lanes dx, dy, dz; // axis x d
  double *row;
} run_row;

typedef struct joint_run {
  run_row rows[RUN];
  lanes x, y, z; // the move past the run
  double *below; // the run's first column, in the first row
  size_t stride; // from row to row
} joint_run;

SRS_INLINE int run_length(const srs_model *m, int k)
{
  int n = 1;
  while (n < RUN && m->parent[k - n + 1] == k - n && m->parent[k - n + 1] >= 0 &&
         m->subtree_end[k - n] == m->subtree_end[k] && turns_only(m, k - n))
    n++;
  return n;
}

// Entries of the run's rows in four columns, the innermost first.
SRS_INLINE void run_entries(const four_rows *c, const joint_run *run, int n, lanes *entries)
{
  for (int i = 0; i < n; i++) {
    const run_row *r = &run->rows[i];
    entries[i] = r->zx * c->nx + r->zy * c->ny + r->zz * c->nz;
    if (i > 0) entries[i] += r->dx * c->fx + r->dy * c->fy + r->dz * c->fz;
  }
}

// The same entries below the diagonal: `columns` of the four columns are rows there.
SRS_INLINE void store_below(const joint_run *run, int n, const lanes *entries, double *below, int columns)
{
  lanes row[RUN];
  for (int i = 0; i < RUN; i++) row[i] = i < n ? entries[n - 1 - i] : v3_zero;
  quads_transpose(&row[0], &row[1], &row[2], &row[3]);
  for (int l = 0; l < columns; l++) store_some(below + (size_t)l * run->stride, row[l], n);
}

SRS_INLINE void run_over_four(row_block f, int j, int columns, const joint_run *run, int n)
{
  const four_rows c = rows_at(f, j);
  lanes entries[RUN];
  run_entries(&c, run, n, entries);
  for (int i = 0; i < n; i++) store_some(run->rows[i].row + j, entries[i], columns);
  store_below(run, n, entries, run->below + (size_t)j * run->stride, columns);
  store_some(f.nx + j, c.nx + run->y * c.fz - run->z * c.fy, columns);
  store_some(f.ny + j, c.ny + run->z * c.fx - run->x * c.fz, columns);
  store_some(f.nz + j, c.nz + run->x * c.fy - run->y * c.fx, columns);
}

// Four columns at a time from the last one down: these are the fours that the runs inward have stored. What is left
// at the start is done with as many of the run's own columns as make it four, where there are so many: these are found
// next. Columns further left may be another branch's.
SRS_INLINE void run_over(row_block f, int begin, int end, const joint_run *run, int n)
{
  int j = end - LANES;
  for (; j >= begin; j -= LANES) run_over_four(f, j, LANES, run, n);
  const int left = j + LANES - begin;
  if (left == 0) return;
  if (LANES - left <= n)
    run_over_four(f, j, LANES, run, n);
  else
    run_over_four(f, begin, left, run, n);
}

// The forces of a run's own columns side by side, those of the innermost joint first.
SRS_INLINE four_rows columns_of(const v6 *force, int n)
{
  lanes ang[RUN], lin[RUN];
  for (int i = 0; i < RUN; i++) ang[i] = i < n ? force[n - 1 - i].ang : v3_zero;
  for (int i = 0; i < RUN; i++) lin[i] = i < n ? force[n - 1 - i].lin : v3_zero;
  quads_transpose(&ang[0], &ang[1], &ang[2], &ang[3]);
  quads_transpose(&lin[0], &lin[1], &lin[2], &lin[3]);
  return (four_rows){ang[0], ang[1], ang[2], lin[0], lin[1], lin[2]};
}

// The run's rows in its own columns, j being the first, of which it leaves the forces past the run. Row i has what
// columns inward of it say, and the mirror image of the others.
SRS_INLINE void run_over_own(row_block f, int j, const four_rows *c, const joint_run *run, int n, bool keeps)
{
  lanes entries[RUN], above[RUN], below[RUN];
  run_entries(c, run, n, entries);
  for (int i = 0; i < RUN; i++) above[i] = below[i] = i < n ? entries[n - 1 - i] : v3_zero;
  quads_transpose(&below[0], &below[1], &below[2], &below[3]);
  for (int i = 0; i < n; i++)
    store_some(run->rows[n - 1 - i].row + j, lanes_choose(first_lanes(i), below[i], above[i]), n);
  if (!keeps) return;
  store_some(f.nx + j, c->nx + run->y * c->fz - run->z * c->fy, n);
  store_some(f.ny + j, c->ny + run->z * c->fx - run->x * c->fz, n);
  store_some(f.nz + j, c->nz + run->x * c->fy - run->y * c->fx, n);
  store_some(f.fx + j, c->fx, n), store_some(f.fy + j, c->fy, n), store_some(f.fz + j, c->fz, n);
}

// A run of n joints: forces of its own columns, taken at the origin of its outermost link k, and its rows, in its own
// columns and in those of all that it carries. Diagonal entries are found at each link's own origin.
SRS_INLINE void run_rows(const srs_workspace *w, row_block f, int k, int n, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const int own = m->v_index[k], end = m->v_index[m->subtree_end[k]];
  joint_run run;
  v6 force[RUN];
  double diagonal[RUN];
  v3 d = v3_zero;
  for (int i = 0; i < n; i++) {
    const body *b = &w->bodies[k - i];
    const v3 z = w->place[k - i].axes.z, zd = cross(z, d);
    run.rows[i] = (run_row){spread_x(z),
                            spread_y(z),
                            spread_z(z),
                            spread_x(zd),
                            spread_y(zd),
                            spread_z(zd),
                            matrix + (size_t)(own - i) * nv};
    force[i] = (v6){s33_times(b->inertia, z), cross(z, b->moment)}; // momentum at a unit rate of the joint
    diagonal[i] = dot(z, force[i].ang) + m->armature[own - i];
    if (i > 0) force[i].ang -= cross(d, force[i].lin);
    d += w->place[k - i].arm;
  }
  run.below = matrix + (own - n + 1), run.stride = nv;
  run.x = spread_x(d), run.y = spread_y(d), run.z = spread_z(d);
  if (own + 1 < end) run_over(f, own + 1, end, &run, n);
  const four_rows columns = columns_of(force, n);
  run_over_own(f, own - n + 1, &columns, &run, n, m->parent[k - n + 1] >= 0);
  for (int i = 0; i < n; i++) matrix[(size_t)(own - i) * (nv + 1)] = diagonal[i];
}

SRS_KERNEL static void rows_of_run(const srs_workspace *w, const row_block *f, int k, int n, double *matrix)
{
  switch (n) {
  case 1: run_rows(w, *f, k, 1, matrix); break;
  case 2: run_rows(w, *f, k, 2, matrix); break;
  case 3: run_rows(w, *f, k, 3, matrix); break;
  default: run_rows(w, *f, k, RUN, matrix); break;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole matrix
// ---------------------------------------------------------------------------------------------------------------------

// The link's own columns in its own rows, then moved to the parent's origin.
SRS_INLINE void own_columns(const srs_workspace *w, const row_block *f, int k, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  if (m->kind[k] == SRS_JOINT_PRISMATIC) {
    const int i = m->v_index[k];
    const body *b = &w->bodies[k];
    const v3 z = w->place[k].axes.z;
    matrix[(size_t)i * (nv + 1)] = b->mass + m->armature[i];
    set_row(*f, i, (v6){cross(b->moment + b->mass * w->place[k].arm, z), b->mass * z});
    return;
  }
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    v6 force = body_momentum(&w->bodies[k], joint_column(w, k, i));
    for (int r = m->v_index[k]; r <= i; r++) matrix[(size_t)r * nv + (size_t)i] = v6_dot(joint_column(w, k, r), force);
    matrix[(size_t)i * nv + (size_t)i] += m->armature[i];
    force.ang += cross(w->place[k].arm, force.lin);
    set_row(*f, i, force);
  }
}

// A free joint on the world: three columns along the world's axes turned by a constant, then three along the link's
// own, L and R. With the mass m, first moment h and inertia I of the whole its block is [m 1, L^T [h x]^T R; ., R^T I
// R].
SRS_INLINE void free_rows(const srs_workspace *w, row_block f, int k, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const int first = m->v_index[k], begin = first + 6, end = m->v_index[m->subtree_end[k]];
  const v6 *s = w->column + first;
  double *row[6];
  for (int i = 0; i < 6; i++) row[i] = matrix + (size_t)(first + i) * nv;
  for (int j = begin; j < end; j += LANES) {
    const four_rows c = rows_at(f, j);
    const int n = end - j < LANES ? end - j : LANES;
    lanes e[6], head[4], tail[4]; // below the diagonal the first and the last four rows, two of them twice
    for (int i = 0; i < 6; i++)
      e[i] = i < 3 ? all_along(c.fx, c.fy, c.fz, s[i].lin) : all_along(c.nx, c.ny, c.nz, s[i].ang);
    for (int i = 0; i < 6; i++) store_some(row[i] + j, e[i], n);
    for (int i = 0; i < 4; i++) head[i] = e[i], tail[i] = e[i + 2];
    quads_transpose(&head[0], &head[1], &head[2], &head[3]);
    quads_transpose(&tail[0], &tail[1], &tail[2], &tail[3]);
    for (int l = 0; l < n; l++) {
      double *below = matrix + (size_t)(j + l) * nv + (size_t)first;
      lanes_store(below, head[l]);
      lanes_store(below + 2, tail[l]);
    }
  }
  const body b = w->bodies[k];
  const m3 R = {s[3].ang, s[4].ang, s[5].ang};
  const m3 force = {cross(R.x, b.moment), cross(R.y, b.moment), cross(R.z, b.moment)};
  const m3 linear = {s[0].lin, s[1].lin, s[2].lin};
  const v3 force_of[3] = {force.x, force.y, force.z};
  const m3 torque = {s33_times(b.inertia, R.x), s33_times(b.inertia, R.y), s33_times(b.inertia, R.z)};
  for (int i = 0; i < 3; i++) {
    v3_store(row[i] + first, b.mass * (i == 0 ? m3_identity.x : i == 1 ? m3_identity.y : m3_identity.z));
    v3_store(row[i] + first + 3, m3_times_back(force, s[i].lin));
    v3_store(row[i + 3] + first, m3_times_back(linear, force_of[i]));
    v3_store(row[i + 3] + first + 3, m3_times_back(torque, s[i + 3].ang));
  }
  for (int i = 3; i < 6; i++) // R^T I R is symmetric but for rounding: one of its triangles
    for (int j = 3; j < i; j++) row[i][first + j] = row[j][first + i];
  for (int i = 0; i < 6; i++) row[i][first + i] += m->armature[first + i];
}

// All rows of link k, for any joint.
SRS_KERNEL static void link_rows(const srs_workspace *w, const row_block *f, int k, double *matrix)
{
  const srs_model *m = w->model;
  if (m->kind[k] == SRS_JOINT_FREE && m->parent[k] < 0) {
    free_rows(w, *f, k, matrix);
    return;
  }
  const size_t nv = (size_t)m->nv;
  const int begin = m->v_index[k + 1], end = m->v_index[m->subtree_end[k]];
  for (int i = m->v_index[k]; i < begin && begin < end; i++) {
    double *row = matrix + (size_t)i * nv;
    const v6 s = joint_column(w, k, i);
    switch ((srs_joint_kind)m->kind[k]) {
    case SRS_JOINT_PRISMATIC: row_over(*f, begin, end, s, false, true, row); break;
    case SRS_JOINT_SPHERICAL:
    case SRS_JOINT_UNIVERSAL: row_over(*f, begin, end, s, true, false, row); break;
    case SRS_JOINT_FREE: // three slide, then three turn
      if (i < m->v_index[k] + 3)
        row_over(*f, begin, end, s, false, true, row);
      else
        row_over(*f, begin, end, s, true, false, row);
      break;
    default: row_over(*f, begin, end, s, true, true, row); break;
    }
  }
  if (begin < end && m->parent[k] >= 0) carry_rows_in(*f, begin, end, w->place[k].arm);
  own_columns(w, f, k, matrix);
  const size_t first = (size_t)m->v_index[k], own_end = (size_t)begin;
  for (size_t i = first; i < own_end; i++)
    for (size_t j = i + 1; j < (size_t)(begin < end ? end : begin); j++) matrix[j * nv + i] = matrix[i * nv + j];
}

SRS_KERNEL static void rows_in(const srs_workspace *w, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const row_block f = row_block_at(w->rows, w->v_stride);         // of the forces of unit rates
  if (w->n_tips > 1) memset(matrix, 0, nv * nv * sizeof *matrix); // entries between branches stay zero
  for (int k = m->n_links - 1; k >= 0;) {
    if (turns_only(m, k)) {
      const int n = run_length(m, k);
      rows_of_run(w, &f, k, n, matrix);
      k -= n;
    } else {
      link_rows(w, &f, k--, matrix);
    }
  }
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
  const size_t nv = (size_t)w->model->nv;
  double even = 0, odd = 0; // sums of zeros, or NaN; nothing in a row is larger than the diagonals
  for (size_t i = 0; i + 1 < nv; i += 2)
    even += 0 * mass_matrix[i * (nv + 1)], odd += 0 * mass_matrix[(i + 1) * (nv + 1)];
  if (nv % 2 == 1) even += 0 * mass_matrix[nv * nv - 1];
  if (even + odd == 0) return SRS_OK;
  for (size_t i = 0; i < nv; i++) w->scratch_v[i] = mass_matrix[i * (nv + 1)];
  return srs_check_coordinates(w, "the inertia", w->scratch_v);
}
