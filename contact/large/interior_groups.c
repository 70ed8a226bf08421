// A Newton step of an interior point in velocities, where W is given as a sum over groups.
//
//   W = L L^T      rows of L: those of contacts; columns: one for each degree of freedom of each group
//
// With H block diagonal and invertible, one block for each block row (node), (W + H^-1) x = r has the solution
//
//   x = H (r - L v)      (1 + L^T H L) v = L^T H r
//
// where v, the change of velocities, has one unknown for each column. Two groups are coupled in the matrix where a node
// is in both. So its graph is that of touching bodies, not that of contacts which share a body, and it is much sparser:
// a plane of discs has a tenth of the fill-in.
#include "contact/large/interior_groups.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST, BLOCKS_A_PIECE = 32, FILL_A_PIECE = 96, PAIRS_A_LINK = 4 };

// ---- memory ----

static size_t at_least(size_t wanted, size_t had) { return wanted > had ? wanted : had; }

// A group has as many pieces as quarters of its columns, and one more.
static size_t most_pieces(const srs_groups *s) { return (size_t)s->most_columns / MOST + (size_t)s->most_groups + 1; }

static srs_sparse_room room_of(const srs_groups *s)
{
  return (srs_sparse_room){(int)at_least(most_pieces(s), (size_t)s->most_columns), s->most_blocks, s->most_fill};
}

static size_t n_scratch(const srs_groups *s)
{
  return 4 * ((size_t)s->most_groups + 2) + s->most_links + s->most_pairs;
}

// Of factors that are not symmetric.
static size_t general_doubles(const srs_groups *s)
{
  return (size_t)2 * SQUARE * s->most_fill + (size_t)MOST * (size_t)s->most_columns;
}

static void lay_out(srs_groups *s)
{
  const srs_sparse_room room = room_of(s);
  const size_t groups = (size_t)s->most_groups + 1;
  double *m = s->doubles;
  int *integers = s->integers;
  s->L = m, m += s->most_numbers;
  s->block = m, m += SQUARE * s->most_blocks;
  s->half = m, m += MOST * (size_t)s->most_columns;
  s->packed = m, m += SQUARE * s->most_blocks;
  s->LU = m, m += general_doubles(s);
  s->piece = integers, integers += groups;
  s->near_start = integers, integers += groups;
  s->near = integers, integers += s->most_pairs;
  s->pair = integers, integers += s->most_pairs;
  s->scratch = integers, integers += n_scratch(s);
  s->begin = s->sizes;
  srs_sparse_lay_out(&s->pattern, &room, integers, m);
  integers += srs_sparse_integers(&room), m += srs_sparse_doubles(&room);
  srs_symmetric_lay_out(&s->factor, s->most_columns, (int)most_pieces(s), SQUARE * s->most_fill, integers,
                        s->sizes + s->most_links, m);
  s->factor.pattern = &s->pattern;
}

static bool take(srs_groups *s)
{
  const srs_sparse_room room = room_of(s);
  const size_t pieces = most_pieces(s);
  const size_t n_doubles = s->most_numbers + (size_t)2 * SQUARE * s->most_blocks + general_doubles(s) +
                           (size_t)MOST * (size_t)s->most_columns + srs_sparse_doubles(&room) +
                           srs_symmetric_doubles(s->most_columns, (int)pieces, SQUARE * s->most_fill);
  const size_t n_integers = 2 * ((size_t)s->most_groups + 1) + 2 * s->most_pairs + n_scratch(s) +
                            srs_sparse_integers(&room) + srs_symmetric_integers((int)pieces, s->most_fill);
  s->doubles = srs_reserve(n_doubles, sizeof *s->doubles);
  s->integers = srs_reserve(n_integers, sizeof *s->integers);
  s->sizes = srs_reserve(s->most_links + pieces + 1, sizeof *s->sizes);
  return s->doubles != NULL && s->integers != NULL && s->sizes != NULL;
}

bool srs_groups_has_room(const srs_groups *s, const srs_contact_sizes *sizes)
{
  return sizes->n_block_rows <= s->most_nodes && sizes->n_groups <= s->most_groups &&
         sizes->n_columns <= s->most_columns && sizes->n_links <= s->most_links && sizes->n_numbers <= s->most_numbers;
}

bool srs_groups_reserve(srs_groups *s, const srs_contact_sizes *sizes)
{
  const size_t times = s->is_short ? 2 : 1;
  srs_groups more = {.most_nodes = (int)at_least((size_t)sizes->n_block_rows, (size_t)s->most_nodes),
                     .most_groups = (int)at_least((size_t)sizes->n_groups, (size_t)s->most_groups),
                     .most_columns = (int)at_least((size_t)sizes->n_columns, (size_t)s->most_columns),
                     .most_links = at_least(sizes->n_links, s->most_links),
                     .most_numbers = at_least(sizes->n_numbers, s->most_numbers)};
  if (srs_groups_has_room(s, sizes) && !s->is_short) return true;
  more.most_pairs = at_least(PAIRS_A_LINK * more.most_links, times * s->most_pairs);
  more.most_blocks = at_least(BLOCKS_A_PIECE * most_pieces(&more), times * s->most_blocks);
  more.most_fill = at_least(FILL_A_PIECE * most_pieces(&more), times * s->most_fill);
  if (!take(&more)) {
    srs_groups_release(&more);
    return false;
  }
  srs_groups_release(s);
  *s = more;
  lay_out(s);
  return true;
}

void srs_groups_release(srs_groups *s)
{
  srs_release(s->doubles);
  srs_release(s->integers);
  srs_release(s->sizes);
}

// ---- which groups are coupled ----

// Groups that share a node with each, in the order in which they are found.
static bool find_near(srs_groups *s, int *start, int *near)
{
  int *mark = s->scratch, *members_start = mark + s->n_groups, *member = members_start + s->n_groups + 2, count = 0;
  memset(members_start, 0, sizeof *mark * (size_t)(s->n_groups + 2));
  for (int i = 0; i < s->start[s->n_nodes]; i++) members_start[s->group[i] + 2]++;
  for (int g = 0; g < s->n_groups; g++) members_start[g + 2] += members_start[g + 1];
  for (int node = 0; node < s->n_nodes; node++)
    for (int i = s->start[node]; i < s->start[node + 1]; i++) member[members_start[s->group[i] + 1]++] = node;
  for (int g = 0; g < s->n_groups; g++) mark[g] = -1;
  for (int g = 0; g < s->n_groups; g++) {
    start[g] = count;
    if ((size_t)count == s->most_pairs) return false;
    mark[g] = g;
    near[count++] = g;
    for (int k = members_start[g]; k < members_start[g + 1]; k++)
      for (int i = s->start[member[k]]; i < s->start[member[k] + 1]; i++) {
        const int other = s->group[i];
        if (mark[other] == g) continue;
        if ((size_t)count == s->most_pairs) return false;
        mark[other] = g;
        near[count++] = other;
      }
  }
  start[s->n_groups] = count;
  return true;
}

// Transposed, they ascend.
static void turn_near(srs_groups *s, const int *start, const int *near)
{
  int *next = s->near_start;
  memset(next, 0, sizeof *next * (size_t)(s->n_groups + 1));
  for (int i = 0; i < start[s->n_groups]; i++) next[near[i] + 1]++;
  for (int g = 0; g < s->n_groups; g++) next[g + 1] += next[g];
  for (int g = 0; g < s->n_groups; g++)
    for (int i = start[g]; i < start[g + 1]; i++) s->near[next[near[i]]++] = g;
  memmove(next + 1, next, sizeof *next * (size_t)s->n_groups);
  next[0] = 0;
}

static bool find_pattern(srs_groups *s, const int *first)
{
  srs_sparse *p = &s->pattern;
  size_t count = 0;
  p->n_nodes = 0;
  for (int g = 0; g < s->n_groups; g++) {
    const int columns = first[g + 1] - first[g], pieces = (columns + MOST - 1) / MOST;
    s->piece[g] = p->n_nodes;
    for (int k = 0; k < pieces; k++) p->first[p->n_nodes++] = first[g] + k * columns / pieces;
  }
  s->piece[s->n_groups] = p->n_nodes;
  p->n = p->first[p->n_nodes] = first[s->n_groups];
  for (int g = 0; g < s->n_groups; g++)
    for (int k = s->piece[g]; k < s->piece[g + 1]; k++) {
      p->start[k] = (int)count;
      for (int i = s->near_start[g]; i < s->near_start[g + 1]; i++)
        for (int l = s->piece[s->near[i]]; l < s->piece[s->near[i] + 1]; l++) {
          if (count == s->most_blocks) return false;
          p->column[count++] = l;
        }
    }
  p->start[p->n_nodes] = (int)count;
  return true;
}

// For every two groups of a node: how many pieces precede the second's in the first's block row.
static bool find_pairs(srs_groups *s)
{
  size_t count = 0;
  int *before = s->scratch;
  for (int g = 0; g < s->n_groups; g++)
    for (int i = s->near_start[g], pieces = 0; i < s->near_start[g + 1]; i++) {
      before[i] = pieces;
      pieces += s->piece[s->near[i] + 1] - s->piece[s->near[i]];
    }
  for (int node = 0; node < s->n_nodes; node++)
    for (int i = s->start[node]; i < s->start[node + 1]; i++)
      for (int j = s->start[node]; j < s->start[node + 1]; j++) {
        int from = s->near_start[s->group[i]], to = s->near_start[s->group[i] + 1];
        while (to - from > 1) {
          const int middle = (from + to) / 2;
          if (s->near[middle] <= s->group[j])
            from = middle;
          else
            to = middle;
        }
        if (count == s->most_pairs) return false;
        s->pair[count++] = before[from];
      }
  return true;
}

static void copy_numbers(srs_groups *s, const srs_contact_factor *f, const int *first, const int *kept,
                         const double *scale)
{
  double *to = s->L;
  for (int node = 0; node < s->n_nodes; node++)
    for (int i = f->start[node]; i < f->start[node + 1]; i++) {
      const int columns = f->first[f->group[i] + 1] - f->first[f->group[i]];
      s->begin[i] = (size_t)(to - s->L);
      for (int k = s->row[node]; k < s->row[node + 1]; k++) {
        const double *from = f->value + f->begin[i] + (size_t)(kept[k] - first[node]) * (size_t)columns;
        for (int c = 0; c < columns; c++) *to++ = scale[kept[k]] * from[c];
      }
    }
}

bool srs_groups_begin(srs_groups *s, const srs_contact_factor *f, int n_nodes, const int *first, const int *row,
                      const int *kept, const double *scale)
{
  int *start = s->scratch + 2 * ((size_t)s->most_groups + 2) + s->most_links, *near = start + s->most_groups + 2;
  s->n_nodes = n_nodes, s->n_groups = f->n_groups;
  s->row = row, s->start = f->start, s->group = f->group, s->column = f->first;
  s->is_short = false;
  const bool has_room = n_nodes <= s->most_nodes && f->n_groups <= s->most_groups &&
                        f->first[f->n_groups] <= s->most_columns && (size_t)f->start[n_nodes] <= s->most_links;
  if (!has_room) return false;
  s->is_short = true;
  if (!find_near(s, start, near)) return false;
  turn_near(s, start, near);
  if (!find_pattern(s, f->first) || !find_pairs(s) || !srs_sparse_order(&s->pattern)) return false;
  if (srs_sparse_fill(&s->pattern) > (double)s->factor.room) return false;
  if (srs_sparse_factor_doubles(&s->pattern) > general_doubles(s)) return false;
  s->is_short = s->is_set_up = false;
  copy_numbers(s, f, first, kept, scale);
  return true;
}

static int columns_of(const srs_groups *s, int group) { return s->column[group + 1] - s->column[group]; }

double srs_groups_work(const srs_groups *s)
{
  double sum = s->pattern.multiplications;
  for (int node = 0; node < s->n_nodes; node++) {
    const double rows = s->row[node + 1] - s->row[node];
    double columns = 0;
    for (int i = s->start[node]; i < s->start[node + 1]; i++) columns += columns_of(s, s->group[i]);
    sum += rows * columns * (rows + columns);
  }
  return sum;
}

// ---- the matrix ----

// half = H L.
SRS_CONTACT_INLINE void multiply_half(int rows, int columns, const double *H, const double *L, double *half)
{
  for (int i = 0; i < rows; i++)
    for (int c = 0; c < columns; c++) {
      double sum = 0;
      for (int k = 0; k < rows; k++) sum += H[i * MOST + k] * L[(size_t)k * (size_t)columns + (size_t)c];
      half[(size_t)i * (size_t)columns + (size_t)c] = sum;
    }
}

// block += L^T half: of `own` columns of L and `other` of half, `wide` and `other_wide` of which a row has.
SRS_CONTACT_INLINE void add_block(int rows, int own, int other, const double *L, size_t wide, const double *half,
                                  size_t other_wide, double *block)
{
  for (int i = 0; i < own; i++)
    for (int j = 0; j < other; j++) {
      double sum = block[i * MOST + j];
      for (int k = 0; k < rows; k++) sum += L[(size_t)k * wide + (size_t)i] * half[(size_t)k * other_wide + (size_t)j];
      block[i * MOST + j] = sum;
    }
}

SRS_CONTACT_INLINE void add_pieces(srs_groups *s, int rows, int i, int j, int pair)
{
  const srs_sparse *p = &s->pattern;
  const int g = s->group[i], h = s->group[j], first = s->column[g], other_first = s->column[h];
  const size_t wide = (size_t)columns_of(s, g), other_wide = (size_t)columns_of(s, h);
  const double *L = s->L + s->begin[i];
  for (int a = s->piece[g]; a < s->piece[g + 1]; a++) {
    double *block = s->block + SQUARE * (size_t)(p->start[a] + pair);
    const int own = p->first[a + 1] - p->first[a];
    for (int b = s->piece[h]; b < s->piece[h + 1]; b++, block += SQUARE) {
      const int other = p->first[b + 1] - p->first[b];
      const double *left = L + (p->first[a] - first), *right = s->half + (p->first[b] - other_first);
      if (own == 3 && other == 3)
        add_block(rows, 3, 3, left, wide, right, other_wide, block);
      else
        add_block(rows, own, other, left, wide, right, other_wide, block);
    }
  }
}

SRS_CONTACT_INLINE void add_node(srs_groups *s, int node, int rows, const double *H, const int *pair)
{
  const int from = s->start[node], n = s->start[node + 1] - from;
  for (int j = 0; j < n; j++) {
    multiply_half(rows, columns_of(s, s->group[from + j]), H, s->L + s->begin[from + j], s->half);
    for (int i = 0; i < n; i++) add_pieces(s, rows, from + i, from + j, pair[i * n + j]);
  }
}

SRS_CONTACT_KERNEL
static void fill_matrix(srs_groups *s, const double *H)
{
  const srs_sparse *p = &s->pattern;
  const int *pair = s->pair;
  memset(s->block, 0, sizeof *s->block * SQUARE * (size_t)p->start[p->n_nodes]);
  for (int k = 0; k < p->n_nodes; k++)
    for (int i = p->start[k]; i < p->start[k + 1]; i++)
      for (int c = 0; p->column[i] == k && c < MOST; c++) s->block[SQUARE * (size_t)i + (size_t)(c * MOST + c)] = 1;
  for (int node = 0; node < s->n_nodes; node++) {
    const int rows = s->row[node + 1] - s->row[node], n = s->start[node + 1] - s->start[node];
    if (rows == 2)
      add_node(s, node, 2, H, pair);
    else if (rows == 3)
      add_node(s, node, 3, H, pair);
    else if (rows > 0)
      add_node(s, node, rows, H, pair);
    pair += (size_t)n * (size_t)n;
    H += SQUARE;
  }
}

static void block_of(const void *data, int node, int k, double *block)
{
  (void)node;
  const srs_groups *s = data;
  memcpy(block, s->block + SQUARE * (size_t)k, sizeof *block * SQUARE);
}

bool srs_groups_factor(srs_groups *s, const double *H)
{
  fill_matrix(s, H);
  return srs_symmetric_factor(&s->factor, block_of, s);
}

void srs_groups_solve(const srs_groups *s, double *y) { srs_symmetric_solve(&s->factor, y); }

// The blocks side by side.
static void pack(srs_groups *s)
{
  const srs_sparse *p = &s->pattern;
  double *to = s->packed;
  for (int node = 0; node < p->n_nodes; node++)
    for (int i = 0; i < p->first[node + 1] - p->first[node]; i++)
      for (int k = p->start[node]; k < p->start[node + 1]; k++) {
        const double *block = s->block + SQUARE * (size_t)k + (size_t)(i * MOST);
        for (int j = 0; j < p->first[p->column[k] + 1] - p->first[p->column[k]]; j++) *to++ = block[j];
      }
}

bool srs_groups_factor_general(srs_groups *s, const double *H)
{
  if (!s->is_set_up && !srs_sparse_set_up(&s->pattern)) return false;
  s->is_set_up = true;
  fill_matrix(s, H);
  pack(s);
  return srs_sparse_factor(&s->pattern, s->packed, 0, s->LU);
}

void srs_groups_solve_general(const srs_groups *s, double *y) { srs_sparse_apply(&s->pattern, s->LU, y); }

SRS_CONTACT_INLINE void add_down(int rows, int columns, const double *L, const double *x, double *y)
{
  for (int k = 0; k < rows; k++, L += columns)
    for (int c = 0; c < columns; c++) y[c] += L[c] * x[k];
}

SRS_CONTACT_INLINE void add_up(int rows, int columns, const double *L, const double *y, double *x)
{
  for (int k = 0; k < rows; k++, L += columns) {
    double sum = x[k];
    for (int c = 0; c < columns; c++) sum += L[c] * y[c];
    x[k] = sum;
  }
}

SRS_CONTACT_KERNEL
void srs_groups_gather(const srs_groups *s, const double *x, double *y)
{
  memset(y, 0, sizeof *y * (size_t)s->pattern.n);
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = s->row[node], rows = s->row[node + 1] - row;
    for (int i = s->start[node]; i < s->start[node + 1]; i++) {
      const int first = s->column[s->group[i]], columns = s->column[s->group[i] + 1] - first;
      const double *L = s->L + s->begin[i];
      if (rows == 2 && columns == 3)
        add_down(2, 3, L, x + row, y + first);
      else if (rows == 3 && columns == 6)
        add_down(3, 6, L, x + row, y + first);
      else
        add_down(rows, columns, L, x + row, y + first);
    }
  }
}

SRS_CONTACT_KERNEL
void srs_groups_spread(const srs_groups *s, const double *y, double *x)
{
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = s->row[node], rows = s->row[node + 1] - row;
    for (int k = row; k < row + rows; k++) x[k] = 0;
    for (int i = s->start[node]; i < s->start[node + 1]; i++) {
      const int first = s->column[s->group[i]], columns = s->column[s->group[i] + 1] - first;
      const double *L = s->L + s->begin[i];
      if (rows == 2 && columns == 3)
        add_up(2, 3, L, y + first, x + row);
      else if (rows == 3 && columns == 6)
        add_up(3, 6, L, y + first, x + row);
      else
        add_up(rows, columns, L, y + first, x + row);
    }
  }
}
