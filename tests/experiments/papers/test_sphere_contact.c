// MJ 6.1: a sphere thrown along a plane, contact problem by contact problem, against values computed independently.
//
// Unit mass and radius, J = 0.4: at the contact W = diag(1, 1 + 1 / 0.4, 1 + 1 / 0.4); semi-implicit Euler.
#include "support/testing.h"

#include <math.h>
#include <stdio.h>

typedef struct motion {
  double v[6]; // vx vy vz wx wy wz
  int last_slipping;
} motion;

// Tangents along the slip or along x and y; the file's order is x, y, z.
static void step(srs_contact_solver *solver, const srs_contact_options *options, bool is_along_slip, double *v,
                 double force[3])
{
  const double h = 1e-3, mu = 0.2, inertia = 0.4;
  const double W[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5};
  v[2] -= 9.81 * h;
  const double slip[2] = {v[0] - v[4], v[1] + v[3]}, size = hypot(slip[0], slip[1]);
  double t[2] = {1, 0}, x[3] = {0};
  if (is_along_slip && size > 1e-12) t[0] = slip[0] / size, t[1] = slip[1] / size;
  const double b[3] = {v[2], t[0] * slip[0] + t[1] * slip[1], -t[1] * slip[0] + t[0] * slip[1]};
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(solver, &p, options, false, x, NULL, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  const double f[3] = {t[0] * x[1] - t[1] * x[2], t[1] * x[1] + t[0] * x[2], x[0]};
  for (int k = 0; k < 3; k++) v[k] += f[k], force[k] = f[k] / h;
  v[3] += f[1] / inertia; // arm (0, 0, -1) x f
  v[4] -= f[0] / inertia;
}

static void compare(const testing_json *json, const char *name, const char *what, const double *values, int n)
{
  char path[128];
  double expected[6];
  (void)snprintf(path, sizeof path, "/%s/%s", name, what);
  testing_json_numbers(json, path, expected, n);
  for (int k = 0; k < n; k++)
    assert_true(fabs(values[k] - expected[k]) <
                1e-12 * (n == 3 ? 1e2 : 1)); // forces: / h, and the file's own residual 1e-13
}

static void run(const testing_json *json, const char *name, srs_contact_method solver_name, bool is_along_slip,
                double angle)
{
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK);
  srs_contact_options options = srs_default_contact_options();
  options.method = solver_name;
  options.direction_angle = angle;
  options.tolerance = 1e-14; // 600 steps add up
  double v[6] = {2, 0, 0, 0, 0, 0}, force[3];
  int last_slipping = 0;
  for (int i = 1; i <= 600; i++) {
    step(solver, &options, is_along_slip, v, force);
    if (i == 1) compare(json, name, "F_per_dt_step1", force, 3);
    if (i == 200) compare(json, name, "at_0p2", v, 6);
    if (i == 291) compare(json, name, "at_0p291", v, 6);
    if (hypot(v[0] - v[4], v[1] + v[3]) >= 1e-10) last_slipping = i;
  }
  compare(json, name, "F_per_dt_last", force, 3);
  compare(json, name, "final_v", v, 6);
  char path[128];
  (void)snprintf(path, sizeof path, "/%s/last_slipping_step", name);
  assert_int_equal(last_slipping, (int)testing_json_number(json, path));
  srs_contact_solver_destroy(solver);
}

static void all_solvers_agree_with_the_reference(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/sphere_on_plane.json"));
  run(json, "mncp_todorov", SRS_METHOD_MNCP_RLM, false, 0);
  run(json, "mncp_todorov", SRS_METHOD_MNCP_PLM, true, 0);
  for (int name = SRS_METHOD_MLCP_LEMKE; name < SRS_COMPLEMENTARITY_METHODS; name++) {
    run(json, "mlcp_aligned", (srs_contact_method)name, true, 0);
    run(json, "mlcp_rot_30", (srs_contact_method)name, false, 0.52359877559829887308);
    run(json, "mlcp_rot_45", (srs_contact_method)name, false, 0.78539816339744830962);
  }
  testing_json_free(json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_solvers_agree_with_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
