// How is a system with a tree's mass matrix solved for many right-hand sides, without the matrix?
//
// The articulated-body algorithm (forward_dynamics.c) at rest is M x = b in O(n). Its pivots U, D and G = -U'/D (of
// hinges, at the parent's origin) do not depend on b. For a column b, with F and A moved by the arms as there:
//
//   in    u = b + s . F,   F += u G  (hinges, moved first)  or  F -= U u / D
//   out   x = u / D + G . A  (A the parent's)  or  (u - U . A) / D,   A += s x
//
// Eight columns go at a time, so that a block of them stays in the registers along a path. A column's right-hand side
// is zero but on the way to the root and beyond its coordinate, so other branches take no inward pass. M^-1 is
// symmetric: its columns are found down to the diagonal alone, and go in from there.

#include "engine/derivatives/articulated_solve.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

enum { WIDE = SRS_SOLVE_COLUMNS, NO_BRANCH = 0, ON_THE_WAY = 1, FROM_HERE_OUT = 2 };

// A number of each of eight columns.
typedef struct wide {
  lanes a, b;
} wide;

// A force or motion of each.
typedef struct wide6 {
  wide ax, ay, az, lx, ly, lz;
} wide6;

SRS_INLINE wide wide_load(const double *p) { return (wide){lanes_load(p), lanes_load(p + LANES)}; }
SRS_INLINE void wide_store(double *p, wide x) { lanes_store(p, x.a), lanes_store(p + LANES, x.b); }
SRS_INLINE wide wide_times(double s, wide x) { return (wide){s * x.a, s * x.b}; }
SRS_INLINE wide plus(wide x, double s, wide y) { return (wide){x.a + s * y.a, x.b + s * y.b}; }
SRS_INLINE wide minus(wide x, double s, wide y) { return (wide){x.a - s * y.a, x.b - s * y.b}; }
SRS_INLINE wide wide_add(wide x, wide y) { return (wide){x.a + y.a, x.b + y.b}; }

static const wide6 wide6_zero = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}, {{0}, {0}}, {{0}, {0}}, {{0}, {0}}};

SRS_INLINE void wide6_store(double *p, wide6 x)
{
  const size_t n = WIDE;
  wide_store(p, x.ax), wide_store(p + n, x.ay), wide_store(p + 2 * n, x.az);
  wide_store(p + 3 * n, x.lx), wide_store(p + 4 * n, x.ly), wide_store(p + 5 * n, x.lz);
}

SRS_INLINE wide6 wide6_load(const double *p)
{
  const size_t n = WIDE;
  return (wide6){wide_load(p),         wide_load(p + n),     wide_load(p + 2 * n),
                 wide_load(p + 3 * n), wide_load(p + 4 * n), wide_load(p + 5 * n)};
}

SRS_INLINE wide6 wide6_add(wide6 x, wide6 y)
{
  return (wide6){wide_add(x.ax, y.ax), wide_add(x.ay, y.ay), wide_add(x.az, y.az),
                 wide_add(x.lx, y.lx), wide_add(x.ly, y.ly), wide_add(x.lz, y.lz)};
}

// x + s v
SRS_INLINE wide6 plus_along(wide6 x, const v6 *v, wide s)
{
  return (wide6){plus(x.ax, v->ang[0], s), plus(x.ay, v->ang[1], s), plus(x.az, v->ang[2], s),
                 plus(x.lx, v->lin[0], s), plus(x.ly, v->lin[1], s), plus(x.lz, v->lin[2], s)};
}

SRS_INLINE wide dot_ang(const v3 *v, wide6 x)
{
  return plus(plus(wide_times((*v)[0], x.ax), (*v)[1], x.ay), (*v)[2], x.az);
}

SRS_INLINE wide dot_all(const v6 *v, wide6 x)
{
  return wide_add(dot_ang(&v->ang, x), plus(plus(wide_times(v->lin[0], x.lx), v->lin[1], x.ly), v->lin[2], x.lz));
}

// Forces moved to the parent's origin.
SRS_INLINE wide6 forces_carried(wide6 f, const v3 *arm)
{
  const double x = (*arm)[0], y = (*arm)[1], z = (*arm)[2];
  f.ax = minus(plus(f.ax, y, f.lz), z, f.ly);
  f.ay = minus(plus(f.ay, z, f.lx), x, f.lz);
  f.az = minus(plus(f.az, x, f.ly), y, f.lx);
  return f;
}

// Motions moved from the parent's origin.
SRS_INLINE wide6 motions_carried(wide6 m, const v3 *arm)
{
  const double x = (*arm)[0], y = (*arm)[1], z = (*arm)[2];
  m.lx = minus(plus(m.lx, z, m.ay), y, m.az);
  m.ly = minus(plus(m.ly, x, m.az), z, m.ax);
  m.lz = minus(plus(m.lz, y, m.ax), x, m.ay);
  return m;
}

// The right-hand side of row i: of M^-1 the unit columns from `first` on.
SRS_INLINE wide right_side(const double *row, int i, int first, bool inverts)
{
  if (!inverts) {
    const wide b = wide_load(row);
    return (wide){-b.a, -b.b};
  }
  const lanes place = {0, 1, 2, 3}, here = (double)(i - first) - place;
  const lanes one = {1, 1, 1, 1}, none = {0, 0, 0, 0};
  return (wide){lanes_choose(here == 0, one, none), lanes_choose(here == 4, one, none)};
}

// Link k on the way in.
SRS_INLINE wide6 link_in(const srs_workspace *w, int k, wide6 F, double *B, size_t stride, int first, bool inverts)
{
  const srs_model *m = w->model;
  const v3 *arm = &w->place[k].arm;
  const int begin = m->v_index[k];
  if (turns_only(m, k)) {
    double *row = B + (size_t)begin * stride;
    const pivot *at = &w->pivots[begin];
    const wide u = wide_add(dot_ang(&w->place[k].axes.z, F), right_side(row, begin, first, inverts));
    wide_store(row, u);
    return plus_along(forces_carried(F, arm), &at->G, u);
  }
  for (int i = m->v_index[k + 1] - 1; i >= begin; i--) {
    double *row = B + (size_t)i * stride;
    const pivot *at = &w->pivots[i];
    const v6 s = joint_column(w, k, i);
    const wide u = wide_add(dot_all(&s, F), right_side(row, i, first, inverts));
    wide_store(row, u);
    F = plus_along(F, &at->U, wide_times(-at->D_inverse, u));
  }
  return forces_carried(F, arm);
}

SRS_INLINE void columns_in(const srs_workspace *w, double *B, size_t stride, int first, int end, bool inverts)
{
  const srs_model *m = w->model;
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t room = 6 * (size_t)WIDE;
  for (int k = 0; k < end; k++)
    if (d->forks[k]) wide6_store(d->at_forks + (size_t)k * room, wide6_zero);
  wide6 F = wide6_zero;
  for (int k = end - 1; k >= 0; k--) {
    const int p = m->parent[k];
    if (d->active[k] == NO_BRANCH) {
      F = wide6_zero;
      for (int i = m->v_index[k]; inverts && i < m->v_index[k + 1]; i++) wide_store(B + (size_t)i * stride, F.ax);
      continue;
    }
    if (m->subtree_end[k] == k + 1) F = wide6_zero;
    if (d->forks[k]) F = wide6_add(F, wide6_load(d->at_forks + (size_t)k * room));
    F = link_in(w, k, F, B, stride, first, inverts);
    if (p < 0 || p == k - 1) continue;
    double *to = d->at_forks + (size_t)p * room;
    wide6_store(to, wide6_add(wide6_load(to), F));
  }
}

// Link k on the way out.
SRS_INLINE wide6 link_out(const srs_workspace *w, int k, wide6 A, double *B, size_t stride, wide *bad)
{
  const srs_model *m = w->model;
  const v3 *arm = &w->place[k].arm, *z = &w->place[k].axes.z;
  const int begin = m->v_index[k];
  if (turns_only(m, k)) {
    double *row = B + (size_t)begin * stride;
    const pivot *at = &w->pivots[begin];
    const wide x = plus(dot_all(&at->G, A), at->D_inverse, wide_load(row));
    wide_store(row, x);
    *bad = plus(*bad, 0, x);
    A = motions_carried(A, arm);
    A.ax = plus(A.ax, (*z)[0], x), A.ay = plus(A.ay, (*z)[1], x), A.az = plus(A.az, (*z)[2], x);
    return A;
  }
  A = motions_carried(A, arm);
  for (int i = begin; i < m->v_index[k + 1]; i++) {
    double *row = B + (size_t)i * stride;
    const pivot *at = &w->pivots[i];
    const v6 s = joint_column(w, k, i);
    const wide x = wide_times(at->D_inverse, minus(wide_load(row), 1, dot_all(&at->U, A)));
    wide_store(row, x);
    *bad = plus(*bad, 0, x);
    A = plus_along(A, &s, x);
  }
  return A;
}

SRS_INLINE bool columns_out(const srs_workspace *w, double *B, size_t stride, int end)
{
  const srs_model *m = w->model;
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t room = 6 * (size_t)WIDE;
  wide bad = wide6_zero.ax;
  wide6 A = wide6_zero;
  for (int k = 0; k < end; k++) {
    const int p = m->parent[k];
    if (p < 0) A = wide6_zero;
    if (p >= 0 && p != k - 1) A = wide6_load(d->at_forks + (size_t)p * room);
    A = link_out(w, k, A, B, stride, &bad);
    if (d->forks[k]) wide6_store(d->at_forks + (size_t)k * room, A);
  }
  const lanes sum = bad.a + bad.b;
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

SRS_KERNEL static bool solve_block(const srs_workspace *w, double *B, size_t stride)
{
  columns_in(w, B, stride, 0, w->model->n_links, false);
  return columns_out(w, B, stride, w->model->n_links);
}

// Columns first … first + 7 of M^-1, down to the link `end` - 1.
SRS_KERNEL static bool invert_block(const srs_workspace *w, double *B, size_t stride, int first, int end)
{
  columns_in(w, B, stride, first, end, true);
  return columns_out(w, B, stride, end);
}

// Which links may bear forces of the columns first … end - 1.
static void mark_branches(srs_workspace *w, int first, int end)
{
  const srs_model *m = w->model;
  unsigned char *active = w->derivatives->active;
  const int begin = m->link_of_v[first], last = m->link_of_v[end - 1];
  for (int k = 0; k < m->n_links; k++) {
    const bool is_beyond = m->parent[k] >= 0 && active[m->parent[k]] == FROM_HERE_OUT;
    const bool carries = k < begin && m->subtree_end[k] > begin;
    active[k] = is_beyond || (k >= begin && k <= last) ? FROM_HERE_OUT : carries ? ON_THE_WAY : NO_BRANCH;
  }
}

// n columns of nv rows from one matrix to another.
static void copy_columns(const double *from, size_t from_stride, double *to, size_t to_stride, size_t n, int nv)
{
  for (size_t i = 0; i < (size_t)nv; i++)
    for (size_t c = 0; c < n; c++) to[i * to_stride + c] = from[i * from_stride + c];
}

// The last n < 8 columns of all, beside each other. Those of M^-1 join them where one block has room for all.
static bool solve_last(srs_workspace *w, double *dq, double *dv, double *inverse, size_t n)
{
  const int nv = w->model->nv;
  const size_t stride = SRS_LAST_COLUMNS, width = (size_t)nv, first = width - n;
  const bool joins = inverse != NULL && 3 * n <= WIDE;
  const size_t blocks_end = 2 * n > WIDE ? stride : WIDE; // what is left over stays zero
  double *last = w->derivatives->last;
  copy_columns(dq + first, width, last, stride, n, nv);
  copy_columns(dv + first, width, last + n, stride, n, nv);
  for (size_t i = 0; i < width; i++)
    for (size_t c = 2 * n; c < blocks_end; c++)
      last[i * stride + c] = joins && i + 2 * n == first + c && c < 3 * n ? -1 : 0;
  bool is_finite = solve_block(w, last, stride);
  if (2 * n > WIDE) is_finite = solve_block(w, last + WIDE, stride) && is_finite;
  copy_columns(last, stride, dq + first, width, n, nv);
  copy_columns(last + n, stride, dv + first, width, n, nv);
  if (inverse == NULL) return is_finite;
  if (!joins) {
    is_finite = invert_block(w, last, stride, (int)first, w->model->link_of_v[nv - 1] + 1) && is_finite;
    copy_columns(last, stride, inverse + first, width, n, nv);
    return is_finite;
  }
  copy_columns(last + 2 * n, stride, inverse + first, width, n, nv);
  return is_finite;
}

SRS_KERNEL static void mirror(double *matrix, size_t n) { mirror_rows(matrix, n, 0, n); }

bool srs_articulated_solve(srs_workspace *w, double *dq, double *dv, double *inverse)
{
  const int nv = w->model->nv;
  const size_t n = (size_t)nv;
  bool is_finite = true;
  int first = 0;
  for (; first + WIDE <= nv; first += WIDE) {
    mark_branches(w, first, first + WIDE);
    is_finite = solve_block(w, dq + first, n) && is_finite;
    is_finite = solve_block(w, dv + first, n) && is_finite;
    if (inverse == NULL) continue;
    const int end = w->model->link_of_v[first + WIDE - 1] + 1;
    is_finite = invert_block(w, inverse + first, n, first, end) && is_finite;
  }
  if (first < nv) {
    mark_branches(w, first, nv);
    is_finite = solve_last(w, dq, dv, inverse, (size_t)(nv - first)) && is_finite;
  }
  if (inverse != NULL) mirror(inverse, n);
  return is_finite;
}
