// Shapes of the environment that move as prescribed: what lies on them is carried, leaves them where they fall faster
// than gravity pulls, and the account of energy has their work.
//
// Bounds: the lift is where its motion says, and what rides on it takes the rate at a step's start: the two differ by
// A w^2 dt^2 / 2 a step, of which the push-out makes up a fifth at a time, so by 2.5 A w^2 dt^2 at most. Semi-implicit
// Euler moves a body that flies by its end velocity: g dt t / 2 behind the parabola, and what happens within a step is
// off by its length: dt v.

#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81, PI = 3.14159265358979323846;

static const char lift[] = "environment:\n"
                           "  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}\n"
                           "  - {name: lift, shape: box, size: [1, 1, 0.2], position: [0, 0, 0.4], along: [0, 0, 1],\n"
                           "     motion: {sine: {amplitude: %g, frequency: %g, phase: %g}}}\n"
                           "models:\n"
                           "  - {name: ball, base: floating, position: [0, 0, %.17g],\n"
                           "     links: [{name: body, mass: 2, inertia: [0.008, 0.008, 0.008]}],\n"
                           "     shapes: [{link: body, kind: sphere, radius: 0.1}]}\n"
                           "contact: {friction: 0.5, restitution: 0}\n"
                           "energy_balance: true\n"
                           "dt: %g\n";

static int coordinate(const srs_model *m, const char *name)
{
  const int i = srs_model_find_v(m, name);
  if (i < 0) fail_msg("no coordinate %s", name);
  return i;
}

static double height_of(const srs_sim *sim, const char *frame)
{
  srs_pose pose;
  const srs_model *m = srs_sim_model(sim);
  assert_int_equal(srs_frame_placement(srs_sim_workspace((srs_sim *)sim), srs_model_find_frame(m, frame), &pose),
                   SRS_OK);
  return pose.position[2];
}

// x = A sin(w t) rides while A w^2 sin(w t) <= g; from there the ball flies by its parabola until it meets the lift.
static void a_ball_rides_a_lift_and_leaves_it_where_it_falls_faster(void **state)
{
  (void)state;
  for (int k = 0; k < 6; k++) {
    const double A = 0.05 + 0.02 * k, w = sqrt((1.3 + 0.2 * k) * gravity / A), dt = k % 2 == 0 ? 1e-3 : 2.5e-4;
    char text[2048];
    snprintf(text, sizeof text, lift, A, w, 0.0, 0.6, dt);
    world s = load(text);
    const int lift_v = coordinate(s.model, "lift"), ball_v = coordinate(s.model, "root.vz");
    const double leaves = asin(gravity / (A * w * w)) / w, from = A * sin(w * leaves), speed = A * w * cos(w * leaves);
    double lands = leaves + dt; // where the parabola meets the lift again
    while (from + speed * (lands - leaves) - 0.5 * gravity * pow(lands - leaves, 2) > A * sin(w * lands) ||
           lands < leaves + 10 * dt)
      lands += 1e-6;
    bool was_apart = false;
    while (srs_sim_time(s.sim) < lands + 20 * dt) {
      assert_int_equal(srs_sim_step(s.sim, 1, NULL), SRS_OK);
      const double t = srs_sim_time(s.sim), *v = srs_sim_v(s.sim);
      const double apart = height_of(s.sim, "body") - height_of(s.sim, "lift") - 0.2;
      assert_true(fabs(height_of(s.sim, "lift") - (0.4 + A * sin(w * t))) <
                  A * w * w * dt * dt); // it moves as prescribed
      assert_true(apart > -2.5 * A * w * w * dt * dt);
      if (t < leaves - dt) {
        assert_true(apart < A * w * w * dt * dt);
        assert_true(fabs(v[ball_v] - v[lift_v]) < 1.01 * A * w * w * dt);
      } else if (t > leaves + 2 * dt && t < lands - 2 * dt) {
        const double since = t - leaves, z = 0.6 + from + speed * since - 0.5 * gravity * since * since;
        assert_true(fabs(height_of(s.sim, "body") - z) < 2 * dt * (fabs(speed) + gravity * since + A * w));
        was_apart = was_apart || apart > 1e-4;
      } else if (t > lands + 3 * dt) {
        assert_true(apart < A * w * w * dt * dt); // e = 0: it rides again
      }
    }
    assert_true(was_apart);
    unload(&s);
  }
}

// The change of energy is the sum of the works, the lift's among them: from its lowest place on, where it stands, it
// gives what it and the ball gain.
static void the_lift_does_work(void **state)
{
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, lift, 0.2, 1.0, -0.5 * PI, 0.4, 1e-3);
  world s = load(text);
  for (int n = 0; n < 3000; n++) {
    assert_int_equal(srs_sim_step(s.sim, 1, NULL), SRS_OK);
    if (n % 100 != 99) continue;
    srs_energy_balance b;
    assert_int_equal(srs_sim_energy_balance(s.sim, &b), SRS_OK);
    const double change = b.kinetic + b.gravity + b.springs;
    const double works = b.drives + b.dampers + b.dry_friction + b.contact_normal + b.contact_friction + b.limits +
                         b.loops + b.loop_joints + b.push_out + b.rest;
    assert_true(fabs(change - works) < 1e-12 * 30); // of energies of 30 J
    const double up = height_of(s.sim, "lift") - 0.2, moving = 0.5 * 3 * pow(srs_sim_v(s.sim)[0], 2);
    assert_true(fabs(b.gravity - 3 * gravity * up) <
                2 * 3 * gravity * 0.2 * 1e-6); // 1 kg of the shape's own link and the ball
    assert_true(fabs(b.loops - change) < 0.01 * (fabs(3 * gravity * up) + moving) + 1e-3); // rest is O(dt)
  }
  unload(&s);
}

// A turntable carries a box in a circle of r w^2 < mu g.
static void a_turntable_carries_what_lies_on_it(void **state)
{
  (void)state;
  world s = load("environment:\n"
                 "  - {name: table, shape: cylinder, radius: 1, length: 0.1, position: [0.3, 0.2, -0.05],\n"
                 "     about: [0, 0, 2], motion: {rate: 0}}\n"
                 "models:\n"
                 "  - {name: box, base: floating, position: [0.7, 0.2, 0.1],\n"
                 "     links: [{name: body, mass: 2, inertia: [0.02, 0.02, 0.02]}],\n"
                 "     shapes: [{link: body, kind: box, size: [0.2, 0.2, 0.2]}]}\n"
                 "contact: {friction: 0.6}\ndt: 1e-3\n");
  const int loop = srs_model_find_loop(s.model, "table");
  assert_true(loop >= 0);
  double angle = 0, rate = 0;
  for (int n = 0; n < 2000; n++) {
    if (rate < 2) rate += 2e-3;
    assert_int_equal(srs_sim_set_motion(s.sim, loop, angle, rate, NULL), SRS_OK);
    angle += rate * 1e-3;
    assert_int_equal(srs_sim_step(s.sim, 1, NULL), SRS_OK);
  }
  srs_pose pose;
  assert_int_equal(srs_frame_placement(srs_sim_workspace(s.sim), srs_model_find_frame(s.model, "body"), &pose), SRS_OK);
  const double x = pose.position[0] - 0.3, y = pose.position[1] - 0.2;
  assert_true(fabs(hypot(x, y) - 0.4) < 0.4 * 0.5 * angle * 2 * 1e-3 + 1e-6); // outward by r w^2 dt / 2 a second
  assert_true(fabs(remainder(atan2(y, x) - angle, 2 * PI)) < 1e-2);
  unload(&s);
}

// It ends in itself: pairs that nothing can part do not meet, and what is moved from outside is an input like others.
static void it_goes_through_what_stands_and_comes_back_in_a_snapshot(void **state)
{
  (void)state;
  char text[2048];
  snprintf(text, sizeof text, lift, 0.5, 3.0, 0.0, 0.6, 1e-3); // down to 0.2 m below the floor
  world s = load(text);
  assert_int_equal(srs_sim_step(s.sim, 300, NULL), SRS_OK);
  const int loop = srs_model_find_loop(s.model, "lift");
  double position, rate;
  assert_int_equal(srs_sim_get_motion(s.sim, loop, &position, &rate), SRS_OK);
  assert_int_equal(srs_sim_set_motion(s.sim, loop, position, -1, NULL), SRS_OK);
  const size_t size = srs_sim_snapshot_size(s.sim);
  char *snapshot = malloc(size);
  srs_sim_snapshot_save(s.sim, snapshot);
  double q[2][16];
  for (int k = 0; k < 2; k++) {
    assert_int_equal(srs_sim_snapshot_restore(s.sim, snapshot, size, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(s.sim, 900, NULL), SRS_OK);
    memcpy(q[k], srs_sim_q(s.sim), (size_t)srs_model_nq(s.model) * sizeof(double));
    assert_true(height_of(s.sim, "lift") < 0.05); // its lower face is in the floor
  }
  assert_memory_equal(q[0], q[1], (size_t)srs_model_nq(s.model) * sizeof(double));
  srs_sim_reset(s.sim); // the scene's own motion again
  assert_int_equal(srs_sim_step(s.sim, 100, NULL), SRS_OK);
  assert_true(fabs(height_of(s.sim, "lift") - 0.4 - 0.5 * sin(0.3)) < 0.5 * 9 * 1e-6);
  free(snapshot);
  unload(&s);
}

static void refused(const char *keys, const char *part)
{
  char text[1024];
  srs_scene *scene = NULL;
  srs_error error = {0};
  snprintf(text, sizeof text,
           "models:\n  - {base: floating, links: [{name: a, mass: 1, inertia: [1, 1, 1]}]}\n"
           "environment:\n  - {name: lift, shape: %s}\n",
           keys);
  assert_true(srs_scene_load(testing_write("wrong.yaml", text), NULL, &scene, &error) != SRS_OK);
  if (strstr(error.message, part) == NULL) fail_msg("%s: %s", keys, error.message);
  assert_int_equal(error.line, 4);
  assert_null(strchr(error.message, '\n'));
}

static void what_cannot_be_is_told_with_its_place(void **state)
{
  (void)state;
  refused("sphere, radius: 1, along: [0, 0, 1]", "moves by 'motion' and one of 'along' and 'about'");
  refused("sphere, radius: 1, motion: {rate: 1}", "moves by 'motion' and one of 'along' and 'about'");
  refused("sphere, radius: 1, along: [0, 0, 1], about: [1, 0, 0], motion: {rate: 1}", "one of 'along' and 'about'");
  refused("sphere, radius: 1, along: [0, 0, 0], motion: {rate: 1}", "needs a direction");
  refused("sphere, radius: 1, along: [0, 0, 1], motion: {}", "one of 'rate', 'sine' and 'table'");
#define HILL  "heightfield, heights: [[0, 0], [0, 0]], spacing: [1, 1]"
#define SLOPE "terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]"
  refused(HILL ", along: [0, 0, 1], motion: {rate: 1}", "a heightfield does not move; give a closed surface");
  refused(SLOPE ", about: [0, 0, 1], motion: {rate: 1}", "a terrain does not move; give a closed surface");
}

// A sensor of contact with `world` means the world itself.
static void no_shape_of_the_environment_is_the_world(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_error error = {0};
  const char *path = testing_write("named.yaml", "models:\n- {links: [{name: a}]}\nenvironment:\n- shape: half-space\n"
                                                 "  name: world\n");
  assert_int_equal(srs_scene_load(path, NULL, &scene, &error), SRS_ERROR_NAME);
  assert_int_equal(error.line, 5);
  assert_non_null(strstr(error.message, "'world' is the name of the world itself"));
}

// What a sim finds wrong with a shape has the line of that shape.
static void ground_on_a_link_has_its_line(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  const char *path =
      testing_write("ground.yaml", "models:\n- base: floating\n  links: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
                                   "  shapes:\n  - {link: a, kind: terrain, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
                                   "triangles: [[0, 1, 2]]}\n");
  assert_int_equal(srs_scene_load(path, NULL, &scene, &error), SRS_OK);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_ERROR_MODEL);
  assert_int_equal(error.line, 5);
  assert_string_equal(error.file, path);
  assert_non_null(strstr(error.message, "is on a link that moves"));
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_rides_a_lift_and_leaves_it_where_it_falls_faster),
      cmocka_unit_test(the_lift_does_work),
      cmocka_unit_test(a_turntable_carries_what_lies_on_it),
      cmocka_unit_test(it_goes_through_what_stands_and_comes_back_in_a_snapshot),
      cmocka_unit_test(what_cannot_be_is_told_with_its_place),
      cmocka_unit_test(no_shape_of_the_environment_is_the_world),
      cmocka_unit_test(ground_on_a_link_has_its_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
