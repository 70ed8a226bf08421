// Solids as implicit surfaces. Internal.
#pragma once
#include "collision/shapes/solid.h"
#include <sarrus/surfaces.h>

enum { SRS_SOLID_SURFACES = 6 }; // of one solid at most

typedef struct srs_solid_surfaces {
  srs_surface surface[SRS_SOLID_SURFACES];
  srs_pose pose[SRS_SOLID_SURFACES]; // in the solid's frame
  srs_surface_body body;             // prepared, of these arrays
} srs_solid_surfaces;

/// The surfaces whose intersection a solid is: spheres, ellipsoids, superellipsoids, half-spaces, paraboloids with
/// their base, cylinders with their ends, boxes.
/// @param surfaces  out: not to be copied   @return false for other kinds
bool srs_solid_surfaces_make(const srs_solid *solid, srs_solid_surfaces *surfaces);
