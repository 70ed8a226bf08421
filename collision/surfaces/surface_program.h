// Two convex programs over placed surfaces, by an interior point. Internal.
#pragma once
#include "collision/surfaces/implicit_surface.h"

enum { SRS_PROGRAM_SURFACES = 2 * SRS_BODY_SURFACES, SRS_PROGRAM_UNKNOWNS = 6 };

/// Surfaces of two bodies, A's first, in units of a length `scale` from an origin near both, world axes.
typedef struct srs_placed_surfaces {
  int n, n_a;
  const srs_surface *surface[SRS_PROGRAM_SURFACES];
  mat3 axes[SRS_PROGRAM_SURFACES];
  vec3 origin[SRS_PROGRAM_SURFACES]; // units
  double scale;                      // m
} srs_placed_surfaces;

/// A surface's function at a point, its value too in units of the scale.
srs_surface_point srs_placed_surface_at(const srs_placed_surfaces *placed, int k, vec3 point);

/// The result of a program.
typedef struct srs_program_end {
  vec3 point_a, point_b;
  double level;                        // of srs_level_program
  double weight[SRS_PROGRAM_SURFACES]; // multipliers, all > 0
  double below[SRS_PROGRAM_SURFACES];  // level - f_k >= 0
  int iterations;
} srs_program_end;

/// min over x of max over k of f_k(x): the level at which the bodies just touch, if it is above zero they are apart.
/// @param start   units
/// @param enough  ends as soon as the level is below this; -INFINITY: never
/// @param end     out; zeros with an infinite level where the surfaces are not finite at the start
/// @return false where it did not converge: the level has no minimum, or the rounds were too few
bool srs_level_program(const srs_placed_surfaces *placed, vec3 start, double enough, srs_program_end *end);

/// min |x + shift - y|^2 / 2 over x in A, y in B, which must not overlap once A is shifted.
/// @param start_a, start_b  strictly inside of the bodies
/// @param enough  ends as soon as points are found that are nearer than this
bool srs_distance_program(const srs_placed_surfaces *placed, vec3 shift, vec3 start_a, vec3 start_b, double enough,
                          srs_program_end *end);
