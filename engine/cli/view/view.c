// `sarrus view RUN`: a page with the mechanism in motion.

#include "engine/cli/view/view.h"
#include "engine/cli/recording/recorded_scene.h"
#include "engine/cli/view/write_page.h"

#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/values.h"
#include "topology/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct view_options {
  srs_loading loading;
  const char *out, *scene, *columns, *every, *title;
  bool is_forced, opens;
} view_options;

static int write_page(const srs_command *command, const view_options *given, const srs_recording *recording,
                      const srs_scene *scene)
{
  int every = 0;
  const int status = given->every != NULL ? srs_value_count(command, "every", given->every, &every) : SRS_EXIT_OK;
  if (status != SRS_EXIT_OK) return status;
  const srs_page_request request = {.recording = recording,
                                    .scene = scene,
                                    .out = given->out,
                                    .columns = given->columns,
                                    .title = given->title,
                                    .every = every,
                                    .is_forced = given->is_forced,
                                    .opens = given->opens};
  return srs_write_page(command, &request);
}

static int view_run(const srs_command *command, view_options *given, const char *path)
{
  srs_recording recording;
  srs_scene *scene = NULL;
  srs_error error = {0};
  if (!srs_page_is_possible(&error)) return srs_report_failure(&error);
  if (srs_recording_read(path, &recording, &error) != SRS_OK) return srs_report_failure(&error);
  int status = srs_recording_open_scene(command, &given->loading, &recording, given->scene, &scene);
  if (status == SRS_EXIT_OK) status = write_page(command, given, &recording, scene);
  srs_scene_destroy(scene);
  srs_recording_free(&recording);
  return status;
}

static const char purpose[] =
    "Writes a page that shows a run: the mechanism in 3-D with play and scrub, contact forces where they are recorded, "
    "and\ncurves of columns. It is one file that needs no network; open it in a browser. RUN "
    "is the CSV or HDF5\nfile that `sarrus run` writes; the scene is the one that it names.";
static const char notes[] = "Options of the run about the robot file (--base, --package, ...) are given again.\n"
                            "FILE.html#t=2.5 shows that time, FILE.html#eye=1,0,0 looks from there.\n"
                            "$ sarrus run samples/pendulum12.yaml --contacts && sarrus view pendulum12.csv";

int srs_command_view(int argc, char **argv)
{
  srs_command command = {.name = "view"};
  view_options given = {0};
  bool wants_help = false;
  int status = srs_loading_create(&given.loading, argc);
  if (status != SRS_EXIT_OK) return status;
  const srs_option options[] = {
      {"out", "FILE.html", "the page (default: RUN's name with .html)", .text = &given.out},
      {"columns", "LIST", "names or patterns of the columns whose curves are drawn first", .text = &given.columns},
      {"every", "N", "a frame every N rows (default: at most 3000 frames)", .text = &given.every},
      {"scene", "FILE", "the scene, where it is not that which RUN names", .text = &given.scene},
      {"title", "TEXT", "of the page (default: the scene's name)", .text = &given.title},
      {"open", NULL, "open the page in the browser (xdg-open)", .flag = &given.opens},
      {"force", NULL, "replace a file that has the page's name", .flag = &given.is_forced},
      SRS_LOADING_OPTIONS(given.loading),
      {"quiet", NULL, "no warnings, no notes", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"RUN"};
  const srs_usage usage = {"view RUN", purpose, notes, operand_names, 1, options, sizeof options / sizeof *options};
  const char *path = NULL;
  status = srs_options_read(&command, &usage, argc, argv, &path, &wants_help);
  if (status == SRS_EXIT_OK && wants_help)
    srs_options_help(&usage);
  else if (status == SRS_EXIT_OK)
    status = view_run(&command, &given, path);
  srs_loading_destroy(&given.loading);
  return status;
}
