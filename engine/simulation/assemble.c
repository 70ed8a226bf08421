// Closes the loops of a simulation's present state: configuration first, then velocity, by engine/loops/assembly.c in a
// workspace of its own. The state changes only when both succeed.

#include "topology/base/errors.h"
#include "topology/model/model.h"
#include <sarrus/engine.h>

#include <stdlib.h>
#include <string.h>

static srs_status assemble_state(srs_workspace *w, const srs_assembly_options *options, double *q, double *v,
                                 srs_assembly_report *report, srs_error *error)
{
  srs_status status = srs_assemble(w, options, q, report);
  if (status == SRS_OK) status = srs_assemble_velocity(w, options, q, v, NULL);
  if (status == SRS_OK || error == NULL) return status;
  const srs_error *why = srs_workspace_error(w);
  if (status == SRS_ERROR_DIVERGED)
    return srs_fail(error, status, NULL, 0, 0, why->subject, "t = %.9g s: %s", options->time, why->message);
  *error = *why;
  return status;
}

srs_status srs_sim_assemble(srs_sim *sim, const srs_assembly_options *options, srs_assembly_report *report,
                            srs_error *error)
{
  if (sim == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim");
  const srs_model *m = srs_sim_model(sim);
  srs_assembly_options chosen = options != NULL ? *options : srs_default_assembly_options();
  chosen.time = srs_sim_time(sim);
  if (report != NULL) *report = (srs_assembly_report){.worst = -1};
  if (m->n_loop_rows == 0) return SRS_OK;
  srs_workspace *w = NULL;
  srs_status status = srs_workspace_create(m, &w, error);
  if (status != SRS_OK) return status;
  double *state = calloc((size_t)m->nq + (size_t)m->nv + 1, sizeof *state);
  if (state != NULL) {
    memcpy(state, srs_sim_q(sim), (size_t)m->nq * sizeof *state);
    memcpy(state + m->nq, srs_sim_v(sim), (size_t)m->nv * sizeof *state);
    status = assemble_state(w, &chosen, state, state + m->nq, report, error);
    if (status == SRS_OK) status = srs_sim_set_state(sim, chosen.time, state, state + m->nq, error);
  } else {
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory to assemble");
  }
  free(state);
  srs_workspace_destroy(w);
  return status;
}
