// How is each quantity of `sarrus eval` computed and written? Each writer calls the library at the state and writes one
// value; a failed call hands the workspace's error on.
#include "engine/cli/eval/quantity.h"

#include "engine/cli/eval/touching.h"
#include "engine/cli/shared/messages.h"
#include "topology/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double *part(const srs_query *query, srs_state_part which) { return query->state->parts[which]; }

static int nv_of(const srs_query *query) { return srs_model_nv(query->state->model); }

static const char *frame_name(const srs_query *query, int i)
{
  return srs_model_frame(query->state->model, query->frames[i])->name;
}

// What the workspace says about a call that failed.
static srs_status checked(const srs_query *query, srs_status status, srs_error *error)
{
  if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
  return status;
}

// rows x columns doubles, NULL and an error when there is no memory for them.
static double *room(int rows, int columns, srs_error *error)
{
  double *values = calloc((size_t)rows * (size_t)columns + 1, sizeof *values);
  if (values == NULL) srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %d x %d numbers", rows, columns);
  return values;
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

static srs_status write_fk(const srs_query *query, srs_json *json, srs_error *error)
{
  srs_status status = checked(query, srs_forward_kinematics(query->workspace, part(query, SRS_STATE_Q)), error);
  srs_json_object(json, "value");
  for (int i = 0; i < query->n_frames && status == SRS_OK; i++) {
    srs_pose pose;
    status = checked(query, srs_frame_placement(query->workspace, query->frames[i], &pose), error);
    if (status != SRS_OK) break;
    double quaternion[4];
    srs_quaternion_from_rotation(pose.rotation, quaternion);
    srs_json_object(json, frame_name(query, i));
    srs_json_numbers(json, "position", pose.position, 3);
    srs_json_numbers(json, "quaternion_wxyz", quaternion, 4);
    srs_json_close(json);
  }
  srs_json_close(json);
  return status;
}

static srs_status write_jacobian(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = nv_of(query);
  double *rows = room(6, nv, error);
  if (rows == NULL) return SRS_ERROR_MEMORY;
  srs_status status = checked(query, srs_forward_kinematics(query->workspace, part(query, SRS_STATE_Q)), error);
  srs_json_object(json, "value");
  for (int i = 0; i < query->n_frames && status == SRS_OK; i++) {
    const srs_status frame_status = srs_frame_jacobian(query->workspace, query->frames[i], SRS_AXES_WORLD, rows);
    status = checked(query, frame_status, error);
    srs_json_matrix(json, frame_name(query, i), rows, 6, nv);
  }
  srs_json_close(json);
  free(rows);
  return status;
}

static srs_status write_operational_space_inertia(const srs_query *query, srs_json *json, srs_error *error)
{
  const int n_rows = 6 * query->n_frames;
  double *lambda = room(n_rows, n_rows, error);
  srs_constraint_frame *nodes = calloc((size_t)query->n_frames + 1, sizeof *nodes);
  srs_status status = SRS_ERROR_MEMORY;
  if (lambda != NULL && nodes != NULL) {
    for (int i = 0; i < query->n_frames; i++)
      nodes[i] = (srs_constraint_frame){query->frames[i], SRS_AXES_WORLD, SRS_ROWS_ALL};
    status = checked(query, srs_workspace_reserve_rows(query->workspace, n_rows), error);
  }
  if (status == SRS_OK) {
    const srs_status call =
        srs_delassus(query->workspace, part(query, SRS_STATE_Q), nodes, query->n_frames, n_rows, lambda);
    status = checked(query, call, error);
  }
  if (status == SRS_OK) srs_json_matrix(json, "value", lambda, n_rows, n_rows);
  free(nodes);
  free(lambda);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole mechanism
// ---------------------------------------------------------------------------------------------------------------------

static srs_status write_mass_matrix(const srs_query *query, srs_json *json, srs_error *error)
{
  const int nv = nv_of(query);
  double *matrix = room(nv, nv, error);
  if (matrix == NULL) return SRS_ERROR_MEMORY;
  const srs_status status = checked(query, srs_mass_matrix(query->workspace, part(query, SRS_STATE_Q), matrix), error);
  if (status == SRS_OK) srs_json_matrix(json, "value", matrix, nv, nv);
  free(matrix);
  return status;
}

typedef srs_status (*vector_call)(const srs_query *query, double *values);

static srs_status write_vector(const srs_query *query, srs_json *json, srs_error *error, vector_call call)
{
  double *values = room(nv_of(query), 1, error);
  if (values == NULL) return SRS_ERROR_MEMORY;
  const srs_status status = checked(query, call(query, values), error);
  if (status == SRS_OK) srs_json_numbers(json, "value", values, nv_of(query));
  free(values);
  return status;
}

static srs_status call_bias(const srs_query *query, double *values)
{
  return srs_bias(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V), values);
}

static srs_status call_inverse_dynamics(const srs_query *query, double *values)
{
  return srs_inverse_dynamics(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V),
                              part(query, SRS_STATE_A), NULL, values);
}

static srs_status call_forward_dynamics(const srs_query *query, double *values)
{
  return srs_forward_dynamics(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V),
                              part(query, SRS_STATE_TAU), NULL, values);
}

static srs_status write_bias(const srs_query *query, srs_json *json, srs_error *error)
{
  return write_vector(query, json, error, call_bias);
}

static srs_status write_inverse_dynamics(const srs_query *query, srs_json *json, srs_error *error)
{
  return write_vector(query, json, error, call_inverse_dynamics);
}

static srs_status write_forward_dynamics(const srs_query *query, srs_json *json, srs_error *error)
{
  return write_vector(query, json, error, call_forward_dynamics);
}

static srs_status write_com(const srs_query *query, srs_json *json, srs_error *error)
{
  srs_center_of_mass com = {0};
  const srs_status call = srs_com(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V), &com);
  const srs_status status = checked(query, call, error);
  if (status != SRS_OK) return status;
  srs_json_object(json, "value");
  srs_json_numbers(json, "position", com.position, 3);
  srs_json_numbers(json, "velocity", com.velocity, 3);
  srs_json_number(json, "mass", com.mass);
  srs_json_close(json);
  return SRS_OK;
}

static srs_status write_energy(const srs_query *query, srs_json *json, srs_error *error)
{
  srs_energies energy = {0};
  const srs_status call = srs_energy(query->workspace, part(query, SRS_STATE_Q), part(query, SRS_STATE_V), &energy);
  const srs_status status = checked(query, call, error);
  if (status != SRS_OK) return status;
  srs_json_object(json, "value");
  srs_json_number(json, "kinetic", energy.kinetic);
  srs_json_number(json, "potential", energy.potential);
  srs_json_close(json);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Choosing
// ---------------------------------------------------------------------------------------------------------------------

static const srs_quantity quantities[] = {
    {"fk", true, false, false, write_fk},
    {"jacobian", true, false, false, write_jacobian},
    {"mass-matrix", false, false, false, write_mass_matrix},
    {"bias", false, false, false, write_bias},
    {"inverse-dynamics", false, false, false, write_inverse_dynamics},
    {"forward-dynamics", false, false, false, write_forward_dynamics},
    {"operational-space-inertia", true, true, false, write_operational_space_inertia},
    {"com", false, false, false, write_com},
    {"energy", false, false, false, write_energy},
    {"contacts", false, false, true, srs_touching_write},
};

enum { N_QUANTITIES = sizeof quantities / sizeof *quantities };

const srs_quantity *srs_quantity_find(const srs_command *command, const char *name)
{
  srs_nearest nearest = srs_nearest_to(name);
  char known[256] = "";
  size_t length = 0;
  for (int i = 0; i < N_QUANTITIES; i++) {
    if (strcmp(quantities[i].name, name) == 0) return &quantities[i];
    srs_nearest_offer(&nearest, quantities[i].name);
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "", quantities[i].name);
  }
  char hint[192];
  srs_usage_error(command, "no quantity '%s'%s; there are %s", name, srs_nearest_hint(&nearest, hint), known);
  return NULL;
}

static int refuse_for_memory(void)
{
  srs_error error;
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the frames");
  return srs_report_failure(&error);
}

static int refuse_frame(const srs_command *command, const srs_model *model, const char *name)
{
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < srs_model_n_frames(model); i++) srs_nearest_offer(&nearest, srs_model_frame(model, i)->name);
  char hint[192];
  return srs_usage_error(command, "--frames: the model has no link or frame '%s'%s", name,
                         srs_nearest_hint(&nearest, hint));
}

static int add_frame(const srs_command *command, srs_query *query, const char *name)
{
  const int frame = srs_model_find_frame(query->state->model, name);
  if (frame < 0) return refuse_frame(command, query->state->model, name);
  for (int i = 0; i < query->n_frames; i++)
    if (query->frames[i] == frame) return srs_usage_error(command, "--frames names '%s' twice", name);
  query->frames[query->n_frames++] = frame;
  return SRS_EXIT_OK;
}

static int add_named_frames(const srs_command *command, srs_query *query, const char *names)
{
  char *copy = strdup(names);
  if (copy == NULL) return refuse_for_memory();
  int status = SRS_EXIT_OK;
  for (char *name = copy, *next = NULL; name != NULL && status == SRS_EXIT_OK; name = next) {
    next = strchr(name, ',');
    if (next != NULL) *next++ = '\0';
    status = add_frame(command, query, name);
  }
  free(copy);
  return status;
}

int srs_query_choose_frames(const srs_command *command, srs_query *query, const srs_quantity *quantity,
                            const char *names)
{
  if (names == NULL && quantity->needs_frames)
    return srs_usage_error(command, "%s needs --frames A,B: the links or frames it is of", quantity->name);
  if (names != NULL && !quantity->uses_frames) srs_report_note(command, "--frames has no part in %s", quantity->name);
  const int n = srs_model_n_frames(query->state->model);
  query->frames = calloc((size_t)n + 1, sizeof *query->frames);
  if (query->frames == NULL) return refuse_for_memory();
  if (names != NULL) return add_named_frames(command, query, names);
  for (int i = 0; i < n; i++) query->frames[query->n_frames++] = i;
  return SRS_EXIT_OK;
}

void srs_query_free_frames(srs_query *query)
{
  free(query->frames);
  query->frames = NULL;
  query->n_frames = 0;
}
