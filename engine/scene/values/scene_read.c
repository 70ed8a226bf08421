// Readers that all parts of a scene share: places, poses, names, lists of entries.
//
// A name of a model gets the model's prefix. A pose that is given from the model's own world, Y, is at X Y in the
// scene, X being the model's placement.
#include "engine/scene/values/scene_read.h"

#include "topology/base/names.h"
#include "topology/base/rotations.h"
#include "topology/base/spatial.h"

#include <stdio.h>
#include <string.h>

void srs_scene_set_location(const srs_scene_reader *reader, const srs_yaml_node *node)
{
  srs_builder_set_location(reader->builder, reader->file, node->place.line, node->place.column);
}

bool srs_scene_unit_quaternion(double wxyz[4], double *length)
{
  if (!srs_quaternion_is_unit(wxyz, length)) return false;
  for (int i = 0; i < 4 && fabs(*length - 1) > 1e-15; i++) wxyz[i] /= *length; // what is unit to rounding stays
  return true;
}

srs_status srs_scene_no_memory(const srs_scene_reader *reader)
{
  return srs_fail_at(reader->error, SRS_ERROR_MEMORY, (srs_place){reader->file, 0, 0}, "",
                     "no memory left to read the models");
}

// ---------------------------------------------------------------------------------------------------------------------
// Placements
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_scene_read_rotation(srs_scene_reader *reader, const srs_yaml_node *node, double rotation[9])
{
  static const char *const keys[] = {"rpy", "quaternion_wxyz", "matrix", NULL};
  srs_error *error = reader->error;
  srs_status status = srs_yaml_expect_map(node, "rotation", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "rotation", keys, error);
  if (status != SRS_OK) return status;
  if (node->count != 1)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "rotation",
                       "rotation needs either 'rpy' or 'quaternion_wxyz' or 'matrix'");
  double numbers[4], length;
  if (strcmp(node->first->key, "matrix") == 0) // rows first; the builder checks that it is one
    return srs_yaml_numbers(node->first, "matrix", rotation, 9, error);
  if (strcmp(node->first->key, "rpy") == 0) {
    status = srs_yaml_numbers(node->first, "rpy", numbers, 3, error);
    if (status == SRS_OK) srs_rotation_from_rpy(numbers, rotation);
    return status;
  }
  status = srs_yaml_numbers(node->first, "quaternion_wxyz", numbers, 4, error);
  if (status != SRS_OK) return status;
  if (!srs_scene_unit_quaternion(numbers, &length)) {
    char text[32];
    srs_format_number(length, text);
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->first->place, "quaternion_wxyz",
                       "quaternion_wxyz has length %s, it must be 1 within 1e-6", text);
  }
  srs_rotation_from_quaternion(numbers, rotation);
  return SRS_OK;
}

srs_status srs_scene_read_pose(srs_scene_reader *reader, const srs_yaml_node *map, srs_pose *pose)
{
  *pose = srs_identity_pose();
  const srs_yaml_node *position = srs_yaml_get(map, "position"), *rotation = srs_yaml_get(map, "rotation");
  srs_status status = SRS_OK;
  if (position != NULL) status = srs_yaml_numbers(position, "position", pose->position, 3, reader->error);
  if (status == SRS_OK && rotation != NULL) status = srs_scene_read_rotation(reader, rotation, pose->rotation);
  return status;
}

srs_pose srs_scene_place(const srs_scene_reader *reader, const srs_pose *pose)
{
  const mat3 outer = mat3_from_rows(reader->placement.rotation);
  srs_pose placed;
  mat3_to_rows(placed.rotation, mul3(outer, mat3_from_rows(pose->rotation)));
  vec3_store(placed.position, add3(vec3_load(reader->placement.position), rotate(outer, vec3_load(pose->position))));
  return placed;
}

srs_status srs_scene_read_pose_key(srs_scene_reader *reader, const srs_yaml_node *map, bool is_on_world, srs_pose *pose)
{
  static const char *const keys[] = {"position", "rotation", NULL};
  const srs_yaml_node *node = srs_yaml_get(map, "pose");
  *pose = srs_identity_pose();
  srs_status status = SRS_OK;
  if (node != NULL) status = srs_yaml_expect_map(node, "pose", reader->error);
  if (node != NULL && status == SRS_OK) status = srs_yaml_check_keys(node, "pose", keys, reader->error);
  if (node != NULL && status == SRS_OK) status = srs_scene_read_pose(reader, node, pose);
  if (status == SRS_OK && is_on_world) *pose = srs_scene_place(reader, pose);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_scene_read_name(srs_scene_reader *reader, const srs_yaml_node *map, const char *what, const char *key,
                               bool is_required, const char **name)
{
  *name = NULL;
  const srs_yaml_node *node = srs_yaml_get(map, key);
  if (node == NULL && !is_required) return SRS_OK;
  if (node == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, key, "%s needs the key '%s'", what, key);
  char label[96];
  snprintf(label, sizeof label, "%s of %s", key, what);
  const char *text;
  const srs_status status = srs_yaml_text(node, label, &text, reader->error);
  if (status != SRS_OK) return status;
  *name = srs_text_join(reader->arena, reader->prefix, "", text);
  return *name != NULL ? SRS_OK : srs_scene_no_memory(reader);
}

static srs_status unknown_link(srs_scene_reader *reader, const srs_yaml_node *node, const char *key)
{
  srs_nearest nearest = srs_nearest_to(node->text);
  for (int i = 0; i < reader->link_names->n; i++)
    srs_nearest_offer(&nearest, reader->link_names->names[i] + strlen(reader->prefix));
  char hint[192];
  return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, node->text,
                     "%s: no link of this model is named '%.80s'%s%s", key, node->text,
                     srs_nearest_hint(&nearest, hint),
                     strcmp(node->text, "world") == 0 ? ", leave the key out for the world" : "");
}

srs_status srs_scene_read_link_name(srs_scene_reader *reader, const srs_yaml_node *map, const char *what,
                                    const char *key, bool is_required, const char **name)
{
  const srs_status status = srs_scene_read_name(reader, map, what, key, is_required, name);
  if (status != SRS_OK || *name == NULL || srs_names_find(reader->link_names, *name) >= 0) return status;
  return unknown_link(reader, srs_yaml_get(map, key), key);
}

// ---------------------------------------------------------------------------------------------------------------------
// Lists
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_scene_read_entries(srs_scene_reader *reader, const srs_yaml_node *model, const char *key,
                                  srs_status (*read)(srs_scene_reader *reader, const srs_yaml_node *node))
{
  const srs_yaml_node *list = srs_yaml_get(model, key);
  if (list == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_list(list, list->key, reader->error);
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next) {
    status = read(reader, node);
    if (status != SRS_OK) srs_place_error(reader->error, node->place);
  }
  return status;
}
