// Joint limits, joint friction, actuators and loops of a scene: the keys `limits`, `joint_friction`, `actuator_limits`,
// `closure` and `actuators`.

#include "engine/scene/scene_options.h"
#include "engine/scene/scene_settings.h"

#include <math.h>
#include <string.h>

// Messages name the key as it stands in the file, which may be a former name.
static srs_status read_number(const srs_yaml_node *map, const char *key, double low, double high, double *value,
                              srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  if (node == NULL) return SRS_OK;
  const srs_status status = srs_yaml_number(node, node->key, value, error);
  if (status != SRS_OK || (*value >= low && *value <= high)) return status;
  if (isfinite(high))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, node->key, "%s must be between %g and %g, here is %.80s",
                       node->key, low, high, node->text);
  return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, node->key, "%s must be %g or more, here is %.80s", node->key,
                     low, node->text);
}

static const char *const no_others[] = {NULL};

// `limits` is true or false, or a map of their properties.
static srs_status read_limits(const srs_yaml_node *root, srs_sim_options *options, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(root, "limits");
  if (node == NULL) return SRS_OK;
  if (node->kind != SRS_YAML_MAP) return srs_yaml_bool(node, "limits", &options->joint.limits, error);
  const srs_status status = srs_scene_check_option_keys(node, "limits", "limits", no_others, error);
  return status == SRS_OK ? srs_scene_read_options(node, "limits", options, error) : status;
}

srs_status srs_scene_read_mechanism(const srs_yaml_node *root, srs_sim_options *options, srs_error *error)
{
  srs_status status = read_limits(root, options, error);
  const srs_yaml_node *closure = srs_yaml_get(root, "closure");
  if (status != SRS_OK || closure == NULL) return status;
  status = srs_yaml_expect_map(closure, "closure", error);
  if (status == SRS_OK) status = srs_scene_check_option_keys(closure, "closure", "closure", no_others, error);
  return status == SRS_OK ? srs_scene_read_options(closure, "closure", options, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Actuators
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_coordinate(const srs_yaml_node *map, const srs_model *model, int *v_index, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(map, "coordinate");
  if (node == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, map->place, "coordinate",
                       "an actuator needs the key 'coordinate' or 'closure'");
  const char *name;
  const srs_status status = srs_yaml_text(node, "coordinate of an actuator", &name, error);
  if (status != SRS_OK) return status;
  *v_index = srs_model_find_v(model, name);
  if (*v_index >= 0) return SRS_OK;
  char hint[192];
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < srs_model_nv(model); i++) srs_nearest_offer(&nearest, srs_model_v_name(model, i));
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, name, "no coordinate is named '%.80s'%s", name,
                     srs_nearest_hint(&nearest, hint));
}

// `closure: NAME` instead of `coordinate`: the joint of a revolute or prismatic closure.
static srs_status read_closure(const srs_yaml_node *node, const srs_model *model, int *closure, srs_error *error)
{
  const char *name;
  const srs_status status = srs_yaml_text(node, "closure of an actuator", &name, error);
  if (status != SRS_OK) return status;
  *closure = srs_model_find_loop(model, name);
  const srs_closure *found = srs_model_closure(model, *closure);
  if (srs_closure_has_coordinate(found)) return SRS_OK;
  if (found != NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, name,
                       "closure '%.80s' is a %s: only revolute and prismatic closures and free tendons can be driven",
                       name, srs_closure_kind_name(found->kind));
  char hint[192];
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < srs_model_n_closures(model); i++) srs_nearest_offer(&nearest, srs_model_loop_name(model, i));
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, name, "no closure is named '%.80s'%s", name,
                     srs_nearest_hint(&nearest, hint));
}

// A reference without a gain is a mistake.
static srs_status check_gains(const srs_yaml_node *map, srs_error *error)
{
  static const char *const references[2] = {"position", "velocity"}, *const gains[2] = {"kp", "kd"};
  for (int i = 0; i < 2; i++) {
    const srs_yaml_node *reference = srs_yaml_get(map, references[i]);
    if (reference == NULL || srs_yaml_get(map, gains[i]) != NULL) continue;
    return srs_fail_at(error, SRS_ERROR_SYNTAX, reference->key_place, references[i],
                       "the actuator's %s does nothing without a gain: give '%s' too, or leave it out", references[i],
                       gains[i]);
  }
  return SRS_OK;
}

static srs_status read_actuator(const srs_yaml_node *map, const srs_model *model, srs_actuator *actuator,
                                srs_error *error)
{
  static const char *const keys[] = {"coordinate", "closure", "gear", "torque", "position",
                                     "velocity",   "kp",      "kd",   NULL};
  srs_status status = srs_yaml_expect_map(map, "an actuator", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(map, "an actuator", keys, error);
  int v_index = -1;
  const srs_yaml_node *closure = srs_yaml_get(map, "closure");
  if (status == SRS_OK && closure != NULL && srs_yaml_get(map, "coordinate") != NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, closure->key_place, "closure",
                       "an actuator has either a 'coordinate' or a 'closure'");
  if (status == SRS_OK)
    status =
        closure != NULL ? read_closure(closure, model, &v_index, error) : read_coordinate(map, model, &v_index, error);
  if (status != SRS_OK) return status;
  *actuator = srs_default_actuator(v_index);
  actuator->is_of_closure = closure != NULL;
  const struct {
    const char *key;
    double low, *value;
  } entries[] = {{"gear", -INFINITY, &actuator->gear},
                 {"torque", -INFINITY, &actuator->torque},
                 {"position", -INFINITY, &actuator->position},
                 {"velocity", -INFINITY, &actuator->velocity},
                 {"kp", 0, &actuator->kp},
                 {"kd", 0, &actuator->kd}};
  for (size_t i = 0; i < sizeof entries / sizeof entries[0] && status == SRS_OK; i++)
    status = read_number(map, entries[i].key, entries[i].low, INFINITY, entries[i].value, error);
  if (status == SRS_OK && actuator->gear == 0)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_yaml_get(map, "gear")->place, "gear", "gear must not be 0");
  const srs_yaml_node *position = srs_yaml_get(map, "position");
  if (status == SRS_OK && position != NULL && closure == NULL && !srs_actuator_takes_position(model, v_index))
    return srs_fail_at(
        error, SRS_ERROR_SYNTAX, position->key_place, "position",
        "'%.80s' is a velocity of a quaternion: an actuator takes no position there, only a velocity and a torque",
        srs_model_v_name(model, v_index));
  return status == SRS_OK ? check_gains(map, error) : status;
}

srs_status srs_scene_read_actuators(srs_arena *arena, const srs_yaml_node *list, const srs_model *model,
                                    const srs_actuator **actuators, int *n_actuators, srs_error *error)
{
  if (list->kind != SRS_YAML_LIST)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, list->place, list->key, "%s must be a list", list->key);
  srs_actuator *read = srs_arena_take(arena, (size_t)list->count + 1, sizeof *read);
  if (read == NULL) return srs_fail_at(error, SRS_ERROR_MEMORY, list->place, "", "no memory left for the actuators");
  int n = 0;
  for (const srs_yaml_node *node = list->first; node != NULL; node = node->next, n++) {
    const srs_status status = read_actuator(node, model, &read[n], error);
    if (status != SRS_OK) return status;
    for (int i = 0; i < n; i++)
      if (read[i].coordinate == read[n].coordinate && read[i].is_of_closure == read[n].is_of_closure)
        return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "actuators",
                           "'%.80s' is driven twice: write torque and servo in one entry",
                           read[n].is_of_closure ? srs_model_loop_name(model, read[n].coordinate)
                                                 : srs_model_v_name(model, read[n].coordinate));
  }
  *actuators = read;
  *n_actuators = n;
  return SRS_OK;
}
