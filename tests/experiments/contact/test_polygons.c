// Do polygons in a plane move as the prisms that they stand for?
//
// A triangle, a hexagon and a square fall onto each other and a table, by the ratio metric: of two dimensions for
// polygons, of three for prisms of the same outline, in two planes of different directions. Prisms have every contact
// twice, in front and behind, with other impulses each; the motion is the same.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 3, STEPS = 300 };

typedef struct outline {
  int n;
  double points[6][2];
} outline;

static outline outline_of(int body)
{
  outline o = {.n = body == 0 ? 3 : body == 1 ? 6 : 4};
  for (int i = 0; i < o.n; i++) {
    const double angle = 6.283185307179586 * i / o.n;
    o.points[i][0] = (body == 0 ? 0.5 : 0.4) * cos(angle);
    o.points[i][1] = (body == 0 ? 0.5 : 0.4) * sin(angle);
  }
  return o;
}

// Prisms have their points in front and behind.
static void put_shape(char *text, size_t size, int body, bool is_prism, const char *rotation)
{
  const outline o = outline_of(body);
  size_t n = (size_t)snprintf(text, size, "{link: b, kind: %s, pose: {rotation: {rpy: %s}}, points: [",
                              is_prism ? "hull" : "polygon", rotation);
  for (int i = 0; i < (is_prism ? 2 : 1) * o.n; i++) {
    const double *p = o.points[i % o.n];
    n += (size_t)snprintf(text + n, size - n, "%s[%.17g, %.17g", i > 0 ? ", " : "", p[0], p[1]);
    n += is_prism ? (size_t)snprintf(text + n, size - n, ", %g]", i < o.n ? 0.3 : -0.3)
                  : (size_t)snprintf(text + n, size - n, "]");
  }
  snprintf(text + n, size - n, "]}");
}

// In the plane of x and z: the joint's axis is y, its coordinates z and x; z of a polygon goes along y then.
static void run(bool is_prism, bool is_upright, double q[3 * BODIES], double *depth)
{
  char text[8192], shape[1024];
  size_t n =
      (size_t)snprintf(text, sizeof text, "gravity: %s\nmodels:\n", is_upright ? "[0, 0, -9.81]" : "[0, -9.81, 0]");
  for (int i = 0; i < BODIES; i++) {
    put_shape(shape, sizeof shape, i, is_prism, is_upright ? "[1.5707963267948966, 0, 0]" : "[0, 0, 0]");
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "- {name: m%d, links: [{name: b, mass: %d, inertia: [0.1, 0.1, 0.1]}],\n"
                          "   joints: [{name: h, kind: planar, axis: %s, child: b}],\n   shapes: [%s]}\n",
                          i, i + 1, is_upright ? "[0, 1, 0]" : "[0, 0, 1]", shape);
  }
  n += (size_t)snprintf(text + n, sizeof text - n, "initial: {q: {");
  for (int i = 0; i < BODIES; i++) // x and up, or up and x
    n += (size_t)snprintf(text + n, sizeof text - n, "%sm%d/h: [%g, %g, %g]", i > 0 ? ", " : "", i,
                          is_upright ? 0.6 + i : 0.2 * i, is_upright ? 0.2 * i : 0.6 + i, 0.3 + 0.2 * i);
  snprintf(text + n, sizeof text - n,
           "}}\nenvironment: [{name: table, shape: half-space, normal: %s}]\ncollision: {distance: ratio-metric}\n"
           "contact: {friction: 0.3, activation: distance, distance: 0.1, normal: hart, error_reduction: 1}\n"
           "solver: {name: relaxed}\ndt: 0.005\nduration: 1\n",
           is_upright ? "[0, 0, 1]" : "[0, 1, 0]");
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error;
  char line[1024];
  if (srs_scene_load(testing_write("scene.yaml", text), NULL, &scene, &error) != SRS_OK ||
      srs_scene_create_sim(scene, NULL, &sim, &error) != SRS_OK)
    fail_msg("%s\n%s", text, srs_error_format(&error, line, sizeof line));
  step(sim, STEPS);
  memcpy(q, srs_sim_q(sim), (size_t)3 * BODIES * sizeof *q);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  assert_true(s->contacts_max >= 4);
  *depth = s->penetration_max;
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void polygons_move_as_their_prisms(void **state)
{
  (void)state;
  for (int upright = 0; upright < 2; upright++) {
    double flat[3 * BODIES], solid[3 * BODIES], depth[2], worst = 0;
    run(false, upright != 0, flat, &depth[0]);
    run(true, upright != 0, solid, &depth[1]);
    for (int i = 0; i < 3 * BODIES; i++) worst = fmax(worst, fabs(flat[i] - solid[i]));
    print_message("%s: largest difference %.2g; deepest overlaps %.2g and %.2g m\n", upright ? "upright" : "level",
                  worst, depth[0], depth[1]);
    assert_true(worst < 1e-10);
    assert_true(depth[0] < 1e-3);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(polygons_move_as_their_prisms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
