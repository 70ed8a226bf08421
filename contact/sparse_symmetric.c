// How are large symmetric positive systems solved of which little is not zero?
//
// A = U^T D^-1 U in AMD's order, U with D on its diagonal blocks; place after place, with the places l before it that
// reach it:
//
//   U_kj = A_kj - sum_l (D_l^-1 U_lk)^T U_lj      j = k and the places of k's panel
//
// then y_k = b_k - sum_l U_lk^T D_l^-1 y_l from the first to the last, x_k = D_k^-1 (y_k - sum_j U_kj x_j) back. Only
// the upper half is ever formed. Blocks within D are inverted without exchanges, which no scaling of rows disturbs: the
// matrices of interior points have diagonals from 1e-16 to 1e16.
#include "contact/sparse_symmetric.h"

#include <math.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };

static const double least_pivot = 1e-15; // over what the diagonal was

size_t srs_symmetric_integers(int n_nodes, size_t n_fill) { return 4 * ((size_t)n_nodes + 1) + 2 * n_fill; }

size_t srs_symmetric_doubles(int n_rows, int n_nodes, size_t room)
{
  return room + SQUARE * (size_t)n_nodes + (MOST + 1) * ((size_t)n_rows + 4);
}

void srs_symmetric_lay_out(srs_symmetric *s, int n_rows, int n_nodes, size_t room, int *integers, size_t *sizes,
                           double *doubles)
{
  const size_t rows = (size_t)n_rows + 4;
  const size_t nodes = (size_t)n_nodes + 1;
  *s = (srs_symmetric){.room = room, .begin = sizes, .next = integers, .column = integers + nodes};
  s->wide = integers + 2 * nodes;
  s->run_begin = integers + 3 * nodes;
  s->run = (srs_run *)(integers + 4 * nodes);
  s->own = doubles;
  s->work = s->own + SQUARE * (size_t)n_nodes;
  s->y = s->work + MOST * rows;
  s->U = s->y + rows;
}

// By Gauss and Jordan; scale: what the diagonal was before all elimination.
void srs_symmetric_invert(int n, const double *scale, double *A)
{
  for (int k = 0; k < n; k++) {
    const double pivot = A[k * MOST + k];
    const bool is_lost = !(pivot > least_pivot * scale[k]);
    const double inverse = is_lost ? 0 : 1 / pivot;
    for (int j = 0; j < n; j++)
      if (j != k) A[k * MOST + j] *= inverse;
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      const double f = A[i * MOST + k];
      for (int j = 0; j < n; j++)
        if (j != k) A[i * MOST + j] -= f * A[k * MOST + j];
      A[i * MOST + k] = -f * inverse;
    }
    A[k * MOST + k] = inverse;
  }
}

// Columns of a place's panel that stand side by side are one run.
static void find_runs(srs_symmetric *s)
{
  const srs_sparse *p = s->pattern;
  int count = 0;
  for (int k = 0; k < p->n_nodes; k++) {
    s->run_begin[k] = count;
    s->wide[k] = 0;
    for (int i = p->panel_start[k]; i < p->panel_start[k + 1]; i++) {
      const int at = p->offset[p->panel[i]], size = srs_sparse_size(p, p->panel[i]);
      if (size == 0) continue; // nodes may be empty
      if (count > s->run_begin[k] && s->run[count - 1].to == at)
        s->run[count - 1].to += size;
      else
        s->run[count++] = (srs_run){at, at + size};
      s->wide[k] += size;
    }
  }
  s->run_begin[p->n_nodes] = count;
}

// to <- to - F^T U for n columns: l rows of U, `step` apart, and as many of F; `rows` rows of `to`.
SRS_CONTACT_INLINE void subtract(int rows, int l, int n, const double *F, const double *U, size_t step, double *to,
                                 size_t to_step)
{
  for (int a = 0; a < rows; a++) {
    double *restrict sum = to + (size_t)a * to_step;
    const double *restrict u0 = U, *restrict u1 = U + step, *restrict u2 = U + 2 * step, *restrict u3 = U + 3 * step;
    const double f0 = F[a], f1 = l > 1 ? F[MOST + a] : 0, f2 = l > 2 ? F[2 * MOST + a] : 0,
                 f3 = l > 3 ? F[3 * MOST + a] : 0;
    if (l == 1)
      for (int j = 0; j < n; j++) sum[j] -= f0 * u0[j];
    else if (l == 2)
      for (int j = 0; j < n; j++) sum[j] -= f0 * u0[j] + f1 * u1[j];
    else if (l == 3)
      for (int j = 0; j < n; j++) sum[j] -= f0 * u0[j] + f1 * u1[j] + f2 * u2[j];
    else
      for (int j = 0; j < n; j++) sum[j] -= f0 * u0[j] + f1 * u1[j] + f2 * u2[j] + f3 * u3[j];
  }
}

// Two columns of U at a time share what is loaded: two rows of both, the usual planar contact.
SRS_CONTACT_INLINE void subtract_two(int n, const double *F, const double *U, size_t step, double *to, size_t to_step)
{
  double *restrict first = to, *restrict second = to + to_step;
  const double *restrict u0 = U, *restrict u1 = U + step;
  const double f00 = F[0], f01 = F[1], f10 = F[MOST], f11 = F[MOST + 1];
  for (int j = 0; j < n; j++) {
    first[j] -= f00 * u0[j] + f10 * u1[j];
    second[j] -= f01 * u0[j] + f11 * u1[j];
  }
}

// What place l, which reaches k, takes from the rows of k in work.
SRS_CONTACT_INLINE void reduce(srs_symmetric *s, int k, int rows, int l, size_t step)
{
  const srs_sparse *p = s->pattern;
  const int own = srs_sparse_size(p, l), begin = p->offset[k];
  const size_t wide = (size_t)s->wide[l];
  const double *U = s->U + s->begin[l] + s->column[l], *inverse = s->own + (size_t)SQUARE * (size_t)l;
  double F[SQUARE];
  for (int i = 0; i < own; i++)
    for (int a = 0; a < rows; a++) {
      double sum = 0;
      for (int j = 0; j < own; j++) sum += inverse[i * MOST + j] * U[(size_t)j * wide + (size_t)a];
      F[i * MOST + a] = sum;
    }
  int from = begin; // the first run has been used up to here
  for (int r = s->next[l]; r < s->run_begin[l + 1]; r++) {
    const int n = s->run[r].to - from;
    if (rows == 2 && own == 2)
      subtract_two(n, F, U, wide, s->work + from, step);
    else
      subtract(rows, own, n, F, U, wide, s->work + from, step);
    U += n;
    from = r + 1 < s->run_begin[l + 1] ? s->run[r + 1].from : 0;
  }
  s->column[l] += rows;
  if (s->run[s->next[l]].to == begin + rows) s->next[l]++;
}

SRS_CONTACT_KERNEL
static void reduce_all(srs_symmetric *s, int k, size_t step)
{
  const srs_sparse *p = s->pattern;
  const int rows = srs_sparse_size(p, k);
  for (int i = p->row_start[k]; i < p->row_start[k + 1] && rows > 0; i++)
    if (srs_sparse_size(p, p->row[i]) == 0)
      continue;
    else if (rows == 2)
      reduce(s, k, 2, p->row[i], step);
    else if (rows == 3)
      reduce(s, k, 3, p->row[i], step);
    else
      reduce(s, k, rows, p->row[i], step);
}

// The rows of place k, as they were, put into work.
static void load(srs_symmetric *s, int k, size_t step, srs_symmetric_block *block, const void *data, double *scale)
{
  const srs_sparse *p = s->pattern;
  const int node = p->order[k], rows = srs_sparse_size(p, k);
  for (int a = 0; a < rows; a++) {
    double *row = s->work + (size_t)a * step;
    memset(row + p->offset[k], 0, sizeof *row * (size_t)rows);
    for (int r = s->run_begin[k]; r < s->run_begin[k + 1]; r++)
      memset(row + s->run[r].from, 0, sizeof *row * (size_t)(s->run[r].to - s->run[r].from));
  }
  for (int i = p->start[node]; i < p->start[node + 1]; i++) {
    const int place = p->place[p->column[i]], columns = srs_sparse_size(p, place);
    double B[SQUARE];
    if (place < k) continue;
    block(data, node, i, B);
    double *to = s->work + p->offset[place];
    for (int a = 0; a < rows; a++)
      for (int j = 0; j < columns; j++) to[(size_t)a * step + (size_t)j] = B[a * MOST + j];
    for (int a = 0; place == k && a < rows; a++) scale[a] = B[a * (MOST + 1)];
  }
}

bool srs_symmetric_factor(srs_symmetric *s, srs_symmetric_block *block, const void *data)
{
  const srs_sparse *p = s->pattern;
  const size_t step = (size_t)p->n + 4;
  size_t used = 0;
  find_runs(s);
  for (int k = 0; k < p->n_nodes; k++) {
    const int rows = srs_sparse_size(p, k);
    const size_t wide = (size_t)s->wide[k];
    double scale[MOST] = {0}, *own = s->own + (size_t)SQUARE * (size_t)k;
    if (used + (size_t)rows * wide > s->room) return false;
    load(s, k, step, block, data, scale);
    reduce_all(s, k, step);
    for (int a = 0; a < rows; a++) {
      const double *row = s->work + (size_t)a * step;
      double *to = s->U + used + (size_t)a * wide;
      for (int j = 0; j < rows; j++) own[a * MOST + j] = row[p->offset[k] + j];
      for (int r = s->run_begin[k]; r < s->run_begin[k + 1]; r++) {
        const int n = s->run[r].to - s->run[r].from;
        memcpy(to, row + s->run[r].from, sizeof *to * (size_t)n);
        to += n;
      }
    }
    srs_symmetric_invert(rows, scale, own);
    s->begin[k] = used, s->next[k] = s->run_begin[k], s->column[k] = 0;
    used += (size_t)rows * wide;
  }
  return true;
}

// y <- D_k^-1 y.
static void divide(const srs_symmetric *s, int k, int rows, double *y)
{
  const double *inverse = s->own + (size_t)SQUARE * (size_t)k;
  double x[MOST] = {0};
  for (int a = 0; a < rows; a++)
    for (int j = 0; j < rows; j++) x[a] += inverse[a * MOST + j] * y[j];
  for (int a = 0; a < rows; a++) y[a] = x[a];
}

SRS_CONTACT_KERNEL
static void eliminate(const srs_symmetric *s, double *y)
{
  const srs_sparse *p = s->pattern;
  for (int k = 0; k < p->n_nodes; k++) {
    const int rows = srs_sparse_size(p, k);
    double *own = y + p->offset[k];
    divide(s, k, rows, own);
    for (int a = 0; a < rows; a++) {
      const double *U = s->U + s->begin[k] + (size_t)a * (size_t)s->wide[k], f = own[a];
      for (int r = s->run_begin[k]; r < s->run_begin[k + 1]; r++)
        for (int j = s->run[r].from; j < s->run[r].to; j++) y[j] -= f * *U++;
    }
  }
}

SRS_CONTACT_KERNEL
static void substitute(const srs_symmetric *s, double *y)
{
  const srs_sparse *p = s->pattern;
  for (int k = p->n_nodes - 1; k >= 0; k--) {
    const int rows = srs_sparse_size(p, k);
    double *own = y + p->offset[k], sum[MOST] = {0};
    for (int a = 0; a < rows; a++) {
      const double *U = s->U + s->begin[k] + (size_t)a * (size_t)s->wide[k];
      for (int r = s->run_begin[k]; r < s->run_begin[k + 1]; r++) {
        const int n = s->run[r].to - s->run[r].from;
        sum[a] += srs_dot(n, U, y + s->run[r].from);
        U += n;
      }
    }
    divide(s, k, rows, sum);
    for (int a = 0; a < rows; a++) own[a] -= sum[a];
  }
}

void srs_symmetric_solve(const srs_symmetric *s, double *x)
{
  const srs_sparse *p = s->pattern;
  double *y = s->y;
  for (int k = 0; k < p->n_nodes; k++)
    for (int a = 0; a < srs_sparse_size(p, k); a++) y[p->offset[k] + a] = x[p->first[p->order[k]] + a];
  eliminate(s, y);
  substitute(s, y);
  for (int k = 0; k < p->n_nodes; k++)
    for (int a = 0; a < srs_sparse_size(p, k); a++) x[p->first[p->order[k]] + a] = y[p->offset[k] + a];
}
