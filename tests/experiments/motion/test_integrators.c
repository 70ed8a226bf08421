// What each integrator does to a chain of twelve links: energy, momentum, order. The figures are those of the table in
// docs/theory.md, section 10.

#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINKS = 12, MOST = 64 };

// Axes alternate between y and x; the chain starts 0.5 rad off the plumb line, or floats and spins.
static srs_scene *chain(bool floats)
{
  static char text[8192];
  int n = snprintf(text, sizeof text, "models:\n  - name: m\n%s    links:\n", floats ? "    base: floating\n" : "");
  for (int i = 0; i < LINKS; i++)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "      - {name: l%d, mass: 1, com: [0, 0, -0.1], inertia: [4e-3, 4e-3, 1e-3]}\n", i);
  n += snprintf(text + n, sizeof text - (size_t)n, "    joints:\n");
  for (int i = floats ? 1 : 0; i < LINKS; i++) {
    char parent[64] = "";
    if (i > 0) snprintf(parent, sizeof parent, ", parent: l%d, origin: {position: [0, 0, -0.2]}", i - 1);
    n += snprintf(text + n, sizeof text - (size_t)n, "      - {name: j%d, kind: revolute, axis: %s, child: l%d%s}\n", i,
                  i % 2 == 0 ? "[0, 1, 0]" : "[1, 0, 0]", i, parent);
  }
  snprintf(text + n, sizeof text - (size_t)n,
           floats ? "gravity: [0, 0, 0]\ninitial: {v: {root: [0, 0, 0, 3, 1, 0], j3: 2, j6: -2}}\n"
                  : "initial: {q: {j0: 0.5, j3: 0.4}}\n");
  return scene_of_text(text);
}

static srs_sim *sim_with(const srs_scene *scene, srs_integrator integrator, double dt)
{
  srs_sim_options o = srs_scene_get_settings(scene)->sim;
  o.integrator = integrator, o.dt = dt;
  o.implicit.tolerance = 1e-12;
  return sim_of_scene(scene, &o);
}

// The largest energy error within 1 s at 1 ms, J.
static double energy_error(const srs_scene *scene, srs_integrator integrator)
{
  srs_sim *sim = sim_with(scene, integrator, 1e-3);
  const double start = total_energy(sim);
  double worst = 0;
  for (int n = 0; n < 1000; n++) {
    step(sim, 1);
    worst = fmax(worst, fabs(total_energy(sim) - start));
  }
  srs_sim_destroy(sim);
  return worst;
}

// How far the angular momentum about the world's origin is off after 1 s at 1 ms, relative to its size.
static double momentum_error(const srs_scene *scene, srs_integrator integrator)
{
  srs_sim *sim = sim_with(scene, integrator, 1e-3);
  double start[6], end[6], off = 0, size = 0;
  assert_int_equal(srs_momentum(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), start), SRS_OK);
  step(sim, 1000);
  assert_int_equal(srs_momentum(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), end), SRS_OK);
  for (int i = 0; i < 3; i++) off += (end[i] - start[i]) * (end[i] - start[i]), size += start[i] * start[i];
  srs_sim_destroy(sim);
  return sqrt(off / size);
}

static double velocity_error(const srs_scene *scene, srs_integrator integrator, double dt, const double *exact)
{
  srs_sim *sim = sim_with(scene, integrator, dt);
  step(sim, lround(0.2 / dt));
  double worst = 0;
  for (int i = 0; i < LINKS; i++) worst = fmax(worst, fabs(srs_sim_v(sim)[i] - exact[i]));
  srs_sim_destroy(sim);
  return worst;
}

static void a_chain_of_twelve_links(void **state)
{
  (void)state;
  // Semi-implicit Euler's velocities are those of a scheme of order 2 from rest on: its positions lead by half a step.
  static const double stated[SRS_INTEGRATORS] = {2, 2, 4, 1, 2, 2};
  srs_scene *fixed = chain(false), *floating = chain(true);
  double exact[LINKS];
  srs_sim *sim = sim_with(fixed, SRS_RK4, 5e-5);
  step(sim, 4000);
  memcpy(exact, srs_sim_v(sim), sizeof exact);
  srs_sim_destroy(sim);
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    const srs_integrator integrator = (srs_integrator)i;
    const double energy = energy_error(fixed, integrator), momentum = momentum_error(floating, integrator);
    const double h = integrator == SRS_RK4 ? 4e-3 : stated[i] == 1 ? 1e-3 : 5e-4;
    const double coarse = velocity_error(fixed, integrator, h, exact),
                 fine = velocity_error(fixed, integrator, 0.5 * h, exact), order = log2(coarse / fine);
    print_message("%-22s: energy off by %.2g J, angular momentum by %.2g, order %.2f\n",
                  srs_integrator_name(integrator), energy, momentum, order);
    assert_true(fabs(order - stated[i]) < 0.3);
  }
  srs_scene_destroy(fixed);
  srs_scene_destroy(floating);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_chain_of_twelve_links)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
