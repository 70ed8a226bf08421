// Rollouts: the bits of one sim that goes through the rows one by one, with any number of threads; rows that fail; jobs
// that make no sense.

#include "support/world.h"
#include <sarrus/parameters.h>
#include <sarrus/rollout.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 23, STEPS = 37, EVERY = 5, SAMPLES = STEPS / EVERY + 1, ALL_SAMPLES = ROWS * SAMPLES };

static const int thread_counts[] = {1, 2, 3, 8};
enum { COUNTS = sizeof thread_counts / sizeof *thread_counts };

// ---------------------------------------------------------------------------------------------------------------------
// A job, its memory, and its rows by plain steps
// ---------------------------------------------------------------------------------------------------------------------

typedef struct trial {
  srs_rollout_job job;
  size_t nq, nv, n; // numbers of all samples
  double *q, *v, *torques, *out;
  srs_status status[ROWS];
  srs_error errors[ROWS];
} trial;

static double *numbers(size_t n)
{
  double *made = calloc(n + 1, sizeof *made);
  assert_non_null(made);
  return made;
}

static void clear(trial *t)
{
  for (size_t i = 0; i < t->n; i++) t->out[i] = 1e300; // every sample is written
  for (int row = 0; row < ROWS; row++) t->status[row] = SRS_ERROR_FILE, t->errors[row] = (srs_error){.line = 77};
}

// Rows at the sim's configuration, with velocities about its own; the caller frees it by dispose.
static trial *trial_of(const srs_sim *sim, testing_random *random, double speed, double effort)
{
  const srs_model *model = srs_sim_model(sim);
  trial *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->nq = (size_t)srs_model_nq(model), t->nv = (size_t)srs_model_nv(model);
  t->n = ALL_SAMPLES * (1 + t->nq + t->nv);
  t->q = numbers(ROWS * t->nq), t->v = numbers(ROWS * t->nv), t->torques = numbers(t->nv * ROWS * STEPS);
  t->out = numbers(t->n);
  for (size_t i = 0; i < ROWS * t->nq; i++) t->q[i] = srs_sim_q(sim)[i % t->nq];
  for (size_t i = 0; i < ROWS * t->nv; i++)
    t->v[i] = srs_sim_v(sim)[i % t->nv] + speed * testing_uniform(random, -1, 1);
  for (size_t i = 0; i < t->nv * ROWS * STEPS; i++) t->torques[i] = effort * testing_uniform(random, -1, 1);
  t->job = srs_default_rollout_job(ROWS, STEPS);
  t->job.every = EVERY;
  t->job.q = t->q, t->job.v = t->v, t->job.torques = t->torques;
  t->job.time = t->out;
  t->job.q_out = t->job.time + ALL_SAMPLES;
  t->job.v_out = t->job.q_out + t->nq * ALL_SAMPLES;
  t->job.status = t->status, t->job.errors = t->errors;
  clear(t);
  return t;
}

static void dispose(trial *t) { free(t->q), free(t->v), free(t->torques), free(t->out), free(t); }

// What a caller without rollouts would write.
static double *by_plain_steps(const trial *t, srs_sim *sim, const void *snapshot, size_t size)
{
  double *all = numbers(t->n), *time = all, *q = all + ALL_SAMPLES, *v = q + t->nq * ALL_SAMPLES;
  for (size_t row = 0; row < ROWS; row++) {
    assert_int_equal(srs_sim_snapshot_restore(sim, snapshot, size, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_state(sim, srs_sim_time(sim), t->q + row * t->nq, t->v + row * t->nv, NULL), SRS_OK);
    for (size_t i = 0; i <= STEPS; i++) {
      if (i % EVERY == 0) {
        const size_t at = row * SAMPLES + i / EVERY;
        time[at] = srs_sim_time(sim);
        memcpy(q + at * t->nq, srs_sim_q(sim), t->nq * sizeof *q);
        memcpy(v + at * t->nv, srs_sim_v(sim), t->nv * sizeof *v);
      }
      if (i == STEPS) break;
      const size_t from = t->job.torques_are_shared ? i : row * STEPS + i;
      assert_int_equal(srs_sim_set_torque(sim, t->torques + from * t->nv, NULL), SRS_OK);
      step(sim, 1);
    }
  }
  return all;
}

static srs_rollout *rollout_of(const srs_sim *sim, int threads)
{
  srs_rollout *rollout = NULL;
  srs_error error = {0};
  if (srs_rollout_create(sim, threads, &rollout, &error) != SRS_OK) fail_msg("%s", error.message);
  return rollout;
}

static void *snapshot_of(const srs_sim *sim, size_t *size)
{
  *size = srs_sim_snapshot_size(sim);
  void *bytes = malloc(*size);
  assert_non_null(bytes);
  srs_sim_snapshot_save(sim, bytes);
  return bytes;
}

// ---------------------------------------------------------------------------------------------------------------------
// The same bits
// ---------------------------------------------------------------------------------------------------------------------

// `sim` is where rows begin; the rollout's threads go through the job twice, the second time with other work behind
// them.
static void check_bits(srs_sim *sim, srs_sim *other, trial *t)
{
  size_t size;
  void *snapshot = snapshot_of(sim, &size);
  double *expected = by_plain_steps(t, other, snapshot, size);
  for (int k = 0; k < COUNTS; k++) {
    srs_rollout *rollout = rollout_of(sim, thread_counts[k]);
    for (int again = 0; again < 2; again++) {
      clear(t);
      assert_int_equal(srs_rollout_run(rollout, &t->job, NULL), SRS_OK);
      if (memcmp(t->out, expected, t->n * sizeof *expected) != 0) fail_msg("%d threads: other bits", thread_counts[k]);
      for (int row = 0; row < ROWS; row++) assert_true(t->status[row] == SRS_OK && t->errors[row].line == 77);
      assert_int_equal(srs_rollout_failures(rollout, NULL), 0);
    }
    srs_rollout_destroy(rollout);
  }
  size_t now;
  void *after = snapshot_of(sim, &now);
  assert_true(now == size && memcmp(after, snapshot, size) == 0); // the sim itself did not move
  free(after), free(expected), free(snapshot);
}

static void any_number_of_threads_gives_the_bits_of_one_sim(void **unused)
{
  (void)unused;
  testing_random random = testing_random_start(25);
  static const struct {
    const char *scene;
    double speed; // 0: where a loop allows but one
  } cases[] = {{"samples/pendulum12.yaml", 1},
               {"samples/arm_wipe.yaml", 0.1},
               {"samples/dice3.yaml", 0.3},
               {"samples/four_bar.yaml", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    srs_scene *scene = scene_of_file(testing_source(cases[i].scene));
    srs_sim *sim = sim_of_scene(scene, NULL), *other = sim_of_scene(scene, NULL);
    step(sim, 50); // rows begin at its time, with what warm-starts its contacts
    trial *t = trial_of(sim, &random, cases[i].speed, 0.02);
    check_bits(sim, other, t);
    t->job.torques_are_shared = true;
    check_bits(sim, other, t);
    dispose(t);
    srs_sim_destroy(other), srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

static const char cart[] =
    "gravity: [0, 0, 0]\nmodels:\n  - name: cart\n    links: [{name: base, mass: 2, inertia: [1, 1, 1]}]\n"
    "    joints: [{name: x, kind: prismatic, child: base, axis: [1, 0, 0]}]\n";

// v = F t / m and, in semi-implicit Euler, x = F dt^2 k (k + 1) / (2 m) after k steps.
static void carts_go_as_their_forces_push(void **unused)
{
  (void)unused;
  world w = load(cart);
  testing_random random = testing_random_start(26);
  trial *t = trial_of(w.sim, &random, 0, 0);
  double *force = t->torques;
  for (int row = 0; row < ROWS; row++)
    for (int i = 0; i < STEPS; i++) *force++ = row - 3;
  srs_rollout *rollout = rollout_of(w.sim, 2);
  assert_int_equal(srs_rollout_run(rollout, &t->job, NULL), SRS_OK);
  for (int row = 0; row < ROWS; row++)
    for (int s = 0; s < SAMPLES; s++) {
      const double dt = 1e-3, k = s * EVERY, a = (row - 3) / 2.0;
      const int at = row * SAMPLES + s;
      assert_true(t->job.time[at] == k / 1000);
      assert_true(fabs(t->job.v_out[at] - a * k * dt) < 1e-14);
      assert_true(fabs(t->job.q_out[at] - a * dt * dt * k * (k + 1) / 2) < 1e-15);
    }
  srs_rollout_destroy(rollout);
  dispose(t);
  unload(&w);
}

// Each row begins from where the row before it ends.
static void rows_begin_from_their_snapshots(void **unused)
{
  (void)unused;
  world w = world_of_scene(scene_of_file(testing_source("samples/dice3.yaml")));
  testing_random random = testing_random_start(27);
  srs_rollout *rollout = rollout_of(w.sim, 3); // before it moves: rows do not begin from here
  srs_rollout_start starts[ROWS];
  void *bytes[ROWS];
  for (int row = 0; row < ROWS; row++) {
    starts[row].snapshot = bytes[row] = snapshot_of(w.sim, &starts[row].size);
    step(w.sim, 20);
  }
  trial *t = trial_of(w.sim, &random, 0, 0);
  t->job.n_steps = 20, t->job.every = 20; // two samples a row
  t->job.q = t->job.v = t->job.torques = NULL;
  t->job.starts = starts, t->job.n_starts = ROWS;
  assert_int_equal(srs_rollout_run(rollout, &t->job, NULL), SRS_OK);
  for (int row = 0; row + 1 < ROWS; row++) {
    const double *end = t->job.q_out + (size_t)(2 * row + 1) * t->nq;
    assert_memory_equal(end, end + t->nq, t->nq * sizeof *end);
    assert_true(t->job.time[2 * row + 1] == t->job.time[2 * row + 2]);
  }
  assert_memory_equal(t->job.q_out + (size_t)(2 * ROWS - 1) * t->nq, srs_sim_q(w.sim), t->nq * sizeof(double));
  t->job.starts = &starts[2], t->job.n_starts = 1; // one for all
  assert_int_equal(srs_rollout_run(rollout, &t->job, NULL), SRS_OK);
  for (size_t row = 0; row < ROWS; row++) assert_true(t->job.time[2 * row] == t->job.time[0] && t->job.time[0] > 0);
  for (int row = 0; row < ROWS; row++) free(bytes[row]);
  srs_rollout_destroy(rollout);
  dispose(t);
  unload(&w);
}

static void parameters_are_those_that_the_sim_had(void **unused)
{
  (void)unused;
  world w = load(cart);
  assert_int_equal(srs_sim_set_link_mass(w.sim, 0, 4, NULL), SRS_OK);
  const double force = 8;
  double v[2 * 3];
  assert_int_equal(srs_sim_set_torque(w.sim, &force, NULL), SRS_OK);
  srs_rollout *rollout = rollout_of(w.sim, 2);
  assert_int_equal(srs_sim_set_link_mass(w.sim, 0, 1, NULL), SRS_OK); // too late
  srs_rollout_job job = srs_default_rollout_job(3, 1000);
  job.every = 1000, job.v_out = v; // the only output
  assert_int_equal(srs_rollout_run(rollout, &job, NULL), SRS_OK);
  for (size_t row = 0; row < 3; row++) assert_true(v[2 * row] == 0 && fabs(v[2 * row + 1] - 2) < 1e-12);
  srs_rollout_destroy(rollout);
  unload(&w);
}

static void a_row_in_a_sim_of_ones_own_goes_on_where_it_is(void **unused)
{
  (void)unused;
  world w = world_of_scene(scene_of_file(testing_source("samples/pendulum12.yaml")));
  srs_sim *plain = sim_of_scene(w.scene, NULL);
  const srs_rollout_job job = srs_default_rollout_job(1, 17);
  for (int i = 0; i < 3; i++) assert_int_equal(srs_rollout_row(w.sim, &job, 0, NULL), SRS_OK);
  step(plain, 51);
  assert_memory_equal(srs_sim_q(w.sim), srs_sim_q(plain), 12 * sizeof(double));
  srs_sim_destroy(plain);
  unload(&w);
}

// As docs/control.md has it.
static void the_page_s_lines_work(void **unused)
{
  (void)unused;
  enum { N = 9 };
  const size_t nv = 12;
  world w = world_of_scene(scene_of_file(testing_source("samples/pendulum12.yaml")));
  srs_sim *sim = w.sim;
  srs_error error = {0};
  testing_random random = testing_random_start(31);
  double *q = numbers(nv * N), *v = numbers(nv * N), *torques = numbers(nv * N * 200), *q_out = numbers(nv * N * 21);
  for (size_t i = 0; i < nv * N; i++) q[i] = srs_sim_q(sim)[i % nv], v[i] = testing_uniform(&random, -1, 1);
  const int n = N;
  srs_status status[N];

  srs_rollout *rollout;
  srs_rollout_create(sim, srs_usable_processors(), &rollout, &error);
  srs_rollout_job job = srs_default_rollout_job(n, 200); // n rows of 200 steps
  job.every = 10;                                        // 21 samples each
  job.q = q, job.v = v, job.torques = torques;           // n x nq, n x nv, n x 200 x nv
  job.q_out = q_out, job.status = status;                // n x 21 x nq, n; what is not asked for is NULL
  if (srs_rollout_run(rollout, &job, &error) != SRS_OK)  // the error is that of the first row that failed
    fail_msg("%ld rows failed: %s", srs_rollout_failures(rollout, NULL), error.message);

  for (size_t row = 0; row < N; row++) {
    assert_int_equal(status[row], SRS_OK);
    assert_memory_equal(q_out + nv * 21 * row, q + nv * row, nv * sizeof *q);
    assert_true(isfinite(q_out[nv * 21 * (row + 1) - 1]));
  }
  srs_rollout_destroy(rollout);
  free(q), free(v), free(torques), free(q_out);
  unload(&w);
}

// ---------------------------------------------------------------------------------------------------------------------
// What goes wrong
// ---------------------------------------------------------------------------------------------------------------------

static bool all_are_nan(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isnan(x[i])) return false;
  return true;
}

static void check_failed(const trial *t, int row, srs_status status, size_t good)
{
  assert_int_equal(t->status[row], status);
  assert_int_equal(t->errors[row].status, status);
  assert_true(t->errors[row].message[0] != '\0');
  const size_t first = (size_t)row * SAMPLES + good, rest = SAMPLES - good;
  assert_true(all_are_nan(t->job.time + first, rest));
  assert_true(all_are_nan(t->job.q_out + first * t->nq, rest * t->nq));
  assert_true(all_are_nan(t->job.v_out + first * t->nv, rest * t->nv));
}

static void rows_that_fail_leave_the_others_alone(void **unused)
{
  (void)unused;
  world w = world_of_scene(scene_of_file(testing_source("samples/pendulum12.yaml")));
  srs_sim *other = sim_of_scene(w.scene, NULL);
  testing_random random = testing_random_start(28);
  trial *t = trial_of(w.sim, &random, 1, 0.02);
  size_t size;
  void *snapshot = snapshot_of(w.sim, &size);
  double *expected = by_plain_steps(t, other, snapshot, size);
  const size_t nv = t->nv;
  for (size_t i = 0; i < nv; i++) t->torques[(11 * STEPS + 12) * nv + i] = i % 2 ? 1e308 : -1e308; // in step 12
  t->torques[nv * 19 * STEPS] = NAN;                                                               // in the first
  t->q[5 * nv + 3] = INFINITY;
  for (int k = 0; k < COUNTS; k++) {
    srs_rollout *rollout = rollout_of(w.sim, thread_counts[k]);
    srs_error error = {0};
    long first = 0;
    clear(t);
    assert_int_equal(srs_rollout_run(rollout, &t->job, &error), SRS_ERROR_NOT_FINITE);
    assert_int_equal(srs_rollout_failures(rollout, &first), 3);
    assert_int_equal(first, 5);
    assert_memory_equal(&error, &t->errors[5], sizeof error);
    check_failed(t, 5, SRS_ERROR_NOT_FINITE, 0);
    check_failed(t, 11, SRS_ERROR_DIVERGED, 3); // after 0, 5 and 10 steps
    check_failed(t, 19, SRS_ERROR_NOT_FINITE, 1);
    for (size_t row = 0; row < ROWS; row++) {
      if (row == 5 || row == 11 || row == 19) continue;
      assert_true(t->status[row] == SRS_OK && t->errors[row].line == 77);
      const size_t at = row * SAMPLES * nv;
      assert_memory_equal(t->job.q_out + at, expected + ALL_SAMPLES + at, SAMPLES * nv * sizeof(double));
    }
    t->job.status = NULL, t->job.errors = NULL; // they need not be asked for
    assert_int_equal(srs_rollout_run(rollout, &t->job, NULL), SRS_ERROR_NOT_FINITE);
    t->job.status = t->status, t->job.errors = t->errors;
    const srs_rollout_job good = srs_default_rollout_job(3, 1);
    assert_int_equal(srs_rollout_run(rollout, &good, NULL), SRS_OK); // and are forgotten
    assert_int_equal(srs_rollout_failures(rollout, &first), 0);
    assert_int_equal(first, -1);
    srs_rollout_destroy(rollout);
  }
  free(expected), free(snapshot);
  dispose(t);
  srs_sim_destroy(other);
  unload(&w);
}

static void snapshots_of_others_are_refused_row_by_row(void **unused)
{
  (void)unused;
  world w = world_of_scene(scene_of_file(testing_source("samples/pendulum12.yaml"))), far = load(cart);
  srs_sim *coarse = sim_with_step(w.scene, 0.01);
  srs_rollout_start starts[4] = {0};
  void *own = snapshot_of(w.sim, &starts[0].size), *foreign = snapshot_of(far.sim, &starts[1].size);
  void *steps = snapshot_of(coarse, &starts[2].size);
  starts[0].snapshot = own, starts[1].snapshot = foreign, starts[2].snapshot = steps; // the last is missing
  srs_rollout_job job = srs_default_rollout_job(4, 3);
  srs_status status[4];
  srs_error errors[4], error;
  job.starts = starts, job.n_starts = 4, job.status = status, job.errors = errors;
  srs_rollout *rollout = rollout_of(w.sim, 2);
  assert_int_equal(srs_rollout_run(rollout, &job, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(status[0], SRS_OK);
  for (int row = 1; row < 4; row++) assert_int_equal(status[row], SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(errors[1].message, "nq = 1"));
  assert_non_null(strstr(errors[2].message, "dt"));
  assert_non_null(strstr(errors[3].message, "row 3"));
  assert_string_equal(error.message, errors[1].message);
  srs_rollout_destroy(rollout);
  free(own), free(foreign), free(steps);
  srs_sim_destroy(coarse);
  unload(&far), unload(&w);
}

static void jobs_without_sense_are_refused_whole(void **unused)
{
  (void)unused;
  world w = load(cart);
  testing_random random = testing_random_start(29);
  trial *t = trial_of(w.sim, &random, 0, 0);
  srs_rollout *rollout = rollout_of(w.sim, 2);
  srs_rollout_job wrong[8];
  for (int i = 0; i < 8; i++) wrong[i] = t->job;
  wrong[0].n_rows = -1, wrong[1].n_steps = -1, wrong[2].every = 0, wrong[3].every = -4;
  wrong[4].n_starts = 1; // without any
  wrong[5].n_starts = ROWS - 1, wrong[5].starts = &(srs_rollout_start){0};
  wrong[6].torques = NULL, wrong[6].torques_are_shared = true;
  wrong[7].n_starts = -1;
  for (int i = 0; i < 8; i++) {
    srs_error error = {0};
    long first = 5;
    assert_int_equal(srs_rollout_run(rollout, &wrong[i], &error), SRS_ERROR_ARGUMENT);
    assert_true(error.message[0] != '\0');
    assert_int_equal(srs_rollout_failures(rollout, &first), 0);
    assert_int_equal(first, -1);
    assert_int_equal(srs_rollout_row(w.sim, &wrong[i], 0, &error), SRS_ERROR_ARGUMENT);
    for (size_t k = 0; k < t->n; k++) assert_true(t->out[k] == 1e300);
    for (int row = 0; row < ROWS; row++) assert_int_equal(t->status[row], SRS_ERROR_FILE);
  }
  assert_int_equal(srs_rollout_run(rollout, NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_rollout_run(NULL, &t->job, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_rollout_row(NULL, &t->job, 0, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_rollout_row(w.sim, &t->job, ROWS, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_rollout_row(w.sim, &t->job, -1, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_rollout_run(rollout, &t->job, NULL), SRS_OK); // it is none the worse
  srs_rollout_destroy(rollout);
  dispose(t);
  unload(&w);
}

static void rollouts_that_cannot_be_are_not_made(void **unused)
{
  (void)unused;
  world w = load(cart);
  static const int threads[] = {0, -1, SRS_MOST_THREADS + 1};
  for (int i = 0; i < 3; i++) {
    srs_rollout *rollout = (srs_rollout *)&w;
    srs_error error = {0};
    assert_int_equal(srs_rollout_create(w.sim, threads[i], &rollout, &error), SRS_ERROR_ARGUMENT);
    assert_null(rollout);
    assert_non_null(strstr(error.message, "1024"));
  }
  srs_rollout *rollout = (srs_rollout *)&w;
  assert_int_equal(srs_rollout_create(NULL, 1, &rollout, NULL), SRS_ERROR_ARGUMENT);
  assert_null(rollout);
  assert_int_equal(srs_rollout_create(w.sim, 1, NULL, NULL), SRS_ERROR_ARGUMENT);
  srs_rollout_destroy(NULL);
  assert_int_equal(srs_rollout_failures(NULL, NULL), 0);
  assert_true(srs_usable_processors() >= 1 && srs_usable_processors() <= SRS_MOST_THREADS);
  unload(&w);
}

// ---------------------------------------------------------------------------------------------------------------------
// Small jobs
// ---------------------------------------------------------------------------------------------------------------------

static void there_may_be_nothing_to_do(void **unused)
{
  (void)unused;
  world w = load(cart);
  for (int k = 0; k < COUNTS; k++) {
    srs_rollout *rollout = rollout_of(w.sim, thread_counts[k]); // also one that is never run
    srs_rollout_job none = srs_default_rollout_job(0, 100), still = srs_default_rollout_job(2, 0);
    if (k == 1) none.n_starts = 1, none.starts = &(srs_rollout_start){0}; // of no row
    double q[2] = {7, 7}, from[2] = {1, 2};
    none.q_out = still.q_out = q, still.q = from;
    if (k < 3) {
      assert_int_equal(srs_rollout_run(rollout, &none, NULL), SRS_OK);
      assert_true(q[0] == 7);
      assert_int_equal(srs_rollout_run(rollout, &still, NULL), SRS_OK);
      assert_true(q[0] == 1 && q[1] == 2);
    }
    srs_rollout_destroy(rollout);
  }
  unload(&w);
}

// Each job has another answer, so a thread that came late to one would show.
static void many_short_jobs_are_all_done(void **unused)
{
  (void)unused;
  enum { JOBS = 3000, FEW = 5 };
  world w = load(cart);
  srs_rollout *rollout = rollout_of(w.sim, 8);
  for (int j = 0; j < JOBS; j++) {
    double v[FEW], out[2 * FEW];
    for (int row = 0; row < FEW; row++) v[row] = j + 0.1 * row;
    srs_rollout_job job = srs_default_rollout_job(1 + j % FEW, 1);
    job.v = v, job.v_out = out;
    assert_int_equal(srs_rollout_run(rollout, &job, NULL), SRS_OK);
    for (int row = 0; row < job.n_rows; row++) assert_true(out[2 * row + 1] == v[row]);
  }
  srs_rollout_destroy(rollout);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_number_of_threads_gives_the_bits_of_one_sim),
      cmocka_unit_test(carts_go_as_their_forces_push),
      cmocka_unit_test(rows_begin_from_their_snapshots),
      cmocka_unit_test(parameters_are_those_that_the_sim_had),
      cmocka_unit_test(a_row_in_a_sim_of_ones_own_goes_on_where_it_is),
      cmocka_unit_test(the_page_s_lines_work),
      cmocka_unit_test(rows_that_fail_leave_the_others_alone),
      cmocka_unit_test(snapshots_of_others_are_refused_row_by_row),
      cmocka_unit_test(jobs_without_sense_are_refused_whole),
      cmocka_unit_test(rollouts_that_cannot_be_are_not_made),
      cmocka_unit_test(there_may_be_nothing_to_do),
      cmocka_unit_test(many_short_jobs_are_all_done),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
