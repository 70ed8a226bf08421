// How does the state after a step change with that before it? The quantity `linearise` of `sarrus eval`.

#include "engine/cli/eval/linearise.h"
#include "engine/cli/shared/messages.h"
#include <sarrus/linearisation.h>

#include <stdlib.h>

static srs_status make_sim(const srs_query *query, srs_sim **sim, srs_error *error)
{
  srs_sim_options options = srs_scene_get_settings(query->scene)->sim;
  for (int i = 0; i < 3; i++) options.gravity[i] = query->gravity[i];
  double *const *parts = query->state->parts;
  srs_status status = srs_scene_create_sim(query->scene, &options, sim, error);
  if (status == SRS_OK)
    status = srs_sim_set_state(*sim, srs_sim_time(*sim), parts[SRS_STATE_Q], parts[SRS_STATE_V], error);
  return status == SRS_OK ? srs_sim_set_torque(*sim, parts[SRS_STATE_TAU], error) : status;
}

static void write_report(const srs_model *model, const srs_linearisation_report *report, srs_json *json)
{
  srs_json_text(json, "status", srs_linearisation_status_name(report->status));
  srs_json_integer(json, "rows", report->n_rows);
  srs_json_integer(json, "active_rows", report->n_active);
  srs_json_integer(json, "rank", report->rank);
  srs_json_number(json, "geometry_error", report->geometry_error);
  srs_json_array(json, "weak_rows");
  for (int i = 0; i < report->n_weak; i++) {
    char text[320];
    srs_json_text(json, NULL, srs_weak_row_text(model, &report->weak[i], text, sizeof text));
  }
  srs_json_close(json);
}

srs_status srs_linearise_write(const srs_query *query, srs_json *json, srs_error *error)
{
  const srs_model *model = query->state->model;
  const int nv = srs_model_nv(model);
  srs_sim *sim = NULL;
  srs_linearisation *linearisation = NULL;
  srs_linearisation_report report;
  double *A = calloc(6 * (size_t)nv * (size_t)nv + 1, sizeof *A), *B = A != NULL ? A + 4 * (size_t)nv * (size_t)nv : A;
  srs_status status = A != NULL ? SRS_OK : srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for the matrices");
  if (status == SRS_OK) status = make_sim(query, &sim, error);
  if (status == SRS_OK) status = srs_linearisation_create(sim, &linearisation, error);
  if (status == SRS_OK) status = srs_sim_linearise(sim, linearisation, A, B, &report, error);
  if (status == SRS_OK) {
    srs_json_object(json, "value");
    srs_json_number(json, "dt", srs_sim_get_options(sim)->dt);
    srs_json_matrix(json, "A", A, 2 * nv, 2 * nv);
    srs_json_matrix(json, "B", B, 2 * nv, nv);
    write_report(model, &report, json);
    srs_json_close(json);
  }
  srs_linearisation_destroy(linearisation);
  srs_sim_destroy(sim);
  free(A);
  return status;
}
