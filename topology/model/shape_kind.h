// The kinds of shapes: their names, sizes and arrays. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/topology.h>

typedef struct srs_shape_facts {
  const char *name;
  int n_sizes;       // entries of `size` that the kind has
  int n_positive;    // the first of these, which may not be zero in a definition
  int n_solid;       // the first of these, which may not be zero in a shape that collides
  int fewest_points; // 0: the kind has no points
  bool has_triangles, has_heights, has_exponents, has_file;
  bool may_be_of_file; // its points may be those of a mesh
  bool is_flat;        // its points lie in z = 0
  bool is_ground;      // triangles that stand still on the world
} srs_shape_facts;

extern const srs_shape_facts srs_shape_table[SRS_SHAPE_KINDS];

/// Copies the arrays that the shape's kind has into the arena, which then says whether there was room. Arrays that the
/// kind has not become none; the rest of `copy` is left alone.
void srs_shape_copy_arrays(srs_arena *arena, const srs_shape_def *def, srs_shape_def *copy);
