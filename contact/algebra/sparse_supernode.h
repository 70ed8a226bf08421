// The factor of contact/algebra/sparse_symmetric.h, and its adjacent places with the same panel. Internal.
#pragma once
#include "contact/algebra/sparse.h"

typedef struct srs_symmetric {
  const srs_sparse *pattern;
  size_t room;           // doubles of U
  int together_from;     // rows from which adjacent places with the same panel are eliminated at once
  double *U;             // panel of each place, row by row
  size_t *begin;         // n_nodes: where they begin
  double *own;           // n_nodes x SRS_NODE_MOST^2: R of each place, its diagonal inverted
  int *wide, *run_begin; // n_nodes + 1: columns of a place's panel; where its runs begin
  srs_run *run;          // adjacent columns
  int *next, *column;    // n_nodes: scratch, of each place the run that it is at, and columns before it
  int *supernode, *met;  // n_nodes: the first place of each one's supernode; the last one that met a supernode
  double *work;          // SRS_NODE_MOST rows of n
  double *y;             // n
} srs_symmetric;

enum { SRS_SUPERNODE_MOST = 64, SRS_SUPERNODE_FROM = 32 }; // rows of one; rows from which it is worth its trouble

typedef struct srs_supernode {
  srs_symmetric *s;
  int first, end;                                      // places
  int rows, wide;                                      // own rows, columns of the common panel
  double own[SRS_SUPERNODE_MOST * SRS_SUPERNODE_MOST]; // rows beside own columns
  double scale[SRS_SUPERNODE_MOST];                    // what the diagonal was
  double *beside[SRS_SUPERNODE_MOST];                  // each row's panel, in U
} srs_supernode;

/// The places from `first` on that a supernode has: the next supernode begins there.
int srs_supernode_end(const srs_sparse *pattern, int first);

/// For places whose U begins at s->begin.
void srs_supernode_begin(srs_supernode *node, srs_symmetric *s, int first, int end);

/// The rows of place k, taken from the whole rows in s->work; scale: what the diagonal was.
void srs_supernode_take(srs_supernode *node, int k, const double *scale);

/// Subtracts the earlier places and factors: U and R of its places.
void srs_supernode_factor(srs_supernode *node);
