// The files that a scene was made of, for the description beside a sweep's rows. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/topology.h>

/// Describes the files that the model was read from, but for the scene itself: `NAME, N bytes, HASH`, a line each.
/// @param text  out, the arena's; "" where there are none
/// @return SRS_OK, or SRS_ERROR_MEMORY
srs_status srs_describe_read_files(const srs_model *model, const char *scene_file, srs_arena *arena, const char **text);
