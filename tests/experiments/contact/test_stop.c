// F38 as far as contact goes: an arm falls on a stop 30 degrees below the horizontal, is pressed on it, and let go.
//
// Arm: 1 kg, mass centre 0.3 m from the joint, a ball of 5 cm at 0.6 m. The stop is the half-space that the ball
// touches at -30 degrees. The gap is 0.6 sin(q + 30 degrees), whose curvature costs a step under 1e-8 m at this speed.

#include "support/sims.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const char scene_text[] =
    "models:\n"
    "  - name: arm\n"
    "    links: [{name: p, mass: 1, com: [0, 0.3, 0], inertia: [0.01, 0.01, 0.01]}]\n"
    "    joints: [{name: h, kind: revolute, child: p, axis: [1, 0, 0]}]\n"
    "    shapes: [{kind: sphere, link: p, radius: 0.05, pose: {position: [0, 0.6, 0]}}]\n"
    "environment:\n"
    "  - {name: stop, shape: half-space, normal: [0, 0.5, 0.8660254037844386], offset: -0.05}\n"
    "contact: {friction: 0}\n";

static double gap(const srs_sim *sim) { return 0.6 * sin(srs_sim_q(sim)[0] + PI / 6); }

static void F38_an_arm_stops_stays_and_leaves(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(scene_text);
  srs_sim *sim = sim_of_scene(scene, NULL);
  int touched = -1;
  double before = total_energy(sim);
  for (int i = 0; i < 2000; i++) {
    step(sim, 1);
    assert_true(gap(sim) > -1e-6);
    if (touched < 0 && gap(sim) < 1e-6) touched = i;
    if (touched >= 0 && i > touched) assert_true(fabs(srs_sim_v(sim)[0]) < 1e-9); // at rest one step after it arrived
    // Falling, semi-implicit Euler's energy swings by g h v; once touched it must not rise at all.
    const double now = total_energy(sim);
    assert_true(now - before < (touched < 0 ? 9.81 * 1e-3 * 3 : 1e-9));
    before = now;
  }
  assert_true(touched > 0);

  const double into[1] = {-5}, away[1] = {5};
  assert_int_equal(srs_sim_set_torque(sim, into, NULL), SRS_OK);
  for (int i = 0; i < 1000; i++) {
    step(sim, 1);
    assert_true(fabs(gap(sim)) < 1e-6 && fabs(srs_sim_v(sim)[0]) < 1e-9);
  }
  int n;
  const srs_sim_contact *contact = srs_sim_contacts(sim, &n);
  assert_int_equal(n, 1);
  const double *f = contact->force, force = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  const double expected = (5 + 0.3 * 9.81 * cos(PI / 6)) / 0.6; // moments about the joint
  assert_true(fabs(force / expected - 1) < 1e-8);

  assert_int_equal(srs_sim_set_torque(sim, away, NULL), SRS_OK);
  step(sim, 1);
  assert_true(srs_sim_v(sim)[0] > 0); // leaves in the first step
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(F38_an_arm_stops_stays_and_leaves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
