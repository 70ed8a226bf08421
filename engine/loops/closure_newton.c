// Newton's method on the closures: the configuration that closes given rows, within limits and with frozen coordinates.
//
// Levenberg-Marquardt on the configuration manifold (MJ sec. 5.1): with the gaps r and rows J of the coordinates that
// may move,
//
//   d = -J^T (J J^T + mu 1)^-1 r,   q <- integrate(q, d)
//
// the shortest d for its decrease. mu is relative to the largest diagonal entry of J J^T. It falls by 20 where the gain
// (actual / predicted decrease of |r|^2) is above 0.8, and rises by 20 below 0.3. At mu = 0, rows that depend on others
// are left out (semidefinite.c). A coordinate that d would take beyond a limit stops at the limit; its effect on the
// gaps is taken into account and the other coordinates are computed again (an active set).

#include "engine/loops/closure_newton.h"
#include "contact/algebra/semidefinite.h"
#include "engine/dynamics/block.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/recursion.h"
#include "topology/model/configuration.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SLOW = 6 };

static const double dependent = 1e-13; // share of the largest pivot below which a row depends on others; of squares

static size_t lay_out(srs_closure_newton *f, char *base)
{
  const srs_model *m = f->w->model;
  const size_t n = (size_t)f->room, nv = (size_t)m->nv, nq = (size_t)m->nq;
  const size_t stride = (size_t)srs_dense_stride(f->room);
  size_t used = 0;
  f->rows = srs_block_take(base, &used, n, sizeof *f->rows);
  f->trial = srs_block_take(base, &used, n, sizeof *f->trial);
  f->J = srs_block_take(base, &used, n * nv, sizeof *f->J);
  f->K = srs_block_take(base, &used, n * stride, sizeof *f->K);
  f->r = srs_block_take(base, &used, n, sizeof *f->r);
  f->x = srs_block_take(base, &used, stride, sizeof *f->x);
  f->work = srs_block_take(base, &used, n, sizeof *f->work);
  f->step = srs_block_take(base, &used, nv, sizeof *f->step);
  f->lower = srs_block_take(base, &used, nv, sizeof *f->lower);
  f->upper = srs_block_take(base, &used, nv, sizeof *f->upper);
  f->q_trial = srs_block_take(base, &used, nq, sizeof *f->q_trial);
  f->order = srs_block_take(base, &used, n, sizeof *f->order);
  f->q_of_v = srs_block_take(base, &used, nv, sizeof *f->q_of_v);
  f->is_fixed = srs_block_take(base, &used, nv, sizeof *f->is_fixed);
  return used;
}

srs_status srs_closure_newton_create(srs_workspace *w, int n_rows, srs_closure_newton **fit)
{
  *fit = NULL;
  const srs_model *m = w->model;
  srs_closure_newton *f = calloc(1, sizeof *f);
  if (f != NULL) {
    f->w = w;
    f->room = n_rows;
    const size_t size = lay_out(f, NULL);
    f->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size + SRS_BLOCK_ALIGNMENT);
    if (f->memory != NULL) memset(f->memory, 0, size);
  }
  if (f == NULL || f->memory == NULL || !srs_dense_warm_up(n_rows)) {
    srs_closure_newton_destroy(f);
    return srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory to solve for %d rows", n_rows);
  }
  lay_out(f, f->memory);
  for (int k = 0; k < m->n_links; k++) {
    const int quaternion = srs_joint_kind_quaternion((srs_joint_kind)m->kind[k]);
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
      const int entry = i - m->v_index[k];
      f->q_of_v[i] = quaternion < 0 || entry < quaternion ? m->q_index[k] + entry : -1;
      f->lower[i] = -INFINITY;
      f->upper[i] = INFINITY;
    }
  }
  *fit = f;
  return SRS_OK;
}

void srs_closure_newton_destroy(srs_closure_newton *fit)
{
  if (fit == NULL) return;
  free(fit->memory);
  free(fit);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows as a matrix
// ---------------------------------------------------------------------------------------------------------------------

void srs_add_row_line(const srs_workspace *w, const srs_step_row *row, double *line)
{
  const srs_model *m = w->model;
  for (int side = 0; side < row->n_sides; side++) {
    if (row->is_coordinate[side]) {
      line[row->coordinate[side]] += row->coefficient[side];
      continue;
    }
    v6 force = row->wrench[side];
    for (int k = row->link[side]; k >= 0; k = m->parent[k]) {
      for (int j = m->v_index[k]; j < m->v_index[k + 1]; j++) line[j] += v6_dot(joint_column(w, k, j), force);
      force = carry_force(force, w->place[k].arm);
    }
  }
}

void srs_fill_jacobian(const srs_workspace *w, const srs_closure_row *rows, int n, double *J)
{
  const size_t nv = (size_t)w->model->nv;
  memset(J, 0, (size_t)n * nv * sizeof *J);
  for (int i = 0; i < n; i++) srs_add_row_line(w, &rows[i].row, J + (size_t)i * nv);
}

// Forms K = J J^T + mu 1 over the coordinates that are not fixed, scaled by its largest entry, and factors it. Returns
// that entry.
static double factor(srs_closure_newton *f, double damping)
{
  const size_t n = (size_t)f->n, nv = (size_t)f->w->model->nv, stride = (size_t)srs_dense_stride(f->n);
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t c = 0; c < nv; c++)
        if (!f->is_fixed[c]) sum += f->J[i * nv + c] * f->J[j * nv + c];
      f->K[i * stride + j] = f->K[j * stride + i] = sum;
      if (i == j && sum > largest) largest = sum;
    }
  const double scale = largest > 0 ? 1 / largest : 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < stride; j++) f->K[i * stride + j] = j < n ? scale * f->K[i * stride + j] : 0;
  for (size_t i = 0; i < n; i++) f->K[i * (stride + 1)] += largest > 0 ? damping : 0;
  f->rank = srs_semidefinite_factor(f->n, f->K, (int)stride, f->order, dependent, f->x);
  return scale;
}

// x <- K^-1 x, by the factor.
static void solve(srs_closure_newton *f)
{
  srs_semidefinite_solve(f->n, f->rank, f->K, srs_dense_stride(f->n), f->order, f->x, f->work);
}

static void fix_frozen(srs_closure_newton *f)
{
  for (int i = 0; i < f->w->model->nv; i++) f->is_fixed[i] = f->frozen != NULL && f->frozen[i];
}

// d = J^T x over the coordinates that are not fixed; the others keep their values.
static void transpose_times(const srs_closure_newton *f, const double *x, double *d)
{
  const size_t nv = (size_t)f->w->model->nv;
  for (size_t c = 0; c < nv; c++) {
    if (f->is_fixed[c]) continue;
    d[c] = 0;
    for (size_t i = 0; i < (size_t)f->n; i++) d[c] += f->J[i * nv + c] * x[i];
  }
}

// The shortest d with J d = x over the coordinates that are not fixed.
static void least_norm(srs_closure_newton *f, const double *x, double *d)
{
  const double scale = factor(f, 0);
  for (int i = 0; i < f->n; i++) f->x[i] = x[i] * scale;
  solve(f);
  for (int i = 0; i < f->w->model->nv; i++) d[i] = 0;
  transpose_times(f, f->x, d);
}

void srs_closure_newton_least_norm(srs_closure_newton *f, const double *x, double *d)
{
  fix_frozen(f);
  srs_fill_jacobian(f->w, f->rows, f->n, f->J);
  least_norm(f, x, d);
}

// Fixes the coordinates at a limit that -d would take further out. Returns whether there were any.
static bool fix_outward(srs_closure_newton *f, const double *q, const double *d)
{
  bool any = false;
  for (int c = 0; c < f->w->model->nv; c++) {
    if (f->is_fixed[c] || f->q_of_v[c] < 0) continue;
    const double at = q[f->q_of_v[c]];
    if (!((d[c] > 0 && at <= f->lower[c]) || (d[c] < 0 && at >= f->upper[c]))) continue;
    f->is_fixed[c] = any = true;
  }
  return any;
}

void srs_closure_newton_null_part(srs_closure_newton *f, const double *q, const double *d, double *part)
{
  const size_t nv = (size_t)f->w->model->nv;
  fix_frozen(f);
  srs_fill_jacobian(f->w, f->rows, f->n, f->J);
  do {
    for (size_t i = 0; i < (size_t)f->n; i++) {
      f->r[i] = 0;
      for (size_t c = 0; c < nv; c++)
        if (!f->is_fixed[c]) f->r[i] += f->J[i * nv + c] * d[c];
    }
    least_norm(f, f->r, part);
    for (size_t c = 0; c < nv; c++) part[c] = f->is_fixed[c] ? 0 : d[c] - part[c];
  } while (fix_outward(f, q, part));
}

// ---------------------------------------------------------------------------------------------------------------------
// Levenberg-Marquardt
// ---------------------------------------------------------------------------------------------------------------------

static double sum_of_squares(const srs_closure_row *rows, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += rows[i].gap * rows[i].gap;
  return sum;
}

// Fixes the first coordinate that the step takes beyond a limit, at that limit.
static bool fix_at_limit(srs_closure_newton *f, const double *q)
{
  const size_t nv = (size_t)f->w->model->nv;
  bool any = false;
  for (size_t c = 0; c < nv; c++) {
    if (f->is_fixed[c] || f->q_of_v[c] < 0) continue;
    const double from = q[f->q_of_v[c]], to = from + f->step[c];
    if (to >= f->lower[c] && to <= f->upper[c]) continue;
    f->step[c] = (to < f->lower[c] ? f->lower[c] : f->upper[c]) - from;
    f->is_fixed[c] = any = true;
    for (size_t i = 0; i < (size_t)f->n; i++) f->r[i] += f->J[i * nv + c] * f->step[c];
  }
  return any;
}

// Finds the step for a damping; returns the predicted decrease of |r|^2.
static double find_step(srs_closure_newton *f, const double *q, double damping)
{
  const size_t nv = (size_t)f->w->model->nv;
  fix_frozen(f);
  for (size_t c = 0; c < nv; c++) f->step[c] = 0;
  for (int i = 0; i < f->n; i++) f->r[i] = f->rows[i].gap;
  do {
    const double scale = factor(f, damping);
    for (int i = 0; i < f->n; i++) f->x[i] = -f->r[i] * scale;
    solve(f);
    transpose_times(f, f->x, f->step);
  } while (fix_at_limit(f, q));
  double before = 0, after = 0;
  for (size_t i = 0; i < (size_t)f->n; i++) {
    double r = f->rows[i].gap;
    before += r * r;
    for (size_t c = 0; c < nv; c++) r += f->J[i * nv + c] * f->step[c];
    after += r * r;
  }
  return before - after;
}

void srs_closure_newton_clamp(const srs_closure_newton *f, double *q)
{
  for (int c = 0; c < f->w->model->nv; c++)
    if (f->q_of_v[c] >= 0 && (f->frozen == NULL || !f->frozen[c]))
      q[f->q_of_v[c]] = fmin(fmax(q[f->q_of_v[c]], f->lower[c]), f->upper[c]);
}

bool srs_closure_newton_solve(srs_closure_newton *f, srs_closure_newton_evaluate *evaluate, void *context,
                              double tolerance, double *q, double *largest, int *iterations)
{
  const srs_model *m = f->w->model;
  const int most = *iterations;
  double damping = 1e-4;
  int n_slow = 0;
  f->n = evaluate(context, q, f->rows);
  *largest = srs_largest_gap(f->rows, f->n);
  bool is_new = true;
  for (*iterations = 0; *iterations < most && !(*largest <= tolerance) && n_slow < MOST_SLOW; ++*iterations) {
    if (is_new) srs_fill_jacobian(f->w, f->rows, f->n, f->J);
    const double before = sum_of_squares(f->rows, f->n), predicted = find_step(f, q, damping);
    srs_integrate(m, q, f->step, 1, f->q_trial);
    srs_closure_newton_clamp(f, f->q_trial);
    const int n = evaluate(context, f->q_trial, f->trial);
    const double after = sum_of_squares(f->trial, n), gain = (before - after) / predicted;
    is_new = predicted > 0 && after < before;
    if (gain > 0.8) damping /= 20;
    if (!(gain >= 0.3)) damping = fmax(20 * damping, 1e-12);
    if (damping < 1e-16) damping = 0;
    n_slow = is_new && after < 0.999 * before ? 0 : n_slow + 1;
    if (!is_new) continue;
    memcpy(q, f->q_trial, (size_t)m->nq * sizeof *q);
    srs_closure_row *swap = f->rows;
    f->rows = f->trial;
    f->trial = swap;
    f->n = n;
    *largest = srs_largest_gap(f->rows, f->n);
  }
  f->n = evaluate(context, q, f->rows); // leaves the workspace at q, too
  return *largest <= tolerance;
}
