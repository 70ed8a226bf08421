// Which step does an interior point take? Internal.
#pragma once
#include "contact/large/interior_point.h"

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

/// x of z, where it is not in x already; w, and the directions' slopes.
void srs_interior_add_up(const srs_interior *interior);

/// The natural map with the polyhedron for the cone.
/// @param ahead  of the contacts' normal velocities, taken off; or NULL
double srs_interior_natural_map(const srs_interior *interior, const double *ahead);

/// Factors the matrix of steps from z and y as they are.
/// @return false where there is no room
bool srs_interior_factor(srs_interior *interior);

/// From z and y on, which stay as they are: the set of those that push, and what it answers. `best` is replaced by what
/// is better than residual, which is its.
/// @return false where there is no room
bool srs_interior_finish(srs_interior *interior, double goal, int *iterations, double *residual);

/// A Newton step with it: dz, dy, dx of `slope` and `shift` (c / z of each direction); what W dx is goes to v.
void srs_interior_step(srs_interior *interior);
