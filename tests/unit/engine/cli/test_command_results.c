// What runs leave: units of every column, messages that help, statuses, nothing on stdout that does not belong there.
#include "support/command.h"

#include <math.h>

static const char *const samples[] = {"pendulum12", "walker", "arm_wipe", "dice3", "stewart"};

// Every column that there can be has a unit: "1" where it is a number alone.
static void F87_every_column_has_a_unit(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    char name[64];
    int n = 0;
    snprintf(name, sizeof name, "samples/%s.yaml", samples[i]);
    assert_int_equal(sarrus("info '%s' --columns | head -n 500", testing_source(name)), 0);
    for (char *line = strtok(command_out, "\n"); line != NULL; line = strtok(NULL, "\n"), n++) {
      const char *unit = strstr(line, "  ");
      if (unit == NULL || strspn(unit, " ") == strlen(unit)) fail_msg("%s: no unit: %s", samples[i], line);
      if (strstr(line, "twist:") == line) assert_says(line, "  axes: world");
    }
    assert_true(n > 20);
  }
}

// A torque that no number holds. The rows up to there are whole, the last one is the last good state.
static void F88_the_message_names_joint_and_time_and_the_rows_stay(void **state)
{
  (void)state;
  testing_write("p.yaml", "models:\n- name: p\n"
                          "  links: [{name: rod, mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.02]}]\n"
                          "  joints: [{name: h, kind: revolute, child: rod, axis: [1, 0, 0]}]\n"
                          "gravity: [0, 0, 0]\ndt: 10\nduration: 1000\n");
  testing_write("in.csv", "time,tau:h\n0,0\n50,1e308\n");
  const int status = sarrus("run p.yaml --input in.csv --every 2 --out grown.csv");
  assert_int_equal(status, 1);
  assert_says(command_err, "t = ");
  assert_says(command_err, "'h'");
  assert_says(command_err, "lower dt");
  assert_int_equal(assert_whole_csv("grown.csv"), 4); // 0, 20, 40, and 50, the last good state
}

static void F89_failures_are_told_by_the_status_and_on_stderr(void **state)
{
  (void)state;
  static const char *const lines[] = {
      "run nofile.xml", "run nofile.yaml",   "info nofile.urdf",        "eval nofile.urdf mass-matrix",
      "view nofile.h5", "plot nofile.csv q", "convert nofile.h5 a.csv", "run --resume nofile.h5"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) assert_refused(sarrus("%s", lines[i]), 1, "nofile");
}

static void a_live_run_needs_a_port(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_refused(sarrus("run p.urdf --live 70000"), 2, "is no port");
  assert_refused(sarrus("run p.urdf --live x"), 2, "live");
  assert_refused(sarrus("run p.urdf --live -1"), 2, "live");
  assert_refused(sarrus("run p.urdf --live 0 --compare all"), 2, "cannot be combined with --live");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F87_every_column_has_a_unit),
      cmocka_unit_test(F88_the_message_names_joint_and_time_and_the_rows_stay),
      cmocka_unit_test(a_live_run_needs_a_port),
      cmocka_unit_test(F89_failures_are_told_by_the_status_and_on_stderr),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
