// Does a member keep to a plane? Internal.
#pragma once
#include "collision/world/geometries.h"

/// The plane z = 0 of a member's own frame, as the world sees it wherever the mechanism moves.
typedef struct srs_plane {
  vec3 normal;  // unit
  double level; // normal . x on it, m
  int joint;    // of a link that can leave it, the normal and level then say nothing; -1: none, it keeps to it
} srs_plane;

srs_plane srs_plane_of_geometry(const srs_geometries *members, int i);

/// Whether two planes that are kept to are one, to 1e-9 of the normals and of the size.
bool srs_planes_are_one(const srs_plane *a, const srs_plane *b, double size);
