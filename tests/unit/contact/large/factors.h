// Contact problems of trees: rows of random nodes on random trees of a few freedoms each, W = L L^T, with an answer.
#pragma once
#include "support/blocks.h"

#include <math.h>

enum { TREES_MOST = 12, TREE_NODES_MOST = 40, TREE_SIDES = 4, TREE_ROWS_MOST = 160 };

typedef struct tree_lots {
  int most_trees, most_freedoms, most_contacts, most_scalars; // most_scalars: of each of the other kinds
  bool is_planar;                                             // one tangent
  bool is_soft;                                               // bilateral and box rows yield by themselves
} tree_lots;

typedef struct tree_problem {
  srs_contact_problem problem;
  srs_contact_factor factor;
  int first[TREES_MOST + 1], start[TREE_NODES_MOST + 1], group[TREE_SIDES * TREE_NODES_MOST];
  size_t begin[TREE_SIDES * TREE_NODES_MOST];
  double *value, *W, *L; // L: rows x columns
  double b[TREE_ROWS_MOST], own[TREE_ROWS_MOST], friction[TREE_NODES_MOST], box[2][TREE_NODES_MOST];
  unsigned char tangents[TREE_NODES_MOST];
} tree_problem;

static inline int tree_node_rows(const tree_problem *t, int node)
{
  const int contact = node - t->problem.n_bilateral;
  return contact < 0 || contact >= t->problem.n_contacts ? 1 : 1 + t->tangents[contact];
}

// The trees of a node, each once; one row in five is the one before it again.
static inline void tree_draw_node(testing_random *random, const tree_lots *lots, tree_problem *t, int node, int row)
{
  const int columns = t->first[t->factor.n_groups], rows = tree_node_rows(t, node);
  const int sides = 1 + testing_below(random, lots->most_trees < TREE_SIDES ? 2 : TREE_SIDES);
  const bool is_again = node > 0 && row >= rows && testing_below(random, 5) == 0 && tree_node_rows(t, node - 1) == rows;
  int at = t->start[node];
  for (int side = 0; side < sides && !is_again; side++) {
    const int g = testing_below(random, t->factor.n_groups);
    bool is_new = true;
    for (int k = t->start[node]; k < at; k++) is_new = is_new && t->group[k] != g;
    if (is_new) t->group[at++] = g;
  }
  for (int k = t->start[node > 0 ? node - 1 : 0]; k < t->start[node] && is_again; k++) t->group[at++] = t->group[k];
  t->start[node + 1] = at;
  for (int i = row; i < row + rows; i++)
    for (int k = t->start[node]; k < at; k++)
      for (int c = t->first[t->group[k]]; c < t->first[t->group[k] + 1]; c++)
        t->L[(size_t)i * (size_t)columns + (size_t)c] =
            is_again ? t->L[(size_t)(i - rows) * (size_t)columns + (size_t)c] : testing_uniform(random, -1, 1);
}

static inline void tree_fill(tree_problem *t, int rows, int nodes)
{
  const int columns = t->first[t->factor.n_groups];
  size_t at = 0;
  int row = 0;
  t->value = calloc((size_t)rows * (size_t)columns + 1, sizeof *t->value);
  t->W = calloc((size_t)rows * (size_t)rows, sizeof *t->W);
  assert_true(t->value != NULL && t->W != NULL);
  for (int node = 0; node < nodes; row += tree_node_rows(t, node), node++)
    for (int k = t->start[node]; k < t->start[node + 1]; k++) {
      t->begin[k] = at;
      for (int i = row; i < row + tree_node_rows(t, node); i++)
        for (int c = t->first[t->group[k]]; c < t->first[t->group[k] + 1]; c++)
          t->value[at++] = t->L[(size_t)i * (size_t)columns + (size_t)c];
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++) {
      double sum = i == j ? t->own[i] : 0;
      for (int c = 0; c < columns; c++)
        sum += t->L[(size_t)i * (size_t)columns + (size_t)c] * t->L[(size_t)j * (size_t)columns + (size_t)c];
      t->W[(size_t)i * (size_t)rows + (size_t)j] = sum;
    }
}

// b such that some velocities hold all bilateral rows and part all contacts.
static inline void tree_draw_velocities(testing_random *random, tree_problem *t, int rows)
{
  const srs_contact_problem *p = &t->problem;
  const int columns = t->first[t->factor.n_groups];
  double inside[TREE_ROWS_MOST];
  for (int c = 0; c < columns; c++) inside[c] = testing_uniform(random, -1, 1);
  for (int i = 0; i < rows; i++) {
    t->b[i] = i < p->n_bilateral ? 0 : testing_uniform(random, -1, 1);
    for (int c = 0; c < columns && i < p->n_bilateral; c++)
      t->b[i] -= t->L[(size_t)i * (size_t)columns + (size_t)c] * inside[c];
  }
  for (int c = 0, row = p->n_bilateral; c < p->n_contacts + p->n_unilateral; c++) {
    const int tangents = c < p->n_contacts ? t->tangents[c] : 0;
    double normal = 0, slip = 0;
    for (int i = row; i <= row + tangents; i++) {
      double w = i > row ? t->b[i] : 0;
      for (int k = 0; k < columns; k++) w += t->L[(size_t)i * (size_t)columns + (size_t)k] * inside[k];
      if (i == row)
        normal = w;
      else
        slip += fabs(w);
    }
    const double mu = c < p->n_contacts ? t->friction[c] : 0;
    t->b[row] = mu * slip - normal + testing_uniform(random, 0.05, 1);
    row += 1 + tangents;
  }
}

static inline void tree_problem_make(testing_random *random, const tree_lots *lots, tree_problem *t)
{
  *t = (tree_problem){.value = NULL};
  srs_contact_problem *p = &t->problem;
  p->n_bilateral = testing_below(random, lots->most_scalars + 1);
  p->n_contacts = 1 + testing_below(random, lots->most_contacts);
  p->n_unilateral = testing_below(random, lots->most_scalars + 1);
  p->n_box = testing_below(random, lots->most_scalars + 1);
  const int nodes = p->n_bilateral + p->n_contacts + p->n_unilateral + p->n_box;
  t->factor.n_groups = 1 + testing_below(random, lots->most_trees);
  for (int g = 0; g < t->factor.n_groups; g++)
    t->first[g + 1] = t->first[g] + 1 + testing_below(random, lots->most_freedoms);
  for (int c = 0; c < p->n_contacts; c++) {
    t->tangents[c] = (unsigned char)(lots->is_planar ? 1 : testing_below(random, 4));
    t->friction[c] = testing_below(random, 4) == 0 ? 0 : testing_uniform(random, 0, 0.8);
  }
  for (int i = 0; i < p->n_box; i++) t->box[1][i] = testing_uniform(random, 0, 1), t->box[0][i] = -t->box[1][i];
  p->tangents = t->tangents, p->friction = t->friction, p->b = t->b;
  p->box_lower = t->box[0], p->box_upper = t->box[1];
  const int rows = srs_contact_problem_rows(p);
  assert_true(nodes <= TREE_NODES_MOST && rows <= TREE_ROWS_MOST && t->first[t->factor.n_groups] <= TREE_ROWS_MOST);
  t->L = calloc((size_t)rows * (size_t)t->first[t->factor.n_groups], sizeof *t->L);
  assert_non_null(t->L);
  for (int node = 0, row = 0; node < nodes; row += tree_node_rows(t, node), node++)
    tree_draw_node(random, lots, t, node, row);
  for (int i = 0; i < rows; i++)
    if (lots->is_soft && (i < p->n_bilateral || i >= rows - p->n_box)) t->own[i] = testing_uniform(random, 0, 0.5);
  tree_fill(t, rows, nodes);
  tree_draw_velocities(random, t, rows);
  p->W = t->W;
  t->factor.first = t->first, t->factor.start = t->start, t->factor.group = t->group, t->factor.begin = t->begin;
  t->factor.value = t->value;
  t->factor.own = lots->is_soft ? t->own : NULL;
}

static inline srs_contact_sizes tree_sizes(const tree_problem *t, const srs_contact_blocks *blocks, int n_directions)
{
  srs_contact_sizes sizes = testing_sizes(blocks, n_directions);
  const int links = t->start[blocks->n_block_rows];
  sizes.n_groups = t->factor.n_groups, sizes.n_columns = t->first[t->factor.n_groups];
  sizes.n_links = (size_t)links;
  sizes.n_numbers = (size_t)sizes.n_rows * (size_t)sizes.n_columns;
  return sizes;
}

static inline void tree_problem_free(tree_problem *t)
{
  free(t->value);
  free(t->W);
  free(t->L);
}
