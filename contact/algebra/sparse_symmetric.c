// Sparse block Cholesky: A = U^T U in AMD's order.
//
// place after place, with the places l before it that reach it:
//
//   R^T R = A_kk - sum_l U_lk^T U_lk      U_kk = R, upper triangular
//   U_kj = R^-T (A_kj - sum_l U_lk^T U_lj)      j: the places of k's panel
//
// then y_k = R^-T (b_k - sum_l U_lk^T y_l) from the first to the last, x_k = R^-1 (y_k - sum_j U_kj x_j) back. Only the
// upper half is formed, and no block is inverted: the matrices of interior points have entries from 1e-16 to 1e16, and
// rounding stays small only if each row is divided by its own pivot.
#include "contact/algebra/sparse_symmetric.h"
#include "contact/algebra/sparse_supernode.h"

#include <math.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };

static const double least_pivot = 1e-15; // over what the diagonal was

size_t srs_symmetric_integers(int n_nodes, size_t n_fill) { return 6 * ((size_t)n_nodes + 1) + 2 * n_fill; }

size_t srs_symmetric_doubles(int n_rows, int n_nodes, size_t room)
{
  return room + SQUARE * (size_t)n_nodes + (MOST + 1) * ((size_t)n_rows + 4);
}

void srs_symmetric_lay_out(srs_symmetric *s, int n_rows, int n_nodes, size_t room, int *integers, size_t *sizes,
                           double *doubles)
{
  const size_t rows = (size_t)n_rows + 4;
  const size_t nodes = (size_t)n_nodes + 1;
  *s = (srs_symmetric){
      .room = room, .together_from = SRS_SUPERNODE_FROM, .begin = sizes, .next = integers, .column = integers + nodes};
  s->wide = integers + 2 * nodes;
  s->run_begin = integers + 3 * nodes;
  s->supernode = integers + 4 * nodes;
  s->met = integers + 5 * nodes;
  s->run = (srs_run *)(integers + 6 * nodes);
  s->own = doubles;
  s->work = s->own + SQUARE * (size_t)n_nodes;
  s->y = s->work + MOST * rows;
  s->U = s->y + rows;
  (void)srs_dense_warm_up(n_rows); // srs_contact_solver_reserve_blocks has seen to the room
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

// Adjacent columns of a place's panel form one run.
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

// Places with the same panel are subtracted together, as a strip (supernode) of so many rows of U at most.
enum { TOGETHER = 8 };

// R in the place's own block, its diagonal inverted: zero where a pivot is rounding of what the diagonal was.
static void divide_own(int n, const double *scale, double *A)
{
  for (int k = 0; k < n; k++) {
    const double chosen = A[k * MOST + k];
    const double inverse = chosen > least_pivot * scale[k] ? 1 / sqrt(chosen) : 0;
    A[k * MOST + k] = inverse;
    for (int j = k + 1; j < n; j++) A[k * MOST + j] *= inverse;
    for (int i = k + 1; i < n; i++)
      for (int j = i; j < n; j++) A[i * MOST + j] -= A[k * MOST + i] * A[k * MOST + j];
  }
}

// R^-T of a place's panel.
SRS_CONTACT_KERNEL
static void divide_panel(int rows, size_t wide, const double *own, double *U)
{
  for (int k = 0; k < rows; k++) {
    double *row = U + (size_t)k * wide;
    for (int i = 0; i < k; i++) {
      const double f = own[i * MOST + k], *other = U + (size_t)i * wide;
      for (size_t j = 0; j < wide; j++) row[j] -= f * other[j];
    }
    for (size_t j = 0; j < wide; j++) row[j] *= own[k * MOST + k];
  }
}

typedef struct strip {
  int n;                       // rows of U, padded to 2, 4 or 8
  const double *row[TOGETHER]; // from the column that is next
  double F[MOST][TOGETHER];    // factor of each for each row of work
} strip;

// Rows one and other of work, n columns of them, less what `count` rows of U give.
SRS_CONTACT_INLINE void subtract_rows(int count, const strip *t, int a, int b, int n, double *first, double *second)
{
  const double *u[TOGETHER];
  double f[TOGETHER], g[TOGETHER];
  for (int i = 0; i < count; i++) u[i] = t->row[i], f[i] = t->F[a][i], g[i] = t->F[b][i];
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    srs_lanes one = srs_load(first + j), other = srs_load(second + j);
    for (int i = 0; i < count; i++) {
      const srs_lanes lanes = srs_load(u[i] + j);
      one -= f[i] * lanes, other -= g[i] * lanes;
    }
    srs_store(first + j, one);
    if (b != a) srs_store(second + j, other);
  }
  for (; j < n; j++) {
    double one = first[j], other = second[j];
    for (int i = 0; i < count; i++) one -= f[i] * u[i][j], other -= g[i] * u[i][j];
    first[j] = one;
    if (b != a) second[j] = other;
  }
}

SRS_CONTACT_INLINE void subtract(int rows, const strip *t, int n, double *work, size_t step)
{
  for (int a = 0; a < rows; a += 2) {
    const int b = a + 1 < rows ? a + 1 : a;
    double *first = work + (size_t)a * step, *second = work + (size_t)b * step;
    if (t->n == 2)
      subtract_rows(2, t, a, b, n, first, second);
    else if (t->n == 4)
      subtract_rows(4, t, a, b, n, first, second);
    else
      subtract_rows(8, t, a, b, n, first, second);
  }
}

// Adds place l, which reaches k, to the strip, and advances l.
SRS_CONTACT_INLINE void add_to_strip(srs_symmetric *s, int k, int rows, int l, strip *t)
{
  const srs_sparse *p = s->pattern;
  const int own = srs_sparse_size(p, l);
  const size_t wide = (size_t)s->wide[l];
  const double *U = s->U + s->begin[l] + s->column[l];
  for (int i = 0; i < own; i++) {
    t->row[t->n] = U + (size_t)i * wide;
    for (int a = 0; a < rows; a++) t->F[a][t->n] = U[(size_t)i * wide + (size_t)a];
    t->n++;
  }
  s->column[l] += rows;
  if (s->run[s->next[l]].to == p->offset[k] + rows) s->next[l]++;
}

// Places l and l + 1 have the same columns from l + 2 on.
static bool is_alike(const srs_sparse *p, int l)
{
  const int start = p->panel_start[l], end = p->panel_start[l + 1];
  return end > start && p->panel[start] == l + 1 && end - start == p->panel_start[l + 2] - end + 1;
}

// Subtracts the places that reach k from its rows in work.
SRS_CONTACT_INLINE void reduce(srs_symmetric *s, int k, int rows, size_t step)
{
  const srs_sparse *p = s->pattern;
  for (int i = p->row_start[k]; i < p->row_start[k + 1];) {
    const int l = p->row[i];
    strip t;
    t.n = 0;
    int next = s->next[l], from = p->offset[k], last = l;
    add_to_strip(s, k, rows, l, &t);
    for (i++; i < p->row_start[k + 1]; last++, i++) {
      if (p->row[i] != last + 1 || !is_alike(p, last) || t.n + srs_sparse_size(p, last + 1) > TOGETHER) break;
      add_to_strip(s, k, rows, last + 1, &t);
    }
    if (t.n == 0) continue;
    for (const int full = t.n <= 2 ? 2 : t.n <= 4 ? 4 : 8; t.n < full; t.n++) {
      t.row[t.n] = t.row[0];
      for (int a = 0; a < rows; a++) t.F[a][t.n] = 0;
    }
    for (; next < s->run_begin[l + 1]; next++) {
      const int n = s->run[next].to - from;
      subtract(rows, &t, n, s->work + from, step);
      for (int r = 0; r < t.n; r++) t.row[r] += n;
      from = next + 1 < s->run_begin[l + 1] ? s->run[next + 1].from : 0;
    }
  }
}

SRS_CONTACT_KERNEL
static void reduce_all(srs_symmetric *s, int k, size_t step)
{
  const int rows = srs_sparse_size(s->pattern, k);
  if (rows == 2)
    reduce(s, k, 2, step);
  else if (rows == 3)
    reduce(s, k, 3, step);
  else if (rows > 0)
    reduce(s, k, rows, step);
}

// The original rows of place k, put into work.
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
    for (int a = 0; place == k && a < rows; a++) scale[a] = B[a * MOST + a];
  }
}

// Place k by itself.
static void factor_place(srs_symmetric *s, int k, srs_symmetric_block *block, const void *data)
{
  const srs_sparse *p = s->pattern;
  const size_t step = (size_t)p->n + 4, wide = (size_t)s->wide[k];
  const int rows = srs_sparse_size(p, k);
  double scale[MOST] = {0}, *own = s->own + (size_t)SQUARE * (size_t)k, *U = s->U + s->begin[k];
  load(s, k, step, block, data, scale);
  reduce_all(s, k, step);
  for (int a = 0; a < rows; a++) {
    const double *row = s->work + (size_t)a * step;
    double *to = U + (size_t)a * wide;
    for (int j = 0; j < rows; j++) own[a * MOST + j] = row[p->offset[k] + j];
    for (int r = s->run_begin[k]; r < s->run_begin[k + 1]; r++) {
      const int n = s->run[r].to - s->run[r].from;
      memcpy(to, row + s->run[r].from, sizeof *to * (size_t)n);
      to += n;
    }
  }
  divide_own(rows, scale, own);
  divide_panel(rows, wide, own, U);
  s->next[k] = s->run_begin[k], s->column[k] = 0;
}

// Places first … end together.
static void factor_together(srs_symmetric *s, int first, int end, srs_symmetric_block *block, const void *data)
{
  srs_supernode node;
  srs_supernode_begin(&node, s, first, end);
  for (int k = first; k < end; k++) {
    double scale[MOST] = {0};
    load(s, k, (size_t)s->pattern->n + 4, block, data, scale);
    srs_supernode_take(&node, k, scale);
  }
  srs_supernode_factor(&node);
}

bool srs_symmetric_factor(srs_symmetric *s, srs_symmetric_block *block, const void *data)
{
  const srs_sparse *p = s->pattern;
  size_t used = 0;
  find_runs(s);
  for (int k = 0; k < p->n_nodes; k++) {
    s->begin[k] = used, s->met[k] = -1;
    used += (size_t)srs_sparse_size(p, k) * (size_t)s->wide[k];
  }
  if (used > s->room) return false;
  for (int first = 0, end; first < p->n_nodes; first = end) {
    end = srs_supernode_end(p, first);
    for (int k = first; k < end; k++) s->supernode[k] = first;
    if (p->offset[end] - p->offset[first] >= s->together_from)
      factor_together(s, first, end, block, data);
    else
      for (int k = first; k < end; k++) factor_place(s, k, block, data);
  }
  return true;
}

// y <- R^-T y, and R^-1 y.
static void divide_down(const srs_symmetric *s, int k, int rows, double *y)
{
  const double *R = s->own + (size_t)SQUARE * (size_t)k;
  for (int a = 0; a < rows; a++) {
    for (int i = 0; i < a; i++) y[a] -= R[i * MOST + a] * y[i];
    y[a] *= R[a * MOST + a];
  }
}

static void divide_up(const srs_symmetric *s, int k, int rows, double *y)
{
  const double *R = s->own + (size_t)SQUARE * (size_t)k;
  for (int a = rows - 1; a >= 0; a--) {
    for (int j = a + 1; j < rows; j++) y[a] -= R[a * MOST + j] * y[j];
    y[a] *= R[a * MOST + a];
  }
}

SRS_CONTACT_KERNEL
static void eliminate(const srs_symmetric *s, double *y)
{
  const srs_sparse *p = s->pattern;
  for (int k = 0; k < p->n_nodes; k++) {
    const int rows = srs_sparse_size(p, k);
    double *own = y + p->offset[k];
    divide_down(s, k, rows, own);
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
    for (int a = 0; a < rows; a++) own[a] -= sum[a];
    divide_up(s, k, rows, own);
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
