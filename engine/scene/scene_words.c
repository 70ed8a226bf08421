// Values of scenes that are words: the options of contact, the measure of distance.
#include "engine/scene/scene_words.h"

#include "engine/scene/former_names.h"

#include <string.h>

srs_status srs_scene_read_word(const srs_yaml_node *map, const char *key, const srs_option_word *words, int *value,
                               srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  const char *text = NULL;
  if (node == NULL) return SRS_OK;
  const srs_status status = srs_yaml_text(node, key, &text, error);
  if (status != SRS_OK) return status;
  char known[160] = "", hint[192];
  srs_nearest nearest = srs_nearest_to(text);
  for (const srs_option_word *w = words; w->name != NULL; w++) {
    if (strcmp(srs_present_word(text), w->name) == 0) {
      *value = w->value;
      return SRS_OK;
    }
    srs_offer_word(&nearest, w->name);
    const size_t used = strlen(known);
    srs_print(known + used, sizeof known - used, "%s%s", w == words ? "" : ", ", w->name);
  }
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, text, "no %s is named '%.80s' (there are %s)%s", key, text,
                     known, srs_nearest_hint(&nearest, hint));
}

srs_status srs_scene_read_distance(const srs_yaml_node *map, srs_distance_measure *distance, srs_error *error)
{
  int value = (int)*distance;
  const srs_status status = srs_scene_read_word(map, "distance", srs_distance_words, &value, error);
  *distance = (srs_distance_measure)value;
  return status;
}
