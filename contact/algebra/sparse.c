// Sparse LU and least squares by block rows (nodes), in AMD's order. The only caller of AMD.
//
// Row after row; place i in the order, with the earlier places k that reach it:
//
//   A_ij <- A_ij - A_ik V_kj    y_i <- y_i - A_ik y_k    then    V_ij = A_ii^-1 A_ij    y_i <- A_ii^-1 y_i
//
// and x_i = y_i - sum V_ij x_j from the last to the first. Pivots are chosen within A_ii only, so that the
// fill-in is known beforehand. Least squares double each node: [u; x] with [I A; A^T -shift], which is quasidefinite:
// any elimination order works, and A^T A is never formed.
#include "contact/algebra/sparse.h"
#include "contact/algebra/sparse_blocks.h"

#include <amd.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { BLOCKS_A_ROW = 24, PANELS_A_ROW = 40, MOST = 2 * SRS_NODE_MOST };
_Static_assert((int)MOST <= (int)SRS_SPARSE_BLOCK, "blocks have room for least squares");

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
  return 24 * ((size_t)room->n_rows + 1) + 8 * room->n_blocks + 2 * room->n_fill;
}

size_t srs_sparse_doubles(const srs_sparse_room *room)
{
  return room->n_rows == 0 ? 0 : (size_t)2 * (MOST + 1) * ((size_t)room->n_rows + 4);
}

void srs_sparse_lay_out(srs_sparse *s, const srs_sparse_room *room, int *integers, double *doubles)
{
  const size_t rows = (size_t)room->n_rows + 1, blocks = room->n_blocks;
  *s = (srs_sparse){.capacity = room->n_rows, .most_blocks = (int)room->n_blocks, .most_fill = (int)room->n_fill};
  if (s->capacity == 0) return;
  int **arrays[] = {&s->first,  &s->start,     &s->run_start,   &s->node,  &s->order, &s->place,
                    &s->offset, &s->row_start, &s->panel_start, &s->begin, &s->wide};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, integers += rows) *arrays[i] = integers;
  s->column = integers, integers += blocks;
  s->at = integers, integers += blocks;
  s->across = integers, integers += blocks;
  s->known = integers, integers += rows + blocks;
  s->run = (srs_run *)integers, integers += 2 * blocks;
  s->panel = integers, integers += room->n_fill;
  s->row = integers, integers += room->n_fill;
  s->scratch = integers; // 11 rows and 2 blocks a row at least
  s->work = doubles;
  s->y = doubles + (size_t)2 * MOST * ((size_t)room->n_rows + 4);
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
  return doubles;
}

bool srs_sparse_order(srs_sparse *s)
{
  if (is_known(s)) return true;
  s->n_known = 0;
  find_order(s);
  if (!find_panels(s)) return false;
  find_rows(s);
  remember(s);
  return true;
}

bool srs_sparse_analyse(srs_sparse *s, int n_nodes, const double *W, int stride, size_t room)
{
  s->n_nodes = n_nodes, s->n = s->first[n_nodes];
  if (s->n < SRS_SPARSE_FROM || s->n > s->capacity || !find_blocks(s, W, stride)) return false;
  if (!srs_sparse_order(s)) return false;
  const double doubles = 4 * srs_sparse_fill(s), dense = (double)s->n * s->n * s->n;
  return doubles <= (double)room && 30 * s->multiplications < dense;
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

// ---- elimination ----

typedef struct pivots {
  double smallest, largest;
} pivots;

// [D | B] <- [1 | D^-1 B], n rows of D and `wide` columns of B; false where D is singular.
SRS_CONTACT_KERNEL
static bool divide(int n, int wide, double *D, double *B, double *y, pivots *p)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(D[i * MOST + k]) > fabs(D[best * MOST + k])) best = i;
    const double size = fabs(D[best * MOST + k]);
    p->smallest = fmin(p->smallest, size), p->largest = fmax(p->largest, size);
    if (!(size > 0)) return false;
    for (int j = k; j < n && best != k; j++) {
      const double t = D[k * MOST + j];
      D[k * MOST + j] = D[best * MOST + j], D[best * MOST + j] = t;
    }
    for (int j = 0; j < wide && best != k; j++) {
      const double t = B[(size_t)k * (size_t)wide + (size_t)j];
      B[(size_t)k * (size_t)wide + (size_t)j] = B[(size_t)best * (size_t)wide + (size_t)j];
      B[(size_t)best * (size_t)wide + (size_t)j] = t;
    }
    const double t = y[k], inverse = 1 / D[k * MOST + k];
    y[k] = y[best], y[best] = t;
    y[k] *= inverse;
    for (int j = k + 1; j < n; j++) D[k * MOST + j] *= inverse;
    for (int j = 0; j < wide; j++) B[(size_t)k * (size_t)wide + (size_t)j] *= inverse;
    for (int i = 0; i < n; i++) {
      const double f = D[i * MOST + k];
      if (i == k || f == 0) continue;
      for (int j = k + 1; j < n; j++) D[i * MOST + j] -= f * D[k * MOST + j];
      for (int j = 0; j < wide; j++)
        B[(size_t)i * (size_t)wide + (size_t)j] -= f * B[(size_t)k * (size_t)wide + (size_t)j];
      y[i] -= f * y[k];
    }
  }
  return true;
}

typedef struct system {
  const srs_sparse *s;
  const double *A;
  int times; // 1, or 2 for least squares
  double shift;
  size_t step;  // of work
  double *kept; // where L and the inverses of A_ii are kept; NULL: nowhere
} system_of_rows;

// Where a place's numbers begin.
static double *at(const system_of_rows *e, double *row, int place)
{
  return row + (size_t)e->times * (size_t)e->s->offset[place];
}

// As many doubles.
static size_t bytes_of(const system_of_rows *e, int place)
{
  return sizeof(double) * (size_t)e->times * (size_t)srs_sparse_size(e->s, place);
}

// The blocks of A in a node's rows, put into work.
static void load(const system_of_rows *e, int node)
{
  const srs_sparse *s = e->s;
  const int rows = s->first[node + 1] - s->first[node];
  for (int k = s->start[node]; k < s->start[node + 1]; k++) {
    const int other = s->column[k], columns = s->first[other + 1] - s->first[other];
    const size_t wide = (size_t)s->wide[node], across = (size_t)s->wide[other];
    const double *block = e->A + s->begin[node] + s->at[k];
    const double *transposed = e->A + s->begin[other] + s->at[s->across[k]];
    double *to = at(e, s->work, s->place[other]);
    for (size_t i = 0; i < (size_t)rows; i++)
      for (size_t j = 0; j < (size_t)columns; j++) {
        const double value = block[i * wide + j];
        if (e->times == 1) {
          to[i * e->step + j] = value;
          continue;
        }
        const double unit = node == other && i == j;
        to[i * e->step + j] = unit;
        to[i * e->step + (size_t)columns + j] = value;
        to[((size_t)rows + i) * e->step + j] = transposed[j * across + i];
        to[((size_t)rows + i) * e->step + (size_t)columns + j] = -e->shift * unit;
      }
  }
}

// Zeros wherever this place's rows fill in.
static void clear(const system_of_rows *e, int k)
{
  const srs_sparse *s = e->s;
  const int rows = e->times * srs_sparse_size(s, k);
  for (int i = 0; i < rows; i++) {
    double *row = s->work + (size_t)i * e->step;
    for (int l = s->row_start[k]; l < s->row_start[k + 1]; l++)
      memset(at(e, row, s->row[l]), 0, bytes_of(e, s->row[l]));
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++)
      memset(at(e, row, s->panel[l]), 0, bytes_of(e, s->panel[l]));
    memset(at(e, row, k), 0, sizeof *row * (size_t)rows);
  }
}

static int width(const system_of_rows *e, int k)
{
  int wide = 0;
  for (int l = e->s->panel_start[k]; l < e->s->panel_start[k + 1]; l++)
    wide += e->times * srs_sparse_size(e->s, e->s->panel[l]);
  return wide;
}

// reduce, of three rows by three; places beside each other at once, which later ones mostly are.
SRS_CONTACT_INLINE void reduce_by_runs(const system_of_rows *e, int k, const double *L, const double *V, size_t wide)
{
  const srs_sparse *s = e->s;
  const int end = s->panel_start[k + 1];
  for (int l = s->panel_start[k], next; l < end; l = next) {
    for (next = l + 1; next < end && s->panel[next] == s->panel[next - 1] + 1;) next++;
    const int columns = s->offset[s->panel[next - 1] + 1] - s->offset[s->panel[l]];
    double *to = at(e, s->work, s->panel[l]);
    if (columns == 3)
      srs_sparse_subtract(3, 3, 3, L, e->step, V, wide, to, e->step);
    else
      srs_sparse_subtract_run(columns, L, e->step, V, wide, to, e->step);
    V += columns;
  }
}

// Subtracts place k, eliminated before, from the rows in work; V: its panel.
SRS_CONTACT_KERNEL
static void reduce(const system_of_rows *e, int rows, int k, const double *V, double *y)
{
  const srs_sparse *s = e->s;
  const int own = e->times * srs_sparse_size(s, k), wide = width(e, k);
  const double *L = at(e, s->work, k), *from = at(e, s->y, k);
  const bool has_runs = e->times == 1 && rows == 3 && own == 3;
  if (has_runs) reduce_by_runs(e, k, L, V, (size_t)wide);
  for (int l = s->panel_start[k]; l < s->panel_start[k + 1] && !has_runs; l++) {
    const int columns = e->times * srs_sparse_size(s, s->panel[l]);
    double *to = at(e, s->work, s->panel[l]);
    if (rows == 2 && own == 2 && columns == 2)
      srs_sparse_subtract(2, 2, 2, L, e->step, V, (size_t)wide, to, e->step);
    else if (rows == 4 && own == 4 && columns == 4)
      srs_sparse_subtract(4, 4, 4, L, e->step, V, (size_t)wide, to, e->step);
    else if (rows == 6 && own == 6 && columns == 6)
      srs_sparse_subtract(6, 6, 6, L, e->step, V, (size_t)wide, to, e->step);
    else
      srs_sparse_subtract(rows, own, columns, L, e->step, V, (size_t)wide, to, e->step);
    V += columns;
  }
  srs_sparse_subtract(rows, own, 1, L, e->step, from, 1, y, 1);
}

static double *keep_block(const system_of_rows *e, int rows, int k, double *kept)
{
  const int own = srs_sparse_size(e->s, k);
  for (int i = 0; i < rows; i++, kept += own)
    memcpy(kept, at(e, e->s->work + (size_t)i * e->step, k), sizeof *kept * (size_t)own);
  return kept;
}

static double *keep_inverse(int rows, const double *D, double *kept)
{
  double copy[MOST * MOST], y[MOST] = {0};
  pivots p = {INFINITY, 0};
  for (ptrdiff_t i = 0; i < rows; i++) memcpy(copy + i * MOST, D + i * MOST, sizeof *D * (size_t)rows);
  for (int i = 0; i < rows * rows; i++) kept[i] = i % (rows + 1) == 0;
  (void)divide(rows, rows, copy, kept, y, &p);
  return kept + (ptrdiff_t)rows * rows;
}

// Scratch keeps where each place's V begins in memory.
static bool eliminate(const system_of_rows *e, double least_ratio, double *memory)
{
  const srs_sparse *s = e->s;
  pivots p = {INFINITY, 0};
  size_t used = 0;
  double *kept = e->kept;
  for (int k = 0; k < s->n_nodes; k++) {
    const int rows = e->times * srs_sparse_size(s, k), wide = width(e, k);
    double *y = at(e, s->y, k), D[MOST * MOST];
    clear(e, k);
    load(e, s->order[k]);
    for (int l = s->row_start[k]; l < s->row_start[k + 1]; l++) {
      if (kept != NULL) kept = keep_block(e, rows, s->row[l], kept);
      reduce(e, rows, s->row[l], memory + s->scratch[s->row[l]], y);
    }
    s->scratch[k] = (int)used;
    for (int i = 0; i < rows; i++) {
      double *row = s->work + (size_t)i * e->step, *to = memory + used + (size_t)i * (size_t)wide;
      memcpy(D + (size_t)i * MOST, at(e, row, k), sizeof *row * (size_t)rows);
      for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++) {
        const int columns = e->times * srs_sparse_size(s, s->panel[l]);
        memcpy(to, at(e, row, s->panel[l]), sizeof *row * (size_t)columns);
        to += columns;
      }
    }
    if (kept != NULL) kept = keep_inverse(rows, D, kept);
    if (!divide(rows, wide, D, memory + used, y, &p) || !(p.smallest > least_ratio * p.largest)) return false;
    used += (size_t)rows * (size_t)wide;
  }
  return true;
}

static void substitute(const system_of_rows *e, const double *memory)
{
  const srs_sparse *s = e->s;
  for (int k = s->n_nodes - 1; k >= 0; k--) {
    const int rows = e->times * srs_sparse_size(s, k), wide = width(e, k);
    const double *V = memory + s->scratch[k];
    double *y = at(e, s->y, k);
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++) {
      const int columns = e->times * srs_sparse_size(s, s->panel[l]);
      const double *x = at(e, s->y, s->panel[l]);
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) y[i] -= V[(size_t)i * (size_t)wide + (size_t)j] * x[j];
      V += columns;
    }
  }
}

static bool solve(const system_of_rows *e, double least_ratio, double *memory, double *x)
{
  const srs_sparse *s = e->s;
  memset(s->y, 0, sizeof *x * (size_t)(e->times * s->n));
  for (int k = 0; k < s->n_nodes; k++)
    memcpy(at(e, s->y, k), x + s->first[s->order[k]], sizeof *x * (size_t)srs_sparse_size(s, k));
  if (!eliminate(e, least_ratio, memory)) return false;
  substitute(e, memory);
  for (int k = 0; k < s->n_nodes; k++)
    memcpy(x + s->first[s->order[k]], at(e, s->y, k) + (size_t)(e->times - 1) * (size_t)srs_sparse_size(s, k),
           sizeof *x * (size_t)srs_sparse_size(s, k));
  return true;
}

bool srs_sparse_solve(const srs_sparse *s, const double *A, double least_ratio, double *memory, double *x)
{
  return solve(&(system_of_rows){s, A, 1, 0, (size_t)s->n + 4, NULL}, least_ratio, memory, x);
}

bool srs_sparse_factor(const srs_sparse *s, const double *A, double least_ratio, double *memory)
{
  double *kept = memory;
  for (int k = 0; k < s->n_nodes; k++)
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++)
      kept += (ptrdiff_t)srs_sparse_size(s, k) * srs_sparse_size(s, s->panel[l]);
  memset(s->y, 0, sizeof *s->y * (size_t)s->n);
  return eliminate(&(system_of_rows){s, A, 1, 0, (size_t)s->n + 4, kept}, least_ratio, memory);
}

bool srs_sparse_least_squares(const srs_sparse *s, const double *A, double shift, double *memory, double *x)
{
  return solve(&(system_of_rows){s, A, 2, shift, 2 * ((size_t)s->n + 4), NULL}, 0, memory, x);
}
