// The mechanisms of a scene. Internal.
#pragma once
#include "engine/scene/values/scene_read.h"

/// Reads the list of models into the builder.
srs_status srs_scene_read_models(srs_scene_reader *reader, const srs_yaml_node *models);
