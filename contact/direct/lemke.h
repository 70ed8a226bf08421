// Lemke's pivoting method for linear complementarity. Internal.
#pragma once
#include "contact/algebra/dense.h"

typedef struct srs_lcp {
  int n, stride;
  double *M; // stride x stride, rows first
  double *q; // stride
} srs_lcp;

typedef struct srs_lemke_memory {
  double *tableau;          // n rows of srs_dense_stride(n + 2)
  double *factor;           // stride x stride
  double *column;           // stride
  int *row, *place, *pivot; // n; 2 n + 1; stride
} srs_lemke_memory;

typedef enum srs_lemke_status {
  SRS_LEMKE_SOLVED,
  SRS_LEMKE_RAY,   // no pivot: the method ends on a ray, for these matrices usually because there is no solution
  SRS_LEMKE_LIMIT, // too many pivots
} srs_lemke_status;

/// @param z       stride, out: the solution; on failure the last point, with negative entries set to 0
/// @param pivots  out
srs_lemke_status srs_lemke(const srs_lcp *lcp, const srs_lemke_memory *memory, int most_pivots, double *z, int *pivots);
