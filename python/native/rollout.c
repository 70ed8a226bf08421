// Many steps of a simulation in one call, with samples of the state: what Sim.run and Sim.rollout of the Python
// module run.
#include <sarrus/sarrus.h>
#include <string.h>

#include "rollout.h"

// Adds the sim's state to the samples.
static void add_sample(const srs_sim *sim, sarrus_rollout *r)
{
  const srs_model *model = srs_sim_model(sim);
  const size_t nq = (size_t)srs_model_nq(model), nv = (size_t)srs_model_nv(model), at = (size_t)r->n_samples++;
  r->time[at] = srs_sim_time(sim);
  if (nq > 0) memcpy(r->q_out + at * nq, srs_sim_q(sim), nq * sizeof(double));
  if (nv > 0) memcpy(r->v_out + at * nv, srs_sim_v(sim), nv * sizeof(double));
}

int sarrus_roll_out(srs_sim *sim, sarrus_rollout *r, srs_error *error)
{
  const long nv = srs_model_nv(srs_sim_model(sim));
  srs_status status = SRS_OK;
  r->n_samples = 0;
  if (r->snapshot != NULL) status = srs_sim_snapshot_restore(sim, r->snapshot, r->snapshot_size, error);
  if (status == SRS_OK && (r->q != NULL || r->v != NULL))
    status = srs_sim_set_state(sim, srs_sim_time(sim), r->q, r->v, error);
  if (status != SRS_OK) return (int)status;
  add_sample(sim, r);
  for (long done = 0; done < r->n_steps && status == SRS_OK;) {
    const long left = r->every - done % r->every, rest = r->n_steps - done, n = left < rest ? left : rest;
    if (r->torques == NULL) {
      status = srs_sim_step(sim, n, error);
      done += n;
    } else {
      status = srs_sim_set_torque(sim, r->torques + done * nv, error);
      if (status == SRS_OK) status = srs_sim_step(sim, 1, error);
      done++;
    }
    if (status == SRS_OK && done % r->every == 0) add_sample(sim, r);
  }
  return (int)status;
}
