// The quantities of `sarrus eval`: each is a writer and a row of the table at the end. A writer calls the library at
// the state and writes one value; a failed call passes on the workspace's error.
#include "engine/cli/eval/quantity.h"

#include "engine/cli/eval/contacts.h"
#include "engine/cli/eval/derivatives.h"
#include "engine/cli/eval/embedded.h"
#include "engine/cli/eval/linearise.h"
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

// Both matrices of the frames' rows: the Delassus matrix, or its inverse.
static srs_status write_frames_matrix(const srs_query *query, bool is_inertia, srs_json *json, srs_error *error)
{
  const int n = query->n_frames, n_rows = 6 * n;
  const double *q = part(query, SRS_STATE_Q);
  double *matrix = room(n_rows, n_rows, error);
  srs_constraint_frame *frames = calloc((size_t)n + 1, sizeof *frames);
  srs_status status = SRS_ERROR_MEMORY;
  if (matrix != NULL && frames != NULL) {
    for (int i = 0; i < n; i++) frames[i] = (srs_constraint_frame){query->frames[i], SRS_AXES_WORLD, SRS_ROWS_ALL};
    status = checked(query, srs_workspace_reserve_rows(query->workspace, n_rows), error);
  }
  if (status == SRS_OK) {
    status = is_inertia
                 ? srs_operational_space_inertia(query->workspace, q, frames, n, n_rows, query->pseudo_inverse, matrix)
                 : srs_delassus(query->workspace, q, frames, n, n_rows, matrix);
    status = checked(query, status, error);
  }
  if (status == SRS_OK) srs_json_matrix(json, "value", matrix, n_rows, n_rows);
  free(frames);
  free(matrix);
  return status;
}

static srs_status write_delassus(const srs_query *query, srs_json *json, srs_error *error)
{
  return write_frames_matrix(query, false, json, error);
}

static srs_status write_operational_space_inertia(const srs_query *query, srs_json *json, srs_error *error)
{
  return write_frames_matrix(query, true, json, error);
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

enum { SRS_USES_FRAMES = 1, SRS_NEEDS_FRAMES = 3, SRS_USES_MARGIN = 4, SRS_USES_PSEUDO_INVERSE = 8 };

static const srs_quantity quantities[] = {
    {"fk", "placement of every frame, or of --frames", SRS_USES_FRAMES, write_fk},
    {"jacobian", "6 rows x nv for each frame: angular rows first, world axes, at the frame's origin", SRS_USES_FRAMES,
     write_jacobian},
    {"mass-matrix", "joint-space inertia M(q)", 0, write_mass_matrix},
    {"bias", "c(q, v): Coriolis, centrifugal and gravity terms", 0, write_bias},
    {"inverse-dynamics", "tau = M a + c", 0, write_inverse_dynamics},
    {"forward-dynamics", "a = M^-1 (tau - c)", 0, write_forward_dynamics},
    {"delassus", "Delassus matrix J M^-1 J^T of --frames, six rows each", SRS_NEEDS_FRAMES, write_delassus},
    {"operational-space-inertia", "its inverse (J M^-1 J^T)^-1, or --pseudo-inverse",
     SRS_NEEDS_FRAMES | SRS_USES_PSEUDO_INVERSE, write_operational_space_inertia},
    {"com", "centre of mass: position, velocity, mass", 0, write_com},
    {"energy", "kinetic, potential", 0, write_energy},
    {"contacts", "where shapes touch: points, normal from B to A, gap up to --margin", SRS_USES_MARGIN,
     srs_contacts_write},
    {"inverse-dynamics-derivatives", "of tau by q, v and a", 0, srs_write_inverse_dynamics_derivatives},
    {"forward-dynamics-derivatives", "of a by q, v and tau", 0, srs_write_forward_dynamics_derivatives},
    {"frame-derivatives", "of a frame's velocity and acceleration by q and v, world axes", SRS_USES_FRAMES,
     srs_write_frame_derivatives},
    {"coriolis-matrix", "C(q, v) of the Christoffel symbols", 0, srs_write_coriolis_matrix},
    {"centroidal-momentum-matrix", "A_G, its rate, and the Jacobian of the mass centre", 0,
     srs_write_centroidal_momentum_matrix},
    {"embedded-motion", "how all coordinates move with the independent ones of embedded loops, and how that changes", 0,
     srs_write_embedded_motion},
    {"embedded-inverse-dynamics-derivatives", "of tau over the independent coordinates, by q, v and a", 0,
     srs_write_embedded_inverse_dynamics},
    {"embedded-forward-dynamics-derivatives", "of a with loops embedded, by q, v and tau", 0,
     srs_write_embedded_forward_dynamics},
    {"embedded-frame-derivatives", "as frame-derivatives, and of the velocity by v", SRS_USES_FRAMES,
     srs_write_embedded_frames},
    {"embedded-coriolis-matrix", "C over the independent coordinates", 0, srs_write_embedded_coriolis},
    {"embedded-centroidal-momentum-matrix", "as centroidal-momentum-matrix, over the independent coordinates", 0,
     srs_write_embedded_momentum},
    {"linearise", "A and B of a SCENE's step from the state: [dq+; dv+] = A [dq; dv] + B dtau", 0, srs_linearise_write},
};

enum { N_QUANTITIES = sizeof quantities / sizeof *quantities };

const srs_quantity *srs_quantity_find(const srs_command *command, const char *name)
{
  srs_nearest nearest = srs_nearest_to(name);
  char known[1024] = "";
  size_t length = 0;
  for (int i = 0; i < N_QUANTITIES; i++) {
    if (strcmp(quantities[i].name, name) == 0) return &quantities[i];
    srs_nearest_offer(&nearest, quantities[i].name);
    if (length < sizeof known)
      length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "", quantities[i].name);
  }
  char hint[192];
  srs_usage_error(command, "no quantity '%s'%s; there are %s", name, srs_nearest_hint(&nearest, hint), known);
  return NULL;
}

void srs_quantity_list(char *text, size_t size)
{
  size_t length = 0;
  text[0] = '\0';
  for (int i = 0; i < N_QUANTITIES && length < size; i++)
    length += (size_t)snprintf(text + length, size - length, "%s  %-28s  %s", i > 0 ? "\n" : "", quantities[i].name,
                               quantities[i].help);
}

static void note_unused(const srs_command *command, const srs_quantity *quantity, bool is_given, unsigned use,
                        const char *option)
{
  if (is_given && (quantity->uses & use) == 0)
    srs_report_note(command, "--%s has no effect on %s", option, quantity->name);
}

int srs_quantity_check_options(const srs_command *command, const srs_quantity *quantity, bool has_frames,
                               bool has_margin, bool has_pseudo_inverse)
{
  note_unused(command, quantity, has_margin, SRS_USES_MARGIN, "margin");
  note_unused(command, quantity, has_pseudo_inverse, SRS_USES_PSEUDO_INVERSE, "pseudo-inverse");
  note_unused(command, quantity, has_frames, SRS_USES_FRAMES, "frames");
  if (!has_frames && (quantity->uses & SRS_NEEDS_FRAMES) == SRS_NEEDS_FRAMES)
    return srs_usage_error(command, "%s needs --frames A,B: its links or frames", quantity->name);
  return SRS_EXIT_OK;
}
