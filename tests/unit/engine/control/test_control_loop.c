// Control loops: rate, hold, delay, stops and pacing. The cart is a mass of 1 kg, so each torque shows in v.

#include "support/world.h"
#include <sarrus/control_loop.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char cart[] = "models:\n  - name: cart\n    links: [{name: base, mass: 1, inertia: [1, 1, 1]}]\n"
                           "    joints: [{name: x, kind: prismatic, child: base, axis: [1, 0, 0]}]\n";

typedef struct seen {
  int controls, before, after, stop_at;
  double force[64]; // that acted, by step
} seen;

static bool ramp(void *context, srs_sim *sim, double *tau)
{
  seen *s = context;
  (void)sim;
  tau[0] = ++s->controls;
  return s->controls != s->stop_at;
}

static bool count_before(void *context, srs_sim *sim)
{
  seen *s = context;
  (void)sim;
  return ++s->before != s->stop_at;
}

static bool note_force(void *context, srs_sim *sim)
{
  seen *s = context;
  s->force[s->after++] = srs_sim_torque(sim)[0];
  return s->after != s->stop_at;
}

static srs_control_loop *loop_of(srs_sim *sim, const srs_control_loop_options *options)
{
  srs_control_loop *loop = NULL;
  srs_error error = {0};
  if (srs_control_loop_create(sim, options, &loop, &error) != SRS_OK) fail_msg("%s", error.message);
  return loop;
}

static void torques_hold_and_wait(void **unused)
{
  (void)unused;
  for (int delay = 0; delay < 4; delay++) {
    world w = load(cart);
    seen s = {0};
    srs_control_loop_options o = srs_default_control_loop_options();
    o.control = ramp, o.after_step = note_force, o.context = &s, o.steps_per_control = 3, o.delay = delay;
    srs_control_loop *loop = loop_of(w.sim, &o);
    assert_int_equal(srs_control_loop_run(loop, 7, NULL), SRS_OK); // in two parts: it goes on where it was
    assert_int_equal(srs_control_loop_run(loop, 13, NULL), SRS_OK);
    double sum = 0;
    for (int k = 0; k < 20; k++) {
      const int acting = k / 3 + 1 - delay;
      assert_true(s.force[k] == (acting > 0 ? acting : 0));
      sum += s.force[k];
    }
    assert_true(fabs(srs_sim_v(w.sim)[0] - 1e-3 * sum) < 1e-15);
    assert_int_equal(srs_control_loop_get_report(loop)->steps, 20);
    assert_int_equal(srs_control_loop_get_report(loop)->controls, 7);
    srs_control_loop_reset(loop);
    assert_int_equal(srs_control_loop_get_report(loop)->steps, 0);
    srs_control_loop_destroy(loop);
    unload(&w);
  }
}

static void each_callback_stops_where_it_says(void **unused)
{
  (void)unused;
  for (int which = 0; which < 3; which++) {
    world w = load(cart);
    seen s = {.stop_at = 5};
    srs_control_loop_options o = srs_default_control_loop_options();
    o.context = &s;
    if (which == 0) o.control = ramp;
    if (which == 1) o.before_step = count_before;
    if (which == 2) o.after_step = note_force;
    srs_control_loop *loop = loop_of(w.sim, &o);
    assert_int_equal(srs_control_loop_run(loop, 100, NULL), SRS_OK);
    assert_true(srs_control_loop_get_report(loop)->is_stopped);
    assert_int_equal(srs_sim_steps(w.sim), which == 2 ? 5 : 4); // after the fifth step, or before it
    srs_control_loop_destroy(loop);
    unload(&w);
  }
}

// 50 samples of 1 ms at twice the speed take at least 24.5 ms, the first being due at once.
static void the_pace_is_kept(void **unused)
{
  (void)unused;
  world w = load(cart);
  srs_control_loop_options o = srs_default_control_loop_options();
  o.pace = 2;
  srs_control_loop *loop = loop_of(w.sim, &o);
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  assert_int_equal(srs_control_loop_run(loop, 50, NULL), SRS_OK);
  clock_gettime(CLOCK_MONOTONIC, &to);
  const double took = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  assert_true(took > 0.0244);
  assert_true(srs_control_loop_get_report(loop)->overruns <= 50);
  srs_control_loop_destroy(loop);
  unload(&w);
}

static void locked_steps_make_no_page_faults(void **unused)
{
  (void)unused;
  world w = world_of_scene(scene_of_file(testing_source("samples/arm_wipe.yaml")));
  step(w.sim, 100);
  srs_error error = {0};
  if (srs_sim_lock_memory(&error) != SRS_OK) {
    assert_non_null(strstr(error.message, "ulimit")); // not allowed here
    unload(&w);
    return;
  }
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  step(w.sim, 10000);
  getrusage(RUSAGE_SELF, &after);
#ifndef __SANITIZE_ADDRESS__ // it has pages of its own, and locks none
  assert_int_equal(after.ru_minflt - before.ru_minflt, 0);
  assert_int_equal(after.ru_majflt - before.ru_majflt, 0);
#endif
  unload(&w);
}

static void options_that_cannot_be_are_refused(void **unused)
{
  (void)unused;
  world w = load(cart);
  srs_control_loop *loop = NULL;
  srs_error error = {0};
  srs_control_loop_options o = srs_default_control_loop_options();
  o.steps_per_control = 0;
  assert_int_equal(srs_control_loop_create(w.sim, &o, &loop, &error), SRS_ERROR_ARGUMENT);
  o.steps_per_control = 1, o.delay = -1;
  assert_int_equal(srs_control_loop_create(w.sim, &o, &loop, &error), SRS_ERROR_ARGUMENT);
  o.delay = 0, o.pace = NAN;
  assert_int_equal(srs_control_loop_create(w.sim, &o, &loop, &error), SRS_ERROR_ARGUMENT);
  assert_null(loop);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torques_hold_and_wait),
      cmocka_unit_test(each_callback_stops_where_it_says),
      cmocka_unit_test(the_pace_is_kept),
      cmocka_unit_test(options_that_cannot_be_are_refused),
      cmocka_unit_test(locked_steps_make_no_page_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
