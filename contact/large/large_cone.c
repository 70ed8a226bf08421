// The cone problem of a large problem, given by blocks.
//
// In its units (contact/problem/scaling.h), packed (contact/algebra/sparse.h). Bilateral rows are not eliminated, which
// would cause fill-in: they are box rows without bounds, x free and w = 0, and come last. Where they are dependent the
// matrix is singular, as with more contacts than degrees of freedom; damped steps handle that.
//
// An immobile tangent (the second of a planar mechanism), or one without friction, would be a zero row of Newton's
// matrix while its contact sticks: it is left out, its impulse is zero.
#include "contact/large/large_cone.h"
#include "topology/base/reserve.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILL_A_NODE = 48, SQUARE = SRS_NODE_MOST * SRS_NODE_MOST, LEAST_SQUARES = 4, DENSE = 12 };

// ---- memory ----

typedef struct rooms {
  int rows, nodes;
  size_t blocks, values, fill;
} rooms;

static size_t at_least(size_t wanted, size_t had) { return wanted > had ? wanted : had; }

static size_t padded(int n) { return (size_t)srs_dense_stride(n + 1); }

enum { ROW_VECTORS = 21 };

static void lay_out(srs_large_cone *s, const rooms *room)
{
  const size_t rows = padded(room->rows), nodes = (size_t)room->nodes + 1;
  srs_fallback *l = &s->fallback;
  srs_lm_memory *lm = &l->lm;
  double *m = s->doubles;
  double **const vectors[ROW_VECTORS] = {
      &l->x,        &l->w,         &l->z,          &l->swept,      &l->good, &l->diagonal, &l->centre,
      &l->best,     &l->cone.b,    &l->cone.lower, &l->cone.upper, &lm->x,   &lm->r,       &lm->trial,
      &lm->trial_r, &lm->gradient, &lm->step,      &lm->best,      &s->unit, &s->warm,     &lm->tall}; // tall: two
  for (size_t i = 0; i < ROW_VECTORS; i++, m += rows) *vectors[i] = m;
  m += rows;
  l->cone.packed = m, m += room->values;
  lm->J = m, m += room->values;
  const srs_sparse_room pattern = {room->rows > room->nodes ? room->rows : room->nodes, room->blocks, room->fill};
  int *integers = s->integers;
  s->kept = integers, integers += rows;
  s->node = integers, integers += nodes;
  s->place = integers, integers += nodes;
  s->first = integers, integers += nodes;
  srs_sparse_lay_out(&s->pattern, &pattern, integers, m);
  m += srs_sparse_doubles(&pattern);
  lm->gram = m;
  lm->sparse = l->cone.sparse = &s->pattern;
  l->cone.first = s->first;
}

bool srs_large_cone_reserve(srs_large_cone *s, int n_rows, int n_nodes, size_t n_blocks, size_t n_values)
{
  rooms room = {.rows = (int)at_least((size_t)n_rows, (size_t)s->most_rows),
                .nodes = (int)at_least((size_t)n_nodes, (size_t)s->most_nodes),
                .blocks = at_least(n_blocks, s->most_blocks),
                .values = at_least(n_values, s->most_values)};
  room.fill = at_least(FILL_A_NODE * (size_t)room.nodes, s->is_short ? 2 * s->most_fill : s->most_fill);
  room.fill = at_least(room.fill, room.blocks / 2); // where all nodes are neighbours
  if (room.rows == s->most_rows && room.nodes == s->most_nodes && room.blocks == s->most_blocks &&
      room.values == s->most_values && room.fill == s->most_fill)
    return true;
  const size_t rows = padded(room.rows), nodes = (size_t)room.nodes + 1,
               eliminated = at_least((size_t)LEAST_SQUARES * SQUARE * room.fill, DENSE * room.values);
  const srs_sparse_room pattern = {room.rows > room.nodes ? room.rows : room.nodes, room.blocks, room.fill};
  double *doubles = srs_reserve((ROW_VECTORS + 1) * rows + 2 * room.values + srs_sparse_doubles(&pattern) + eliminated,
                                sizeof *doubles);
  int *integers = srs_reserve(rows + 3 * nodes + srs_sparse_integers(&pattern), sizeof *integers);
  if (doubles == NULL || integers == NULL) {
    srs_release(doubles);
    srs_release(integers);
    return false;
  }
  srs_large_cone_release(s);
  *s = (srs_large_cone){.most_rows = room.rows,
                        .most_nodes = room.nodes,
                        .most_blocks = room.blocks,
                        .most_values = room.values,
                        .most_fill = room.fill,
                        .room = eliminated,
                        .doubles = doubles,
                        .integers = integers};
  lay_out(s, &room);
  return true;
}

void srs_large_cone_release(srs_large_cone *s)
{
  srs_release(s->doubles);
  srs_release(s->integers);
}

// ---- rows ----

// Rows are immobile whose scaled diagonal and b are below these: rounding.
static const double idle_diagonal = 1e-20, idle_velocity = 1e-14;

// The k-th neighbour of a block row in the order used here, bilateral rows last.
static int neighbour(const srs_large_cone *s, int node, int split, int k)
{
  const srs_contact_blocks *W = s->problem->blocks;
  const int count = W->start[node + 1] - W->start[node];
  return W->start[node] + (k + split < count ? k + split : k + split - count);
}

// How many of a node's neighbours are bilateral rows.
static int split_of(const srs_large_cone *s, int node)
{
  const srs_contact_blocks *W = s->problem->blocks;
  int n = 0;
  while (W->start[node] + n < W->start[node + 1] && W->column[W->start[node] + n] < s->problem->n_bilateral) n++;
  return n;
}

// A row's diagonal entry.
static double diagonal_of(const srs_contact_blocks *W, int node, int row)
{
  size_t wide = 0, at = 0;
  for (int k = W->start[node]; k < W->start[node + 1]; k++) {
    if (W->column[k] == node) at = wide;
    wide += (size_t)(W->first[W->column[k] + 1] - W->first[W->column[k]]);
  }
  const size_t i = (size_t)(row - W->first[node]);
  return W->value[W->begin[node] + i * wide + at + i];
}

static bool is_idle(const srs_large_cone *s, int node, int row)
{
  const srs_contact_problem *p = s->problem;
  return !(diagonal_of(p->blocks, node, row) * s->unit[row] * s->unit[row] > idle_diagonal) &&
         !(fabs(s->unit[row] * p->b[row] / s->unit_size) > idle_velocity);
}

static bool is_contact(const srs_contact_problem *p, int node)
{
  return node >= p->n_bilateral && node < p->n_bilateral + p->n_contacts;
}

// Keeps the rows of a block row that are mobile; a contact's normal always.
static void take_node(srs_large_cone *s, int node)
{
  const srs_contact_problem *p = s->problem;
  const int first = p->blocks->first[node], end = p->blocks->first[node + 1];
  const int before = s->pattern.n, number = s->pattern.n_nodes;
  for (int row = first; row < end; row++) {
    const bool is_normal = is_contact(p, node) && row == first;
    const bool is_smooth = is_contact(p, node) && !is_normal && !(p->friction[node - p->n_bilateral] > 0);
    if (is_normal || !(is_smooth || is_idle(s, node, row))) s->kept[s->pattern.n++] = row;
  }
  s->place[node] = s->pattern.n > before ? number : -1;
  if (s->pattern.n == before) return;
  s->pattern.first[number] = before;
  s->node[number] = node;
  s->pattern.n_nodes++;
}

static void take_nodes(srs_large_cone *s)
{
  const srs_contact_problem *p = s->problem;
  srs_cone_problem *cone = &s->fallback.cone;
  const int contacts = p->n_bilateral, scalars = contacts + p->n_contacts, boxes = scalars + p->n_unilateral;
  s->pattern.n = s->pattern.n_nodes = cone->n_unilateral = cone->n_box = 0;
  for (int node = contacts; node < p->blocks->n_block_rows; node++) {
    take_node(s, node);
    if (node < scalars) s->first[node - contacts] = s->pattern.first[s->place[node]];
    if (node == scalars - 1) s->first[p->n_contacts] = s->pattern.n;
    if (node < scalars || s->place[node] < 0) continue;
    if (node < boxes) {
      cone->n_unilateral++;
      continue;
    }
    const double pull = 1 / (s->unit_size * s->unit[p->blocks->first[node]]);
    cone->lower[cone->n_box] = p->box_lower[node - boxes] * pull;
    cone->upper[cone->n_box++] = p->box_upper[node - boxes] * pull;
  }
  for (int node = 0; node < contacts; node++) {
    take_node(s, node);
    if (s->place[node] >= 0) cone->lower[cone->n_box] = -INFINITY, cone->upper[cone->n_box++] = INFINITY;
  }
  s->pattern.first[s->pattern.n_nodes] = s->pattern.n;
  cone->n = s->pattern.n, cone->stride = srs_dense_stride(cone->n);
  cone->n_contacts = p->n_contacts;
  cone->friction = p->friction;
}

// ---- the matrix ----

static void find_columns(srs_large_cone *s)
{
  const srs_contact_blocks *W = s->problem->blocks;
  int count = 0;
  for (int i = 0; i < s->pattern.n_nodes; i++) {
    const int node = s->node[i], split = split_of(s, node);
    s->pattern.start[i] = count;
    for (int k = 0; k < W->start[node + 1] - W->start[node]; k++) {
      const int other = s->place[W->column[neighbour(s, node, split, k)]];
      if (other >= 0) s->pattern.column[count++] = other;
    }
  }
  s->pattern.start[s->pattern.n_nodes] = count;
}

// `at` is where the columns of bilateral rows end, `from` a row of a node in the problem's own order.
static double *copy_row(const srs_large_cone *s, int node, int split, const double *from, double unit, double *to)
{
  const srs_contact_blocks *W = s->problem->blocks;
  const double *column = from + split; // bilateral rows have one column each
  for (int k = 0; k < W->start[node + 1] - W->start[node]; k++) {
    const int other = W->column[neighbour(s, node, split, k)], place = s->place[other], first = W->first[other];
    if (k == W->start[node + 1] - W->start[node] - split) column = from;
    for (int j = place < 0 ? 0 : s->pattern.first[place]; place >= 0 && j < s->pattern.first[place + 1]; j++)
      *to++ = unit * column[s->kept[j] - first] * s->unit[s->kept[j]];
    column += W->first[other + 1] - first;
  }
  return to;
}

static void copy_matrix(srs_large_cone *s)
{
  const srs_contact_blocks *W = s->problem->blocks;
  double *to = s->fallback.cone.packed;
  for (int i = 0; i < s->pattern.n_nodes; i++) {
    const int node = s->node[i], split = split_of(s, node);
    const size_t rows = (size_t)(W->first[node + 1] - W->first[node]);
    const size_t wide = (W->begin[node + 1] - W->begin[node]) / rows;
    for (int row = s->pattern.first[i]; row < s->pattern.first[i + 1]; row++)
      to = copy_row(s, node, split, W->value + W->begin[node] + (size_t)(s->kept[row] - W->first[node]) * wide,
                    s->unit[s->kept[row]], to);
  }
}

static bool has_room(const srs_large_cone *s, const srs_contact_problem *p)
{
  const srs_contact_blocks *W = p->blocks;
  return W->first[W->n_block_rows] <= s->most_rows && W->n_block_rows <= s->most_nodes &&
         (size_t)W->start[W->n_block_rows] <= s->most_blocks && W->begin[W->n_block_rows] <= s->most_values;
}

bool srs_large_cone_begin(srs_large_cone *s, const srs_contact_problem *p, const double *scale, double size,
                          double tolerance)
{
  srs_fallback *l = &s->fallback;
  s->is_short = false;
  if (!has_room(s, p)) return false;
  s->problem = p;
  srs_scaling_make(p, scale, size, s->unit, &s->unit_size);
  const srs_scaling_tolerances tolerances =
      srs_scaling_find_tolerances(p, scale, size, s->unit, s->unit_size, tolerance);
  l->answer = tolerances.answer, l->enough = tolerances.enough, l->goal = tolerances.goal;
  take_nodes(s);
  find_columns(s);
  for (int i = 0; i < s->pattern.n; i++) l->cone.b[i] = s->unit[s->kept[i]] * p->b[s->kept[i]] / s->unit_size;
  if (!srs_sparse_set_up(&s->pattern)) return false;
  copy_matrix(s);
  s->is_short = true;
  if (!srs_sparse_order(&s->pattern)) return false;
  (void)srs_sparse_fill(&s->pattern);
  s->is_short = srs_sparse_most_doubles(&s->pattern) > s->room;
  return !s->is_short;
}

bool srs_large_cone_has_planes(const srs_large_cone *s)
{
  for (int c = 0; c < s->fallback.cone.n_contacts; c++)
    if (srs_cone_tangents(&s->fallback.cone, c) > 1) return true;
  return false;
}

void srs_large_cone_gather(const srs_large_cone *s, const double *impulse, double *x)
{
  for (int i = 0; i < s->pattern.n; i++) x[i] = impulse[s->kept[i]] / (s->unit[s->kept[i]] * s->unit_size);
}

void srs_large_cone_spread(const srs_large_cone *s, const double *x, double *impulse)
{
  memset(impulse, 0, sizeof *impulse * (size_t)s->problem->blocks->first[s->problem->blocks->n_block_rows]);
  for (int i = 0; i < s->pattern.n; i++) impulse[s->kept[i]] = s->unit[s->kept[i]] * s->unit_size * x[i];
}
