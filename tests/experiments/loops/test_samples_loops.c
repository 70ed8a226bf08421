// What the samples with loops say in their first lines: slider-crank, delta robot, gripper, walker.

#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static world start(const char *sample) { return world_of_scene(scene_of_file(testing_source(sample))); }

static void finish(world *w)
{
  assert_true(srs_sim_get_statistics(w->sim)->closure_error_max < 1e-11);
  unload(w);
}

static srs_pose place(const world *w, const char *frame)
{
  srs_pose pose;
  const int index = srs_model_find_frame(w->model, frame);
  assert_int_equal(srs_frame_placement(srs_sim_workspace(w->sim), index, &pose), SRS_OK);
  return pose;
}

static double coordinate(const world *w, const char *name)
{
  return srs_sim_q(w->sim)[srs_model_find_q(w->model, name)];
}

static void the_slider_goes_where_the_crank_says(void **state)
{
  (void)state;
  world w = start("samples/slider_crank.yaml");
  while (srs_sim_time(w.sim) < 2.9995) {
    step(w.sim, 1);
    const double q = coordinate(&w, "crank"), s = 0.1 * sin(q);
    assert_true(fabs(q - 10 * srs_sim_time(w.sim)) < 1e-11);
    assert_true(fabs(coordinate(&w, "guide") - (0.1 * cos(q) + sqrt(0.09 - s * s) - 0.4)) < 1e-11);
  }
  assert_int_equal(srs_sim_get_statistics(w.sim)->change_points, 0);
  finish(&w);
}

static void the_platform_of_the_delta_robot_is_where_three_spheres_meet(void **state)
{
  (void)state;
  world w = start("samples/delta.yaml");
  int rank;
  assert_int_equal(srs_loop_ranks(srs_sim_workspace(w.sim), srs_sim_q(w.sim), 0, NULL, &rank), SRS_OK);
  assert_int_equal(srs_model_nv(w.model), 9);
  assert_int_equal(rank, 9); // 6 rods, 3 motions
  const double length = hypot(0.35, 0.4), third = 2.0943951023931953;
  double moved = 0;
  for (int k = 0; k < 600; k++) {
    step(w.sim, 10);
    const srs_pose p = place(&w, "platform");
    for (int j = 0; j < 9; j++) assert_true(fabs(p.rotation[j] - (j % 4 == 0)) < 1e-10);
    for (int i = 0; i < 3; i++) {
      char name[16];
      snprintf(name, sizeof name, "shoulder%d", i + 1);
      const double q = coordinate(&w, name), c = cos(third * i), s = sin(third * i);
      const double out = 0.2 + 0.2 * cos(q) - 0.05; // elbow seen from the platform's corner, along the arm
      const double x = c * out - p.position[0], y = s * out - p.position[1], z = -0.2 * sin(q) - p.position[2];
      assert_true(fabs(sqrt(x * x + y * y + z * z) - length) < 1e-11);
    }
    moved = fmax(moved, hypot(p.position[0], p.position[1]));
  }
  assert_true(moved > 0.02);
  finish(&w);
}

static void the_gripper_holds_its_capsule(void **state)
{
  (void)state;
  world w = start("samples/gripper.yaml");
  step(w.sim, 100); // the pads press
  const srs_pose before = place(&w, "thing/capsule");
  const int seconds = getenv("SARRUS_LONG") != NULL ? 60 : 5;
  step(w.sim, 1000L * seconds);
  const srs_pose after = place(&w, "thing/capsule");
  double creep = 0, press = 0, lift = 0;
  for (int i = 0; i < 3; i++) creep = fmax(creep, fabs(after.position[i] - before.position[i]));
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(w.sim, &n);
  for (int i = 0; i < n; i++) {
    press += fabs(contacts[i].force[0]) / 2; // both pads
    lift +=
        contacts[i].force[2] * (contacts[i].contact.link_a == srs_model_find_link(w.model, "thing/capsule") ? 1 : -1);
  }
  print_message("creep %.3g m in %d s, pressed with %.9g N, lifted with %.9g N\n", creep, seconds, press, lift);
  assert_true(creep < 1e-8 && fabs(press - 10) < 1e-6 && fabs(lift - 0.05 * 9.81) < 1e-8);
  assert_true(fabs(coordinate(&w, "hand/left") - coordinate(&w, "hand/right")) < 1e-12);
  finish(&w);
}

static void the_walker_walks(void **state)
{
  (void)state;
  world w = start("samples/walker.yaml");
  const double turn = 3.141592653589793; // s, at 2 rad/s
  step(w.sim, lround(turn / 1e-3));
  const double x = place(&w, "body").position[0];
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < lround(turn / 1e-3); i++) {
    step(w.sim, 1);
    const double z = place(&w, "body").position[2];
    low = fmin(low, z), high = fmax(high, z);
  }
  const double stride = place(&w, "body").position[0] - x;
  print_message("a turn takes it %.4g m on; it rises and falls by %.3g m\n", stride, high - low);
  assert_true(fabs(stride - 0.32) < 0.02 && high - low < 0.01);
  assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
  finish(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_slider_goes_where_the_crank_says),
      cmocka_unit_test(the_platform_of_the_delta_robot_is_where_three_spheres_meet),
      cmocka_unit_test(the_gripper_holds_its_capsule),
      cmocka_unit_test(the_walker_walks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
