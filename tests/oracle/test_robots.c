// Do our quantities equal those of another engine? Pinocchio's figures for robots (data/robots/README.md), ten states
// each.
//
// There a floating base has q = [x y z, qx qy qz qw] and v = [linear; angular] in the body's axes. With T = diag(R, 1):
// v_ours = T v, M_theirs = T^T M T, tau_theirs = T^T tau, a_ours = T a + [R (w x v_lin); 0].
// Tolerances: 1e-11 of the largest entry, forward dynamics 1e-9.

#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_V = 64, MAX_ROWS = 12 };

typedef struct oracle {
  testing_json *json;
  srs_model *model;
  srs_workspace *workspace;
  bool floating;
  int nv;
  int q_of[MAX_V + 1], v_of[MAX_V]; // theirs -> ours
  char path[64];                    // "/states/3"
  double q[MAX_V + 1], v[MAX_V], to_ours[3][3], drift[MAX_V];
} oracle;

static const char *entry(const oracle *o, const char *name)
{
  static char path[160];
  snprintf(path, sizeof path, "%s/%s", o->path, name);
  return path;
}

static void open_oracle(oracle *o, const char *robot)
{
  char file[128];
  memset(o, 0, sizeof *o);
  snprintf(file, sizeof file, "robots/%s.json", robot);
  o->json = testing_json_load(testing_data(file));
  snprintf(file, sizeof file, "robots/%s.urdf", robot);
  o->floating = strcmp(testing_json_text(o->json, "/floating_base"), "true") == 0;
  srs_load_options options = srs_default_load_options();
  options.base = o->floating ? SRS_BASE_FLOATING : SRS_BASE_FIXED;
  srs_error error;
  if (srs_model_load(testing_data(file), &options, &o->model, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_workspace_create(o->model, &o->workspace, &error), SRS_OK);
  o->nv = (int)testing_json_number(o->json, "/nv");
  assert_int_equal(srs_model_nv(o->model), o->nv);
  assert_in_range(o->nv, 1, MAX_V);
  const int joints = testing_json_count(o->json, "/joints");
  for (int i = 0; i < joints; i++) {
    char path[64];
    snprintf(path, sizeof path, "/joints/%d/name", i);
    const char *name = testing_json_text(o->json, path);
    const srs_joint *joint =
        srs_model_joint(o->model, srs_model_find_joint(o->model, strcmp(name, "root_joint") == 0 ? "root" : name));
    assert_non_null(joint);
    snprintf(path, sizeof path, "/joints/%d/idx_q", i);
    const int q = (int)testing_json_number(o->json, path);
    snprintf(path, sizeof path, "/joints/%d/idx_v", i);
    const int v = (int)testing_json_number(o->json, path);
    for (int j = 0; j < joint->nq; j++) o->q_of[q + j] = joint->q_index + j;
    for (int j = 0; j < joint->nv; j++) o->v_of[v + j] = joint->v_index + j;
    if (joint->kind != SRS_JOINT_FREE) continue;
    const int order[4] = {4, 5, 6, 3}; // x y z w -> places in w x y z
    for (int j = 0; j < 4; j++) o->q_of[q + 3 + j] = joint->q_index + order[j];
  }
}

static void close_oracle(oracle *o)
{
  srs_workspace_destroy(o->workspace);
  srs_model_destroy(o->model);
  testing_json_free(o->json);
}

// Their vector over v into our order; the base's linear part turned into world axes.
static void to_ours(const oracle *o, const double *theirs, double *ours)
{
  double turned[3] = {theirs[0], theirs[1], theirs[2]};
  for (int i = 0; o->floating && i < 3; i++)
    turned[i] = o->to_ours[i][0] * theirs[0] + o->to_ours[i][1] * theirs[1] + o->to_ours[i][2] * theirs[2];
  for (int i = 0; i < o->nv; i++) ours[o->v_of[i]] = i < 3 ? turned[i] : theirs[i];
}

// A row over our v into their order and axes: x^T T.
static void to_theirs(const oracle *o, const double *ours, double *theirs)
{
  for (int i = 0; i < o->nv; i++) theirs[i] = ours[o->v_of[i]];
  if (!o->floating) return;
  const double x[3] = {theirs[0], theirs[1], theirs[2]};
  for (int i = 0; i < 3; i++) theirs[i] = o->to_ours[0][i] * x[0] + o->to_ours[1][i] * x[1] + o->to_ours[2][i] * x[2];
}

static void read_state(oracle *o, int state)
{
  double theirs[MAX_V + 1];
  const int nq = srs_model_nq(o->model);
  snprintf(o->path, sizeof o->path, "/states/%d", state);
  testing_json_numbers(o->json, entry(o, "q"), theirs, nq);
  for (int i = 0; i < nq; i++) o->q[o->q_of[i]] = theirs[i];
  if (o->floating) {
    double rotation[9];
    srs_rotation_from_quaternion(o->q + o->q_of[6], rotation);
    for (int i = 0; i < 9; i++) o->to_ours[i / 3][i % 3] = rotation[i];
  }
  testing_json_numbers(o->json, entry(o, "v"), theirs, o->nv);
  to_ours(o, theirs, o->v);
  memset(o->drift, 0, sizeof o->drift);
  if (!o->floating) return;
  const double *u = theirs, *w = theirs + 3;
  double cross[MAX_V] = {w[1] * u[2] - w[2] * u[1], w[2] * u[0] - w[0] * u[2], w[0] * u[1] - w[1] * u[0]};
  to_ours(o, cross, o->drift);
}

static void check_matrix_and_bias(oracle *o)
{
  const int nv = o->nv;
  double M[MAX_V * MAX_V], half[MAX_V * MAX_V], theirs[MAX_V * MAX_V], expected[MAX_V * MAX_V];
  assert_int_equal(srs_mass_matrix(o->workspace, o->q, M), SRS_OK);
  for (int i = 0; i < nv; i++) to_theirs(o, M + (ptrdiff_t)i * nv, half + (ptrdiff_t)i * nv);
  for (int j = 0; j < nv; j++) {
    double column[MAX_V], turned[MAX_V];
    for (int i = 0; i < nv; i++) column[i] = half[i * nv + j];
    to_theirs(o, column, turned);
    for (int i = 0; i < nv; i++) theirs[i * nv + j] = turned[i];
  }
  testing_json_numbers(o->json, entry(o, "M"), expected, nv * nv);
  testing_assert_close("M", theirs, expected, nv * nv, 1e-11);

  double bias[MAX_V], out[MAX_V];
  assert_int_equal(srs_inverse_dynamics(o->workspace, o->q, o->v, o->drift, NULL, bias), SRS_OK); // c + M T' v
  to_theirs(o, bias, out);
  testing_json_numbers(o->json, entry(o, "nle"), expected, nv);
  testing_assert_close("bias", out, expected, nv, 1e-11);
  const double rest[MAX_V] = {0};
  assert_int_equal(srs_bias(o->workspace, o->q, rest, bias), SRS_OK);
  to_theirs(o, bias, out);
  testing_json_numbers(o->json, entry(o, "g"), expected, nv);
  testing_assert_close("gravity", out, expected, nv, 1e-11);
}

static void check_dynamics(oracle *o)
{
  const int nv = o->nv;
  double theirs[MAX_V], a[MAX_V], tau[MAX_V], expected[MAX_V], out[MAX_V];
  testing_json_numbers(o->json, entry(o, "a"), theirs, nv);
  to_ours(o, theirs, a);
  for (int i = 0; i < nv; i++) a[i] += o->drift[i];
  assert_int_equal(srs_inverse_dynamics(o->workspace, o->q, o->v, a, NULL, tau), SRS_OK);
  to_theirs(o, tau, out);
  testing_json_numbers(o->json, entry(o, "rnea_tau"), expected, nv);
  testing_assert_close("inverse dynamics", out, expected, nv, 1e-11);

  testing_json_numbers(o->json, entry(o, "tau"), theirs, nv);
  to_ours(o, theirs, tau); // T^-T = T for a rotation
  assert_int_equal(srs_forward_dynamics(o->workspace, o->q, o->v, tau, NULL, a), SRS_OK);
  for (int i = 0; i < nv; i++) a[i] -= o->drift[i];
  to_theirs(o, a, out);
  testing_json_numbers(o->json, entry(o, "aba_qdd"), expected, nv);
  testing_assert_close("forward dynamics", out, expected, nv, 1e-9);
}

static void check_sums(oracle *o)
{
  srs_center_of_mass com;
  srs_energies energy;
  double expected[3];
  assert_int_equal(srs_com(o->workspace, o->q, o->v, &com), SRS_OK);
  const double mass = testing_json_number(o->json, "/moving_mass");
  testing_assert_close("mass", &com.mass, &mass, 1, 1e-13);
  testing_json_numbers(o->json, entry(o, "com"), expected, 3);
  testing_assert_close("com", com.position, expected, 3, 1e-11);
  testing_json_numbers(o->json, entry(o, "vcom"), expected, 3);
  testing_assert_close("com velocity", com.velocity, expected, 3, 1e-11);
  assert_int_equal(srs_energy(o->workspace, o->q, o->v, &energy), SRS_OK);
  expected[0] = testing_json_number(o->json, entry(o, "kinetic"));
  expected[1] = testing_json_number(o->json, entry(o, "potential"));
  testing_assert_close("kinetic energy", &energy.kinetic, expected, 1, 1e-11);
  testing_assert_close("potential energy", &energy.potential, expected + 1, 1, 1e-11);
}

static void swap_halves(double *rows, int n)
{
  for (int i = 0; i < 3 * n; i++) {
    const double x = rows[i];
    rows[i] = rows[3 * n + i];
    rows[3 * n + i] = x;
  }
}

static void check_frame(oracle *o)
{
  const int nv = o->nv, frame = srs_model_find_frame(o->model, testing_json_text(o->json, "/ee_frame"));
  double J[6 * MAX_V], theirs[6 * MAX_V], expected[6 * MAX_V], acceleration[6];
  srs_pose pose;
  assert_int_equal(srs_forward_acceleration(o->workspace, o->q, o->v, o->drift), SRS_OK);
  assert_int_equal(srs_frame_placement(o->workspace, frame, &pose), SRS_OK);
  testing_json_numbers(o->json, entry(o, "ee_pos"), expected, 3);
  testing_assert_close("position", pose.position, expected, 3, 1e-11);
  testing_json_numbers(o->json, entry(o, "ee_rot"), expected, 9);
  testing_assert_close("rotation", pose.rotation, expected, 9, 1e-11);

  assert_int_equal(srs_frame_jacobian(o->workspace, frame, SRS_AXES_WORLD, J), SRS_OK);
  for (int i = 0; i < 6; i++) to_theirs(o, J + (ptrdiff_t)i * nv, theirs + (ptrdiff_t)i * nv);
  swap_halves(theirs, nv);
  testing_json_numbers(o->json, entry(o, "ee_jacobian"), expected, 6 * nv);
  testing_assert_close("jacobian", theirs, expected, 6 * nv, 1e-11);

  assert_int_equal(srs_frame_acceleration(o->workspace, frame, SRS_AXES_WORLD, acceleration), SRS_OK);
  swap_halves(acceleration, 1);
  testing_json_numbers(o->json, entry(o, "ee_jdot_v"), expected, 6);
  testing_assert_close("frame acceleration", acceleration, expected, 6, 1e-11);
}

static void check_delassus(oracle *o)
{
  enum { N = MAX_ROWS };
  double lambda[N * N], expected[N * N], theirs[N * N];
  srs_constraint_frame nodes[2];
  for (int i = 0; i < 2; i++) {
    const char *name = testing_json_text(o->json, i == 0 ? "/osim_frames/0" : "/osim_frames/1");
    nodes[i] = (srs_constraint_frame){srs_model_find_frame(o->model, name), SRS_AXES_WORLD, SRS_ROWS_ALL};
  }
  assert_int_equal(srs_delassus(o->workspace, o->q, nodes, 2, N, lambda), SRS_OK);
  for (int i = 0; i < N; i++) // linear rows first there
    for (int j = 0; j < N; j++) theirs[i * N + j] = lambda[(i / 6 * 6 + (i + 3) % 6) * N + j / 6 * 6 + (j + 3) % 6];
  testing_json_numbers(o->json, entry(o, "osim_inv"), expected, N * N);
  testing_assert_close("Delassus matrix", theirs, expected, N * N, 1e-11);
}

static void check_robot(const char *robot)
{
  oracle o;
  open_oracle(&o, robot);
  const int states = testing_json_count(o.json, "/states");
  assert_int_equal(states, 10);
  for (int i = 0; i < states; i++) {
    read_state(&o, i);
    check_matrix_and_bias(&o);
    check_dynamics(&o);
    check_sums(&o);
    check_frame(&o);
    check_delassus(&o);
  }
  close_oracle(&o);
}

static void chain12_agrees(void **state) { (void)state, check_robot("chain12"); }
static void double_pendulum_agrees(void **state) { (void)state, check_robot("double_pendulum"); }
static void panda_agrees(void **state) { (void)state, check_robot("panda"); }
static void ur5_agrees(void **state) { (void)state, check_robot("ur5"); }
static void anymal_with_a_floating_base_agrees(void **state) { (void)state, check_robot("anymal"); }

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain12_agrees),
      cmocka_unit_test(double_pendulum_agrees),
      cmocka_unit_test(panda_agrees),
      cmocka_unit_test(ur5_agrees),
      cmocka_unit_test(anymal_with_a_floating_base_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
