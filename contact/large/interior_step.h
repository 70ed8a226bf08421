// The Newton step of an interior point. Internal.
#pragma once
#include "contact/large/interior_problem.h"

/// Rows of a node that are kept.
static inline int srs_interior_size(const srs_interior *s, int node)
{
  return s->pattern.first[node + 1] - s->pattern.first[node];
}

SRS_CONTACT_INLINE double srs_interior_product(int n, const double *d, const double *v)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += d[i] * v[i];
  return sum;
}

/// y = W x on the rows that are kept.
void srs_interior_multiply(const srs_interior *interior, const double *x, double *y);

/// Factors the matrix of steps at the current z and y.
/// @return false where there is no room
bool srs_interior_factor(srs_interior *interior);

/// A Newton step with it: dz, dy, dx from `slope` and `shift` (c / z of each direction), and v = W dx.
void srs_interior_step(srs_interior *interior);
