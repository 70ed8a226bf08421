// What shapes are called where each needs a name of its own. Internal.
#pragma once
#include "topology/builder/builder.h"

/// Gives each shape its label (srs_shape.label). Frames that are named like a label with a number keep their names to
/// themselves.
/// @param frames  of the model, which srs_shape.frame counts   @return false when out of memory
bool srs_label_shapes(const srs_builder *builder, const srs_frame *frames, srs_shape *shapes, int n_shapes,
                      srs_arena *arena);
