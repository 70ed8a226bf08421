// Does every other robot that the data folder holds load and agree, or is it refused with the reason? Pinocchio's
// figures, one random state each (data/robots/README.md): a continuous joint has two entries in q there, (cos, sin).

#include "support/testing.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_V = 64 };

static const double tolerance = 1e-11;

// Accelerations carry the condition of M, for tiago 5e6, and the data's are off by 1.1e-11 themselves: put into the
// equations of motion they leave 1e-10 N m, where rounding leaves 3e-13 (checked below). These solve the same equations
// in 50 digits: the file's numbers, Newton-Euler in three-vectors for every column of M, Gauss.
typedef struct solution {
  const char *joint;
  double acceleration;
} solution;
static const char solved_robot[] = "tiago_no_hand";
static const solution solutions[] = {
    {"torso_lift_joint", -5.489560941933642}, {"arm_1_joint", 16.357890633455927},
    {"arm_2_joint", -105.18974354995512},     {"arm_3_joint", 39.95539947956459},
    {"arm_4_joint", -682.7550215994869},      {"arm_5_joint", -14360.287610914029},
    {"arm_6_joint", 13072.097183528886},      {"arm_7_joint", -2901214.3047824907},
    {"head_1_joint", 486.21226231450987},     {"head_2_joint", -2.0774004828910586},
    {"wheel_left_joint", -2124.368418393489}, {"wheel_right_joint", 1351.2090030282263},
};

// Refused, and why; everything else must load. Where `is_strict`, only strictly: by default a warning tells the reason,
// and the figures agree.
typedef struct refusal {
  const char *robot, *reason;
  bool is_strict;
} refusal;
static const refusal refusals[] = {
    {"falcon",
     "joint 'top_propeller_joint' names the child link 'Z_propeller', but there is no link of that name "
     "(--allow-missing-links leaves the joint out), did you mean 'top_propeller'?",
     false},
    {"romeo_small", "RShoulderYawLink", true},         // 0.00656531 > 0.000661782 + 0.000679363
    {"tiago_no_hand", "base_antenna_left_link", true}, // -3.53486e-08; among others
};

static const refusal *refusal_of(const char *robot)
{
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
    if (strcmp(refusals[i].robot, robot) == 0) return &refusals[i];
  return NULL;
}

// Their coordinates into ours, by joint name; v_of[theirs] = ours.
static void read_state(const testing_json *json, const srs_model *model, double *q, int v_of[MAX_V])
{
  double theirs[2 * MAX_V];
  testing_json_numbers(json, "/q", theirs, (int)testing_json_number(json, "/nq"));
  const int joints = testing_json_count(json, "/joints");
  for (int i = 0; i < joints; i++) {
    char path[64];
    snprintf(path, sizeof path, "/joints/%d/name", i);
    const int link = srs_model_find_joint(model, testing_json_text(json, path));
    const srs_joint *joint = srs_model_joint(model, link);
    assert_non_null(joint);
    snprintf(path, sizeof path, "/joints/%d/idx_q", i);
    const double *x = theirs + (int)testing_json_number(json, path);
    snprintf(path, sizeof path, "/joints/%d/nq", i);
    q[joint->q_index] = testing_json_number(json, path) == 2 ? atan2(x[1], x[0]) : x[0];
    snprintf(path, sizeof path, "/joints/%d/idx_v", i);
    v_of[(int)testing_json_number(json, path)] = joint->v_index;
  }
}

static void read_vector(const testing_json *json, const char *path, int nv, const int *v_of, double *ours)
{
  double theirs[MAX_V];
  testing_json_numbers(json, path, theirs, nv);
  for (int i = 0; i < nv; i++) ours[v_of[i]] = theirs[i];
}

static void check_frames(const testing_json *json, const srs_model *model, srs_workspace *w, const double *q)
{
  assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
  int found = 0;
  for (int f = 0; f < srs_model_n_frames(model); f++) {
    char path[160];
    snprintf(path, sizeof path, "/frames/\"%s\"", srs_model_frame(model, f)->name);
    if (!testing_json_has(json, path)) continue;
    srs_pose pose;
    double expected[3];
    found++;
    assert_int_equal(srs_frame_placement(w, f, &pose), SRS_OK);
    testing_json_numbers(json, path, expected, 3);
    testing_assert_close(path, pose.position, expected, 3, tolerance);
  }
  assert_true(found > 0);
}

// The largest entry of tau - bias - M a.
static double defect_of(const double *M, const double *bias, const double *tau, const double *a, int nv)
{
  double most = 0;
  for (int i = 0; i < nv; i++) {
    double sum = tau[i] - bias[i];
    for (int j = 0; j < nv; j++) sum -= M[i * nv + j] * a[j];
    most = fmax(most, fabs(sum));
  }
  return most;
}

// Takes the solution in 50 digits in place of the data's, having seen that it solves the equations, and these do not.
static void replace_accelerations(const srs_model *model, const double *M, const double *bias, const double *tau,
                                  double *expected)
{
  const int nv = srs_model_nv(model);
  const double theirs = defect_of(M, bias, tau, expected, nv);
  for (size_t i = 0; i < sizeof solutions / sizeof *solutions; i++)
    expected[srs_model_find_v(model, solutions[i].joint)] = solutions[i].acceleration;
  const double exact = defect_of(M, bias, tau, expected, nv);
  print_message("equations of motion: the data leaves %.2g N m, 50 digits leave %.2g\n", theirs, exact);
  assert_true(theirs > 100 * exact);
}

static void check_figures(const testing_json *json, const srs_model *model, const char *robot)
{
  const int nv = srs_model_nv(model);
  assert_int_equal(nv, (int)testing_json_number(json, "/nv"));
  assert_in_range(nv, 0, MAX_V);
  const double mass = srs_model_mass(model), expected_mass = testing_json_number(json, "/moving_mass");
  testing_assert_close("mass", &mass, &expected_mass, 1, tolerance);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double q[MAX_V] = {0}, v[MAX_V], tau[MAX_V], x[MAX_V], expected[MAX_V], out[MAX_V] = {0}, bias[MAX_V];
  double *M = calloc((size_t)(nv * nv) + 1, sizeof *M);
  int v_of[MAX_V] = {0};
  assert_non_null(M);
  read_state(json, model, q, v_of);
  check_frames(json, model, w, q);
  if (nv > 0) {
    read_vector(json, "/v", nv, v_of, v);
    read_vector(json, "/tau", nv, v_of, tau);
    read_vector(json, "/x", nv, v_of, x);
    assert_int_equal(srs_bias(w, q, v, bias), SRS_OK);
    read_vector(json, "/bias", nv, v_of, expected);
    testing_assert_close("bias", bias, expected, nv, tolerance);
    assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
    assert_int_equal(srs_forward_dynamics(w, q, v, tau, NULL, out), SRS_OK);
    read_vector(json, "/fd", nv, v_of, expected);
    if (strcmp(robot, solved_robot) == 0) replace_accelerations(model, M, bias, tau, expected);
    testing_assert_close("forward dynamics", out, expected, nv, tolerance);
    for (int i = 0; i < nv; i++) {
      out[i] = 0;
      for (int j = 0; j < nv; j++) out[i] += M[i * nv + j] * x[j];
    }
    read_vector(json, "/M_x", nv, v_of, expected);
    testing_assert_close("M x", out, expected, nv, tolerance);
    for (int i = 0; i < nv; i++) out[i] = M[i * nv + i];
    read_vector(json, "/M_diag", nv, v_of, expected);
    testing_assert_close("diagonal of M", out, expected, nv, tolerance);
  }
  free(M);
  srs_workspace_destroy(w);
}

// Returns whether it is refused for good.
static bool check_refusal(const char *robot, const refusal *expected)
{
  char file[512];
  snprintf(file, sizeof file, "robots/more/%s.urdf", robot);
  srs_model *model;
  srs_error error = {0};
  srs_load_options options = srs_default_load_options();
  options.no_collision = true; // the meshes are not here
  for (int strict = expected->is_strict; strict < 2; strict++) {
    options.build.strict = strict == 1;
    assert_true(srs_model_load(testing_data(file), &options, &model, &error) != SRS_OK);
    if (strstr(error.message, expected->reason) == NULL) fail_msg("%s: %s", robot, error.message);
    assert_true(error.line > 0);
  }
  return !expected->is_strict;
}

// Returns whether there were figures to compare.
static bool check_robot(const char *robot)
{
  const refusal *expected = refusal_of(robot);
  if (expected != NULL && check_refusal(robot, expected)) return false;
  char file[512];
  snprintf(file, sizeof file, "robots/more/%s.urdf", robot);
  srs_model *model;
  srs_error error = {0};
  const srs_load_options options = srs_default_load_options();
  if (srs_model_load(testing_data(file), &options, &model, &error) != SRS_OK) fail_msg("%s: %s", robot, error.message);
  snprintf(file, sizeof file, "robots/more/%s.json", robot);
  testing_json *json = testing_json_load(testing_data(file));
  print_message("%s: nv %d\n", robot, srs_model_nv(model));
  check_figures(json, model, robot);
  testing_json_free(json);
  srs_model_destroy(model);
  return true;
}

static void every_robot_agrees_or_is_refused_with_the_reason(void **state)
{
  (void)state;
  DIR *folder = opendir(testing_data("robots/more"));
  assert_non_null(folder);
  int robots = 0, compared = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) { // NOLINT(concurrency-mt-unsafe): one thread
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".urdf") != 0) continue;
    char robot[256];
    snprintf(robot, sizeof robot, "%.*s", (int)(length - 5), entry->d_name);
    robots++;
    compared += check_robot(robot);
  }
  assert_int_equal(closedir(folder), 0);
  assert_true(robots > 10);
  assert_int_equal(compared, robots - 1); // falcon alone is refused for good
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_robot_agrees_or_is_refused_with_the_reason)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
