// Contact columns by links: of pairs that touched alone, with the sums of their shapes.
#include "support/command.h"

// A body of 2 kg on two feet, spheres of one link, rests on the floor; a wall and a second body never touch it.
static const char stand[] =
    "models:\n"
    "- name: s\n  base: floating\n  position: [0, 0, 0.1]\n  links: [{name: body, mass: 2, inertia: [1, 1, 1]}]\n"
    "  shapes:\n"
    "  - {link: body, kind: sphere, radius: 0.1, pose: {position: [0.5, 0.2, 0]}}\n"
    "  - {link: body, kind: sphere, radius: 0.1, pose: {position: [-0.5, 0.2, 0]}}\n"
    "  - {link: body, kind: sphere, radius: 0.1, pose: {position: [0, -0.4, 0]}}\n"
    "- name: far\n  position: [0, 0, 9]\n  links: [{name: body}]\n  shapes: [{link: body, kind: sphere, radius: 0.1}]\n"
    "environment: [{name: floor, shape: half-space}, {name: wall, shape: box, size: [1, 1, 1], position: [9, 0, 0]}]\n"
    "duration: 0.01\n";

static char *read_named(const char *name)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  size_t length = 0;
  return testing_read(path, &length);
}

static void pairs_that_never_touch_have_no_columns(void **state)
{
  (void)state;
  testing_write("stand.yaml", stand);
  assert_int_equal(sarrus("run stand.yaml --out t.csv --body-contacts"), 0);
  assert_int_equal(assert_whole_csv("t.csv"), 11);
  char *text = read_named("t.csv");
  assert_non_null(strstr(text, ",contact:count,contact:gap,contact:residual,contact:infeasibility,"
                               "contact:s/body:floor:fx,contact:s/body:floor:fy,contact:s/body:floor:fz,"
                               "contact:s/body:floor:x,contact:s/body:floor:y,contact:s/body:floor:z\n"));
  assert_null(strstr(text, "wall"));
  const char *row = text; // the last: force and place, which are the weight and its point
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n' && c[1] != '\0') row = c + 1;
  double last[64];
  int n = 0;
  for (char *end; n < 64 && *row != '\0' && *row != '\n'; row = *end == ',' ? end + 1 : end)
    last[n++] = strtod(row, &end);
  assert_true(last[n - 4] - 2 * 9.81 < 1e-9 && last[n - 4] - 2 * 9.81 > -1e-9); // at rest, to rounding of the solver
  assert_true(last[n - 2] < 1e-9 && last[n - 2] > -1e-9);
  free(text);
  text = read_named("t.csv.yaml");
  assert_non_null(strstr(text, "\"contact:s/body:floor:fz\", unit: \"N\", axes: \"world\"}"));
  assert_null(strstr(text, "wall:fx"));
  assert_non_null(strstr(text, "\nscene: ")); // what follows the columns is there
  free(text);
}

static void asked_for_twice_they_are_described_once(void **state)
{
  (void)state;
  testing_write("stand.yaml", stand);
  assert_int_equal(sarrus("run stand.yaml --out t.csv --contacts --body-contacts"), 0);
  char *text = read_named("t.csv.yaml"), *first = strstr(text, "\ncontact_columns: ");
  assert_non_null(first);
  assert_null(strstr(first + 1, "\ncontact_columns: ")); // a key given twice is no YAML
  free(text);
}

static void the_same_forces_stand_in_columns_by_shape(void **state)
{
  (void)state;
  testing_write("stand.yaml", stand);
  assert_int_equal(sarrus("run stand.yaml --out t.csv --contacts"), 0);
  char *text = read_named("t.csv");
  assert_non_null(strstr(text, "contact:s/body.1:floor:fx"));
  assert_non_null(strstr(text, "contact:s/body.3:floor:fx"));
  assert_null(strchr(text, '#')); // a comment to some readers
  free(text);
}

// Where nothing can be taken out of what was written, all columns stay.
static void a_stream_keeps_its_columns(void **state)
{
  (void)state;
  testing_write("stand.yaml", stand);
  assert_int_equal(sarrus("run stand.yaml --out /dev/stdout --body-contacts --quiet | head -1"), 0);
  assert_says(command_out, "wall:fx");
}

// 24 balls without a name: 276 pairs among them.
static void many_pairs_of_shapes_become_pairs_of_links(void **state)
{
  (void)state;
  char scene[8192], *at = scene;
  at += sprintf(at, "models:\n");
  for (int i = 0; i < 24; i++)
    at += sprintf(
        at,
        "- {name: b%d, base: floating, position: [%d, 0, 0.1], links: [{name: l, mass: 1, inertia: [1, 1, 1]}], "
        "shapes: [{link: l, kind: sphere, radius: 0.1}]}\n",
        i, i);
  sprintf(at, "environment: [{name: floor, shape: half-space}]\nduration: 0.002\n");
  testing_write("many.yaml", scene);
  assert_int_equal(sarrus("run many.yaml --out m.csv --contacts"), 0);
  assert_says(command_err,
              "sarrus: note: 300 pairs of shapes may collide: the contact columns are of pairs of links that "
              "touch\n");
  char *text = read_named("m.csv");
  assert_non_null(strstr(text, "contact:b23/l:floor:fz"));
  assert_null(strstr(text, "contact:b0/l:b1/l"));
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_that_never_touch_have_no_columns),
      cmocka_unit_test(asked_for_twice_they_are_described_once),
      cmocka_unit_test(the_same_forces_stand_in_columns_by_shape),
      cmocka_unit_test(a_stream_keeps_its_columns),
      cmocka_unit_test(many_pairs_of_shapes_become_pairs_of_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
