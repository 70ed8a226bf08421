// The result of `sarrus info --json`.
#pragma once
#include "engine/cli/loops.h"
#include "engine/cli/touching.h"

/// Writes the whole model as one JSON object on stdout.
void srs_info_json(const char *path, const srs_scene *scene, const srs_touching *touching, const srs_loops *loops);
