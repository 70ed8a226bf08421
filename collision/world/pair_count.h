// How many pairs of shapes may collide. Internal.
#pragma once
#include "collision/world/filter.h"

/// Whether there is a method for a pair of these kinds.
typedef bool srs_kinds_function(srs_shape_kind a, srs_shape_kind b);

/// Counts the pairs that pass the filters, in about linear time, and looks whether there is a method for each.
/// @param n        out: how many
/// @param refused  out: whether some pair has kinds without a method
/// @return false when out of memory
bool srs_count_pairs(const srs_filter *filter, srs_kinds_function *has_method, long *n, bool *refused);
