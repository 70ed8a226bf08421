// The optimum for given pieces, by Newton's method. Internal.
#pragma once
#include "collision/gjk/core.h"
#include "collision/gjk/simplex.h"

typedef struct srs_pair_optimum {
  vec3 normal;          // unit, from B to A, seen from the frame that the cores are given in
  vec3 a, b;            // points of the cores; a - b = gap * normal up to rounding
  double gap;           // of the cores
  double cap;           // where proven: no normal n + t, t across n and |t| <= cap, is better
  int piece_a, piece_b; // pieces that meet
  bool is_proven;       // the conditions of an optimum hold to rounding
} srs_pair_optimum;

typedef struct srs_search {
  const srs_core *a, *b;
  double scale;
  srs_pair_optimum *best; // the lowest F so far
  double far;             // F below -far ends a search: the exact distance is not needed then
} srs_search;

/// The support point of C, the Minkowski difference, along n; F(n) = n . w.
SRS_INLINE srs_vertex srs_minkowski_support(const srs_search *q, vec3 n)
{
  const srs_core_point a = core_support_local(q->a, scale3(-1, n));
  const srs_core_point b = core_support_local(q->b, rotate_back(q->b->axes, n));
  const vec3 at_b = add3(q->b->origin, rotate(q->b->axes, b.at));
  return (srs_vertex){sub3(at_b, a.at), a.at, at_b, a.piece, b.piece};
}

/// Two axes across a unit normal.
SRS_INLINE void srs_axes_across(vec3 n, vec3 *x, vec3 *y)
{
  const double s = copysign(1, n.z), p = -1 / (s + n.z), q = n.x * n.y * p;
  *x = (vec3){1 + s * n.x * n.x * p, s * q, -s * n.x};
  *y = (vec3){q, s + n.y * n.y * p, -n.y};
}

/// Takes a normal with its F and the points that meet there, unless a better one is known. Of equals the later one: its
/// points are the better ones.
/// @param cap  see srs_pair_optimum   @return is_proven, if it was taken
bool srs_optimum_offer(const srs_search *q, vec3 n, double f, const srs_simplex *s, double cap, bool is_proven);

/// Solves the conditions (1) of refine.c from a normal nearby with the pieces of a simplex, and offers what holds.
bool srs_polish(const srs_search *q, const srs_simplex *s, vec3 n);

/// The same where a cap of a cylinder or cone may be flush with the other core: there (1) holds along its axis.
bool srs_polish_on_cap(const srs_search *q, vec3 n);
