// `sarrus check SCENE --contacts`: both detectors at the same poses.
#include "support/command.h"

#define BODY(name, x, y, z, rpy, shape)                                                                                \
  "- name: " name "\n  base: floating\n  position: [" x ", " y ", " z "]\n  rotation: {rpy: [" rpy "]}\n"              \
  "  links: [{name: body, mass: 1, inertia: [1, 1, 1]}]\n"                                                             \
  "  shapes: [{link: body, name: " name ", " shape "}]\n"
#define SCENE(shape_b, rpy, z)                                                                                         \
  "models:\n" BODY("lower", "0", "0", "0", "0, 0, 0", "kind: cylinder, radius: 0.3, length: 1")                        \
      BODY("upper", "0.13", "0.07", z, rpy, shape_b) "gravity: [0, 0, 0]\ndt: 0.01\nduration: 0.1\n"

static void boxes_and_balls_agree_to_rounding(void **state)
{
  (void)state;
  testing_write("ball.yaml", SCENE("kind: sphere, radius: 0.2", "0, 0, 0", "0.705"));
  assert_int_equal(sarrus("check ball.yaml --contacts --margin 1e-12"), 0);
  assert_says(command_out, "detectors exact and bullet at 11 poses, t = 0 to 0.1 s");
  assert_says(command_out, "pairs within 0.01 m  1\n");
  assert_says(command_out, "differ by more than 1e-12 m  0\n");
  assert_int_equal(sarrus("check ball.yaml --contacts --within 0.004"), 0);
  assert_says(command_out, "pairs within 0.004 m  0\n");
}

// Two tilted cylinders near each other: no two searches end with the same bits.
static void differences_are_listed_and_make_the_status(void **state)
{
  (void)state;
  testing_write("rims.yaml", SCENE("kind: cylinder, radius: 0.3, length: 1", "0.7, 0.4, 0.2", "1.07"));
  assert_int_equal(sarrus("check rims.yaml --contacts --within 0.5 --margin 0 --poses 1"), 1);
  assert_says(command_out, "at 1 pose, t = 0 to 0 s");
  assert_says(command_out, "  'lower/lower' and 'upper/upper': ");
  assert_says(command_out, "in 1 of 1 poses");
  assert_int_equal(sarrus("check rims.yaml --contacts --within 0.5 --margin 1e-3"), 0);
  assert_int_equal(sarrus("check rims.yaml --contacts --within 0.5 --margin 0 --json"), 1);
  testing_json *json = command_json();
  assert_int_equal(testing_json_number(json, "/contacts/pairs"), 1);
  assert_int_equal(testing_json_count(json, "/contacts/differences"), 1);
  assert_string_equal(testing_json_text(json, "/contacts/differences/0/shape_a"), "'lower/lower'");
  const double exact = testing_json_number(json, "/contacts/differences/0/exact");
  const double bullet = testing_json_number(json, "/contacts/differences/0/bullet");
  const double difference = testing_json_number(json, "/contacts/differences/0/difference");
  assert_true(difference > 0 && difference < 1e-3 && (exact - bullet == difference || bullet - exact == difference));
  testing_json_free(json);
}

static void wrong_usage_is_told(void **state)
{
  (void)state;
  testing_write("ball.yaml", SCENE("kind: sphere, radius: 0.2", "0, 0, 0", "0.705"));
  assert_refused(sarrus("check ball.yaml"), 2, "nothing to check: give --contacts");
  assert_refused(sarrus("check ball.yaml --contacts --margin -1"), 2, "--margin");
  assert_refused(sarrus("check ball.yaml --contacts --poses 0"), 2, "--poses");
  assert_refused(sarrus("check none.yaml --contacts"), 1, "none.yaml");
  assert_int_equal(sarrus("check --help"), 0);
  assert_says(command_out, "usage: sarrus check SCENE --contacts");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_and_balls_agree_to_rounding),
      cmocka_unit_test(differences_are_listed_and_make_the_status),
      cmocka_unit_test(wrong_usage_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
