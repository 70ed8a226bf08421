// Compliant layers against closed forms: the recurrence of one mass on one layer, springs in series, a core behind the
// softer one, an elastic bond until it slides.

#include "engine/geometric/quasi_rigid.h"
#include "engine/rows/material.h"
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
  srs_scene *scene;
  srs_sim *sim;
} run;

// A ball of 1 kg and 0.1 m that moves in x and z without turning, over the half-space z <= 0.
static const char layered[] =
    "gravity: [%g, 0, -9.81]\n"
    "models: [{name: m, links: [{name: rail}, {name: ball, mass: 1}], joints: [{name: x, kind: prismatic, child: rail, "
    "axis: [1, 0, 0]}, {name: z, kind: prismatic, parent: rail, child: ball, axis: [0, 0, 1]}], shapes: [{kind: "
    "sphere, "
    "link: ball, radius: 0.1%s}]}]\n"
    "environment: [{name: floor, shape: half-space, material: soft}]\n"
    "contact: {friction: 0.5, materials: [%s]}\n"
    "initial: {q: {z: 0.1}}\ndt: 0.001\nintegrator: %s\n";

static run open_ball(double pull, const char *of_ball, const char *materials)
{
  run r = {NULL, NULL};
  char text[2048];
  snprintf(text, sizeof text, layered, pull, of_ball, materials, "geometrically-implicit");
  r.scene = scene_of_text(text);
  r.sim = sim_of_scene(r.scene, NULL);
  return r;
}

static void close_run(run *r)
{
  srs_sim_destroy(r->sim);
  srs_scene_destroy(r->scene);
}

static void step_solved(srs_sim *sim, int n)
{
  for (int k = 0; k < n; k++) {
    step(sim, 1);
    assert_true(srs_sim_get_statistics(sim)->failures == 0 && srs_sim_get_statistics(sim)->residual_last < 1e-10);
  }
}

// v+ (m + h^2 k + h c) = m (v - h g) + h k d, d+ = d - h v+ while the layer is pressed; it never pulls.
static void a_mass_on_a_layer_follows_its_recurrence(void **state)
{
  (void)state;
  run r = open_ball(0, "", "{name: soft, layer: {stiffness: [2000, 1, 1], damping: [3, 0, 0]}}");
  const double h = 0.001, k = 2000, c = 3, start[2] = {0, -1};
  assert_int_equal(srs_sim_set_state(r.sim, 0, NULL, start, NULL), SRS_OK);
  double z = 0.1, v = -1;
  int pressed = 0;
  for (int i = 0; i < 100; i++) {
    const double deflection = 0.1 - z, held = (v - 9.81 * h + h * k * deflection) / (1 + h * h * k + h * c);
    const double next = deflection - h * held;
    if (h * k * next + c * (next - deflection) < 0) break; // leaves the layer, which relaxes by itself from there
    v = held, z += h * v, pressed++;
    step_solved(r.sim, 1);
    assert_true(fabs(srs_sim_q(r.sim)[1] - z) < 1e-12 && fabs(srs_sim_v(r.sim)[1] - v) < 1e-11);
  }
  assert_true(pressed > 50 && v > 0.8); // it came back up
  step_solved(r.sim, 3);
  int n;
  const srs_sim_contact *contact = srs_sim_contacts(r.sim, &n);
  assert_true(n == 0 || fabs(contact->impulse[2]) < 1e-12); // no pull
  close_run(&r);
}

static void layers_of_two_bodies_are_in_series(void **state)
{
  (void)state;
  run r = open_ball(0, ", material: rubber",
                    "{name: soft, layer: {stiffness: 400, damping: 40}}, {name: rubber, layer: {stiffness: 1200, "
                    "damping: 120}}");
  step_solved(r.sim, 4000);
  assert_true(fabs(srs_sim_q(r.sim)[1] - (0.1 - 9.81 / 400 - 9.81 / 1200)) < 1e-10);
  close_run(&r);
}

static void the_core_of_one_bears_what_its_layer_does_not(void **state)
{
  (void)state;
  run r = open_ball(0, ", material: rubber",
                    "{name: soft, layer: {stiffness: 400, damping: 40, thickness: 0.01}}, {name: rubber, layer: "
                    "{stiffness: 1200, damping: 120}}");
  step_solved(r.sim, 4000);
  assert_true(fabs(srs_sim_q(r.sim)[1] - (0.1 - 0.01 - 9.81 / 1200)) < 1e-10);
  int n;
  const srs_sim_contact *contact = srs_sim_contacts(r.sim, &n);
  assert_int_equal(n, 1);
  assert_true(fabs(fabs(contact->force[2]) - 9.81) < 1e-8);
  close_run(&r);
}

static void a_layer_shears_until_it_slides(void **state)
{
  (void)state;
  static const char soft[] = "{name: soft, layer: {stiffness: [400, 250, 250], damping: [40, 30, 30]}}";
  run r = open_ball(2, "", soft);
  step_solved(r.sim, 4000);
  assert_true(fabs(srs_sim_q(r.sim)[0] - 2 / 250.0) < 1e-9 && fabs(srs_sim_v(r.sim)[0]) < 1e-10);
  close_run(&r);
  r = open_ball(6, "", soft); // mu m g = 4.905 N
  step_solved(r.sim, 3000);
  const double before = srs_sim_v(r.sim)[0];
  step_solved(r.sim, 1000);
  assert_true(fabs(srs_sim_v(r.sim)[0] - before - (6 - 0.5 * 9.81)) < 1e-8);
  close_run(&r);
}

// Pressing shears: lambda_t = K_tn d_n where it sticks and nothing else pulls.
static void stiffnesses_couple_normal_and_tangents(void **state)
{
  (void)state;
  run r =
      open_ball(0, "", "{name: soft, layer: {stiffness: [400, 40, 0, 40, 250, 0, 0, 0, 250], damping: [40, 30, 30]}}");
  step_solved(r.sim, 5000);
  // 400 d_n + 40 d_t = m g, 40 d_n + 250 d_t = 0
  const double deflection = 9.81 / (400 - 40 * 40 / 250.0), shear = 40 * deflection / 250;
  assert_true(fabs(srs_sim_q(r.sim)[1] - (0.1 - deflection)) < 1e-9);
  assert_true(fabs(fabs(srs_sim_q(r.sim)[0]) - shear) < 1e-9);
  close_run(&r);
}

static void expect(const char *materials, const char *integrator, srs_status wanted, const char *words)
{
  char text[2048];
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error;
  snprintf(text, sizeof text, layered, 0.0, "", materials, integrator);
  srs_status status = srs_scene_load(testing_write("bad.yaml", text), NULL, &scene, &error);
  if (status == SRS_OK) status = srs_scene_create_sim(scene, NULL, &sim, &error);
  if (status != wanted || strstr(error.message, words) == NULL)
    fail_msg("%s: %d '%s', not '%s'", materials, (int)status, error.message, words);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void layers_that_cannot_hold_are_refused(void **state)
{
  (void)state;
  expect("{name: soft, layer: {stiffness: 100}}", "semi-implicit-euler", SRS_ERROR_UNSUPPORTED,
         "the layer of 'soft' needs the integrator geometrically-implicit");
  expect("{name: soft, layer: {stiffness: 0}}", "geometrically-implicit", SRS_ERROR_ARGUMENT, "stiffnesses above 0");
  expect("{name: soft, layer: {damping: 1}}", "geometrically-implicit", SRS_ERROR_SYNTAX, "needs the key 'stiffness'");
  expect("{name: soft, layer: {stiffness: 100, thickness: 0}}", "geometrically-implicit", SRS_ERROR_SYNTAX, "above 0");
  expect("{name: soft, layer: {stiffness: [1, 2]}}", "geometrically-implicit", SRS_ERROR_SYNTAX, "9 are needed");
  expect("{name: soft, layer: {stiffness: [100, 150, 0, 150, 100, 0, 0, 0, 100]}}", "geometrically-implicit",
         SRS_ERROR_ARGUMENT, "the stiffness of the layer of 'soft' pushes along");
  expect("{name: soft, layer: {stiffness: 100, damping: [1, 0, 0, 0, 1, 3, 0, 3, 1]}}", "geometrically-implicit",
         SRS_ERROR_ARGUMENT, "the damping of the layer of 'soft' pushes along");
}

// Skew parts do no work, and a damping of one direction alone is one.
static void matrices_that_can_hold_are_taken(void **state)
{
  (void)state;
  srs_compliant_layer layer = {
      .thickness = 1, .stiffness = {100, 150, 0, -150, 100, 90, 0, 90, 100}, .damping = {1, 1, 1, 1, 1, 1, 1, 1, 1}};
  srs_error error;
  assert_int_equal(srs_layer_check(&layer, "soft", &error), SRS_OK);
  memset(layer.damping, 0, sizeof layer.damping);
  assert_int_equal(srs_layer_check(&layer, "soft", &error), SRS_OK);
  layer.stiffness[5] = layer.stiffness[7] = 101;
  assert_int_equal(srs_layer_check(&layer, "soft", &error), SRS_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_on_a_layer_follows_its_recurrence),
      cmocka_unit_test(layers_of_two_bodies_are_in_series),
      cmocka_unit_test(the_core_of_one_bears_what_its_layer_does_not),
      cmocka_unit_test(a_layer_shears_until_it_slides),
      cmocka_unit_test(stiffnesses_couple_normal_and_tangents),
      cmocka_unit_test(layers_that_cannot_hold_are_refused),
      cmocka_unit_test(matrices_that_can_hold_are_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
