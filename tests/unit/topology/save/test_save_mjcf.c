// MJCF files come back from the scenes that they are written as: the same model to the bit, with the same motion.
#include "support/sims.h"
#include "topology/save/compare.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static srs_scene *loaded(const char *path)
{
  srs_scene *scene = NULL;
  srs_error error;
  if (srs_scene_load(path, NULL, &scene, &error) != SRS_OK)
    fail_msg("%s: line %d: %s", path, error.line, error.message);
  return scene;
}

static void run(const srs_scene *scene, int steps, double *q, int nq)
{
  srs_sim *sim = sim_of_scene(scene, NULL);
  srs_error error;
  assert_int_equal(srs_sim_step(sim, steps, &error), SRS_OK);
  memcpy(q, srs_sim_q(sim), (size_t)nq * sizeof *q);
  srs_sim_destroy(sim);
}

// @param tolerance  of the motion; 0: to the bit
static void assert_comes_back(const char *path, int steps, double tolerance)
{
  char where[160];
  double before[64], after[64];
  srs_error error;
  srs_scene *scene = loaded(path);
  const srs_model *model = srs_scene_model(scene);
  const char *copy = testing_write("copy.yaml", "");
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  if (srs_model_save(model, copy, &options, &error) != SRS_OK) fail_msg("%s: %s", path, error.message);
  srs_scene *back = loaded(copy);
  if (!srs_model_equals(model, srs_scene_model(back), where)) fail_msg("%s: %s", path, where);
  const int nq = srs_model_nq(model);
  assert_in_range(nq, 1, 64);
  if (steps > 0) {
    run(scene, steps, before, nq);
    run(back, steps, after, nq);
    if (tolerance == 0) assert_memory_equal(before, after, (size_t)nq * sizeof *before);
    testing_assert_close(path, after, before, nq, tolerance);
  }
  srs_scene_destroy(back);
  srs_scene_destroy(scene);
}

static int folder_comes_back(const char *folder, int steps)
{
  char path[1024];
  int n = 0;
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) { // NOLINT(concurrency-mt-unsafe): one thread
    if (strstr(entry->d_name, ".xml") == NULL) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    assert_comes_back(path, strstr(path, "quadruped") != NULL ? 0 : steps,
                      0); // it stands on what only spheres can meet
    n++;
  }
  closedir(entries);
  return n;
}

static void our_files_come_back(void **state)
{
  (void)state;
  char folder[512];
  assert_comes_back(testing_source("samples/gripper_arm.xml"), 100, 0);
  snprintf(folder, sizeof folder, "%s", testing_source("tests/oracle/mjcf"));
  assert_true(folder_comes_back(folder, 10) >= 14);
}

static void files_of_the_data_come_back(void **state)
{
  (void)state;
  char dm[512], gym[512];
  snprintf(dm, sizeof dm, "%s", testing_data("mjcf/dm"));
  snprintf(gym, sizeof gym, "%s", testing_data("mjcf/gym"));
  assert_true(folder_comes_back(dm, 50) + folder_comes_back(gym, 50) >= 11);
}

// Frictions, pairs, tendons, several actuators. The pair that is named meets in another place among the pairs, so sums
// round differently.
static void all_that_a_file_adds_comes_back(void **state)
{
  (void)state;
  assert_comes_back(
      testing_write("all.xml",
                    "<mujoco><option gravity='1 2 -9' timestep='0.003' integrator='RK4'/><worldbody>"
                    "<geom name='floor' type='plane' size='1 1 1'/><body name='a' pos='0 0 0.2'><freejoint name='f'/>"
                    "<geom name='ga' type='box' size='0.1 0.1 0.1' friction='0.3' condim='4'/>"
                    "<body name='b' pos='0.3 0 0'><joint name='b1'/><joint name='b2' axis='0 1 0' pos='0 0 0.1'/>"
                    "<geom name='gb' size='0.05' friction='0.7'/></body></body></worldbody>"
                    "<contact><pair geom1='ga' geom2='floor' friction='0.4 0.4 0.1'/><exclude body1='a' body2='b'/>"
                    "</contact><tendon><fixed name='no: 1' range='-1 2'><joint joint='b1' coef='2'/><joint joint='b2' "
                    "coef='-0.1'/></fixed></tendon><equality><tendon name='held' tendon1='no: 1' polycoef='0 1'/>"
                    "</equality><actuator><motor joint='b1' gear='3' ctrlrange='0.5 2'/><position joint='b2' kp='9'/>"
                    "<velocity tendon='no: 1' kv='2'/></actuator></mujoco>"),
      100, 1e-9);
}

// A scene says all that these files say; a URDF file says what it cannot.
static void count_note(void *context, const char *text)
{
  (void)text;
  ++*(int *)context;
}

static void scenes_leave_nothing_out(void **state)
{
  (void)state;
  srs_error error;
  int n = 0;
  srs_scene *scene = loaded(testing_source("samples/gripper_arm.xml"));
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  options.note = count_note;
  options.context = &n;
  assert_int_equal(srs_model_save(srs_scene_model(scene), testing_write("all.yaml", ""), &options, &error), SRS_OK);
  assert_int_equal(n, 0);
  srs_scene_destroy(scene);
  scene =
      loaded(testing_write("sensed.xml", "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1'/></body>"
                                         "</worldbody><sensor><jointpos joint='j'/></sensor></mujoco>"));
  assert_int_equal(srs_model_save(srs_scene_model(scene), testing_write("sensed.urdf", ""), &options, &error), SRS_OK);
  assert_true(n > 0);
  srs_scene_destroy(scene);
}

// Balls that a torque of 2 N m spins against torsional friction: the larger condim, or that of the higher priority,
// with the larger of each number or its own. What they do in the scene is known in closed form.
static void thrusters_and_mixed_frictions_come_back(void **state)
{
  (void)state;
#define SPUN(name, x, geom)                                                                                            \
  "<body name='" name "' pos='" x " 0 0.1'><freejoint/><geom size='0.1' " geom "/><site name='s" name "'/></body>"
#define THRUST(name) "<motor site='s" name "' gear='0 0 0 0 0 1' ctrlrange='2 3'/>"
  const char *path = testing_write(
      "spun.xml", "<mujoco><option timestep='0.001' gravity='0 0 -9.81'/><worldbody><geom type='plane' size='9 9 1' "
                  "friction='0.5 0.02' condim='1'/>" SPUN("a", "1", "condim='4' friction='0.8 0.01'")
                      SPUN("b", "2", "condim='3' friction='0.8 0.01'") SPUN("c", "3", "condim='1'")
                          SPUN("d", "4", "condim='4' friction='0.2 0.03' priority='1'")
                              SPUN("e", "5", "condim='3' friction='0.2 0.03' priority='1'") "</worldbody><actuator>" //
      THRUST("a") THRUST("b") THRUST("c") THRUST("d") THRUST("e") "</actuator></mujoco>");
  assert_comes_back(path, 100, 0);
  char ball[64] = "";
  srs_scene *scene = loaded(path);
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  srs_error error;
  const char *copy = testing_write("spun.yaml", "");
  assert_int_equal(srs_model_save(srs_scene_model(scene), copy, &options, &error), SRS_OK);
  srs_scene_destroy(scene);
  scene = loaded(copy);
  srs_sim *sim = sim_of_scene(scene, NULL);
  assert_int_equal(srs_sim_step(sim, 100, &error), SRS_OK);
  const double mass = 1000 * 4.0 / 3 * 3.14159265358979323846 * 1e-3, inertia = 0.4 * mass * 0.01;
  const double torsion[5] = {0.02, 0, 0, 0.03, 0};
  for (int i = 0; i < 5; i++) {
    const double expected = 0.1 * (2 - torsion[i] * mass * 9.81) / inertia;
    snprintf(ball, sizeof ball, "ball %d", i);
    testing_assert_close(ball, &srs_sim_v(sim)[6 * i + 5], &expected, 1, 1e-8);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// A ball that a force of 0.4 N pushes along the ground against rolling friction, by condim 6 of one geom or of a pair:
// what moves it is F - M / R, and it has 7/5 of its mass; M / R = mu_w m g / R.
static void rolling_friction_comes_back(void **state)
{
  (void)state;
  const char *const files[] = {"<geom name='floor' type='plane' size='9 9 1' friction='0.8 0.02 0.002' condim='6'/>%s",
                               "<geom name='floor' type='plane' size='9 9 1'/>%s"};
  const char *const pair =
      "<contact><pair geom1='floor' geom2='ball' condim='6' friction='0.8 0.8 0.02 0.002 0.001'/></contact>";
  for (int i = 0; i < 2; i++) {
    char text[1024], body[512];
    snprintf(body, sizeof body, files[i],
             "<body pos='0 0 0.1'><freejoint/><geom name='ball' size='0.1' mass='1' friction='0.3'/></body>");
    snprintf(text, sizeof text,
             "<mujoco><option timestep='0.001' gravity='0.4 0 -9.81'/><worldbody>%s</worldbody>%s</mujoco>", body,
             i == 1 ? pair : "");
    const char *path = testing_write("rolled.xml", text);
    assert_comes_back(path, 100, 0);
    srs_scene *scene = loaded(path);
    srs_sim *sim = sim_of_scene(scene, NULL);
    srs_error error;
    assert_int_equal(srs_sim_step(sim, 100, &error), SRS_OK);
    const double expected = 0.1 * 5 / 7 * (0.4 - 0.002 * 9.81 / 0.1);
    assert_true(fabs(srs_sim_v(sim)[0] - expected) <= 1e-3 * expected); // (e / R)^2, and F's share of the bound
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(our_files_come_back),
      cmocka_unit_test(files_of_the_data_come_back),
      cmocka_unit_test(all_that_a_file_adds_comes_back),
      cmocka_unit_test(scenes_leave_nothing_out),
      cmocka_unit_test(thrusters_and_mixed_frictions_come_back),
      cmocka_unit_test(rolling_friction_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
