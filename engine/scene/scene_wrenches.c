// Constant wrenches on frames: a scene's list `wrenches`. They become part of what the model's file says, beside those
// of robot files (thrusters at sites), so that they are saved with it.

#include "engine/scene/scene_settings.h"
#include "topology/xml/additions.h"

static srs_status read_wrench(srs_scene_reader *reader, const srs_yaml_node *map)
{
  static const char *const keys[] = {"frame", "force", "torque", NULL};
  srs_file_wrench wrench = {0};
  srs_status status = srs_yaml_expect_map(map, "a wrench", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(map, "a wrench", keys, reader->error);
  if (status == SRS_OK) status = srs_scene_read_name(reader, map, "a wrench", "frame", true, &wrench.frame);
  for (int i = 0; i < 2 && status == SRS_OK; i++) {
    const char *key = i == 0 ? "torque" : "force";
    const srs_yaml_node *node = srs_yaml_get(map, key);
    if (node != NULL) status = srs_yaml_numbers(node, key, wrench.wrench + 3 * (size_t)i, 3, reader->error);
  }
  if (status != SRS_OK) return status;
  return srs_builder_add_wrench(reader->builder, &wrench) == SRS_OK ? SRS_OK : srs_scene_no_memory(reader);
}

srs_status srs_scene_read_wrenches(srs_scene_reader *reader, const srs_yaml_node *list)
{
  srs_status status = srs_yaml_expect_list(list, "wrenches", reader->error);
  for (const srs_yaml_node *node = status == SRS_OK ? list->first : NULL; node != NULL && status == SRS_OK;
       node = node->next)
    status = read_wrench(reader, node);
  return status;
}

srs_status srs_scene_check_wrenches(const srs_yaml_node *list, const srs_model *model, srs_error *error)
{
  srs_status status = SRS_OK;
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next) {
    const char *name = "";
    int frame = -1;
    status = srs_yaml_text(srs_yaml_get(node, "frame"), "frame", &name, error);
    if (status == SRS_OK) status = srs_scene_find_frame(node, "frame", name, false, model, &frame, error);
  }
  return status;
}
