// States from the command line: first a file (srs_state_load: arrays, or objects by name), then lists of all entries in
// the model's order. Quaternions must have unit length within 1e-6 and are scaled to it.
#include "engine/cli/shared/state_options.h"

#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/values.h"
#include "engine/scene/state_file.h"
#include "engine/simulation/inputs.h"

#include <stdlib.h>
#include <string.h>

static const char *const part_names[SRS_STATE_PARTS] = {"q", "v", "a", "tau"};

int srs_state_create(const srs_model *model, const double *q, const double *v, srs_state *state)
{
  const size_t nq = (size_t)srs_model_nq(model), nv = (size_t)srs_model_nv(model);
  double *block = calloc(nq + 3 * nv + 1, sizeof *block);
  *state = (srs_state){.model = model, .parts = {block}};
  if (block == NULL) {
    srs_error error;
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for a state of %zu coordinates", nq);
    return srs_report_failure(&error);
  }
  for (size_t i = 0; i < 3; i++) state->parts[SRS_STATE_V + i] = block + nq + i * nv;
  if (nq > 0) memcpy(block, q, nq * sizeof *q);
  if (nv > 0) memcpy(state->parts[SRS_STATE_V], v, nv * sizeof *v);
  return SRS_EXIT_OK;
}

void srs_state_destroy(srs_state *state)
{
  free(state->parts[SRS_STATE_Q]);
  *state = (srs_state){0};
}

static const char *q_name(const void *context, int i) { return srs_model_q_name(context, i); }
static const char *v_name(const void *context, int i) { return srs_model_v_name(context, i); }

int srs_state_read_list(const srs_command *command, srs_state *state, srs_state_part part, const char *text)
{
  if (text == NULL) return SRS_EXIT_OK;
  const bool is_q = part == SRS_STATE_Q;
  const int n = is_q ? srs_model_nq(state->model) : srs_model_nv(state->model);
  return srs_value_list(command, part_names[part], text, n, is_q ? q_name : v_name, state->model, state->parts[part]);
}

int srs_state_read_file(srs_state *state, const char *path)
{
  if (path == NULL) return SRS_EXIT_OK;
  srs_error error = {0};
  srs_state_given given;
  double **parts = state->parts;
  const srs_status status = srs_state_load(path, state->model, parts[SRS_STATE_Q], parts[SRS_STATE_V],
                                           parts[SRS_STATE_A], parts[SRS_STATE_TAU], &given, &error);
  return status == SRS_OK ? SRS_EXIT_OK : srs_report_failure(&error);
}

srs_status srs_state_normalise(srs_state *state, srs_error *error)
{
  double *q = state->parts[SRS_STATE_Q];
  const srs_status status = srs_check_quaternions(state->model, q, error);
  if (status != SRS_OK) return status;
  srs_normalise(state->model, q);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Where a run starts
// ---------------------------------------------------------------------------------------------------------------------

int srs_start_state_set(const srs_command *command, const char *q_list, const char *v_list, srs_sim *sim)
{
  if (q_list == NULL && v_list == NULL) return SRS_EXIT_OK;
  srs_state state;
  srs_error error = {0};
  int status = srs_state_create(srs_sim_model(sim), srs_sim_q(sim), srs_sim_v(sim), &state);
  if (status != SRS_EXIT_OK) return status;
  status = srs_state_read_list(command, &state, SRS_STATE_Q, q_list);
  if (status == SRS_EXIT_OK) status = srs_state_read_list(command, &state, SRS_STATE_V, v_list);
  if (status == SRS_EXIT_OK && q_list != NULL && srs_state_normalise(&state, &error) != SRS_OK)
    status = srs_usage_error(command, "--q: %s", error.message);
  const double *q = q_list != NULL ? state.parts[SRS_STATE_Q] : NULL; // NULL keeps what the scene has, to the bit
  const double *v = v_list != NULL ? state.parts[SRS_STATE_V] : NULL;
  if (status == SRS_EXIT_OK && srs_sim_set_state(sim, srs_sim_time(sim), q, v, &error) != SRS_OK)
    status = srs_report_failure(&error);
  srs_state_destroy(&state);
  return status;
}

// Reports which loops were open in the requested state, and their gaps now.
static int report_assembly(const srs_command *command, const srs_model *model, const double *q, const srs_sim *sim)
{
  const int n = srs_model_n_loops(model);
  srs_workspace *workspace = NULL;
  srs_error error = {0};
  double *before = calloc(2 * (size_t)n + 1, sizeof *before), *after = before + n;
  srs_status status = srs_workspace_create(model, &workspace, &error);
  if (status == SRS_OK && before == NULL) status = srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for loops");
  if (status == SRS_OK) status = srs_loop_gaps(workspace, q, srs_sim_time(sim), before);
  if (status == SRS_OK) status = srs_loop_gaps(workspace, srs_sim_q(sim), srs_sim_time(sim), after);
  for (int i = 0; status == SRS_OK && i < n; i++)
    if (before[i] > 1e-12)
      srs_report_note(command, "loop '%.100s' was open by %.3g at the start; it is assembled, its gap is now %.1g",
                      srs_model_loop_name(model, i), before[i], after[i]);
  free(before);
  srs_workspace_destroy(workspace);
  return status == SRS_OK ? SRS_EXIT_OK : srs_report_failure(&error);
}

// Closes the loops where the scene asks for it. Its own state is closed already, a state from the command line is not.
int srs_start_state_assemble(const srs_command *command, const srs_scene *scene, bool has_q, bool has_v, srs_sim *sim)
{
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  const srs_model *model = srs_scene_model(scene);
  if (srs_model_n_loops(model) == 0 || !settings->assemble) return SRS_EXIT_OK;
  const size_t size = (size_t)srs_model_nq(model) * sizeof(double);
  double *asked = malloc(size + 1);
  srs_error error = {0};
  if (asked == NULL) {
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for loops");
    return srs_report_failure(&error);
  }
  memcpy(asked, has_q ? srs_sim_q(sim) : settings->q, size);
  srs_assembly_options options = srs_default_assembly_options();
  options.frozen = settings->frozen;
  int status = SRS_EXIT_OK;
  if ((has_q || has_v) && srs_sim_assemble(sim, &options, NULL, &error) != SRS_OK) status = srs_report_failure(&error);
  if (status == SRS_EXIT_OK) status = report_assembly(command, model, asked, sim);
  free(asked);
  return status;
}
