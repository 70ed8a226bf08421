// The result of `sarrus info --json`.
#pragma once
#include "engine/cli/info/loops.h"
#include "engine/cli/shared/shape_overlaps.h"
#include "engine/cli/shared/start_warnings.h"

/// Writes the whole model as one JSON object on stdout.
void srs_info_json(const char *path, const srs_scene *scene, const srs_shape_overlaps *shapes, const srs_loops *loops,
                   const srs_start_warnings *start);
