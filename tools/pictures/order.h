// Which solids are painted over which?
#pragma once
#include "tools/pictures/sketch.h"

/// Puts the sketch's solids in painter's order: what lies behind first.  @param order  n_solids, out
/// @return false when memory is short
bool order_solids(const sketch *s, int *order);

/// Of two solids whose pictures overlap: 1 when a is nearer to the viewer than b, -1 when b is, 0 when neither hides
/// the other or they cannot be told apart.
int order_compare(const sketch *s, int a, int b);
