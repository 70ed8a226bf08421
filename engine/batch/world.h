// Links in the world. Internal.
#pragma once
#include "engine/batch/memory.h"

/// Fills `axes` and `origin` of all links, for the q that is loaded, and their placements seen from their parents.
void srs_batch_place(srs_batch *batch);
