// What is in a recorded run? FILE.csv has names and numbers; FILE.csv.yaml, which a run writes beside it, has a line
// `- {name: "…", unit: "…"}` for each column, the scene's path and its text. A file without it has neither units nor
// scene. FILE.h5 has all of this.

#include "engine/cli/recording/recording.h"

#include "engine/output/output_files.h"
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

static srs_status no_memory(srs_recording *recording, srs_error *error)
{
  srs_recording_free(recording);
  if (error != NULL) *error = (srs_error){.status = SRS_ERROR_MEMORY, .message = "out of memory"};
  return SRS_ERROR_MEMORY;
}

// The table's names and values are those of the file's rows.
static srs_status read_hdf5(srs_recording *recording, srs_error *error)
{
  recording->hdf5 = calloc(1, sizeof *recording->hdf5);
  if (recording->hdf5 == NULL) return no_memory(recording, error);
  srs_h5_rows_read *rows = recording->hdf5;
  srs_status status = srs_h5_rows_read_all(recording->path, rows, error);
  if (status == SRS_OK) status = srs_h5_read_text(recording->path, "scene_file", &recording->scene_file, error);
  if (status == SRS_OK) status = srs_h5_read_text(recording->path, "/scene", &recording->scene_text, error);
  if (status != SRS_OK) {
    srs_recording_free(recording);
    return status;
  }
  recording->table =
      (table){.names = rows->names, .values = rows->values, .n_columns = rows->n_columns, .n_rows = rows->n_rows};
  recording->units = calloc((size_t)rows->n_columns + 1, sizeof *recording->units);
  if (recording->units == NULL) return no_memory(recording, error);
  for (int i = 0; i < rows->n_columns; i++) snprintf(recording->units[i], SRS_UNIT_ROOM, "%s", rows->units[i]);
  return SRS_OK;
}

srs_status srs_recording_read(const char *path, srs_recording *recording, srs_error *error)
{
  const char *slash = strrchr(path, '/');
  *recording = (srs_recording){.path = path, .name = slash != NULL ? slash + 1 : path};
  if (srs_is_hdf5(path)) return read_hdf5(recording, error);
  const srs_status status = table_read(path, &recording->table, error);
  if (status != SRS_OK) return status;
  recording->units = calloc((size_t)recording->table.n_columns + 1, sizeof *recording->units);
  char *metadata = malloc(strlen(path) + sizeof ".yaml");
  if (metadata != NULL) sprintf(metadata, "%s.yaml", path);
  const bool is_good = recording->units != NULL && metadata != NULL && read_metadata(recording, metadata);
  free(metadata);
  return is_good ? SRS_OK : no_memory(recording, error);
}

void srs_recording_free(srs_recording *recording)
{
  if (recording->hdf5 != NULL) {
    srs_h5_rows_release(recording->hdf5);
    free(recording->hdf5);
  } else {
    table_destroy(&recording->table);
  }
  recording->hdf5 = NULL;
  recording->table = (table){0};
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
