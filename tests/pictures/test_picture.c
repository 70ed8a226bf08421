// The command: what it writes, and how it refuses.
#include "pictures/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char out[65536], err[65536];

// `picture ARGUMENTS`, in the temporary folder.
static int picture(const char *arguments)
{
  const char *command = getenv("SARRUS_PICTURE");
  char line[4096];
  if (command == NULL) skip();
  snprintf(line, sizeof line, "cd '%s' && '%s' %s", testing_folder(), command, arguments);
  return testing_run(line, out, err);
}

static char *drawn(const char *arguments, const char *file)
{
  char path[1200];
  const int status = picture(arguments);
  if (status != 0) fail_msg("%s: %s", arguments, err);
  assert_string_equal(out, "");
  assert_string_equal(err, "");
  snprintf(path, sizeof path, "%s/%s", testing_folder(), file);
  return testing_read(path, NULL);
}

static void scenes_are_drawn_from_all_sides(void **state)
{
  (void)state;
  testing_write("p.yaml", pendulum_scene);
  char *front = drawn("scene p.yaml --at 0,0.5 --out a.svg", "a.svg");
  char *side = drawn("scene p.yaml --at 0,0.5 --out b.svg --view side", "b.svg");
  char *same = drawn("scene p.yaml --at 0,0.5 --out c.svg --view 0,0", "c.svg");
  assert_memory_equal(front, "<svg ", 5);
  assert_string_equal(front, same);
  assert_string_not_equal(front, side);
  assert_non_null(strstr(front, "</svg>\n"));
  free(front);
  free(side);
  free(same);
  free(drawn(
      "scene --out d.svg --overlay --trace rod --mark rod --columns 2 --size 300,200 --window -2,0,2,3 --title Swing "
      "--at 0,0.2,0.4 p.yaml",
      "d.svg"));
}

static void samples_of_the_tree_can_be_drawn(void **state)
{
  (void)state;
  static const char *const samples[] = {"four_bar", "stewart", "disks", "setup6", "double_pendulum"};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    char arguments[2048], name[64];
    snprintf(name, sizeof name, "samples/%s.yaml", samples[i]);
    snprintf(arguments, sizeof arguments, "scene '%s' --at 0,0.1 --view 30,20 --out s.svg", testing_source(name));
    char *text = drawn(arguments, "s.svg");
    assert_in_range(strlen(text), 1000, 60000);
    free(text);
  }
}

static void curves_of_several_files_are_drawn_and_named(void **state)
{
  (void)state;
  testing_write("one.csv", "time,a,b\n0,1,2\n1,2,4\n2,4,8\n");
  testing_write("two.csv", "time,a,b\n0,3,2\n1,2,5\n2,4,9\n");
  char *text = drawn("plot one.csv --x time --y a,b --out p.svg", "p.svg");
  assert_non_null(strstr(text, ">time (s)</text>"));
  assert_non_null(strstr(text, ">a</text>"));
  assert_non_null(strstr(text, ">b</text>"));
  free(text);
  text = drawn("plot one.csv --and two.csv --x time --y a,b --label first --log-y --y-range 1,10 --out p.svg", "p.svg");
  assert_non_null(strstr(text, ">first</text>"));
  assert_non_null(strstr(text, ">one b</text>"));
  assert_non_null(strstr(text, ">two a</text>"));
  free(text);
  text = drawn(
      "plot one.csv --and two.csv --x a --y b --title T --x-label X --y-label Y --size 300,200 --log-x --out p.svg",
      "p.svg");
  assert_non_null(strstr(text, ">two</text>"));
  assert_non_null(strstr(text, "width=\"300\" height=\"200\""));
  free(text);
}

static void mistakes_are_one_line(void **state)
{
  (void)state;
  testing_write("p.yaml", pendulum_scene);
  testing_write("one.csv", "time,a\n0,1\n1,2\n");
  testing_write("bad.csv", "time,a\n0,1\n1,x\n");
  testing_write("bad.yaml", "modles: []\n");
  static const struct {
    const char *arguments;
    int status;
    const char *message;
  } cases[] = {
      {"", 2, "picture: a command is missing: scene or plot; see picture --help\n"},
      {"draw", 2, "picture: no command 'draw'; there are scene and plot; see picture --help\n"},
      {"scene", 2, "picture: a scene is missing; see picture --help\n"},
      {"scene p.yaml --at 0", 2, "picture: --out is missing; see picture --help\n"},
      {"scene p.yaml --out x.svg", 2, "picture: --at is missing: the times to show; see picture --help\n"},
      {"scene p.yaml --out x.svg --at 1,0", 2, "picture: --at 1,0: times rise, from 0 on; see picture --help\n"},
      {"scene p.yaml --out x.svg --at 0 --view below", 2,
       "picture: --view below: front, side, top or AZIMUTH,ELEVATION is wanted; see picture --help\n"},
      {"scene p.yaml --out x.svg --at 0 --size 3", 2,
       "picture: --size 3: WIDTH or WIDTH,HEIGHT in pixels is wanted, 20 to 4000; see picture --help\n"},
      {"scene p.yaml --out x.svg --at 0 --window 1,1,0,2", 2,
       "picture: --window 1,1,0,2: LEFT,BOTTOM,RIGHT,TOP in metres is wanted; see picture --help\n"},
      {"scene p.yaml --out x.svg --at 0 --columns 0", 2, "picture: --columns 0: 1 to 64; see picture --help\n"},
      {"scene p.yaml --out x.svg --at 0 --trace tip", 1,
       "picture: no link or frame 'tip' to trace; `sarrus info` lists them\n"},
      {"scene p.yaml --out x.svg --at 1e300", 1,
       "picture: 1e+300 s are 1e+302 steps from there, more than a picture is worth\n"},
      {"scene bad.yaml --out x.svg --at 0", 1, "picture: bad.yaml:1:1: "},
      {"scene p.yaml --out /nowhere/x.svg --at 0", 1, "picture: cannot write /nowhere/x.svg\n"},
      {"plot one.csv --x time --out x.svg", 2, "picture: --y is missing: the name of a column; see picture --help\n"},
      {"plot one.csv --x time --y b --out x.svg", 1, "picture: one.csv: no column 'b' in the header\n"},
      {"plot bad.csv --x time --y a --out x.svg", 1, "picture: bad.csv:3:3: 'x' is no number\n"},
      {"plot none.csv --x time --y a --out x.svg", 1, "picture: none.csv: cannot be read: No such file or directory\n"},
      {"plot one.csv --x time --y a --y-range 2,1 --out x.svg", 2,
       "picture: --y-range 2,1: LOW,HIGH is wanted; see picture --help\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int status = picture(cases[i].arguments);
    if (status != cases[i].status) fail_msg("%s: status %d, %s", cases[i].arguments, status, err);
    if (strncmp(err, cases[i].message, strlen(cases[i].message)) != 0) fail_msg("%s: %s", cases[i].arguments, err);
    assert_ptr_equal(strchr(err, '\n') + 1, err + strlen(err));
    assert_string_equal(out, "");
  }
}

static void pictures_that_pages_show_are_there_and_small(void **state)
{
  (void)state;
  char line[4096];
  snprintf(line, sizeof line,
           "cd '%s' && grep -oh '[(][^()]*[.]svg[)]' docs/*.md samples/README.md | tr -d '()' | sed "
           "'s/.*pictures/docs\\/pictures/' | "
           "sort -u | while read -r f; do find \"$f\" -size -60k | grep -q . || echo \"$f\"; done",
           testing_source(""));
  assert_int_equal(testing_run(line, out, err), 0);
  assert_string_equal(err, "");
  assert_string_equal(out, "");
  snprintf(line, sizeof line,
           "cd '%s' && for f in $(find docs/pictures -name '*.svg'); do grep -q \"$(basename \"$f\")\" docs/*.md "
           "samples/README.md || echo \"$f\"; done",
           testing_source(""));
  assert_int_equal(testing_run(line, out, err), 0);
  assert_string_equal(out, ""); // and none is there that no page shows
}

static void help_is_on_stdout(void **state)
{
  (void)state;
  assert_int_equal(picture("--help"), 0);
  assert_non_null(strstr(out, "picture plot"));
  assert_int_equal(picture("scene --help"), 0);
  assert_string_equal(err, "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_are_drawn_from_all_sides),
      cmocka_unit_test(samples_of_the_tree_can_be_drawn),
      cmocka_unit_test(curves_of_several_files_are_drawn_and_named),
      cmocka_unit_test(mistakes_are_one_line),
      cmocka_unit_test(pictures_that_pages_show_are_there_and_small),
      cmocka_unit_test(help_is_on_stdout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
