// Sparse LU and least squares by block rows. Internal.
//
// A node of the pattern is a block row: a contact's rows, or a single row. The nonzero blocks of W make the pattern,
// taken as symmetric. AMD orders its nodes for little fill-in, once for each pattern. A matrix of the pattern is stored
// packed: node after node, row by row, each over all columns of the node's neighbours side by side.
#pragma once
#include "contact/algebra/dense.h"

enum {
  SRS_SPARSE_FROM = 120,
  SRS_NODE_MOST = 4,
  SRS_SPARSE_VECTORS = 64
}; // rows from which it is tried; most of a node

typedef struct srs_run {
  int from, to;
} srs_run;

// Doubles of an elimination by fronts (contact/algebra/sparse_factor.c).
typedef struct srs_sparse_sizes {
  size_t stack, most, upper; // what waits for parents at most; V of the largest front, and of all
} srs_sparse_sizes;

typedef struct srs_sparse {
  int capacity; // rows; 0: never used
  int most_blocks, most_fill;
  int n, n_nodes;      // rows, nodes
  int *first;          // n_nodes + 1: each node's first row
  int *start, *column; // n_nodes + 1: where each node's neighbours begin; these, itself too, ascending
  int *begin, *wide;   // n_nodes + 1: where each node's rows begin in a packed matrix; columns of one
  int *at, *across;    // of each neighbour: its first column there; the index of the transposed block
  int *known, n_known; // the pattern ordered last: its nodes, start and column
  int *run_start;
  srs_run *run;              // n_nodes + 1; columns of a node's rows side by side
  int *node;                 // n: of a row
  int *order, *place;        // n_nodes: node at a place, place of a node
  int *panel_start, *panel;  // n_nodes + 1; places after this one that its elimination reaches, ascending
  int *row_start, *row;      // n_nodes + 1; places before this one that reach it, ascending
  int *offset;               // n_nodes + 1: rows before a place
  int *front, n_fronts;      // n_nodes + 1: the first place of each front
  int *front_of, *reach;     // n_nodes: of a place, its front, and rows of its panel
  int *pivot;                // 2 n: order of a place's rows
  srs_sparse_sizes sizes[2]; // of elimination, of least squares
  int *scratch;
  double *work, *y;       // 2 n + 8 each
  double multiplications; // of one elimination, without those of zeros that fill up fronts
  double fill;            // numbers of V likewise
} srs_sparse;

/// Room for a pattern.
typedef struct srs_sparse_room {
  int n_rows;              // and nodes
  size_t n_blocks, n_fill; // neighbours of all nodes; later places that all places reach
} srs_sparse_room;

/// For matrices whose pattern is found by srs_sparse_analyse. None below SRS_SPARSE_FROM rows.
srs_sparse_room srs_sparse_usual_room(int n_rows);

/// Integers and doubles that `lay_out` divides up.
size_t srs_sparse_integers(const srs_sparse_room *room);
size_t srs_sparse_doubles(const srs_sparse_room *room);
void srs_sparse_lay_out(srs_sparse *sparse, const srs_sparse_room *room, int *integers, double *doubles);

/// Orders a pattern that is given in n, n_nodes, first, start and column: start and column symmetric, columns
/// ascending. The order is reused while the pattern stays the same.
/// @return false where the fill-in exceeds the room
bool srs_sparse_order(srs_sparse *sparse);

/// Derived data of a pattern given in n_nodes, first, start and column: all but the order.
/// @return false where a packed matrix has more numbers than an int counts
bool srs_sparse_set_up(srs_sparse *sparse);

/// Doubles of fill-in; sets `multiplications`, and finds fronts.
double srs_sparse_fill(srs_sparse *sparse);

/// Doubles that any elimination takes, for least squares too, or kept factors with SRS_SPARSE_VECTORS of n beside.
size_t srs_sparse_most_doubles(const srs_sparse *sparse);

/// Which places are eliminated together, of an ordered pattern whose offsets are known; how much memory that takes.
void srs_sparse_find_fronts(srs_sparse *sparse);

/// Rows of a place.
static inline int srs_sparse_size(const srs_sparse *sparse, int place)
{
  return sparse->offset[place + 1] - sparse->offset[place];
}

/// A row of a node in a packed matrix.
static inline double *srs_sparse_row(const srs_sparse *sparse, double *A, int node, int row)
{
  return A + sparse->begin[node] + (size_t)(row - sparse->first[node]) * (size_t)sparse->wide[node];
}

/// A_ii.
double *srs_sparse_diagonal(const srs_sparse *sparse, double *A, int row);

/// Finds and orders the pattern of a matrix whose nodes are given in sparse->first.
/// @param room  doubles that an elimination may take
/// @return false where dense elimination is as fast
bool srs_sparse_analyse(srs_sparse *sparse, int n_nodes, const double *W, int stride, size_t room);

/// Doubles of a packed matrix.
static inline size_t srs_sparse_numbers(const srs_sparse *sparse) { return (size_t)sparse->begin[sparse->n_nodes]; }

/// Packs a matrix of the pattern. All below are packed.
void srs_sparse_pack(const srs_sparse *sparse, const double *W, int stride, double *packed);

/// y = A x for the rows of a node; x is n.
void srs_sparse_multiply(const srs_sparse *sparse, int node, const double *A, const double *x, double *y);

/// y = A^T x.
void srs_sparse_multiply_transposed(const srs_sparse *sparse, const double *A, const double *x, double *y);

/// x <- A^-1 x by elimination, with pivots within nodes only.
/// @param memory  srs_sparse_most_doubles
/// @return false where a pivot is below least_ratio times the largest
bool srs_sparse_solve(const srs_sparse *sparse, const double *A, double least_ratio, double *memory, double *x);

/// LU, kept for any number of right-hand sides: as srs_sparse_solve.
/// @param memory  out: srs_sparse_factor_doubles; it holds as long as no other matrix of the pattern is eliminated
bool srs_sparse_factor(const srs_sparse *sparse, const double *A, double least_ratio, double *memory);

/// Doubles of factors that are kept, and multiplications of a solution by them.
size_t srs_sparse_factor_doubles(const srs_sparse *sparse);
static inline double srs_sparse_apply_work(const srs_sparse *sparse)
{
  return 2 * sparse->fill + SRS_NODE_MOST * (double)sparse->n;
}

/// x <- A^-1 x by the factors in memory.
void srs_sparse_apply(const srs_sparse *sparse, const double *memory, double *x);

/// x <- the minimiser of |A x - b|^2 + shift |x|^2, b coming in x: the lower half of u + A x = b, A^T u = shift x.
bool srs_sparse_least_squares(const srs_sparse *sparse, const double *A, double shift, double *memory, double *x);
