// One row of a rollout: from a snapshot and a state, n steps with their torques, and a sample every so many of them.
//
//   sample k is the state after k every steps, k = 0 .. n_steps / every;   torque i holds during step i
//
// A step reads what a snapshot holds and nothing else, so a row does not depend on the rows that its sim ran before.

#include "engine/rollout/row.h"
#include "topology/base/errors.h"

#include <limits.h>
#include <math.h>
#include <string.h>

srs_rollout_job srs_default_rollout_job(long n_rows, long n_steps)
{
  return (srs_rollout_job){.n_rows = n_rows, .n_steps = n_steps, .every = 1};
}

srs_status srs_check_job(const srs_rollout_job *job, srs_error *error)
{
  const char *wrong = NULL;
  if (job == NULL)
    wrong = "there is no job";
  else if (job->n_rows < 0 || job->n_steps < 0 || job->n_steps == LONG_MAX)
    wrong = "n_rows and n_steps must be 0 or more";
  else if (job->every < 1)
    wrong = "every must be 1 or more";
  else if (job->n_starts != 0 && job->n_starts != 1 && job->n_starts != job->n_rows)
    wrong = "n_starts must be 0, 1 or n_rows";
  else if (job->n_starts > 0 && job->starts == NULL)
    wrong = "starts is NULL where n_starts is above 0";
  else if (job->torques_are_shared && job->torques == NULL)
    wrong = "torques that are shared are NULL";
  return wrong == NULL ? SRS_OK : srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s", wrong);
}

// Row `row` of an array of rows, NULL of NULL.
static const double *row_of(const double *rows, long row, size_t size)
{
  return rows != NULL ? rows + (size_t)row * size : NULL;
}

const double *srs_row_torques(const srs_rollout_job *job, long row, size_t nv)
{
  return row_of(job->torques, job->torques_are_shared ? 0 : row, (size_t)job->n_steps * nv);
}

static double *out_row(double *rows, long row, size_t size) { return rows != NULL ? rows + (size_t)row * size : NULL; }

srs_row_samples srs_row_samples_of(const srs_sim *sim, const srs_rollout_job *job, long row)
{
  const srs_model *model = srs_sim_model(sim);
  srs_row_samples s = {.nq = (size_t)srs_model_nq(model), .nv = (size_t)srs_model_nv(model)};
  s.count = (size_t)(job->n_steps / job->every + 1);
  s.time = out_row(job->time, row, s.count);
  s.q = out_row(job->q_out, row, s.count * s.nq);
  s.v = out_row(job->v_out, row, s.count * s.nv);
  return s;
}

static void take_sample(srs_row_samples *s, const srs_sim *sim)
{
  const size_t at = s->taken++;
  if (s->time != NULL) s->time[at] = srs_sim_time(sim);
  if (s->q != NULL && s->nq > 0) memcpy(s->q + at * s->nq, srs_sim_q(sim), s->nq * sizeof(double));
  if (s->v != NULL && s->nv > 0) memcpy(s->v + at * s->nv, srs_sim_v(sim), s->nv * sizeof(double));
}

static void fill(double *numbers, size_t from, size_t to)
{
  for (size_t i = from; numbers != NULL && i < to; i++) numbers[i] = NAN;
}

static void leave_the_rest(const srs_row_samples *s)
{
  fill(s->time, s->taken, s->count);
  fill(s->q, s->taken * s->nq, s->count * s->nq);
  fill(s->v, s->taken * s->nv, s->count * s->nv);
}

srs_status srs_begin_row(srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start, long row,
                         srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  if (job->n_starts > 0) start = job->starts + (job->n_starts > 1 ? row : 0);
  if (start != NULL && start->snapshot == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "the start of row %ld has no snapshot", row);
  srs_status status = SRS_OK;
  if (start != NULL) status = srs_sim_snapshot_restore(sim, start->snapshot, start->size, error);
  if (status != SRS_OK || (job->q == NULL && job->v == NULL)) return status;
  return srs_sim_set_state(sim, srs_sim_time(sim), row_of(job->q, row, (size_t)srs_model_nq(model)),
                           row_of(job->v, row, (size_t)srs_model_nv(model)), error);
}

// Up to n steps from step `done` on, as many as hold the same inputs.
static srs_status advance(srs_sim *sim, const double *torques, size_t nv, long *done, long n, srs_error *error)
{
  srs_status status = SRS_OK;
  if (torques != NULL) status = srs_sim_set_torque(sim, torques + (size_t)*done * nv, error), n = 1;
  if (status == SRS_OK) status = srs_sim_step(sim, n, error);
  *done += n;
  return status;
}

srs_status srs_run_row(srs_sim *sim, const srs_rollout_job *job, const srs_rollout_start *start, long row,
                       srs_error *error)
{
  srs_row_samples s = srs_row_samples_of(sim, job, row);
  const double *torques = srs_row_torques(job, row, s.nv);
  srs_status status = srs_begin_row(sim, job, start, row, error);
  if (status == SRS_OK) take_sample(&s, sim);
  for (long done = 0; done < job->n_steps && status == SRS_OK;) {
    const long to_sample = job->every - done % job->every, left = job->n_steps - done;
    status = advance(sim, torques, s.nv, &done, to_sample < left ? to_sample : left, error);
    if (status == SRS_OK && done % job->every == 0) take_sample(&s, sim);
  }
  leave_the_rest(&s);
  return status;
}

srs_status srs_rollout_row(srs_sim *sim, const srs_rollout_job *job, long row, srs_error *error)
{
  const srs_status status = srs_check_job(job, error);
  if (status != SRS_OK) return status;
  if (sim == NULL || row < 0 || row >= job->n_rows)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no sim, or no row %ld in this job", row);
  return srs_run_row(sim, job, NULL, row, error);
}
