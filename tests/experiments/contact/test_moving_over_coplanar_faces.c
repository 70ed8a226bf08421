// Ground that is flat but made of parts has no edges where they meet: ten boxes in a row, 20 x 20 triangles, a
// heightfield of 3 x 3. Sliding and rolling bodies go on as they came, in any direction, at 0.1 to 25 m/s, whatever is
// made of corners. What is expected is what a plane would do: nothing at all.
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16 };

// ---- grounds, all of them z <= 0 and 20 m long ----

static char *print_row(char *at, const char *end)
{
  for (int i = 0; i < 10; i++)
    at += snprintf(at, (size_t)(end - at),
                   "  - {name: box%d, shape: box, size: [2, 20, 0.5], position: [%d, 0, -0.25]}\n", i, 2 * i - 9);
  return at;
}

static char *print_triangles(char *at, const char *end)
{
  at += snprintf(at, (size_t)(end - at), "  - {name: floor, shape: terrain, points: [");
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 21; j++) at += snprintf(at, (size_t)(end - at), "[%d, %d, 0], ", j - 10, 2 * i - 10);
  at += snprintf(at, (size_t)(end - at), "], triangles: [");
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 20; j++) {
      const int a = 21 * i + j, b = a + 1, c = a + 22, d = a + 21;
      at += snprintf(at, (size_t)(end - at), "[%d, %d, %d], [%d, %d, %d], ", a, b, (i + j) % 3 == 0 ? d : c,
                     (i + j) % 3 == 0 ? b : a, c, d);
    }
  return at + snprintf(at, (size_t)(end - at), "]}\n");
}

static char *print_heights(char *at, const char *end)
{
  return at +
         snprintf(at, (size_t)(end - at),
                  "  - {name: field, shape: heightfield, heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], spacing: 10}\n");
}

typedef char *print_ground(char *at, const char *end);

// ---- bodies: 1 kg, 0.25 m above the ground ----

typedef struct body {
  const char *name, *shape;
  bool rolls, has_axis;
} body;

static const body bodies[] = {
    {"box", "kind: box, size: [0.5, 0.4, 0.5]", false, false},
    {"hull", "kind: hull, points: [[0.3, 0, -0.25], [-0.2, 0.2, -0.25], [-0.2, -0.2, -0.25], [0, 0, 0.3]]", false,
     false},
    {"sphere", "kind: sphere, radius: 0.25", true, false},
    {"capsule", "kind: capsule, radius: 0.25, length: 0.3, pose: {rotation: {rpy: [1.5707963267948966, 0, 0]}}", true,
     true},
    {"cylinder", "kind: cylinder, radius: 0.25, length: 0.3, pose: {rotation: {rpy: [1.5707963267948966, 0, 0]}}", true,
     true},
};

static world make(print_ground *ground, const body *b, const char *corners, double speed, double heading, double yaw)
{
  static char text[ROOM];
  char *at = text, *end = text + sizeof text;
  // The rolling body turns about the horizontal axis across its way; w is in its own axes.
  const double w = b->rolls ? speed / 0.25 : 0, across = heading - yaw;
  at +=
      snprintf(at, (size_t)(end - at),
               "models: [{name: m, base: floating, links: [{name: m, mass: 1, inertia: [0.02, 0.02, 0.02]}], shapes: "
               "[{link: m, %s}]}]\ncontact: {friction: %g, corners: %s}\ninitial: {q: {root: [0.07, 0.03, 0.25, %.17g, "
               "0, 0, %.17g]}, v: {root: [%.17g, %.17g, 0, %.17g, %.17g, 0]}}\nenvironment:\n",
               b->shape, b->rolls ? 0.5 : 0, corners, cos(yaw / 2), sin(yaw / 2), speed * cos(heading),
               speed * sin(heading), -w * sin(across), w * cos(across));
  (void)ground(at, end);
  return load(text);
}

// What a plane would not do, worst over the way: m/s, m/s of the speed's, rad/s about z.
static void go(print_ground *ground, const body *b, const char *corners, double speed, double heading, double yaw,
               double worst[3])
{
  world w = make(ground, b, corners, speed, heading, yaw);
  const double *v = srs_sim_v(w.sim), start = hypot(v[0], v[1]);
  const double most = 9 / speed, time = most < 0.3 ? most : 0.3;
  double here[3] = {0};
  while (srs_sim_time(w.sim) < time) {
    step(w.sim, 1);
    here[0] = fmax(here[0], fabs(v[2]));
    here[1] = fmax(here[1], fabs(hypot(v[0], v[1]) - start));
    here[2] = fmax(here[2], fabs(v[5]));
  }
  assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
  if (here[0] > 1e-6 || here[1] > 1e-9 || here[2] > 1e-9)
    fail_msg("%s, corners %s, %g m/s towards %.17g, turned by %.17g: v_z %.3g, speed off by %.3g, yaw %.3g", b->name,
             corners, speed, heading, yaw, here[0], here[1], here[2]);
  for (int k = 0; k < 3; k++) worst[k] = fmax(worst[k], here[k]);
  unload(&w);
}

static void cross(print_ground *ground, int seed, int draws)
{
  static const char *const forms[] = {"convex", "max"};
  testing_random random = testing_random_start((uint64_t)seed);
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    double worst[3] = {0};
    for (int draw = 0; draw < draws; draw++) {
      const double speed = draw == 0 ? 25 : draw == 1 ? 0.1 : 0.1 * pow(250, testing_uniform(&random, 0, 1));
      const double heading = testing_uniform(&random, -3.14, 3.14);
      const double yaw = bodies[i].has_axis ? heading : testing_uniform(&random, -3.14, 3.14);
      for (int form = 0; form < 2; form++) go(ground, &bodies[i], forms[form], speed, heading, yaw, worst);
    }
    print_message("%-8s v_z %.1e m/s, speed %.1e m/s, yaw %.1e rad/s\n", bodies[i].name, worst[0], worst[1], worst[2]);
  }
}

static int draws(void) { return getenv("SARRUS_LONG") != NULL ? 60 : 5; }

static void a_row_of_boxes_is_flat(void **state)
{
  (void)state;
  cross(print_row, 961, draws());
}

static void a_floor_of_triangles_is_flat(void **state)
{
  (void)state;
  cross(print_triangles, 962, draws());
}

static void a_heightfield_is_flat(void **state)
{
  (void)state;
  cross(print_heights, 963, draws());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_of_boxes_is_flat),
      cmocka_unit_test(a_floor_of_triangles_is_flat),
      cmocka_unit_test(a_heightfield_is_flat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
