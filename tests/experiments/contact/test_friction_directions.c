// F57: does friction depend on the direction of sliding? A cube of 1 kg with 2 m/s on a plane, friction 0.5: it should
// stop after v^2 / (2 mu g), straight ahead. With the exact cone, and with a polyhedron that is aligned with the slip,
// it does. With a polyhedron of n directions that is fixed in the world friction is the corner nearest to -v, until the
// slip stands halfway between two corners, and then mu cos(pi / n):
//
//   v = v0 (cos d, sin d), d the angle from the nearest direction, p = pi / n, a = mu g
//   first    v_x falls with a, v_y stays, until v_x = v_y / tan p
//   then     straight ahead, (v_y / sin p)^2 / (2 a cos p) far
//
// which is at most 1 / cos(pi / n) of the right distance. The table of docs/solvers.md is this test's.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static const double g = 9.81, mu = 0.5, v0 = 2;

typedef struct stop {
  double distance, turned; // m; rad, away from where it was heading
} stop;

static srs_scene *cube_thrown(double angle)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models:\n"
           "  - name: cube\n"
           "    base: floating\n"
           "    position: [0, 0, 0.05]\n"
           "    links: [{name: cube, mass: 1, inertia: [0.0016666666666666668, 0.0016666666666666668, "
           "0.0016666666666666668]}]\n"
           "    shapes: [{link: cube, kind: box, size: [0.1, 0.1, 0.1]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
           "contact: {friction: 0.5}\n"
           "initial: {v: {root: [%.17g, %.17g, 0, 0, 0, 0]}}\n",
           v0 * cos(angle), v0 * sin(angle));
  srs_scene *scene = scene_of_text(text);
  return scene;
}

static stop measure(double angle, srs_contact_method solver, srs_alignment alignment, int directions)
{
  srs_scene *scene = cube_thrown(angle);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.alignment = alignment;
  options.contact.solver.method = solver;
  options.contact.solver.n_directions = directions;
  srs_sim *sim = sim_of_scene(scene, &options);
  step(sim, 600);
  const double *q = srs_sim_q(sim);
  for (int i = 0; i < 6; i++) assert_true(fabs(srs_sim_v(sim)[i]) < 1e-9);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  const stop end = {hypot(q[0], q[1]), atan2(q[1], q[0]) - angle};
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return end;
}

static stop predict(double angle, int directions)
{
  const double p = PI / directions, nearest = round(angle / (2 * p)) * 2 * p, d = angle - nearest, a = mu * g;
  const double x = v0 * cos(d), y = fabs(v0 * sin(d)), x1 = fmin(x, y / tan(p)), time = (x - x1) / a;
  const double rest = y * y / (sin(p) * sin(p) * 2 * a * cos(p));
  const double end_x = (x * x - x1 * x1) / (2 * a) + rest * cos(p), end_y = y * time + rest * sin(p);
  const double turned = atan2(end_y, end_x) - fabs(d);
  return (stop){hypot(end_x, end_y), d < 0 ? -turned : turned};
}

static void tell(const char *what, int degrees, stop end)
{
  const double right = v0 * v0 / (2 * mu * g);
  print_message("%-22s %2d degrees: stops after %.5f m (%+.2f %%), %+.2f degrees aside\n", what, degrees, end.distance,
                100 * (end.distance / right - 1), end.turned * 180 / PI);
}

static void round_and_aligned_friction_know_no_direction(void **state)
{
  (void)state;
  const double right = v0 * v0 / (2 * mu * g);
  for (int degrees = 0; degrees <= 45; degrees += 15)
    for (int solver = 0; solver < SRS_COMPLEMENTARITY_METHODS; solver++) {
      const bool is_told = solver == SRS_METHOD_MNCP_RLM || solver == SRS_METHOD_MLCP_LEMKE;
      if (degrees != 30 && !is_told) continue; // the rest in one direction: it takes its time
      const stop end = measure(degrees * PI / 180, (srs_contact_method)solver, SRS_ALIGNMENT_SLIP, 4);
      if (is_told) tell(solver == 0 ? "exact cone" : "4 directions, aligned", degrees, end);
      assert_true(fabs(end.distance / right - 1) < 5e-3);
      assert_true(fabs(end.turned) < 0.1 * PI / 180);
    }
}

static void a_fixed_polyhedron_errs_as_its_geometry_says(void **state)
{
  (void)state;
  const double right = v0 * v0 / (2 * mu * g);
  for (int directions = 4; directions <= 16; directions *= 2)
    for (int degrees = 0; degrees <= 45; degrees += 15) {
      const double angle = degrees * PI / 180;
      const stop expected = predict(angle, directions);
      const int last = degrees == 30 && directions == 4 ? SRS_COMPLEMENTARITY_METHODS : SRS_METHOD_MLCP_LEMKE + 1;
      for (int solver = SRS_METHOD_MLCP_LEMKE; solver < last; solver++) {
        const stop end = measure(angle, (srs_contact_method)solver, SRS_ALIGNMENT_FIXED, directions);
        char what[32];
        snprintf(what, sizeof what, "%d directions, fixed", directions);
        if (solver == SRS_METHOD_MLCP_LEMKE) tell(what, degrees, end);
        // A step is 2 mm of 0.4 m; the first steps of a body put down with its speed are the same in all directions.
        assert_true(fabs(end.distance / expected.distance - 1) < 5e-3);
        assert_true(fabs(end.turned - expected.turned) < 0.3 * PI / 180);
        assert_true(end.distance / right < 1.005 / cos(PI / directions));
      }
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_and_aligned_friction_know_no_direction),
      cmocka_unit_test(a_fixed_polyhedron_errs_as_its_geometry_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
