// Does a linearisation say where its derivative holds? In drawn scenes what it calls smooth agrees with central
// differences to 1e-6, and what it calls not smooth differs from one side to the other.

#include "linearised.h"

enum { DRAWS = 200 };

static double either(testing_random *random, double a, double b) { return testing_below(random, 2) == 0 ? a : b; }

// How far the differences of one side are from those of the other.
static double kink(srs_sim *sim, double width)
{
  stepped s = at_state(sim);
  const int nv = s.nv;
  double worst = 0, *up = numbers(2 * nv), *down = numbers(2 * nv);
  for (int j = 0; j < 3 * nv; j++) {
    double most = 1, apart = 0;
    difference(&s, j, 0, width, up);
    difference(&s, j, -width, 0, down);
    for (int i = 0; i < 2 * nv; i++) most = fmax(most, fabs(up[i])), apart = fmax(apart, fabs(up[i] - down[i]));
    worst = fmax(worst, apart / most);
  }
  free(up), free(down);
  put_back(&s);
  return worst;
}

// A slide and a hinge with dry friction, limited drives, servos; torques and speeds also exactly at their bounds.
static void draw_drives(testing_random *random, char *text, size_t size)
{
  const double V = either(random, 0.5, 2), x = either(random, V, testing_uniform(random, 0, 4)),
               tau = either(random, 0, testing_uniform(random, -8, 8)), E = either(random, 3, 100),
               friction = either(random, 0, either(random, 0.5, 5));
  char joint[256], servo[256];
  snprintf(joint, sizeof joint, ", friction: %.17g, max_effort: %.17g, max_velocity: %.17g", friction, E, V);
  snprintf(servo, sizeof servo, "kp: %.17g, kd: %.17g, position: 0.1, ", either(random, 0, 500),
           testing_uniform(random, 0, 20));
  snprintf(text, size,
           "models:\n"
           "  - name: cart\n"
           "    links:\n"
           "      - {name: base, mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
           "      - {name: pole, mass: 1, com: [0, 0, 0.3], inertia: [0.05, 0.04, 0.01]}\n"
           "    joints:\n"
           "      - {name: x, kind: prismatic, child: base, axis: [1, 0, 0]%s}\n"
           "      - {name: tilt, kind: revolute, parent: base, child: pole, axis: [0, 1, 0], friction: %.17g}\n"
           "gravity: [0, 0, %.17g]\n"
           "initial: {q: {tilt: %.17g}, v: {x: %.17g, tilt: %.17g}}\n"
           "actuators: [{coordinate: x, %storque: %.17g}]\n",
           joint, either(random, 0, 0.2), either(random, 0, -9.81), either(random, 0, 0.3), either(random, -x, x),
           either(random, 0, 2), testing_below(random, 2) == 0 ? servo : "", tau);
}

// How often a linearisation is called smooth, and how often not.
typedef struct counts {
  int smooth, other, pushes; // the last: of the others, whose push-out has not settled
} counts;

static void check_draw(int k, const char *text, counts *n)
{
  world w = load(text);
  srs_linearisation_report report;
  const double width = 2e-6, error = largest_error(w.sim, width, &report);
  const char *status = srs_linearisation_status_name(report.status);
  if (report.status == SRS_LINEARISATION_SMOOTH) {
    n->smooth++;
    // nearer than the width to where a row changes, differences over less; these have more rounding
    if (!(error < 1e-6) && !(largest_error(w.sim, 1e-8, &report) < 1e-4))
      fail_msg("draw %d is called %s and off by %.1e:\n%s", k, status, error, text);
  } else {
    n->other++;
    const double apart = kink(w.sim, width);
    n->pushes += report.weak[0].weakness == SRS_WEAK_PUSH;
    if (report.weak[0].weakness != SRS_WEAK_PUSH && !(apart > 1e-4))
      fail_msg("draw %d is called %s, but has a kink of %.1e:\n%s", k, status, apart, text);
  }
  unload(&w);
}

static void drives(void **unused)
{
  (void)unused;
  testing_random random = testing_random_start(2201);
  counts n = {0};
  for (int k = 0; k < DRAWS; k++) {
    char text[2048];
    draw_drives(&random, text, sizeof text);
    check_draw(k, text, &n);
  }
  printf("%d smooth, %d not\n", n.smooth, n.other);
  assert_true(n.smooth > DRAWS / 4 && n.other > 0);
}

// A body with feet and a leg with a foot, deep in the floor or beyond the leg's limit, so that most push-outs would
// turn a link by more than a step may, or move it far.
static void draw_penetration(testing_random *random, char *text, size_t size)
{
  const double foot = testing_uniform(random, 0.02, 0.1), depth = testing_uniform(random, -0.005, 0.02);
  const double x = testing_uniform(random, 0.03, 0.3), z = testing_uniform(random, -0.1, 0.1);
  const double lean = testing_uniform(random, -0.3, 0.3);
  snprintf(
      text, size,
      "models:\n"
      "  - name: r\n"
      "    base: floating\n"
      "    links:\n"
      "      - {name: body, mass: %.17g, com: [0.01, 0.02, -0.01], inertia: [0.03, 0.04, 0.05]}\n"
      "      - {name: leg, mass: 0.3, com: [0, 0, 0.1], inertia: [0.002, 0.002, 0.0005]}\n"
      "    joints: [{name: hip, kind: revolute, parent: body, child: leg, axis: [0, 1, 0], upper: %.17g, origin: "
      "{position: [0.05, 0.02, 0.1]}}]\n"
      "    shapes:\n"
      "      - {link: body, kind: sphere, radius: %.17g, pose: {position: [%.17g, 0.02, %.17g]}}\n"
      "      - {link: leg, kind: sphere, radius: %.17g, pose: {position: [0, 0, %.17g]}}\n"
      "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
      "contact: {friction: %.17g}\n"
      "dt: %.17g\n"
      "initial: {q: {root: [0, 0, %.17g, %.17g, 0, %.17g, 0], hip: %.17g}, v: {root: [%.17g, 0.1, -0.05, 0.3, 0.2, "
      "0.1], hip: 0.4}}\n",
      either(random, 0.2, 2), either(random, 0.5, 4), foot, x, z, foot, testing_uniform(random, -0.3, 0.3),
      either(random, 0, 0.5), either(random, 1e-3, 1e-2), foot - z + sin(lean) * x - depth, cos(lean / 2),
      sin(lean / 2), testing_uniform(random, 0, 1), either(random, 0.1, 1));
}

static void penetration(void **unused)
{
  (void)unused;
  testing_random random = testing_random_start(2202);
  counts n = {0};
  for (int k = 0; k < DRAWS; k++) {
    char text[4096];
    draw_penetration(&random, text, sizeof text);
    check_draw(k, text, &n);
  }
  printf("%d smooth, %d not, %d of these pushed against each other\n", n.smooth, n.other, n.pushes);
  assert_true(n.smooth > DRAWS / 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(drives), cmocka_unit_test(penetration)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
