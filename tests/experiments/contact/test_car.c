// A car of four driven wheels crosses hills, a heightfield of 1000 x 1000 points (with SARRUS_LONG; else of 120 x 120):
// it stays on the ground, gets along, and nothing sinks in. How fast it runs is printed.
#include "support/bodies.h"
#include "support/sims.h"

#include <time.h>

static const double SPACING = 0.2, RADIUS = 0.3;

static double height_at(double x, double y) { return 0.4 * sin(0.35 * x) * cos(0.25 * y) + 0.05 * sin(1.7 * x + y); }

static void add_link(srs_builder *builder, const char *name, double mass, double inertia, const srs_joint_def *joint)
{
  srs_error error;
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = mass;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = inertia;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  if (srs_builder_add_joint(builder, joint, &error) != SRS_OK) fail_msg("%s", error.message);
}

// Wheels turn about y; a cylinder's axis is z.
static srs_model *car_on_hills(int n, double *heights)
{
  static const char *const wheels[] = {"left front", "right front", "left rear", "right rear"};
  srs_builder *builder = srs_builder_create();
  srs_joint_def free_joint = srs_default_joint_def(SRS_JOINT_FREE);
  free_joint.name = free_joint.child = "chassis";
  add_link(builder, "chassis", 800, 400, &free_joint);
  srs_shape_def box = bodies_shape(SRS_SHAPE_BOX, "chassis", "chassis", 2.4, 1, 0.3);
  bodies_add_shape(builder, &box);
  for (int i = 0; i < 4; i++) {
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_CONTINUOUS);
    joint.name = joint.child = wheels[i];
    joint.parent = "chassis";
    joint.axis[0] = joint.axis[2] = 0, joint.axis[1] = 1;
    joint.origin = bodies_at(i < 2 ? 1 : -1, i % 2 == 0 ? 0.75 : -0.75, -0.2);
    add_link(builder, wheels[i], 20, 0.9, &joint);
    srs_shape_def wheel = bodies_shape(SRS_SHAPE_CYLINDER, wheels[i], wheels[i], RADIUS, 0.2, 0);
    const double quarter[4] = {sqrt(0.5), sqrt(0.5), 0, 0};
    srs_rotation_from_quaternion(quarter, wheel.pose.rotation);
    bodies_add_shape(builder, &wheel);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      heights[(size_t)i * (size_t)n + (size_t)j] =
          height_at((j - 0.5 * (n - 1)) * SPACING, (i - 0.5 * (n - 1)) * SPACING);
  srs_shape_def ground = bodies_shape(SRS_SHAPE_HEIGHTFIELD, "hills", NULL, SPACING, SPACING, 0);
  ground.heights = heights, ground.n_rows = ground.n_columns = n;
  bodies_add_shape(builder, &ground);
  return bodies_build(builder);
}

static void a_car_crosses_hills(void **state)
{
  (void)state;
  const int n = getenv("SARRUS_LONG") != NULL ? 1000 : 120;
  const double duration = n == 1000 ? 20 : 3, dt = 1e-3;
  double *heights = calloc((size_t)n * (size_t)n, sizeof *heights);
  const clock_t start = clock();
  srs_model *model = car_on_hills(n, heights);
  srs_sim_options options = srs_default_sim_options();
  options.dt = dt;
  options.contact.friction = 0.9;
  srs_sim *sim = sim_of_model(model, &options);
  const clock_t loaded = clock();
  const double x = -0.25 * n * SPACING;
  double q[11] = {x, 0, height_at(x, 0) + 0.9, 1}, drive[10] = {0}, least_gap = 0;
  srs_error error;
  assert_int_equal(srs_sim_set_state(sim, 0, q, (const double[10]){0}, &error), SRS_OK);
  for (long i = 0; i < lround(duration / dt); i++) {
    for (int k = 6; k < 10; k++) drive[k] = fmax(fmin(60 * (10 - srs_sim_v(sim)[k]), 200), -200); // to 3 m/s
    assert_int_equal(srs_sim_set_torque(sim, drive, &error), SRS_OK);
    step(sim, 1);
    int n_contacts;
    const srs_sim_contact *contacts = srs_sim_contacts(sim, &n_contacts);
    for (int k = 0; k < n_contacts && i > 500; k++) least_gap = fmin(least_gap, contacts[k].contact.gap);
  }
  const double cpu = (double)(clock() - loaded) / CLOCKS_PER_SEC;
  print_message("%d x %d: loaded in %.2g s, %g s of motion in %.2g s; %.3g m along, deepest %.2g m\n", n, n,
                (double)(loaded - start) / CLOCKS_PER_SEC, duration, cpu, srs_sim_q(sim)[0] - x, -least_gap);
  assert_true(srs_sim_q(sim)[0] - x > 0.8 * 3 * (duration - 2)); // its speed comes within 1 s
  assert_true(fabs(srs_sim_q(sim)[2] - height_at(srs_sim_q(sim)[0], srs_sim_q(sim)[1])) < 1);
  assert_true(least_gap > -2e-3); // a wheel at 3 m/s meets the next facet in the middle of a step
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  free(heights);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_car_crosses_hills)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
