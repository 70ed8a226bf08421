// Which few of many contact points make the manifold? Internal.
#pragma once
#include "collision/shapes/touch.h"

/// Keeps at most SRS_MANIFOLD_POINTS of n candidates: the deepest and those that bound the contact area. Deterministic
/// and independent of the candidates' order up to ties, which go by feature.  @return how many
int srs_manifold_reduce(srs_touch *touches, int n);
