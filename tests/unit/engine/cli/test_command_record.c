// `sarrus run --record-problems`: what is kept of a run, in which order, and what is refused.
#include "support/command.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *file_of(const char *folder, int i)
{
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s/problem-%03d.hdf5", testing_folder(), folder, i);
  return path;
}

// The number before " iterations" in a description.
static int iterations_of(const srs_contact_file *file)
{
  const char *end = strstr(file->description, " iterations");
  assert_non_null(end);
  while (end > file->description && end[-1] != ' ') end--;
  return (int)strtol(end, NULL, 10);
}

static void the_hardest_are_kept_in_order(void **state)
{
  (void)state;
  assert_int_equal(sarrus("run '%s' --duration 3 --out p.csv --record-problems kept --record 4 --json",
                          testing_source("samples/pendulum12.yaml")),
                   0);
  testing_json *json = command_json();
  assert_int_equal((int)testing_json_number(json, "/recorded"), 4);
  assert_string_equal(testing_json_text(json, "/recorded_in"), "kept");
  const int most = (int)testing_json_number(json, "/solver_iterations/max");
  testing_json_free(json);
  int before = most;
  for (int i = 1; i <= 4; i++) {
    srs_contact_file file;
    srs_error error = {0};
    if (srs_contact_file_read(file_of("kept", i), &file, &error) != SRS_OK) fail_msg("%s", error.message);
    const int iterations = iterations_of(&file);
    assert_true(i == 1 ? iterations == most : iterations <= before);
    before = iterations;
    assert_non_null(strstr(file.title, "pendulum12.yaml: step "));
    assert_non_null(strstr(file.title, ", from t = "));
    assert_in_range(file.problem.n_contacts, 1, 24);
    assert_non_null(file.impulse);
    srs_contact_file_free(&file);
    assert_int_equal(sarrus("solve kept/problem-%03d.hdf5 --json", i), 0);
  }
  assert_int_not_equal(access(file_of("kept", 5), F_OK), 0);
}

static void runs_are_the_same_with_and_without(void **state)
{
  (void)state;
  const char *scene = testing_source("samples/pendulum12.yaml");
  assert_int_equal(sarrus("run '%s' --duration 2 --out without.csv", scene), 0);
  assert_int_equal(sarrus("run '%s' --duration 2 --out with.csv --record-problems same", scene), 0);
  assert_says(command_out, "recorded         10 contact problems in same\n");
  assert_refused(sarrus("run '%s' --out with2.csv --record-problems same", scene), 1,
                 "same/problem-001.hdf5: is there already");
  assert_false(file_exists("with2.csv"));
  assert_int_equal(sarrus("run '%s' --duration 0.1 --out with2.csv --record-problems same --force", scene),
                   0); // no contact yet
  assert_says(command_out, "recorded         0 contact problems in same\n");
  char line[5000];
  snprintf(line, sizeof line, "cmp '%s/without.csv' '%s/with.csv'", testing_folder(), testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
}

static void what_cannot_be_is_refused_before_the_run(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("taken", "a file");
  assert_refused(sarrus("run p.urdf --record 3"), 2, "--record-problems");
  assert_refused(sarrus("run p.urdf --record-problems x --record 0"), 2, "--record");
  assert_refused(sarrus("run p.urdf --record-problems x --record 5000"), 1, "at most 999");
  assert_refused(sarrus("run p.urdf --out no.csv --record-problems taken"), 1,
                 "taken: cannot be created: Not a directory");
  assert_refused(sarrus("run p.urdf --record-problems no/such/folder"), 1, "no/such/folder: cannot be created");
  if (geteuid() != 0) { // who may write anywhere
    char folder[512];
    snprintf(folder, sizeof folder, "%s/locked", testing_folder());
    assert_int_equal(mkdir(folder, 0500), 0);
    assert_refused(sarrus("run p.urdf --record-problems locked"), 1, "locked: cannot be written to: Permission denied");
  }
  assert_false(file_exists("no.csv"));
}

static void steps_without_contact_problems_take_no_solver(void **state)
{
  (void)state;
  const char *scene = testing_source("samples/two_spheres.yaml");
  assert_refused(sarrus("run '%s' --record-problems none", scene), 2, "--record-problems is about contact problems");
  assert_refused(sarrus("run '%s' --solver mncp-plm", scene), 2, "--solver is about contact problems");
  assert_refused(sarrus("run '%s' --compare all", scene), 2, "--compare is about contact problems");
  assert_false(file_exists("none"));
  assert_int_equal(sarrus("run '%s' --duration 0.1 --out s.csv", scene), 0);
  assert_says(command_out, "contact solver   mcp\n");
  assert_int_equal(sarrus("run '%s' --duration 0.1 --integrator moreau-midpoint --out s.csv --solver mncp-plm", scene),
                   0);
  assert_says(command_out, "contact solver   mncp-plm\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hardest_are_kept_in_order),
      cmocka_unit_test(runs_are_the_same_with_and_without),
      cmocka_unit_test(what_cannot_be_is_refused_before_the_run),
      cmocka_unit_test(steps_without_contact_problems_take_no_solver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
