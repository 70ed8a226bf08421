// What the readers of a scene share: the models under construction, poses, names, lists of entries. Internal.
#pragma once
#include "engine/scene/values/yaml.h"
#include <sarrus/topology.h>

/// Gathers mechanisms from a scene's `models` list.
typedef struct srs_scene_reader {
  srs_builder *builder;
  srs_arena *arena;         // for names and paths
  const char *file;         // the scene's path
  const char **robot_files; // n_robot_files that were read, ended by NULL; room for two per model
  int n_robot_files;
  const srs_load_options *load;  // packages and strictness
  const char *prefix;            // of the model being read, "" or "NAME/"
  srs_pose placement;            // of the model being read
  const srs_yaml_node *links;    // of a model written in place: the list of its links
  struct srs_names *link_names;  // the names of the model's links, prefixed, in order
  struct srs_names *child_names; // of a model written in place: names of those that hang on a joint
  srs_error *error;
} srs_scene_reader;

/// Reads each entry of the list under a key, if it is there.
srs_status srs_scene_read_entries(srs_scene_reader *reader, const srs_yaml_node *map, const char *key,
                                  srs_status (*read)(srs_scene_reader *reader, const srs_yaml_node *node));

/// Reads `position` and `rotation` of a map, each optional.
srs_status srs_scene_read_pose(srs_scene_reader *reader, const srs_yaml_node *map, srs_pose *pose);

/// Reads `pose: {position, rotation}` of a frame or shape on a link, or on the model's world.
srs_status srs_scene_read_pose_key(srs_scene_reader *reader, const srs_yaml_node *map, bool is_on_world,
                                   srs_pose *pose);

/// Reads {rpy: […]}, {quaternion_wxyz: […]} or {matrix: […]}.  @param rotation  9, out, rows first
srs_status srs_scene_read_rotation(srs_scene_reader *reader, const srs_yaml_node *node, double rotation[9]);

/// The value of `key` as a name with the model's prefix. Where it is missing: NULL, or an error if it is required.
srs_status srs_scene_read_name(srs_scene_reader *reader, const srs_yaml_node *map, const char *what, const char *key,
                               bool is_required, const char **name);

/// The same for a name that must be one of the model's links. NULL for the world, where the key is missing.
srs_status srs_scene_read_link_name(srs_scene_reader *reader, const srs_yaml_node *map, const char *what,
                                    const char *key, bool is_required, const char **name);

/// The model's placement times a pose that is given from the model's own world.
srs_pose srs_scene_place(const srs_scene_reader *reader, const srs_pose *pose);

/// Tells the builder where the next definition stands.
void srs_scene_set_location(const srs_scene_reader *reader, const srs_yaml_node *node);

srs_status srs_scene_no_memory(const srs_scene_reader *reader);

/// Scales a quaternion to unit length when it is within 1e-6 of it.  @return false: it is not; *length is its length
bool srs_scene_unit_quaternion(double wxyz[4], double *length);
