// Islands: rows of a step that share moving trees, one problem each. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// One island's problem, in the constraint system's memory. The order of rows: bilateral scalar rows, contacts,
/// unilateral scalar rows, box rows.
typedef struct island {
  const int *contacts; // n_contacts: active contacts, in the order of their shapes' names
  const int *scalars;  // n_bilateral + n_unilateral + n_box: scalar rows in that order
  int n_contacts, n_bilateral, n_unilateral, n_box;
  int n, n_contact_rows; // rows in all, rows of contacts
  double *W, *b, *b2, *impulse, *phase, *velocity;
  double *friction, *restitution;          // n_contacts; e of contacts that bounce, else 0
  double *anisotropy;                      // n_contacts x 3; NULL where all shapes are isotropic and none resists spin
  double *rolling;                         // n_contacts; NULL likewise
  unsigned char *tangents;                 // n_contacts; NULL where all contacts have two
  bool has_two_tangents;                   // all contacts have
  const active_contact *active;            // of all islands
  double *lower, *upper, *lower2, *upper2; // n_box: of the first phase and the second
  double *rest;                            // Lambda of one tree; later the second phase of Poisson's impacts
  bool has_blocks;                         // the matrix is given by blocks, and W is NULL
  srs_contact_blocks blocks;
  srs_contact_factor factor;    // of the blocks
  size_t n_links, most_numbers; // of the factor: nodes' groups, largest count of numbers
  int most_columns;             // of the factor: largest count
  double *numbers, *own_part;   // the factor's numbers; n: the diagonal part of W that is not in the factor
  double *matrix;               // W, or the blocks' values
  int *node_of;                 // n: each row's node
  size_t *own;                  // n: the place of each row's diagonal entry among the values
  int n_trees;                  // that its nodes have sides on
  size_t most_sides;            // no tree has more sides of rows
} island;

/// The options of a problem. Once a step has worked much, problems that are solved again have what is left of the
/// step's bound, at least a hundredth of it.
static inline srs_contact_options srs_problem_options(const struct srs_constraints *c, const srs_contact_options *own)
{
  srs_contact_options options = *own;
  const srs_sim_statistics *s = &c->next;
  if (c->is_again && srs_has_worked_much(c))
    options.most_work = fmin(own->most_work, fmax(s->step_most_work - s->step_work, 0.01 * s->step_most_work));
  return options;
}

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
                               .rolling = is->rolling,
                               .box_lower = lower,
                               .box_upper = upper};
}

/// Orders contacts and scalar rows by island.  @return how many islands
int srs_find_islands(struct srs_constraints *constraints, int n_contacts);

/// The root that stands for the island of a tree that has rows, after srs_find_islands; of other trees any root, theirs
/// or one of before.
int srs_island_of_tree(struct srs_constraints *constraints, int tree);

/// Which contacts and rows an island has, and the order of its rows; its memory is not laid out yet.
void srs_begin_island(struct srs_constraints *constraints, int number, island *out);

/// Where the contacts' friction, restitution and shape stand, from `at` on: 7 numbers a contact.  @return their end
enum { SRS_CONTACT_NUMBERS = 7 };
double *srs_lay_out_contacts(const struct srs_constraints *constraints, island *out, double *at);

/// Fills these, and b of the contacts' rows, from the links' velocities in the workspace.
void srs_fill_contacts(const struct srs_constraints *constraints, const island *island);

/// Lays out the island's problem, and fills W and b.  @param v  nv: velocities without impulses; the workspace has the
/// links' likewise, where a row has sides on links
srs_status srs_open_island(struct srs_constraints *constraints, int number, const double *v, island *out);

static inline int srs_row_of_contact(const island *is, int i) { return is->active[is->contacts[i]].row; }

static inline int srs_row_of_scalar(const island *is, int i)
{
  return i < is->n_bilateral ? i : i + is->n_contact_rows;
}

/// The velocity of a contact's row, for these velocities of links.
static inline double srs_contact_velocity(const active_contact *contact, int row, const v6 *velocity)
{
  double sum = 0;
  for (int side = 0; side < 2; side++)
    if (contact->link[side] >= 0) sum += v6_dot(contact->wrench[side][row], velocity[contact->link[side]]);
  return sum;
}

/// Adds a contact's impulses to those of its links.
static inline void srs_push_links(struct srs_constraints *c, const active_contact *a, const double *impulse)
{
  for (int side = 0; side < 2; side++) {
    if (a->link[side] < 0) continue;
    v6 *on = &c->impulse[a->link[side]];
    for (int row = 0; row < a->n_rows; row++) *on = v6_add_scaled(*on, impulse[row], a->wrench[side][row]);
  }
}

/// W_ii.
static inline double *srs_island_diagonal(const island *is, size_t row)
{
  return is->matrix + (is->has_blocks ? is->own[row] : row * ((size_t)is->n + 1));
}

/// W_ij, (W impulse + b)_i, and (W impulse)_i.
double srs_island_entry(const island *is, int row, int column);
double srs_island_velocity(const island *is, const double *impulse, int row);
double srs_island_response(const island *is, const double *impulse, int row);

/// srs_find_blocks finds the nonzero blocks of W, srs_fill_blocks their values.
srs_status srs_find_blocks(struct srs_constraints *constraints, island *is);
void srs_fill_blocks(struct srs_constraints *constraints, island *is, double *value);

/// Factors a tree's Lambda: L, rows first, each with as many numbers as there are columns.
/// @param n       sides
/// @param local   n: the row of each side, numbered from 0 in their order
/// @param most    columns that there is room for: the tree's degrees of freedom, or its rows if these are fewer
/// @param lambda  n x n; overwritten
/// @param left, parts  n each: scratch
/// @param L       rows x most, out
/// @return its columns
int srs_factor_tree(int n, const int *local, int most, double *lambda, double *left, double *parts, double *L);
