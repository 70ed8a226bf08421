// Links in the world. Internal.
#pragma once
#include "engine/batch/memory.h"

/// Fills `axes` and `origin` of all links, for the q that is loaded, and the placements of those that are no hinges.
/// @param from_root  origins seen from the origin of the tree's first link
void srs_batch_place(srs_batch *batch, bool from_root);
