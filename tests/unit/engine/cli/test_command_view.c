// `sarrus view` and `sarrus run --view`: what the page holds, and what is refused. tests/browser looks at the page
// itself.
#include "support/command.h"

#include <math.h>

// A build without three.js says so, and that is all there is to hold.
static bool has_pages(void)
{
  if (sarrus("view none.csv") == 1 && strstr(command_err, "libjs-three") == NULL) return true;
  assert_refused(sarrus("view none.csv"), 1, "Debian package libjs-three");
  return false;
}

static char *read_page(const char *name)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return testing_read(path, NULL);
}

static int count(const char *text, const char *part)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++) n++;
  return n;
}

// The run within a page, parsed.
static testing_json *run_of(const char *page)
{
  const char head[] = "<script type=\"application/json\" id=\"run\">\n";
  const char *begin = strstr(page, head);
  assert_non_null(begin);
  begin += sizeof head - 1;
  const char *end = strstr(begin, "</script>");
  assert_non_null(end);
  char *text = strndup(begin, (size_t)(end - begin));
  testing_json *json = testing_json_parse(text);
  free(text);
  return json;
}

// Bytes of a base64 text.  @return how many
static size_t decode(const char *text, unsigned char *bytes, size_t room)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t n = 0, bits = 0;
  unsigned word = 0;
  for (; *text != '\0' && *text != '='; text++) {
    word = word << 6 | (unsigned)(strchr(digits, *text) - digits);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    assert_true(n < room);
    bytes[n++] = (unsigned char)(word >> bits);
  }
  return n;
}

static const char swing[] =
    "models:\n  - name: pendulum\n    links: [{name: \"</script><b>\", mass: 2, com: [0, 0, -0.5], "
    "inertia: [0.1, 0.1, 0.02]}]\n"
    "    joints: [{name: h, kind: revolute, axis: [1, 0, 0], child: \"</script><b>\", "
    "origin: {position: [0, 0, 3]}}]\n"
    "    shapes: [{link: \"</script><b>\", kind: sphere, radius: 0.1, pose: {position: [0, 0, -1]}}]\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
    "initial: {q: {h: 1}}\nduration: 1\noutput: {file: swing.csv, every: 10}\n";

static void a_page_holds_poses_shapes_and_columns(void **state)
{
  (void)state;
  if (!has_pages()) return;
  testing_write("swing.yaml", swing);
  assert_int_equal(sarrus("run swing.yaml --quiet"), 0);
  assert_int_equal(sarrus("view swing.csv"), 0);
  assert_says(command_out, "written  swing.html  (101 of 101 rows, ");
  char *page = read_page("swing.html");
  assert_int_equal(count(page, "<script"), count(page, "</script>")); // no name ends a script
  assert_null(strstr(page, "{{"));
  assert_says(page, "Permission is hereby granted"); // the licence of three.js
  assert_null(strstr(page, "src=\"http"));
  testing_json *run = run_of(page);
  assert_string_equal(testing_json_text(run, "/bodies/0/name"), "</script><b>");
  assert_string_equal(testing_json_text(run, "/shapes/0/kind"), "sphere");
  assert_string_equal(testing_json_text(run, "/shapes/1/kind"), "half-space");
  assert_string_equal(testing_json_text(run, "/columns/0/name"), "q:h");
  assert_string_equal(testing_json_text(run, "/columns/1/unit"), "rad/s");
  // At the start the body is turned by 1 rad about x at its joint, 3 m up, and at rest.
  float position[303];
  int16_t rotation[404];
  float energy[101];
  assert_int_equal(decode(testing_json_text(run, "/positions"), (unsigned char *)position, sizeof position), 1212);
  assert_int_equal(decode(testing_json_text(run, "/rotations"), (unsigned char *)rotation, sizeof rotation), 808);
  assert_int_equal(decode(testing_json_text(run, "/energies"), (unsigned char *)energy, sizeof energy), 404);
  for (int i = 0; i < 3; i++) assert_true(position[i] == (i == 2 ? 3.0F : 0.0F));
  assert_true(fabs(rotation[0] - 32767 * sin(0.5)) <= 1 && rotation[1] == 0 && rotation[2] == 0);
  assert_true(fabs(rotation[3] - 32767 * cos(0.5)) <= 1);
  assert_true(energy[0] == 0);
  // Later its kinetic energy is what potential energy it lost, to the integrator's error: m g c (cos q - cos 1).
  float q[202];
  assert_int_equal(decode(testing_json_text(run, "/values"), (unsigned char *)q, sizeof q), 808);
  for (int i = 0; i < 101; i++) assert_true(fabs(energy[i] - 9.81 * (cos(q[i]) - cos(1))) < 0.02);
  testing_json_free(run);
  free(page);
}

static void contacts_are_forces_on_what_moves(void **state)
{
  (void)state;
  if (!has_pages()) return;
  testing_write("ball.yaml", "models:\n  - {name: ball, links: [{name: ball, mass: 2, inertia: [1, 1, 1]}],\n"
                             "     joints: [{name: r, kind: free, child: ball, origin: {position: [0, 0, 0.5]}}],\n"
                             "     shapes: [{name: skin, link: ball, kind: sphere, radius: 0.5}]}\n"
                             "environment: [{name: a_floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
                             "duration: 0.1\noutput: {file: ball.csv}\n");
  assert_int_equal(sarrus("run ball.yaml --view --json --quiet"), 0);
  assert_says(command_out, "\"steps\"");
  assert_null(strstr(command_out, "written")); // stdout is one JSON object
  char *page = read_page("ball.html");
  testing_json *run = run_of(page);
  assert_string_equal(testing_json_text(run, "/pairs/0/a"), "skin");
  assert_string_equal(testing_json_text(run, "/pairs/0/b"), "a_floor");
  float contacts[6 * 101];
  const size_t n = decode(testing_json_text(run, "/contacts"), (unsigned char *)contacts, sizeof contacts) / 24;
  assert_true(n >= 100);
  assert_true(fabs(contacts[6 * (n - 1) + 5] - 2 * 9.81) < 1e-3); // the floor carries it
  assert_true(fabs(contacts[6 * (n - 1) + 2]) < 1e-6);
  testing_json_free(run);
  free(page);
  assert_int_equal(sarrus("run ball.yaml --view --quiet"), 0); // over its own page
  testing_write("ball.html", "mine");
  assert_int_equal(sarrus("run ball.yaml --view --quiet"), 1); // but over nothing else
  assert_says(command_err, "ball.html");
}

static void the_demo_fits_3_megabytes(void **state)
{
  (void)state;
  if (!has_pages()) return;
  assert_int_equal(sarrus("run '%s' --contacts --quiet --out p.csv", testing_source("samples/pendulum12.yaml")), 0);
  assert_int_equal(sarrus("view p.csv --columns 'v:hinge1,v:hinge2'"), 0);
  assert_says(command_out, "(2001 of 2001 rows, ");
  char *page = read_page("p.html");
  assert_true(strlen(page) < 3000000);
  testing_json *run = run_of(page);
  assert_int_equal(testing_json_count(run, "/chosen"), 2);
  assert_true(testing_json_number(run, "/chosen/0") == 12);
  testing_json_free(run);
  free(page);
  assert_int_equal(sarrus("view p.csv --every 100 --force"), 0);
  assert_says(command_out, "(21 of 2001 rows, ");
}

static void the_scene_is_that_of_the_run(void **state)
{
  (void)state;
  if (!has_pages()) return;
  testing_write("swing.yaml", swing);
  assert_int_equal(sarrus("run swing.yaml --quiet --out old.csv"), 0);
  testing_write("swing.yaml", "models: nonsense\n"); // the text beside the trajectory is what counts
  assert_int_equal(sarrus("view old.csv"), 0);
  testing_write("robot.urdf", pendulum);
  assert_int_equal(sarrus("run robot.urdf --duration 0.1 --quiet --out robot.csv"), 0);
  testing_write("robot.urdf", pendulum_on_base);
  assert_int_equal(sarrus("view robot.csv"), 0);
  assert_says(command_err, "robot.urdf has changed since the run");
  assert_refused(sarrus("view robot.csv --base floating --force --quiet"), 1, "has no column 'q:root.x'");
}

static void wrong_input_is_told(void **state)
{
  (void)state;
  if (!has_pages()) return;
  testing_write("bare.csv", "time,q:h\n0,1\n");
  testing_write("robot.urdf", pendulum);
  assert_refused(sarrus("view bare.csv"), 1, "give it by --scene");
  assert_int_equal(sarrus("view bare.csv --scene robot.urdf"), 0); // coordinates are enough
  assert_refused(sarrus("view bare.csv --scene robot.urdf"), 1, "bare.html");
  assert_refused(sarrus("view bare.csv --scene robot.urdf --columns 'x:*' --force"), 1, "no column is like 'x:*'");
  assert_refused(sarrus("view bare.csv --scene robot.urdf --every 0 --force"), 2, "--every");
  assert_refused(sarrus("view"), 2, "RUN is missing");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_page_holds_poses_shapes_and_columns),
      cmocka_unit_test(contacts_are_forces_on_what_moves),
      cmocka_unit_test(the_demo_fits_3_megabytes),
      cmocka_unit_test(the_scene_is_that_of_the_run),
      cmocka_unit_test(wrong_input_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
