// Which normals does a corner of the ground have?
//
// Those with n . e <= 0 for all edges e from it: a solid that meets the corner along one of them is over none of its
// edges. Below an open edge there is no ground, so that n . N >= 0 with the normal N of its one triangle besides.
#include "collision/terrain/terrain_cone.h"
#include "collision/terrain/terrain_arc.h"

// The ways of side k of a triangle at the corner.  @return how many, 2 at most
static int ways_of_side(const srs_terrain *terrain, int point, size_t t, size_t k, vec3 ways[2], double most[2])
{
  const int from = terrain->corners[3 * t + k], to = terrain->corners[3 * t + (k + 1) % 3];
  if (from != point && to != point) return 0;
  ways[0] = sub3(terrain->points[from != point ? from : to], terrain->points[point]);
  most[0] = SRS_ARC_END * norm3(ways[0]);
  if (terrain->edges[3 * t + k] != SRS_EDGE_OPEN) return 1;
  ways[1] = scale3(-1, terrain->normals[t]); // not from below
  most[1] = SRS_ARC_END;
  return 2;
}

void srs_corner_cone_make(const srs_terrain *terrain, int point, srs_corner_cone *cone)
{
  cone->n = 0;
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++)
    for (size_t k = 0; k < 3 && cone->n <= SRS_CONE_WAYS - 2; k++)
      cone->n += ways_of_side(terrain, point, (size_t)terrain->fan[i], k, cone->ways + cone->n, cone->most + cone->n);
}

// The way that says no is asked first the next time.
bool srs_corner_cone_has(srs_corner_cone *cone, vec3 n)
{
  for (int i = 0; i < cone->n; i++) {
    if (dot3(n, cone->ways[i]) <= cone->most[i]) continue;
    const vec3 way = cone->ways[i];
    const double most = cone->most[i];
    cone->ways[i] = cone->ways[0], cone->most[i] = cone->most[0];
    cone->ways[0] = way, cone->most[0] = most;
    return false;
  }
  return true;
}

bool srs_corner_has_normal(const srs_terrain *terrain, int point, vec3 n)
{
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++)
    for (size_t k = 0; k < 3; k++) {
      vec3 ways[2];
      double most[2];
      const int n_ways = ways_of_side(terrain, point, (size_t)terrain->fan[i], k, ways, most);
      for (int w = 0; w < n_ways; w++)
        if (dot3(n, ways[w]) > most[w]) return false;
    }
  return true;
}
