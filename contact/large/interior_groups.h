// A Newton step of an interior point in velocities, where W is given as a sum over groups. Internal.
#pragma once
#include "contact/algebra/sparse_symmetric.h"
#include <sarrus/contact.h>

// W = sum of L_g L_g^T + diag(own) (srs_contact_factor), of which this holds L, scaled, on the rows that are kept.
// A group's columns are split into pieces of at most SRS_NODE_MOST.
typedef struct srs_groups {
  int most_nodes, most_groups, most_columns;
  size_t most_links, most_numbers, most_pairs, most_blocks, most_fill;
  bool is_short; // the last problem had more pairs or fill-in than there is room for
  int n_nodes, n_groups;
  const int *row;           // n_nodes + 1: each node's first row of those that are kept
  const int *start, *group; // as given: each node's groups
  const int *column;        // as given: n_groups + 1: first columns
  double *L;                // of a node in a group: rows first
  size_t *begin;            // as given: where these begin
  int *piece;               // n_groups + 1: each group's first piece
  int *pair;                // of each node's groups by each of them: where the blocks of the second begin in the first
  int *near_start, *near;   // n_groups + 1; groups that share a node, itself too, ascending
  int *scratch;
  double *block; // blocks of the matrix, as the pattern's columns
  double *half;  // SRS_NODE_MOST rows of a group's columns
  srs_sparse pattern;
  srs_symmetric factor;
  bool is_set_up;      // for matrices that are not symmetric: their packed form is known
  double *packed, *LU; // such a matrix, and its factors
  int *integers;
  size_t *sizes;
  double *doubles;
} srs_groups;

/// Memory. Kept where it is enough; what the last problem ran out of is doubled.
/// @return false when there is none
bool srs_groups_reserve(srs_groups *groups, const srs_contact_sizes *sizes);
void srs_groups_release(srs_groups *groups);
bool srs_groups_has_room(const srs_groups *groups, const srs_contact_sizes *sizes);

/// Takes over a problem's factor and orders the pattern.
/// @param first  n_nodes + 1: the nodes' rows in the problem
/// @param row    n_nodes + 1: those of them that are kept; must stay there
/// @param kept   row[n_nodes]: which these are
/// @param scale  of the problem's rows
/// @return false where there is no room
bool srs_groups_begin(srs_groups *groups, const srs_contact_factor *factor, int n_nodes, const int *first,
                      const int *row, const int *kept, const double *scale);

/// Multiplications of one factorisation, its matrix included.
double srs_groups_work(const srs_groups *groups);

/// Factors 1 + L^T H L.
/// @param H  n_nodes x SRS_NODE_MOST^2: symmetric, of each node's rows that are kept
/// @return false where it has no room
bool srs_groups_factor(srs_groups *groups, const double *H);

/// y <- (1 + L^T H L)^-1 y.
void srs_groups_solve(const srs_groups *groups, double *y);

/// The same where the blocks of H are not symmetric. Either factorisation overwrites nothing of the other.
bool srs_groups_factor_general(srs_groups *groups, const double *H);
void srs_groups_solve_general(const srs_groups *groups, double *y);

/// y = L^T x, and x = L y: y over all columns, x over the rows that are kept.
void srs_groups_gather(const srs_groups *groups, const double *x, double *y);
void srs_groups_spread(const srs_groups *groups, const double *y, double *x);
