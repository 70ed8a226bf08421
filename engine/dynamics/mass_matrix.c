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
#include "engine/dynamics/workspace.h"

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

// Forces of unit motions in six rows: torque x y z, force x y z; one column per coordinate.
typedef struct force_rows {
  double *nx, *ny, *nz, *fx, *fy, *fz;
} force_rows;

// Moves the forces of coordinates from … end - 1 to the parent's origin.
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

// The forces of four columns.
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

// Stores the force I_c s of a unit rate in its column.
SRS_INLINE void store_force(force_rows f, int i, v6 force)
{
  f.nx[i] = force.ang[0], f.ny[i] = force.ang[1], f.nz[i] = force.ang[2];
  f.fx[i] = force.lin[0], f.fy[i] = force.lin[1], f.fz[i] = force.lin[2];
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
} joint_run;

SRS_INLINE int run_length(const srs_model *m, int k)
{
  int n = 1;
  while (n < RUN && m->parent[k - n + 1] == k - n && m->parent[k - n + 1] >= 0 &&
         m->subtree_end[k - n] == m->subtree_end[k] && turns_only(m, k - n))
    n++;
  return n;
}

SRS_INLINE void run_over(force_rows f, int begin, int end, const joint_run *run, int n)
{
  int j = begin;
  for (; j + LANES <= end; j += LANES) {
    force_lanes c = lanes_of(f, j);
    for (int i = 0; i < n; i++) {
      const run_row *r = &run->rows[i];
      lanes entries = r->zx * c.nx + r->zy * c.ny + r->zz * c.nz;
      if (i > 0) entries = entries + r->dx * c.fx + r->dy * c.fy + r->dz * c.fz;
      lanes_store(r->row + j, entries);
    }
    lanes_store(f.nx + j, c.nx + run->y * c.fz - run->z * c.fy);
    lanes_store(f.ny + j, c.ny + run->z * c.fx - run->x * c.fz);
    lanes_store(f.nz + j, c.nz + run->x * c.fy - run->y * c.fx);
  }
  if (j >= end) return;
  force_lanes c = lanes_of(f, j);
  for (int i = 0; i < n; i++) {
    const run_row *r = &run->rows[i];
    lanes entries = r->zx * c.nx + r->zy * c.ny + r->zz * c.nz;
    if (i > 0) entries = entries + r->dx * c.fx + r->dy * c.fy + r->dz * c.fz;
    store_some(r->row + j, entries, end - j);
  }
  store_some(f.nx + j, c.nx + run->y * c.fz - run->z * c.fy, end - j);
  store_some(f.ny + j, c.ny + run->z * c.fx - run->x * c.fz, end - j);
  store_some(f.nz + j, c.nz + run->x * c.fy - run->y * c.fx, end - j);
}

// The run's own columns, which only the run's rows have: moved link by link through the run, then to the parent's
// origin.
SRS_KERNEL static void run_own_columns(const srs_workspace *w, const force_rows *f, int k, int n, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv, first = (size_t)m->v_index[k];
  for (int c = 0; c < n; c++) {
    const size_t column = first - (size_t)c;
    const body *b = &w->bodies[k - c];
    const v3 axis = w->place[k - c].axes.z;
    v6 force = {m3_times(b->inertia, axis), cross(axis, b->moment)}; // momentum at a unit rate of the joint
    for (int r = c; r < n; r++) {
      matrix[(first - (size_t)r) * nv + column] = dot(w->place[k - r].axes.z, force.ang);
      force.ang += cross(w->place[k - r].arm, force.lin);
    }
    matrix[column * nv + column] += m->armature[column];
    if (m->parent[k - n + 1] >= 0) store_force(*f, (int)column, force);
  }
}

// The run's rows in the columns of all that it carries.
SRS_KERNEL static void run_carried_columns(const srs_workspace *w, const force_rows *f, int k, int n, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const int own = m->v_index[k], end = m->v_index[m->subtree_end[k]];
  joint_run run;
  v3 d = v3_zero;
  for (int i = 0; i < n; i++) {
    const v3 z = w->place[k - i].axes.z, zd = cross(z, d);
    run.rows[i] = (run_row){spread_x(z),
                            spread_y(z),
                            spread_z(z),
                            spread_x(zd),
                            spread_y(zd),
                            spread_z(zd),
                            matrix + (size_t)(own - i) * nv};
    d += w->place[k - i].arm;
  }
  run.x = spread_x(d), run.y = spread_y(d), run.z = spread_z(d);
  // Start with the four lanes that hold the first column. Entries written left of it belong to the run itself, which
  // writes them later, or lie below the diagonal, which is mirrored later.
  const int begin = (own + 1) / LANES * LANES;
  switch (n) {
  case 1: run_over(*f, begin, end, &run, 1); break;
  case 2: run_over(*f, begin, end, &run, 2); break;
  case 3: run_over(*f, begin, end, &run, 3); break;
  default: run_over(*f, begin, end, &run, RUN); break;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole matrix
// ---------------------------------------------------------------------------------------------------------------------

// The link's own columns in its own rows, then moved to the parent's origin.
SRS_INLINE void own_columns(const srs_workspace *w, const force_rows *f, int k, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  if (m->kind[k] == SRS_JOINT_PRISMATIC) {
    const int i = m->v_index[k];
    const body *b = &w->bodies[k];
    const v3 z = w->place[k].axes.z;
    matrix[(size_t)i * (nv + 1)] = b->mass + m->armature[i];
    store_force(*f, i, (v6){cross(b->moment + b->mass * w->place[k].arm, z), b->mass * z});
    return;
  }
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    v6 force = body_momentum(&w->bodies[k], joint_column(w, k, i));
    for (int r = m->v_index[k]; r <= i; r++) matrix[(size_t)r * nv + (size_t)i] = v6_dot(joint_column(w, k, r), force);
    matrix[(size_t)i * nv + (size_t)i] += m->armature[i];
    force.ang += cross(w->place[k].arm, force.lin);
    store_force(*f, i, force);
  }
}

// All rows of link k, for any joint.
SRS_KERNEL static void link_rows(const srs_workspace *w, const force_rows *f, int k, double *matrix)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv;
  const int begin = m->v_index[k + 1], end = m->v_index[m->subtree_end[k]];
  for (int i = m->v_index[k]; i < begin && begin < end; i++) {
    double *row = matrix + (size_t)i * nv;
    const v6 s = joint_column(w, k, i);
    switch ((srs_joint_kind)m->kind[k]) {
    case SRS_JOINT_PRISMATIC: row_linear(*f, begin, end, s.lin, row); break;
    case SRS_JOINT_SPHERICAL:
    case SRS_JOINT_UNIVERSAL: row_angular(*f, begin, end, s.ang, row); break;
    default: row_both(*f, begin, end, s, row); break;
    }
  }
  if (begin < end && m->parent[k] >= 0) carry_rows(*f, begin, end, w->place[k].arm);
  own_columns(w, f, k, matrix);
}

enum { PANEL = 8 }; // doubles of a cache line

// Mirrors rows i … i + 7 into columns i … i + 7 as soon as they are complete and still in the cache, whole cache lines
// at once.
SRS_KERNEL static void mirror_panel(double *matrix, size_t nv, size_t i)
{
  const size_t end = i + PANEL < nv ? i + PANEL : nv;
  for (size_t b = i + 1; b < end; b++)
    for (size_t a = i; a < b; a++) matrix[b * nv + a] = matrix[a * nv + b];
  if (end < i + PANEL) return;
  size_t j = end;
  for (; j + LANES <= nv; j += LANES) {
    mirror_tile(matrix, nv, i, j);
    mirror_tile(matrix, nv, i + LANES, j);
  }
  for (; j < nv; j++)
    for (size_t a = i; a < end; a++) matrix[j * nv + a] = matrix[a * nv + j];
}

// Writes zeros right of the subtree, in rows begin … row_end - 1.
static void clear_right(double *matrix, size_t nv, size_t begin, size_t row_end, size_t end)
{
  for (size_t i = begin; i < row_end; i++) {
    double *row = matrix + i * nv;
    size_t j = end;
    for (; j + LANES <= nv; j += LANES) lanes_store(row + j, v3_zero);
    if (j < nv) store_some(row + j, v3_zero, (int)(nv - j));
  }
}

static void mirror_few(double *matrix, size_t nv)
{
  for (size_t j = 1; j < nv; j++)
    for (size_t i = 0; i < j; i++) matrix[j * nv + i] = matrix[i * nv + j];
}

static void rows_in(const srs_workspace *w, double *matrix)
{
  enum { FEW = 12 }; // up to so many coordinates tiles are not worth their cost
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv, stride = w->v_stride;
  double *rows = w->rows;
  const force_rows f = {
      rows, rows + stride, rows + 2 * stride, rows + 3 * stride, rows + 4 * stride, rows + 5 * stride};
  size_t mirrored = nv > FEW ? (nv + PANEL - 1) / PANEL * PANEL : 0; // rows from here on are mirrored
  for (int k = m->n_links - 1; k >= 0;) {
    const int last = k;
    if (turns_only(m, k)) {
      const int n = run_length(m, k);
      if (m->subtree_end[k] > k + 1) run_carried_columns(w, &f, k, n, matrix);
      run_own_columns(w, &f, k, n, matrix);
      k -= n;
    } else {
      link_rows(w, &f, k--, matrix);
    }
    const size_t begin = (size_t)m->v_index[k + 1], end = (size_t)m->v_index[m->subtree_end[last]];
    if (end < nv) clear_right(matrix, nv, begin, (size_t)m->v_index[last + 1], end);
    for (; mirrored >= begin + PANEL; mirrored -= PANEL) mirror_panel(matrix, nv, mirrored - PANEL);
  }
  if (nv <= FEW) mirror_few(matrix, nv);
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
  for (size_t i = 0; i < nv; i++) w->scratch_v[i] = mass_matrix[i * (nv + 1)]; // the largest of their rows
  return srs_check_coordinates(w, "the inertia", w->scratch_v);
}
