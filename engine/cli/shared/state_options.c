// States from the command line: first a file (srs_state_load: arrays, or objects by name), then lists of all entries in
// the model's order. Quaternions must have unit length within 1e-6 and are scaled to it.
#include "engine/cli/shared/state_options.h"
#include "engine/simulation/inputs.h"

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
