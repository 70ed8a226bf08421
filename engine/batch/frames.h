// The frames that a batch works in. Internal.
#pragma once
#include "engine/batch/memory.h"

/// Fills `fixed`, `frames`, `order`, `turns` and `row_end`, which a model gives once and for all.
/// @param turned  n_links x 2, to work in
void srs_batch_choose_frames(srs_batch *batch, double *turned);
