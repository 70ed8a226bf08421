// Bounding boxes and spheres of shapes. Internal.
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/topology.h>

/// The smallest box parallel to the axes of the shape's frame, a little widened; of half-spaces and meshes none.
/// @param half  out: half of its sides
void srs_bounding_box(const srs_shape *shape, vec3 *middle, vec3 *half);

/// A sphere around the shape, a little widened; of a half-space the radius is INFINITY.
/// @param middle, half  its box
void srs_bounding_sphere(const srs_shape *shape, vec3 middle, vec3 half, vec3 *centre, double *radius);

/// The distance of the farthest point of a shape from the origin of its own frame, or a little more; of meshes, terrain
/// and half-spaces 0.
double srs_shape_reach(const srs_shape *shape);
