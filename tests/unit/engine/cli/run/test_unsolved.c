// A run whose contact problems were not all solved says so in one line, and fails with --strict.
#include "support/command.h"

#include <math.h>

// A plank on a hinge that is sunk into the floor on both sides: where rows push with speed, no impulse lifts both.
static const char plank[] =
    "models:\n"
    "  - links: [{name: plank, mass: 1, com: [0.01, 0, 0], inertia: [0.01, 0.1, 0.1]}]\n"
    "    joints: [{name: h, kind: revolute, child: plank, axis: [0, 1, 0], origin: {position: [0, 0, 0.0475]}}]\n"
    "    shapes: [{name: plank, kind: box, link: plank, size: [1, 0.1, 0.1]}]\n"
    "environment: [{name: floor, shape: half-space}]\n"
    "contact: {projection: false}\n"
    "duration: 0.01\n";

static void unsolved_problems_are_told_in_one_line(void **state)
{
  (void)state;
  testing_write("plank.yaml", plank);
  assert_int_equal(sarrus("run plank.yaml --json"), 0);
  assert_says(command_err, "sarrus: warning: 10 of 10 contact problems were not solved, the first in the step from t = "
                           "0 s; the worst scaled residual is ");
  assert_says(command_err, "the best impulses found were applied, so the motion may be wrong from there on\n");
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/solver_failures") == 10);
  assert_true(testing_json_number(json, "/first_failure_time") == 0);
  testing_json_free(json);
  assert_int_equal(sarrus("run plank.yaml --quiet"), 0);
  assert_string_equal(command_err, "");
}

static void strict_makes_them_a_failure(void **state)
{
  (void)state;
  testing_write("plank.yaml", plank);
  assert_int_equal(sarrus("run plank.yaml --strict --quiet"), 1);
  assert_memory_equal(command_err, "sarrus: plank.yaml: 10 of 10 contact problems were not solved", 60);
  assert_ptr_equal(strchr(command_err, '\n')[1] == '\0' ? command_err : NULL, command_err);
  assert_says(command_out, "unsolved         10");
}

static void a_run_without_them_has_no_time(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("run p.urdf --duration 0.01 --strict --json"), 0);
  assert_string_equal(command_err, "");
  assert_says(command_out, "\"first_failure_time\": null");
}

// The sim knows more than its command prints; a reset forgets it.
static void statistics_have_time_and_residual_of_failures(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error;
  if (srs_scene_load(testing_write("plank.yaml", plank), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  assert_true(isnan(s->first_failure_time) && s->failure_residual_max == 0);
  assert_int_equal(srs_sim_set_state(sim, 3, NULL, NULL, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 5, NULL), SRS_OK);
  assert_true(s->failures == 5 && s->first_failure_time == 3);
  assert_true(s->failure_residual_max > 1e-6 && s->failure_residual_max == s->residual_max);
  srs_sim_reset(sim);
  assert_true(isnan(s->first_failure_time) && s->failure_residual_max == 0);
  assert_true(isnan(srs_sim_get_statistics(NULL)->first_failure_time));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsolved_problems_are_told_in_one_line),
      cmocka_unit_test(strict_makes_them_a_failure),
      cmocka_unit_test(a_run_without_them_has_no_time),
      cmocka_unit_test(statistics_have_time_and_residual_of_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
