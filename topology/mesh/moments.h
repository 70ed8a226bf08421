// Sums over the triangles of a mesh: volume or area, first and second moments. Internal.
//
// A solid is the sum of the pyramids from the origin to each triangle (a, b, d), of signed volume a . (b x d) / 6; a
// shell is the sum of its triangles. Of k + 1 corners in all, the origin among them for a pyramid (k = 4) and not for a
// triangle (k = 3), with s = a + b + d,
//
//   centre s / k,   int x x^T = weight / (k (k + 1)) (a a^T + b b^T + d d^T + s s^T)
//
// The inertia of unit mass about the centre is trace(C) 1 - C, C = int x x^T / total - centre centre^T. Signs cancel
// where all triangles face inwards.
#pragma once
#include "topology/base/spatial.h"

enum { SRS_TRIANGLE = 3, SRS_PYRAMID = 4 };

typedef struct srs_moments {
  double total;
  vec3 first;
  sym3 second;
} srs_moments;

static inline double srs_pyramid_volume(vec3 a, vec3 b, vec3 d) { return dot3(a, cross3(b, d)) / 6; }

static inline sym3 srs_outer(double w, vec3 a)
{
  return (sym3){w * a.x * a.x, w * a.y * a.y, w * a.z * a.z, w * a.x * a.y, w * a.x * a.z, w * a.y * a.z};
}

/// @param corners  SRS_TRIANGLE or SRS_PYRAMID   @param weight  area or volume
static inline void srs_moments_add(srs_moments *m, int corners, double weight, vec3 a, vec3 b, vec3 d)
{
  const vec3 s = add3(a, add3(b, d));
  const double w = weight / (corners * (corners + 1));
  m->total += weight;
  m->first = add_scaled3(m->first, weight / corners, s);
  m->second = sym3_add(
      m->second, sym3_add(sym3_add(srs_outer(w, a), srs_outer(w, b)), sym3_add(srs_outer(w, d), srs_outer(w, s))));
}

/// The inertia of unit mass about a centre, which is the mean of all that was added.
static inline sym3 srs_moments_inertia(const srs_moments *m, vec3 centre)
{
  const double per = m->total;
  const sym3 c = sym3_add((sym3){m->second.xx / per, m->second.yy / per, m->second.zz / per, m->second.xy / per,
                                 m->second.xz / per, m->second.yz / per},
                          srs_outer(-1, centre));
  const double trace = c.xx + c.yy + c.zz;
  return (sym3){trace - c.xx, trace - c.yy, trace - c.zz, -c.xy, -c.xz, -c.yz};
}
