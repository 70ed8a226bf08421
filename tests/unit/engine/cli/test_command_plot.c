// `sarrus plot`: the curves that are asked for, with names and units, and what is refused.
#include "support/command.h"

static const char csv[] = "time,q:a,q:b,v:a\n0,0,1,0\n0.5,1,0.5,2\n1,4,0.25,4\n";
static const char metadata[] = "version: 0.1.0\ncolumns:\n  - {name: \"time\", unit: \"s\"}\n"
                               "  - {name: \"q:a\", unit: \"rad\"}\n  - {name: \"q:b\", unit: \"m\"}\n"
                               "  - {name: \"v:a\", unit: \"rad/s\"}\nscene: |2\n  x: {name: \"q:a\", unit: \"no\"}\n";

static void write_run(void)
{
  testing_write("run.csv", csv);
  testing_write("run.csv.yaml", metadata);
}

// The file's text, a view that the next call changes.
static const char *text_of(const char *name)
{
  static char text[100000];
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  text[n] = '\0';
  fclose(file);
  return text;
}

static int count(const char *text, const char *part)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++) n++;
  return n;
}

static void columns_are_drawn_with_their_units(void **state)
{
  (void)state;
  write_run();
  assert_int_equal(sarrus("plot run.csv q:a"), 0);
  assert_says(command_out, "written  run.svg");
  const char *svg = text_of("run.svg");
  assert_says(svg, "<svg");
  assert_says(svg, ">q:a (rad)<");
  assert_says(svg, ">time (s)<");
  assert_int_equal(count(svg, "<circle"), 3); // a dot for each row
  assert_int_equal(sarrus("plot run.csv '*' -o all.svg --panel v:a --title 'One run'"), 0);
  svg = text_of("all.svg");
  assert_says(svg, ">One run<");
  assert_says(svg, ">q:a (rad)<"); // units differ: each in the legend
  assert_says(svg, ">q:b (m)<");
  assert_int_equal(count(svg, "<circle"), 4 * 3); // without time over itself
}

static void runs_are_compared_and_phases_drawn(void **state)
{
  (void)state;
  write_run();
  testing_write("other.csv", csv);
  assert_int_equal(sarrus("plot run.csv q:a --with other.csv --out two.svg"), 0);
  assert_says(text_of("two.svg"), ">q:a, run.csv (rad)<");
  assert_says(text_of("two.svg"), ">q:a, other.csv<");
  // Twelve columns of two runs: as many lines in the legend, within the picture.
  testing_write("many.csv", "time,e:1,e:2,e:3,e:4,e:5,e:6,e:7,e:8,e:9,e:10,e:11,e:12\n"
                            "0,1,2,3,4,5,6,7,8,9,10,11,12\n1,2,3,4,5,6,7,8,9,10,11,12,13\n");
  testing_write("more.csv", "time,e:1,e:2,e:3,e:4,e:5,e:6,e:7,e:8,e:9,e:10,e:11,e:12\n"
                            "0,1,2,3,4,5,6,7,8,9,10,11,12\n1,2,3,4,5,6,7,8,9,10,11,12,14\n");
  assert_int_equal(sarrus("plot many.csv 'e:*' --with more.csv --out many.svg"), 0);
  assert_int_equal(count(text_of("many.svg"), ", more.csv<"), 12);
  assert_says(text_of("many.svg"), "height=\"502\"");
  assert_true(count(text_of("many.svg"), "1.5 3.5") > 0); // from the 17th on another dash
  assert_int_equal(sarrus("plot run.csv v:a --x q:a --out phase.svg --from 0.5 --to 1"), 0);
  assert_says(text_of("phase.svg"), ">q:a (rad)<");
  assert_int_equal(count(text_of("phase.svg"), "<circle"), 2); // of two rows
  assert_int_equal(sarrus("plot run.csv '*' --list"), 0);
  assert_string_equal(command_out, "time  s\nq:a  rad\nq:b  m\nv:a  rad/s\n");
}

static void what_is_there_stays(void **state)
{
  (void)state;
  write_run();
  testing_write("taken.svg", "mine");
  assert_refused(sarrus("plot run.csv q:a --out taken.svg"), 1, "taken.svg");
  assert_string_equal(text_of("taken.svg"), "mine");
  assert_int_equal(sarrus("plot run.csv q:a --out taken.svg --force"), 0);
  assert_says(text_of("taken.svg"), "<svg");
  char line[2500];
  snprintf(line, sizeof line, "cd '%s' && ln -sf run.csv link.svg", testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  assert_refused(sarrus("plot run.csv q:a --out link.svg"), 1, "is a run that is drawn");
  assert_refused(sarrus("plot run.csv q:a --out link.svg --force"), 1, "is a run that is drawn");
  assert_string_equal(text_of("run.csv"), csv);
}

static void wrong_input_is_told(void **state)
{
  (void)state;
  write_run();
  testing_write("bad.csv", "time,q:a\n0,1\n0.5,x\n");
  assert_refused(sarrus("plot run.csv q:c"), 1, "run.csv: no column 'q:c'");
  assert_refused(sarrus("plot run.csv q:a --x z"), 1, "no column 'z'");
  assert_refused(sarrus("plot bad.csv q:a"), 1, "bad.csv:3:5: 'x' is no number");
  assert_refused(sarrus("plot none.csv q:a"), 1, "none.csv: cannot be read");
  assert_refused(sarrus("plot run.csv q:a --out a.gif"), 2, "ends in .svg or .png");
  assert_refused(sarrus("plot run.csv q:a, --out a.svg"), 2, "no list of columns");
  assert_refused(sarrus("plot run.csv q:a --from 2 --out a.svg"), 1,
                 "no rows between --from and --to: it has time = 0 to 1");
  assert_refused(sarrus("plot run.csv q:a --size 3,4 --out a.svg"), 2, "--size 3,4");
  assert_refused(sarrus("plot run.csv"), 2, "COLUMNS is missing");
  assert_refused(sarrus("plot run.csv q:a --log-y --from 0 --to 0 --out a.svg"), 1, "logarithm");
  assert_false(file_exists("a.svg"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_drawn_with_their_units),
      cmocka_unit_test(runs_are_compared_and_phases_drawn),
      cmocka_unit_test(what_is_there_stays),
      cmocka_unit_test(wrong_input_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
