// An optimum from the pieces that meet in it: what refine.c and expand.c share. Internal to collision/.
#pragma once
#include "collision/gjk/refine.h"

typedef struct srs_vertex {
  vec3 w, a, b; // w = b - a
  int piece_a, piece_b;
} srs_vertex;

typedef struct srs_simplex {
  srs_vertex at[4];
  double weight[4];
  int n;
} srs_simplex;

typedef struct srs_search {
  const srs_core *a, *b;
  double scale;
  srs_pair_optimum *best; // the lowest F so far
  double far;             // F below -far ends a search: nobody asks how far they are apart then
} srs_search;

/// The point of C that lies farthest along n; F(n) = n . w.
SRS_INLINE srs_vertex srs_support(const srs_search *q, vec3 n)
{
  const srs_core_point a = core_support_local(q->a, scale3(-1, n));
  const srs_core_point b = core_support_local(q->b, rotate_back(q->b->axes, n));
  const vec3 at_b = add3(q->b->origin, rotate(q->b->axes, b.at));
  return (srs_vertex){sub3(at_b, a.at), a.at, at_b, a.piece, b.piece};
}

/// Makes a simplex of one point. What lies beyond its n is left as it was, here and elsewhere.
SRS_INLINE void srs_simplex_start(srs_simplex *s, const srs_vertex *v) { s->at[0] = *v, s->weight[0] = 1, s->n = 1; }

/// Two axes across a unit normal.
SRS_INLINE void srs_axes_across(vec3 n, vec3 *x, vec3 *y)
{
  const double s = copysign(1, n.z), p = -1 / (s + n.z), q = n.x * n.y * p;
  *x = (vec3){1 + s * n.x * n.x * p, s * q, -s * n.x};
  *y = (vec3){q, s + n.y * n.y * p, -n.y};
}

SRS_INLINE bool srs_has_pieces(const srs_simplex *s, const srs_vertex *v)
{
  for (int i = 0; i < s->n; i++)
    if (s->at[i].piece_a == v->piece_a && s->at[i].piece_b == v->piece_b) return true;
  return false;
}

/// Finds the nearest point of a simplex, moved by -shift, to the origin: its weights, and drops the vertices without.
/// @return false when the origin is inside
bool srs_reduce(srs_simplex *s, vec3 shift, vec3 *nearest);

/// Takes a normal with its F and the points that meet there, unless a better one is known. Of equals the later one: its
/// points are the better ones.
/// @param cap  see srs_pair_optimum   @return is_proven, if it was taken
bool srs_offer(const srs_search *q, vec3 n, double f, const srs_simplex *s, double cap, bool is_proven);

/// Solves (1) of refine.c from a normal nearby with the pieces of a simplex, and offers what holds.
bool srs_polish(const srs_search *q, const srs_simplex *s, vec3 n);

/// The same where a cap of a cylinder or cone may be flush: there (1) holds along its axis.
bool srs_polish_on_cap(const srs_search *q, vec3 n);
