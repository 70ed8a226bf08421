// What a scene says of the joints and shapes of a model that a file gave.
//
//   armature: 0.01                      every joint with one coordinate
//   armature: {hip: 0.01, ball: [1, 1, 1]}    the joints that are named; a number per coordinate of v
//   materials: {foot: rubber}           the shape of that name, or all that the link of that name carries
//
// The same keys stand in the joints and shapes of a model written in the scene. A name that does not exist is an error
// at its place.
#include "engine/scene/models/scene_entries.h"
#include "topology/base/names.h"
#include "topology/builder/builder.h"
#include "topology/model/joint_kind.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct override_reader {
  srs_scene_reader *scene;
  srs_builder *builder;
  const char *key; // of the map that is read
  int first_joint, first_shape;
} override_reader;

// A name of the map with the model's prefix; NULL when out of memory.
static const char *full_name(const override_reader *r, const srs_yaml_node *entry)
{
  return srs_text_join(r->scene->arena, r->scene->prefix, "", entry->key);
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

static const struct {
  const char *key;
  size_t at; // of the values in srs_joint_def
} joint_keys[] = {{"armature", offsetof(srs_joint_def, armature)},
                  {"damping", offsetof(srs_joint_def, damping)},
                  {"friction", offsetof(srs_joint_def, friction)},
                  {"stiffness", offsetof(srs_joint_def, stiffness)}};

static double *values_of(srs_builder_joint *joint, size_t at) { return (double *)(void *)((char *)&joint->def + at); }

static srs_status check_value(const override_reader *r, const srs_yaml_node *node, double value)
{
  if (value >= 0) return SRS_OK;
  return srs_fail_at(r->scene->error, SRS_ERROR_MODEL, node->place, r->key, "%s must not be negative, here is %.80s",
                     r->key, node->text);
}

static srs_status unknown_joint(const override_reader *r, const srs_yaml_node *entry)
{
  srs_nearest nearest = srs_nearest_to(entry->key);
  char hint[192];
  for (int i = r->first_joint; i < r->builder->n_joints; i++) {
    const char *name = r->builder->joints[i].def.name;
    if (name != NULL && srs_joint_kind_nv(r->builder->joints[i].def.kind) > 0)
      srs_nearest_offer(&nearest, name + strlen(r->scene->prefix));
  }
  return srs_fail_at(r->scene->error, SRS_ERROR_NAME, entry->key_place, entry->key,
                     "%s: no joint of this model is named '%.80s'%s", r->key, entry->key,
                     srs_nearest_hint(&nearest, hint));
}

static srs_status read_joint_entry(const override_reader *r, const srs_yaml_node *entry, size_t at)
{
  const char *name = full_name(r, entry);
  if (name == NULL) return srs_scene_no_memory(r->scene);
  const int index = srs_names_find(&r->builder->joint_names, name);
  if (index < r->first_joint) return unknown_joint(r, entry);
  srs_builder_joint *joint = &r->builder->joints[index];
  const int nv = srs_joint_kind_nv(joint->def.kind);
  char label[160];
  snprintf(label, sizeof label, "%s of joint '%.100s'", r->key, entry->key);
  if (nv == 0)
    return srs_fail_at(r->scene->error, SRS_ERROR_SYNTAX, entry->key_place, entry->key,
                       "%s: a fixed joint has no coordinates", label);
  double *values = values_of(joint, at);
  const bool is_number = entry->kind == SRS_YAML_SCALAR && nv == 1;
  srs_status status = is_number ? srs_yaml_number(entry, label, values, r->scene->error)
                                : srs_yaml_numbers(entry, label, values, nv, r->scene->error);
  const srs_yaml_node *node = is_number ? entry : entry->first;
  for (int i = 0; i < nv && status == SRS_OK; i++, node = node->next) status = check_value(r, node, values[i]);
  return status;
}

static srs_status read_joints(override_reader *r, const srs_yaml_node *node, size_t at)
{
  srs_status status = SRS_OK;
  if (node->kind == SRS_YAML_SCALAR) {
    double value;
    status = srs_yaml_number(node, r->key, &value, r->scene->error);
    if (status == SRS_OK) status = check_value(r, node, value);
    for (int i = r->first_joint; i < r->builder->n_joints && status == SRS_OK; i++)
      if (srs_joint_kind_nv(r->builder->joints[i].def.kind) == 1) values_of(&r->builder->joints[i], at)[0] = value;
    return status;
  }
  status = srs_yaml_expect_map(node, r->key, r->scene->error);
  for (const srs_yaml_node *entry = status == SRS_OK ? node->first : NULL; entry != NULL && status == SRS_OK;
       entry = entry->next)
    status = read_joint_entry(r, entry, at);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

typedef srs_status (*change_shape)(const override_reader *r, const srs_yaml_node *entry, srs_shape_def *def);

static srs_status change_material(const override_reader *r, const srs_yaml_node *entry, srs_shape_def *def)
{
  const char *name;
  const srs_status status = srs_yaml_text(entry, "a material", &name, r->scene->error);
  if (status != SRS_OK) return status;
  r->builder->texts.failed = false;
  def->material = srs_arena_copy(&r->builder->texts, name);
  return def->material != NULL ? SRS_OK : srs_scene_no_memory(r->scene);
}

static srs_status change_group(const override_reader *r, const srs_yaml_node *entry, srs_shape_def *def)
{
  return srs_scene_read_bits(r->scene, entry, "group", &def->group);
}

static srs_status change_mask(const override_reader *r, const srs_yaml_node *entry, srs_shape_def *def)
{
  return srs_scene_read_bits(r->scene, entry, "mask", &def->mask);
}

static const struct {
  const char *key;
  change_shape change;
} shape_keys[] = {{"materials", change_material}, {"groups", change_group}, {"masks", change_mask}};

static srs_status unknown_shape(const override_reader *r, const srs_yaml_node *entry, bool is_link)
{
  srs_nearest nearest = srs_nearest_to(entry->key);
  char hint[192];
  if (is_link)
    return srs_fail_at(r->scene->error, SRS_ERROR_NAME, entry->key_place, entry->key,
                       "%s: link '%.80s' carries no shape", r->key, entry->key);
  for (int i = r->first_shape; i < r->builder->n_shapes; i++) {
    const srs_shape_def *def = &r->builder->shapes[i].def;
    if (def->name != NULL) srs_nearest_offer(&nearest, def->name + strlen(r->scene->prefix));
    if (def->link != NULL) srs_nearest_offer(&nearest, def->link + strlen(r->scene->prefix));
  }
  return srs_fail_at(r->scene->error, SRS_ERROR_NAME, entry->key_place, entry->key,
                     "%s: no shape and no link of this model is named '%.80s'%s", r->key, entry->key,
                     srs_nearest_hint(&nearest, hint));
}

static srs_status read_shape_entry(const override_reader *r, const srs_yaml_node *entry, change_shape change)
{
  const char *name = full_name(r, entry);
  if (name == NULL) return srs_scene_no_memory(r->scene);
  srs_status status = SRS_OK;
  int n = 0;
  for (int i = r->first_shape; i < r->builder->n_shapes && status == SRS_OK; i++) {
    srs_shape_def *def = &r->builder->shapes[i].def;
    const bool is_named =
        (def->name != NULL && strcmp(def->name, name) == 0) || (def->link != NULL && strcmp(def->link, name) == 0);
    if (!is_named) continue;
    status = change(r, entry, def);
    n++;
  }
  if (status != SRS_OK || n > 0) return status;
  return unknown_shape(r, entry, srs_names_find(r->scene->link_names, name) >= 0);
}

static srs_status read_shapes(override_reader *r, const srs_yaml_node *node, change_shape change)
{
  srs_status status = srs_yaml_expect_map(node, r->key, r->scene->error);
  for (const srs_yaml_node *entry = status == SRS_OK ? node->first : NULL; entry != NULL && status == SRS_OK;
       entry = entry->next)
    status = read_shape_entry(r, entry, change);
  return status;
}

srs_status srs_scene_read_overrides(srs_scene_reader *reader, const srs_yaml_node *model, int first_joint,
                                    int first_shape)
{
  override_reader r = {
      .scene = reader, .builder = reader->builder, .first_joint = first_joint, .first_shape = first_shape};
  srs_status status = SRS_OK;
  for (size_t i = 0; i < sizeof joint_keys / sizeof *joint_keys && status == SRS_OK; i++) {
    const srs_yaml_node *node = srs_yaml_get(model, r.key = joint_keys[i].key);
    if (node != NULL) status = read_joints(&r, node, joint_keys[i].at);
  }
  for (size_t i = 0; i < sizeof shape_keys / sizeof *shape_keys && status == SRS_OK; i++) {
    const srs_yaml_node *node = srs_yaml_get(model, r.key = shape_keys[i].key);
    if (node != NULL) status = read_shapes(&r, node, shape_keys[i].change);
  }
  return status;
}
