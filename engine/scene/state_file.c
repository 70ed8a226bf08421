// Reading states: coordinates and velocities as lists in the model's order, or as maps by the names of joints and
// coordinates. A quaternion w x y z is accepted when | |w x y z| - 1 | <= 1e-6 and then divided by its length.
#include "engine/scene/state_file.h"

#include "engine/scene/values/scene_read.h"
#include "topology/base/rotations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct state_reader {
  const srs_model *model;
  const char *what;
  bool is_q;
  double *values;
  const srs_yaml_node **source; // nq or nv: the node that gave the entry, NULL where none did
  srs_error *error;
} state_reader;

// ---------------------------------------------------------------------------------------------------------------------
// By name
// ---------------------------------------------------------------------------------------------------------------------

static const char *coordinate_name(const state_reader *r, int i)
{
  return r->is_q ? srs_model_q_name(r->model, i) : srs_model_v_name(r->model, i);
}

static srs_status take_value(state_reader *r, const srs_yaml_node *node, int i)
{
  const char *name = coordinate_name(r, i);
  if (r->source[i] != NULL)
    return srs_fail_at(r->error, SRS_ERROR_NAME, node->place, name, "%s: '%s' is given twice, first in line %d",
                       r->what, name, r->source[i]->place.line);
  char label[192];
  snprintf(label, sizeof label, "%s of '%s'", r->what, name);
  r->source[i] = node;
  return srs_yaml_number(node, label, r->values + i, r->error);
}

static srs_status take_joint(state_reader *r, const srs_yaml_node *node, const srs_joint *joint)
{
  const int first = r->is_q ? joint->q_index : joint->v_index, n = r->is_q ? joint->nq : joint->nv;
  if (n == 0)
    return srs_fail_at(r->error, SRS_ERROR_NAME, node->key_place, joint->name,
                       "%s: joint '%s' is fixed and has no coordinates", r->what, joint->name);
  if (node->kind != SRS_YAML_LIST && n == 1) return take_value(r, node, first);
  if (node->kind != SRS_YAML_LIST)
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, node->place, joint->name,
                       "%s: joint '%s' (%s) has %d coordinates, give a list of %d numbers", r->what, joint->name,
                       srs_joint_kind_name(joint->kind), n, n);
  if (node->count != n)
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, node->place, joint->name,
                       "%s: the list for joint '%s' (%s) has %d entries, it needs %d", r->what, joint->name,
                       srs_joint_kind_name(joint->kind), node->count, n);
  int i = first;
  for (const srs_yaml_node *entry = node->first; entry != NULL; entry = entry->next, i++) {
    const srs_status status = take_value(r, entry, i);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

static srs_status unknown_name(const state_reader *r, const srs_yaml_node *node)
{
  srs_nearest nearest = srs_nearest_to(node->key);
  const int n = r->is_q ? srs_model_nq(r->model) : srs_model_nv(r->model);
  for (int k = 0; k < srs_model_n_links(r->model); k++) {
    const srs_joint *joint = srs_model_joint(r->model, k);
    if (joint->nq > 0) srs_nearest_offer(&nearest, joint->name);
  }
  for (int i = 0; i < n; i++) srs_nearest_offer(&nearest, coordinate_name(r, i));
  char hint[192];
  return srs_fail_at(r->error, SRS_ERROR_NAME, node->key_place, node->key,
                     "%s: no joint and no coordinate is named '%.80s'%s", r->what, node->key,
                     srs_nearest_hint(&nearest, hint));
}

static srs_status read_map(state_reader *r, const srs_yaml_node *map)
{
  for (const srs_yaml_node *node = map->first; node != NULL; node = node->next) {
    const int joint = srs_model_find_joint(r->model, node->key);
    const int i = r->is_q ? srs_model_find_q(r->model, node->key) : srs_model_find_v(r->model, node->key);
    srs_status status;
    if (joint >= 0)
      status = take_joint(r, node, srs_model_joint(r->model, joint));
    else if (i >= 0)
      status = take_value(r, node, i);
    else
      status = unknown_name(r, node);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// As a whole
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_list(state_reader *r, const srs_yaml_node *list, int n)
{
  if (list->count != n)
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, list->place, r->what, "%s has %d %s, the model needs %d", r->what,
                       list->count, list->count == 1 ? "entry" : "entries", n);
  int i = 0;
  for (const srs_yaml_node *node = list->first; node != NULL; node = node->next, i++) {
    const srs_status status = take_value(r, node, i);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

static srs_status check_quaternions(state_reader *r, const srs_yaml_node *node)
{
  for (int k = 0; k < srs_model_n_links(r->model); k++) {
    const srs_joint *joint = srs_model_joint(r->model, k);
    if (joint->kind != SRS_JOINT_SPHERICAL && joint->kind != SRS_JOINT_FREE) continue;
    const int first = joint->q_index + (joint->kind == SRS_JOINT_FREE ? 3 : 0);
    const srs_yaml_node *source = NULL;
    for (int i = first; i < first + 4 && source == NULL; i++) source = r->source[i];
    double length;
    if (source == NULL || srs_scene_unit_quaternion(r->values + first, &length)) continue;
    char number[32];
    srs_format_number(length, number);
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, source != NULL ? source->place : node->place, joint->name,
                       "%s: the quaternion (w x y z) of joint '%s' has length %s, it must be 1 within 1e-6", r->what,
                       joint->name, number);
  }
  return SRS_OK;
}

srs_status srs_state_read(const srs_yaml_node *node, const char *what, const srs_model *model, bool is_q,
                          double *values, srs_error *error)
{
  const int n = is_q ? srs_model_nq(model) : srs_model_nv(model);
  state_reader reader = {model, what, is_q, values, calloc((size_t)n + 1, sizeof(srs_yaml_node *)), error};
  if (reader.source == NULL)
    return srs_fail_at(error, SRS_ERROR_MEMORY, node->place, what, "no memory left to read %s", what);
  srs_status status;
  if (node->kind == SRS_YAML_LIST)
    status = read_list(&reader, node, n);
  else if (node->kind == SRS_YAML_MAP)
    status = read_map(&reader, node);
  else
    status =
        srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, what,
                    "%s must be a list of %d numbers or a map by joint, here is %s", what, n, srs_yaml_describe(node));
  if (status == SRS_OK && is_q) status = check_quaternions(&reader, node);
  free(reader.source);
  return status;
}

srs_status srs_state_load(const char *path, const srs_model *model, double *q, double *v, double *a, double *tau,
                          srs_state_given *given, srs_error *error)
{
  static const char *const keys[] = {"q", "v", "a", "tau", NULL};
  double *const values[] = {q, v, a, tau};
  bool *const is_given[] = {&given->q, &given->v, &given->a, &given->tau};
  *given = (srs_state_given){false, false, false, false};
  srs_yaml yaml;
  srs_status status = srs_yaml_load(path, &yaml, error);
  if (status != SRS_OK) return status;
  status = srs_yaml_expect_map(yaml.root, "a state", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(yaml.root, "a state", keys, error);
  for (int i = 0; i < 4 && status == SRS_OK; i++) {
    const srs_yaml_node *node = srs_yaml_get(yaml.root, keys[i]);
    *is_given[i] = node != NULL;
    if (node != NULL) status = srs_state_read(node, keys[i], model, i == 0, values[i], error);
  }
  srs_yaml_free(&yaml);
  return status;
}
