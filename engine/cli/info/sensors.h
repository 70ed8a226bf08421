// The sensors of a scene, for `sarrus info`.
#pragma once
#include "engine/cli/shared/json.h"
#include <sarrus/scene.h>

/// A line for each; nothing where there is none.
void srs_info_print_sensors(const srs_scene *scene);

/// The array "sensors".
void srs_info_sensors_json(srs_json *json, const srs_scene *scene);
