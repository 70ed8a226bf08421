// What the files that read scenes share. Internal.
#pragma once
#include "engine/scene/yaml.h"
#include <sarrus/engine.h>

/// Gathers mechanisms from a scene's `models` list.
typedef struct srs_scene_reader {
  srs_builder *builder;
  srs_arena *arena;         // for names and paths
  const char *file;         // the scene's path
  const char **robot_files; // those read, n_robot_files, ended by NULL; room for one a model
  int n_robot_files;
  const srs_load_options *load; // packages and strictness
  const char *prefix;           // of the model being read, "" or "NAME/"
  srs_pose placement;           // likewise
  const srs_yaml_node *links;   // of a model written in place: its list, the names of its links (prefixed, in order),
  struct srs_names *link_names, *child_names; // and of those that hang on a joint
  srs_error *error;
} srs_scene_reader;

/// Reads the list of models into the builder.
srs_status srs_scene_read_models(srs_scene_reader *reader, const srs_yaml_node *models);

/// Reads one model that is written in the scene: links, joints, shapes, frames.
srs_status srs_scene_read_inline(srs_scene_reader *reader, const srs_yaml_node *model, srs_base_kind base);

/// Reads each entry of the list that stands under a key, if it does.
srs_status srs_scene_read_entries(srs_scene_reader *reader, const srs_yaml_node *map, const char *key,
                                  srs_status (*read)(srs_scene_reader *reader, const srs_yaml_node *node));

/// Reads the lists `closures` and `couplings` of a model or a scene and adds what they hold.
srs_status srs_scene_read_loops(srs_scene_reader *reader, const srs_yaml_node *map);

/// Reads one entry of a model's `joints` and adds it.
srs_status srs_scene_read_joint(srs_scene_reader *reader, const srs_yaml_node *node);

/// Reads one entry of a model's `shapes` and adds it.
srs_status srs_scene_read_shape(srs_scene_reader *reader, const srs_yaml_node *node);

/// Looks for the file of a mesh, which is told where it is not there, and checks its key `collide`.
/// @param path  out: where it is, or would be; in the reader's arena
srs_status srs_scene_find_mesh(srs_scene_reader *reader, const srs_yaml_node *map, const char **path);

/// Whether a mesh has the key `collide: parts`, which srs_scene_find_mesh has checked.
bool srs_scene_mesh_collides(const srs_yaml_node *map);

/// Reads the file of such a mesh and adds each of its pieces as a hull of the mesh's name; the mesh is for the eye
/// then.
srs_status srs_scene_add_parts(srs_scene_reader *reader, srs_shape_def *mesh);

/// Reads the list `environment`: shapes on the world.
srs_status srs_scene_read_environment(srs_scene_reader *reader, const srs_yaml_node *list);

/// Reads the map `collision`; its names must be those of the model. What is kept lies in the arena.
srs_status srs_scene_read_collision(srs_arena *arena, const srs_yaml_node *node, const srs_model *model,
                                    srs_collider_options *options, srs_error *error);

/// Reads `pose: {position, rotation}` of a frame or shape on a link, or on the model's world.
srs_status srs_scene_read_pose_key(srs_scene_reader *reader, const srs_yaml_node *map, bool is_on_world,
                                   srs_pose *pose);

/// Reads `position` and `rotation` of a map, each optional.
srs_status srs_scene_read_pose(srs_scene_reader *reader, const srs_yaml_node *map, srs_pose *pose);

/// Reads {rpy: […]} or {quaternion_wxyz: […]}.  @param rotation  9, out, rows first
srs_status srs_scene_read_rotation(srs_scene_reader *reader, const srs_yaml_node *node, double rotation[9]);

/// The value of `key` as a name with the model's prefix. Where it is missing: NULL, or an error if it is required.
srs_status srs_scene_read_name(srs_scene_reader *reader, const srs_yaml_node *map, const char *what, const char *key,
                               bool is_required, const char **name);

/// The same for a name that must be one of the model's links. NULL for the world, where the key is missing.
srs_status srs_scene_read_link_name(srs_scene_reader *reader, const srs_yaml_node *map, const char *what,
                                    const char *key, bool is_required, const char **name);

/// The key `distance` of a map, `euclidean` or `ratio-metric`, if it is there.
srs_status srs_scene_read_distance(const srs_yaml_node *map, srs_distance_measure *distance, srs_error *error);

/// Reads the key `contact`, and the key `solver`.
srs_status srs_scene_read_contact(const srs_yaml_node *node, srs_arena *arena, srs_contact_settings *settings,
                                  srs_error *error);
srs_status srs_scene_read_solver(const srs_yaml_node *node, srs_contact_settings *settings, srs_error *error);

/// Looks up the names of `contact`, which has been read, among the model's.
srs_status srs_scene_check_contact_names(const srs_yaml_node *contact, const srs_model *model,
                                         const srs_contact_settings *settings, srs_error *error);

/// Reads the keys `limits`, `joint_friction`, `actuator_limits` and `closure`.
srs_status srs_scene_read_mechanism(const srs_yaml_node *root, srs_sim_options *options, srs_error *error);

/// Reads the list `actuators`.
srs_status srs_scene_read_actuators(srs_arena *arena, const srs_yaml_node *list, const srs_model *model,
                                    const srs_actuator **actuators, int *n_actuators, srs_error *error);

/// The model's placement after a pose that is given from the model's own world.
srs_pose srs_scene_place(const srs_scene_reader *reader, const srs_pose *pose);
srs_status srs_scene_no_memory(const srs_scene_reader *reader);

/// Scales a quaternion to unit length when it is within 1e-6 of it.  @return false: it is not, *length tells
bool srs_scene_unit_quaternion(double wxyz[4], double *length);
