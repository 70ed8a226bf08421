// Rows of a step that share moving trees: one problem each. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// One island's problem in the sim's memory: rows of bilateral scalars, of contacts, of unilateral scalars, of boxes.
typedef struct island {
  const int *contacts; // n_contacts: active contacts, in the order of their shapes' names
  const int *scalars;  // n_bilateral + n_unilateral + n_box: scalar rows in that order
  int n_contacts, n_bilateral, n_unilateral, n_box;
  int n, n_contact_rows; // rows, those of contacts
  double *W, *b, *b2, *impulse, *phase, *velocity;
  double *friction, *restitution;          // n_contacts; e of those that bounce, else 0
  double *anisotropy;                      // n_contacts x 3; NULL where all are round with two tangents
  unsigned char *tangents;                 // n_contacts; NULL likewise
  const active_contact *active;            // of all islands
  double *lower, *upper, *lower2, *upper2; // n_box: of the first phase and the second
  double *rest;                            // Lambda of one tree; in its place the second phase of Poisson's impacts
  bool has_blocks;                         // W is given by blocks, and W itself is NULL
  srs_contact_blocks blocks;
  srs_contact_factor factor;    // of the blocks
  size_t n_links, most_numbers; // of it: nodes' groups; numbers at most
  int most_columns;             // at most
  double *numbers, *own_part;   // these; n: what is W's diagonal's own
  double *matrix;               // W, or the blocks' values
  int *node_of;                 // n: the node that each row is of
  size_t *own;                  // n: where each row's diagonal entry is among the values
  int n_trees;                  // of its nodes
  size_t most_sides;            // at least as many sides as rows have on one tree
} island;

/// The island as a contact problem, with b and the bounds of one phase.
static inline srs_contact_problem srs_island_problem(const island *is, const double *b, const double *lower,
                                                     const double *upper)
{
  return (srs_contact_problem){.n_bilateral = is->n_bilateral,
                               .n_contacts = is->n_contacts,
                               .n_unilateral = is->n_unilateral,
                               .n_box = is->n_box,
                               .W = is->W,
                               .blocks = is->has_blocks ? &is->blocks : NULL,
                               .b = b,
                               .friction = is->friction,
                               .tangents = is->tangents,
                               .anisotropy = is->anisotropy,
                               .box_lower = lower,
                               .box_upper = upper};
}

/// Orders contacts and scalar rows by island.  @return how many islands
int srs_find_islands(struct srs_constraints *constraints, int n_contacts);

/// Lays the island out, and fills W and b.  @param v  nv: velocities without impulses; those of the links in the
/// workspace likewise, where a row has sides on links
srs_status srs_open_island(struct srs_constraints *constraints, int number, const double *v, island *out);

static inline int srs_row_of_contact(const island *is, int i) { return is->active[is->contacts[i]].row; }

static inline int srs_row_of_scalar(const island *is, int i)
{
  return i < is->n_bilateral ? i : i + is->n_contact_rows;
}

/// W_ii.
static inline double *srs_island_diagonal(const island *is, size_t row)
{
  return is->matrix + (is->has_blocks ? is->own[row] : row * ((size_t)is->n + 1));
}

/// W_ij, and (W impulse + b)_i.
double srs_island_entry(const island *is, int row, int column);
double srs_island_velocity(const island *is, const double *impulse, int row);

/// Which blocks W has, all but their values; then these.
srs_status srs_find_blocks(struct srs_constraints *constraints, island *is);
void srs_fill_blocks(struct srs_constraints *constraints, island *is, double *value);

/// L of a tree's rows, rows first, each as many numbers as there are columns.
/// @param n       sides
/// @param local   n: the row that each is a side of, numbered as they come, from 0
/// @param most    columns that there are room for: the tree's freedoms, or its rows if these are fewer
/// @param lambda  n x n; changed
/// @param left, parts  n each: scratch
/// @param L       rows x most, out
/// @return its columns
int srs_factor_tree(int n, const int *local, int most, double *lambda, double *left, double *parts, double *L);
