// Of many answers, is it the smallest? Bodies whose symmetries say which forces it has.
#include "support/testing.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

typedef struct rest {
  srs_scene *scene;
  srs_sim *sim;
  const srs_sim_contact *contacts;
  int n;
} rest;

// Bodies on the ground, gravity pulling along x too, after so many steps.
static rest stand(const char *bodies, const char *velocity, double along, const char *solver, long steps)
{
  char text[4096];
  snprintf(text, sizeof text,
           "gravity: [%.17g, 0, -9.81]\nmodels: %s\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
           "contact: {friction: 0.5}\nsolver: {name: %s}\ninitial: {v: {root: %s}}\n",
           along, bodies, solver, velocity);
  rest r;
  srs_error error;
  if (srs_scene_load(testing_write("scene.yaml", text), NULL, &r.scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  if (srs_scene_create_sim(r.scene, NULL, &r.sim, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_sim_step(r.sim, steps, &error) != SRS_OK) fail_msg("%s", error.message);
  r.contacts = srs_sim_contacts(r.sim, &r.n);
  return r;
}

static void end(rest *r)
{
  srs_sim_destroy(r->sim);
  srs_scene_destroy(r->scene);
}

// Every contact bears the same share of the weight, and friction is `along` of that.
static void check_equal(const char *bodies, const char *velocity, int n, double mass, double pull, double along)
{
  static const char *const solvers[] = {"mncp-rlm", "mncp-plm"};
  static const long steps[] = {1, 2, 20};
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) {
      rest r = stand(bodies, velocity, pull, solvers[s], steps[k]);
      assert_int_equal(r.n, n);
      const double share = mass * g / n;
      for (int i = 0; i < n; i++) {
        const double *f = r.contacts[i].force, side = r.contacts[i].contact.link_a >= 0 ? 1 : -1;
        if (!(fabs(side * f[2] - share) < 1e-9 * share && fabs(side * f[0] - along * share) < 1e-9 * share &&
              fabs(f[1]) < 1e-9 * share))
          fail_msg("%s, step %ld, contact %d of %d: %.12g %.12g %.12g, not %g times %.12g", solvers[s], steps[k], i, n,
                   side * f[0], side * f[1], side * f[2], along, share);
      }
      end(&r);
    }
}

static const char still[] = "[0, 0, 0, 0, 0, 0]";

static void a_box_at_rest_pushes_alike_with_all_corners_and_rubs_with_none(void **state)
{
  (void)state;
  check_equal("[{name: m, base: floating, position: [0, 0, 0.05],\n"
              "  links: [{name: b, mass: 2, inertia: [0.0033, 0.0033, 0.0033]}],\n"
              "  shapes: [{link: b, kind: box, size: [0.1, 0.1, 0.1]}]}]",
              still, 4, 2, 0, 0);
  check_equal("[{name: m, base: floating, position: [0, 0, 0.03],\n"
              "  links: [{name: b, mass: 2, inertia: [0.01, 0.02, 0.03]}],\n"
              "  shapes: [{link: b, kind: box, size: [0.3, 0.2, 0.06]}]}]",
              still, 4, 2, 0, 0);
}

static void a_standing_cylinder_pushes_alike_all_around(void **state)
{
  (void)state;
  rest r = stand("[{name: m, base: floating, position: [0, 0, 0.05],\n"
                 "  links: [{name: b, mass: 2, inertia: [0.0021, 0.0021, 0.0009]}],\n"
                 "  shapes: [{link: b, kind: cylinder, radius: 0.03, length: 0.1}]}]",
                 still, 0, "mncp-rlm", 1);
  const int n = r.n;
  end(&r);
  check_equal("[{name: m, base: floating, position: [0, 0, 0.05],\n"
              "  links: [{name: b, mass: 2, inertia: [0.0021, 0.0021, 0.0009]}],\n"
              "  shapes: [{link: b, kind: cylinder, radius: 0.03, length: 0.1}]}]",
              still, n, 2, 0, 0);
}

static void a_table_stands_on_its_four_legs_alike(void **state)
{
  (void)state;
  check_equal("[{name: m, base: floating, position: [0, 0, 0.5],\n"
              "  links: [{name: b, mass: 8, inertia: [1, 1, 1]}],\n"
              "  shapes: [{link: b, kind: sphere, radius: 0.05, pose: {position: [0.4, 0.3, -0.45]}},\n"
              "           {link: b, kind: sphere, radius: 0.05, pose: {position: [-0.4, 0.3, -0.45]}},\n"
              "           {link: b, kind: sphere, radius: 0.05, pose: {position: [0.4, -0.3, -0.45]}},\n"
              "           {link: b, kind: sphere, radius: 0.05, pose: {position: [-0.4, -0.3, -0.45]}}]}]",
              still, 4, 8, 0, 0);
}

// Friction acts in the plane of the centre of mass: no torque, so legs bear alike while all slide.
static void a_sliding_table_rubs_with_all_legs_alike(void **state)
{
  (void)state;
  check_equal("[{name: m, base: floating, position: [0, 0, 0.05],\n"
              "  links: [{name: b, mass: 8, com: [0, 0, -0.05], inertia: [1, 1, 1]}],\n"
              "  shapes: [{link: b, kind: sphere, radius: 0.05, pose: {position: [0.4, 0.3, 0]}},\n"
              "           {link: b, kind: sphere, radius: 0.05, pose: {position: [-0.4, 0.3, 0]}},\n"
              "           {link: b, kind: sphere, radius: 0.05, pose: {position: [0.4, -0.3, 0]}},\n"
              "           {link: b, kind: sphere, radius: 0.05, pose: {position: [-0.4, -0.3, 0]}}]}]",
              "[1, 0, 0, 0, 0, 0]", 4, 8, 0, -0.5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_at_rest_pushes_alike_with_all_corners_and_rubs_with_none),
      cmocka_unit_test(a_standing_cylinder_pushes_alike_all_around),
      cmocka_unit_test(a_table_stands_on_its_four_legs_alike),
      cmocka_unit_test(a_sliding_table_rubs_with_all_legs_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
