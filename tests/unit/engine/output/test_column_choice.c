// Chosen columns, accelerations, twists, times: what stands in a trajectory, and along whose axes it is.
#include "engine/output/hdf5/reader.h"
#include "support/command.h"
#include "support/sims.h"

#include <math.h>

// A pendulum of 0.6 kg m^2 about x (see support/command.h) and a body that flies free, 2 kg.
static const char two[] = "models:\n- {name: p, file: pendulum.urdf}\n"
                          "- name: f\n  base: floating\n  position: [3, 0, 1]\n"
                          "  links: [{name: body, mass: 2, inertia: [1, 2, 3]}]\n"
                          "  frames: [{name: nose, link: body, pose: {position: [0.5, 0, 0]}}]\n"
                          "initial: {v: [0, 1, 2, 3, 0, 0, 4]}\n"
                          "dt: 0.001\nduration: 0.01\n";

static void write_two(void)
{
  testing_write("pendulum.urdf", pendulum);
  testing_write("two.yaml", two);
}

static char *read_named(const char *name)
{
  char path[1200];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return testing_read(path, &length);
}

static srs_h5_rows_read rows_of(const char *name)
{
  char path[1200];
  srs_h5_rows_read rows;
  srs_error error;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  if (srs_h5_rows_read_all(path, &rows, &error) != SRS_OK) fail_msg("%s", error.message);
  return rows;
}

// The number in a column of the last row, or of the first one.
static double number_of(const char *file, const char *column, bool is_first)
{
  char *text = read_named(file), *at = text;
  int place = 0, n = 0;
  bool is_found = false;
  while (*at != '\n') {
    const size_t length = strcspn(at, ",\n");
    is_found = is_found || (length == strlen(column) && strncmp(at, column, length) == 0);
    if (!is_found) place++;
    at += length + (at[length] == ',');
  }
  if (!is_found) fail_msg("no column %s in %s", column, text);
  const char *row = ++at;
  for (; !is_first && *at != '\0'; at++)
    if (*at == '\n' && at[1] != '\0') row = at + 1;
  for (; n < place; row++) n += *row == ',';
  const double value = strtod(row, NULL);
  free(text);
  return value;
}

static void assert_header(const char *file, const char *header)
{
  char *text = read_named(file);
  text[strcspn(text, "\n")] = '\0';
  assert_string_equal(text, header);
  free(text);
}

static void patterns_choose_among_all_columns(void **state)
{
  (void)state;
  write_two();
  assert_int_equal(sarrus("run two.yaml --out t.csv --columns 'v:p/h,energy:k*,q:f/root.[xy]'"), 0);
  assert_header("t.csv", "time,q:f/root.x,q:f/root.y,v:p/h,energy:kinetic"); // in the order in which they always stand
  assert_int_equal(sarrus("run two.yaml --out t.csv --columns time --efforts"), 0);
  assert_header("t.csv",
                "time,effort:p/h,effort:f/root.vx,effort:f/root.vy,effort:f/root.vz,effort:f/root.wx,effort:f/root.wy,"
                "effort:f/root.wz"); // a group that an option asks for is there as a whole
  char scene[1000];
  snprintf(scene, sizeof scene, "%soutput: {file: s.csv, columns: ['q:p/h', 'pose:p/tip:?'], torques: true}\n", two);
  testing_write("s.yaml", scene);
  assert_int_equal(sarrus("run s.yaml"), 0);
  assert_header(
      "s.csv", "time,q:p/h,tau:p/h,tau:f/root.vx,tau:f/root.vy,tau:f/root.vz,tau:f/root.wx,tau:f/root.wy,tau:f/root.wz,"
               "pose:p/tip:x,pose:p/tip:y,pose:p/tip:z");
  assert_int_equal(sarrus("run s.yaml --columns v:p/h --out u.csv"), 0); // the command line holds
  char *text = read_named("u.csv");
  assert_memory_equal(text, "time,v:p/h,tau:", 15);
  free(text);
}

static void an_unknown_column_is_told_with_the_nearest(void **state)
{
  (void)state;
  write_two();
  assert_refused(sarrus("run two.yaml --out n.csv --columns q:p/j"), 1,
                 "n.csv: there is no column 'q:p/j', did you mean 'q:p/h'? (sarrus info SCENE --columns lists the ");
  assert_refused(sarrus("run two.yaml --out n.h5 --columns 'q:*,w:*'"), 1, "there is no column 'w:*'");
  assert_refused(sarrus("run two.yaml --out n.csv --columns 'q:*,'"), 2, "is no list of columns");
  testing_write("s.yaml", "models: [{file: pendulum.urdf}]\noutput: {columns: q}\n");
  assert_refused(sarrus("run s.yaml"), 1, "columns must be a list");
  assert_refused(sarrus("run two.yaml --out n.csv --columns 'a:*' --integrator rk4"), 1, "rk4 has no one acceleration");
  assert_refused(sarrus("run two.yaml --out n.csv --columns zz --integrator rk4"), 1, "there is no column 'zz'");
  assert_int_equal(sarrus("run two.yaml --out n.csv --columns '*' --integrator rk4"), 0); // all that there are
  assert_int_equal(sarrus("info two.yaml --columns"), 0);
  assert_says(command_out, "\nq:p/h  rad\n");
  assert_says(command_out, "\nv:f/root.wz  rad/s  axes: link f/body\n");
}

// The pendulum at 1 rad from rest: 0.6 a = -9.81 sin 1. The body falls, and turns at 4 rad/s about its own z, which
// stays: the nose moves with 0.5 m * 4 rad/s across, and the centre.
static void accelerations_and_twists_are_those_of_mechanics(void **state)
{
  (void)state;
  write_two();
  assert_int_equal(sarrus("run two.yaml --duration 0.001 --q 1,3,0,1,1,0,0,0 --out a.csv --accelerations --frames"), 0);
  assert_true(fabs(number_of("a.csv", "a:p/h", false) + 9.81 * sin(1) / 0.6) < 1e-12); // rounding
  assert_true(fabs(number_of("a.csv", "a:f/root.vz", false) + 9.81) < 1e-12);
  assert_true(number_of("a.csv", "a:p/h", true) == 0); // before the first step
  assert_true(number_of("a.csv", "twist:f/nose:wz", true) == 4);
  assert_true(fabs(number_of("a.csv", "twist:f/nose:vy", true) - (2 + 0.5 * 4)) < 1e-15);
  assert_true(fabs(number_of("a.csv", "twist:f/nose:vx", true) - 1) < 1e-15);
  char *text = read_named("a.csv.yaml");
  assert_non_null(strstr(text, "{name: \"v:f/root.vx\", unit: \"m/s\", axes: \"world\"}"));
  assert_non_null(strstr(text, "{name: \"v:f/root.wx\", unit: \"rad/s\", axes: \"link f/body\"}"));
  assert_non_null(strstr(text, "{name: \"v:p/h\", unit: \"rad/s\"}"));
  assert_non_null(strstr(text, "{name: \"twist:f/nose:wx\", unit: \"rad/s\", axes: \"world\"}"));
  free(text);
}

// 3000 steps of 0.7 ms: 0.0007 k as a person would write it, from integers.
static void times_are_multiples_of_the_step(void **state)
{
  (void)state;
  write_two();
  assert_int_equal(sarrus("run two.yaml --dt 0.0007 --duration 2.1 --out k.csv --columns time"), 0);
  char *text = read_named("k.csv"), *at = strchr(text, '\n') + 1;
  for (int k = 0; k <= 3000; k++) {
    char expected[32];
    const int digits = snprintf(expected, sizeof expected, "%d.%04d", 7 * k / 10000, 7 * k % 10000);
    int n = digits;
    while (expected[n - 1] == '0') n--;
    if (expected[n - 1] == '.') n--;
    if ((size_t)n != strcspn(at, "\n") || strncmp(at, expected, (size_t)n) != 0) fail_msg("row %d: %.20s", k, at);
    at += n + 1;
  }
  free(text);
}

static void the_state_at_the_end_has_a_row(void **state)
{
  (void)state;
  write_two();
  assert_int_equal(sarrus("run two.yaml --every 4 --out e.csv"), 0); // 0, 4, 8, 10
  assert_int_equal(assert_whole_csv("e.csv"), 4);
  assert_true(number_of("e.csv", "time", false) == 0.01);
  assert_int_equal(sarrus("run two.yaml --every 5 --out e.csv"), 0); // 0, 5, 10
  assert_int_equal(assert_whole_csv("e.csv"), 3);
  // A run that goes on does so without that row.
  assert_int_equal(sarrus("run two.yaml --every 4 --out e.h5"), 0);
  assert_int_equal(sarrus("run --resume e.h5 --duration 0.021"), 0);
  assert_int_equal(sarrus("run two.yaml --every 4 --duration 0.021 --out f.h5"), 0);
  srs_h5_rows_read e = rows_of("e.h5"), f = rows_of("f.h5");
  assert_int_equal(e.n_rows, 7); // 0, 4, …, 20, 21
  assert_int_equal(f.n_rows, 7);
  assert_true(f.values[(size_t)6 * (size_t)f.n_columns] == 0.021);
  assert_memory_equal(e.values, f.values, 7 * (size_t)f.n_columns * sizeof *f.values);
  srs_h5_rows_release(&e);
  srs_h5_rows_release(&f);
}

static void contacts_by_pattern_are_a_table_in_hdf5(void **state)
{
  (void)state;
  testing_write("ball.yaml", "models:\n- name: s\n  base: floating\n  position: [0, 0, 0.1]\n  links: [{name: body, "
                             "mass: 1, inertia: [1, 1, 1]}]\n"
                             "  shapes: [{link: body, kind: sphere, radius: 0.1}]\n"
                             "environment: [{name: floor, shape: half-space}]\nduration: 0.01\n");
  assert_int_equal(sarrus("run ball.yaml --out b.h5 --columns 'contact:*,v:*'"), 0);
  srs_h5_rows_read rows = rows_of("b.h5");
  assert_true(rows.n_contacts > 0);
  assert_string_equal(rows.names[1], "v:root.vx"); // no q
  srs_h5_rows_release(&rows);
  assert_int_equal(sarrus("run ball.yaml --out b.csv --columns 'contact:*fz'"), 0);
  assert_header("b.csv", "time,contact:body:floor:fz");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_choose_among_all_columns),
      cmocka_unit_test(an_unknown_column_is_told_with_the_nearest),
      cmocka_unit_test(accelerations_and_twists_are_those_of_mechanics),
      cmocka_unit_test(times_are_multiples_of_the_step),
      cmocka_unit_test(the_state_at_the_end_has_a_row),
      cmocka_unit_test(contacts_by_pattern_are_a_table_in_hdf5),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
