// Do boxes that find each other by the ratio metric land, stack and slide as with nearest points?
//
// H ch. 7 in small: the engine is told nothing but the measure of distance.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct run {
  srs_scene *scene;
  srs_sim *sim;
} run;

static run start(const char *models, const char *measure, double dt)
{
  char text[4096];
  snprintf(text, sizeof text,
           "models:\n%s"
           "environment: [{name: table, shape: box, size: [4, 4, 1], position: [0, 0, -0.5]}]\n"
           "contact: {distance: %s, friction: 0.5}\n"
           "dt: %.17g\n",
           models, measure, dt);
  run r;
  r.scene = scene_of_text(text);
  r.sim = sim_of_scene(r.scene, NULL);
  return r;
}

static void end(run *r)
{
  srs_sim_destroy(r->sim);
  srs_scene_destroy(r->scene);
}

static void body(char *text, size_t room, const char *name, const double size[3], const double position[3],
                 const double rpy[3])
{
  const size_t used = strlen(text);
  snprintf(text + used, room - used,
           "  - {name: %s, base: floating, position: [%.17g, %.17g, %.17g], rotation: {rpy: [%.17g, %.17g, %.17g]}, "
           "links: [{name: body, mass: 1, inertia: [%.17g, %.17g, %.17g]}], "
           "shapes: [{link: body, kind: box, size: [%.17g, %.17g, %.17g]}]}\n",
           name, position[0], position[1], position[2], rpy[0], rpy[1], rpy[2],
           (size[1] * size[1] + size[2] * size[2]) / 12, (size[0] * size[0] + size[2] * size[2]) / 12,
           (size[0] * size[0] + size[1] * size[1]) / 12, size[0], size[1], size[2]);
}

// How level a body is: the world's z in its axes, off by so much.
static double tilt_of(const double *q)
{
  const double w = q[3], x = q[4], y = q[5], z = q[6];
  const double up[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  return fmin(fmin(hypot(up[0], up[1]), hypot(up[1], up[2])), hypot(up[0], up[2]));
}

static double speed_of(const double *v, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

static void a_tilted_box_lands_flat(void **state)
{
  (void)state;
  const double size[3] = {0.3, 0.4, 0.2};
  const double tilts[4][3] = {{0.2, 0, 0}, {0, -0.3, 0}, {0.15, 0.1, 0.4}, {0.02, 0.3, 1}};
  for (int i = 0; i < 4; i++) {
    char models[2048] = "";
    body(models, sizeof models, "box", size, (const double[]){0.2, -0.1, 0.25}, tilts[i]);
    run r = start(models, "ratio-metric", 0.005);
    step(r.sim, 600);
    const double *q = srs_sim_q(r.sim), *v = srs_sim_v(r.sim);
    assert_true(fabs(q[2] - 0.1) < 1e-4); // gravity takes it g h^2 = 2.5e-4 in a step
    assert_true(tilt_of(q) < 1e-3);
    assert_true(speed_of(v, 6) < 1e-3);
    end(&r);
  }
}

static void a_stack_stands(void **state)
{
  (void)state;
  const double size[3] = {0.2, 0.2, 0.2}, level[3] = {0, 0, 0}, turned[3] = {0, 0, 0.5};
  char models[4096] = "";
  for (int i = 0; i < 4; i++) {
    char name[8];
    snprintf(name, sizeof name, "b%d", i);
    body(models, sizeof models, name, size, (const double[]){0.01 * i, -0.01 * i, 0.1 + 0.2 * i},
         i % 2 == 0 ? level : turned);
  }
  run r = start(models, "ratio-metric", 0.002);
  step(r.sim, 1000);
  const double *q = srs_sim_q(r.sim);
  for (int i = 0; i < 4; i++) {
    const double *p = q + 7 * (size_t)i;
    assert_true(fabs(p[2] - (0.1 + 0.2 * i)) < 1e-4);
    assert_true(fabs(p[0] - 0.01 * i) < 1e-4 && fabs(p[1] + 0.01 * i) < 1e-4);
  }
  assert_true(speed_of(srs_sim_v(r.sim), 24) < 1e-6);
  end(&r);
}

// A box that lies with little of it on a table is held there, or falls, and is not pushed off.
static void a_box_at_the_rim_stays(void **state)
{
  (void)state;
  const double size[3] = {0.4, 0.4, 0.2};
  char models[2048] = "";
  body(models, sizeof models, "box", size, (const double[]){2 - 0.01, 0, 0.1 - 1e-5}, (const double[]){0, 0, 0});
  run r = start(models, "ratio-metric", 0.002);
  step(r.sim, 500);
  const double *q = srs_sim_q(r.sim);
  assert_true(fabs(q[0] - 1.99) < 1e-4 && fabs(q[2] - 0.1) < 1e-4);
  end(&r);
}

static void both_measures_slide_a_box_as_far(void **state)
{
  (void)state;
  static const char *const measures[2] = {"euclidean", "ratio-metric"};
  double x[2];
  for (int k = 0; k < 2; k++) {
    char models[2048] = "";
    body(models, sizeof models, "box", (const double[]){0.3, 0.3, 0.2}, (const double[]){-1, 0.1, 0.1},
         (const double[]){0, 0, 0.3});
    run r = start(models, measures[k], 0.001);
    double v[6] = {2, 0, 0, 0, 0, 0};
    srs_error error;
    assert_int_equal(srs_sim_set_state(r.sim, 0, srs_sim_q(r.sim), v, &error), SRS_OK);
    step(r.sim, 1000);
    x[k] = srs_sim_q(r.sim)[0];
    end(&r);
  }
  assert_true(fabs(x[0] - (-1 + 4 / (2 * 0.5 * 9.81))) < 2e-3); // v^2 / 2 mu g, to first order in dt
  assert_true(fabs(x[0] - x[1]) < 1e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tilted_box_lands_flat),
      cmocka_unit_test(a_stack_stands),
      cmocka_unit_test(a_box_at_the_rim_stays),
      cmocka_unit_test(both_measures_slide_a_box_as_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
