// `sarrus replay R`: the sim of the recorded run is made again by the run's own arguments, takes the recorded start and
// inputs, and makes its steps. After each one the coordinates and a hash of all else that the next step reads are
// compared, bit by bit.
#include "engine/cli/replay/replay.h"

#include "engine/cli/recording/arguments.h"
#include "engine/cli/recording/kept_run.h"
#include "engine/cli/run/run.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/simulation/inputs.h"
#include "engine/simulation/sim.h"
#include "topology/base/errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a replay found.
typedef struct difference {
  long hidden_step; // the first step after which anything differs, coordinates or not; 0: none
  long step;        // the first after which a coordinate does, counted as the sim counts; 0: none
  double time;      // s: of the first of both
  char name[160];   // "q of 'elbow'"
  const char *kind; // "q" or "v"
  int index;
  double here, recorded;
} difference;

typedef struct replay {
  const char *path;
  srs_kept_run run;
  bool is_json;
  double *x; // nq + nv: recorded
} replay;

static int refuse(const replay *r, srs_status status, const char *text)
{
  srs_error error = {0};
  (void)srs_fail_at(&error, status, (srs_place){r->path, 0, 0}, "", "%s", text);
  return srs_report_failure(&error);
}

// The first coordinate, else the first velocity, that is not the same to the bit.
static bool find_coordinate(const replay *r, srs_sim *sim, difference *d)
{
  const srs_model *model = srs_sim_model(sim);
  for (int i = 0; i < r->run.nq + r->run.nv; i++) {
    const bool is_q = i < r->run.nq;
    const int k = is_q ? i : i - r->run.nq;
    const double *here = is_q ? srs_sim_q(sim) + k : srs_sim_v(sim) + k;
    if (srs_is_same_bits(here, &r->x[i])) continue;
    d->kind = is_q ? "q" : "v", d->index = k;
    d->here = *here, d->recorded = r->x[i];
    (void)snprintf(d->name, sizeof d->name, "%s of '%.150s'", d->kind,
                   is_q ? srs_model_q_name(model, k) : srs_model_v_name(model, k));
    return true;
  }
  return false;
}

static void note_time(const srs_sim *sim, difference *d)
{
  if (d->hidden_step > 0) return;
  d->hidden_step = srs_sim_steps(sim);
  d->time = srs_sim_time(sim);
}

// Makes the steps until a coordinate differs.  @return SRS_OK, or why a step could not be made; error filled then
static srs_status follow(replay *r, srs_sim *sim, difference *d, srs_error *error)
{
  const srs_place place = {r->path, 0, 0};
  for (long i = 0; i < r->run.n_steps && d->step == 0; i++) {
    uint64_t hash = 0;
    const bool is_applied = srs_kept_run_apply(&r->run, sim);
    if (!is_applied || !srs_kept_run_state(&r->run, &hash, r->x))
      return srs_fail_at(error, SRS_ERROR_SYNTAX, place, "", "is damaged: its step %ld is none", i + 1);
    const srs_status status = srs_sim_step(sim, 1, error);
    if (status != SRS_OK) return status;
    if (srs_sim_state_hash(sim) == hash) continue;
    note_time(sim, d);
    if (find_coordinate(r, sim, d)) d->step = srs_sim_steps(sim);
  }
  if (!r->run.has_failed || d->hidden_step > 0) return SRS_OK;
  if (srs_sim_step(sim, 1, NULL) == SRS_OK) note_time(sim, d);
  return SRS_OK;
}

static void print_json(const replay *r, const srs_sim *sim, const difference *d)
{
  srs_json json = {.file = stdout};
  const bool is_same = d->hidden_step == 0;
  srs_json_object(&json, NULL);
  srs_json_text(&json, "scene", r->run.scene_file);
  srs_json_text(&json, "version", r->run.version);
  srs_json_text(&json, "build", r->run.build);
  srs_json_integer(&json, "steps", r->run.n_steps);
  srs_json_text(&json, "outcome", is_same ? "same" : "different");
  srs_json_number(&json, "time", is_same ? srs_sim_time(sim) : d->time);
  if (!is_same) srs_json_integer(&json, "first_step", d->hidden_step);
  if (d->step > 0) {
    srs_json_integer(&json, "coordinate_step", d->step);
    srs_json_text(&json, "kind", d->kind);
    srs_json_text(&json, "coordinate",
                  d->kind[0] == 'q' ? srs_model_q_name(srs_sim_model(sim), d->index)
                                    : srs_model_v_name(srs_sim_model(sim), d->index));
    srs_json_number(&json, "here", d->here);
    srs_json_number(&json, "recorded", d->recorded);
  }
  srs_json_close(&json);
}

static int report_difference(const replay *r, const difference *d)
{
  const char *build = srs_kept_run_build();
  const bool is_other = strcmp(build, r->run.build) != 0;
  char time[32], where[420], text[700];
  (void)snprintf(time, sizeof time, "%.9g", d->time);
  if (d->step == 0)
    (void)snprintf(where, sizeof where, "step %ld, to t = %s s, is the first that differs, in no coordinate",
                   d->hidden_step, time);
  else if (d->step > d->hidden_step)
    (void)snprintf(where, sizeof where,
                   "step %ld, to t = %s s, is the first that differs, in what is no coordinate; in step %ld %s is "
                   "%.17g, was %.17g",
                   d->hidden_step, time, d->step, d->name, d->here, d->recorded);
  else
    (void)snprintf(where, sizeof where, "step %ld, to t = %s s, is the first that differs: %s is %.17g, was %.17g",
                   d->step, time, d->name, d->here, d->recorded);
  (void)snprintf(text, sizeof text, "%s%s%.160s", where, is_other ? "; it was recorded by another build: " : "",
                 is_other ? r->run.build : "");
  return refuse(r, SRS_ERROR_ARGUMENT, text);
}

static int replay_sim(void *context, srs_sim *sim)
{
  replay *r = context;
  srs_error error = {0};
  difference found = {0};
  srs_status status = srs_sim_snapshot_restore(sim, r->run.start, r->run.n_start, &error);
  const srs_model *model = srs_sim_model(sim);
  if (status == SRS_OK && (r->run.nq != srs_model_nq(model) || r->run.nv != srs_model_nv(model) ||
                           r->run.n_inputs != srs_sim_input_count(sim)))
    status = srs_report_fill(&error, SRS_ERROR_ARGUMENT, "is damaged: its sizes are not those of its model");
  if (status != SRS_OK) return refuse(r, status, error.message);
  r->x = malloc(((size_t)r->run.nq + (size_t)r->run.nv + 1) * sizeof *r->x);
  if (r->x == NULL) return refuse(r, SRS_ERROR_MEMORY, "out of memory");
  status = follow(r, sim, &found, &error);
  free(r->x);
  if (status != SRS_OK) {
    char text[sizeof error.message + 64];
    (void)snprintf(text, sizeof text, "goes another way than recorded: %s", error.message);
    return refuse(r, status, text);
  }
  if (r->is_json) print_json(r, sim, &found);
  if (found.hidden_step > 0) return r->is_json ? SRS_EXIT_FAILED : report_difference(r, &found);
  if (r->is_json) return SRS_EXIT_OK;
  char time[32];
  (void)snprintf(time, sizeof time, "%.9g", srs_sim_time(sim));
  printf("%s: %ld steps of %s to t = %s s, the same to the bit%s\n", r->path, r->run.n_steps, r->run.scene_file, time,
         r->run.has_failed ? ", and then fails as it did" : "");
  return SRS_EXIT_OK;
}

static int replay_file(const srs_command *command, replay *r)
{
  srs_error error = {0};
  char **argv = NULL;
  if (srs_kept_run_load(r->path, &r->run, &error) != SRS_OK) return srs_report_failure(&error);
  int status = SRS_EXIT_OK;
  if (strcmp(r->run.version, srs_version()) != 0) {
    char why[200];
    (void)snprintf(why, sizeof why,
                   "was recorded by sarrus %.32s, this is %s: replay it with the version that recorded it",
                   r->run.version, srs_version());
    status = refuse(r, SRS_ERROR_UNSUPPORTED, why);
  }
  char *text = status == SRS_EXIT_OK ? strdup(r->run.arguments) : NULL;
  if (status == SRS_EXIT_OK) {
    const int argc = text != NULL ? srs_run_split_arguments(text, &argv) : 0;
    status = argv != NULL
                 ? srs_run_again(command, argc, argv, r->run.scene[0] != '\0' ? r->run.scene : NULL, replay_sim, r)
                 : refuse(r, SRS_ERROR_MEMORY, "out of memory");
  }
  free(argv);
  free(text);
  srs_kept_run_free(&r->run);
  return status;
}

static const char purpose[] =
    "Makes a run again that `sarrus run SCENE --record-run FILE` kept, and compares every step to the bit.\n"
    "The first step that differs is named, with the coordinate.";

static const char notes[] = "Exit status 0: all the same; 1: something differs, or the file does not fit.\n"
                            "Robot files and meshes are read from where they were, the rest is in the file.";

int srs_command_replay(int argc, char **argv)
{
  srs_command command = {.name = "replay"};
  replay r = {0};
  const srs_option options[] = {
      {"json", NULL, "one JSON object instead of the line", .flag = &r.is_json},
  };
  static const char *const operand_names[] = {"FILE"};
  const srs_usage usage = {"replay FILE", purpose, notes, operand_names, 1, options, sizeof options / sizeof *options};
  bool wants_help = false;
  const int status = srs_options_read(&command, &usage, argc, argv, &r.path, &wants_help);
  if (status == SRS_EXIT_OK && wants_help) srs_options_help(&usage);
  return status == SRS_EXIT_OK && !wants_help ? replay_file(&command, &r) : status;
}
