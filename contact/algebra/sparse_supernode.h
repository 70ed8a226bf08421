// Adjacent places with the same panel, for contact/algebra/sparse_symmetric.c. Internal.
#pragma once
#include "contact/algebra/sparse_symmetric.h"

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
