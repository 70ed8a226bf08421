// What `sarrus run` and `sarrus info` say of a start that looks like a mistake: one line each, and none of a good one.
#include "support/command.h"

// A ball `lo` of radius 0.1 on a free joint at a height, with more keys of its shape, above a floor.
#define BALL(height, more)                                                                                             \
  "models: [{name: b, base: floating, position: [0, 0, " height "], links: [{name: b, mass: 1, inertia: [1, 1, 1]}],"  \
  " shapes: [{name: lo, kind: sphere, radius: 0.1, link: b" more "}]}]\n"                                              \
  "environment: [{name: floor, shape: half-space}]\nduration: 0.002\n"

// A cart on a rail with limits, and a pendulum on it.
#define CART                                                                                                           \
  "models: [{name: m, links: [{name: a, mass: 1}, {name: p, mass: 1, com: [0, 0, -1]}], joints: [{name: rail, "        \
  "kind: prismatic, child: a, lower: -1, upper: 2}, {name: pin, kind: revolute, parent: a, child: p, "                 \
  "axis: [0, 1, 0], lower: -1, upper: 1}]}]\nduration: 0.002\n"

static int lines_of(const char *text)
{
  int n = 0;
  for (; *text != '\0'; text++) n += *text == '\n';
  return n;
}

// What leads back may make energy, which the end of a run tells.
static const char *after_start(const char *text, const char *line)
{
  const size_t n = strlen(line);
  if (strncmp(text, line, n) != 0) fail_msg("not at the start of: %s", text);
  static const char made[] = "sarrus: warning: the steps made ";
  if (strncmp(text + n, made, strlen(made)) != 0) return text + n;
  const char *end = strchr(text + n, '\n');
  return end != NULL ? end + 1 : text + n;
}

// The warning is the only line of a run about its start, none with --quiet, and the only one of info.
static void expect_only(const char *scene, const char *warning)
{
  char line[1024];
  testing_write("start.yaml", scene);
  assert_int_equal(sarrus("run start.yaml"), 0);
  snprintf(line, sizeof line, "sarrus: warning: %s\n", warning);
  assert_string_equal(after_start(command_err, line), "");
  assert_int_equal(sarrus("run start.yaml --quiet"), 0);
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("info start.yaml"), 0);
  assert_says(command_out, "1 warning, on stderr\n");
  assert_string_equal(command_err, line);
  assert_int_equal(sarrus("info start.yaml --json"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/warnings"), 1);
  assert_string_equal(testing_json_text(json, "/warnings/0"), warning);
  testing_json_free(json);
}

static void expect_none(const char *scene)
{
  testing_write("start.yaml", scene);
  assert_int_equal(sarrus("run start.yaml"), 0);
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("info start.yaml"), 0);
  assert_null(strstr(command_out, "warning"));
  assert_string_equal(command_err, "");
}

static void a_good_start_has_none(void **state)
{
  (void)state;
  expect_none(BALL("0.3", ""));
  expect_none(BALL("0.0999995", "")); // rounding of files
  expect_none(BALL("0.3", ", mask: 0") "contact: {enabled: false}\n");
  expect_none(CART "actuators: [{coordinate: rail, position: 2, kp: 1}, {coordinate: pin, velocity: 9, kd: 1}]\n");
  expect_none(
      "models: [{name: m, links: [{name: a, mass: 1, inertia: [1, 1, 1]}], joints: [{name: pin, kind: revolute, "
      "child: a}]}]\ncoordinates: redundant\nduration: 0.002\n"
      "environment: [{name: far, shape: sphere, radius: 0.1, visual: true}]\n");
}

static void a_model_and_a_floor_that_never_meet_are_named(void **state)
{
  (void)state;
  testing_write("start.yaml", BALL("0.3", ", visual: true"));
  assert_int_equal(sarrus("run start.yaml"), 0);
  assert_int_equal(lines_of(command_err), 2);
  assert_says(command_err,
              "no shape of the floating model with the root link 'b' may collide with anything, so nothing stops it");
  assert_says(command_err,
              "nothing can touch the world's shape 'floor': no moving link has a shape that may collide with it");
  testing_write("start.yaml", BALL("0.3", ", group: 2, mask: 2"));
  assert_int_equal(sarrus("run start.yaml"), 0);
  assert_int_equal(lines_of(command_err), 2);
}

static void a_wall_that_nothing_can_touch_is_named(void **state)
{
  (void)state;
  expect_only(
      "models: [{name: b, base: floating, position: [0, 0, 1], links: [{name: b, mass: 1, inertia: [1, 1, 1]}], "
      "shapes: [{name: lo, kind: sphere, radius: 0.1, link: b}]}]\nduration: 0.002\n"
      "environment: [{name: floor, shape: half-space}, {name: wall, shape: box, size: [1, 1, 1], group: 4, mask: "
      "4, position: [3, 0, 2]}]\n",
      "nothing can touch the world's shape 'wall': no moving link has a shape that may collide with it; give it one "
      "that "
      "collides, or look at group, mask and 'collision'");
}

static void overlaps_are_named_with_their_depth(void **state)
{
  (void)state;
  expect_only(BALL("0.095", ""),
              "1 pair of shapes overlaps at the start and will be pushed apart: 'lo' and 'floor' by 5 mm");
}

static void a_start_outside_a_limit_has_its_unit(void **state)
{
  (void)state;
  expect_only(CART "initial: {q: {pin: 1.5}}\n",
              "'pin' starts 0.5 rad beyond its limits, farther than any other coordinate; the limits push it back");
  expect_only(CART "initial: {q: {rail: 2.25}}\n",
              "'rail' starts 0.25 m beyond its limits, farther than any other coordinate; the limits push it back");
}

static void a_servo_target_beyond_a_limit_is_told(void **state)
{
  (void)state;
  expect_only(CART "actuators: [{coordinate: pin, position: -3, kp: 1, gear: 2}]\n",
              "the servo of 'pin' aims at -1.5 rad, beyond the lower limit of -1 rad: it pushes against the stop for "
              "good");
  expect_only(CART "actuators: [{coordinate: rail, position: 3, kp: 1}, {coordinate: pin, position: 3, kp: 1}]\n",
              "the servo of 'rail' aims at 3 m, beyond the upper limit of 2 m (and 1 more): it pushes against the "
              "stop for good");
}

static void a_reference_of_the_input_beyond_a_limit_is_told(void **state)
{
  (void)state;
  testing_write("start.yaml", CART);
  testing_write("in.csv", "time,q_ref:pin,v_ref:rail\n0,0.5,9\n2,1,9\n3.5,1.25,9\n4,-2,9\n");
  assert_int_equal(sarrus("run start.yaml --input in.csv"), 0);
  assert_string_equal(command_err,
                      "sarrus: warning: the input's servo of 'pin' aims at 1.25 rad from t = 3.5 s, beyond "
                      "the upper limit of 1 rad: it pushes against the stop\n");
  assert_int_equal(sarrus("run start.yaml --input in.csv --kp 0"), 0);
  assert_string_equal(command_err, "");
}

// The cases as people report them: exactly one line more than the robot's own, with all pairs. Of the robot of a file
// that is so with `all`; by default its pairs do not collide, which is told in a note.
static void the_overlapping_cases_have_one_warning_each(void **state)
{
  (void)state;
  static const struct {
    const char *file, *options, *pairs;
  } cases[] = {
      {"cases/plank.yaml", "",
       "1 pair of shapes overlaps at the start and will be pushed apart: box of 'plank' and 'floor' "
       "by 2.5 mm"},
      {"cases/self_overlap.yaml", "",
       "1 pair of shapes overlaps at the start and will be pushed apart: 'trunk' and 'drive' by 5 mm"},
      {"cases/anymal.yaml", "--self-collision all",
       "4 pairs of shapes overlap at the start and will be pushed apart: cylinder of 'base' and "
       "cylinder of 'LF_THIGH' by 2.5 mm; cylinder of 'base' and cylinder of 'RF_THIGH' by 2.5 mm; "
       "cylinder of 'base' and cylinder of 'LH_THIGH' by 2.5 mm; cylinder of 'base' and cylinder "
       "of 'RH_THIGH' by 2.5 mm"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(sarrus("run '%s' --duration 0 %s", testing_data(cases[i].file), cases[i].options), 0);
    assert_says(command_err, cases[i].pairs);
    const char *first = strstr(command_err, "at the start");
    assert_null(strstr(first + 1, "at the start"));
    assert_null(strstr(command_err, "floating model"));
    assert_null(strstr(command_err, "nothing can touch"));
  }
  assert_int_equal(sarrus("run '%s' --duration 0", testing_data("cases/anymal.yaml")), 0);
  assert_says(command_err, "sarrus: note: self_collision: auto leaves out 4 pairs of shapes that overlap where all "
                           "coordinates are zero, the deepest by 2.5 mm (cylinder of 'base' and cylinder of '");
  assert_null(strstr(command_err, "at the start"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_start_has_none),
      cmocka_unit_test(a_model_and_a_floor_that_never_meet_are_named),
      cmocka_unit_test(overlaps_are_named_with_their_depth),
      cmocka_unit_test(a_wall_that_nothing_can_touch_is_named),
      cmocka_unit_test(a_start_outside_a_limit_has_its_unit),
      cmocka_unit_test(a_servo_target_beyond_a_limit_is_told),
      cmocka_unit_test(a_reference_of_the_input_beyond_a_limit_is_told),
      cmocka_unit_test(the_overlapping_cases_have_one_warning_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
