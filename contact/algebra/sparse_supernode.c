// How are many adjacent places with the same panel (a supernode) eliminated at once? BLAS multiplies.
//
// With S the supernode's rows and D an earlier one, which reaches columns a of S and columns b from these on,
//
//   S_ab <- S_ab - D_a^T D_b   for all D     R^T R = S_own     S_beside <- R^-T S_beside
//
// Columns of D that lie side by side do so in S too. A small D is subtracted by loops.
#include "contact/algebra/sparse_supernode.h"
#include "contact/algebra/dense_blocks.h"

#include <math.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, ROWS = SRS_SUPERNODE_MOST, SMALL = 8 };

static const double least_pivot = 1e-15; // as in sparse_symmetric.c

static bool is_alike(const srs_sparse *p, int l)
{
  const int start = p->panel_start[l], end = p->panel_start[l + 1];
  return end > start && p->panel[start] == l + 1 && end - start == p->panel_start[l + 2] - end + 1;
}

// Rows and columns of whole lanes.
static int whole_lanes(int n) { return (n + 3) & ~3; }

static void clear(int rows, int columns, double (*A)[ROWS])
{
  for (int i = 0; i < rows; i++) memset(A[i], 0, sizeof A[i][0] * (size_t)columns);
}

int srs_supernode_end(const srs_sparse *p, int first)
{
  int end = first + 1;
  while (end < p->n_nodes && is_alike(p, end - 1) && p->offset[end + 1] - p->offset[first] <= ROWS) end++;
  return end;
}

void srs_supernode_begin(srs_supernode *node, srs_symmetric *s, int first, int end)
{
  const srs_sparse *p = s->pattern;
  node->s = s, node->first = first, node->end = end;
  node->rows = p->offset[end] - p->offset[first];
  node->wide = s->wide[end - 1];
  const int whole = whole_lanes(node->rows);
  for (int i = 0; i < whole; i++) memset(node->own + (size_t)i * ROWS, 0, sizeof *node->own * (size_t)whole);
  for (int k = first, row = 0; k < end; k++)
    for (int a = 0; a < srs_sparse_size(p, k); a++, row++)
      node->beside[row] = s->U + s->begin[k] + (size_t)(a + 1) * (size_t)s->wide[k] - node->wide;
}

void srs_supernode_take(srs_supernode *node, int k, const double *scale)
{
  const srs_symmetric *s = node->s;
  const srs_sparse *p = s->pattern;
  const size_t step = (size_t)p->n + 4;
  const int last = node->end - 1, begin = p->offset[node->first], row = p->offset[k] - begin;
  for (int a = 0; a < srs_sparse_size(p, k); a++) {
    const double *from = s->work + (size_t)a * step;
    double *to = node->beside[row + a];
    memcpy(node->own + (size_t)(row + a) * ROWS + row, from + p->offset[k], sizeof *to * (size_t)(node->rows - row));
    for (int r = s->run_begin[last]; r < s->run_begin[last + 1]; r++) {
      const int n = s->run[r].to - s->run[r].from;
      memcpy(to, from + s->run[r].from, sizeof *to * (size_t)n);
      to += n;
    }
    node->scale[row + a] = scale[a];
  }
}

// ---- earlier supernodes ----

typedef struct reach {
  int rows, wide, met;     // rows; columns from here on; those that are S's own
  const double *row[ROWS]; // from its first such column
  int of[ROWS];            // the row of S for each own column
} reach;

typedef struct walk {
  int run, column, end_run; // in runs: where, the column there, their end
  int beside_run, beside;   // likewise in S's panel: columns before that run
} walk;

typedef struct piece {
  int from, to, n; // columns in the tile; in S's row, own columns first
} piece;

// Up to ROWS columns from here on, as pieces that lie side by side in S. Returns how many pieces.
static int next_tile(const srs_supernode *node, walk *w, piece *pieces, int *columns)
{
  const srs_symmetric *s = node->s;
  const int begin = s->pattern->offset[node->first], own_end = begin + node->rows;
  int count = 0;
  *columns = 0;
  while (w->run < w->end_run && *columns < ROWS) {
    const bool is_own = w->column < own_end;
    int end = s->run[w->run].to;
    if (is_own && end > own_end) end = own_end;
    const int n = end - w->column < ROWS - *columns ? end - w->column : ROWS - *columns;
    while (!is_own && s->run[w->beside_run].to <= w->column) {
      w->beside += s->run[w->beside_run].to - s->run[w->beside_run].from;
      w->beside_run++;
    }
    const int to = is_own ? w->column - begin : node->rows + w->beside + w->column - s->run[w->beside_run].from;
    pieces[count++] = (piece){*columns, to, n};
    *columns += n;
    w->column += n;
    if (w->column == s->run[w->run].to && ++w->run < w->end_run) w->column = s->run[w->run].from;
  }
  return count;
}

// to -= sum of f_d u_d.
SRS_CONTACT_KERNEL
static void subtract_rows(int n, int count, const double *f, size_t f_step, const double *const *u, size_t at,
                          double *to)
{
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    srs_lanes sum = srs_load(to + j);
    for (int d = 0; d < count; d++) sum -= f[(size_t)d * f_step] * srs_load(u[d] + at + j);
    srs_store(to + j, sum);
  }
  for (; j < n; j++)
    for (int d = 0; d < count; d++) to[j] -= f[(size_t)d * f_step] * u[d][at + (size_t)j];
}

static double *place_of(srs_supernode *node, int row, int column)
{
  return column < node->rows ? node->own + (size_t)row * ROWS + column : node->beside[row] + (column - node->rows);
}

static void subtract_reach(srs_supernode *node, const reach *d, walk w)
{
  double F[ROWS][ROWS], tile[ROWS][ROWS];
  for (int i = 0; i < d->rows; i++) memcpy(F[i], d->row[i], sizeof F[i][0] * (size_t)d->met);
  const bool is_small = d->rows < SMALL || d->met < SMALL;
  for (int at = 0, columns; at < d->wide; at += columns) {
    piece pieces[ROWS];
    const int n_pieces = next_tile(node, &w, pieces, &columns);
    double product[ROWS][ROWS];
    if (!is_small) {
      clear(d->met, columns, product);
      for (int i = 0; i < d->rows; i++) memcpy(tile[i], d->row[i] + at, sizeof tile[i][0] * (size_t)columns);
      srs_blocks_multiply(true, false, d->met, columns, d->rows, 1, F[0], ROWS, tile[0], ROWS, product[0], ROWS);
    }
    for (int i = 0; i < d->met; i++)
      for (int k = 0; k < n_pieces; k++) {
        const piece *c = &pieces[k];
        double *to = place_of(node, d->of[i], c->to);
        if (is_small)
          subtract_rows(c->n, d->rows, &F[0][i], ROWS, d->row, (size_t)at + (size_t)c->from, to);
        else
          for (int j = 0; j < c->n; j++) to[j] -= product[i][c->from + j];
      }
  }
}

// The places first … end, an earlier supernode, which reach place k of this one next. Advances them beyond it.
static void subtract_earlier(srs_supernode *node, int first, int end, int k)
{
  srs_symmetric *s = node->s;
  const srs_sparse *p = s->pattern;
  const int begin = p->offset[node->first], own_end = begin + node->rows, last_run = s->run_begin[first + 1];
  reach d = {.wide = s->wide[first] - s->column[first]};
  const walk start = {s->next[first], p->offset[k], last_run, s->run_begin[node->end - 1], 0};
  int run = start.run;
  for (int column = start.column; run < last_run;) {
    for (; column < own_end && column < s->run[run].to; column++) d.of[d.met++] = column - begin;
    if (column < s->run[run].to || ++run == last_run) break;
    column = s->run[run].from;
  }
  for (int l = first; l < end; l++)
    for (int a = 0; a < srs_sparse_size(p, l); a++)
      d.row[d.rows++] = s->U + s->begin[l] + (size_t)a * (size_t)s->wide[l] + s->column[l];
  subtract_reach(node, &d, start);
  for (int l = first; l < end; l++) {
    s->column[l] += d.met;
    s->next[l] += run - start.run;
  }
}

// ---- itself ----

// R^T R = own; the diagonal inverted, zero where a pivot is rounding of what the diagonal was.
SRS_CONTACT_KERNEL
static void factor_own(int n, const double *scale, double *A)
{
  for (int k = 0; k < n; k++) {
    double *row = A + (size_t)k * ROWS;
    const double inverse = row[k] > least_pivot * scale[k] ? 1 / sqrt(row[k]) : 0;
    for (int j = k & ~3; j < n; j += 4) srs_store(row + j, inverse * srs_load(row + j));
    for (int i = k + 1; i < n; i++) {
      double *other = A + (size_t)i * ROWS;
      const double f = row[i];
      for (int j = i & ~3; j < n; j += 4) srs_store(other + j, srs_load(other + j) - f * srs_load(row + j));
    }
    row[k] = inverse;
  }
}

// Puts R into the places, and where the next supernode that they reach begins.
static void give_own(const srs_supernode *node)
{
  srs_symmetric *s = node->s;
  const srs_sparse *p = s->pattern;
  const int begin = p->offset[node->first];
  for (int k = node->first; k < node->end; k++) {
    const int row = p->offset[k] - begin, n = srs_sparse_size(p, k), after = node->rows - row - n;
    double *own = s->own + (size_t)(MOST * MOST) * (size_t)k;
    for (int a = 0; a < n; a++) {
      const double *from = node->own + (size_t)(row + a) * ROWS + row;
      memcpy(own + (size_t)a * MOST, from, sizeof *own * (size_t)n);
      memcpy(s->U + s->begin[k] + (size_t)a * (size_t)s->wide[k], from + n, sizeof *own * (size_t)after);
    }
    s->column[k] = after;
    s->next[k] = s->run_begin[k];
    while (s->next[k] < s->run_begin[k + 1] && s->run[s->next[k]].to <= begin + node->rows) s->next[k]++;
  }
}

void srs_supernode_factor(srs_supernode *node)
{
  const srs_symmetric *s = node->s;
  const srs_sparse *p = s->pattern;
  for (int k = node->first; k < node->end; k++)
    for (int i = p->row_start[k]; i < p->row_start[k + 1] && srs_sparse_size(p, k) > 0; i++) { // a node may be empty
      const int first = s->supernode[p->row[i]];
      if (first == node->first || s->met[first] == node->first) continue;
      s->met[first] = node->first;
      int end = first + 1;
      while (end < node->first && s->supernode[end] == first) end++;
      subtract_earlier(node, first, end, k);
    }
  factor_own(node->rows, node->scale, node->own);
  give_own(node);
  const int whole = whole_lanes(node->rows);
  for (int i = node->rows; i < whole; i++) node->own[(size_t)i * (ROWS + 1)] = 1;
  for (int at = 0; at < node->wide; at += ROWS) {
    double tile[ROWS][ROWS];
    const int columns = node->wide - at < ROWS ? node->wide - at : ROWS, pairs = (columns + 7) & ~7;
    const size_t bytes = sizeof tile[0][0] * (size_t)columns;
    clear(whole, pairs, tile);
    for (int i = 0; i < node->rows; i++) memcpy(tile[i], node->beside[i] + at, bytes);
    srs_blocks_divide(whole, node->own, columns, tile[0], ROWS);
    for (int i = 0; i < node->rows; i++) memcpy(node->beside[i] + at, tile[i], bytes);
  }
}
