// What is compared, each by a file of its own. Internal.
#pragma once
#include "engine/cli/against/sides.h"

void srs_compare_joints(srs_sides *sides);
void srs_compare_couplings(srs_sides *sides);
void srs_compare_bodies(srs_sides *sides);
void srs_compare_shapes(srs_sides *sides);
void srs_compare_frames(srs_sides *sides);
void srs_compare_loops(srs_sides *sides);
void srs_compare_pairs(srs_sides *sides);

/// Tells where a placement is another one: how far away, and how far turned.
void srs_compare_placed(srs_differences *found, const srs_compared *of, srs_difference_kind kind, const char *what,
                        srs_placed a, srs_placed b);

/// Whether it is.
bool srs_placed_differs(const srs_differences *found, srs_placed a, srs_placed b);

/// Degrees between two directions of unit length, and of the turn that leads from one frame to another.
double srs_degrees_between(vec3 a, vec3 b);
double srs_degrees_of_turn(mat3 a, mat3 b);
