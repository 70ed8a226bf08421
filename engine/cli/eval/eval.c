// `sarrus eval MODEL WHAT`: one quantity at one state. Reads the state, calls the library, and prints
//
//   {"quantity": WHAT, "q_names": [...], "v_names": [...], "value": ...}
//
// The object is written to memory first, so that nothing of it is printed when something fails.
#include "engine/cli/eval/eval.h"

#include "engine/cli/eval/quantity.h"
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/state_options.h"
#include "engine/cli/shared/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct eval_options {
  srs_loading loading;
  const char *lists[SRS_STATE_PARTS]; // --q, --v, --a, --tau
  const char *state, *frames, *gravity, *margin;
  bool pseudo_inverse;
  bool is_json; // has no effect: the result is always JSON, but scripts give the option
} eval_options;

static void write_names(srs_json *json, const char *key, const srs_model *model, int n,
                        const char *(*name)(const srs_model *, int))
{
  srs_json_array(json, key);
  for (int i = 0; i < n; i++) srs_json_text(json, NULL, name(model, i));
  srs_json_close(json);
}

static srs_status write_object(FILE *file, const srs_quantity *quantity, const srs_query *query, srs_error *error)
{
  const srs_model *model = query->state->model;
  srs_json json = {.file = file};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "quantity", quantity->name);
  write_names(&json, "q_names", model, srs_model_nq(model), srs_model_q_name);
  write_names(&json, "v_names", model, srs_model_nv(model), srs_model_v_name);
  const srs_status status = quantity->write(query, &json, error);
  srs_json_close(&json);
  return status;
}

static int print_quantity(const srs_quantity *quantity, const srs_query *query)
{
  char *text = NULL;
  size_t length = 0;
  srs_error error = {0};
  FILE *file = open_memstream(&text, &length);
  srs_status status = SRS_ERROR_MEMORY;
  bool is_whole = false;
  if (file != NULL) {
    status = write_object(file, quantity, query, &error);
    is_whole = fclose(file) == 0;
  }
  if (status == SRS_OK && is_whole) fwrite(text, 1, length, stdout); // checked when the command finishes
  free(text);
  if (status == SRS_OK && is_whole) return SRS_EXIT_OK;
  if (error.message[0] == '\0') srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the result");
  return srs_report_failure(&error);
}

static int read_state(const srs_command *command, const eval_options *given, srs_state *state)
{
  int status = srs_state_read_file(state, given->state);
  for (int part = 0; part < SRS_STATE_PARTS && status == SRS_EXIT_OK; part++)
    status = srs_state_read_list(command, state, (srs_state_part)part, given->lists[part]);
  if (status != SRS_EXIT_OK) return status;
  srs_error error = {0};
  if (srs_state_normalise(state, &error) == SRS_OK) return SRS_EXIT_OK;
  if (given->lists[SRS_STATE_Q] != NULL) return srs_usage_error(command, "--q: %s", error.message);
  if (given->state != NULL) snprintf(error.file, sizeof error.file, "%s", given->state);
  return srs_report_failure(&error);
}

static int eval_at(const srs_command *command, const eval_options *given, const srs_quantity *quantity,
                   const double gravity[3], srs_query *query)
{
  srs_error error = {0};
  srs_workspace *workspace = NULL;
  if (srs_workspace_create(query->state->model, &workspace, &error) != SRS_OK) return srs_report_failure(&error);
  query->workspace = workspace;
  int status = SRS_EXIT_OK;
  if (srs_workspace_set_gravity(workspace, gravity) != SRS_OK)
    status = srs_report_failure(srs_workspace_error(workspace));
  if (status == SRS_EXIT_OK) status = srs_query_choose_frames(command, query, given->frames);
  if (status == SRS_EXIT_OK) srs_loading_warn(command, query->state->model);
  if (status == SRS_EXIT_OK) status = print_quantity(quantity, query);
  srs_query_free_frames(query);
  srs_workspace_destroy(workspace);
  return status;
}

static int eval_scene(const srs_command *command, const eval_options *given, const srs_quantity *quantity,
                      const srs_scene *scene)
{
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  double gravity[3] = {settings->sim.gravity[0], settings->sim.gravity[1], settings->sim.gravity[2]};
  if (given->gravity != NULL) {
    const int status = srs_value_vector(command, "gravity", given->gravity, gravity);
    if (status != SRS_EXIT_OK) return status;
  }
  srs_state state;
  int status = srs_state_create(srs_scene_model(scene), settings->q, settings->v, &state);
  if (status != SRS_EXIT_OK) return status;
  status = read_state(command, given, &state);
  srs_query query = {.state = &state,
                     .scene = scene,
                     .gravity = {gravity[0], gravity[1], gravity[2]},
                     .collider_options = &settings->collider,
                     .pseudo_inverse = given->pseudo_inverse};
  if (status == SRS_EXIT_OK && given->margin != NULL)
    status = srs_value_not_negative(command, "margin", given->margin, &query.margin);
  if (status == SRS_EXIT_OK)
    status = srs_quantity_check_options(command, quantity, given->frames != NULL, given->margin != NULL,
                                        given->pseudo_inverse);
  if (status == SRS_EXIT_OK) status = eval_at(command, given, quantity, gravity, &query);
  srs_state_destroy(&state);
  return status;
}

static int eval_model(const srs_command *command, const eval_options *given, const char *path, const char *what)
{
  const srs_quantity *quantity = srs_quantity_find(command, what);
  if (quantity == NULL) return SRS_EXIT_USAGE;
  srs_scene *scene = NULL;
  int status = srs_loading_open(command, &given->loading, path, &scene);
  if (status != SRS_EXIT_OK) return status;
  status = eval_scene(command, given, quantity, scene);
  srs_scene_destroy(scene);
  return status;
}

static const char notes[] =
    "LIST is numbers separated by commas or spaces, in the model's order: --q 0.1,0.2 (sarrus info shows it).\n"
    "--state reads {\"q\": ..., \"v\": ..., \"a\": ..., \"tau\": ...}, each an array of all entries or an object by "
    "name of\n"
    "joint or coordinate; the lists override it. What is not given is the file's initial state, and zero for a and "
    "tau.\n"
    "Units are SI: m, rad, m/s, rad/s, N, N m, kg, J.";

int srs_command_eval(int argc, char **argv)
{
  srs_command command = {.name = "eval"};
  eval_options given = {0};
  int status = srs_loading_create(&given.loading, argc);
  if (status != SRS_EXIT_OK) return status;
  const srs_option options[] = {
      {"q", "LIST", "coordinates, rad or m; quaternions w x y z", .text = &given.lists[SRS_STATE_Q]},
      {"v", "LIST", "velocities, rad/s or m/s", .text = &given.lists[SRS_STATE_V]},
      {"a", "LIST", "accelerations, rad/s^2 or m/s^2", .text = &given.lists[SRS_STATE_A]},
      {"tau", "LIST", "torques and forces on the joints, N m or N", .text = &given.lists[SRS_STATE_TAU]},
      {"state", "FILE.json", "all of these from a file", .text = &given.state},
      {"frames", "A,B", "names of links or frames, each once", .text = &given.frames},
      {"margin", "M", "contacts: list gaps up to M, m (default 0)", .text = &given.margin},
      {"pseudo-inverse", NULL, "operational-space-inertia: of rows that depend on each other",
       .flag = &given.pseudo_inverse},
      {"gravity", "X,Y,Z", "m/s^2, world axes (default the scene's; 0,0,-9.81)", .text = &given.gravity},
      SRS_LOADING_OPTIONS(given.loading),
      {"json", NULL, "accepted; the result is JSON in any case", .flag = &given.is_json},
      {"quiet", NULL, "no warnings", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"MODEL", "WHAT"};
  char purpose[1536] = "Prints one quantity of a robot file or scene at a state, as a JSON object. WHAT is one of\n";
  const size_t length = strlen(purpose);
  srs_quantity_list(purpose + length, sizeof purpose - length);
  const srs_usage usage = {
      "eval MODEL WHAT", purpose, notes, operand_names, 2, options, sizeof options / sizeof *options};
  const char *operands[2];
  bool wants_help = false;
  status = srs_options_read(&command, &usage, argc, argv, operands, &wants_help);
  if (status == SRS_EXIT_OK && wants_help)
    srs_options_help(&usage);
  else if (status == SRS_EXIT_OK)
    status = eval_model(&command, &given, operands[0], operands[1]);
  srs_loading_destroy(&given.loading);
  return status;
}
