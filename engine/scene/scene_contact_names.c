// Checking the names in a scene's `contact`: those of `pairs` must be materials, shapes, or links with shapes; those of
// `solids` half-spaces, none of them in two solids.
//
// This runs once the model is complete, so that an error has its place in the file. The setup of contacts checks again,
// for programs that pass settings of their own.
#include "engine/scene/scene_settings.h"

#include <string.h>

// Whether that is the name. If not, it is a candidate for the hint.
static bool is_word(const srs_yaml_node *node, const char *name, srs_nearest *nearest)
{
  srs_nearest_offer(nearest, name);
  return strcmp(node->text, name) == 0;
}

// A name of a pair, of the kinds that engine/rows/material.c looks for.
static srs_status check_partner(const srs_yaml_node *node, const srs_model *model, const srs_contact_settings *o,
                                srs_error *error)
{
  bool is_known = false;
  srs_nearest nearest = srs_nearest_to(node->text);
  for (int i = 0; i < o->n_materials && !is_known; i++) is_known = is_word(node, o->materials[i].name, &nearest);
  for (int i = 0; i < srs_model_n_shapes(model) && !is_known; i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    is_known = is_word(node, shape->name, &nearest);
    if (!is_known && shape->frame >= 0) is_known = is_word(node, srs_model_frame(model, shape->frame)->name, &nearest);
  }
  char hint[192];
  return is_known ? SRS_OK
                  : srs_fail_at(error, SRS_ERROR_NAME, node->place, node->text,
                                "no material, no shape and no link with shapes is named '%.80s'%s", node->text,
                                srs_nearest_hint(&nearest, hint));
}

static srs_status check_half_space(const srs_yaml_node *node, const srs_model *model, srs_error *error)
{
  const srs_shape *found = NULL;
  srs_nearest nearest = srs_nearest_to(node->text);
  for (int i = 0; i < srs_model_n_shapes(model) && found == NULL; i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    if (strcmp(shape->name, node->text) == 0) found = shape;
    if (shape->kind == SRS_SHAPE_HALF_SPACE) srs_nearest_offer(&nearest, shape->name);
  }
  if (found != NULL && found->kind == SRS_SHAPE_HALF_SPACE) return SRS_OK;
  if (found != NULL)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, node->place, node->text,
                       "'%.80s' is not a half-space; boxes and hulls are solids by themselves", node->text);
  char hint[192];
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, node->text, "no half-space is named '%.80s'%s", node->text,
                     srs_nearest_hint(&nearest, hint));
}

// Whether the name occurs in an earlier solid, or earlier in its own.
static bool is_named_before(const srs_yaml_node *solids, const srs_yaml_node *node)
{
  for (const srs_yaml_node *solid = solids->first; solid != NULL; solid = solid->next)
    for (const srs_yaml_node *name = solid->first; name != NULL; name = name->next) {
      if (name == node) return false;
      if (strcmp(name->text, node->text) == 0) return true;
    }
  return false;
}

srs_status srs_scene_check_contact_names(const srs_yaml_node *contact, const srs_model *model,
                                         const srs_contact_settings *settings, srs_error *error)
{
  const srs_yaml_node *pairs = srs_yaml_get(contact, "pairs"), *solids = srs_yaml_get(contact, "solids");
  srs_status status = SRS_OK;
  for (const srs_yaml_node *pair = pairs != NULL ? pairs->first : NULL; pair != NULL; pair = pair->next) {
    const srs_yaml_node *between = srs_yaml_get(pair, "between");
    status = check_partner(between->first, model, settings, error);
    if (status == SRS_OK) status = check_partner(between->first->next, model, settings, error);
    if (status != SRS_OK) return status;
  }
  for (const srs_yaml_node *solid = solids != NULL ? solids->first : NULL; solid != NULL; solid = solid->next)
    for (const srs_yaml_node *name = solid->first; name != NULL; name = name->next) {
      status = check_half_space(name, model, error);
      if (status != SRS_OK) return status;
      if (is_named_before(solids, name))
        return srs_fail_at(error, SRS_ERROR_NAME, name->place, name->text,
                           "half-space '%.80s' is named twice; it can bound one solid only", name->text);
    }
  return SRS_OK;
}
