// `sarrus run --stats`: what a multiplication takes is measured with every solver, and what bounds a step follows.
#include "support/command.h"

#include <sarrus/contact.h>

static const char ball[] = "models:\n  - base: floating\n    position: [0, 0, 1]\n"
                           "    links: [{name: ball, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
                           "    shapes: [{link: ball, kind: sphere, radius: 0.5}]\n"
                           "environment: [{name: floor, shape: half-space}]\n"
                           "solver: {most_work: 1e6}\nduration: 0.5\n";

static void every_solver_has_a_bound_in_seconds(void **state)
{
  (void)state;
  testing_write("ball.yaml", ball);
  for (int method = 0; method < SRS_CONTACT_METHODS; method++) {
    const char *name = srs_contact_method_name((srs_contact_method)method);
    if (sarrus("run ball.yaml --stats --json --solver %s", name) != 0) fail_msg("%s", command_err);
    testing_json *json = command_json();
    const double work = testing_json_number(json, "/work/problem"), step = testing_json_number(json, "/work/step");
    const double time = testing_json_number(json, "/work/time"), bound = testing_json_number(json, "/work/step_bound");
    assert_true(work > 0 && work <= step && step <= bound);
    assert_true(testing_json_number(json, "/work/problem_bound") == 1e6);
    assert_true(time > 0 && time < 1e-6);
    assert_true(testing_json_number(json, "/step_time/bound") >= time * bound);
    testing_json_free(json);
  }
  assert_int_equal(sarrus("run ball.yaml --stats"), 0);
  assert_says(command_out, "step, bound");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_has_a_bound_in_seconds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
