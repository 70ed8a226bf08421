// The result of `sarrus info --json`.
#pragma once
#include "engine/cli/eval/touching.h"
#include "engine/cli/info/loops.h"

/// Writes the whole model as one JSON object on stdout.
void srs_info_json(const char *path, const srs_scene *scene, const srs_touching *touching, const srs_loops *loops);
