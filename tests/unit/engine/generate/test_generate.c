// Code of one model gives what the library gives: it is written, compiled as strict C99 with all warnings as errors,
// loaded, and compared at random states. All kinds of joints, chains and branches, robots of the data folder.
#include "engine/generate/generate.h"
#include "support/testing.h"
#include <sarrus/derivatives.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 8, MOST = 64, ALL = (1 << SRS_GENERATED_FUNCTIONS) - 1 };

static const double standard_gravity[3] = {0, 0, -9.81};

typedef struct generated {
  const srs_model *model;
  srs_workspace *workspace;
  void *library;
  char folder[4200];
  int frames[MOST_FRAMES], n_frames;
  double gravity[3];
  bool gravity_is_input;
} generated;

static void *symbol(const generated *g, const char *name)
{
  void *address = dlsym(g->library, name);
  if (address == NULL) fail_msg("no %s", name);
  return address;
}

static void run_in(const char *folder, const char *command)
{
  static char out[65536], err[65536];
  char line[8192];
  snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
  if (testing_run(line, out, err) != 0) fail_msg("%s: %s%s", command, out, err);
}

// Frames: evenly spread over the model's. The self-test that comes with the code is run on the way. Of the sanitizers
// the code knows nothing: there it is compiled the fast way alone, while the build without them compiles it in every
// way asked.
static generated generate(const srs_model *model, const double gravity[3], bool gravity_is_input, const char *optimise)
{
  static int count;
  char line[1024], path[4400];
  generated g = {.model = model, .gravity_is_input = gravity_is_input};
  memcpy(g.gravity, gravity, sizeof g.gravity);
  const int n = srs_model_n_frames(model), step = n / MOST_FRAMES + 1;
  for (int i = 0; i < n; i += step) g.frames[g.n_frames++] = i;
  srs_generated_cost costs[SRS_GENERATED_FUNCTIONS];
  srs_generate_options options = {.prefix = "m",
                                  .functions = ALL,
                                  .frames = g.frames,
                                  .n_frames = g.n_frames,
                                  .gravity_is_input = gravity_is_input};
  memcpy(options.gravity, gravity, sizeof options.gravity);
  snprintf(g.folder, sizeof g.folder, "%s/g%d", testing_folder(), count++);
#ifdef __SANITIZE_ADDRESS__
  optimise = "-O0 -Dm_NO_CLONES";
#endif
  srs_error error = {0};
  if (srs_generate(model, g.folder, &options, costs, &error) != SRS_OK) fail_msg("%s", error.message);
  snprintf(
      line, sizeof line,
      "cc -std=c99 -Wall -Wextra -pedantic -Werror %s -fPIC -c m_dynamics.c && cc -shared m_dynamics.o -o m.so -lm "
      "&& cc -std=c99 -Wall -Wextra -pedantic -Werror m_dynamics_test.c m_dynamics.o -o self -lm && ./self",
      optimise);
  run_in(g.folder, line);
  snprintf(path, sizeof path, "%s/m.so", g.folder);
  g.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (g.library == NULL) fail_msg("%s", dlerror());
  assert_int_equal(srs_workspace_create(model, &g.workspace, &error), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(g.workspace), SRS_OK);
  assert_int_equal(srs_workspace_set_gravity(g.workspace, gravity), SRS_OK);
  return g;
}

static void finish(generated *g)
{
  dlclose(g->library);
  srs_workspace_destroy(g->workspace);
}

typedef void of_q(const double *, double *);
typedef void of_state(const double *, const double *, const double *, double *);
typedef void of_state_and_gravity(const double *, const double *, const double *, const double *, double *);
typedef void derivatives(const double *, const double *, const double *, double *, double *, double *);
typedef void derivatives_and_gravity(const double *, const double *, const double *, const double *, double *, double *,
                                     double *);

static void call_q(const generated *g, const char *name, const double *q, double *out)
{
  void *address = symbol(g, name);
  of_q *call;
  memcpy(&call, &address, sizeof address);
  call(q, out);
}

static void call_state(const generated *g, const char *name, const double *q, const double *v, const double *a,
                       double *out)
{
  void *address = symbol(g, name);
  of_state *call;
  of_state_and_gravity *with_gravity;
  memcpy(&call, &address, sizeof address);
  memcpy(&with_gravity, &address, sizeof address);
  if (g->gravity_is_input)
    with_gravity(q, v, a, g->gravity, out);
  else
    call(q, v, a, out);
}

static void call_derivatives(const generated *g, const double *q, const double *v, const double *a, double *dq,
                             double *dv, double *da)
{
  void *address = symbol(g, "m_derivatives");
  derivatives *call;
  derivatives_and_gravity *with_gravity;
  memcpy(&call, &address, sizeof address);
  memcpy(&with_gravity, &address, sizeof address);
  if (g->gravity_is_input)
    with_gravity(q, v, a, g->gravity, dq, dv, da);
  else
    call(q, v, a, dq, dv, da);
}

static void check_frames(const generated *g, const double *q)
{
  static double poses[12 * MOST_FRAMES], jacobians[6 * MOST * MOST_FRAMES], jacobian[6 * MOST];
  const int nv = srs_model_nv(g->model);
  call_q(g, "m_fk", q, poses);
  call_q(g, "m_jacobian", q, jacobians);
  assert_int_equal(srs_forward_kinematics(g->workspace, q), SRS_OK);
  for (int i = 0; i < g->n_frames; i++) {
    srs_pose pose;
    assert_int_equal(srs_frame_placement(g->workspace, g->frames[i], &pose), SRS_OK);
    testing_assert_close("position", poses + (size_t)(12 * i), pose.position, 3, 1e-12);
    testing_assert_close("rotation", poses + (size_t)(12 * i) + 3, pose.rotation, 9, 1e-12);
    assert_int_equal(srs_frame_jacobian(g->workspace, g->frames[i], SRS_AXES_WORLD, jacobian), SRS_OK);
    testing_assert_close("jacobian", jacobians + (size_t)(6 * nv * i), jacobian, 6 * nv, 1e-12);
  }
}

// Accelerations are as certain as M is far from singular, so they are put into the equations: M a + c = tau to 1e-12 of
// the largest sum of absolute values.
static void check_forward(const generated *g, const double *q, const double *v, const double *tau)
{
  double a[MOST], back[MOST], zero[MOST] = {0};
  static double mass[MOST * MOST];
  const int nv = srs_model_nv(g->model);
  call_state(g, "m_aba", q, v, tau, a);
  assert_int_equal(srs_inverse_dynamics(g->workspace, q, v, a, NULL, back), SRS_OK);
  assert_int_equal(srs_mass_matrix(g->workspace, q, mass), SRS_OK);
  double scale = 1;
  for (int i = 0; i < nv; i++) {
    double sum = fabs(tau[i]);
    for (int j = 0; j < nv; j++) sum += fabs(mass[i * nv + j] * a[j]);
    scale = fmax(scale, sum);
  }
  for (int i = 0; i < nv; i++) back[i] = (back[i] - tau[i]) / scale;
  testing_assert_close("aba", back, zero, nv, 1e-12);
  assert_int_equal(srs_forward_dynamics(g->workspace, q, v, tau, NULL, back), SRS_OK);
  testing_assert_close("aba beside the library's", a, back, nv, 1e-10);
}

static void check_state(const generated *g, const double *q, const double *v, const double *a)
{
  static double mine[3][MOST * MOST], theirs[3][MOST * MOST];
  const int nv = srs_model_nv(g->model);
  call_state(g, "m_rnea", q, v, a, mine[0]);
  assert_int_equal(srs_inverse_dynamics(g->workspace, q, v, a, NULL, theirs[0]), SRS_OK);
  testing_assert_close("rnea", mine[0], theirs[0], nv, 1e-12);
  check_forward(g, q, v, a);
  call_q(g, "m_crba", q, mine[0]);
  assert_int_equal(srs_mass_matrix(g->workspace, q, theirs[0]), SRS_OK);
  testing_assert_close("crba", mine[0], theirs[0], nv * nv, 1e-12);
  check_frames(g, q);
  call_derivatives(g, q, v, a, mine[0], mine[1], mine[2]);
  assert_int_equal(srs_inverse_dynamics_derivatives(g->workspace, q, v, a, NULL, theirs[0], theirs[1], theirs[2]),
                   SRS_OK);
  static const char *const names[3] = {"dtau/dq", "dtau/dv", "dtau/da"};
  for (int i = 0; i < 3; i++) testing_assert_close(names[i], mine[i], theirs[i], nv * nv, 1e-12);
}

static void check_model(const srs_model *model, testing_random *random, const double gravity[3], bool gravity_is_input,
                        const char *optimise)
{
  double q[MOST], v[MOST], a[MOST];
  assert_true(srs_model_nv(model) < MOST && srs_model_nq(model) < MOST);
  generated g = generate(model, gravity, gravity_is_input, optimise);
  for (int i = 0; i < 20; i++) {
    testing_random_q(random, model, q);
    testing_random_v(random, model, 1 + i, v);
    testing_random_v(random, model, 5, a);
    check_state(&g, q, v, a);
  }
  finish(&g);
}

static void check_robot(const char *file, srs_base_kind base, const char *optimise)
{
  testing_random random = testing_random_start(22);
  srs_load_options options = srs_default_load_options();
  srs_model *model = NULL;
  srs_error error = {0};
  options.base = base;
  options.allow_missing_meshes = true;
  if (srs_model_load(testing_data(file), &options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  check_model(model, &random, standard_gravity, false, optimise);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------

// One tree of each kind of joint alone, where a mistake of its own shows.
static void each_kind_of_joint(void **state)
{
  (void)state;
  testing_random random = testing_random_start(7);
  for (int kind = 1; kind < SRS_JOINT_KINDS; kind++) {
    const srs_joint_kind kinds[1] = {(srs_joint_kind)kind};
    srs_model *model = testing_random_model(&random, 3, kinds, 1, 0.5);
    check_model(model, &random, standard_gravity, false, "-O0 -Dm_NO_CLONES");
    srs_model_destroy(model);
  }
}

static void random_trees(void **state)
{
  (void)state;
  testing_random random = testing_random_start(8);
  const int n_trees = getenv("SARRUS_LONG") != NULL ? 40 : 3;
  for (int i = 0; i < n_trees; i++) {
    const double gravity[3] = {testing_uniform(&random, -9, 9), testing_uniform(&random, -9, 9), -3};
    srs_model *model = testing_random_model(&random, 1 + testing_below(&random, 7), NULL, 0, 0.5 * (i % 3));
    check_model(model, &random, gravity, i % 2 == 1, "-O0 -Dm_NO_CLONES");
    srs_model_destroy(model);
  }
}

// Turns in a row about parallel axes, some of them the other way round, are one turn by a sum of angles where that
// takes less: an arm of which all axes but the first are parallel.
static void parallel_axes(void **state)
{
  (void)state;
  static const double axes[6][3] = {{0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static const char *const names[6] = {"a", "b", "c", "d", "e", "f"};
  testing_random random = testing_random_start(11);
  srs_builder *builder = srs_builder_create();
  srs_error error = {0};
  for (int i = 0; i < 6; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = names[i], link.mass = testing_uniform(&random, 1, 3);
    for (int j = 0; j < 3; j++) link.com[j] = testing_uniform(&random, -0.5, 0.5), link.inertia[j] = 0.1 * link.mass;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = names[i], joint.child = names[i], joint.parent = i == 0 ? NULL : names[i - 1];
    memcpy(joint.axis, axes[i], sizeof joint.axis);
    joint.origin.position[1] = 0.3, joint.origin.position[2] = i == 3 ? 0.2 : 0;
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  }
  srs_model *model = testing_build(builder);
  check_model(model, &random, standard_gravity, false, "-O2");
  srs_model_destroy(model);
}

// Fixed joints that stay joints carry no coordinates, but links.
static void fixed_joints_that_are_kept(void **state)
{
  (void)state;
  testing_random random = testing_random_start(9);
  const srs_joint_kind kinds[3] = {SRS_JOINT_FIXED, SRS_JOINT_REVOLUTE, SRS_JOINT_SPHERICAL};
  srs_build_options options = srs_default_build_options();
  options.keep_fixed_joints = true;
  srs_model *model = NULL;
  srs_error error = {0};
  srs_builder *builder = testing_random_builder(&random, 7, kinds, 3, 0.7);
  if (srs_builder_build(builder, &options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  check_model(model, &random, standard_gravity, false, "-O0 -Dm_NO_CLONES");
  srs_model_destroy(model);
}

static void robots(void **state)
{
  (void)state;
  check_robot("robots/double_pendulum.urdf", SRS_BASE_FIXED, "-O2 -Dm_NO_CLONES");
  check_robot("robots/ur5.urdf", SRS_BASE_FIXED, "-O2");
  check_robot("robots/panda.urdf", SRS_BASE_FIXED, "-O1");
  if (getenv("SARRUS_LONG") == NULL) return;
  check_robot("robots/panda.urdf", SRS_BASE_FLOATING, "-O3");
  check_robot("robots/chain12.urdf", SRS_BASE_FIXED, "-O3 -march=native");
  check_robot("robots/more/a1.urdf", SRS_BASE_FLOATING, "-O2");
  check_robot("robots/more/kinova.urdf", SRS_BASE_FIXED, "-O2");
}

static void a_floating_quadruped(void **state)
{
  (void)state;
  check_robot("robots/anymal.urdf", SRS_BASE_FLOATING, "-O0 -Dm_NO_CLONES");
}

// Angles beyond what the polynomials reach, and no numbers, go through the C library.
static void far_angles(void **state)
{
  (void)state;
  testing_random random = testing_random_start(10);
  const srs_joint_kind kinds[1] = {SRS_JOINT_REVOLUTE};
  srs_model *model = testing_random_model(&random, 4, kinds, 1, 1);
  generated g = generate(model, standard_gravity, false, "-O2");
  double v[4] = {1, -2, 3, -4}, a[4] = {0.5, 0.5, 0.5, 0.5}, tau[4];
  const double far[3][4] = {{1e7, -1e9, 0, 1}, {9.9e5, -9.9e5, 1.5707963267948966, 3}, {1e15, 1e-300, 2, -1e6}};
  for (int i = 0; i < 3; i++) check_state(&g, far[i], v, a);
  const double none[4] = {0, NAN, 0, 0};
  call_state(&g, "m_rnea", none, v, a, tau);
  assert_true(isnan(tau[0]));
  finish(&g);
  srs_model_destroy(model);
}

// A joint's force does not depend on how the same motion is written in frames: the operations are those of the
// mechanism. For a pendulum about one axis they can be counted by hand: tau = I a + m g l sin q, M = I.
static void a_pendulum_takes_what_it_must(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "bob", link.mass = 2, link.com[2] = -0.5;
  link.inertia[0] = 0.1, link.inertia[1] = 0.1, link.inertia[2] = 0.02;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "h", joint.child = "bob", joint.axis[0] = 1, joint.axis[1] = joint.axis[2] = 0;
  srs_error error = {0};
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  srs_model *model = testing_build(builder);
  srs_generated_cost costs[SRS_GENERATED_FUNCTIONS];
  char folder[4200];
  snprintf(folder, sizeof folder, "%s/bob", testing_folder());
  const srs_generate_options options = {.prefix = "bob", .functions = ALL, .gravity = {0, 0, -9.81}};
  assert_int_equal(srs_generate(model, folder, &options, costs, &error), SRS_OK);
  const srs_generated_cost *rnea = &costs[SRS_GENERATED_RNEA], *crba = &costs[SRS_GENERATED_CRBA];
  assert_int_equal(rnea->additions, 1);
  assert_true(rnea->multiplications <= 3);
  assert_int_equal(rnea->sines, 1);
  assert_int_equal(crba->additions + crba->multiplications + crba->sines, 0);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_takes_what_it_must),
      cmocka_unit_test(each_kind_of_joint),
      cmocka_unit_test(random_trees),
      cmocka_unit_test(parallel_axes),
      cmocka_unit_test(fixed_joints_that_are_kept),
      cmocka_unit_test(far_angles),
      cmocka_unit_test(robots),
      cmocka_unit_test(a_floating_quadruped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
