// Options of scenes: values that are numbers in a range, counts, flags or words. Internal.
#pragma once
#include "engine/scene/values/yaml.h"
#include "engine/state/option_table.h"

/// Reads every option that has a key in the map: the rows of this group of the table. Messages name the key as it
/// stands in the file, which may be a former name.
/// @param group  "contact", "solver", …; "" for the scene itself
srs_status srs_scene_read_options(const srs_yaml_node *map, const char *group, srs_sim_options *options,
                                  srs_error *error);

/// Every key of the map is one of the group's or one of `others` (ended by NULL); else the error names the nearest.
/// @param what  "contact", "a scene"
srs_status srs_scene_check_option_keys(const srs_yaml_node *map, const char *what, const char *group,
                                       const char *const *others, srs_error *error);

/// Reads one of the words, or its former name, if the key is there; else the error lists them.
/// @param value  in and out
srs_status srs_scene_read_word(const srs_yaml_node *map, const char *key, const srs_option_word *words, int *value,
                               srs_error *error);

/// Reads the key `distance`, `euclidean` or `ratio-metric`, if it is there.
srs_status srs_scene_read_distance(const srs_yaml_node *map, srs_distance_measure *distance, srs_error *error);
