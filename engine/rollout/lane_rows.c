// Several rows of a rollout at a time: each begins in the sim, goes on in a lane, and where that cannot carry it, runs
// alone from its start.

#include "engine/rollout/lane_rows.h"

typedef struct group {
  srs_lanes *lanes;
  const srs_rollout_job *job;
  int n;
  srs_row_samples samples[SRS_SIM_LANES];
  const double *torques[SRS_SIM_LANES];
} group;

static void take_samples(group *g)
{
  for (int l = 0; l < g->n; l++) {
    srs_row_samples *s = &g->samples[l];
    const size_t at = s->taken++;
    if (!srs_lanes_is_carried(g->lanes, l)) continue;
    srs_lanes_state(g->lanes, l, s->time != NULL ? s->time + at : NULL, s->q != NULL ? s->q + at * s->nq : NULL,
                    s->v != NULL ? s->v + at * s->nv : NULL);
  }
}

// Up to n steps, as many as hold the same inputs.
static bool advance(group *g, long *done, long n)
{
  if (g->torques[0] != NULL) {
    const double *now[SRS_SIM_LANES];
    for (int l = 0; l < SRS_SIM_LANES; l++) now[l] = g->torques[l] + (size_t)*done * g->samples[0].nv;
    srs_lanes_set_torques(g->lanes, now);
    n = 1;
  }
  *done += n;
  return srs_lanes_step(g->lanes, n);
}

// Lanes without a row of their own are copies of one that has.  @return whether there is one
static bool begin(group *g, srs_sim *sim, const srs_rollout_start *start, long first)
{
  int loaded = -1;
  for (int l = 0; l < g->n; l++) {
    srs_error error;
    g->samples[l] = srs_row_samples_of(sim, g->job, first + l);
    g->torques[l] = srs_row_torques(g->job, first + l, g->samples[l].nv);
    const bool has_begun = srs_begin_row(sim, g->job, start, first + l, &error) == SRS_OK;
    if (srs_lanes_load(g->lanes, l, sim) && has_begun)
      loaded = l;
    else
      srs_lanes_give_up(g->lanes, l);
  }
  for (int l = g->n; l < SRS_SIM_LANES; l++) {
    g->torques[l] = g->torques[0];
    if (loaded >= 0) srs_lanes_copy(g->lanes, loaded, l);
    srs_lanes_give_up(g->lanes, l);
  }
  return loaded >= 0;
}

int srs_run_lane_rows(srs_lanes *lanes, srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start,
                      long first, int n, srs_status *status, srs_error *error)
{
  group g = {.lanes = lanes, .job = job, .n = n};
  bool is_under_way = begin(&g, sim, start, first);
  take_samples(&g);
  for (long done = 0; done < job->n_steps && is_under_way;) {
    const long to_sample = job->every - done % job->every, left = job->n_steps - done;
    is_under_way = advance(&g, &done, to_sample < left ? to_sample : left);
    if (done % job->every == 0) take_samples(&g);
  }
  int n_alone = 0;
  for (int l = 0; l < n; l++) {
    status[l] = SRS_OK;
    if (srs_lanes_is_carried(lanes, l)) continue;
    n_alone++;
    status[l] = srs_run_row(sim, job, start, first + l, &error[l]);
  }
  return n_alone;
}
