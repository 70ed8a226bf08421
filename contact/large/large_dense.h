// Large problems of crowded contacts as a whole matrix: memory beside that of the packed form. Internal.
#pragma once
#include "contact/large/large_cone.h"

typedef struct srs_large_dense {
  int most_rows;
  double *matrices; // four of most_rows
  int *pivot;
} srs_large_dense;

/// Memory for problems of up to n_rows rows, but not for more than are solved so.
bool srs_large_dense_reserve(srs_large_dense *dense, int n_rows);
void srs_large_dense_release(srs_large_dense *dense);

/// Whether the problem at hand is one: of contacts in three dimensions, and not too large.
bool srs_large_dense_fits(const srs_large_dense *dense, const srs_large_cone *large);

/// Searches for an answer; the best impulses so far stay in the problem's fallback.
/// @param slower  its budget is in multiplications that take so many times as long as those of whole matrices
/// @return whether these are an answer
bool srs_large_dense_search(const srs_large_dense *dense, srs_large_cone *large, double slower);
