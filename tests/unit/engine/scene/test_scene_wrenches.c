// Wrenches of a scene: what they do to a body, what comes back from a saved model, what is refused where it stands.

#include "support/scene_cases.h"
#include "support/world.h"

#include <stdio.h>
#include <string.h>

static const char head[] = "models: [{name: m, base: floating, links: [{name: k, mass: 2, inertia: [0.1, 0.2, 0.3]}], "
                           "frames: [{name: jet, link: k, pose: {position: [0.5, 0, 0], rotation: {rpy: [0, 0, "
                           "1.5707963267948966]}}}]}]\n"
                           "gravity: [0, 0, 0]\n";

static void assert_accelerates(const char *text, const char *path)
{
  srs_scene *scene = NULL;
  srs_error error = {0};
  if (srs_scene_load(text != NULL ? testing_write("jet.yaml", text) : path, NULL, &scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  srs_sim *sim = sim_of_scene(scene, NULL);
  double a[6];
  assert_int_equal(srs_sim_acceleration(sim, a, &error), SRS_OK);
  // The jet's x is the body's y, its y the body's -x: forces (0, 4, 0) and (-2, 0, 0) at (0.5, 0, 0), and 0.6 about z.
  // Gravity is a setting of the scene, and not saved with the model.
  const double expected[6] = {-1, 2, text != NULL ? 0 : -9.81, 0, 0, (0.5 * 4 + 0.6) / 0.3};
  testing_assert_close("acceleration", a, expected, 6, 1e-12);
  if (text != NULL) {
    srs_save_options options = srs_default_save_options();
    options.overwrite = true;
    assert_int_equal(srs_model_save(srs_scene_model(scene), path, &options, &error), SRS_OK);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void wrenches_act_along_the_axes_of_their_frames_and_add(void **state)
{
  (void)state;
  char text[2048], path[1200];
  snprintf(text, sizeof text,
           "%swrenches: [{frame: jet, force: [4, 0, 0]}, {frame: jet, force: [0, 2, 0], torque: [0, 0, 0.6]}]\n", head);
  snprintf(path, sizeof path, "%s/saved.yaml", testing_folder());
  assert_accelerates(text, path);
  assert_accelerates(NULL, path);
}

static void refuse(const char *keys, srs_status status, const char *words)
{
  char text[2048];
  snprintf(text, sizeof text, "%swrenches:\n  - %s\n", head, keys);
  expect_fault(text, status, 4, -1, words);
}

static void wrong_wrenches_are_refused_where_they_stand(void **state)
{
  (void)state;
  refuse("{frame: jot, force: [1, 0, 0]}", SRS_ERROR_NAME, "did you mean 'jet'");
  refuse("{force: [1, 0, 0]}", SRS_ERROR_SYNTAX, "'frame'");
  refuse("{frame: jet, force: [1, 0]}", SRS_ERROR_SYNTAX, "force");
  refuse("{frame: jet, torque: 1}", SRS_ERROR_SYNTAX, "torque");
  refuse("{frame: jet, moment: [1, 0, 0]}", SRS_ERROR_NAME, "moment");
  refuse("jet", SRS_ERROR_SYNTAX, "a wrench");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrenches_act_along_the_axes_of_their_frames_and_add),
      cmocka_unit_test(wrong_wrenches_are_refused_where_they_stand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
