// Joints of a model written in a scene: one entry of `joints`.
//
// A value per coordinate is a number where the joint has one coordinate, else a list. Keys that a kind of joint does
// not have (an axis of a spherical joint, limits of a quaternion) are refused.
#include "engine/scene/models/scene_entries.h"
#include "topology/base/names.h"
#include "topology/builder/builder.h"
#include "topology/model/joint_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct joint_reader {
  srs_scene_reader *scene;
  const srs_yaml_node *map;
  srs_joint_def def;
  const char *plain_name; // without prefix, for messages
} joint_reader;

static srs_status read_kind(joint_reader *r)
{
  srs_error *error = r->scene->error;
  const srs_yaml_node *node = srs_yaml_get(r->map, "kind");
  if (node == NULL) return srs_fail_at(error, SRS_ERROR_SYNTAX, r->map->place, "kind", "a joint needs the key 'kind'");
  const char *word;
  const srs_status status = srs_yaml_text(node, "kind of a joint", &word, error);
  if (status != SRS_OK) return status;
  srs_nearest nearest = srs_nearest_to(word);
  char known[256] = "", hint[192];
  for (int i = 0; i < SRS_JOINT_KINDS; i++) {
    const char *name = srs_joint_kind_name((srs_joint_kind)i);
    if (strcmp(name, word) == 0) {
      r->def = srs_default_joint_def((srs_joint_kind)i);
      return SRS_OK;
    }
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", name);
    srs_nearest_offer(&nearest, name);
  }
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, word, "no kind of joint is named '%.80s' (there are %s)%s",
                     word, known, srs_nearest_hint(&nearest, hint));
}

// "KEY of joint `NAME`"
static const char *label_of(const joint_reader *r, const char *key, char label[160])
{
  snprintf(label, 160, "%s of joint '%.100s'", key, r->plain_name);
  return label;
}

static srs_status not_for_kind(const joint_reader *r, const srs_yaml_node *node, const char *why)
{
  return srs_fail_at(r->scene->error, SRS_ERROR_SYNTAX, node->key_place, node->key,
                     "%s of joint '%.100s': a %s joint has %s", node->key, r->plain_name,
                     srs_joint_kind_name(r->def.kind), why);
}

// ---------------------------------------------------------------------------------------------------------------------
// Geometry
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_axes(joint_reader *r)
{
  char label[160];
  srs_error *error = r->scene->error;
  const srs_joint_kind kind = r->def.kind;
  const bool has_cone = kind == SRS_JOINT_SPHERICAL &&
                        (srs_yaml_get(r->map, "max_swing") != NULL || srs_yaml_get(r->map, "min_twist") != NULL ||
                         srs_yaml_get(r->map, "max_twist") != NULL);
  const bool has_axis = has_cone || (kind != SRS_JOINT_FIXED && kind != SRS_JOINT_SPHERICAL && kind != SRS_JOINT_FREE);
  const srs_yaml_node *axis = srs_yaml_get(r->map, "axis"), *axis2 = srs_yaml_get(r->map, "axis2");
  const srs_yaml_node *pitch = srs_yaml_get(r->map, "pitch");
  if (axis != NULL && !has_axis) return not_for_kind(r, axis, "no axis");
  if (axis2 != NULL && kind != SRS_JOINT_UNIVERSAL) return not_for_kind(r, axis2, "no second axis");
  if (pitch != NULL && kind != SRS_JOINT_HELICAL) return not_for_kind(r, pitch, "no pitch");
  const char *missing = NULL;
  if (axis2 == NULL && kind == SRS_JOINT_UNIVERSAL) missing = "axis2";
  if (pitch == NULL && kind == SRS_JOINT_HELICAL) missing = "pitch";
  if (missing != NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, r->map->place, missing, "joint '%.100s': a %s joint needs the key '%s'",
                       r->plain_name, srs_joint_kind_name(kind), missing);
  srs_status status = SRS_OK;
  if (axis != NULL) status = srs_yaml_numbers(axis, label_of(r, "axis", label), r->def.axis, 3, error);
  if (status == SRS_OK && axis2 != NULL)
    status = srs_yaml_numbers(axis2, label_of(r, "axis2", label), r->def.axis2, 3, error);
  if (status == SRS_OK && pitch != NULL)
    status = srs_yaml_number(pitch, label_of(r, "pitch", label), &r->def.pitch, error);
  return status;
}

static srs_status read_origin(joint_reader *r)
{
  static const char *const keys[] = {"position", "rotation", NULL};
  char label[160];
  srs_error *error = r->scene->error;
  const srs_yaml_node *node = srs_yaml_get(r->map, "origin");
  srs_status status = SRS_OK;
  if (node != NULL) {
    status = srs_yaml_expect_map(node, label_of(r, "origin", label), error);
    if (status == SRS_OK) status = srs_yaml_check_keys(node, label, keys, error);
    if (status == SRS_OK) status = srs_scene_read_pose(r->scene, node, &r->def.origin);
  }
  if (status == SRS_OK && r->def.parent == NULL) r->def.origin = srs_scene_place(r->scene, &r->def.origin);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values per coordinate
// ---------------------------------------------------------------------------------------------------------------------

// A number, or an infinity as YAML writes it where that means "none".
static srs_status read_number(const srs_yaml_node *node, const char *label, bool takes_infinity, double *value,
                              srs_error *error)
{
  if (takes_infinity && node->kind == SRS_YAML_SCALAR && node->is_plain) {
    const bool is_minus = node->text[0] == '-';
    const char *word = node->text + (is_minus || node->text[0] == '+');
    if (strcmp(word, ".inf") == 0) {
      *value = is_minus ? -INFINITY : INFINITY;
      return SRS_OK;
    }
  }
  return srs_yaml_number(node, label, value, error);
}

static srs_status read_per_coordinate(joint_reader *r, const char *key, int n, bool takes_infinity, double *values)
{
  char label[160];
  srs_error *error = r->scene->error;
  const srs_yaml_node *node = srs_yaml_get(r->map, key);
  if (node == NULL) return SRS_OK;
  if (n == 0) return not_for_kind(r, node, "no coordinates");
  label_of(r, key, label);
  if (n == 1 && node->kind != SRS_YAML_LIST) return read_number(node, label, takes_infinity, values, error);
  if (node->kind != SRS_YAML_LIST || node->count != n)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, key, "%s must be a list of %d numbers (the joint is %s)",
                       label, n, srs_joint_kind_name(r->def.kind));
  srs_status status = SRS_OK;
  for (const srs_yaml_node *entry = node->first; entry != NULL && status == SRS_OK; entry = entry->next)
    status = read_number(entry, label, takes_infinity, values++, error);
  return status;
}

static srs_status read_cone(joint_reader *r)
{
  static const char *const keys[] = {"max_swing", "min_twist", "max_twist"};
  double *const values[] = {&r->def.max_swing, &r->def.min_twist, &r->def.max_twist};
  for (int i = 0; i < 3; i++) {
    char label[160];
    const srs_yaml_node *node = srs_yaml_get(r->map, keys[i]);
    if (node == NULL) continue;
    if (r->def.kind != SRS_JOINT_SPHERICAL) return not_for_kind(r, node, "no cone");
    const srs_status status = srs_yaml_number(node, label_of(r, keys[i], label), values[i], r->scene->error);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

static srs_status read_limits(joint_reader *r, int nq, int nv)
{
  static const char *const keys[] = {"lower", "upper"};
  double *const values[] = {r->def.lower, r->def.upper};
  for (int i = 0; i < 2; i++) {
    const srs_yaml_node *node = srs_yaml_get(r->map, keys[i]);
    if (node != NULL && (nq != nv || r->def.kind == SRS_JOINT_CONTINUOUS)) return not_for_kind(r, node, "no limits");
    const srs_status status = read_per_coordinate(r, keys[i], nv, true, values[i]);
    if (status != SRS_OK) return status;
    for (int k = 0; node != NULL && k < nv; k++)
      if (values[i][k] == (i == 0 ? INFINITY : -INFINITY))
        return srs_fail_at(r->scene->error, SRS_ERROR_MODEL, node->place, keys[i],
                           "joint '%.100s': no coordinate keeps a%s; %s is none", r->def.name,
                           i == 0 ? " lower limit of .inf" : "n upper limit of -.inf", i == 0 ? "-.inf" : ".inf");
  }
  return read_cone(r);
}

// All coordinates q of the joint, a quaternion among them of length 1.
static srs_status read_coordinates(joint_reader *r, const char *key, int nq, double *values)
{
  const srs_status status = read_per_coordinate(r, key, nq, false, values);
  if (status != SRS_OK) return status;
  const bool is_free = r->def.kind == SRS_JOINT_FREE;
  double length;
  if (!is_free && r->def.kind != SRS_JOINT_SPHERICAL) return SRS_OK;
  if (srs_scene_unit_quaternion(values + (is_free ? 3 : 0), &length)) return SRS_OK;
  char number[32];
  srs_format_number(length, number);
  return srs_fail_at(r->scene->error, SRS_ERROR_SYNTAX, srs_yaml_get(r->map, key)->place, key,
                     "%s of joint '%.100s': the quaternion (w x y z) has length %s, it must be 1 within 1e-6", key,
                     r->plain_name, number);
}

static srs_status read_dynamics(joint_reader *r)
{
  srs_joint_def *def = &r->def;
  const int nq = srs_joint_kind_nq(def->kind), nv = srs_joint_kind_nv(def->kind);
  srs_status status = read_per_coordinate(r, "armature", nv, false, def->armature);
  if (status == SRS_OK) status = read_per_coordinate(r, "damping", nv, false, def->damping);
  if (status == SRS_OK) status = read_per_coordinate(r, "stiffness", nv, false, def->stiffness);
  if (status == SRS_OK) status = read_per_coordinate(r, "friction", nv, false, def->friction);
  if (status == SRS_OK) status = read_per_coordinate(r, "max_effort", nv, true, def->max_effort);
  if (status == SRS_OK) status = read_per_coordinate(r, "max_velocity", nv, true, def->max_velocity);
  if (status == SRS_OK) status = read_limits(r, nq, nv);
  if (status == SRS_OK) status = read_coordinates(r, "reference", nq, def->reference);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_names(joint_reader *r)
{
  srs_scene_reader *scene = r->scene;
  const bool needs_name = r->def.kind != SRS_JOINT_FIXED;
  r->plain_name = "(no name)";
  srs_status status = srs_scene_read_name(scene, r->map, "a joint", "name", needs_name, &r->def.name);
  if (status != SRS_OK) return status;
  if (r->def.name != NULL) r->plain_name = r->def.name + strlen(scene->prefix);
  status = srs_scene_read_link_name(scene, r->map, "a joint", "parent", false, &r->def.parent);
  if (status == SRS_OK) status = srs_scene_read_link_name(scene, r->map, "a joint", "child", true, &r->def.child);
  if (status != SRS_OK) return status;
  if (srs_names_find(scene->child_names, r->def.child) >= 0)
    return srs_fail_at(scene->error, SRS_ERROR_MODEL, srs_yaml_get(r->map, "child")->place, r->def.child,
                       "link '%.100s' is the child of two joints, a link hangs on one", r->def.child);
  if (!srs_names_reserve(scene->child_names)) return srs_scene_no_memory(scene);
  srs_names_add(scene->child_names, r->def.child, scene->child_names->n);
  return SRS_OK;
}

// `neutral`: where the joint stands in the model's neutral configuration.
static srs_status add_joint(joint_reader *r)
{
  double neutral[SRS_MAX_JOINT_NQ] = {0};
  const int nq = srs_joint_kind_nq(r->def.kind), at = srs_joint_kind_quaternion(r->def.kind);
  const srs_yaml_node *node = srs_yaml_get(r->map, "neutral");
  if (at >= 0) neutral[at] = 1;
  srs_status status = node != NULL ? read_coordinates(r, "neutral", nq, neutral) : SRS_OK;
  if (status != SRS_OK) return status;
  srs_scene_set_location(r->scene, r->map);
  status = srs_builder_add_joint(r->scene->builder, &r->def, r->scene->error);
  if (status != SRS_OK || node == NULL) return status;
  status = srs_builder_set_neutral(r->scene->builder, r->def.name, neutral, nq);
  return status == SRS_OK ? status : srs_scene_no_memory(r->scene);
}

srs_status srs_scene_read_joint(srs_scene_reader *reader, const srs_yaml_node *node)
{
  static const char *const keys[] = {"name",      "kind",      "parent",    "child",      "origin",       "axis",
                                     "axis2",     "pitch",     "armature",  "damping",    "friction",     "lower",
                                     "upper",     "stiffness", "reference", "max_effort", "max_velocity", "max_swing",
                                     "min_twist", "max_twist", "neutral",   NULL};
  joint_reader joint = {.scene = reader, .map = node, .plain_name = ""};
  srs_status status = srs_yaml_expect_map(node, "a joint", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a joint", keys, reader->error);
  if (status == SRS_OK) status = read_kind(&joint);
  if (status == SRS_OK) status = read_names(&joint);
  if (status == SRS_OK) status = read_origin(&joint);
  if (status == SRS_OK) status = read_axes(&joint);
  if (status == SRS_OK) status = read_dynamics(&joint);
  return status == SRS_OK ? add_joint(&joint) : status;
}
