// Closures and couplings of a whole mechanism. Internal.
#pragma once
#include "topology/builder/builder.h"
#include "topology/model/model.h"

/// The builder's closures and couplings into a model that has its frames, coordinates and orders by name.
/// @param arena  of the model
/// @return SRS_OK, SRS_ERROR_NAME, _MODEL or _MEMORY
srs_status srs_compile_loops(const srs_builder *builder, srs_model *model, srs_arena *arena, srs_error *error);
