// Sparse matrices by block rows (nodes): their pattern, its order, products. The only caller of AMD.
//
// The pattern is taken as symmetric, and pivots are chosen within nodes only, so that the fill-in is known beforehand.
// Least squares double each node: [u; x] with [I A; A^T -shift], which is quasidefinite: any elimination order works,
// and A^T A is never formed. Elimination: contact/algebra/sparse_factor.c.
#include "contact/algebra/sparse.h"

#include <amd.h>
#include <limits.h>
#include <string.h>

enum { BLOCKS_A_ROW = 24, PANELS_A_ROW = 40 };

// ---- memory ----

srs_sparse_room srs_sparse_usual_room(int n_rows)
{
  const size_t rows = (size_t)n_rows + 1;
  return n_rows < SRS_SPARSE_FROM ? (srs_sparse_room){0}
                                  : (srs_sparse_room){n_rows, BLOCKS_A_ROW * rows, PANELS_A_ROW * rows};
}

// Rows; the known pattern; scratch for ordering: 11 for each row, and blocks twice.
size_t srs_sparse_integers(const srs_sparse_room *room)
{
  return 29 * ((size_t)room->n_rows + 1) + 8 * room->n_blocks + 2 * room->n_fill;
}

size_t srs_sparse_doubles(const srs_sparse_room *room)
{
  return room->n_rows == 0 ? 0 : 4 * ((size_t)room->n_rows + 4);
}

void srs_sparse_lay_out(srs_sparse *s, const srs_sparse_room *room, int *integers, double *doubles)
{
  const size_t rows = (size_t)room->n_rows + 1, blocks = room->n_blocks;
  *s = (srs_sparse){.capacity = room->n_rows, .most_blocks = (int)room->n_blocks, .most_fill = (int)room->n_fill};
  if (s->capacity == 0) return;
  int **arrays[] = {&s->first,     &s->start,       &s->run_start, &s->node, &s->order, &s->place,    &s->offset,
                    &s->row_start, &s->panel_start, &s->begin,     &s->wide, &s->front, &s->front_of, &s->reach};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, integers += rows) *arrays[i] = integers;
  s->column = integers, integers += blocks;
  s->at = integers, integers += blocks;
  s->across = integers, integers += blocks;
  s->known = integers, integers += rows + blocks;
  s->run = (srs_run *)integers, integers += 2 * blocks;
  s->panel = integers, integers += room->n_fill;
  s->row = integers, integers += room->n_fill;
  s->pivot = integers, integers += 2 * rows;
  s->scratch = integers; // 11 rows and 2 blocks a row at least
  s->work = doubles;
  s->y = doubles + 2 * ((size_t)room->n_rows + 4);
}

// ---- the pattern ----

// The nodes in whose columns a node's rows have nonzeros, itself always.
static bool find_columns(srs_sparse *s, const double *W, int stride)
{
  const int most = s->most_blocks;
  int *mark = s->scratch, count = 0;
  memset(mark, -1, sizeof *mark * (size_t)s->n_nodes);
  for (int i = 0; i < s->n_nodes; i++) {
    s->start[i] = count;
    mark[i] = i;
    for (int row = s->first[i]; row < s->first[i + 1]; row++)
      for (int j = 0; j < s->n; j++)
        if (W[(size_t)row * (size_t)stride + (size_t)j] != 0) mark[s->node[j]] = i;
    for (int j = 0; j < s->n_nodes; j++) {
      if (mark[j] != i) continue;
      if (count == most) return false;
      s->column[count++] = j;
    }
  }
  s->start[s->n_nodes] = count;
  return true;
}

// The same of the transposed matrix, into two arrays.
static void transpose(const srs_sparse *s, int *start, int *column)
{
  const int n = s->n_nodes;
  int *next = s->scratch;
  memset(start, 0, sizeof *start * (size_t)(n + 1));
  for (int k = 0; k < s->start[n]; k++) start[s->column[k] + 1]++;
  for (int i = 0; i < n; i++) start[i + 1] += start[i];
  memcpy(next, start, sizeof *next * (size_t)n);
  for (int i = 0; i < n; i++)
    for (int k = s->start[i]; k < s->start[i + 1]; k++) column[next[s->column[k]]++] = i;
}

// The union with the transposed pattern, usually the same.
static bool make_symmetric(srs_sparse *s)
{
  const int n = s->n_nodes, most = s->most_blocks;
  int *start = s->scratch + n, *across = start + n + 1, *both = across + most, count = 0;
  transpose(s, start, across);
  for (int i = 0; i < n; i++) {
    const int first = count, end = s->start[i + 1], other_end = start[i + 1];
    for (int k = s->start[i], l = start[i]; k < end || l < other_end;) {
      const int a = k < end ? s->column[k] : n, b = l < other_end ? across[l] : n;
      if (count == most) return false;
      both[count++] = a < b ? a : b;
      k += a <= b, l += b <= a;
    }
    start[i] = first; // its own entries have been used
  }
  start[n] = count;
  memcpy(s->start, start, sizeof *start * (size_t)(n + 1));
  memcpy(s->column, both, sizeof *both * (size_t)count);
  return true;
}

static void find_runs(srs_sparse *s)
{
  int runs = 0;
  for (int i = 0; i < s->n_nodes; i++) {
    s->run_start[i] = runs;
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      const int j = s->column[k];
      if (k > s->start[i] && s->column[k - 1] == j - 1)
        s->run[runs - 1].to = s->first[j + 1];
      else
        s->run[runs].from = s->first[j], s->run[runs].to = s->first[j + 1], runs++;
    }
  }
  s->run_start[s->n_nodes] = runs;
}

static void find_nodes(srs_sparse *s)
{
  s->n = s->first[s->n_nodes];
  for (int i = 0; i < s->n_nodes; i++)
    for (int row = s->first[i]; row < s->first[i + 1]; row++) s->node[row] = i;
}

// Offsets within a packed matrix. Neighbours ascend, so a node meets its neighbours' lists in order.
static bool find_places(srs_sparse *s)
{
  size_t count = 0;
  int *next = s->scratch;
  memcpy(next, s->start, sizeof *next * (size_t)s->n_nodes);
  for (int i = 0; i < s->n_nodes; i++) {
    s->begin[i] = (int)count;
    s->wide[i] = 0;
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
      const int j = s->column[k];
      s->at[k] = s->wide[i];
      s->wide[i] += s->first[j + 1] - s->first[j];
      s->across[k] = next[j]++;
    }
    count += (size_t)(s->first[i + 1] - s->first[i]) * (size_t)s->wide[i];
    if (count > INT_MAX) return false;
  }
  s->begin[s->n_nodes] = (int)count;
  return true;
}

bool srs_sparse_set_up(srs_sparse *s)
{
  find_nodes(s);
  find_runs(s);
  return find_places(s);
}

static bool find_blocks(srs_sparse *s, const double *W, int stride)
{
  find_nodes(s);
  if (!find_columns(s, W, stride)) return false;
  if (!make_symmetric(s)) return false;
  return srs_sparse_set_up(s);
}

static bool is_known(const srs_sparse *s)
{
  const size_t nodes = (size_t)s->n_nodes + 1, blocks = (size_t)s->start[s->n_nodes];
  return s->n_known == s->n_nodes && memcmp(s->known, s->start, nodes * sizeof *s->known) == 0 &&
         memcmp(s->known + nodes, s->column, blocks * sizeof *s->known) == 0;
}

static void remember(srs_sparse *s)
{
  const size_t nodes = (size_t)s->n_nodes + 1, blocks = (size_t)s->start[s->n_nodes];
  memcpy(s->known, s->start, nodes * sizeof *s->known);
  memcpy(s->known + nodes, s->column, blocks * sizeof *s->known);
  s->n_known = s->n_nodes;
}

static void find_order(srs_sparse *s)
{
  const int n = s->n_nodes;
  const size_t rows = (size_t)n;
  int *pe = s->scratch, *len = pe + rows, *nv = len + rows, *next = nv + rows, *head = next + rows;
  int *elen = head + rows, *degree = elen + rows, *w = degree + rows, *iw = w + rows;
  int count = 0;
  for (int i = 0; i < n; i++) {
    pe[i] = count;
    for (int k = s->start[i]; k < s->start[i + 1]; k++)
      if (s->column[k] != i) iw[count++] = s->column[k];
    len[i] = count - pe[i];
  }
  amd_2(n, pe, iw, len, count + count / 4 + n + 1, count, nv, next, s->order, head, elen, degree, w, NULL, NULL);
  for (int k = 0; k < n; k++) s->place[s->order[k]] = k;
}

// Symbolic factorisation: the later places that each place reaches, by neighbours and by its children's panels.
static bool find_panels(srs_sparse *s)
{
  const int n = s->n_nodes, most = s->most_fill;
  int *mark = s->scratch, *child = mark + n, *sibling = child + n, count = 0;
  for (int k = 0; k < n; k++) mark[k] = child[k] = sibling[k] = -1;
  for (int k = 0; k < n; k++) {
    const int node = s->order[k];
    int parent = n;
    s->panel_start[k] = count;
    mark[k] = k;
    for (int from = -1; from != -2;) { // -1: the neighbours; else a child
      const int begin = from < 0 ? s->start[node] : s->panel_start[from];
      const int end = from < 0 ? s->start[node + 1] : s->panel_start[from + 1];
      for (int i = begin; i < end; i++) {
        const int j = from < 0 ? s->place[s->column[i]] : s->panel[i];
        if (j <= k || mark[j] == k) continue;
        if (count == most) return false;
        mark[j] = k;
        s->panel[count++] = j;
        parent = j < parent ? j : parent;
      }
      const int other = from < 0 ? child[k] : sibling[from];
      from = other < 0 ? -2 : other;
    }
    s->panel_start[k + 1] = count;
    if (parent < n) sibling[k] = child[parent], child[parent] = k;
  }
  return true;
}

// Of each place the first that it reaches, or n_nodes.
static void find_parents(const srs_sparse *s, int *parent)
{
  for (int k = 0; k < s->n_nodes; k++) {
    parent[k] = s->n_nodes;
    for (int i = s->panel_start[k]; i < s->panel_start[k + 1]; i++)
      parent[k] = s->panel[i] < parent[k] ? s->panel[i] : parent[k];
  }
}

// Whether all places below one come right before it.
static bool is_in_postorder(const srs_sparse *s)
{
  const int n = s->n_nodes;
  int *parent = s->scratch, *count = parent + n, *first = count + n + 1; // the last: of all roots
  find_parents(s, parent);
  for (int k = 0; k <= n; k++) count[k] = 1, first[k] = k;
  for (int k = 0; k < n; k++) {
    if (first[k] != k - count[k] + 1) return false;
    count[parent[k]] += count[k];
    if (first[k] < first[parent[k]]) first[parent[k]] = first[k];
  }
  return true;
}

static void put_in_postorder(srs_sparse *s)
{
  const int n = s->n_nodes;
  int *parent = s->scratch, *child = parent + n, *sibling = child + n + 1, *order = sibling + n, count = 0;
  find_parents(s, parent);
  for (int k = 0; k <= n; k++) child[k] = -1;
  for (int k = n - 1; k >= 0; k--) sibling[k] = child[parent[k]], child[parent[k]] = k;
  for (int k = n; count < n;) { // down to leaves; from a place to its sibling, else to its parent
    while (child[k] >= 0) k = child[k];
    order[count++] = s->order[k];
    child[parent[k]] = sibling[k];
    k = parent[k];
  }
  memcpy(s->order, order, sizeof *order * (size_t)n);
  for (int k = 0; k < n; k++) s->place[s->order[k]] = k;
}

// And the earlier ones that reach it. Rebuilt from these, the panels ascend too.
static void find_rows(srs_sparse *s)
{
  const int n = s->n_nodes, count = s->panel_start[n];
  int *next = s->scratch;
  memset(s->row_start, 0, sizeof *s->row_start * (size_t)(n + 1));
  for (int i = 0; i < count; i++) s->row_start[s->panel[i] + 1]++;
  for (int k = 0; k < n; k++) s->row_start[k + 1] += s->row_start[k];
  memcpy(next, s->row_start, sizeof *next * (size_t)n);
  for (int k = 0; k < n; k++)
    for (int i = s->panel_start[k]; i < s->panel_start[k + 1]; i++) s->row[next[s->panel[i]]++] = k;
  memcpy(next, s->panel_start, sizeof *next * (size_t)n);
  for (int k = 0; k < n; k++)
    for (int i = s->row_start[k]; i < s->row_start[k + 1]; i++) s->panel[next[s->row[i]]++] = k;
}

double srs_sparse_fill(srs_sparse *s)
{
  double doubles = 0;
  s->offset[0] = 0;
  for (int k = 0; k < s->n_nodes; k++)
    s->offset[k + 1] = s->offset[k] + s->first[s->order[k] + 1] - s->first[s->order[k]];
  s->multiplications = 0;
  for (int k = 0; k < s->n_nodes; k++) {
    const double own = srs_sparse_size(s, k);
    double wide = 0;
    for (int i = s->panel_start[k]; i < s->panel_start[k + 1]; i++) wide += srs_sparse_size(s, s->panel[i]);
    s->multiplications += own * (wide + own) * (wide + own);
    doubles += own * wide;
  }
  s->fill = doubles;
  srs_sparse_find_fronts(s);
  return doubles;
}

bool srs_sparse_order(srs_sparse *s)
{
  if (is_known(s)) return true;
  s->n_known = 0;
  find_order(s);
  if (!find_panels(s)) return false;
  if (!is_in_postorder(s)) {
    put_in_postorder(s);
    if (!find_panels(s)) return false;
  }
  find_rows(s);
  remember(s);
  return true;
}

bool srs_sparse_analyse(srs_sparse *s, int n_nodes, const double *W, int stride, size_t room)
{
  s->n_nodes = n_nodes, s->n = s->first[n_nodes];
  if (s->n < SRS_SPARSE_FROM || s->n > s->capacity || !find_blocks(s, W, stride)) return false;
  if (!srs_sparse_order(s)) return false;
  (void)srs_sparse_fill(s);
  const double dense = (double)s->n * s->n * s->n;
  return srs_sparse_most_doubles(s) <= room && 30 * s->multiplications < dense;
}

// ---- products ----

double *srs_sparse_diagonal(const srs_sparse *s, double *A, int row)
{
  const int node = s->node[row];
  int k = s->start[node];
  while (s->column[k] != node) k++;
  return srs_sparse_row(s, A, node, row) + s->at[k] + (row - s->first[node]);
}

void srs_sparse_pack(const srs_sparse *s, const double *W, int stride, double *packed)
{
  for (int node = 0; node < s->n_nodes; node++)
    for (int i = s->first[node]; i < s->first[node + 1]; i++) {
      const double *row = W + (size_t)i * (size_t)stride;
      for (int k = s->run_start[node]; k < s->run_start[node + 1]; k++)
        for (int j = s->run[k].from; j < s->run[k].to; j++) *packed++ = row[j];
    }
}

SRS_CONTACT_KERNEL
void srs_sparse_multiply(const srs_sparse *s, int node, const double *A, const double *x, double *y)
{
  const double *row = A + s->begin[node];
  for (int i = 0; i < s->first[node + 1] - s->first[node]; i++) {
    double sum = 0;
    for (int k = s->run_start[node]; k < s->run_start[node + 1]; k++) {
      const int from = s->run[k].from, count = s->run[k].to - from;
      sum += srs_dot(count, row, x + from);
      row += count;
    }
    y[i] = sum;
  }
}

void srs_sparse_multiply_transposed(const srs_sparse *s, const double *A, const double *x, double *y)
{
  memset(y, 0, sizeof *y * (size_t)s->n);
  for (int node = 0; node < s->n_nodes; node++)
    for (int i = s->first[node]; i < s->first[node + 1]; i++)
      for (int k = s->run_start[node]; k < s->run_start[node + 1]; k++)
        for (int j = s->run[k].from; j < s->run[k].to; j++) y[j] += x[i] * *A++;
}
