// Faces that a point meets across a valley.
//
// The free space at a valley is what is before the planes of both its faces, whether or not a point has its foot in
// them. Below a valley there is a wedge of points with their feet in neither; a point over one face can reach the other
// within the margin and have its foot beside it. So a face's plane counts across its valleys:
//
//   beyond an edge      if the place of the ground that is nearest to the point is on one of the two faces, or around
//                       an end of the edge where all edges are valleys or flat;
//   beyond a corner     if it is on one of the faces around it. Unless all edges there are valleys or flat, the planes
//                       cut off free space: then the point must be in the ground, with the corner nearest.
//
// Before the plane the point must be as near as the margin to the face, and the plane no nearer than the ground; behind
// the plane it must be in the ground.
#include "collision/terrain/terrain_valley.h"

// The place of a triangle that is nearest to a point beside it: within side k, or at corner k.
typedef struct border {
  double distance;
  int k;
  bool is_corner;
} border;

static border nearest_border(const srs_terrain *terrain, int t, vec3 p)
{
  border nearest = {INFINITY, 0, false};
  for (int k = 0; k < 3; k++) {
    const vec3 from = terrain_corner(terrain, t, k), along = sub3(terrain_corner(terrain, t, k + 1), from);
    const vec3 way = sub3(p, from);
    const double s = dot3(way, along) / dot3(along, along), on = s < 0 ? 0 : s > 1 ? 1 : s;
    const double distance = norm3(sub3(way, scale3(on, along)));
    if (distance < nearest.distance) nearest = (border){distance, s < 1 ? k : (k + 1) % 3, !(s > 0 && s < 1)};
  }
  return nearest;
}

static bool is_pit(const srs_terrain *terrain, int point)
{
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++) {
    const size_t t = (size_t)terrain->fan[i];
    for (size_t k = 0; k < 3; k++) {
      const int kind = terrain->edges[3 * t + k];
      const bool is_of_point = terrain->corners[3 * t + k] == point || terrain->corners[3 * t + (k + 1) % 3] == point;
      if (is_of_point && kind != SRS_EDGE_VALLEY && kind != SRS_EDGE_FLAT) return false;
    }
  }
  return true;
}

static bool is_around(const srs_terrain *terrain, int point, int group)
{
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++)
    if (terrain->group[terrain->fan[i]] == group) return true;
  return false;
}

// Whether a point behind a face is in the ground; beside an open border it is not.
static bool is_inside(const srs_terrain *terrain, vec3 p, const srs_surface_nearest *nearest, double slack)
{
  if (nearest->height > slack || terrain_is_beside(terrain, p, slack)) return false;
  if (nearest->distance <= fabs(nearest->height) + slack) return true; // straight under a face
  for (int k = 0; k < 3; k++) {
    const vec3 from = terrain_corner(terrain, nearest->triangle, k);
    const vec3 along = sub3(terrain_corner(terrain, nearest->triangle, k + 1), from), way = sub3(nearest->at, from);
    const bool is_open = terrain->edges[3 * (size_t)nearest->triangle + (size_t)k] == SRS_EDGE_OPEN;
    if (is_open && norm3(cross3(along, way)) <= slack * norm3(along)) return false;
  }
  return true;
}

// Whether some place of the ground is nearer than a corner; the triangles around it first, of which one mostly is.
static bool is_nearer_than(const srs_terrain *terrain, int point, vec3 p, double distance)
{
  srs_surface_nearest nearest = srs_surface_nothing();
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++)
    srs_surface_look_at(terrain, terrain->fan[i], p, &nearest);
  return nearest.distance < distance || srs_surface_has_nearer(terrain, p, distance);
}

// The place nearest to a point; one is known to be within the reach.
static srs_surface_nearest nearest_place(const srs_terrain *terrain, vec3 p, double reach, int name,
                                         srs_known_places *known)
{
  const unsigned k = (unsigned)name % SRS_KNOWN_PLACES;
  const vec3 at = known->points[k];
  if (known->is_known[k] && at.x == p.x && at.y == p.y && at.z == p.z) return known->nearest[k];
  srs_surface_nearest nearest;
  srs_surface_find_nearest(terrain, p, reach, &nearest);
  known->is_known[k] = nearest.triangle >= 0, known->points[k] = p, known->nearest[k] = nearest;
  return nearest;
}

bool srs_terrain_is_across_valley(const srs_terrain *terrain, int triangle, vec3 p, double height, double margin,
                                  double slack, int name, srs_known_places *known)
{
  const border at = nearest_border(terrain, triangle, p);
  const size_t side = 3 * (size_t)triangle + (size_t)at.k;
  if (!at.is_corner && terrain->edges[side] != SRS_EDGE_VALLEY) return false;
  if (height >= 0 && at.distance > margin) return false;
  const int point = terrain->corners[side];
  const bool is_free = !at.is_corner || is_pit(terrain, point);
  if (!is_free && (height >= 0 || is_nearer_than(terrain, point, p, at.distance - slack))) return false;
  const srs_surface_nearest nearest = nearest_place(terrain, p, at.distance + slack, name, known);
  if (nearest.triangle < 0) return false;
  const bool is_below = is_inside(terrain, p, &nearest, slack);
  if (!is_below && (height < -slack || nearest.distance > height + slack)) return false;
  if (!is_free) return nearest.distance >= at.distance - slack;
  const int group = terrain->group[nearest.triangle];
  if (at.is_corner) return is_around(terrain, point, group);
  if (group == terrain->group[triangle] || group == terrain->group[terrain->across[side]]) return true;
  const int next = terrain->corners[side - (size_t)at.k + (size_t)(at.k + 1) % 3];
  return (is_around(terrain, point, group) && is_pit(terrain, point)) ||
         (is_around(terrain, next, group) && is_pit(terrain, next));
}
