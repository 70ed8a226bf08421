// Do bodies in contact do what field reports ask of them? Scenes of one or two bodies, each with a right answer: depth,
// height, forces, sets of contacts, impossible situations.
//
// Heights to 1e-5 of the size, forces to 1e-8 of the weight, depth under 1e-4 m, as the cases say.

#include "support/sims.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

static void finish(srs_scene *scene, srs_sim *sim)
{
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// What the contacts exert on a link, N.
static void force_on(const srs_sim *sim, int link, double sum[3])
{
  int n;
  const srs_sim_contact *c = srs_sim_contacts(sim, &n);
  memset(sum, 0, 3 * sizeof *sum);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) {
      if (c[i].contact.link_a == link) sum[j] += c[i].force[j];
      if (c[i].contact.link_b == link) sum[j] -= c[i].force[j];
    }
}

// ---- one body on the ground ----

static const char plane[] = "{name: ground, shape: half-space, normal: [0, 0, 1], offset: 0}";
static const char slab[] = "{name: ground, shape: box, size: [20, 20, 1], position: [0, 0, -0.5]}";

// The same slab as twelve triangles, and its upper side as heights; edges run under the bodies, which are near x = 0.1.
static const char triangles[] =
    "{name: ground, shape: terrain, points: [[-9.9, -10, -1], [10.1, -10, -1], [-9.9, 10, -1], [10.1, 10, -1],"
    " [-9.9, -10, 0], [10.1, -10, 0], [-9.9, 10, 0], [10.1, 10, 0]], triangles: [[0, 2, 1], [1, 2, 3], [4, 5, 6],"
    " [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]}";
static const char heights[] =
    "{name: ground, shape: heightfield, heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], spacing: 0.5, "
    "position: [0.1, 0, 0]}";
static const char *const grounds[] = {plane, slab, triangles, heights};
static const char *const ground_names[] = {"plane", "slab", "triangles", "heights"};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

typedef struct body {
  const char *name, *shape, *inertia; // of 1 kg
  double height;                      // of its origin over the ground
  double radius;                      // that it rolls on
} body;

// Edge 0.2, the link's frame at its middle, inertia m a^2 / 20.
static const body tetrahedron = {
    "tetrahedron",
    "hull, points: [[-0.1, -0.057735026918962574, -0.040824829046386304], [0.1, -0.057735026918962574, "
    "-0.040824829046386304], [0, 0.11547005383792516, -0.040824829046386304], [0, 0, 0.12247448713915891]]",
    "[0.002, 0.002, 0.002]", 0.040824829046386304, 0.1};
static const body cube = {"box", "box, size: [0.1, 0.1, 0.1]",
                          "[0.0016666666666666668, 0.0016666666666666668, 0.0016666666666666668]", 0.05, 0.05};
static const body ball = {"sphere", "sphere, radius: 0.05", "[0.001, 0.001, 0.001]", 0.05, 0.05};
static const body standing = {"standing cylinder", "cylinder, radius: 0.03, length: 0.1",
                              "[0.0010583333333333334, 0.0010583333333333334, 0.00045]", 0.05, 0.03};
static const body lying = {"lying cylinder",
                           "cylinder, radius: 0.03, length: 0.1, pose: {rotation: {rpy: [1.5707963267948966, 0, 0]}}",
                           "[0.0010583333333333334, 0.00045, 0.0010583333333333334]", 0.03, 0.03};

static srs_scene *on_ground(const body *what, const char *ground, double x, double above, double speed, double spin)
{
  char text[2048];
  snprintf(text, sizeof text,
           "models:\n"
           "  - name: body\n"
           "    base: floating\n"
           "    position: [%.17g, 0.013, %.17g]\n"
           "    links: [{name: body, mass: 1, inertia: %s}]\n"
           "    shapes: [{link: body, kind: %s}]\n"
           "environment: [%s]\n"
           "initial: {v: {root: [%.17g, 0, 0, 0, %.17g, 0]}}\n",
           x, what->height + above, what->inertia, what->shape, ground, speed, spin);
  return scene_of_text(text);
}

// ---- F53 ----

// 20 s at 1 ms; returns how far plane and slab came apart while both carried the body, and the deepest of the two.
static double twenty_seconds(const body *what, double speed, double spin, double *deepest)
{
  srs_scene *scenes[2] = {on_ground(what, plane, -9, 0, speed, spin), on_ground(what, slab, -9, 0, speed, spin)};
  srs_sim *sims[2] = {sim_of_scene(scenes[0], NULL), sim_of_scene(scenes[1], NULL)};
  double apart = 0;
  for (int i = 0; i < 2000; i++) {
    step(sims[0], 10);
    step(sims[1], 10);
    const double *a = srs_sim_q(sims[0]), *b = srs_sim_q(sims[1]);
    for (int k = 0; k < 3 && fabs(a[0]) < 9.8; k++) apart = fmax(apart, fabs(a[k] - b[k]));
  }
  *deepest = 0;
  for (int i = 0; i < 2; i++) {
    const srs_sim_statistics *s = srs_sim_get_statistics(sims[i]);
    *deepest = fmax(*deepest, s->penetration_max);
    if (s->failures > 0)
      print_message("%s at %g m/s, %g rad/s on %s: %ld of %ld problems unsolved, residual %.2g\n", what->name, speed,
                    spin, i == 0 ? "plane" : "slab", s->failures, s->solves, s->residual_max);
    finish(scenes[i], sims[i]);
  }
  return apart;
}

static void bodies_do_not_sink_in_twenty_seconds(void **state)
{
  (void)state;
  const body *const bodies[] = {&cube, &standing, &ball, &tetrahedron};
  bool holds = true;
  for (int way = 0; way < 3; way++)
    for (int i = 0; i < 4; i++) {
      const body *what = way == 2 && i == 1 ? &lying : bodies[i];
      double deepest;
      const double apart =
          twenty_seconds(what, way > 0 ? 3 : 0, way == 2 ? 3 / what->radius : 0, &deepest); // rest, slide, roll
      print_message("%s, %s: depth %.2g m, plane and slab differ by %.2g m\n", what->name,
                    way == 0   ? "at rest"
                    : way == 1 ? "sliding"
                               : "rolling",
                    deepest, apart);
      holds = holds && deepest < 1e-4;
    }
  assert_true(holds);
}

// ---- F55, F68, F72 ----

static void check_cube_of(double size, bool is_hull)
{
  char shape[512], inertia[128];
  const double s = size / 2, I = size * size / 6;
  snprintf(inertia, sizeof inertia, "[%.17g, %.17g, %.17g]", I, I, I);
  if (is_hull)
    snprintf(shape, sizeof shape,
             "hull, points: [[%g,%g,%g],[%g,%g,%g],[%g,%g,%g],[%g,%g,%g],[%g,%g,%g],[%g,%g,%g],[%g,%g,%g],[%g,%g,%g]]",
             -s, -s, -s, s, -s, -s, -s, s, -s, s, s, -s, -s, -s, s, s, -s, s, -s, s, s, s, s, s);
  else
    snprintf(shape, sizeof shape, "box, size: [%g, %g, %g]", size, size, size);
  const body what = {"cube", shape, inertia, s, s};
  for (int ground = 0; ground < GROUNDS; ground++) {
    srs_scene *scene = on_ground(&what, grounds[ground], 0.1, 0.01 * size, 0, 0);
    srs_sim *sim = sim_of_scene(scene, NULL);
    step(sim, 1000);
    int n;
    double force[3];
    (void)srs_sim_contacts(sim, &n);
    force_on(sim, 0, force);
    print_message("%g m %s on %s: off by %.2g of its size, %d contacts, force off by %.2g\n", size,
                  is_hull ? "hull" : "box", ground_names[ground], (srs_sim_q(sim)[2] - s) / size, n, force[2] / g - 1);
    assert_true(fabs(srs_sim_q(sim)[2] - s) < 1e-5 * size);
    assert_int_equal(n, 4);
    assert_true(fabs(force[2] - g) < 1e-8 * g);
    finish(scene, sim);
  }
}

static void cubes_have_no_margin(void **state)
{
  (void)state;
  check_cube_of(0.1, false);
  check_cube_of(0.1, true);
  check_cube_of(0.005, false);
  check_cube_of(0.005, true);
}

// Whether every point of the first set has one of the second within 1 mm.
static bool same_set(const double (*a)[3], int n_a, const srs_sim_contact *b, int n_b)
{
  if (n_a != n_b) return false;
  for (int i = 0; i < n_a; i++) {
    double nearest = INFINITY;
    for (int j = 0; j < n_b; j++) {
      const double *p = b[j].contact.point_a;
      nearest = fmin(nearest, sqrt(pow(p[0] - a[i][0], 2) + pow(p[1] - a[i][1], 2) + pow(p[2] - a[i][2], 2)));
    }
    if (!(nearest < 1e-3)) return false;
  }
  return true;
}

static void cylinders_keep_their_contacts(void **state)
{
  (void)state;
  for (int way = 0; way < 2; way++)
    for (int ground = 0; ground < GROUNDS; ground++) {
      srs_scene *scene = on_ground(way == 0 ? &standing : &lying, grounds[ground], 0.1, 1e-4, 0, 0);
      srs_sim *sim = sim_of_scene(scene, NULL);
      step(sim, 100);
      double points[16][3];
      int n, now;
      const srs_sim_contact *c = srs_sim_contacts(sim, &n);
      if (way == 0) assert_true(n >= 3);
      if (way == 1) assert_int_equal(n, 2);
      assert_true(n <= 16);
      for (int i = 0; i < n; i++) memcpy(points[i], c[i].contact.point_a, sizeof points[i]);
      if (way == 1) // at both ends
        assert_true(fabs(fabs(points[0][1] - points[1][1]) - 0.1) < 1e-3);
      double tilt = 0;
      for (int i = 0; i < 2000; i++) {
        step(sim, 1);
        c = srs_sim_contacts(sim, &now);
        assert_true(same_set(points, n, c, now));
        const double *q = srs_sim_q(sim);
        tilt = fmax(tilt, 2 * hypot(q[4], q[5]));
      }
      print_message("%s on %s: %d contacts, tilt %.2g\n", way == 0 ? "standing" : "lying", ground_names[ground], n,
                    tilt);
      assert_true(tilt < 1e-6);
      finish(scene, sim);
    }
}

static void moreau_midpoint_rests_alike(void **state)
{
  (void)state;
  const body *const bodies[] = {&cube, &ball};
  for (int i = 0; i < 2; i++) {
    srs_scene *scene = on_ground(bodies[i], plane, 0, 1e-4, 0, 0);
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = SRS_MOREAU_MIDPOINT;
    srs_sim *sim = sim_of_scene(scene, &options);
    step(sim, 2000);
    double force[3];
    force_on(sim, 0, force);
    print_message("%s: height off by %.2g m, force by %.2g\n", bodies[i]->name, srs_sim_q(sim)[2] - bodies[i]->height,
                  force[2] / g - 1);
    assert_true(fabs(srs_sim_q(sim)[2] - bodies[i]->height) < 1e-5 * 0.1);
    assert_true(fabs(force[2] - g) < 1e-8 * g);
    assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
    finish(scene, sim);
  }
}

// ---- F58: two pads squeeze a capsule of 0.05 kg with 20 N each ----

static void a_gripper_holds_for_a_minute(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(
      "models:\n"
      "  - name: gripper\n"
      "    links: [{name: palm}, {name: left, mass: 0.1, inertia: [1e-5, 1e-5, 1e-5]}, {name: right, mass: 0.1, "
      "inertia: [1e-5, 1e-5, 1e-5]}]\n"
      "    joints:\n"
      "      - {name: l, kind: prismatic, parent: palm, child: left, axis: [1, 0, 0], origin: {position: [-0.025, "
      "0, 0]}}\n"
      "      - {name: r, kind: prismatic, parent: palm, child: right, axis: [-1, 0, 0], origin: {position: "
      "[0.025, 0, 0]}}\n"
      "    shapes: [{link: left, kind: box, size: [0.01, 0.03, 0.06]}, {link: right, kind: box, size: [0.01, "
      "0.03, 0.06]}]\n"
      "  - name: held\n"
      "    base: floating\n"
      "    links: [{name: capsule, mass: 0.05, inertia: [2e-5, 2e-5, 1e-5]}]\n"
      "    shapes: [{link: capsule, kind: capsule, radius: 0.02, length: 0.03}]\n"
      "contact: {friction: 0.6}\n");
  srs_sim *sim = sim_of_scene(scene, NULL);
  assert_int_equal(srs_model_nv(srs_scene_model(scene)), 8);
  const double tau[8] = {20, 20};
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  step(sim, 10);
  double before[9];
  memcpy(before, srs_sim_q(sim), sizeof before);
  step(sim, 60000);
  double moved = 0;
  for (int i = 0; i < 9; i++) moved = fmax(moved, fabs(srs_sim_q(sim)[i] - before[i]));
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("held for 60 s: moved by %.2g m, %ld of %ld problems unsolved, residual %.2g\n", moved, s->failures,
                s->solves, s->residual_max);
  assert_true(moved < 1e-8);
  finish(scene, sim);
}

// ---- F61 ----

static void check_finite(const srs_sim *sim, double most_speed)
{
  for (int i = 0; i < srs_model_nq(srs_sim_model(sim)); i++) assert_true(isfinite(srs_sim_q(sim)[i]));
  for (int i = 0; i < srs_model_nv(srs_sim_model(sim)); i++) assert_true(fabs(srs_sim_v(sim)[i]) < most_speed);
}

static void a_peg_between_walls_that_are_too_near_rests_between_them(void **state)
{
  (void)state;
  srs_scene *scene =
      scene_of_text("models:\n"
                    "  - {name: b, base: floating, position: [0, 0, 0.2], links: [{name: peg, mass: 1, inertia: "
                    "[1e-3, 1e-3, 1e-3]}],\n"
                    "     shapes: [{link: peg, kind: box, size: [0.1, 0.1, 0.2]}]}\n"
                    "environment:\n"
                    "  - {name: left, shape: box, size: [1, 1, 1], position: [-0.5495, 0, 0.3]}\n"
                    "  - {name: right, shape: box, size: [1, 1, 1], position: [0.5495, 0, 0.3]}\n");
  srs_sim *sim = sim_of_scene(scene, NULL);
  step(sim, 100);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("squeezed peg: %ld of %ld problems unsolved, residual %.2g, at (%.3g, %.3g, %.3g)\n", s->failures,
                s->solves, s->residual_max, srs_sim_q(sim)[0], srs_sim_q(sim)[1], srs_sim_q(sim)[2]);
  // Opposed overlaps end in the compromise, without force: the peg falls between the walls, 0.5 mm inside both.
  assert_true(s->failures == 0 && s->penetration_max > 4.9e-4 && s->penetration_max < 6e-4);
  assert_true(fabs(srs_sim_q(sim)[0]) < 1e-5);
  check_finite(sim, 10);
  finish(scene, sim);
}

// The robot's base overlaps the ground, and so does an arm that is welded to it: both sides immovable.
static void welded_bodies_in_the_ground_do_no_harm(void **state)
{
  (void)state;
  srs_scene *scene =
      scene_of_text("models:\n"
                    "  - name: m\n"
                    "    links: [{name: base, mass: 1, inertia: [1, 1, 1]}, {name: arm, mass: 1, inertia: [1, 1, "
                    "1]}, {name: bob, mass: 1, inertia: [0.1, 0.1, 0.1], com: [0, 0, -1]}]\n"
                    "    joints:\n"
                    "      - {kind: fixed, parent: base, child: arm}\n"
                    "      - {name: h, kind: revolute, parent: arm, child: bob, axis: [0, 1, 0], origin: "
                    "{position: [0, 0, 2]}}\n"
                    "    shapes: [{link: base, kind: box, size: [1, 1, 0.2]}, {link: arm, kind: sphere, radius: "
                    "0.1}, {link: bob, kind: sphere, radius: 0.1, pose: {position: [0, 0, -1]}}]\n"
                    "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
                    "initial: {q: {h: 0.5}}\n");
  srs_sim *sim = sim_of_scene(scene, NULL);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.enabled = false;
  srs_sim *alone = sim_of_scene(scene, &options);
  step(sim, 500);
  step(alone, 500);
  assert_true(srs_sim_q(sim)[0] == srs_sim_q(alone)[0]);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  srs_sim_destroy(alone);
  finish(scene, sim);
}

static void twenty_points_in_one_place_carry_the_weight_once(void **state)
{
  (void)state;
  char text[4096], *at = text;
  at += sprintf(at, "models:\n"
                    "  - name: body\n"
                    "    base: floating\n"
                    "    position: [0, 0, 0.05]\n"
                    "    links: [{name: body, mass: 2, inertia: [0.002, 0.002, 0.002]}]\n"
                    "    shapes:\n");
  for (int i = 0; i < 20; i++) at += sprintf(at, "      - {link: body, kind: sphere, radius: 0.05}\n");
  (void)sprintf(at, "environment: [%s]\ninitial: {v: {root: [1, 0, 0, 0, 0, 0]}}\n", plane);
  srs_scene *scene = scene_of_text(text);
  srs_sim *sim = sim_of_scene(scene, NULL);
  int n;
  double force[3];
  step(sim, 1000);
  (void)srs_sim_contacts(sim, &n);
  force_on(sim, 0, force);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("20 points in one: %d contacts, weight off by %.2g, speed %.9f (5/7), %ld of %ld unsolved, %.2g\n", n,
                force[2] / (2 * g) - 1, srs_sim_v(sim)[0], s->failures, s->solves, s->residual_max);
  assert_int_equal(n, 20);
  assert_true(fabs(force[2] - 2 * g) < 1e-8 * 2 * g);
  assert_true(fabs(srs_sim_v(sim)[0] - 5.0 / 7) < 1e-9); // F67: as one point would
  check_finite(sim, 20);
  finish(scene, sim);
}

// ---- F80 ----

static void *tumble(void *user)
{
  const srs_scene *scene = user;
  srs_sim *sim = NULL;
  static _Thread_local double result[13];
  if (srs_scene_create_sim(scene, NULL, &sim, NULL) != SRS_OK || srs_sim_step(sim, 3000, NULL) != SRS_OK) return NULL;
  memcpy(result, srs_sim_q(sim), 7 * sizeof *result);
  memcpy(result + 7, srs_sim_v(sim), 6 * sizeof *result);
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (size_t i = 0; i < sizeof result; i++) hash = (hash ^ ((const unsigned char *)result)[i]) * 1099511628211u;
  srs_sim_destroy(sim);
  return (void *)(uintptr_t)hash; // NOLINT(performance-no-int-to-ptr): a number handed to the joining thread
}

static void sixteen_threads_get_the_serial_bits(void **state)
{
  (void)state;
  enum { THREADS = 16 };
  srs_scene *scene = on_ground(&tetrahedron, slab, 0, 0.1, 2, 10);
  void *serial = tumble(scene), *result;
  assert_non_null(serial);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, tumble, scene), 0);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], &result), 0);
    assert_true(result == serial);
  }
  srs_scene_destroy(scene);
}

// ---- F81: what is read after a step is of that step ----

static void poses_and_forces_are_of_this_step(void **state)
{
  (void)state;
  srs_scene *scene = on_ground(&cube, plane, 0, 0.003, 2, 0);
  srs_sim *sim = sim_of_scene(scene, NULL);
  const double h = 1e-3;
  for (int i = 0; i < 500; i++) {
    double before[3], force[3];
    memcpy(before, srs_sim_v(sim), sizeof before);
    step(sim, 1);
    srs_pose pose;
    assert_int_equal(
        srs_frame_placement(srs_sim_workspace(sim), srs_model_find_frame(srs_scene_model(scene), "body"), &pose),
        SRS_OK);
    force_on(sim, 0, force);
    for (int k = 0; k < 3; k++) {
      assert_true(fabs(pose.position[k] - srs_sim_q(sim)[k]) <= 1e-15);
      const double weight = k == 2 ? -g : 0;
      assert_true(fabs(srs_sim_v(sim)[k] - before[k] - h * (force[k] + weight)) < 1e-13); // rounding of 2 m/s, 1e3 N
    }
  }
  finish(scene, sim);
}

// ---- 1000:1, stiff actuators ----

static void a_thousand_to_one_stands(void **state)
{
  (void)state;
  for (int way = 0; way < 2; way++) {
    const double low = way == 0 ? 1 : 1000, high = way == 0 ? 1000 : 1;
    char text[2048];
    snprintf(text, sizeof text,
             "models:\n"
             "  - {name: low, base: floating, position: [0, 0, 0.05], links: [{name: l, mass: %g, inertia: [%.17g, "
             "%.17g, %.17g]}], shapes: [{link: l, kind: box, size: [0.1, 0.1, 0.1]}]}\n"
             "  - {name: high, base: floating, position: [0, 0, 0.15], links: [{name: l, mass: %g, inertia: [%.17g, "
             "%.17g, %.17g]}], shapes: [{link: l, kind: box, size: [0.1, 0.1, 0.1]}]}\n"
             "environment: [%s]\n",
             low, low / 600, low / 600, low / 600, high, high / 600, high / 600, high / 600, plane);
    srs_scene *scene = scene_of_text(text);
    srs_sim *sim = sim_of_scene(scene, NULL);
    step(sim, 2000);
    double below[3], above[3];
    force_on(sim, 0, below);
    force_on(sim, 1, above);
    const srs_sim_statistics *s = srs_sim_get_statistics(sim);
    print_message(
        "%g kg on %g kg: forces off by %.2g and %.2g, heights by %.2g and %.2g m, %ld of %ld unsolved, %.2g\n", high,
        low, above[2] / (high * g) - 1, below[2] / (low * g) - 1, srs_sim_q(sim)[2] - 0.05, srs_sim_q(sim)[9] - 0.15,
        s->failures, s->solves, s->residual_max);
    assert_true(fabs(above[2] - high * g) < 1e-8 * high * g);
    assert_true(fabs(below[2] - low * g) < 1e-8 * (low + high) * g); // a difference of the two
    assert_true(fabs(srs_sim_q(sim)[2] - 0.05) < 1e-6 && fabs(srs_sim_q(sim)[9] - 0.15) < 1e-6);
    finish(scene, sim);
  }
}

// Servos of 1e6 N m/rad press an arm of two links into the floor at 10 ms: explicit springs would need h < 1e-3.
static void stiff_actuators_stay_implicit_in_contact(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(
      "models:\n"
      "  - name: arm\n"
      "    links: [{name: base}, {name: upper, mass: 1, inertia: [0.1, 0.1, 0.01], com: [0, 0, -0.5]}, {name: "
      "lower, mass: 1, inertia: [0.1, 0.1, 0.01], com: [0, 0, -0.5]}]\n"
      "    joints:\n"
      "      - {name: a, kind: revolute, parent: base, child: upper, axis: [0, 1, 0], origin: {position: [0, 0, "
      "1.8]}, damping: 500}\n"
      "      - {name: b, kind: revolute, parent: upper, child: lower, axis: [0, 1, 0], origin: {position: [0, 0, "
      "-1]}, stiffness: 1e4, reference: -1.2}\n"
      "    shapes: [{link: lower, kind: sphere, radius: 0.05, pose: {position: [0, 0, -1]}}]\n"
      "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
      "initial: {q: {a: 0.8, b: -1.2}}\n"
      "dt: 0.01\n");
  srs_sim *sim = sim_of_scene(scene, NULL);
  const double q_ref[2] = {0.4, -0.8}, v_ref[2] = {0, 0}, kp[2] = {1e6, 1e6}, kd[2] = {1e3, 1e3};
  assert_int_equal(srs_sim_set_servo(sim, q_ref, v_ref, kp, kd, NULL), SRS_OK);
  step(sim, 1000);
  int n;
  (void)srs_sim_contacts(sim, &n);
  const double *q = srs_sim_q(sim), height = 1.8 - cos(q[0]) - cos(q[0] + q[1]) - 0.05;
  print_message("pressed with stiff actuators: %d contacts, gap %.2g m, speed %.2g rad/s, penetration %.2g m\n", n,
                height, hypot(srs_sim_v(sim)[0], srs_sim_v(sim)[1]), srs_sim_get_statistics(sim)->penetration_max);
  assert_int_equal(n, 1);
  assert_true(fabs(height) < 1e-6);
  assert_true(hypot(srs_sim_v(sim)[0], srs_sim_v(sim)[1]) < 1e-6);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  finish(scene, sim);
}

// ---- F69 ----

// A hole of 20 mm across that sixteen boxes form, with a bottom at -25 mm, and a peg of 19 mm that is let go with its
// lower end in it.
static srs_scene *peg_over_hole(double tilt)
{
  char text[8192];
  int n = snprintf(text, sizeof text,
                   "models:\n"
                   "  - {name: b, base: floating, position: [0.0002, 0.0001, 0.03], rotation: {rpy: [%.17g, 0, 0]},\n"
                   "     links: [{name: peg, mass: 0.02, inertia: [3.1e-6, 3.1e-6, 9.0e-7]}],\n"
                   "     shapes: [{link: peg, kind: cylinder, radius: 0.0095, length: 0.04}]}\n"
                   "environment:\n"
                   "  - {name: bottom, shape: box, size: [0.05, 0.05, 0.01], position: [0, 0, -0.03]}\n",
                   tilt);
  for (int k = 0; k < 16; k++) {
    const double angle = M_PI * k / 8;
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "  - {name: wedge%d, shape: box, size: [0.01, 0.005, 0.05], position: [%.17g, %.17g, 0], rotation: "
                  "{rpy: [0, 0, %.17g]}}\n",
                  k, 0.015 * cos(angle), 0.015 * sin(angle), angle);
  }
  return scene_of_text(text);
}

static void a_peg_drops_into_its_hole(void **state)
{
  (void)state;
  const double tilts[] = {0, 0.015}; // rad: 0.3 mm at its ends, of 0.5 mm of play
  for (int way = 0; way < 2; way++) {
    srs_scene *scene = peg_over_hole(tilts[way]);
    srs_sim *sim = sim_of_scene(scene, NULL);
    double aside = 0, across = 0, up = -INFINITY;
    for (int i = 0; i < 2000; i++) {
      step(sim, 1);
      const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
      aside = fmax(aside, hypot(q[0], q[1])), across = fmax(across, hypot(v[0], v[1])), up = fmax(up, v[2]);
    }
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
    double force[3], speed = 0;
    force_on(sim, 0, force);
    for (int i = 0; i < 6; i++) speed = fmax(speed, fabs(v[i]));
    print_message("peg tilted by %g: at most %.2g mm and %.2g m/s aside, %.2g m/s up; rests %.2g m high, speed %.2g\n",
                  tilts[way], 1e3 * aside, across, up, q[2] + 0.005, speed);
    assert_true(aside < 0.00052);            // 0.5 / cos(pi / 16) mm in a corner, and what leaning may add
    assert_true(across < 0.83 && up < 0.01); // of 0.83 m/s after a fall of 35 mm; nothing throws it out again
    assert_true(fabs(q[2] + 0.005) < 1e-5 * 0.04);
    assert_true(speed < 1e-6 && fabs(force[2] - 0.02 * g) < 1e-8 * 0.02 * g);
    assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
    finish(scene, sim);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes_have_no_margin),
      cmocka_unit_test(cylinders_keep_their_contacts),
      cmocka_unit_test(moreau_midpoint_rests_alike),
      cmocka_unit_test(a_gripper_holds_for_a_minute),
      cmocka_unit_test(a_peg_between_walls_that_are_too_near_rests_between_them),
      cmocka_unit_test(welded_bodies_in_the_ground_do_no_harm),
      cmocka_unit_test(twenty_points_in_one_place_carry_the_weight_once),
      cmocka_unit_test(sixteen_threads_get_the_serial_bits),
      cmocka_unit_test(poses_and_forces_are_of_this_step),
      cmocka_unit_test(a_thousand_to_one_stands),
      cmocka_unit_test(stiff_actuators_stay_implicit_in_contact),
      cmocka_unit_test(a_peg_drops_into_its_hole),
      cmocka_unit_test(bodies_do_not_sink_in_twenty_seconds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
