// MJ 6.1: a sliding sphere begins to roll. Every step against figures of an independent program
// (data/experiments/sphere_on_plane.json, exact cone): v = (vx vy vz wx wy wz) in world axes.

#include "support/testing.h"

#include <math.h>
#include <string.h>

static srs_sim *start(srs_scene **scene)
{
  srs_error error;
  srs_sim *sim;
  if (srs_scene_load(testing_source("samples/sphere.yaml"), NULL, scene, &error) != SRS_OK)
    fail_msg("%s", error.message);
  if (srs_scene_create_sim(*scene, NULL, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return sim;
}

// The free hinge's angular velocity is in the body's axes.
static void world_velocity(srs_sim *sim, double v[6])
{
  double rotation[9];
  const double *q = srs_sim_q(sim), *body = srs_sim_v(sim);
  srs_rotation_from_quaternion(q + 3, rotation);
  memcpy(v, body, 3 * sizeof *v);
  for (size_t i = 0; i < 3; i++) {
    const double *row = rotation + 3 * i;
    v[3 + i] = row[0] * body[3] + row[1] * body[4] + row[2] * body[5];
  }
}

static void compare(const testing_json *json, const char *path, srs_sim *sim)
{
  double v[6], expected[6];
  testing_json_numbers(json, path, expected, 6);
  world_velocity(sim, v);
  testing_assert_close(path, v, expected, 6, 1e-12);
}

// Force over the step as (x, y, z).
static void compare_force(const testing_json *json, const char *path, const srs_sim *sim)
{
  int n = 0;
  double expected[3];
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  assert_int_equal(n, 1);
  testing_json_numbers(json, path, expected, 3);
  const double sign = contacts[0].contact.link_a >= 0 ? 1 : -1; // on the sphere
  double force[3];
  for (int i = 0; i < 3; i++) force[i] = sign * contacts[0].force[i];
  testing_assert_close(path, force, expected, 3, 1e-12);
}

static double slip(srs_sim *sim)
{
  double v[6];
  world_velocity(sim, v);
  return hypot(v[0] - v[4], v[1] + v[3]); // radius 1
}

static void every_step_is_the_reference_step(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/sphere_on_plane.json"));
  srs_scene *scene;
  srs_sim *sim = start(&scene);
  int last_slipping = 0;
  double lowest = 1;
  for (int step = 1; step <= 600; step++) {
    srs_error error;
    if (srs_sim_step(sim, 1, &error) != SRS_OK) fail_msg("%s", error.message);
    if (slip(sim) > 1e-10) last_slipping = step;
    lowest = fmin(lowest, srs_sim_q(sim)[2]);
    if (step == 1) compare_force(json, "/mncp_todorov/F_per_dt_step1", sim);
    if (step == 200) compare(json, "/mncp_todorov/at_0p2", sim);
    if (step == 291) compare(json, "/mncp_todorov/at_0p291", sim);
  }
  compare(json, "/mncp_todorov/final_v", sim);
  compare_force(json, "/mncp_todorov/F_per_dt_last", sim);
  assert_int_equal(last_slipping, (int)testing_json_number(json, "/mncp_todorov/last_slipping_step"));
  assert_true(fabs(lowest - 1) < 1e-12);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  testing_json_free(json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_step_is_the_reference_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
