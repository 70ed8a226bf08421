// The scaled problem that an interior point works on, and its memory. Internal.
#pragma once
#include "contact/algebra/budget.h"
#include "contact/large/interior_groups.h"
#include "contact/problem/polyhedron.h"
#include <sarrus/contact.h>

typedef enum srs_interior_kind { SRS_INTERIOR_FREE, SRS_INTERIOR_CONE, SRS_INTERIOR_BOX } srs_interior_kind;

// Scaled as contact.h says, b to length 1. Nodes are the problem's block rows; immobile rows without demand are left
// out.
typedef struct srs_interior {
  int most_rows, most_nodes, most_directions, most_columns;
  size_t most_blocks, most_values, most_fill;
  bool is_short;                     // the last problem had more fill-in than there is room for
  int n_rows, n_nodes, n_directions; // rows of the problem
  const srs_contact_problem *problem;
  srs_polyhedron polyhedron;
  double *x, *w, *b, *best;  // n_rows: scaled impulses, velocities, b (which may be changed); the best impulses
  int *kept;                 // pattern.n: which row of the problem each row here is
  double *W;                 // scaled: rows of a node one after another, each over the rows of its neighbours
  size_t *begin;             // n_nodes + 1: where they begin
  int *at;                   // of each neighbour: where its columns begin there
  unsigned char *kind;       // n_nodes
  int *first_direction;      // n_nodes + 1; boxes: two, distances from the lower and the upper bound
  double *whole, *direction; // n_directions x 4: of x, over all rows of the node and over those that are kept
  double *z, *y;             // n_directions: weights and their dual slacks; both 0: a bound at infinity
  double *dz, *dy, *g, *shift, *slope;
  double *weight, *centre, *old_z, *old_y;   // n_directions: of the finish; z and y saved by it
  double *centre_x, *old_x, *free_shift;     // n_rows: of rows that are not contacts' likewise; shifts of free rows
  double free_part;                          // Q of free rows: 0 but in the finish
  bool *pushes;                              // n_directions: whether each is active in the finish
  double *beyond;                            // n_directions x 4: of those not in the basis, in terms of it
  int *basis;                                // n_nodes x 4: directions that span the node's rows
  double *B, *Q;                             // n_nodes x 4 x 4: these as columns; what is added to the matrix
  double *u, *dx, *v, *response;             // pattern.n each
  double *scale, *velocity, *answer, *ahead; // n_rows each: for those who call
  double *lower, *upper;                     // n_box, scaled
  srs_sparse pattern;
  srs_symmetric factor;
  bool has_groups;          // W's factor is known, and steps are found by it
  srs_groups groups;        // memory of its own
  double *H, *inverse;      // n_nodes x 4 x 4: inverse of what is added to W, and to the matrix
  double *change, *mistake; // n_columns: of velocities; what they are off by
  double work;              // multiplications of an iteration
  double *left;             // budget of multiplications
  int *integers;
  size_t *sizes;
  double *doubles;
} srs_interior;

/// Memory. Kept where it is enough; room for fill-in is doubled where the last problem ran out of it.
/// @return false when there is none
bool srs_interior_reserve(srs_interior *interior, const srs_contact_sizes *sizes, int n_directions);
bool srs_interior_has_room(const srs_interior *interior, const srs_contact_sizes *sizes, int n_directions);
void srs_interior_release(srs_interior *interior);

/// Takes over a problem with blocks.
/// @return false where there is no room
bool srs_interior_begin(srs_interior *interior, const srs_contact_problem *problem, const double *scale, double size,
                        const srs_polyhedron *polyhedron);
