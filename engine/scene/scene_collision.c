// Collision filters of a scene, its key `collision`: whether parent and child collide, pairs that do not, pairs that
// do; the detector; the measure of distance, and pairs with the other one.
//
// Names are those of the model's shapes and links. A name that does not exist is an error at its place, since a
// misspelt pair would otherwise silently collide, or not.
#include "engine/scene/scene_options.h"
#include "engine/scene/scene_settings.h"

#include <stdio.h>
#include <string.h>

static srs_status no_memory(const srs_yaml_node *node, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, node->place, "", "no memory left to read the filters of collision");
}

// A shape, or a link or frame.
static srs_status check_name(const srs_yaml_node *node, const srs_model *model, srs_error *error)
{
  if (srs_model_find_frame(model, node->text) >= 0) return SRS_OK;
  srs_nearest nearest = srs_nearest_to(node->text);
  for (int i = 0; i < srs_model_n_shapes(model); i++) {
    const char *name = srs_model_shape(model, i)->name;
    const char *label = srs_model_shape(model, i)->label;
    if (strcmp(name, node->text) == 0 || strcmp(label, node->text) == 0) return SRS_OK;
    srs_nearest_offer(&nearest, name);
    srs_nearest_offer(&nearest, label);
  }
  for (int i = 0; i < srs_model_n_frames(model); i++) srs_nearest_offer(&nearest, srs_model_frame(model, i)->name);
  char hint[192];
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, node->text, "no shape and no link is named '%.80s'%s",
                     node->text, srs_nearest_hint(&nearest, hint));
}

static srs_status read_pair(srs_arena *arena, const srs_yaml_node *node, const srs_model *model, const char **names,
                            srs_error *error)
{
  srs_status status = srs_yaml_expect_list(node, "a pair of names", error);
  if (status == SRS_OK && node->count != 2)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "", "a pair has %d %s, 2 are needed", node->count,
                       node->count == 1 ? "name" : "names");
  for (const srs_yaml_node *entry = node->first; entry != NULL && status == SRS_OK; entry = entry->next) {
    const char *text;
    status = srs_yaml_text(entry, "a name of a pair", &text, error);
    if (status == SRS_OK) status = check_name(entry, model, error);
    if (status != SRS_OK) return status;
    *names = srs_text_copy(arena, text, strlen(text));
    if (*names++ == NULL) return no_memory(entry, error);
  }
  return status;
}

// `[[a, b], …]` as a list of names that NULL ends.
static srs_status read_pairs(srs_arena *arena, const srs_yaml_node *list, const srs_model *model,
                             const char *const **pairs, srs_error *error)
{
  srs_status status = srs_yaml_expect_list(list, list->key, error);
  if (status != SRS_OK) return status;
  const char **names = srs_arena_take(arena, 2 * (size_t)list->count + 1, sizeof *names);
  if (names == NULL) return no_memory(list, error);
  *pairs = names;
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next, names += 2)
    status = read_pair(arena, node, model, names, error);
  return status;
}

srs_status srs_scene_read_collision(srs_arena *arena, const srs_yaml_node *node, const srs_model *model,
                                    srs_collider_options *options, srs_error *error)
{
  static const char *const keys[] = {"parent_child", "exclude",      "include",   "detector",
                                     "distance",     "ratio-metric", "euclidean", NULL};
  srs_status status = srs_yaml_expect_map(node, "collision", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "collision", keys, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *parent_child = srs_yaml_get(node, "parent_child");
  const srs_yaml_node *exclude = srs_yaml_get(node, "exclude"), *include = srs_yaml_get(node, "include");
  if (parent_child != NULL) status = srs_yaml_bool(parent_child, "parent_child", &options->parent_child, error);
  if (status == SRS_OK && exclude != NULL) status = read_pairs(arena, exclude, model, &options->excluded, error);
  if (status == SRS_OK && include != NULL) status = read_pairs(arena, include, model, &options->included, error);
  const srs_yaml_node *ratio = srs_yaml_get(node, "ratio-metric"), *euclidean = srs_yaml_get(node, "euclidean");
  int detector = (int)options->detector;
  if (status == SRS_OK) status = srs_scene_read_word(node, "detector", srs_detector_words, &detector, error);
  options->detector = (srs_detector)detector;
  if (status == SRS_OK) status = srs_scene_read_distance(node, &options->distance, error);
  if (status == SRS_OK && ratio != NULL) status = read_pairs(arena, ratio, model, &options->ratio_metric, error);
  if (status == SRS_OK && euclidean != NULL) status = read_pairs(arena, euclidean, model, &options->euclidean, error);
  return status;
}
