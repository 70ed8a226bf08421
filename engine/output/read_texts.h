// The texts that a model was read from, for the record. Internal.
#pragma once
#include "engine/output/hdf5/layout.h"
#include <sarrus/topology.h>

enum { SRS_MOST_READ_TEXTS = 64 };

/// Texts of robot files and of what they include (.urdf, .xml, .mjcf, .srdf), read again: `/robots/1`, `/robots/2`, …
/// with their files. Meshes and pictures are left out, and what can no longer be read.
/// @param texts  SRS_MOST_READ_TEXTS, out; their memory is the arena's   @return how many
int srs_take_read_texts(const srs_model *model, srs_arena *arena, srs_text_entry *texts);
