// Which columns does a trajectory have, and in which units? FILE.csv has names and numbers; FILE.csv.yaml, which a run
// writes beside it, has a line `- {name: "…", unit: "…"}` for each column. A file without it is drawn without units.

#include "engine/cli/plot/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What stands between the quotes after `key` in a line; false where there is none or it is too long.
static bool quoted_after(const char *line, const char *key, char *text, size_t size)
{
  const char *at = strstr(line, key);
  if (at == NULL) return false;
  at += strlen(key);
  const char *end = strchr(at, '"');
  if (end == NULL || (size_t)(end - at) >= size) return false;
  memcpy(text, at, (size_t)(end - at));
  text[end - at] = '\0';
  return true;
}

static void read_units(srs_plot_run *run, FILE *file)
{
  char line[1024], name[512], unit[SRS_PLOT_UNIT];
  while (fgets(line, sizeof line, file) != NULL && strncmp(line, "scene:", 6) != 0) {
    if (!quoted_after(line, "{name: \"", name, sizeof name) || !quoted_after(line, "unit: \"", unit, sizeof unit))
      continue;
    const int column = table_find(&run->table, name);
    if (column >= 0) memcpy(run->units[column], unit, sizeof unit);
  }
}

srs_status srs_plot_run_read(const char *path, srs_plot_run *run, srs_error *error)
{
  const char *slash = strrchr(path, '/');
  *run = (srs_plot_run){.path = path, .name = slash != NULL ? slash + 1 : path};
  const srs_status status = table_read(path, &run->table, error);
  if (status != SRS_OK) return status;
  run->units = calloc((size_t)run->table.n_columns + 1, sizeof *run->units);
  char *metadata = malloc(strlen(path) + sizeof ".yaml");
  if (run->units == NULL || metadata == NULL) {
    free(metadata);
    srs_plot_run_free(run);
    if (error != NULL) *error = (srs_error){.status = SRS_ERROR_MEMORY, .message = "out of memory"};
    return SRS_ERROR_MEMORY;
  }
  sprintf(metadata, "%s.yaml", path);
  FILE *file = fopen(metadata, "r");
  free(metadata);
  if (file == NULL) return SRS_OK;
  read_units(run, file);
  fclose(file);
  return SRS_OK;
}

void srs_plot_run_free(srs_plot_run *run)
{
  table_destroy(&run->table);
  free(run->units);
  run->units = NULL;
}
