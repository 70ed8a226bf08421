// The definitions that a model was built from, kept in it for what writes models to files. Internal.
#pragma once
#include "topology/builder/builder.h"

/// Copies a builder's definitions into the model's arena: links, joints, frames, shapes, closures and couplings, in
/// their order, with texts and places, and the list of files that were read for them; no names to look up, no warnings.
/// Arrays of shapes are the model's own.
/// @return false when out of memory
bool srs_source_keep(const srs_builder *builder, srs_model *model, srs_arena *arena);

/// What srs_source_keep has kept; never NULL for a model that was built.
const srs_builder *srs_source_of(const srs_model *model);
