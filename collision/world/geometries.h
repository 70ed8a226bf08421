// The collision geometries of a model: solids, bounds and placements. Internal.
#pragma once
#include "collision/shapes/solid.h"
#include "collision/terrain/terrain_mesh.h"
#include "topology/base/arena.h"
#include "topology/model/model.h"

/// The bounding sphere of a solid; of a half-space its outward normal and normal . x on its surface.
typedef struct srs_ball {
  vec3 centre;
  double reach;
} srs_ball;

typedef struct srs_geometries {
  const srs_model *model;
  int n;
  int *shape; // n: index among the model's shapes, rising
  int *link;  // n: the model's link that carries it, -1 the world
  int *rank;  // n: of its frame by name, the world first: an order that does not depend on when it was added
  srs_solid *solids;
  srs_placed *placed;    // n: those on the world are placed once, the others by srs_geometries_place
  vec3 *offset;          // n: seen from its link's frame
  mat3 *axes;            // n
  srs_ball *bounds;      // n: world
  bool *is_half_space;   // n
  vec3 *middle, *half;   // n: the bounding box in the shape's frame; half-spaces: none
  bool *has_triangles;   // n: terrain, a heightfield or a surface
  srs_terrain **terrain; // n: NULL for other kinds
  srs_arena memory;      // all but what the solids own
} srs_geometries;

/// Prepares all shapes that are neither visual nor meshes. Must be released even after a failure.
/// @return SRS_OK, SRS_ERROR_MODEL (a shape without size, a hull without volume, a surface that is not closed,
///         terrain that moves; named) or _MEMORY
srs_status srs_geometries_make(const srs_model *model, srs_geometries *geometries, srs_error *error);
void srs_geometries_release(srs_geometries *geometries);

/// Makes Bullet's counterparts of all solids that it knows.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED (a libbulletc of single precision) or _MEMORY
srs_status srs_geometries_give_to_bullet(srs_geometries *geometries, srs_error *error);

/// Takes over the size of a shape's geometry from the model.
void srs_geometry_resize(srs_geometries *geometries, int i);

/// Places every geometry with its link.  @param links  n_links  @return false when one of the poses is not finite
bool srs_geometries_place(srs_geometries *geometries, const srs_pose *links);

/// The title of a shape in messages: its name, or "box of 'arm'" where it has none.
/// @return text
const char *srs_shape_title(const srs_model *model, int shape, char text[96]);

/// Whether two spheres are within margin of each other. Never wrongly false, since bounds are widened.
SRS_INLINE bool srs_balls_meet(const srs_ball *a, const srs_ball *b, double margin)
{
  const vec3 d = sub3(a->centre, b->centre);
  const double sum = a->reach + b->reach + margin;
  return dot3(d, d) <= sum * sum;
}

/// The same for a half-space and a sphere.
SRS_INLINE bool srs_ball_meets_half_space(const srs_ball *half_space, const srs_ball *ball, double margin)
{
  return dot3(half_space->centre, ball->centre) - half_space->reach <= ball->reach + margin;
}

/// Whether the bounds of two geometries are within margin of each other.
SRS_INLINE bool srs_bounds_meet(const srs_geometries *m, int i, int j, double margin)
{
  const srs_ball *a = &m->bounds[i], *b = &m->bounds[j];
  const bool plane_i = m->is_half_space[i], plane_j = m->is_half_space[j];
  if (!plane_i && !plane_j) return srs_balls_meet(a, b, margin);
  if (plane_i && plane_j) return true;
  return srs_ball_meets_half_space(plane_i ? a : b, plane_i ? b : a, margin);
}

/// A finer test, for pairs with costly methods: the bounding sphere of each against the box of the other. Not for
/// half-spaces.
bool srs_boxes_meet(const srs_geometries *geometries, int i, int j, double margin);
