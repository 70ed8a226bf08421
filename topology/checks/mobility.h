// Does every joint carry inertia? Internal.
#pragma once
#include "topology/model/model.h"

/// Marks the links whose joint has a coordinate without inertia, in every configuration.
/// @param bare   n_links, out
/// @param n_bare out
/// @param too_heavy  out: a link whose subtree overflows, -1 for none; `bare` is not set then
/// @return false when out of memory
bool srs_mobility_check(const srs_model *model, bool *bare, int *n_bare, int *too_heavy);
