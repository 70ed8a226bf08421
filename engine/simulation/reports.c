// Reports a step that failed because nothing resists a joint, or because numbers have overflowed there.

#include "engine/simulation/reports.h"
#include "engine/dynamics/checks.h"
#include "topology/base/errors.h"

srs_status srs_report_singular(const srs_workspace *w, const srs_sim_state *state, int bad_v, srs_error *error)
{
  char cause[320];
  const srs_status status = srs_singular_cause(w, bad_v, cause);
  return srs_fail(error, status, NULL, 0, 0, w->model->joints[w->model->link_of_v[bad_v]].name,
                  "t = %.9g s, step %.0f: %s", *state->time, *state->steps, cause);
}
