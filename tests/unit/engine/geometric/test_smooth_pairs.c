// Which pairs enter a geometrically implicit step.

#include "support/inside_sim.h"
#include "support/sims.h"

#include <math.h>
#include <stdio.h>

static srs_sim *open_text(const char *text, srs_scene **scene)
{
  *scene = scene_of_text(text);
  srs_sim *sim = sim_of_scene(*scene, NULL);
  return sim;
}

static void what_is_far_is_left_out(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_sim *sim =
      open_text("models:\n"
                "  - {name: a, base: floating, position: [0, 0, 5], links: [{name: l, mass: 1, inertia: [1, 1, "
                "1]}], shapes: [{link: l, kind: ellipsoid, size: [1, 0.2, 0.2]}]}\n"
                "  - {name: b, base: floating, position: [0, 0.9, 5], links: [{name: l, mass: 1, inertia: [1, "
                "1, 1]}], shapes: [{link: l, kind: ellipsoid, size: [1, 0.2, 0.2]}]}\n"
                "environment: [{name: floor, shape: half-space}]\n"
                "integrator: geometrically-implicit\ndt: 0.001\n",
                &scene);
  assert_int_equal(sim->geometric->n_pairs, 3);
  for (int k = 0; k < 900; k++) { // side by side they fall 4 m, 0.5 m apart, their balls meeting all the while
    step(sim, 1);
    assert_int_equal(sim->geometric->n_contacts, 0);
  }
  step(sim, 300);
  int n;
  srs_sim_contacts(sim, &n);
  assert_int_equal(n, 2); // both with the floor
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// A ball at rest near a wall is struck by a fast one: nothing by itself says that it meets the wall in this
// step.
static void what_is_driven_into_a_wall_is_taken_in(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_sim *sim =
      open_text("gravity: [0, 0, 0]\n"
                "models:\n"
                "  - {name: a, base: floating, position: [0, 0, 0], links: [{name: l, mass: 10, inertia: [1, 1, "
                "1]}], shapes: [{link: l, kind: sphere, radius: 0.1}]}\n"
                "  - {name: b, base: floating, position: [0.25, 0, 0], links: [{name: l, mass: 0.1, inertia: "
                "[0.001, 0.001, 0.001]}], shapes: [{link: l, kind: sphere, radius: 0.1}]}\n"
                "environment: [{name: wall, shape: half-space, normal: [-1, 0, 0], offset: -0.4}]\n"
                "initial: {v: {a/root: [20, 0, 0, 0, 0, 0]}}\n"
                "integrator: geometrically-implicit\ndt: 0.01\n",
                &scene);
  step(sim, 1);
  int n;
  srs_sim_contacts(sim, &n);
  assert_int_equal(n, 2);
  assert_true(fabs(srs_sim_q(sim)[7] - 0.3) < 1e-9); // at the wall
  assert_true(fabs(srs_sim_q(sim)[0] - 0.1) < 1e-9); // and behind it the other
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void a_capacity_that_is_too_small_is_told(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_sim *sim =
      open_text("models:\n"
                "  - {name: a, base: floating, position: [0, 0, 1], links: [{name: l, mass: 1, inertia: [1, 1, "
                "1]}], shapes: [{link: l, kind: sphere, radius: 1}, {link: l, kind: sphere, radius: 1, pose: "
                "{position: [3, 0, 0]}}]}\n"
                "environment: [{name: floor, shape: half-space}]\n"
                "integrator: geometrically-implicit\n",
                &scene);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.capacity = 1;
  srs_sim *small;
  srs_error error;
  assert_int_equal(srs_scene_create_sim(scene, &options, &small, &error), SRS_OK);
  assert_int_equal(srs_sim_step(small, 1, &error), SRS_ERROR_CAPACITY);
  assert_true(srs_sim_steps(small) == 0);
  step(sim, 100);
  int n;
  srs_sim_contacts(sim, &n);
  assert_int_equal(n, 2);
  srs_sim_destroy(sim);
  srs_sim_destroy(small);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_far_is_left_out),
      cmocka_unit_test(what_is_driven_into_a_wall_is_taken_in),
      cmocka_unit_test(a_capacity_that_is_too_small_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
