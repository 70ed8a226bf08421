// The matrix of a large problem by blocks: finds which rows share a tree, and fills only their blocks.
//
// Nodes are contacts with all their rows, and single scalar rows, in the problem's order. Each tree has a list of the
// nodes with a side on it. Two nodes are neighbours if they are in one list; all other blocks of W are zero. So the
// memory and the work grow with the number of neighbour pairs.

#include "engine/dynamics/delassus.h"
#include "engine/islands/island.h"
#include "engine/loops/mechanism.h"
#include "engine/rows/problem_sizes.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

typedef struct node_lists {
  int n_trees;
  int *first, *start, *mark, *offset; // of nodes
  int *begin, *tree, *list;           // each tree's first node in list, and its root
  int *link_start, *link, *column;    // of nodes: their trees; of trees: their first column in the factor
  size_t *rows_begin, *link_begin;    // of nodes; of their trees
} node_lists;

static node_lists carve(const struct srs_constraints *c, island *is)
{
  const srs_node_rooms room = srs_node_rooms_of(c, c->capacity);
  node_lists l = {0};
  int *at = c->node_integers;
  is->node_of = at, at += room.rows;
  l.first = at, at += room.nodes;
  l.start = at, at += room.nodes;
  l.mark = at, at += room.nodes;
  l.offset = at, at += room.nodes;
  l.begin = at, at += room.sides + 1;
  l.tree = at, at += room.sides;
  l.list = at, at += room.sides;
  l.link_start = at, at += room.nodes;
  l.link = at, at += room.sides;
  l.column = at, at += room.sides + 1;
  is->own = c->node_sizes;
  l.rows_begin = is->own + room.rows;
  l.link_begin = l.rows_begin + room.nodes;
  return l;
}

// Makes room for twice as many neighbours.
static srs_status grow_columns(struct srs_constraints *c)
{
  if (c->is_fixed) return SRS_ERROR_CAPACITY;
  const size_t room = 2 * c->column_room + 1024;
  int *fresh = malloc(room * sizeof *fresh);
  if (fresh == NULL) return SRS_ERROR_MEMORY;
  if (c->column_room > 0) memcpy(fresh, c->block_columns, c->column_room * sizeof *fresh);
  free(c->block_columns);
  c->block_columns = fresh;
  c->column_room = room;
  c->next.growths = ++c->statistics.growths;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Neighbours
// ---------------------------------------------------------------------------------------------------------------------

static bool is_contact(const island *is, int node)
{
  return node >= is->n_bilateral && node < is->n_bilateral + is->n_contacts;
}

static const scalar_row *scalar_of(const struct srs_constraints *c, const island *is, int node)
{
  return &c->scalars[is->scalars[node < is->n_bilateral ? node : node - is->n_contacts]];
}

// Finds the trees that a node has sides on, each once; returns how many.
static int trees_of(const struct srs_constraints *c, const island *is, int node, int trees[SRS_ROW_SIDES])
{
  const bool is_of_contact = is_contact(is, node);
  const scalar_row *scalar = is_of_contact ? NULL : scalar_of(c, is, node);
  const int sides = is_of_contact ? 2 : scalar->row.n_sides;
  int n = 0;
  for (int side = 0; side < sides; side++) {
    const int tree = is_of_contact ? c->active[is->contacts[node - is->n_bilateral]].tree[side]
                                   : c->workspace->tree[scalar->row.link[side]];
    bool is_new = tree >= 0;
    for (int k = 0; k < n; k++) is_new = is_new && trees[k] != tree;
    if (is_new) trees[n++] = tree;
  }
  return n;
}

static int rows_of(const struct srs_constraints *c, const island *is, int node)
{
  return is_contact(is, node) ? c->active[is->contacts[node - is->n_bilateral]].n_rows : 1;
}

// Fills the trees' lists. tree_mark holds a tree's number plus one until neighbours are found.
static void list_trees(struct srs_constraints *c, const island *is, int n_nodes, node_lists *l)
{
  int trees[SRS_ROW_SIDES];
  l->n_trees = 0;
  l->begin[0] = 0;
  for (int node = 0; node < n_nodes; node++)
    for (int n = trees_of(c, is, node, trees), k = 0; k < n; k++) {
      int *number = &c->tree_mark[trees[k]];
      if (*number == 0) {
        l->tree[l->n_trees] = trees[k];
        *number = ++l->n_trees;
        l->begin[*number] = 0;
      }
      l->begin[*number]++;
    }
  for (int t = 0; t < l->n_trees; t++) l->begin[t + 1] += l->begin[t];
  for (int node = n_nodes - 1; node >= 0; node--)
    for (int n = trees_of(c, is, node, trees), k = 0; k < n; k++) l->list[--l->begin[c->tree_mark[trees[k]]]] = node;
  // Each entry has become the begin of the next tree.
  memmove(l->begin, l->begin + 1, (size_t)l->n_trees * sizeof *l->begin);
  int sides = 0;
  for (int node = 0; node < n_nodes; node++) sides += trees_of(c, is, node, trees);
  l->begin[l->n_trees] = sides;
}

// Lists each node's trees, and bounds the size of the factor.
static void list_links(const struct srs_constraints *c, island *is, const node_lists *l)
{
  const srs_model *m = c->workspace->model;
  int trees[SRS_ROW_SIDES], n_links = 0;
  for (int node = 0; node < is->blocks.n_block_rows; node++) {
    l->link_start[node] = n_links;
    for (int n = trees_of(c, is, node, trees), k = 0; k < n; k++) l->link[n_links++] = c->tree_mark[trees[k]] - 1;
  }
  l->link_start[is->blocks.n_block_rows] = n_links;
  is->n_links = (size_t)n_links, is->most_columns = 0, is->most_numbers = 0, is->most_sides = 0;
  for (int t = 0; t < l->n_trees; t++) {
    const int root = l->tree[t], freedoms = m->v_index[m->subtree_end[root]] - m->v_index[root];
    int rows = 0;
    size_t sides = 0;
    for (int i = l->begin[t]; i < l->begin[t + 1]; i++) {
      const int more = rows_of(c, is, l->list[i]);
      rows += more;
      sides += (size_t)more * (size_t)(is_contact(is, l->list[i]) ? 2 : scalar_of(c, is, l->list[i])->row.n_sides);
    }
    const int most = rows < freedoms ? rows : freedoms;
    is->most_columns += most;
    is->most_numbers += (size_t)rows * (size_t)most;
    if (sides > is->most_sides) is->most_sides = sides;
  }
}

// Adds a node's neighbours from the lists of its trees, each of which is ascending.
static srs_status add_neighbours(struct srs_constraints *c, const island *is, const node_lists *l, int node, int *count)
{
  int trees[SRS_ROW_SIDES];
  const int from = *count;
  l->mark[node] = node;
  for (int n = trees_of(c, is, node, trees), k = 0; k < n; k++) {
    const int t = c->tree_mark[trees[k]] - 1;
    for (int i = l->begin[t]; i < l->begin[t + 1]; i++) {
      const int other = l->list[i];
      if (other != node && l->mark[other] == node) continue;
      if (other == node && k > 0) continue;
      l->mark[other] = node;
      if ((size_t)*count == c->column_room) {
        const srs_status status = grow_columns(c);
        if (status != SRS_OK) return status;
      }
      int at = (*count)++;
      for (; at > from && c->block_columns[at - 1] > other; at--) c->block_columns[at] = c->block_columns[at - 1];
      c->block_columns[at] = other;
    }
  }
  return SRS_OK;
}

srs_status srs_find_blocks(struct srs_constraints *c, island *is)
{
  const int n_nodes = is->n_contacts + is->n_bilateral + is->n_unilateral + is->n_box;
  node_lists l = carve(c, is);
  int row = 0, count = 0;
  for (int node = 0; node < n_nodes; node++) {
    l.first[node] = row;
    l.mark[node] = -1;
    for (int k = rows_of(c, is, node); k > 0; k--) is->node_of[row++] = node;
  }
  l.first[n_nodes] = row;
  list_trees(c, is, n_nodes, &l);
  srs_status status = SRS_OK;
  for (int node = 0; node < n_nodes && status == SRS_OK; node++) {
    l.start[node] = count;
    status = add_neighbours(c, is, &l, node, &count);
  }
  l.start[n_nodes] = count;
  size_t at = 0;
  for (int node = 0; node < n_nodes && status == SRS_OK; node++) {
    const size_t rows = (size_t)(l.first[node + 1] - l.first[node]);
    size_t wide = 0, own = 0;
    for (int k = l.start[node]; k < l.start[node + 1]; k++) {
      const int other = c->block_columns[k];
      if (other == node) own = wide;
      wide += (size_t)(l.first[other + 1] - l.first[other]);
    }
    l.rows_begin[node] = at;
    for (size_t i = 0; i < rows; i++) is->own[(size_t)l.first[node] + i] = at + i * wide + own + i;
    at += rows * wide;
  }
  l.rows_begin[n_nodes] = at;
  is->n_trees = l.n_trees;
  is->blocks = (srs_contact_blocks){
      .n_block_rows = n_nodes, .first = l.first, .start = l.start, .column = c->block_columns, .begin = l.rows_begin};
  list_links(c, is, &l);
  for (int t = 0; t < l.n_trees; t++) c->tree_mark[l.tree[t]] = 0;
  is->factor = (srs_contact_factor){
      .n_groups = l.n_trees, .first = l.column, .start = l.link_start, .group = l.link, .begin = l.link_begin};
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Matrix
// ---------------------------------------------------------------------------------------------------------------------

// Gathers a tree's rows in the problem's order; row_of has their indices. Returns how many.
static int gather(struct srs_constraints *c, const island *is, const node_lists *l, int t)
{
  int n = 0;
  for (int i = l->begin[t]; i < l->begin[t + 1]; i++) {
    const int node = l->list[i];
    const bool is_of_contact = is_contact(is, node);
    const active_contact *a = is_of_contact ? &c->active[is->contacts[node - is->n_bilateral]] : NULL;
    const scalar_row *scalar = is_of_contact ? NULL : scalar_of(c, is, node);
    for (int side = 0; side < (is_of_contact ? 2 : scalar->row.n_sides); side++) {
      const int tree = is_of_contact ? a->tree[side] : c->workspace->tree[scalar->row.link[side]];
      if (tree != l->tree[t]) continue;
      for (int row = 0; row < (is_of_contact ? a->n_rows : 1); row++) {
        c->row_of[n] = l->first[node] + row;
        c->rows[n++] =
            is_of_contact ? (srs_row){a->link[side], -1, 0, a->wrench[side][row]} : srs_row_side(&scalar->row, side);
      }
    }
  }
  return n;
}

static int add_tree(struct srs_constraints *c, const island *is, const node_lists *l, int t, double *value)
{
  const int n = gather(c, is, l, t);
  const int *row_of = c->row_of;
  srs_delassus_of_tree(c->workspace, l->tree[t], c->rows, n, is->rest);
  for (int i = 0, last = -1; i < n; i++) {
    const int node = is->node_of[row_of[i]];
    const size_t rows = (size_t)(l->first[node + 1] - l->first[node]);
    const size_t wide = (l->rows_begin[node + 1] - l->rows_begin[node]) / rows;
    double *to = value + l->rows_begin[node] + (size_t)(row_of[i] - l->first[node]) * wide;
    for (int k = l->start[node], at = 0; k < l->start[node + 1] && node != last; k++) {
      const int other = is->blocks.column[k];
      l->offset[other] = at - l->first[other];
      at += l->first[other + 1] - l->first[other];
    }
    last = node;
    for (int j = 0; j < n; j++)
      to[l->offset[is->node_of[row_of[j]]] + row_of[j]] += is->rest[(size_t)i * (size_t)n + (size_t)j];
  }
  for (int i = 0; i < n; i++) // the sides of one row are consecutive
    for (int j = i; j >= 0 && row_of[j] == row_of[i] && row_of[i] < is->n_bilateral; j--)
      is->phase[row_of[i]] += (j < i ? 2 : 1) * fabs(is->rest[(size_t)i * (size_t)n + (size_t)j]);
  return n;
}

// Adds the tree's part of the factor at `numbers`; returns its end.
static double *add_factor(struct srs_constraints *c, island *is, const node_lists *l, int t, int n, double *numbers)
{
  const srs_model *m = c->workspace->model;
  const int root = l->tree[t], freedoms = m->v_index[m->subtree_end[root]] - m->v_index[root];
  int rows = 0;
  for (int i = l->begin[t]; i < l->begin[t + 1]; i++) {
    l->offset[l->list[i]] = rows - l->first[l->list[i]];
    rows += rows_of(c, is, l->list[i]);
  }
  for (int i = 0; i < n; i++) c->row_of[i] += l->offset[is->node_of[c->row_of[i]]];
  const int most = rows < freedoms ? rows : freedoms;
  const int columns = srs_factor_tree(n, c->row_of, most, is->rest, is->velocity, is->b2, numbers);
  l->column[t + 1] = l->column[t] + columns;
  for (int i = l->begin[t]; i < l->begin[t + 1]; i++) {
    const int node = l->list[i];
    int k = l->link_start[node];
    while (l->link[k] != t) k++;
    l->link_begin[k] = (size_t)(numbers - is->numbers) + (size_t)(l->offset[node] + l->first[node]) * (size_t)columns;
  }
  return numbers + (size_t)rows * (size_t)columns;
}

// Clears the rows, and their columns, along which loops constrain a floating base to rounding only.
static void clear_idle_rows(island *is, const node_lists *l, double *value)
{
  const srs_contact_blocks *W = &is->blocks;
  for (int node = 0; node < W->n_block_rows; node++) {
    double *at = value + l->rows_begin[node];
    for (int row = l->first[node]; row < l->first[node + 1]; row++)
      for (int k = l->start[node]; k < l->start[node + 1]; k++) {
        const int other = W->column[k];
        const bool is_idle = (node < is->n_bilateral && srs_row_is_idle(value[is->own[node]], is->phase[node])) ||
                             (other < is->n_bilateral && srs_row_is_idle(value[is->own[other]], is->phase[other]));
        for (int j = l->first[other]; j < l->first[other + 1]; j++, at++)
          if (is_idle && (node != other)) *at = 0;
      }
  }
  for (int row = 0; row < is->n_bilateral; row++) {
    if (!srs_row_is_idle(value[is->own[row]], is->phase[row])) continue;
    value[is->own[row]] = 0;
    for (int k = l->link_start[row]; k < l->link_start[row + 1]; k++)
      for (int i = l->column[l->link[k]]; i < l->column[l->link[k] + 1]; i++)
        is->numbers[l->link_begin[k] + (size_t)(i - l->column[l->link[k]])] = 0;
  }
}

void srs_fill_blocks(struct srs_constraints *c, island *is, double *value)
{
  const node_lists l = carve(c, is);
  memset(value, 0, l.rows_begin[is->blocks.n_block_rows] * sizeof *value);
  memset(is->phase, 0, (size_t)is->n_bilateral * sizeof *is->phase);
  double *numbers = is->numbers;
  l.column[0] = 0;
  for (int t = 0; t < is->n_trees; t++) {
    const int n = add_tree(c, is, &l, t, value);
    numbers = add_factor(c, is, &l, t, n, numbers);
  }
  is->factor.value = is->numbers;
  is->blocks.factor = &is->factor;
  if (is->n_bilateral > 0) clear_idle_rows(is, &l, value);
  is->blocks.value = value;
}

// Begins with `sum`, which in velocities is b.
static double add_response(const island *is, const double *impulse, int row, double sum)
{
  if (!is->has_blocks) {
    const double *W = is->W + (size_t)row * (size_t)is->n;
    for (int j = 0; j < is->n; j++) sum += W[j] * impulse[j];
    return sum;
  }
  const srs_contact_blocks *W = &is->blocks;
  const int node = is->node_of[row];
  const size_t rows = (size_t)(W->first[node + 1] - W->first[node]);
  const size_t wide = (W->begin[node + 1] - W->begin[node]) / rows;
  const double *at = W->value + W->begin[node] + (size_t)(row - W->first[node]) * wide;
  for (int k = W->start[node]; k < W->start[node + 1]; k++)
    for (int j = W->first[W->column[k]]; j < W->first[W->column[k] + 1]; j++) sum += *at++ * impulse[j];
  return sum;
}

double srs_island_velocity(const island *is, const double *impulse, int row)
{
  return add_response(is, impulse, row, is->b[row]);
}

double srs_island_response(const island *is, const double *impulse, int row)
{
  return add_response(is, impulse, row, 0);
}

double srs_island_entry(const island *is, int row, int column)
{
  if (!is->has_blocks) return is->W[(size_t)row * (size_t)is->n + (size_t)column];
  const srs_contact_blocks *W = &is->blocks;
  const int node = is->node_of[row], other = is->node_of[column];
  const size_t rows = (size_t)(W->first[node + 1] - W->first[node]);
  const size_t wide = (W->begin[node + 1] - W->begin[node]) / rows;
  const double *at = W->value + W->begin[node] + (size_t)(row - W->first[node]) * wide;
  for (int k = W->start[node]; k < W->start[node + 1]; k++) {
    if (W->column[k] == other) return at[column - W->first[other]];
    at += W->first[W->column[k] + 1] - W->first[W->column[k]];
  }
  return 0;
}
