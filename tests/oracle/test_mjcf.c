// Does each MJCF file of the data folder mean what MuJoCo takes it to mean? Its own figures (data/mjcf/README.md):
// joints with their values, mass, and at four states mass matrix, bias, accelerations and the placements of bodies.
//
// MuJoCo keeps the principal moments and axes of a body, found by iteration: its figures carry the error of that, which
// is below 1e-9 of them in all of these files.

#include "support/testing.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_Q = 64, MAX_BODIES = 64 };

static double tolerance; // of the file

// Two kinds of files have figures that are no better. MuJoCo keeps the points of meshes as floats, of 24 bits: each is
// wrong by up to 6e-8 of the mesh's size (exact_meshes has points that floats hold, and agrees to 1e-9). And it finds
// the axes of an inertia by an iteration that ends up to 1e-8 before them.
static double tolerance_of(const char *name)
{
  static const char *const rough[] = {"mjcf/meshes", "mjcf/machine", "mjcf/inertials", "mjcf/segments"};
  for (size_t i = 0; i < sizeof rough / sizeof *rough; i++)
    if (strstr(name, rough[i]) != NULL) return 1e-6;
  return 1e-9;
}

static double number_at(const testing_json *json, const char *list, int i, const char *key)
{
  char path[96];
  snprintf(path, sizeof path, "/%s/%d/%s", list, i, key);
  return testing_json_number(json, path);
}

static const char *text_at(const testing_json *json, const char *list, int i, const char *key)
{
  char path[96];
  snprintf(path, sizeof path, "/%s/%d/%s", list, i, key);
  return testing_json_text(json, path);
}

// Joints stand in the same order, with the same coordinates and values.
static void check_joints(const testing_json *json, const srs_model *model)
{
  const int joints = testing_json_count(json, "/joints");
  assert_int_equal(joints, srs_model_n_links(model));
  for (int i = 0; i < joints; i++) {
    const srs_joint *joint = srs_model_joint(model, i);
    const char *name = text_at(json, "joints", i, "name");
    if (name[0] != '\0') assert_string_equal(joint->name, name);
    assert_int_equal(joint->q_index, (int)number_at(json, "joints", i, "qadr"));
    assert_int_equal(joint->v_index, (int)number_at(json, "joints", i, "vadr"));
    const double got[3] = {srs_model_stiffness(model)[joint->v_index], srs_model_damping(model)[joint->v_index],
                           srs_model_armature(model)[joint->v_index]};
    const double expected[3] = {number_at(json, "joints", i, "stiffness"), number_at(json, "joints", i, "damping"),
                                number_at(json, "joints", i, "armature")};
    testing_assert_close(name, got, expected, 3, tolerance);
    if (joint->kind == SRS_JOINT_FREE || joint->kind == SRS_JOINT_SPHERICAL) continue;
    double axis[3], range[2];
    char path[96];
    snprintf(path, sizeof path, "/joints/%d/axis", i);
    testing_json_numbers(json, path, axis, 3);
    testing_assert_close(name, joint->axis, axis, 3, tolerance);
    snprintf(path, sizeof path, "/joints/%d/range", i);
    testing_json_numbers(json, path, range, 2);
    const double limits[2] = {srs_model_lower(model)[joint->v_index], srs_model_upper(model)[joint->v_index]};
    if (number_at(json, "joints", i, "limited") != 0)
      testing_assert_close(name, limits, range, 2, tolerance);
    else
      assert_true(isinf(limits[0]) && isinf(limits[1]));
  }
}

static int frame_of_body(const testing_json *json, const srs_model *model, int body)
{
  char made_up[32];
  const char *name = text_at(json, "bodies", body, "name");
  snprintf(made_up, sizeof made_up, "body%d", body + 1); // without a name: its number
  const int frame = srs_model_find_frame(model, name[0] != '\0' ? name : made_up);
  assert_true(frame >= 0);
  return frame;
}

static void check_bodies(const testing_json *json, const srs_model *model, srs_workspace *w, int state, const double *q)
{
  const int bodies = testing_json_count(json, "/bodies");
  double positions[3 * MAX_BODIES], turns[4 * MAX_BODIES];
  char path[96];
  snprintf(path, sizeof path, "/states/%d/body_pos", state);
  testing_json_numbers(json, path, positions, 3 * bodies);
  snprintf(path, sizeof path, "/states/%d/body_quat_wxyz", state);
  testing_json_numbers(json, path, turns, 4 * bodies);
  assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
  for (size_t b = 0; b < (size_t)bodies; b++) {
    srs_pose pose;
    double turn[9];
    assert_int_equal(srs_frame_placement(w, frame_of_body(json, model, (int)b), &pose), SRS_OK);
    testing_assert_close("position of a body", pose.position, positions + 3 * b, 3, tolerance);
    srs_rotation_from_quaternion(turns + 4 * b, turn);
    testing_assert_close("rotation of a body", pose.rotation, turn, 9, tolerance);
  }
}

// Accelerations times MuJoCo's mass matrix are minus its bias; the data's own accelerations agree themselves. (Those of
// light links multiply what is wrong with MuJoCo's axes of inertia.)
static void check_acceleration(const testing_json *json, int state, int nv, const double *M, const double *bias,
                               const double *acceleration)
{
  double expected[MAX_Q], forces[MAX_Q];
  for (size_t i = 0; i < (size_t)nv; i++) {
    forces[i] = 0;
    for (size_t j = 0; j < (size_t)nv; j++) forces[i] -= M[i * (size_t)nv + j] * acceleration[j];
  }
  testing_assert_close("mass matrix times acceleration", forces, bias, nv, 10 * tolerance);
  char path[96];
  snprintf(path, sizeof path, "/states/%d/acc_unforced", state);
  if (testing_json_count(json, path) < 0) return;
  testing_json_numbers(json, path, expected, nv);
  testing_assert_close("acceleration", acceleration, expected, nv, tolerance);
}

static void check_state(const testing_json *json, const srs_model *model, srs_workspace *w, int state)
{
  const int nq = srs_model_nq(model), nv = srs_model_nv(model);
  double q[MAX_Q], v[MAX_Q], expected[MAX_Q], got[MAX_Q], zero[MAX_Q] = {0};
  static double M[MAX_Q * MAX_Q], M_expected[MAX_Q * MAX_Q];
  char path[96];
  snprintf(path, sizeof path, "/states/%d/q", state);
  testing_json_numbers(json, path, q, nq);
  snprintf(path, sizeof path, "/states/%d/v", state);
  testing_json_numbers(json, path, v, nv);
  assert_true(srs_normalise(model, q));
  check_bodies(json, model, w, state, q);
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
  snprintf(path, sizeof path, "/states/%d/M_rowmajor", state);
  testing_json_numbers(json, path, M_expected, nv * nv);
  testing_assert_close("mass matrix", M, M_expected, nv * nv, tolerance);
  assert_int_equal(srs_bias(w, q, v, got), SRS_OK);
  snprintf(path, sizeof path, "/states/%d/bias", state);
  testing_json_numbers(json, path, expected, nv);
  testing_assert_close("bias", got, expected, nv, tolerance);
  assert_int_equal(srs_forward_dynamics(w, q, v, zero, NULL, got), SRS_OK);
  check_acceleration(json, state, nv, M_expected, expected, got);
}

// @param folder, figures  of the file and of what MuJoCo says of it   @param name  of both, without their endings
static void check_file(const char *folder, const char *figures, const char *name)
{
  char file[1200];
  srs_model *model;
  srs_error error = {0};
  snprintf(file, sizeof file, "%s/%s.xml", folder, name);
  tolerance = tolerance_of(file);
  if (srs_model_load(file, NULL, &model, &error) != SRS_OK) fail_msg("%s: %s", name, error.message);
  snprintf(file, sizeof file, "%s/%s.json", figures, name);
  testing_json *json = testing_json_load(file);
  print_message("%s: nq %d, nv %d\n", name, srs_model_nq(model), srs_model_nv(model));
  assert_int_equal(srs_model_nq(model), (int)testing_json_number(json, "/nq"));
  assert_int_equal(srs_model_nv(model), (int)testing_json_number(json, "/nv"));
  const double mass = srs_model_mass(model), expected = testing_json_number(json, "/mass");
  testing_assert_close("mass", &mass, &expected, 1, tolerance);
  double start[MAX_Q], gravity[3];
  testing_json_numbers(json, "/qpos0", start, srs_model_nq(model));
  testing_assert_close("start", srs_model_neutral(model), start, srs_model_nq(model), tolerance);
  check_joints(json, model);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  testing_json_numbers(json, "/gravity", gravity, 3);
  srs_workspace_set_gravity(w, gravity);
  for (int state = 0; state < testing_json_count(json, "/states"); state++) check_state(json, model, w, state);
  srs_workspace_destroy(w);
  testing_json_free(json);
  srs_model_destroy(model);
}

static int check_folder(const char *folder, const char *figures)
{
  char name[256];
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  int files = 0;
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) { // NOLINT(concurrency-mt-unsafe): one thread
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 4, ".xml") != 0) continue;
    snprintf(name, sizeof name, "%.*s", (int)(length - 4), entry->d_name);
    check_file(folder, figures, name);
    files++;
  }
  assert_int_equal(closedir(entries), 0);
  return files;
}

static int check_folder_of_data(const char *folder)
{
  char path[512];
  snprintf(path, sizeof path, "%s", testing_data(folder));
  return check_folder(path, path);
}

static void every_file_means_what_mujoco_takes_it_to_mean(void **state)
{
  (void)state;
  assert_true(check_folder_of_data("mjcf/dm") + check_folder_of_data("mjcf/gym") >= 11);
}

// Files of our own, each a mixture of what the format can say, with the figures of MuJoCo 3.3.8.
static void mixtures_mean_what_mujoco_takes_them_to_mean(void **state)
{
  (void)state;
  char folder[512], figures[540];
  snprintf(folder, sizeof folder, "%s", testing_source("tests/oracle/mjcf"));
  snprintf(figures, sizeof figures, "%s/figures", folder);
  assert_true(check_folder(folder, figures) >= 14);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(mixtures_mean_what_mujoco_takes_them_to_mean),
                                     cmocka_unit_test(every_file_means_what_mujoco_takes_it_to_mean)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
