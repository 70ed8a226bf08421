// The solids of a model as triangles with their bodies, and where bodies are in a frame of a film. Internal.
#pragma once
#include "engine/cli/view/film.h"
#include "engine/cli/view/triangles.h"

typedef struct srs_part {
  const char *name;          // the shape's label; stick, pivot, mass
  int body;                  // link, -1: the world
  srs_pose pose;             // seen from the body
  bool is_visual, is_ground; // the latter: a half-space of the world
  bool is_pivot;             // a knob where a joint turns
  srs_triangles triangles;
} srs_part;

typedef struct srs_parts {
  srs_part *parts; // n
  int n, n_missing;
  srs_error missing; // why the first mesh for the eye could not be read
} srs_parts;

/// What there is to see: on a link with shapes for the eye those, else those that collide.
/// @return false: out of memory. To be freed in either case
bool srs_parts_make(const srs_model *model, srs_parts *parts);
void srs_parts_free(srs_parts *parts);

/// Sticks and knobs of sticks.h, as thick as in the page of `sarrus view`.
/// @return false: out of memory
bool srs_parts_add_sticks(const srs_film *film, srs_parts *parts);

/// Makes the squares of half-spaces of the world as large as what moves over them: of 1, 2 or 5 times a power of ten.
void srs_parts_fit_ground(const srs_film *film, srs_parts *parts);

/// A body's pose in a frame: unit quaternion x y z w.
void srs_film_pose(const srs_film *film, int frame, int body, double position[3], double quaternion[4]);

/// A unit quaternion x y z w as a rotation, rows first.
void srs_rotation_of(const double quaternion[4], double rotation[9]);
