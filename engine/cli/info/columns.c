// `sarrus info SCENE --columns`: what can stand in `--columns` and `output: {columns: […]}`?
#include "engine/cli/info/columns.h"

#include "engine/cli/shared/messages.h"
#include "engine/output/columns/column_choice.h"

#include <stdio.h>
#include <string.h>

int srs_columns_print(const char *path, const srs_scene *scene)
{
  static const char *const all[] = {"*", NULL};
  srs_trajectory_options options = srs_default_trajectory_options();
  options.columns = all;
  srs_error error = {0};
  srs_arena arena = {0};
  srs_sim *sim = NULL;
  srs_column_choice choice = {.n = 0};
  srs_status status = srs_scene_create_sim(scene, &srs_scene_get_settings(scene)->sim, &sim, &error);
  if (status == SRS_OK) status = srs_columns_choose(&arena, sim, &options, false, &choice, &error);
  for (int i = 0; i < choice.n; i++)
    printf("%s  %s%s%s\n", choice.names[i], choice.units[i], choice.axes[i][0] != '\0' ? "  axes: " : "",
           choice.axes[i]);
  srs_arena_release(&arena);
  srs_sim_destroy(sim);
  if (status == SRS_OK) return SRS_EXIT_OK;
  if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", path);
  return srs_report_failure(&error);
}
