// Which value of a scene does `models[arm].links[hand].mass` name? The path is walked through the tree of values. Of
// several keys that the path may go on with, as `root` and `root.x`, the longest counts.
#include "engine/sweep/sweep_plan.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_ROOM = 128 };

typedef struct walk {
  const char *path;
  srs_place place;
  srs_error *error;
} walk;

static srs_status no_such(const walk *w, const char *at, const srs_yaml_node *node, const char *what)
{
  srs_nearest nearest = srs_nearest_to(at);
  char hint[192];
  for (const srs_yaml_node *each = node->first; each != NULL && node->kind == SRS_YAML_MAP; each = each->next)
    srs_nearest_offer(&nearest, each->key);
  return srs_fail_at(w->error, SRS_ERROR_NAME, w->place, w->path,
                     "'%.100s': the scene has %s '%.60s' here%s (what a sweep varies must be written in the scene)",
                     w->path, what, at, srs_nearest_hint(&nearest, hint));
}

// The entry of a map that the path goes on with.
static srs_status take_key(const walk *w, const char **at, const srs_yaml_node **node)
{
  const srs_yaml_node *best = NULL;
  size_t longest = 0;
  for (const srs_yaml_node *each = (*node)->first; each != NULL; each = each->next) {
    const size_t length = strlen(each->key);
    const char after = strncmp(*at, each->key, length) == 0 ? (*at)[length] : 'x';
    if ((after == '\0' || after == '.' || after == '[') && length > longest) best = each, longest = length;
  }
  if (best == NULL) return no_such(w, *at, *node, "no key");
  *node = best;
  *at += longest;
  return SRS_OK;
}

static bool goes_by(const srs_yaml_node *entry, const char *name)
{
  static const char *const keys[] = {"name", "coordinate", "follower", "closure"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys && entry->kind == SRS_YAML_MAP; i++) {
    const srs_yaml_node *value = srs_yaml_get(entry, keys[i]);
    if (value != NULL && value->kind == SRS_YAML_SCALAR) return strcmp(value->text, name) == 0;
  }
  return false;
}

// [name] or [number].
static srs_status take_entry(const walk *w, const char **at, const srs_yaml_node **node)
{
  const char *end = strchr(*at, ']');
  char name[STEP_ROOM];
  if (end == NULL || end - *at < 2 || end - *at > STEP_ROOM)
    return srs_fail_at(w->error, SRS_ERROR_SYNTAX, w->place, w->path, "'%.100s': write [name] or [number]", w->path);
  memcpy(name, *at + 1, (size_t)(end - *at) - 1);
  name[end - *at - 1] = '\0';
  double number;
  const bool is_number = srs_parse_number(name, strlen(name), &number);
  int i = 0;
  const srs_yaml_node *found = NULL;
  for (const srs_yaml_node *each = (*node)->first; each != NULL && (*node)->kind == SRS_YAML_LIST; each = each->next)
    if (goes_by(each, name) || (is_number && found == NULL && number == i++)) found = each;
  if (found == NULL) return no_such(w, name, *node, "no entry");
  *node = found;
  *at = end + 1;
  return SRS_OK;
}

srs_status srs_scene_path(const srs_yaml_node *root, const char *path, srs_place place, const srs_yaml_node **found,
                          srs_error *error)
{
  const walk w = {path, place, error};
  const srs_yaml_node *node = root;
  const char *at = path;
  srs_status status = SRS_OK;
  while (*at != '\0' && status == SRS_OK) {
    if (*at == '.' && at > path) at++;
    if (*at == '[')
      status = take_entry(&w, &at, &node);
    else if (node->kind == SRS_YAML_MAP)
      status = take_key(&w, &at, &node);
    else
      status = no_such(&w, at, node, "nothing of the name");
  }
  if (status != SRS_OK) return status;
  *found = node;
  if (node->kind == SRS_YAML_SCALAR && node->is_plain && node->length > 0) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_SYNTAX, place, path, "'%.100s' is %s in the scene: a sweep sets single values",
                     path, srs_yaml_describe(node));
}
