// Linearises the next step of a sim: its twin takes that step, and each solution of its velocities is differentiated as
// it is found (pass.c); then the way to the step's end (ends.c). The columns are written into A and B.

#include "engine/dynamics/checks.h"
#include "engine/linearise/linearisation.h"
#include "engine/simulation/inputs.h"
#include "engine/simulation/parameters.h"
#include "engine/simulation/reports.h"
#include "engine/step/step.h"
#include "topology/base/errors.h"
#include "topology/model/model.h"

#include <string.h>

// Puts the twin where the sim is, with nothing remembered.
static void start(const srs_sim *sim, srs_linearisation *l)
{
  srs_sim *twin = l->twin;
  if (l->backup.moved != NULL) srs_move_parameter(l, l->backup.moved, 0); // a step that failed
  srs_copy_parameters(sim, twin);
  memcpy(twin->state.block, sim->state.block, sim->state.n * sizeof *sim->state.block);
  srs_set_targets(twin);
  srs_sim_forget_last_step(twin);
  srs_forget_momentum(&twin->state);
  twin->workspace_is_current = twin->knows_start_energy = false;
  l->dynamics->gravity = twin->workspace->gravity;
  l->report = (srs_linearisation_report){.weak = l->weak};
  l->error = (srs_error){0};
  l->n_lines = l->n_contacts = 0;
  memcpy(l->q, twin->state.q, (size_t)sim->model->nq * sizeof *l->q);
  memcpy(l->v, twin->state.v, (size_t)l->nv * sizeof *l->v);
  memcpy(l->tau, twin->state.inputs.tau, (size_t)l->nv * sizeof *l->tau);
}

static srs_status overflowed(const srs_linearisation *l, const char *name, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_DIVERGED, NULL, 0, 0, name,
                  "t = %.9g s: the linearised step of '%s' has overflowed: positions, velocities or forces are too "
                  "large to compute with",
                  *l->twin->state.time, name);
}

static srs_status failed(srs_linearisation *l, srs_status status, int bad_v, srs_error *error)
{
  const srs_sim *twin = l->twin;
  if (status == SRS_ERROR_NOT_FINITE) return overflowed(l, l->error.subject, error); // no argument, but a result so far
  if (l->error.message[0] != '\0') {
    if (error != NULL) *error = l->error;
    return status;
  }
  if (status == SRS_ERROR_SINGULAR && bad_v >= 0)
    return srs_report_singular(twin->workspace, &twin->state, bad_v, error);
  const bool has_why = twin->constraints != NULL && twin->constraints->error.message[0] != '\0';
  const char *why = status == SRS_ERROR_SINGULAR ? "nothing resists some of its motions"
                    : has_why                    ? twin->constraints->error.message
                                                 : srs_status_string(status);
  return srs_fail(error, status, NULL, 0, 0, NULL, "t = %.9g s: the step to linearise fails: %s", *twin->state.time,
                  why);
}

// Which coordinate at the end of the step has a derivative that is not finite.
static srs_status check_results(const srs_linearisation *l, srs_error *error)
{
  const int n = l->n_columns * l->nv;
  const int by_q = srs_first_not_finite(l->dq_next, n), by_v = srs_first_not_finite(l->dv_next, n);
  if (by_q < 0 && by_v < 0) return SRS_OK;
  const char *name = l->twin->model->v_names[(by_q >= 0 ? by_q : by_v) % l->nv];
  return overflowed(l, name, error);
}

// Writes the columns from `first` on.  @param out  2 nv x n, rows first
static void write(const srs_linearisation *l, int first, int n, double *out)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < l->nv; i++) {
      const size_t from = (size_t)(first + j) * (size_t)l->nv + (size_t)i;
      out[(size_t)i * (size_t)n + (size_t)j] = l->dq_next[from];
      out[(size_t)(l->nv + i) * (size_t)n + (size_t)j] = l->dv_next[from];
    }
}

srs_status srs_sim_linearise(const srs_sim *sim, srs_linearisation *l, double *A, double *B,
                             srs_linearisation_report *report, srs_error *error)
{
  if (l != NULL) l->has_result = false;
  if (sim == NULL || l == NULL || l->of != sim)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or a linearisation of another one");
  int bad_v = -1;
  start(sim, l);
  srs_status status = srs_step(l->twin, &bad_v);
  if (status == SRS_OK) status = srs_find_ends(l);
  srs_set_arguments(l, 0, 0);
  if (status != SRS_OK) return failed(l, status, bad_v, error);
  status = check_results(l, error);
  if (status != SRS_OK) return status;
  if (A != NULL) write(l, 0, 2 * l->nv, A);
  if (B != NULL) write(l, 2 * l->nv, l->nv, B);
  if (report != NULL) *report = l->report;
  l->has_result = true;
  return SRS_OK;
}

srs_status srs_linearisation_parameters(const srs_linearisation *l, double *P)
{
  if (l == NULL || P == NULL || !l->has_result) return SRS_ERROR_ARGUMENT;
  write(l, 3 * l->nv, l->n_parameters, P);
  return SRS_OK;
}
