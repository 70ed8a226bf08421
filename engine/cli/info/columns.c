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
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  srs_sensors *sensors = NULL;
  srs_status status = srs_scene_create_sim(scene, &settings->sim, &sim, &error);
  if (status == SRS_OK) { // as where there can be none of other columns, sensors that cannot be are left out
    const srs_status made = srs_sensors_create(sim, settings->sensors, settings->n_sensors, &sensors, &error);
    if (made == SRS_ERROR_MEMORY) status = made;
    options.instruments = sensors;
  }
  if (status == SRS_OK) status = srs_columns_choose(&arena, sim, &options, false, &choice, &error);
  for (int i = 0; i < choice.n; i++)
    printf("%s  %s%s%s\n", choice.names[i], choice.units[i], choice.axes[i][0] != '\0' ? "  axes: " : "",
           choice.axes[i]);
  srs_arena_release(&arena);
  srs_sensors_destroy(sensors);
  srs_sim_destroy(sim);
  if (status == SRS_OK) return SRS_EXIT_OK;
  if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", path);
  return srs_report_failure(&error);
}
