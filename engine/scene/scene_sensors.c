// Sensors of a scene: its list `sensors`, and those of robot files. Words and names become part of what the model's
// file says, so that they are saved with it; once the model is there, names become indices.

#include "engine/scene/scene_settings.h"
#include "topology/base/text.h"
#include "topology/model/model.h"
#include "topology/xml/additions.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 4, KEYS = 7 }; // the first kinds are of coordinates

static const char *const keys[KEYS + 1] = {"name", "kind", "coordinate", "frame", "other", "axes", "range", NULL};

static int kind_of(const char *word)
{
  for (int i = 0; i < SRS_SENSOR_KINDS; i++)
    if (strcmp(srs_sensor_kind_name((srs_sensor_kind)i), word) == 0) return i;
  return -1;
}

static bool has_axes(int kind)
{
  return kind == SRS_SENSOR_TWIST || kind == SRS_SENSOR_ACCELERATION || kind == SRS_SENSOR_FORCE_TORQUE ||
         kind == SRS_SENSOR_CONTACT;
}

// ---------------------------------------------------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_word(const srs_yaml_node *map, const char *key, const char **word, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  *word = "";
  return node != NULL ? srs_yaml_text(node, key, word, error) : SRS_OK;
}

static srs_status read_kind(const srs_yaml_node *map, const srs_file_sensor *s, int *kind, srs_error *error)
{
  *kind = kind_of(s->kind);
  if (*kind >= 0) return SRS_OK;
  char hint[192];
  srs_nearest nearest = srs_nearest_to(s->kind);
  for (int i = 0; i < SRS_SENSOR_KINDS; i++) srs_nearest_offer(&nearest, srs_sensor_kind_name((srs_sensor_kind)i));
  const srs_yaml_node *node = srs_yaml_get(map, "kind");
  if (node == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, map->place, "kind",
                       "a sensor needs a kind: joint-position, imu, pose, force-torque, contact, …");
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, s->kind, "no kind of sensor is called '%.80s'%s", s->kind,
                     srs_nearest_hint(&nearest, hint));
}

// What a kind has no use for is a mistake, and so is what it lacks.
static srs_status check_words(const srs_yaml_node *map, const srs_file_sensor *s, int kind, srs_error *error)
{
  const bool is_of_joint = kind < JOINTS;
  const struct {
    const char *key;
    bool fits;
  } uses[] = {{"coordinate", is_of_joint},
              {"frame", !is_of_joint},
              {"other", kind == SRS_SENSOR_CONTACT},
              {"axes", has_axes(kind)},
              {"range", kind == SRS_SENSOR_RANGE}};
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    const srs_yaml_node *node = srs_yaml_get(map, uses[i].key);
    if (node != NULL && !uses[i].fits)
      return srs_fail_at(error, SRS_ERROR_SYNTAX, node->key_place, uses[i].key,
                         "a sensor of kind %s has no '%s'; leave it out", s->kind, uses[i].key);
  }
  const char *needed = is_of_joint ? "coordinate" : "frame", *given = is_of_joint ? s->coordinate : s->frame;
  if (s->name[0] == '\0' || given[0] == '\0')
    return srs_fail_at(error, SRS_ERROR_SYNTAX, map->place, s->name, "a sensor of kind %s needs the key '%s'", s->kind,
                       s->name[0] == '\0' ? "name" : needed);
  return SRS_OK;
}

static srs_status read_sensor(srs_scene_reader *reader, const srs_yaml_node *map)
{
  srs_error *error = reader->error;
  srs_file_sensor s = {0};
  const char *axes = "";
  int kind = -1;
  srs_status status = srs_yaml_expect_map(map, "a sensor", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(map, "a sensor", keys, error);
  const char **words[] = {&s.name, &s.kind, &s.coordinate, &s.frame, &s.other, &axes};
  for (size_t i = 0; i < sizeof words / sizeof *words && status == SRS_OK; i++)
    status = read_word(map, keys[i], words[i], error);
  if (status == SRS_OK) status = read_kind(map, &s, &kind, error);
  if (status == SRS_OK) status = check_words(map, &s, kind, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *range = srs_yaml_get(map, "range");
  s.is_in_world = strcmp(axes, "world") == 0;
  if (axes[0] != '\0' && !s.is_in_world && strcmp(axes, "local") != 0)
    return srs_fail_at(error, SRS_ERROR_NAME, srs_yaml_get(map, "axes")->place, axes,
                       "axes are local or world, not '%.80s'", axes);
  if (range != NULL) status = srs_yaml_number(range, "range", &s.range, error);
  if (status == SRS_OK && range != NULL && !(s.range > 0))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, range->place, "range", "range must be above 0 m");
  if (status == SRS_OK && srs_builder_add_sensor(reader->builder, &s) != SRS_OK) return srs_scene_no_memory(reader);
  return status;
}

srs_status srs_scene_read_sensors(srs_scene_reader *reader, const srs_yaml_node *list)
{
  srs_status status = srs_yaml_expect_list(list, "sensors", reader->error);
  for (const srs_yaml_node *node = status == SRS_OK ? list->first : NULL; node != NULL && status == SRS_OK;
       node = node->next)
    status = read_sensor(reader, node);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

static srs_status unknown(const srs_yaml_node *node, const char *key, const char *what, const srs_nearest *nearest,
                          const char *name, srs_error *error)
{
  char hint[192];
  const srs_yaml_node *at = srs_yaml_get(node, key);
  return srs_fail_at(error, SRS_ERROR_NAME, (at != NULL ? at : node)->place, name, "no %s is named '%.80s'%s", what,
                     name, srs_nearest_hint(nearest, hint));
}

static srs_status find_coordinate(const srs_yaml_node *node, const srs_file_sensor *s, const srs_model *model,
                                  srs_sensor_def *def, srs_error *error)
{
  def->coordinate = srs_model_find_v(model, s->coordinate);
  if (def->coordinate >= 0 || node == NULL) return SRS_OK;
  srs_nearest nearest = srs_nearest_to(s->coordinate);
  for (int i = 0; i < srs_model_nv(model); i++) srs_nearest_offer(&nearest, srs_model_v_name(model, i));
  return unknown(node, "coordinate", "coordinate", &nearest, s->coordinate, error);
}

srs_status srs_scene_find_frame(const srs_yaml_node *node, const char *key, const char *name, bool is_link,
                                const srs_model *model, int *frame, srs_error *error)
{
  const int n = is_link ? model->n_parts : srs_model_n_frames(model);
  *frame = srs_model_find_frame(model, name);
  if (*frame >= n) *frame = -1;
  if (*frame >= 0 || node == NULL) return SRS_OK;
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < n; i++) srs_nearest_offer(&nearest, srs_model_frame(model, i)->name);
  return unknown(node, key, is_link ? "link" : "frame", &nearest, name, error);
}

static srs_status find(const srs_yaml_node *node, const srs_file_sensor *s, const srs_model *model, srs_sensor_def *def,
                       bool *is_there, srs_error *error)
{
  const int kind = kind_of(s->kind);
  const bool is_of_joint = kind >= 0 && kind < JOINTS;
  const bool needs_link = kind == SRS_SENSOR_FORCE_TORQUE || kind == SRS_SENSOR_CONTACT;
  *is_there = kind >= 0;
  if (kind < 0) return SRS_OK;
  *def = srs_default_sensor_def((srs_sensor_kind)kind, s->name);
  def->axes = s->is_in_world ? SRS_AXES_WORLD : SRS_AXES_LOCAL;
  if (s->range > 0) def->range = s->range;
  srs_status status = is_of_joint ? find_coordinate(node, s, model, def, error)
                                  : srs_scene_find_frame(node, "frame", s->frame, false, model, &def->frame, error);
  const bool is_of_world = needs_link && def->frame >= 0 && model->part_of_frame[def->frame] < 0;
  if (status == SRS_OK && is_of_world && node != NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_yaml_get(node, "frame")->place, s->frame,
                       "'%.80s' is on the world; a sensor of kind %s needs a frame on a link", s->frame, s->kind);
  if (status == SRS_OK && strcmp(s->other, "world") == 0)
    def->other = SRS_SENSOR_WORLD;
  else if (status == SRS_OK && s->other[0] != '\0')
    status = srs_scene_find_frame(node, "other", s->other, true, model, &def->other, error);
  *is_there =
      (is_of_joint ? def->coordinate : def->frame) >= 0 && !is_of_world && (s->other[0] == '\0' || def->other >= -1);
  if (status == SRS_OK && *is_there && node != NULL && kind == SRS_SENSOR_JOINT_POSITION &&
      !srs_actuator_takes_position(model, def->coordinate))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_yaml_get(node, "coordinate")->place, s->coordinate,
                       "'%.80s' turns a quaternion and has no position: use a sensor of kind pose", s->coordinate);
  return status;
}

srs_status srs_scene_find_sensors(srs_arena *arena, const srs_yaml_node *list, const srs_model *model,
                                  const srs_sensor_def **sensors, int *n_sensors, srs_error *error)
{
  const srs_file_settings *file = &model->file;
  const int n_of_files = file->n_sensors - (list != NULL ? list->count : 0);
  srs_sensor_def *defs = srs_arena_take(arena, (size_t)file->n_sensors + 1, sizeof *defs);
  if (defs == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the sensors");
  const srs_yaml_node *node = NULL;
  int n = 0;
  for (int i = 0; i < file->n_sensors; i++) {
    bool is_there = false;
    if (i >= n_of_files) node = i == n_of_files ? list->first : node->next;
    const srs_status status = find(node, &file->sensors[i], model, &defs[n], &is_there, error);
    if (status != SRS_OK) return status;
    for (int k = 0; k < n && is_there; k++)
      if (strcmp(defs[k].name, defs[n].name) == 0)
        return srs_fail_at(error, SRS_ERROR_NAME, node != NULL ? node->place : (srs_place){NULL, 0, 0}, defs[n].name,
                           "two sensors are named '%.80s'; rename one", defs[n].name);
    n += is_there;
  }
  *sensors = defs;
  *n_sensors = n;
  return SRS_OK;
}
