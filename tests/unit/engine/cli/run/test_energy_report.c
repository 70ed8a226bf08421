// The energy balance as a run prints and writes it, and the warning where the steps made energy.
#include "support/command.h"

static void assert_header_ends(const char *name, const char *end)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  char *text = testing_read(path, NULL);
  *strchr(text, '\n') = '\0';
  const size_t length = strlen(text), n = strlen(end);
  if (length < n || strcmp(text + length - n, end) != 0) fail_msg("the header is %s", text);
  free(text);
}

// A body that tumbles fast gains energy under the explicit step; the midpoint step keeps it.
static void the_command_prints_the_balance_and_warns(void **state)
{
  (void)state;
  testing_write("tumbling.yaml",
                "gravity: [0, 0, 0]\n"
                "models: [{base: floating, links: [{name: b, mass: 1, inertia: [0.01, 0.02, 0.025]}]}]\n"
                "initial: {v: {root: [0, 0, 0, 20, 30, 10]}}\n"
                "velocity_terms: start\nkeep_momentum: false\nduration: 1\n");
  assert_int_equal(sarrus("run tumbling.yaml"), 0);
  assert_says(command_out, "\n  the scheme     ");
  assert_says(command_out, " J turned over\n");
  assert_says(command_err, "sarrus: warning: the steps made ");
  assert_says(command_err, "lower dt, or take integrator: implicit-moreau\n");
  assert_int_equal(sarrus("run tumbling.yaml --integrator implicit-moreau --json"), 0);
  assert_says(command_out, "\"energy_balance\": {");
  assert_says(command_out, "\"rest\": ");
  assert_string_equal(command_err, "");
  testing_write("silent.yaml", "models: [{base: floating, links: [{name: b, mass: 1, inertia: [1, 1, 1]}]}]\n"
                               "duration: 0.01\nenergy_balance: false\noutput: {file: e.csv, energies: true}\n");
  assert_int_equal(sarrus("run silent.yaml"), 0);
  assert_null(strstr(command_out, "the scheme"));
  assert_header_ends("e.csv", ",v:root.wz,energy:kinetic,energy:potential");
  testing_write("told.yaml", "models: [{base: floating, links: [{name: b, mass: 1, inertia: [1, 1, 1]}]}]\n"
                             "duration: 0.01\noutput: {file: e.csv, energies: true}\n");
  assert_int_equal(sarrus("run told.yaml"), 0);
  assert_header_ends("e.csv", "energy:potential,energy:drives,energy:dampers,energy:dry_friction,energy:contact_normal,"
                              "energy:contact_friction,energy:limits,energy:loops,energy:loop_joints,energy:push_out,"
                              "energy:rest");
  assert_int_equal(sarrus("run tumbling.yaml --json --quiet"), 0);
  assert_string_equal(command_err, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_command_prints_the_balance_and_warns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
