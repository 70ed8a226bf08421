// The plane that a polygon stays in. Internal.
#pragma once
#include "collision/world/geometries.h"

/// The plane z = 0 of a geometry's own frame, seen from the world, in every configuration.
typedef struct srs_plane {
  vec3 normal;  // unit
  double level; // normal . x on it, m
  int joint;    // one that moves the geometry out of it (normal and level are then not set); -1: none
} srs_plane;

srs_plane srs_plane_of_geometry(const srs_geometries *geometries, int i);

/// Whether two planes are the same, to 1e-9 of the normals and of the size.
bool srs_planes_are_one(const srs_plane *a, const srs_plane *b, double size);
