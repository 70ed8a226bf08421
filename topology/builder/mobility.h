// Is there something to move on every joint? Internal.
#pragma once
#include "topology/model/model.h"

/// Marks the links on whose joint some coordinate meets no inertia, whatever the configuration.
/// @param bare   n_links, out
/// @param n_bare out
/// @param too_heavy  out: a link that carries more than can be computed with, -1 for none; bare says nothing then
/// @return false when out of memory
bool srs_mobility_check(const srs_model *model, bool *bare, int *n_bare, int *too_heavy);
