// Rows in lanes against rows alone: one step and a few, with either choice of velocity terms, dampers, springs, servos;
// limits, failures and what lanes refuse.
//
// A step's velocities agree to 1e-11 of the largest entry, since a chain of random links has a mass matrix of condition
// 1e4 and more, which both recursions' roundings are multiplied by (as of batches); positions to 1e-13, being dt of
// that. Both grow with the number of steps.

#include "support/world.h"
#include "topology/model/model.h"
#include "unit/engine/robot_files.h"
#include <sarrus/parameters.h>
#include <sarrus/rollout.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(size_t n)
{
  double *made = calloc(n + 1, sizeof *made);
  assert_non_null(made);
  return made;
}

// ---------------------------------------------------------------------------------------------------------------------
// A job and what comes of it
// ---------------------------------------------------------------------------------------------------------------------

enum { MOST_ROWS = 11 };

typedef struct trial {
  srs_sim *sim;
  srs_rollout_job job;
  size_t nq, nv, n, samples; // n: rows
  double *q, *v, *torques, *out;
  srs_status status[MOST_ROWS];
  srs_error errors[MOST_ROWS];
} trial;

// Rows from random states, with torques that change in every step.
static trial trial_of(testing_random *random, srs_sim *sim, int rows, long steps, double speed, double effort)
{
  const srs_model *model = srs_sim_model(sim);
  trial t = {.sim = sim, .nq = (size_t)srs_model_nq(model), .nv = (size_t)srs_model_nv(model), .n = (size_t)rows};
  t.q = numbers(t.n * t.nq), t.v = numbers(t.n * t.nv), t.torques = numbers(t.n * (size_t)steps * t.nv);
  for (size_t row = 0; row < t.n; row++) {
    testing_random_q(random, model, t.q + row * t.nq);
    testing_random_v(random, model, speed, t.v + row * t.nv);
  }
  for (size_t i = 0; i < t.n * (size_t)steps * t.nv; i++) t.torques[i] = effort * testing_uniform(random, -1, 1);
  t.job = srs_default_rollout_job(rows, steps);
  t.job.every = 1 + testing_below(random, 3);
  t.samples = (size_t)(steps / t.job.every + 1);
  t.out = numbers(t.n * t.samples * (1 + t.nq + t.nv));
  t.job.q = t.q, t.job.v = t.v, t.job.torques = t.torques;
  return t;
}

static void dispose(trial *t)
{
  free(t->q), free(t->v), free(t->torques), free(t->out);
  srs_sim_destroy(t->sim);
}

// Fills `to`, as large as out.  @return how many rows ran alone
static long run(trial *t, int threads, bool in_lanes, double *to)
{
  srs_rollout *rollout = NULL;
  srs_error error = {0};
  if (srs_rollout_create(t->sim, threads, &rollout, &error) != SRS_OK) fail_msg("%s", error.message);
  if (in_lanes && srs_rollout_use_lanes(rollout, &error) != SRS_OK) fail_msg("%s", error.message);
  t->job.time = to, t->job.q_out = to + t->n * t->samples, t->job.v_out = t->job.q_out + t->n * t->samples * t->nq;
  t->job.status = t->status, t->job.errors = t->errors;
  (void)srs_rollout_run(rollout, &t->job, &error);
  const long n_alone = srs_rollout_rows_alone(rollout);
  srs_rollout_destroy(rollout);
  return n_alone;
}

// @return how many rows lanes did not carry
static long check_close(trial *t, double tolerance)
{
  const size_t n = t->n * t->samples;
  double *alone = numbers(n * (1 + t->nq + t->nv));
  assert_int_equal(run(t, 1, false, alone), 0);
  for (size_t row = 0; row < t->n; row++) assert_int_equal(t->status[row], SRS_OK);
  const long n_alone = run(t, 1, true, t->out);
  for (size_t row = 0; row < t->n; row++) assert_int_equal(t->status[row], SRS_OK);
  assert_memory_equal(t->out, alone, n * sizeof *alone); // times
  testing_assert_close("q", t->out + n, alone + n, (int)(n * t->nq), 0.01 * tolerance);
  testing_assert_close("v", t->out + n * (1 + t->nq), alone + n * (1 + t->nq), (int)(n * t->nv), tolerance);
  free(alone);
  return n_alone;
}

static srs_sim_options free_options(testing_random *random)
{
  srs_sim_options options = srs_default_sim_options();
  options.dt = 1e-3;
  options.velocity_terms = testing_below(random, 2) ? SRS_VELOCITY_TERMS_START : SRS_VELOCITY_TERMS_MEAN;
  options.keep_momentum = options.contact.enabled = options.joint.friction = false;
  return options;
}

// ---------------------------------------------------------------------------------------------------------------------
// The same motion
// ---------------------------------------------------------------------------------------------------------------------

// Dampers everywhere, springs where a coordinate is a number.
static void resist(testing_random *random, srs_sim *sim)
{
  const srs_model *model = srs_sim_model(sim);
  for (int i = 0; i < srs_model_nv(model); i++) {
    srs_coordinate_parameters p;
    const srs_joint_kind kind = (srs_joint_kind)model->kind[model->link_of_v[i]];
    const bool is_ball = kind == SRS_JOINT_SPHERICAL || kind == SRS_JOINT_FREE;
    assert_int_equal(srs_sim_get_coordinate_parameters(sim, i, &p), SRS_OK);
    p.damping = testing_uniform(random, 0, 2);
    if (!is_ball) p.stiffness = testing_uniform(random, 0, 100);
    assert_int_equal(srs_sim_set_coordinate_parameters(sim, i, &p, NULL), SRS_OK);
  }
}

static const int sizes[] = {1, 2, 5, 12, 30};
enum { SIZES = sizeof sizes / sizeof sizes[0], ROUNDS = 12 };

static void on_trees(unsigned seed, long steps, double speed, bool has_resistance, double tolerance)
{
  testing_random random = testing_random_start(seed);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < ROUNDS; round++) {
      srs_model *model = testing_random_model(&random, sizes[s], NULL, 0, 0.5 * (round % 3));
      const srs_sim_options options = free_options(&random);
      srs_sim *sim = sim_of_model(model, &options);
      if (has_resistance) resist(&random, sim);
      trial t = trial_of(&random, sim, 1 + testing_below(&random, MOST_ROWS), steps, speed, 1);
      assert_int_equal(check_close(&t, tolerance), 0);
      dispose(&t);
      srs_model_destroy(model);
    }
}

static void a_step_is_that_of_a_row_alone(void **unused)
{
  (void)unused;
  on_trees(81, 1, 1, false, 1e-11);
  on_trees(82, 1, 1, true, 1e-11);
}

static void so_are_a_few(void **unused)
{
  (void)unused;
  on_trees(83, 5, 1, false, 1e-10);
  on_trees(84, 5, 1, true, 1e-10);
}

// Where a link turns by more than 0.02 rad a step, velocity terms at the mean take iterations.
static void so_are_steps_of_what_turns_fast(void **unused)
{
  (void)unused;
  on_trees(85, 3, 40, false, 1e-10);
}

// ---------------------------------------------------------------------------------------------------------------------
// Robots: limits, servos, what lanes do not carry
// ---------------------------------------------------------------------------------------------------------------------

static void serve(testing_random *random, srs_sim *sim)
{
  const srs_model *model = srs_sim_model(sim);
  const size_t nq = (size_t)srs_model_nq(model), nv = (size_t)srs_model_nv(model);
  double *q = numbers(nq), *v = numbers(nv), *kp = numbers(nv), *kd = numbers(nv);
  memcpy(q, srs_model_neutral(model), nq * sizeof *q);
  for (size_t i = 0; i < nv; i++) {
    const srs_joint_kind kind = (srs_joint_kind)model->kind[model->link_of_v[i]];
    if (kind != SRS_JOINT_SPHERICAL && kind != SRS_JOINT_FREE) kp[i] = testing_uniform(random, 0, 30);
    kd[i] = testing_uniform(random, 0, 3), v[i] = testing_uniform(random, -1, 1);
  }
  assert_int_equal(srs_sim_set_servo(sim, q, v, kp, kd, NULL), SRS_OK);
  free(q), free(v), free(kp), free(kd);
}

// Limits of positions, efforts and speeds as the files have them: random states are beyond some.
static void on_robot(testing_random *random, srs_model *model, void *context)
{
  long *counts = context;
  srs_sim_options options = free_options(random);
  srs_sim *sim = NULL;
  srs_rollout *rollout = NULL;
  srs_error error = {0};
  if (srs_sim_create(model, &options, &sim, NULL) == SRS_OK && srs_rollout_create(sim, 1, &rollout, NULL) == SRS_OK &&
      srs_rollout_use_lanes(rollout, &error) == SRS_OK) {
    if (testing_below(random, 2)) serve(random, sim);
    trial t = trial_of(random, sim, 1 + testing_below(random, MOST_ROWS), 3, 0.5, 5);
    counts[1] += check_close(&t, 1e-9); // links of grams on links of kilograms
    counts[0] += (long)t.n;
    t.sim = NULL;
    dispose(&t);
  }
  srs_rollout_destroy(rollout);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void limits_are_those_of_rows_alone(void **unused)
{
  (void)unused;
  long counts[2] = {0}; // rows; of them alone
  testing_random random = testing_random_start(86);
  robot_files_visit(&random, on_robot, counts);
  print_message("%ld rows, %ld not carried by lanes\n", counts[0], counts[1]);
  if (counts[0] > 0) assert_true(counts[1] > 0 && counts[1] < counts[0]);
}

static void any_number_of_threads_gives_the_same_bits(void **unused)
{
  (void)unused;
  testing_random random = testing_random_start(87);
  srs_model *model = testing_random_model(&random, 8, NULL, 0, 0.5);
  const srs_sim_options options = free_options(&random);
  trial t = trial_of(&random, sim_of_model(model, &options), MOST_ROWS, 20, 1, 1);
  const size_t n = t.n * t.samples * (1 + t.nq + t.nv);
  double *first = numbers(n);
  (void)run(&t, 1, true, first);
  for (int threads = 2; threads < 5; threads++) {
    (void)run(&t, threads, true, t.out);
    assert_memory_equal(t.out, first, n * sizeof *first);
  }
  free(first);
  dispose(&t);
  srs_model_destroy(model);
}

static void a_row_that_fails_leaves_the_others_in_its_lanes_alone(void **unused)
{
  (void)unused;
  testing_random random = testing_random_start(88);
  const srs_joint_kind hinge = SRS_JOINT_REVOLUTE;
  srs_model *model = testing_random_model(&random, 5, &hinge, 1, 1);
  const srs_sim_options options = free_options(&random);
  trial t = trial_of(&random, sim_of_model(model, &options), 7, 10, 1, 1);
  const size_t n = t.n * t.samples * (1 + t.nq + t.nv);
  double *alone = numbers(n);
  t.torques[(2 * 10 + 4) * t.nv] = NAN;
  t.q[5 * t.nq + 1] = INFINITY;
  (void)run(&t, 1, false, alone);
  assert_int_equal(run(&t, 2, true, t.out), 2);
  for (size_t row = 0; row < t.n; row++)
    assert_int_equal(t.status[row], row == 2 || row == 5 ? SRS_ERROR_NOT_FINITE : SRS_OK);
  const size_t m = t.samples * t.nq, at = t.n * t.samples;
  for (size_t row = 0; row < t.n; row++)
    if (row == 2 || row == 5)
      assert_memory_equal(t.out + at + row * m, alone + at + row * m, m * sizeof *alone);
    else
      testing_assert_close("q", t.out + at + row * m, alone + at + row * m, (int)m, 1e-11);
  free(alone);
  dispose(&t);
  srs_model_destroy(model);
}

static void check_refused(const char *path, void (*change)(srs_sim_options *options), const char *words)
{
  srs_scene *scene = scene_of_file(testing_source(path));
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  if (change != NULL) change(&options);
  srs_sim *sim = sim_of_scene(scene, &options);
  srs_rollout *rollout = NULL;
  srs_error error = {0};
  assert_int_equal(srs_rollout_create(sim, 2, &rollout, NULL), SRS_OK);
  assert_int_equal(srs_rollout_use_lanes(rollout, &error), SRS_ERROR_UNSUPPORTED);
  if (strstr(error.message, words) == NULL) fail_msg("%s", error.message);
  const srs_rollout_job job = srs_default_rollout_job(3, 2);
  assert_int_equal(srs_rollout_run(rollout, &job, NULL), SRS_OK); // alone
  assert_int_equal(srs_rollout_rows_alone(rollout), 0);
  srs_rollout_destroy(rollout);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void take_midpoint(srs_sim_options *options) { options->integrator = SRS_MOREAU_MIDPOINT; }
static void take_euler(srs_sim_options *options) { options->integrator = SRS_SEMI_IMPLICIT_EULER; }

static void what_lanes_cannot_do_is_said_with_its_cure(void **unused)
{
  (void)unused;
  check_refused("samples/pendulum12.yaml", NULL, "switch contact off, or take no lanes");
  check_refused("samples/pendulum12.yaml", take_midpoint, "the integrator is moreau-midpoint: take the former");
  check_refused("samples/four_bar.yaml", take_euler, "the model has loops");
  assert_int_equal(srs_rollout_use_lanes(NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_rollout_rows_alone(NULL), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_that_of_a_row_alone),
      cmocka_unit_test(so_are_a_few),
      cmocka_unit_test(so_are_steps_of_what_turns_fast),
      cmocka_unit_test(limits_are_those_of_rows_alone),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
      cmocka_unit_test(a_row_that_fails_leaves_the_others_in_its_lanes_alone),
      cmocka_unit_test(what_lanes_cannot_do_is_said_with_its_cure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
