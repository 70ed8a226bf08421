// Options of scenes: what their keys say, by the table of options; words, with their former names.
#include "engine/scene/scene_options.h"

#include "engine/scene/values/former_names.h"

#include <string.h>

enum { MOST_KEYS = 63 };

// ---------------------------------------------------------------------------------------------------------------------
// Rows of the table
// ---------------------------------------------------------------------------------------------------------------------

static srs_status out_of_range(const srs_option_row *row, const srs_yaml_node *node, srs_error *error)
{
  char range[96];
  return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, node->key, "%s must be %s, here is %.80s", node->key,
                     srs_option_range(row, range), node->text);
}

static srs_status no_word(const srs_option_row *row, const srs_yaml_node *node, const char *text, srs_error *error)
{
  char known[256] = "", hint[192];
  srs_nearest nearest = srs_nearest_to(text);
  const char *word;
  for (int i = 0; (word = srs_option_word_of(row, i)) != NULL; i++) {
    srs_offer_word(&nearest, word);
    const size_t used = strlen(known);
    srs_print(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ", word);
  }
  return srs_fail_at(error, SRS_ERROR_NAME, node->place, text, "no %s is named '%.80s' (there are %s)%s", row->key,
                     text, known, srs_nearest_hint(&nearest, hint));
}

static srs_status read_word(const srs_option_row *row, const srs_yaml_node *node, double *value, srs_error *error)
{
  const char *text = NULL;
  const srs_status status = srs_yaml_text(node, row->key, &text, error);
  if (status != SRS_OK) return status;
  const char *present = srs_present_word(text);
  const char *word;
  for (int i = 0; (word = srs_option_word_of(row, i)) != NULL; i++)
    if (strcmp(word, present) == 0) {
      *value = i;
      return SRS_OK;
    }
  return no_word(row, node, text, error);
}

static srs_status read_row(const srs_option_row *row, const srs_yaml_node *node, srs_sim_options *options,
                           srs_error *error)
{
  double value = 0;
  int count = 0;
  bool flag = false;
  srs_status status = SRS_OK;
  switch (row->kind) {
  case SRS_OPTION_NUMBER: status = srs_yaml_number(node, node->key, &value, error); break;
  case SRS_OPTION_COUNT:
    status = srs_yaml_integer(node, node->key, &count, error);
    value = count;
    break;
  case SRS_OPTION_FLAG:
    status = srs_yaml_bool(node, node->key, &flag, error);
    value = flag;
    break;
  case SRS_OPTION_WORD: status = read_word(row, node, &value, error); break;
  }
  if (status == SRS_OK && !srs_option_is_in_range(row, value)) status = out_of_range(row, node, error);
  if (status == SRS_OK) srs_option_set(row, options, value);
  return status;
}

static bool is_of(const srs_option_row *row, const char *group)
{
  return row->group != NULL && strcmp(row->group, group) == 0;
}

srs_status srs_scene_read_options(const srs_yaml_node *map, const char *group, srs_sim_options *options,
                                  srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < srs_n_option_rows && status == SRS_OK; i++) {
    const srs_option_row *row = &srs_option_rows[i];
    const srs_yaml_node *node = is_of(row, group) ? srs_yaml_get(map, row->key) : NULL;
    if (node != NULL) status = read_row(row, node, options, error);
  }
  return status;
}

srs_status srs_scene_check_option_keys(const srs_yaml_node *map, const char *what, const char *group,
                                       const char *const *others, srs_error *error)
{
  const char *keys[MOST_KEYS + 1];
  int n = 0;
  for (int i = 0; i < srs_n_option_rows && n < MOST_KEYS; i++)
    if (is_of(&srs_option_rows[i], group)) keys[n++] = srs_option_rows[i].key;
  for (; *others != NULL && n < MOST_KEYS; others++) keys[n++] = *others;
  keys[n] = NULL;
  return srs_yaml_check_keys(map, what, keys, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Words that are no row's key
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_scene_read_word(const srs_yaml_node *map, const char *key, const srs_option_word *words, int *value,
                               srs_error *error)
{
  const srs_option_row row = {.key = key, .kind = SRS_OPTION_WORD, .words = words};
  const srs_yaml_node *node = srs_yaml_get(map, key);
  double read = *value;
  const srs_status status = node != NULL ? read_word(&row, node, &read, error) : SRS_OK;
  *value = (int)read;
  return status;
}

srs_status srs_scene_read_distance(const srs_yaml_node *map, srs_distance_measure *distance, srs_error *error)
{
  int value = (int)*distance;
  const srs_status status = srs_scene_read_word(map, "distance", srs_distance_words, &value, error);
  *distance = (srs_distance_measure)value;
  return status;
}
