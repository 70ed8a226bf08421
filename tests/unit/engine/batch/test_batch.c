// Does a batch of states give what each state alone gives? Random trees with every joint kind, and the robots of the
// data folder, fixed and floating; ragged numbers of states; in four lanes, and in as many as the processor has.
//
// 1e-13 of the largest entry, as batch.h has it; accelerations 1e-11, since a chain of random links has a mass matrix
// of condition 1e4 and more, which both recursions' roundings are multiplied by.

#include "engine/batch/kernels.h"
#include "unit/engine/robot_files.h"

#include <math.h>
#include <sarrus/batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 19, WIDTHS = 2 };

typedef struct fixture {
  srs_model *model;
  srs_workspace *w;
  srs_batch *batches[WIDTHS];
  srs_batch *batch; // the widest
  int n, nq, nv;
  double *q, *v, *a, *tau; // n states each
  double *ours, *theirs;
} fixture;

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static void create_batches(fixture *f)
{
  assert_int_equal(srs_batch_create_of(f->model, &srs_batch_four, &f->batches[0], NULL), SRS_OK);
  assert_int_equal(srs_batch_width(f->batches[0]), 4);
  assert_int_equal(srs_batch_create(f->model, &f->batches[1], NULL), SRS_OK);
  f->batch = f->batches[1];
}

static fixture start_model(testing_random *random, srs_model *model, int n)
{
  fixture f = {.n = n, .model = model};
  assert_int_equal(srs_workspace_create(f.model, &f.w, NULL), SRS_OK);
  create_batches(&f);
  f.nq = srs_model_nq(f.model), f.nv = srs_model_nv(f.model);
  const size_t states = (size_t)n, nq = (size_t)f.nq, nv = (size_t)f.nv;
  f.q = numbers(states * nq), f.v = numbers(states * nv), f.a = numbers(states * nv), f.tau = numbers(states * nv);
  f.ours = numbers(states * nv * nv), f.theirs = numbers(states * nv * nv);
  for (size_t k = 0; k < states; k++) {
    testing_random_q(random, f.model, f.q + k * nq);
    testing_random_v(random, f.model, 1, f.v + k * nv);
    testing_random_v(random, f.model, 1, f.a + k * nv);
    testing_random_v(random, f.model, 1, f.tau + k * nv);
  }
  return f;
}

static fixture start(testing_random *random, int n_links, double depth_bias, int n)
{
  return start_model(random, testing_random_model(random, n_links, NULL, 0, depth_bias), n);
}

static void finish(fixture *f)
{
  free(f->q), free(f->v), free(f->a), free(f->tau), free(f->ours), free(f->theirs);
  for (int i = 0; i < WIDTHS; i++) srs_batch_destroy(f->batches[i]);
  srs_workspace_destroy(f->w);
  srs_model_destroy(f->model);
}

static const int sizes[] = {1, 2, 3, 5, 8, 20, 60};
enum { SIZES = sizeof sizes / sizeof sizes[0], ROUNDS = 9 };

typedef void claim(fixture *f, testing_random *random);

static void in_each_width(fixture *f, testing_random *random, claim *holds)
{
  for (int i = 0; i < WIDTHS; i++) {
    f->batch = f->batches[i];
    holds(f, random);
  }
}

static void on_random_trees(int seed, claim *holds)
{
  testing_random random = testing_random_start((unsigned)seed);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < ROUNDS; round++) {
      fixture f = start(&random, sizes[s], 0.5 * (round % 3), 1 + testing_below(&random, MOST_STATES));
      in_each_width(&f, &random, holds);
      finish(&f);
    }
}

static void on_robot(testing_random *random, srs_model *model, void *context)
{
  fixture f = start_model(random, model, 1 + testing_below(random, MOST_STATES));
  in_each_width(&f, random, *(claim **)context);
  finish(&f);
}

static void on_robots(unsigned seed, claim *holds)
{
  testing_random random = testing_random_start(seed);
  robot_files_visit(&random, on_robot, (void *)&holds);
}

static void inverse_dynamics_of(fixture *f, testing_random *random)
{
  const bool is_bias = testing_below(random, 2);
  const size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
  for (size_t k = 0; k < (size_t)f->n; k++)
    assert_int_equal(
        is_bias ? srs_bias(f->w, f->q + k * nq, f->v + k * nv, f->theirs + k * nv)
                : srs_inverse_dynamics(f->w, f->q + k * nq, f->v + k * nv, f->a + k * nv, NULL, f->theirs + k * nv),
        SRS_OK);
  assert_int_equal(srs_batch_inverse_dynamics(f->batch, f->n, f->q, f->v, is_bias ? NULL : f->a, f->ours), SRS_OK);
  testing_assert_close("tau", f->ours, f->theirs, f->n * f->nv, 1e-13);
}

static void inverse_dynamics_is_that_of_each_state(void **state)
{
  (void)state;
  on_random_trees(61, inverse_dynamics_of);
  on_robots(161, inverse_dynamics_of);
}

static void forward_dynamics_of(fixture *f, testing_random *random)
{
  (void)random;
  const size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
  if (robot_lacks_inertia(f->model)) { // at no state is there an answer, however D rounds
    for (size_t k = 0; k < (size_t)f->n; k++)
      assert_int_equal(
          srs_forward_dynamics(f->w, f->q + k * nq, f->v + k * nv, f->tau + k * nv, NULL, f->theirs + k * nv),
          SRS_ERROR_SINGULAR);
    assert_int_equal(srs_batch_forward_dynamics(f->batch, f->n, f->q, f->v, f->tau, f->ours), SRS_ERROR_SINGULAR);
    return;
  }
  for (size_t k = 0; k < (size_t)f->n; k++)
    assert_int_equal(
        srs_forward_dynamics(f->w, f->q + k * nq, f->v + k * nv, f->tau + k * nv, NULL, f->theirs + k * nv), SRS_OK);
  assert_int_equal(srs_batch_forward_dynamics(f->batch, f->n, f->q, f->v, f->tau, f->ours), SRS_OK);
  testing_assert_close("a", f->ours, f->theirs, f->n * f->nv, 1e-11);
}

static void forward_dynamics_is_that_of_each_state(void **state)
{
  (void)state;
  on_random_trees(62, forward_dynamics_of);
  on_robots(162, forward_dynamics_of);
}

static void mass_matrix_of(fixture *f, testing_random *random)
{
  (void)random;
  const size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
  for (size_t k = 0; k < (size_t)f->n; k++)
    assert_int_equal(srs_mass_matrix(f->w, f->q + k * nq, f->theirs + k * nv * nv), SRS_OK);
  assert_int_equal(srs_batch_mass_matrix(f->batch, f->n, f->q, f->ours), SRS_OK);
  testing_assert_close("M", f->ours, f->theirs, f->n * f->nv * f->nv, 1e-13);
}

static void mass_matrix_is_that_of_each_state(void **state)
{
  (void)state;
  on_random_trees(63, mass_matrix_of);
  on_robots(163, mass_matrix_of);
}

static void frames_of(fixture *f, testing_random *random)
{
  enum { FRAMES = 3 };
  int frames[FRAMES];
  double positions[MOST_STATES * FRAMES * 3], rotations[MOST_STATES * FRAMES * 9];
  for (int i = 0; i < FRAMES; i++) frames[i] = testing_below(random, srs_model_n_frames(f->model));
  assert_int_equal(srs_batch_forward_kinematics(f->batch, f->n, f->q, frames, FRAMES, positions, rotations), SRS_OK);
  for (int k = 0; k < f->n; k++) {
    assert_int_equal(srs_forward_kinematics(f->w, f->q + (size_t)k * (size_t)f->nq), SRS_OK);
    for (int i = 0; i < FRAMES; i++) {
      srs_pose pose;
      assert_int_equal(srs_frame_placement(f->w, frames[i], &pose), SRS_OK);
      testing_assert_close("position", positions + (ptrdiff_t)(k * FRAMES + i) * 3, pose.position, 3, 1e-13);
      testing_assert_close("rotation", rotations + (ptrdiff_t)(k * FRAMES + i) * 9, pose.rotation, 9, 1e-13);
    }
  }
}

static void frames_are_where_each_state_has_them(void **state)
{
  (void)state;
  on_random_trees(64, frames_of);
  on_robots(164, frames_of);
}

// Robots as they are drawn: axes along x, y and z, turned by right angles but for one in eight, many arms with zeros;
// mostly chains, so that hinges follow each other.
static srs_model *right_angled(testing_random *random, int n_links)
{
  static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1", "0 0 -1"};
  enum { SIZE = 1 << 16 };
  char *text = calloc(SIZE, 1);
  assert_non_null(text);
  int used = snprintf(text, SIZE,
                      "<robot name='r'><link name='l0'><inertial><mass value='3'/><inertia ixx='0.1' iyy='0.2' "
                      "izz='0.25' ixy='0' ixz='0' iyz='0'/></inertial></link>");
  for (int k = 1; k <= n_links; k++) {
    const int parent = testing_below(random, 4) > 0 ? k - 1 : testing_below(random, k), kind = testing_below(random, 8);
    double r[3], rpy[3];
    for (int i = 0; i < 3; i++) {
      r[i] = testing_below(random, 2) * testing_uniform(random, -0.5, 0.5);
      rpy[i] = (testing_below(random, 4) - 1) * M_PI / 2 + (testing_below(random, 8) == 0 ? 0.07 : 0);
    }
    used +=
        snprintf(text + used, (size_t)(SIZE - used),
                 "<link name='l%d'><inertial><origin xyz='%.17g %.17g %.17g' rpy='0.3 0.2 %.17g'/><mass value='%.17g'/>"
                 "<inertia ixx='0.1' iyy='0.12' izz='0.13' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                 "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/><axis xyz='%s'/>"
                 "<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>"
                 "<limit lower='-9' upper='9' effort='9' velocity='9'/></joint>",
                 k, testing_uniform(random, -0.2, 0.2), testing_uniform(random, -0.2, 0.2),
                 testing_uniform(random, -0.2, 0.2), testing_uniform(random, -3, 3), testing_uniform(random, 0.5, 2), k,
                 kind == 0            ? "prismatic"
                 : kind == 1 && k > 1 ? "fixed"
                                      : "revolute",
                 parent, k, axes[testing_below(random, 4)], r[0], r[1], r[2], rpy[0], rpy[1], rpy[2]);
  }
  snprintf(text + used, (size_t)(SIZE - used), "</robot>");
  srs_load_options options = srs_default_load_options();
  options.base = testing_below(random, 2) ? SRS_BASE_FIXED : SRS_BASE_FLOATING;
  srs_model *model = NULL;
  srs_error error = {0};
  if (srs_model_load(testing_write("right_angled.urdf", text), &options, &model, &error) != SRS_OK)
    fail_msg("%s", error.message);
  free(text);
  return model;
}

static void right_angles_change_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(71);
  for (int round = 0; round < 40; round++) {
    fixture f = start_model(&random, right_angled(&random, 1 + testing_below(&random, 30)),
                            1 + testing_below(&random, MOST_STATES));
    in_each_width(&f, &random, inverse_dynamics_of);
    in_each_width(&f, &random, forward_dynamics_of);
    in_each_width(&f, &random, mass_matrix_of);
    in_each_width(&f, &random, frames_of);
    finish(&f);
  }
}

// Mass matrices of chains too long for columns to climb, and short enough to stand whole in lanes.
static void long_chains_have_their_mass_matrices(void **state)
{
  (void)state;
  static const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC, SRS_JOINT_UNIVERSAL};
  testing_random random = testing_random_start(72);
  for (int round = 0; round < 4; round++) {
    srs_model *model = testing_random_model(&random, 32 + 4 * round, kinds, 1 + round % 3, 1);
    fixture f = start_model(&random, model, 1 + testing_below(&random, MOST_STATES));
    in_each_width(&f, &random, mass_matrix_of);
    finish(&f);
  }
}

static void step_of(fixture *f, testing_random *random)
{
  (void)random;
  const double h = 1e-3;
  const size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
  double *q = numbers((size_t)f->n * nq), *v = numbers((size_t)f->n * nv);
  srs_sim_options options = srs_default_sim_options();
  options.dt = h;
  options.velocity_terms = SRS_VELOCITY_TERMS_START;
  options.keep_momentum = false;
  options.joint.limits = options.joint.actuator_limits = options.joint.friction = false;
  srs_sim *sim = NULL;
  assert_int_equal(srs_sim_create(f->model, &options, &sim, NULL), SRS_OK);
  for (size_t k = 0; k < (size_t)f->n; k++) {
    srs_error error;
    assert_int_equal(srs_sim_set_state(sim, 0, f->q + k * nq, f->v + k * nv, &error), SRS_OK);
    assert_int_equal(srs_sim_set_torque(sim, f->tau + k * nv, &error), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
    memcpy(q + k * nq, srs_sim_q(sim), nq * sizeof *q);
    memcpy(v + k * nv, srs_sim_v(sim), nv * sizeof *v);
  }
  assert_int_equal(srs_batch_step(f->batch, f->n, h, f->q, f->v, f->tau), SRS_OK);
  testing_assert_close("v", f->v, v, f->n * f->nv, 1e-12);
  testing_assert_close("q", f->q, q, f->n * f->nq, 1e-13);
  srs_sim_destroy(sim);
  free(q), free(v);
}

static void steps_are_those_of_a_simulation(void **state)
{
  (void)state;
  on_random_trees(65, step_of);
}

static void no_neighbour_is_seen(fixture *f, testing_random *random)
{
  (void)random;
  const size_t nq = (size_t)f->nq, nv = (size_t)f->nv;
  assert_int_equal(srs_batch_forward_dynamics(f->batch, f->n, f->q, f->v, f->tau, f->ours), SRS_OK);
  for (size_t k = 0; k < (size_t)f->n; k++)
    assert_int_equal(
        srs_batch_forward_dynamics(f->batch, 1, f->q + k * nq, f->v + k * nv, f->tau + k * nv, f->theirs + k * nv),
        SRS_OK);
  assert_memory_equal(f->ours, f->theirs, (size_t)f->n * nv * sizeof *f->ours);
}

static void a_state_does_not_see_its_neighbours(void **state)
{
  (void)state;
  testing_random random = testing_random_start(66);
  fixture f = start(&random, 12, 0.5, 11);
  in_each_width(&f, &random, no_neighbour_is_seen);
  finish(&f);
}

static fixture start_arm(testing_random *random)
{
  const srs_joint_kind hinge = SRS_JOINT_REVOLUTE;
  fixture f = {.n = 1, .nq = 3, .nv = 3};
  f.model = testing_random_model(random, 3, &hinge, 1, 1);
  assert_int_equal(srs_workspace_create(f.model, &f.w, NULL), SRS_OK);
  create_batches(&f);
  return f;
}

static void angles_far_out_are_those_of_the_c_library(void **state)
{
  (void)state;
  testing_random random = testing_random_start(67);
  const srs_joint_kind hinge = SRS_JOINT_REVOLUTE;
  fixture f = start_model(&random, testing_random_model(&random, 3, &hinge, 1, 1), MOST_STATES);
  for (int i = 0; i < f.n * f.nq; i++)
    if (testing_below(&random, 12) == 0) f.q[i] = testing_uniform(&random, -1e9, 1e9);
  f.q[0] = 1e9; // before there is anything ahead
  in_each_width(&f, &random, inverse_dynamics_of);
  in_each_width(&f, &random, mass_matrix_of);
  in_each_width(&f, &random, frames_of);
  finish(&f);
}

static void overflow_is_told(void **state)
{
  (void)state;
  testing_random random = testing_random_start(69);
  fixture f = start_arm(&random);
  const double q[3] = {0.1, 0.5, -1}, v[3] = {1e200, 1e200, 1e200};
  double tau[3];
  assert_int_equal(srs_batch_inverse_dynamics(f.batch, 1, q, v, NULL, tau), SRS_ERROR_DIVERGED);
  assert_non_null(strstr(srs_batch_error(f.batch)->message, "the force of state 0"));
  finish(&f);
}

// Hinges about x, y and z with nothing between them: at a pitch of 90 degrees the first and the last have one axis.
// That of one state among several is enough, also when its D is rounding.
static void axes_that_coincide_are_told(void **state)
{
  (void)state;
  static const char gimbal[] =
      "<robot name='g'><link name='w'/><link name='a'/><link name='b'/><link name='c'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1.2' izz='1.3' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='x' type='continuous'><parent link='w'/><child link='a'/><axis xyz='1 0 0'/></joint>"
      "<joint name='y' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/></joint>"
      "<joint name='z' type='continuous'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/></joint></robot>";
  srs_load_options options = srs_default_load_options();
  srs_model *model;
  options.base = SRS_BASE_FIXED;
  assert_int_equal(srs_model_load(testing_write("gimbal.urdf", gimbal), &options, &model, NULL), SRS_OK);
  testing_random random = testing_random_start(70);
  fixture f = start_model(&random, model, 6);
  for (int k = 0; k < f.n; k++) f.q[3 * k + 1] = testing_uniform(&random, -1, 1);
  assert_int_equal(srs_batch_forward_dynamics(f.batch, f.n, f.q, f.v, f.tau, f.ours), SRS_OK);
  for (int k = 0; k < f.n; k++) {
    f.q[3 * k + 1] = M_PI / 2;
    assert_int_equal(srs_forward_dynamics(f.w, f.q + (ptrdiff_t)3 * k, f.v, f.tau, NULL, f.theirs), SRS_ERROR_SINGULAR);
    assert_int_equal(srs_batch_forward_dynamics(f.batch, f.n, f.q, f.v, f.tau, f.ours), SRS_ERROR_SINGULAR);
    f.q[3 * k + 1] = 0.5;
  }
  finish(&f);
}

static void misuse_is_told(void **state)
{
  (void)state;
  testing_random random = testing_random_start(68);
  fixture f = start(&random, 4, 0.5, 6);
  srs_batch *none = f.batch;
  assert_int_equal(srs_batch_create(NULL, &none, NULL), SRS_ERROR_ARGUMENT);
  assert_null(none);
  assert_int_equal(srs_batch_inverse_dynamics(f.batch, -1, f.q, f.v, f.a, f.ours), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_batch_inverse_dynamics(f.batch, 6, f.q, NULL, f.a, f.ours), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_batch_step(f.batch, 6, -1, f.q, f.v, NULL), SRS_ERROR_ARGUMENT);
  f.v[(ptrdiff_t)5 * f.nv] = NAN;
  assert_int_equal(srs_batch_inverse_dynamics(f.batch, 6, f.q, f.v, f.a, f.ours), SRS_ERROR_NOT_FINITE);
  assert_string_equal(srs_batch_error(f.batch)->message, "v of state 5 is not finite at entry 0");
  finish(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_dynamics_is_that_of_each_state),
      cmocka_unit_test(forward_dynamics_is_that_of_each_state),
      cmocka_unit_test(mass_matrix_is_that_of_each_state),
      cmocka_unit_test(frames_are_where_each_state_has_them),
      cmocka_unit_test(right_angles_change_nothing),
      cmocka_unit_test(long_chains_have_their_mass_matrices),
      cmocka_unit_test(steps_are_those_of_a_simulation),
      cmocka_unit_test(a_state_does_not_see_its_neighbours),
      cmocka_unit_test(angles_far_out_are_those_of_the_c_library),
      cmocka_unit_test(overflow_is_told),
      cmocka_unit_test(axes_that_coincide_are_told),
      cmocka_unit_test(misuse_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
