// One key can make a scene slow whose steps took microseconds: its steps stay bounded, and one line tells where they
// become slow. Work is counted in multiplications, so that the figures are those of every machine.
#include "support/command.h"

// samples/NAME as slow.yaml, less the lines with `less` in them and its output, and with a word for another.
static void change_sample(const char *name, const char *less, const char *word, const char *other)
{
  char path[200];
  snprintf(path, sizeof path, "samples/%s", name);
  char *text = testing_read(testing_source(path), NULL), *rest = text;
  static char changed[20000];
  char *to = changed;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    if ((less != NULL && strstr(line, less) != NULL) || strncmp(line, "output:", 7) == 0) continue;
    const char *at = word != NULL ? strstr(line, word) : NULL;
    to += at == NULL ? sprintf(to, "%s\n", line)
                     : sprintf(to, "%.*s%s%s\n", (int)(at - line), line, other, at + strlen(word));
  }
  free(text);
  testing_write("slow.yaml", changed);
}

static int count(const char *text, const char *part)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++) n++;
  return n;
}

// @param options  of `run`   @param most  multiplications: no step takes more   @return of the step that took most
static double assert_bounded_and_noted(const char *options, double most)
{
  const int status = sarrus("run slow.yaml --stats --json %s", options);
  if (status != 0) fail_msg("exit status %d: %s", status, command_err);
  testing_json *json = command_json();
  const double work = testing_json_number(json, "/work/step"), bound = testing_json_number(json, "/work/step_bound");
  testing_json_free(json);
  if (!(work <= bound && bound <= most)) fail_msg("%g multiplications, bound %g", work, bound);
  if (count(command_err, " s: steps become slow: ") != (work >= 1e9)) fail_msg("%g: %s", work, command_err);
  return work;
}

// The bound of a problem is 1e10, and a little for what is handed back.
static void a_grasp_without_one_of_its_joints(void **state)
{
  (void)state;
  change_sample("grasp.yaml", "name: left, kind: prismatic", NULL, NULL);
  assert_true(assert_bounded_and_noted("--duration 0.02", 1.02e10) >= 1e9);
  assert_says(command_err, "sarrus: note: t = 0.001 s: steps become slow");
}

// A step may solve two problems, where the first round would break a contact.
static void a_joint_that_turns_at_1e5_rad_a_second(void **state)
{
  (void)state;
  change_sample("arm_wipe.yaml", NULL, "joint4: 1.8,",
                "joint4: 1.8, joint6: 1.0415926535897931}\n  v: {joint4: 1e5} #");
  char line[8500];
  snprintf(line, sizeof line, "cp '%s' '%s/arm.urdf'", testing_source("samples/arm.urdf"), testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  assert_bounded_and_noted("--duration 0.01", 2.1e10);
}

// Limits drive the arm back by 2 pi a step and more, until a problem is not solved within any work.
static void a_joint_that_starts_at_1e5_rad(void **state)
{
  (void)state;
  static const char far[] = "--duration 0.054 --q 0,0.3,0,1e5,0,1.0415926535897931,0";
  change_sample("arm_wipe.yaml", NULL, "contact:", "solver: {most_work: 2e9}\ncontact:");
  assert_true(assert_bounded_and_noted("--duration 0.01", 4.1e9) < 1e9); // as it is
  assert_bounded_and_noted(far, 4.1e9);
  change_sample("arm_wipe.yaml", NULL, "contact:", "solver: {most_work: 1e6}\ncontact:");
  assert_true(assert_bounded_and_noted(far, 2.1e6) < 1e9);
}

// Half turns by the step: limits are found one after the other, and everything is solved again with each.
static void an_arm_that_turns_1e14_times_in_a_step(void **state)
{
  (void)state;
  char text[9000];
  snprintf(text, sizeof text, "models: [{file: '%s'}]\n", testing_source("samples/arm.urdf"));
  testing_write("slow.yaml", text);
  assert_bounded_and_noted("--duration 0.003 --v 1e17,-1e17,1e17,-1e17,1e17,-1e17,1e17", 2.5e10);
}

// A tolerance that nothing reaches: the iterations end at rounding, and are no failure.
static void a_tolerance_below_rounding(void **state)
{
  (void)state;
  change_sample("pendulum12.yaml", "integrator:", "dt:",
                "integrator: implicit-moreau\nimplicit: {tolerance: 1e-300, iterations: 10000}\ndt:");
  char line[8500];
  snprintf(line, sizeof line, "cp '%s' '%s/chain12.urdf'", testing_source("samples/chain12.urdf"), testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  assert_bounded_and_noted("--duration 0.5", 2e10);
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/steps") == 500);
  testing_json_free(json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grasp_without_one_of_its_joints), cmocka_unit_test(a_joint_that_turns_at_1e5_rad_a_second),
      cmocka_unit_test(a_joint_that_starts_at_1e5_rad),    cmocka_unit_test(an_arm_that_turns_1e14_times_in_a_step),
      cmocka_unit_test(a_tolerance_below_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
