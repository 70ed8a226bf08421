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

size_t srs_symmetric_integers(int n_nodes) { return 2 * ((size_t)n_nodes + 1); }

size_t srs_symmetric_doubles(int n_rows, int n_nodes, size_t room)
{
  return room + SQUARE * (size_t)n_nodes + (2 * MOST + 1) * ((size_t)n_rows + 4);
}

void srs_symmetric_lay_out(srs_symmetric *s, int n_rows, int n_nodes, size_t room, int *integers, size_t *sizes,
                           double *doubles)
{
  const size_t rows = (size_t)n_rows + 4;
  *s = (srs_symmetric){.room = room, .begin = sizes, .next = integers, .column = integers + n_nodes + 1};
  s->own = doubles;
  s->work = s->own + SQUARE * (size_t)n_nodes;
  s->strip = s->work + MOST * rows;
  s->y = s->strip + MOST * rows;
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

// strip <- F^T U for `rows` columns of F: l rows, as many columns of U as are left.
SRS_CONTACT_INLINE void product(int rows, int l, int wide, const double *F, const double *U, size_t step, double *strip,
                                size_t strip_step)
{
  for (int a = 0; a < rows; a++) {
    double *restrict to = strip + (size_t)a * strip_step;
    const double *restrict u0 = U, *restrict u1 = U + step, *restrict u2 = U + 2 * step, *restrict u3 = U + 3 * step;
    const double f0 = F[a], f1 = l > 1 ? F[MOST + a] : 0, f2 = l > 2 ? F[2 * MOST + a] : 0,
                 f3 = l > 3 ? F[3 * MOST + a] : 0;
    if (l == 1)
      for (int j = 0; j < wide; j++) to[j] = f0 * u0[j];
    else if (l == 2)
      for (int j = 0; j < wide; j++) to[j] = f0 * u0[j] + f1 * u1[j];
    else if (l == 3)
      for (int j = 0; j < wide; j++) to[j] = f0 * u0[j] + f1 * u1[j] + f2 * u2[j];
    else
      for (int j = 0; j < wide; j++) to[j] = f0 * u0[j] + f1 * u1[j] + f2 * u2[j] + f3 * u3[j];
  }
}

static int width(const srs_sparse *p, int k)
{
  int wide = 0;
  for (int i = p->panel_start[k]; i < p->panel_start[k + 1]; i++) wide += srs_sparse_size(p, p->panel[i]);
  return wide;
}

// What place l, which reaches k, takes from the rows of k in work.
SRS_CONTACT_KERNEL
static void reduce(srs_symmetric *s, int k, int l, size_t step)
{
  const srs_sparse *p = s->pattern;
  const int rows = srs_sparse_size(p, k), own = srs_sparse_size(p, l), wide = width(p, l), done = s->column[l];
  const double *U = s->U + s->begin[l] + done, *inverse = s->own + (size_t)SQUARE * (size_t)l;
  double F[SQUARE];
  for (int i = 0; i < own; i++)
    for (int a = 0; a < rows; a++) {
      double sum = 0;
      for (int j = 0; j < own; j++) sum += inverse[i * MOST + j] * U[(size_t)j * (size_t)wide + (size_t)a];
      F[i * MOST + a] = sum;
    }
  product(rows, own, wide - done, F, U, (size_t)wide, s->strip, step);
  const double *from = s->strip;
  for (int i = s->next[l]; i < p->panel_start[l + 1]; i++) {
    const int columns = srs_sparse_size(p, p->panel[i]);
    double *to = s->work + p->offset[p->panel[i]];
    for (int a = 0; a < rows; a++)
      for (int j = 0; j < columns; j++) to[(size_t)a * step + (size_t)j] -= from[(size_t)a * step + (size_t)j];
    from += columns;
  }
  s->next[l]++, s->column[l] += rows;
}

// The rows of place k, as they were, put into work.
static void load(srs_symmetric *s, int k, size_t step, srs_symmetric_block *block, const void *data, double *scale)
{
  const srs_sparse *p = s->pattern;
  const int node = p->order[k], rows = srs_sparse_size(p, k);
  for (int a = 0; a < rows; a++) {
    memset(s->work + (size_t)a * step + p->offset[k], 0, sizeof *s->work * (size_t)rows);
    for (int i = p->panel_start[k]; i < p->panel_start[k + 1]; i++)
      memset(s->work + (size_t)a * step + p->offset[p->panel[i]], 0,
             sizeof *s->work * (size_t)srs_sparse_size(p, p->panel[i]));
  }
  for (int i = p->start[node]; i < p->start[node + 1]; i++) {
    const int other = p->column[i], place = p->place[other], columns = srs_sparse_size(p, place);
    double B[SQUARE];
    if (place < k) continue;
    block(data, node, i, B);
    double *to = s->work + p->offset[place];
    for (int a = 0; a < rows; a++) memcpy(to + (size_t)a * step, B + (size_t)a * MOST, sizeof *to * (size_t)columns);
    for (int a = 0; place == k && a < rows; a++) scale[a] = B[a * MOST + a];
  }
}

bool srs_symmetric_factor(srs_symmetric *s, srs_symmetric_block *block, const void *data)
{
  const srs_sparse *p = s->pattern;
  const size_t step = (size_t)p->n + 4;
  size_t used = 0;
  for (int k = 0; k < p->n_nodes; k++) {
    const int rows = srs_sparse_size(p, k), wide = width(p, k);
    double scale[MOST] = {0}, *own = s->own + (size_t)SQUARE * (size_t)k;
    if (used + (size_t)rows * (size_t)wide > s->room) return false;
    load(s, k, step, block, data, scale);
    for (int i = p->row_start[k]; i < p->row_start[k + 1]; i++) reduce(s, k, p->row[i], step);
    for (int a = 0; a < rows; a++) {
      const double *row = s->work + (size_t)a * step;
      double *to = s->U + used + (size_t)a * (size_t)wide;
      memcpy(own + (size_t)a * MOST, row + p->offset[k], sizeof *own * (size_t)rows);
      for (int i = p->panel_start[k]; i < p->panel_start[k + 1]; i++) {
        const int columns = srs_sparse_size(p, p->panel[i]);
        memcpy(to, row + p->offset[p->panel[i]], sizeof *to * (size_t)columns);
        to += columns;
      }
    }
    srs_symmetric_invert(rows, scale, own);
    s->begin[k] = used, s->next[k] = p->panel_start[k], s->column[k] = 0;
    used += (size_t)rows * (size_t)wide;
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
void srs_symmetric_solve(const srs_symmetric *s, double *x)
{
  const srs_sparse *p = s->pattern;
  double *y = s->y;
  for (int k = 0; k < p->n_nodes; k++)
    memcpy(y + p->offset[k], x + p->first[p->order[k]], sizeof *y * (size_t)srs_sparse_size(p, k));
  for (int k = 0; k < p->n_nodes; k++) {
    const int rows = srs_sparse_size(p, k), wide = width(p, k);
    double *own = y + p->offset[k];
    divide(s, k, rows, own);
    const double *U = s->U + s->begin[k];
    for (int i = p->panel_start[k]; i < p->panel_start[k + 1]; i++) {
      const int columns = srs_sparse_size(p, p->panel[i]);
      double *to = y + p->offset[p->panel[i]];
      for (int a = 0; a < rows; a++)
        for (int j = 0; j < columns; j++) to[j] -= own[a] * U[(size_t)a * (size_t)wide + (size_t)j];
      U += columns;
    }
  }
  for (int k = p->n_nodes - 1; k >= 0; k--) {
    const int rows = srs_sparse_size(p, k), wide = width(p, k);
    double *own = y + p->offset[k], sum[MOST] = {0};
    const double *U = s->U + s->begin[k];
    for (int i = p->panel_start[k]; i < p->panel_start[k + 1]; i++) {
      const int columns = srs_sparse_size(p, p->panel[i]);
      const double *from = y + p->offset[p->panel[i]];
      for (int a = 0; a < rows; a++)
        for (int j = 0; j < columns; j++) sum[a] += U[(size_t)a * (size_t)wide + (size_t)j] * from[j];
      U += columns;
    }
    divide(s, k, rows, sum);
    for (int a = 0; a < rows; a++) own[a] -= sum[a];
  }
  for (int k = 0; k < p->n_nodes; k++)
    memcpy(x + p->first[p->order[k]], y + p->offset[k], sizeof *y * (size_t)srs_sparse_size(p, k));
}
