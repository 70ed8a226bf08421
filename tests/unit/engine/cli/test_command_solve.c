// `sarrus solve`: an answer that is known, what it prints and writes, and what is refused.
#include "support/command.h"

#include <math.h>

// Two masses of 2 kg that meet the ground at 3 m/s, one of them sliding at 8 m/s with mu 0.25; the third row pulls no
// one.
static const double W[36] = {0.5, 0, 0, 0,   0, 0, 0, 0.5, 0, 0, 0,   0, 0, 0, 0.5, 0, 0, 0,
                             0,   0, 0, 0.5, 0, 0, 0, 0,   0, 0, 0.5, 0, 0, 0, 0,   0, 0, 0.5};
static const double b[6] = {-3, 0, 0, -3, 8, 0}, friction[2] = {0.25, 0.25};
static const double impulse[6] = {6, 0, 0, 6, -1.5, 0}, velocity[6] = {0, 0, 0, 0, 7.25, 0};

static void write_problem(const char *name)
{
  char path[4096];
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  const srs_contact_file file = {.problem = {.n_contacts = 2, .W = W, .b = b, .friction = friction},
                                 .title = "two masses",
                                 .guesses = impulse,
                                 .n_guesses = 1};
  if (srs_contact_file_write(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
}

static void the_answer_is_printed_with_its_certificate(void **state)
{
  (void)state;
  const char *const solvers[] = {"mncp-rlm", "mncp-plm", "mlcp-lemke"};
  write_problem("two.hdf5");
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sarrus("solve two.hdf5 --solver %s --json", solvers[i]), 0);
    assert_string_equal(command_err, "");
    testing_json *json = command_json();
    assert_string_equal(testing_json_text(json, "/status"), "solved");
    assert_string_equal(testing_json_text(json, "/solver"), solvers[i]);
    assert_string_equal(testing_json_text(json, "/title"), "two masses");
    assert_true(testing_json_has(json, "/stage") && testing_json_has(json, "/time"));
    assert_true(testing_json_number(json, "/residual") <= 1e-12); // the default tolerance
    assert_true(testing_json_number(json, "/natural_map") <= 1e-12);
    assert_true(testing_json_number(json, "/siconos_error") <= testing_json_number(json, "/natural_map"));
    assert_true(testing_json_number(json, "/iterations") >= 0);
    double values[6];
    testing_json_numbers(json, "/impulse", values, 6);
    testing_assert_close("impulse", values, impulse, 6, 1e-11);
    testing_json_numbers(json, "/velocity", values, 6);
    testing_assert_close("velocity", values, velocity, 6, 1e-11);
    testing_json_free(json);
  }
}

static void without_json_it_is_to_read(void **state)
{
  (void)state;
  write_problem("two.hdf5");
  assert_int_equal(sarrus("solve two.hdf5 --tol 1e-10"), 0);
  assert_says(command_out, "two masses");
  assert_says(command_out, "status           solved\n");
  assert_says(command_out, "residual  ");
}

static void out_holds_problem_and_solution(void **state)
{
  (void)state;
  write_problem("two.hdf5");
  assert_refused(sarrus("solve two.hdf5 --out two.hdf5"), 1, "two.hdf5: is there already and stays as it is");
  assert_int_equal(sarrus("solve two.hdf5 --out two.hdf5 --force --quiet"), 0); // the same name will do
  char path[4096];
  srs_contact_file file;
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/two.hdf5", testing_folder());
  if (srs_contact_file_read(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_memory_equal(file.problem.W, W, sizeof W);
  assert_string_equal(file.title, "two masses");
  assert_int_equal(file.n_guesses, 1);
  testing_assert_close("impulse", file.impulse, impulse, 6, 1e-11);
  testing_assert_close("velocity", file.velocity, velocity, 6, 1e-11);
  srs_contact_file_free(&file);
}

static void what_stays_above_the_tolerance_is_told(void **state)
{
  (void)state;
  const double steep[6] = {-3, 1.0 / 3, 1.0 / 7, -3, -9.13, 0.7}; // no rounding hits this to 1e-300
  char path[4096];
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/steep.hdf5", testing_folder());
  const srs_contact_file file = {.problem = {.n_contacts = 2, .W = W, .b = steep, .friction = friction}};
  if (srs_contact_file_write(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(sarrus("solve steep.hdf5 --tol 1e-300 --json"), 1);
  assert_says(command_err, "sarrus: steep.hdf5: stagnated: the residual is ");
  testing_json *json = command_json(); // the best that was found
  assert_string_equal(testing_json_text(json, "/status"), "stagnated");
  testing_json_free(json);
}

static void what_is_wrong_is_refused_in_one_line(void **state)
{
  (void)state;
  write_problem("two.hdf5");
  testing_write("text.hdf5", "no problem");
  assert_refused(sarrus("solve"), 2, "PROBLEM is missing");
  assert_refused(sarrus("solve two.hdf5 --solver path"), 2, "--solver");
  assert_refused(sarrus("solve two.hdf5 --tol 0"), 2, "--tol");
  assert_refused(sarrus("solve two.hdf5 --tol 1,5"), 2, "--tol");
  assert_refused(sarrus("solve none.hdf5"), 1, "none.hdf5: cannot be opened: No such file");
  assert_refused(sarrus("solve text.hdf5"), 1, "text.hdf5: is no HDF5 file");
  assert_refused(sarrus("solve two.hdf5 --out no/folder/x.hdf5"), 1, "no/folder/x.hdf5: cannot be created");
  assert_int_equal(sarrus("solve --help"), 0);
  assert_says(command_out, "usage: sarrus solve PROBLEM");
}

// HDF5 loses its temper over some: the root's header said to be 4 GB long.
static void a_damaged_file_costs_one_line(void **state)
{
  (void)state;
  char path[4096];
  size_t n;
  write_problem("damaged.hdf5");
  snprintf(path, sizeof path, "%s/damaged.hdf5", testing_folder());
  char *bytes = testing_read(path, &n);
  assert_int_equal(setenv("ASAN_OPTIONS", "detect_leaks=0", 1), 0); // it loses memory, too; nothing to us
  for (size_t i = 104; i < 108; i++) {
    bytes[i] = (char)0xff;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    const int status = sarrus("solve damaged.hdf5 --quiet");
    if (status != 0) assert_refused(status, 1, "damaged.hdf5: ");
  }
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_answer_is_printed_with_its_certificate),
      cmocka_unit_test(without_json_it_is_to_read),
      cmocka_unit_test(out_holds_problem_and_solution),
      cmocka_unit_test(what_stays_above_the_tolerance_is_told),
      cmocka_unit_test(what_is_wrong_is_refused_in_one_line),
      cmocka_unit_test(a_damaged_file_costs_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
