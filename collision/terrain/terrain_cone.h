// The normals of a corner of the ground. Internal.
#pragma once
#include "collision/terrain/terrain_mesh.h"

enum { SRS_CONE_WAYS = 64 };

/// A corner has the normals n with n . way <= most for all of its ways, which are unordered.
typedef struct srs_corner_cone {
  vec3 ways[SRS_CONE_WAYS];
  double most[SRS_CONE_WAYS];
  int n;
} srs_corner_cone;

/// For many questions about one corner. Ways beyond SRS_CONE_WAYS are left out: what it has not, the corner has not.
void srs_corner_cone_make(const srs_terrain *terrain, int point, srs_corner_cone *cone);

/// @param cone  in and out: the order of its ways
bool srs_corner_cone_has(srs_corner_cone *cone, vec3 n);

/// Whether n is one of the normals of a corner.
bool srs_corner_has_normal(const srs_terrain *terrain, int point, vec3 n);
