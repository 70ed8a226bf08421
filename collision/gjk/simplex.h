// The simplex of GJK: up to four points of C, and its point nearest to the origin. Internal.
//
// C is the set of all differences b - a of points of two cores (refine.c).
#pragma once
#include "topology/base/spatial.h"
#include <stdbool.h>

typedef struct srs_vertex {
  vec3 w, a, b; // w = b - a
  int piece_a, piece_b;
} srs_vertex;

typedef struct srs_simplex {
  srs_vertex at[4];
  double weight[4];
  int n;
} srs_simplex;

/// Makes a simplex of one point. What lies beyond its n is left as it was, here and elsewhere.
SRS_INLINE void srs_simplex_start(srs_simplex *s, const srs_vertex *v) { s->at[0] = *v, s->weight[0] = 1, s->n = 1; }

/// Whether the pieces of a vertex are those of one of its points.
SRS_INLINE bool srs_simplex_has_pieces(const srs_simplex *s, const srs_vertex *v)
{
  for (int i = 0; i < s->n; i++)
    if (s->at[i].piece_a == v->piece_a && s->at[i].piece_b == v->piece_b) return true;
  return false;
}

/// Finds the point nearest to the origin of the simplex moved by -shift: its weights. Vertices without weight are
/// dropped.
/// @return false when the origin is inside
bool srs_simplex_reduce(srs_simplex *s, vec3 shift, vec3 *nearest);
