// `sarrus run --compare`: several solvers on one scene, their figures and their distances.
#include "support/command.h"

#include <math.h>

// A cube that slides down a slope and across it: its slip turns, so solvers differ.
static const char cube[] = "gravity: [1.7, 0, -9.66]\n"
                           "models:\n"
                           "  - name: cube\n"
                           "    base: floating\n"
                           "    position: [0, 0, 0.05]\n"
                           "    links: [{name: cube, mass: 1, inertia: [0.0017, 0.0017, 0.0017]}]\n"
                           "    shapes: [{link: cube, kind: box, size: [0.1, 0.1, 0.1]}]\n"
                           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
                           "contact: {friction: 0.3}\n"
                           "initial: {v: {root: [0, 1, 0, 0, 0, 0]}}\n"
                           "duration: 0.04\n";

static testing_json *compare_json(const char *arguments)
{
  testing_write("cube.yaml", cube);
  if (sarrus("run cube.yaml --json --compare %s", arguments) != 0) fail_msg("%s", command_err);
  return command_json();
}

static void json_has_every_promised_key(void **state)
{
  (void)state;
  static const char *const keys[] = {"scene",        "status",    "integrator",   "steps",  "dt",     "sim_time",
                                     "energy_start", "reference", "sample_times", "levels", "output", "rows"};
  static const char *const of_each[] = {"name",
                                        "solver",
                                        "directions",
                                        "steps",
                                        "wall_time",
                                        "cpu_time",
                                        "contact_steps",
                                        "contacts_max",
                                        "problems",
                                        "solver_iterations/mean",
                                        "solver_iterations/max",
                                        "solver_failures",
                                        "residual_max",
                                        "penetration_max",
                                        "energy_end",
                                        "difference",
                                        "difference_max",
                                        "exceeds",
                                        "stopped"};
  testing_json *json = compare_json("mncp-rlm,mlcp-lemke@6 --out d.csv");
  char path[64];
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    snprintf(path, sizeof path, "/%s", keys[i]);
    if (!testing_json_has(json, path)) fail_msg("no %s", path);
  }
  assert_int_equal(testing_json_count(json, "/solvers"), 2);
  for (size_t i = 0; i < sizeof of_each / sizeof *of_each; i++) {
    snprintf(path, sizeof path, "/solvers/1/%s", of_each[i]);
    if (!testing_json_has(json, path)) fail_msg("no %s", path);
  }
  assert_string_equal(testing_json_text(json, "/reference"), "mncp-rlm");
  assert_string_equal(testing_json_text(json, "/solvers/1/name"), "mlcp-lemke@6");
  assert_string_equal(testing_json_text(json, "/solvers/1/solver"), "mlcp-lemke");
  assert_true(testing_json_number(json, "/solvers/1/directions") == 6);
  assert_true(testing_json_number(json, "/steps") == 40);
  testing_json_free(json);
}

// Side by side or alone, a motion is the same to the bit.
static void each_solver_does_what_it_does_alone(void **state)
{
  (void)state;
  static const char *const keys[] = {"energy_end", "contact_steps", "solver_iterations/mean", "residual_max"};
  testing_json *json = compare_json("all");
  assert_int_equal(testing_json_count(json, "/solvers"), SRS_CONTACT_METHODS);
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) {
    const char *name = srs_contact_method_name((srs_contact_method)i);
    char path[64];
    snprintf(path, sizeof path, "/solvers/%d/name", i);
    assert_string_equal(testing_json_text(json, path), name);
    if (sarrus("run cube.yaml --json --solver %s", name) != 0) fail_msg("%s", command_err);
    testing_json *alone = command_json();
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      char of_one[64];
      snprintf(path, sizeof path, "/solvers/%d/%s", i, keys[k]);
      snprintf(of_one, sizeof of_one, "/%s", keys[k]);
      if (testing_json_number(json, path) != testing_json_number(alone, of_one))
        fail_msg("%s: %.17g, alone %.17g", path, testing_json_number(json, path), testing_json_number(alone, of_one));
    }
    testing_json_free(alone);
  }
  testing_json_free(json);
}

static void distances_are_those_of_the_motions(void **state)
{
  (void)state;
  // Four directions along x and y, the slip starts along y and turns towards x: they slide differently.
  char text[2048];
  snprintf(text, sizeof text, "%ssolver: {alignment: fixed}\n", cube);
  testing_write("fixed.yaml", text);
  assert_int_equal(sarrus("run fixed.yaml --duration 0.2 --json --compare mncp-rlm,mncp-plm,mlcp-lemke"), 0);
  testing_json *json = command_json();
  double q[2][7], difference[2][5], exceeds[2][3], times[5];
  testing_json_numbers(json, "/sample_times", times, 5);
  for (int i = 0; i < 2; i++) {
    char path[64];
    snprintf(path, sizeof path, "/solvers/%d/difference", i + 1);
    testing_json_numbers(json, path, difference[i], 5);
  }
  const double expected_times[5] = {0.01, 0.02, 0.04, 0.1, 0.2};
  testing_assert_close("times", times, expected_times, 5, 1e-15);
  testing_json_numbers(json, "/solvers/2/exceeds", exceeds[1], 3);
  assert_true(difference[0][4] < 1e-9 && difference[1][4] > 1e-3);
  assert_true(exceeds[1][0] <= exceeds[1][1] && exceeds[1][1] < exceeds[1][2] && exceeds[1][2] < 0.2);
  testing_json_free(json);
  static const char *const solvers[] = {"mncp-rlm", "mlcp-lemke"}, *const names[] = {"x", "y", "z"};
  for (int i = 0; i < 2; i++) {
    if (sarrus("run fixed.yaml --duration 0.2 --json --solver %s", solvers[i]) != 0) fail_msg("%s", command_err);
    json = command_json();
    for (int k = 0; k < 3; k++) {
      char path[64];
      snprintf(path, sizeof path, "/final/q/\"root.%s\"", names[k]);
      q[i][k] = testing_json_number(json, path);
    }
    testing_json_free(json);
  }
  // It does not turn: the largest coordinate of the difference is one of x, y, z.
  double largest = 0;
  for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(q[1][k] - q[0][k]));
  assert_true(fabs(difference[1][4] - largest) <= 1e-12);
}

static void the_table_names_every_solver_once_a_part(void **state)
{
  (void)state;
  testing_write("cube.yaml", cube);
  assert_int_equal(sarrus("run cube.yaml --compare 'mncp-rlm, mlcp-pfb-plm@64'"), 0);
  assert_string_equal(command_err, "");
  assert_says(command_out, "distance from mncp-rlm");
  assert_says(command_out, "> 1e-9");
  assert_says(command_out, "\nmncp-rlm ");
  assert_says(command_out, "\nmlcp-pfb-plm@64 ");
  for (const char *line = command_out; *line != '\0';) { // legible on a terminal of 100 columns
    const size_t length = strcspn(line, "\n");
    assert_true(length <= 100);
    line += length + 1;
  }
}

static void the_file_has_three_columns_a_solver(void **state)
{
  (void)state;
  testing_json *json = compare_json("mncp-rlm,mlcp-lemke --out d.csv --every 7");
  const int rows = 1 + 40 / 7;
  assert_int_equal(assert_whole_csv("d.csv"), rows);
  assert_true(testing_json_number(json, "/rows") == rows);
  testing_json_free(json);
  char path[1200];
  snprintf(path, sizeof path, "%s/d.csv", testing_folder());
  char *text = testing_read(path, NULL);
  static const char header[] =
      "time,difference:mncp-rlm,iterations:mncp-rlm,residual:mncp-rlm,"
      "difference:mlcp-lemke,iterations:mlcp-lemke,residual:mlcp-lemke\n0,0,0,0,0,0,0\n0.007,0,";
  assert_memory_equal(text, header, sizeof header - 1);
  free(text);
}

static void a_step_that_fails_stops_one_motion_and_is_told(void **state)
{
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, "%scollision: {}\n", cube);
  char *at = strstr(text, "friction: 0.3");
  memmove(at + 13, at, strlen(at) + 1);
  memcpy(at, "capacity: 1, ", 13);
  testing_write("full.yaml", text);
  const int status = sarrus("run full.yaml --compare mncp-rlm,mncp-plm");
  assert_int_equal(status, 1);
  assert_says(command_err, "full.yaml: mncp-rlm: ");
  assert_says(command_out, "mncp-plm stopped: ");
}

static void an_interrupt_ends_all_after_the_same_step(void **state)
{
  (void)state;
  testing_write("cube.yaml", cube);
  // Waits until rows are there, then sends the signal; the run would take days.
  const int status = sarrus("run cube.yaml --duration 1e8 --compare mncp-rlm,mncp-plm --out int.csv --json & "
                            "n=0; until [ $(cat int.csv 2>/dev/null | wc -c) -gt 1000 ] || [ $n -gt 200 ]; "
                            "do n=$((n+1)); sleep 0.05; done; kill -INT $!; wait $!");
  assert_int_equal(status, 1);
  assert_says(command_err, "interrupted after step ");
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/status"), "interrupted");
  assert_true(testing_json_number(json, "/solvers/0/steps") == testing_json_number(json, "/steps"));
  assert_true(testing_json_number(json, "/solvers/1/steps") == testing_json_number(json, "/steps"));
  assert_true(testing_json_number(json, "/rows") == assert_whole_csv("int.csv"));
  testing_json_free(json);
}

static void what_is_typed_wrong_is_told(void **state)
{
  (void)state;
  testing_write("cube.yaml", cube);
  assert_refused(sarrus("run cube.yaml --compare mncp-rlm,path"), 2, "no 'path'");
  assert_says(command_err, "mncp-rlm, mncp-plm, mlcp-lemke, mlcp-pfb-rlm, mlcp-pfb-plm, mlcp-fb-rlm, mlcp-fb-plm");
  assert_refused(sarrus("run cube.yaml --compare mncp-rlm,mlcp-lemk"), 2, "did you mean 'mlcp-lemke'?");
  assert_refused(sarrus("run cube.yaml --compare ''"), 2, "no ''");
  assert_refused(sarrus("run cube.yaml --compare mncp-rlm,,mncp-plm"), 2, "no ''");
  assert_refused(sarrus("run cube.yaml --compare mncp-rlm,mncp-rlm"), 2, "names 'mncp-rlm' twice");
  assert_refused(sarrus("run cube.yaml --compare mncp-rlm@8"), 2, "takes no directions");
  assert_refused(sarrus("run cube.yaml --compare mlcp-lemke@7"), 2, "an even number from 4 to 64");
  assert_refused(sarrus("run cube.yaml --solver mlcp-lemke@"), 2, "an even number from 4 to 64");
  assert_refused(sarrus("run cube.yaml --compare all --solver mncp-rlm"), 2, "--solver");
  assert_refused(sarrus("run cube.yaml --compare all --stats"), 2, "--stats");
  assert_refused(sarrus("run cube.yaml --compare all --record-problems x"), 2, "--record-problems");
  assert_refused(sarrus("run cube.yaml --compare all --out cube.yaml"), 1, "is the scene itself");
  assert_refused(sarrus("run cube.yaml --compare all --out none/d.csv"), 1, "cannot be created");
  assert_refused(sarrus("run cube.yaml --compare all --out d.h5"), 2, "HDF5");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_has_every_promised_key),
      cmocka_unit_test(each_solver_does_what_it_does_alone),
      cmocka_unit_test(distances_are_those_of_the_motions),
      cmocka_unit_test(the_table_names_every_solver_once_a_part),
      cmocka_unit_test(the_file_has_three_columns_a_solver),
      cmocka_unit_test(a_step_that_fails_stops_one_motion_and_is_told),
      cmocka_unit_test(an_interrupt_ends_all_after_the_same_step),
      cmocka_unit_test(what_is_typed_wrong_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
