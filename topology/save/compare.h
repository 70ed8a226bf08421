// Are two models the same? Internal.
#pragma once
#include <sarrus/topology.h>

/// Compares two models to the bit, signs of zeros apart: trees, inertias, frames, parts, coordinates, shapes, loops,
/// names. Not compared are warnings, pairs of links that do not collide, and the lines in files that closures and
/// couplings come from.
/// @param where  out: names the first difference
/// @return whether there is none
bool srs_model_equals(const srs_model *a, const srs_model *b, char where[160]);
