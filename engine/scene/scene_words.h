// Values of scenes that are words. Internal.
#pragma once
#include "engine/scene/yaml.h"
#include "engine/state/option_names.h"

/// Reads one of the words, or its former name, if the key is there; else the error lists them.
/// @param value  in and out
srs_status srs_scene_read_word(const srs_yaml_node *map, const char *key, const srs_option_word *words, int *value,
                               srs_error *error);

/// Reads the key `distance`, `euclidean` or `ratio-metric`, if it is there.
srs_status srs_scene_read_distance(const srs_yaml_node *map, srs_distance_measure *distance, srs_error *error);
