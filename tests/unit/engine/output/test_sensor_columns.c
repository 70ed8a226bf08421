// Columns of a scene's sensors: in CSV and in HDF5, with units and axes, the numbers that mechanics asks for.
#include "engine/output/hdf5/reader.h"
#include "support/command.h"
#include "support/sims.h"

#include <math.h>

// A box that falls on a floor, bounces, slips and tumbles; and a pendulum beside it.
static const char scene[] =
    "models:\n"
    "  - name: m\n"
    "    base: floating\n"
    "    position: [0, 0, 0.4]\n"
    "    links: [{name: body, mass: %.17g, inertia: [0.02, 0.03, 0.02]}]\n"
    "    shapes: [{link: body, kind: box, size: [0.2, 0.3, 0.1]}]\n"
    "  - name: p\n"
    "    links: [{name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}]\n"
    "    joints: [{name: h, kind: revolute, child: rod, axis: [0, 1, 0], origin: {position: [3, 0, 2]}}]\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
    "contact: {friction: 0.3, restitution: %.17g}\n"
    "initial: {v: {m/root: [1, 0.4, %.17g, 2, -1, 0.5], p/h: 1}}\n"
    "sensors:\n"
    "  - {name: ground, kind: contact, frame: m/body, axes: world}\n"
    "  - {name: where, kind: pose, frame: m/body}\n"
    "  - {name: angle, kind: joint-position, coordinate: p/h}\n"
    "  - {name: rate, kind: joint-velocity, coordinate: p/h}\n"
    "  - {name: swing, kind: imu, frame: p/rod}\n"
    "  - {name: hold, kind: force-torque, frame: p/rod}\n"
    "integrator: %s\n"
    "dt: %.17g\n"
    "duration: 0.8\n";

static srs_h5_rows_read rows_of(const char *name)
{
  char path[1200];
  srs_h5_rows_read rows;
  srs_error error;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  if (srs_h5_rows_read_all(path, &rows, &error) != SRS_OK) fail_msg("%s", error.message);
  return rows;
}

static int column(const srs_h5_rows_read *r, const char *name)
{
  for (int i = 0; i < r->n_columns; i++)
    if (strcmp(r->names[i], name) == 0) return i;
  fail_msg("no column %s", name);
  return -1;
}

static void write_scene(double mass, double e, double fall, const char *integrator, double dt)
{
  char text[4096];
  snprintf(text, sizeof text, scene, mass, e, fall, integrator, dt);
  testing_write("s.yaml", text);
}

// From row to row the momentum of the body changes by the impulses of weight and contacts, to rounding: falling,
// landing, slipping and bouncing. What sensors show of the pendulum is what its coordinate says.
static void contact_forces_are_the_change_of_momentum(void **state)
{
  (void)state;
  testing_random random = testing_random_start(20261129);
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint"};
  for (int k = 0; k < 6; k++) {
    const double mass = testing_uniform(&random, 0.3, 5), e = k % 3 == 0 ? 0 : testing_uniform(&random, 0, 1);
    const double dt = testing_uniform(&random, 2e-4, 1e-3);
    write_scene(mass, e, testing_uniform(&random, -3, 0), integrators[k % 2], dt);
    assert_int_equal(sarrus("run s.yaml --out s.h5 --quiet"), 0);
    srs_h5_rows_read r = rows_of("s.h5");
    const int v = column(&r, "v:m/root.vx"), f = column(&r, "sensor:ground:fx");
    double most = 0, off = 0;
    for (int row = 1; row < r.n_rows; row++) {
      const double *now = r.values + (ptrdiff_t)row * r.n_columns, *before = now - r.n_columns;
      const double step = now[0] - before[0];
      for (int i = 0; i < 3 && fabs(step - dt) < 1e-9; i++) {
        const double change = mass * (now[v + i] - before[v + i]) / dt;
        most = fmax(most, fabs(now[f + i]));
        off = fmax(off, fabs(change - now[f + i] + (i == 2 ? 9.81 * mass : 0)));
      }
      const double *pose = now + column(&r, "sensor:where:x"), *q = now + column(&r, "q:m/root.x");
      for (int i = 0; i < 3; i++) assert_true(fabs(pose[i] - q[i]) < 1e-14);
      assert_true(now[column(&r, "sensor:angle")] == now[column(&r, "q:p/h")]);
      assert_true(now[column(&r, "sensor:rate")] == now[column(&r, "v:p/h")]);
      assert_true(fabs(now[column(&r, "sensor:swing:wy")] - now[column(&r, "v:p/h")]) < 1e-14);
    }
    if (!(most > 2 * 9.81 * mass && off < 1e-10 * most)) fail_msg("case %d: up to %g N, off by %g N", k, most, off);
    srs_h5_rows_release(&r);
  }
}

static char *header_of(const char *name)
{
  char path[1200];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  char *text = testing_read(path, &length);
  *strchr(text, '\n') = '\0';
  return text;
}

static void columns_are_chosen_and_told_with_units_and_axes(void **state)
{
  (void)state;
  write_scene(1, 0, -1, "semi-implicit-euler", 0.001);
  assert_int_equal(sarrus("run s.yaml --duration 0.01 --out s.csv"), 0);
  char *header = header_of("s.csv");
  assert_non_null(strstr(header, ",sensor:ground:tx,sensor:ground:ty,sensor:ground:tz,sensor:ground:fx,"));
  assert_non_null(strstr(header, ",sensor:angle,sensor:rate,sensor:swing:wx,"));
  free(header);
  static const char *const told[] = {"{name: \"sensor:ground:tx\", unit: \"N m\", axes: \"world\"}",
                                     "{name: \"sensor:ground:fz\", unit: \"N\", axes: \"world\"}",
                                     "{name: \"sensor:where:qw\", unit: \"1\", axes: \"world\"}",
                                     "{name: \"sensor:angle\", unit: \"rad\"}",
                                     "{name: \"sensor:rate\", unit: \"rad/s\"}",
                                     "{name: \"sensor:swing:az\", unit: \"m/s^2\", axes: \"frame p/rod\"}",
                                     "{name: \"sensor:hold:tx\", unit: \"N m\", axes: \"frame p/rod\"}"};
  char path[1200];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/s.csv.yaml", testing_folder());
  char *metadata = testing_read(path, &length);
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    if (strstr(metadata, told[i]) == NULL) fail_msg("%s is not in %s", told[i], metadata);
  free(metadata);
  assert_int_equal(sarrus("run s.yaml --duration 0.01 --out s.csv --columns 'q:p/h,sensor:swing:a?'"), 0);
  header = header_of("s.csv");
  assert_string_equal(header, "time,q:p/h,sensor:swing:ax,sensor:swing:ay,sensor:swing:az");
  free(header);
  assert_int_equal(sarrus("run s.yaml --duration 0.01 --out s.csv --columns q:p/h"), 0);
  header = header_of("s.csv");
  assert_string_equal(header, "time,q:p/h");
  free(header);
  assert_int_equal(sarrus("run s.yaml --duration 0.01 --out s.csv --columns q:p/h --sensors"), 0);
  header = header_of("s.csv");
  assert_non_null(strstr(header, "time,q:p/h,sensor:ground:tx"));
  free(header);
  assert_int_equal(sarrus("info s.yaml"), 0);
  assert_says(command_out, "  swing: imu of p/rod: wx wy wz ax ay az\n");
  assert_int_equal(sarrus("info s.yaml --json"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/sensors/0/name"), "ground");
  assert_string_equal(testing_json_text(json, "/sensors/2/coordinate"), "p/h");
  testing_json_free(json);
  assert_int_equal(sarrus("info s.yaml --columns"), 0);
  assert_says(command_out, "sensor:ground:fx  N  axes: world\n");
}

static void a_scene_may_leave_them_out(void **state)
{
  (void)state;
  char text[4096];
  snprintf(text, sizeof text, scene, 1.0, 0.0, 0.0, "semi-implicit-euler", 0.001);
  strcat(text, "output: {sensors: false}\n");
  testing_write("s.yaml", text);
  assert_int_equal(sarrus("run s.yaml --duration 0.01 --out s.csv"), 0);
  char *header = header_of("s.csv");
  assert_null(strstr(header, "sensor:"));
  free(header);
}

// A range finder where nothing collides.
static void what_cannot_be_read_is_refused(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("s.yaml",
                "models: [{file: p.urdf}]\nsensors: [{name: eye, kind: range, frame: tip}]\nduration: 0.01\n");
  assert_refused(sarrus("run s.yaml --out s.csv"), 1, "sensor 'eye': nothing can collide");
  assert_int_equal(sarrus("run s.yaml"), 0); // without a file nobody asks
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_forces_are_the_change_of_momentum),
      cmocka_unit_test(columns_are_chosen_and_told_with_units_and_axes),
      cmocka_unit_test(a_scene_may_leave_them_out),
      cmocka_unit_test(what_cannot_be_read_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
