// Do contacts resist spin, and slip by an anisotropic law, as the closed forms say? By every solver and impact law.
#include "support/testing.h"
#include "support/world.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81, mu = 0.4, h = 1e-3;
static const char *const solvers[] = {"mncp-rlm",     "mncp-plm",    "mlcp-lemke", "mlcp-pfb-rlm",
                                      "mlcp-pfb-plm", "mlcp-fb-rlm", "mlcp-fb-plm"};
enum { SOLVERS = 7, EXACT = 2 };

// A body of 2 kg, moments 0.008, above the ground.
static world load_body(const char *body, const char *ground, const char *contact, const char *gravity,
                       const char *solver, const char *velocity)
{
  char text[4096];
  snprintf(text, sizeof text,
           "gravity: %s\n"
           "models: [{name: m, base: floating, position: [0, 0, 0.1],\n"
           "          links: [{name: b, mass: 2, inertia: [0.008, 0.008, 0.008]}],\n"
           "          shapes: [{link: b, %s}]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]%s}]\n"
           "contact: {friction: 0.4, %s}\nsolver: {name: %s}\ninitial: {v: {root: %s}}\n",
           gravity, body, ground, contact, solver, velocity);
  return load(text);
}

static void step_solved(srs_sim *sim, long n)
{
  step(sim, n);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
}

static const char down[] = "[0, 0, -9.81]", ball[] = "kind: sphere, radius: 0.1";

// I w' = -mu e_r m g until it stands.
static void a_spinning_ball_comes_to_rest_by_torsional_friction(void **state)
{
  (void)state;
  const double e_r = 0.01, a = mu * e_r * 2 * g / 0.008;
  for (int s = 0; s < SOLVERS; s++) {
    world w = load_body(ball, "", "torsional: 0.01", down, solvers[s], "[0, 0, 0, 0, 0, 3]");
    step_solved(w.sim, 100);
    int n;
    const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
    assert_int_equal(n, 1);
    const double torque = c->contact.normal[2] * (c->contact.link_a >= 0 ? 1 : -1) * c->torque;
    if (!(fabs(srs_sim_v(w.sim)[5] - (3 - a * 0.1)) < 1e-9) || !(fabs(torque + mu * e_r * 2 * g) < 1e-9))
      fail_msg("%s: spin %.12g, not %.12g, torque %.12g", solvers[s], srs_sim_v(w.sim)[5], 3 - a * 0.1, torque);
    assert_true(fabs(c->anisotropy[2] - e_r) < 1e-15 && fabs(c->torsional_impulse - c->torque * h) < 1e-15);
    step_solved(w.sim, 400); // 3 / a = 0.306 s
    for (int i = 0; i < 6; i++) assert_true(fabs(srs_sim_v(w.sim)[i]) < 1e-9);
    unload(&w);
  }
}

static void without_torsional_friction_spin_lasts(void **state)
{
  (void)state;
  world w = load_body(ball, "", "restitution: 0", down, "mncp-rlm", "[0, 0, 0, 0, 0, 3]");
  step_solved(w.sim, 500);
  assert_true(fabs(srs_sim_v(w.sim)[5] - 3) < 1e-9);
  unload(&w);
}

static double spin_after(const char *ground, const char *contact)
{
  world w =
      load_body("kind: sphere, radius: 0.1, material: soft", ground, contact, down, "mncp-rlm", "[0, 0, 0, 0, 0, 3]");
  step_solved(w.sim, 100);
  const double spin = srs_sim_v(w.sim)[5];
  unload(&w);
  return spin;
}

static void the_larger_torsional_friction_counts_and_pairs_override(void **state)
{
  (void)state;
  const double loss = mu * 2 * g / 0.008 * 0.1; // per e_r
  const char materials[] = "materials: [{name: soft, torsional: 0.005}, {name: hard, torsional: 0.01}]";
  char text[512];
  assert_true(fabs(spin_after("", materials) - (3 - 0.005 * loss)) < 1e-9);
  assert_true(fabs(spin_after(", material: hard", materials) - (3 - 0.01 * loss)) < 1e-9);
  snprintf(text, sizeof text, "%s, pairs: [{between: [soft, hard], torsional: 0.002}]", materials);
  assert_true(fabs(spin_after(", material: hard", text) - (3 - 0.002 * loss)) < 1e-9);
  snprintf(text, sizeof text, "%s, pairs: [{between: [soft, hard], torsional: 0}]", materials);
  assert_true(fabs(spin_after(", material: hard", text) - 3) < 1e-9);
}

// A bead that hardly turns, one node: m v' = -mu m g e^2 v / |e v| along the anisotropy's two directions.
static void slip_over_a_grain_is_braked_by_the_ellipse(void **state)
{
  (void)state;
  const double e[2] = {1, 0.5}, v[3][2] = {{1, 0}, {0, 1}, {0.6, 0.8}};
  const double turn[2] = {0, 0.7};
  for (int k = 0; k < 3; k++)
    for (int t = 0; t < 2; t++) {
      char ground[160], velocity[160], contact[256];
      const double c = cos(turn[t]), s = sin(turn[t]);
      snprintf(velocity, sizeof velocity, "[%.17g, %.17g, 0, 0, 0, 0]", c * v[k][0] - s * v[k][1],
               s * v[k][0] + c * v[k][1]);
      snprintf(ground, sizeof ground, ", material: wood");
      snprintf(contact, sizeof contact,
               "materials: [{name: wood, anisotropy: {direction: [%.17g, %.17g, 5], along: 1, across: 0.5}}]", c, s);
      for (int solver = 0; solver < EXACT; solver++) {
        world w = load_body(ball, ground, contact, down, solvers[solver], velocity);
        step_solved(w.sim, 1);
        const double *after = srs_sim_v(w.sim);
        const double along = c * after[0] + s * after[1], across = -s * after[0] + c * after[1];
        // The slip at the end of the step sets the direction: 3.5 mu g h = 0.014 of 1 m/s beside that at its start.
        const double size = hypot(e[0] * v[k][0], e[1] * v[k][1]), push = mu * g * h;
        assert_true(fabs(along - v[k][0] + push * e[0] * e[0] * v[k][0] / size) < 2e-2 * push);
        assert_true(fabs(across - v[k][1] + push * e[1] * e[1] * v[k][1] / size) < 2e-2 * push);
        unload(&w);
      }
    }
}

// On a slope of 15 degrees (tan 0.27) mu 0.4 holds along the anisotropy and 0.2 across does not; the anisotropy turns
// with the body it is on.
static void a_box_sticks_along_its_grain_and_slides_across(void **state)
{
  (void)state;
  const double angle = 15 * 3.14159265358979323846 / 180;
  const char contact[] = "materials: [{name: wood, anisotropy: {direction: [1, 0, 0], along: 1, across: 0.5}}]";
  for (int turned = 0; turned < 2; turned++)
    for (int s = 0; s < SOLVERS; s++) {
      char gravity[128], body[256];
      snprintf(gravity, sizeof gravity, "[%.17g, 0, %.17g]", g * sin(angle), -g * cos(angle));
      snprintf(body, sizeof body,
               "kind: box, size: [0.2, 0.2, 0.2], material: wood, pose: {rotation: {rpy: [0, 0, %.17g]}}",
               turned * 1.5707963267948966);
      world w = load_body(body, "", contact, gravity, solvers[s], "[0, 0, 0, 0, 0, 0]");
      step_solved(w.sim, 200);
      const double expected = turned ? 0.2 * g * (sin(angle) - 0.5 * mu * cos(angle)) : 0;
      if (!(fabs(srs_sim_v(w.sim)[0] - expected) < 1e-8))
        fail_msg("%s, turned %d: %.12g, not %.12g", solvers[s], turned, srs_sim_v(w.sim)[0], expected);
      unload(&w);
    }
}

static void a_grain_across_the_face_is_none(void **state)
{
  (void)state;
  world w =
      load_body(ball, ", material: end", "materials: [{name: end, anisotropy: {direction: [0, 0, 1], across: 0.5}}]",
                down, "mncp-rlm", "[1, 0, 0, 0, 0, 0]");
  step_solved(w.sim, 1);
  assert_true(fabs(srs_sim_v(w.sim)[0] - (1 - 0.5 * mu * g * h)) < 1e-12);
  unload(&w);
}

static double energy(const double *v)
{
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += 0.5 * (i < 3 ? 2 : 0.008) * v[i] * v[i];
  return sum;
}

// A ball strikes the ground with slip and spin: within the ellipsoid, no failure; no energy is made.
static void impacts_obey_the_ellipsoid_by_every_law_and_solver(void **state)
{
  (void)state;
  static const char *const laws[] = {"two-phase", "poisson", "newton"};
  for (int law = 0; law < 3; law++)
    for (int s = 0; s < SOLVERS; s++)
      for (int both = 0; both < 2; both++) {
        char contact[512];
        snprintf(contact, sizeof contact,
                 "restitution: 0.5, torsional: 0.02, impact: %s,\n"
                 "  materials: [{name: wood, anisotropy: {direction: [1, 0.3, 0], along: 1, across: 0.5}}]",
                 laws[law]);
        world w = load_body(both ? "kind: box, size: [0.2, 0.2, 0.2], material: wood" : ball,
                            both ? "" : ", material: wood", contact, down, solvers[s], "[0.5, 0.2, -2, 0, 0, 4]");
        const double before = energy(srs_sim_v(w.sim));
        step_solved(w.sim, 1);
        int n;
        const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
        assert_int_equal(n, both ? 4 : 1);
        assert_true(srs_sim_v(w.sim)[2] > 0.9);
        if (law < 2) assert_true(energy(srs_sim_v(w.sim)) < before);
        for (int i = 0; i < n; i++) {
          double normal = 0, square = 0;
          for (int k = 0; k < 3; k++) normal += c[i].impulse[k] * c[i].contact.normal[k];
          for (int k = 0; k < 3; k++) square += c[i].impulse[k] * c[i].impulse[k];
          const double e = c[i].anisotropy[0] * c[i].anisotropy[1]; // the smaller: 0.5
          assert_true(fabs(e - 0.5) < 1e-15 && fabs(c[i].anisotropy[2] - 0.02) < 1e-15);
          assert_true(square - normal * normal <= mu * mu * normal * normal * (1 + 1e-9) + 1e-30);
          assert_true(fabs(c[i].torsional_impulse) <= mu * 0.02 * normal * (1 + 1e-9));
        }
        unload(&w);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spinning_ball_comes_to_rest_by_torsional_friction),
      cmocka_unit_test(without_torsional_friction_spin_lasts),
      cmocka_unit_test(the_larger_torsional_friction_counts_and_pairs_override),
      cmocka_unit_test(slip_over_a_grain_is_braked_by_the_ellipse),
      cmocka_unit_test(a_box_sticks_along_its_grain_and_slides_across),
      cmocka_unit_test(a_grain_across_the_face_is_none),
      cmocka_unit_test(impacts_obey_the_ellipsoid_by_every_law_and_solver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
