// What a geometrically implicit step answers, against the laws themselves: momentum, the nearest points at its end, the
// friction ellipsoid. Two ellipsoids that strike each other in the air.

#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct pair {
  srs_scene *scene;
  srs_sim *sim;
  double mu, torsional;
} pair;

static pair random_pair(testing_random *random)
{
  pair p = {.mu = testing_uniform(random, 0.05, 1), .torsional = testing_uniform(random, 0.05, 0.3)};
  double u[20];
  for (int i = 0; i < 20; i++) u[i] = testing_uniform(random, -1, 1);
  char text[2048];
  snprintf(text, sizeof text,
           "gravity: [0, 0, 0]\n"
           "models:\n"
           "  - {name: a, base: floating, position: [0, 0, 0], rotation: {rpy: [%g, %g, %g]}, links: [{name: l, mass: "
           "1.5, inertia: [0.3, 0.3, 0.3]}], shapes: [{link: l, kind: ellipsoid, size: [0.5, 0.4, 0.3]}]}\n"
           "  - {name: b, base: floating, position: [%g, %g, 1.05], rotation: {rpy: [%g, %g, %g]}, links: [{name: l, "
           "mass: 0.5, inertia: [0.1, 0.1, 0.1]}], shapes: [{link: l, kind: ellipsoid, size: [0.3, 0.5, 0.4]}]}\n"
           "contact: {friction: %.17g, torsional: %.17g}\n"
           "initial: {v: {a/root: [0, 0, 1, %g, %g, %g], b/root: [%g, %g, -2, %g, %g, %g]}}\n"
           "integrator: geometrically-implicit\ndt: 0.01\n",
           u[0], u[1], u[2], 0.2 * u[3], 0.2 * u[4], u[5], u[6], u[7], p.mu, p.torsional, 3 * u[8], 3 * u[9], 3 * u[10],
           u[11], u[12], 3 * u[13], 3 * u[14], 3 * u[15]);
  p.scene = scene_of_text(text);
  p.sim = sim_of_scene(p.scene, NULL);
  return p;
}

// [angular about the world's origin; linear]: spheres' inertias, so that exactly this is kept.
static void momentum_of(srs_sim *sim, double momentum[6])
{
  assert_int_equal(srs_momentum(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), momentum), SRS_OK);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The gap told is that of the bodies where they are then; collision/ finds it by other means.
static void check_gap(const pair *p, const srs_sim_contact *c)
{
  srs_pose links[2];
  srs_contact_point nearest;
  const srs_model *model = srs_sim_model(p->sim);
  const int a = srs_model_find_frame(model, "a/l"), b = srs_model_find_frame(model, "b/l");
  srs_frame_placement(srs_sim_workspace(p->sim), a, &links[0]);
  srs_frame_placement(srs_sim_workspace(p->sim), b, &links[1]);
  assert_int_equal(srs_collider_distance(srs_sim_collider(p->sim), links, a, b, &nearest, NULL), SRS_OK);
  assert_true(fabs(nearest.gap - c->contact.gap) < 1e-9);
  if (nearest.gap > 1e-10) return; // where they touch the points are one
  for (int i = 0; i < 3; i++) assert_true(fabs(c->contact.point_a[i] - c->contact.point_b[i]) < 1e-9);
}

// Slip at the contact, of A less B, and spin about the normal.
static double slip_of(const pair *p, const srs_sim_contact *c, double slip[3])
{
  double spin = 0;
  memset(slip, 0, 3 * sizeof *slip);
  for (int side = 0; side < 2; side++) {
    double velocity[6], arm[3];
    srs_pose pose;
    const int frame = srs_model_find_frame(srs_sim_model(p->sim), side == 0 ? "a/l" : "b/l");
    srs_frame_placement(srs_sim_workspace(p->sim), frame, &pose);
    srs_frame_velocity(srs_sim_workspace(p->sim), frame, SRS_AXES_WORLD, velocity);
    for (int i = 0; i < 3; i++) arm[i] = c->contact.point_a[i] - pose.position[i];
    const double sign = side == 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      slip[i] += sign * (velocity[3 + i] + velocity[j] * arm[k] - velocity[k] * arm[j]);
    }
    spin += sign * dot(velocity, c->contact.normal);
  }
  const double normal = dot(slip, c->contact.normal);
  for (int i = 0; i < 3; i++) slip[i] -= normal * c->contact.normal[i];
  return spin;
}

static bool check_friction(const pair *p, const srs_sim_contact *c)
{
  double slip[3], across[3];
  const double push = dot(c->impulse, c->contact.normal), spin = slip_of(p, c, slip);
  for (int i = 0; i < 3; i++) across[i] = c->impulse[i] - push * c->contact.normal[i];
  const double e = p->torsional, speed = sqrt(dot(slip, slip) + pow(e * spin, 2));
  const double used = sqrt(dot(across, across) + pow(c->torsional_impulse / e, 2)), most = p->mu * push;
  assert_true(push > 0 && used <= most * (1 + 1e-9));
  if (speed < 1e-9) return false; // it sticks
  // It slides: impulse / e against e * velocity, as large as may be.
  for (int i = 0; i < 3; i++) assert_true(fabs(across[i] + most * slip[i] / speed) < 1e-8);
  assert_true(fabs(c->torsional_impulse / e + most * e * spin / speed) < 1e-8);
  return true;
}

// Linear momentum is kept. Angular momentum is but for h (v_A - v_B) x P: levers are those at the end of the step, and
// r+ x v+ = r x v+, so that bodies carry their impulses from where they were.
static void check_momentum(const pair *p, const double before[6], const double impulse[3])
{
  double after[6], velocity[2][6], apart[3];
  momentum_of(p->sim, after);
  srs_frame_velocity(srs_sim_workspace(p->sim), srs_model_find_frame(srs_sim_model(p->sim), "a/l"), SRS_AXES_WORLD,
                     velocity[0]);
  srs_frame_velocity(srs_sim_workspace(p->sim), srs_model_find_frame(srs_sim_model(p->sim), "b/l"), SRS_AXES_WORLD,
                     velocity[1]);
  for (int i = 0; i < 3; i++) apart[i] = velocity[0][3 + i] - velocity[1][3 + i];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double turned = -0.01 * (apart[j] * impulse[k] - apart[k] * impulse[j]);
    assert_true(fabs(after[i] - before[i] - turned) < 1e-12);
    assert_true(fabs(after[3 + i] - before[3 + i]) < 1e-12);
  }
}

static void impacts_obey_the_laws(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5);
  int sliding = 0, sticking = 0;
  for (int run = 0; run < 40; run++) {
    pair p = random_pair(&random);
    static const double none[3];
    for (int k = 0; k < 40; k++) {
      double before[6];
      momentum_of(p.sim, before);
      step(p.sim, 1);
      int n;
      const srs_sim_contact *c = srs_sim_contacts(p.sim, &n);
      check_momentum(&p, before, n == 1 ? c->impulse : none);
      if (n == 1) check_gap(&p, c);
      if (n == 0 || !(dot(c->impulse, c->impulse) > 1e-16)) continue; // what is left of none
      assert_true(fabs(c->contact.gap) < 1e-12);
      if (check_friction(&p, c))
        sliding++;
      else
        sticking++;
    }
    assert_int_equal(srs_sim_get_statistics(p.sim)->failures, 0);
    srs_sim_destroy(p.sim);
    srs_scene_destroy(p.scene);
  }
  print_message("%d steps slide, %d stick\n", sliding, sticking);
  assert_true(sliding > 5 && sticking > 5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(impacts_obey_the_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
