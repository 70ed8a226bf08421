// Readers of a scene's settings: how bodies collide and touch, what holds and drives joints. scene_collision.c,
// scene_contact.c, scene_contact_names.c, scene_mechanism.c, scene_sensors.c, scene_wrenches.c. Internal.
#pragma once
#include "engine/scene/values/scene_read.h"
#include <sarrus/sensors.h>
#include <sarrus/simulation.h>

/// Reads the map `collision`; its names must be those of the model. What is kept lies in the arena.
srs_status srs_scene_read_collision(srs_arena *arena, const srs_yaml_node *node, const srs_model *model,
                                    srs_collider_options *options, srs_error *error);

/// Reads the map `contact`.
srs_status srs_scene_read_contact(const srs_yaml_node *node, srs_arena *arena, srs_sim_options *options,
                                  srs_error *error);

/// Reads the map `solver`.
srs_status srs_scene_read_solver(const srs_yaml_node *node, srs_sim_options *options, srs_error *error);

/// Looks up the names of `contact`, which has been read, in the model.
srs_status srs_scene_check_contact_names(const srs_yaml_node *contact, const srs_model *model,
                                         const srs_contact_settings *settings, srs_error *error);

/// Reads the maps `limits` and `closure`.
srs_status srs_scene_read_mechanism(const srs_yaml_node *root, srs_sim_options *options, srs_error *error);

/// Reads the list `actuators`.
srs_status srs_scene_read_actuators(srs_arena *arena, const srs_yaml_node *list, const srs_model *model,
                                    const srs_actuator **actuators, int *n_actuators, srs_error *error);

/// Finds a frame; where it is not there, says so at the entry's key, with the nearest name.
/// @param node     entry, NULL: *frame = -1 tells     @param is_link  those of links alone
srs_status srs_scene_find_frame(const srs_yaml_node *node, const char *key, const char *name, bool is_link,
                                const srs_model *model, int *frame, srs_error *error);

/// Reads the list `wrenches` into the builder; looks up its frames in the model.
srs_status srs_scene_read_wrenches(srs_scene_reader *reader, const srs_yaml_node *list);
srs_status srs_scene_check_wrenches(const srs_yaml_node *list, const srs_model *model, srs_error *error);

/// Reads the list `sensors` into the builder, as words and names.
srs_status srs_scene_read_sensors(srs_scene_reader *reader, const srs_yaml_node *list);

/// Finds what the sensors of the model's file and of the scene are on. Those of files that are on nothing here are left
/// out.
/// @param list  of the scene, for places; NULL for none
srs_status srs_scene_find_sensors(srs_arena *arena, const srs_yaml_node *list, const srs_model *model,
                                  const srs_sensor_def **sensors, int *n_sensors, srs_error *error);
