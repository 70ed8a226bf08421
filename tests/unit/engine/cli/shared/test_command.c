// The command's front: help, version, unknown words, options, streams that cannot be written.
#include "support/command.h"

static void no_subcommand_is_wrong_usage(void **state)
{
  (void)state;
  assert_refused(sarrus(" "), 2, "run, info");
  assert_refused(sarrus("''"), 2, "eval");
}

static void an_unknown_subcommand_names_the_nearest_and_all(void **state)
{
  (void)state;
  assert_refused(sarrus("rum x.urdf"), 2, "did you mean 'run'?");
  assert_says(command_err, "run, info, eval");
  assert_refused(sarrus("fly x"), 2, "run, info, eval");
  assert_refused(sarrus("--quiet run x"), 2, "options follow the subcommand");
}

static void help_goes_to_stdout_with_status_0(void **state)
{
  (void)state;
  static const char *const ways[] = {"--help", "-h", "help"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sarrus("%s", ways[i]), 0);
    assert_says(command_out, "usage: sarrus");
    assert_string_equal(command_err, "");
  }
  static const char *const names[] = {"run", "info", "eval"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sarrus("%s --help", names[i]), 0);
    assert_says(command_out, names[i]);
    assert_says(command_out, "--base fixed|floating");
    assert_string_equal(command_err, "");
    char *by_option = strdup(command_out);
    assert_int_equal(sarrus("help %s", names[i]), 0);
    assert_string_equal(command_out, by_option);
    free(by_option);
  }
  assert_refused(sarrus("help rn"), 2, "did you mean 'run'?");
}

static void version_is_the_library_s(void **state)
{
  (void)state;
  assert_int_equal(sarrus("--version"), 0);
  assert_says(command_out, srs_version());
}

static void wrong_options_are_told(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  static const struct {
    const char *arguments, *message;
    int status;
  } cases[] = {
      {"run p.urdf --duraton 1", "did you mean '--duration'?", 2},
      {"run p.urdf --dura=1", "did you mean '--duration'?", 2},
      {"run p.urdf --zzzzzz", "unknown option '--zzzzzz'", 2},
      {"run p.urdf -d 1", "two dashes", 2},
      {"run p.urdf --dt", "--dt needs a value", 2},
      {"run p.urdf --out --json", "--out=--json", 2},
      {"run p.urdf --json=yes", "--json takes no value", 2},
      {"run", "SCENE is missing", 2},
      {"run p.urdf q.urdf", "unexpected argument 'q.urdf'", 2},
      {"eval p.urdf", "WHAT is missing", 2},
      {"info", "MODEL is missing", 2},
      {"run -- --dt", "--dt", 1}, // a file of that name, which is not there
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_refused(sarrus("%s", cases[i].arguments), cases[i].status, cases[i].message);
  }
}

static void options_have_two_forms_and_the_last_one_counts(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("run --dt 0.5 --duration=3 p.urdf --json --dt=0.25 --duration 1 --"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_number(json, "/steps"), 4);
  testing_json_free(json);
}

static void results_that_cannot_be_written_are_a_failure(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("run.csv", "time,q:a\n0,0\n1,1\n");
  static const char *const arguments[] = {"info p.urdf",
                                          "info p.urdf --json",
                                          "eval p.urdf energy",
                                          "run p.urdf --duration 0",
                                          "run p.urdf --duration 0.01 --json",
                                          "check p.urdf",
                                          "check p.urdf --json",
                                          "check p.urdf --pairs",
                                          "convert p.urdf out.yaml --force",
                                          "plot run.csv q:a --out run.svg --force",
                                          "plot run.csv q:a --list",
                                          "--help",
                                          "plot --help",
                                          "--version"};
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    assert_refused(sarrus("%s >/dev/full", arguments[i]), 1, "standard output");
    assert_refused(sarrus("%s >&-", arguments[i]), 1, "standard output");
  }
  // With stdout closed the trajectory must not be given its place.
  assert_refused(sarrus("run p.urdf --duration 0.01 --out closed.csv >&-"), 1, "standard output");
  assert_int_equal(assert_whole_csv("closed.csv"), 11);
}

static void a_missing_file_is_status_1_and_a_message_on_stderr(void **state)
{
  (void)state;
  static const char *const files[] = {"nofile.xml", "nofile.urdf", "nofile.yaml", "no/such/folder/a.urdf"};
  for (int i = 0; i < 4; i++) {
    assert_refused(sarrus("run %s", files[i]), 1, files[i]);
    assert_refused(sarrus("info %s", files[i]), 1, files[i]);
    assert_refused(sarrus("eval %s fk", files[i]), 1, files[i]);
  }
}

static void a_message_is_one_line_whatever_a_name_holds(void **state)
{
  (void)state;
  assert_refused(sarrus("run \"$(printf 'two\\nlines\\033[31m.urdf')\""), 1, "two");
  assert_null(strchr(command_err, '\033'));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_subcommand_is_wrong_usage),
      cmocka_unit_test(an_unknown_subcommand_names_the_nearest_and_all),
      cmocka_unit_test(help_goes_to_stdout_with_status_0),
      cmocka_unit_test(version_is_the_library_s),
      cmocka_unit_test(wrong_options_are_told),
      cmocka_unit_test(options_have_two_forms_and_the_last_one_counts),
      cmocka_unit_test(results_that_cannot_be_written_are_a_failure),
      cmocka_unit_test(a_missing_file_is_status_1_and_a_message_on_stderr),
      cmocka_unit_test(a_message_is_one_line_whatever_a_name_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
