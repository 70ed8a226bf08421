// What is each kind of shape made of? One row for each: its name, its sizes, its arrays.
#include "topology/model/shape_kind.h"

#include <string.h>

const srs_shape_facts srs_shape_table[SRS_SHAPE_KINDS] = {
    [SRS_SHAPE_SPHERE] = {.name = "sphere", .n_sizes = 1, .n_solid = 1},
    [SRS_SHAPE_BOX] = {.name = "box", .n_sizes = 3, .n_solid = 3},
    [SRS_SHAPE_CYLINDER] = {.name = "cylinder", .n_sizes = 2, .n_solid = 2},
    [SRS_SHAPE_CAPSULE] = {.name = "capsule", .n_sizes = 2, .n_solid = 1}, // without a straight part it is a sphere
    [SRS_SHAPE_MESH] = {.name = "mesh", .n_sizes = 3, .has_file = true},
    [SRS_SHAPE_HALF_SPACE] = {.name = "half-space"},
    [SRS_SHAPE_CONE] = {.name = "cone", .n_sizes = 2, .n_solid = 2},
    [SRS_SHAPE_ELLIPSOID] = {.name = "ellipsoid", .n_sizes = 3, .n_solid = 3},
    [SRS_SHAPE_HULL] = {.name = "hull", .fewest_points = 4, .may_be_of_file = true},
    [SRS_SHAPE_TERRAIN] =
        {.name = "terrain", .fewest_points = 3, .has_triangles = true, .may_be_of_file = true, .is_ground = true},
    [SRS_SHAPE_HEIGHTFIELD] =
        {.name = "heightfield", .n_sizes = 2, .n_positive = 2, .has_heights = true, .is_ground = true},
    [SRS_SHAPE_SUPERELLIPSOID] = {.name = "superellipsoid", .n_sizes = 3, .n_solid = 3, .has_exponents = true},
    [SRS_SHAPE_PARABOLOID] = {.name = "paraboloid", .n_sizes = 3, .n_solid = 3},
    [SRS_SHAPE_POLYGON] = {.name = "polygon", .n_sizes = 1, .n_positive = 1, .fewest_points = 3, .is_flat = true},
    [SRS_SHAPE_SURFACE] = {.name = "surface", .fewest_points = 4, .has_triangles = true, .may_be_of_file = true},
};

const char *srs_shape_kind_name(srs_shape_kind kind)
{
  return (unsigned)kind < SRS_SHAPE_KINDS ? srs_shape_table[kind].name : NULL;
}

srs_shape_def srs_default_shape_def(srs_shape_kind kind)
{
  return (srs_shape_def){.kind = kind, .pose = srs_identity_pose(), .exponent = {2, 2}, .group = 1, .mask = ~0U};
}

// A copy in the arena, NULL for none and when out of memory.
static void *copy_array(srs_arena *arena, const void *items, size_t count, size_t size)
{
  if (items == NULL || count == 0) return NULL;
  void *copy = srs_arena_take(arena, count, size);
  if (copy != NULL) memcpy(copy, items, count * size);
  return copy;
}

void srs_shape_copy_arrays(srs_arena *arena, const srs_shape_def *def, srs_shape_def *copy)
{
  const srs_shape_facts *facts = &srs_shape_table[def->kind];
  copy->n_points = facts->fewest_points > 0 ? def->n_points : 0;
  copy->n_triangles = facts->has_triangles ? def->n_triangles : 0;
  copy->n_rows = facts->has_heights ? def->n_rows : 0;
  copy->n_columns = facts->has_heights ? def->n_columns : 0;
  copy->points = copy_array(arena, def->points, 3 * (size_t)copy->n_points, sizeof *def->points);
  copy->triangles = copy_array(arena, def->triangles, 3 * (size_t)copy->n_triangles, sizeof *def->triangles);
  copy->heights = copy_array(arena, def->heights, (size_t)copy->n_rows * (size_t)copy->n_columns, sizeof *def->heights);
}
