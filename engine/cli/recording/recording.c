// What is in a recorded run? FILE.csv has names and numbers; FILE.csv.yaml, which a run writes beside it, has a line
// `- {name: "…", unit: "…"}` for each column, the scene's path and its text. A file without it has neither units nor
// scene.

#include "engine/cli/recording/recording.h"

#include "engine/scene/values/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const srs_yaml_node *map, const char *key)
{
  const srs_yaml_node *node = map != NULL && map->kind == SRS_YAML_MAP ? srs_yaml_get(map, key) : NULL;
  return node != NULL && node->kind == SRS_YAML_SCALAR ? node->text : NULL;
}

static bool copy_text(const srs_yaml_node *root, const char *key, char **copy)
{
  const char *text = text_of(root, key);
  *copy = text != NULL ? strdup(text) : NULL;
  return text == NULL || *copy != NULL;
}

static void take_units(srs_recording *recording, const srs_yaml_node *columns)
{
  if (columns == NULL || columns->kind != SRS_YAML_LIST) return;
  int next = 0; // columns mostly stand in the order of the table
  for (const srs_yaml_node *node = columns->first; node != NULL; node = node->next, next++) {
    const char *name = text_of(node, "name"), *unit = text_of(node, "unit");
    if (name == NULL || unit == NULL || strlen(unit) >= SRS_UNIT_ROOM) continue;
    const bool is_next = next < recording->table.n_columns && strcmp(recording->table.names[next], name) == 0;
    const int column = is_next ? next : table_find(&recording->table, name);
    if (column >= 0) strcpy(recording->units[column], unit); // NOLINT(clang-analyzer-security.insecureAPI.strcpy)
  }
}

// Metadata that cannot be read is as good as none.
static bool read_metadata(srs_recording *recording, const char *path)
{
  srs_yaml yaml;
  if (srs_yaml_load(path, &yaml, NULL) != SRS_OK) return true;
  take_units(recording, yaml.root->kind == SRS_YAML_MAP ? srs_yaml_get(yaml.root, "columns") : NULL);
  const bool is_good = copy_text(yaml.root, "scene_file", &recording->scene_file) &&
                       copy_text(yaml.root, "scene", &recording->scene_text);
  srs_yaml_free(&yaml);
  return is_good;
}

srs_status srs_recording_read(const char *path, srs_recording *recording, srs_error *error)
{
  const char *slash = strrchr(path, '/');
  *recording = (srs_recording){.path = path, .name = slash != NULL ? slash + 1 : path};
  const srs_status status = table_read(path, &recording->table, error);
  if (status != SRS_OK) return status;
  recording->units = calloc((size_t)recording->table.n_columns + 1, sizeof *recording->units);
  char *metadata = malloc(strlen(path) + sizeof ".yaml");
  if (metadata != NULL) sprintf(metadata, "%s.yaml", path);
  const bool is_good = recording->units != NULL && metadata != NULL && read_metadata(recording, metadata);
  free(metadata);
  if (is_good) return SRS_OK;
  srs_recording_free(recording);
  if (error != NULL) *error = (srs_error){.status = SRS_ERROR_MEMORY, .message = "out of memory"};
  return SRS_ERROR_MEMORY;
}

void srs_recording_free(srs_recording *recording)
{
  table_destroy(&recording->table);
  free(recording->units);
  free(recording->scene_file);
  free(recording->scene_text);
  recording->units = NULL;
  recording->scene_file = recording->scene_text = NULL;
}

char *srs_recording_beside(const char *path, const char *ending)
{
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  const size_t length = dot != NULL && (slash == NULL || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
  char *beside = malloc(length + strlen(ending) + 1);
  if (beside != NULL) sprintf(beside, "%.*s%s", (int)length, path, ending);
  return beside;
}
