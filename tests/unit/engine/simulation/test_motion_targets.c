// What lies on a plate that is moved from outside: it is carried while friction holds, and slides by Coulomb's law
// where it does not. The target of a motion is an input.

#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A plate on a slide along x, one on a lift along z or a turntable, and a box of mass m on it.
static const char scene[] = "models:\n"
                            "  - name: plate\n"
                            "    links: [{name: top, mass: %g, inertia: [1, 1, 1]}]\n"
                            "    joints: [{name: way, kind: %s, child: top, axis: %s}]\n"
                            "    shapes: [{link: top, kind: box, size: [4, 4, 0.2], pose: {position: [0, 0, -0.1]}}]\n"
                            "    couplings: [{follower: way, motion: {rate: 0}}]\n"
                            "  - name: box\n"
                            "    base: floating\n"
                            "    position: [%g, 0, 0.1]\n"
                            "    links: [{name: body, mass: %g, inertia: [0.02, 0.02, 0.02]}]\n"
                            "    shapes: [{link: body, kind: box, size: [0.2, 0.2, 0.2]}]\n"
                            "contact: {friction: %g, restitution: 0}\n"
                            "integrator: %s\n"
                            "dt: %g\n";

typedef struct setup {
  const char *kind, *axis, *integrator;
  double plate, at, mass, mu, dt;
} setup;

static world plate_of(const setup *s)
{
  char text[2048];
  snprintf(text, sizeof text, scene, s->plate, s->kind, s->axis, s->at, s->mass, s->mu, s->integrator, s->dt);
  return load(text);
}

static const double gravity = 9.81;
static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint"};

// q: way, then x y z qw qx qy qz; v: way, then the box's angular velocity before or after its linear one.
static int linear(const world *w)
{
  for (int i = 0; i < srs_model_nv(w->model); i++)
    if (strcmp(srs_model_v_name(w->model, i), "box/root.vx") == 0) return i;
  for (int i = 0; i < srs_model_nv(w->model); i++)
    if (strstr(srs_model_v_name(w->model, i), "vx") != NULL) return i;
  fail_msg("no vx among %s ...", srs_model_v_name(w->model, 1));
  return -1;
}

// The plate's speed grows by a dt in each step; its target is where that leads in the step.
static void push_plate(world *w, double a, double *x, double *v)
{
  const double dt = srs_sim_get_options(w->sim)->dt;
  *v += a * dt;
  assert_int_equal(srs_sim_set_motion(w->sim, 0, *x, *v, NULL), SRS_OK);
  *x += *v * dt;
  assert_int_equal(srs_sim_step(w->sim, 1, NULL), SRS_OK);
}

// The midpoint scheme finds its velocities at the mean of a step, where a rate that jumps from step to step is by a dt
// another than at its end.
static void a_box_is_carried_while_friction_holds(void **state)
{
  (void)state;
  for (size_t i = 0; i < 2; i++)
    for (int k = 0; k < 12; k++) {
      const double mu = 0.1 + 0.07 * k, part = k % 2 == 0 ? 0.95 : 0.3, a = (k % 3 == 0 ? -1 : 1) * part * mu * gravity;
      const setup s = {"prismatic", "[1, 0, 0]", integrators[i], 0.01 * pow(10, k % 5), 0, 0.1 + k, mu, 1e-3};
      world w = plate_of(&s);
      assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_OK); // it lies
      const int vx = linear(&w);
      const double *q = srs_sim_q(w.sim), *speed = srs_sim_v(w.sim), jump = i == 0 ? 0 : fabs(a) * s.dt;
      double x = 0, v = 0;
      for (int n = 0; n < 300; n++) push_plate(&w, a, &x, &v);
      assert_true(fabs(speed[0] - v) < 1e-9 && fabs(q[0] - x) < 1e-9);
      assert_true(fabs(speed[vx] - v) < 1.01 * jump + 1e-9);                // as fast as the plate
      assert_true(fabs(q[1] - q[0]) < (i == 0 ? 1e-9 : 300 * s.dt * jump)); // and where it was on it
      for (int n = 0; n < 10; n++) push_plate(&w, 0, &x, &v);
      assert_true(fabs(speed[vx] - v) < 1e-9);
      unload(&w);
    }
}

// v = mu g t, whatever the plate does: friction acts along the slip.
static void a_box_slides_where_it_does_not(void **state)
{
  (void)state;
  for (int k = 0; k < 8; k++) {
    const double mu = 0.1 + 0.1 * k;
    const setup s = {"prismatic", "[1, 0, 0]", integrators[0], 1, 0, 0.5 + k, mu, 1e-3};
    world w = plate_of(&s);
    assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_OK);
    const int vx = linear(&w);
    double x = 0, v = 0;
    for (int n = 0; n < 200; n++) push_plate(&w, 1.5 * mu * gravity, &x, &v);
    assert_true(fabs(srs_sim_v(w.sim)[vx] - mu * gravity * 0.2) < 1e-9);
    unload(&w);
  }
}

// A conveyor that stops at once: the box brakes by mu g until it rests.
static void a_box_brakes_on_a_plate_that_stops(void **state)
{
  (void)state;
  const setup s = {"prismatic", "[1, 0, 0]", integrators[0], 1, 0, 2, 0.4, 1e-3};
  world w = plate_of(&s);
  assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_OK);
  const int vx = linear(&w);
  double x = 0, v = 0;
  for (int n = 0; n < 500; n++) push_plate(&w, 2, &x, &v); // to 1 m/s
  double where;
  assert_int_equal(srs_sim_get_motion(w.sim, 0, &where, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_motion(w.sim, 0, where, 0, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w.sim, 100, NULL), SRS_OK);
  assert_true(fabs(srs_sim_v(w.sim)[0]) < 1e-12);
  assert_true(fabs(srs_sim_v(w.sim)[vx] - (1 - 0.4 * gravity * 0.1)) < 1e-9);
  assert_int_equal(srs_sim_step(w.sim, 400, NULL), SRS_OK);
  assert_true(fabs(srs_sim_v(w.sim)[vx]) < 1e-9);
  unload(&w);
}

// The force of the contacts is m (g + a), and the loop's wrench carries plate and box.
static void a_lift_presses_by_its_acceleration(void **state)
{
  (void)state;
  const setup s = {"prismatic", "[0, 0, 1]", integrators[0], 3, 0, 2, 0.5, 1e-3};
  world w = plate_of(&s);
  assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_OK);
  double x = 0, v = 0;
  for (int n = 0; n < 400; n++) {
    const double a = n < 200 ? 3 : -5;
    push_plate(&w, a, &x, &v);
    if (n % 100 < 3) continue;
    int n_contacts;
    const srs_sim_contact *contacts = srs_sim_contacts(w.sim, &n_contacts);
    double force = 0;
    for (int i = 0; i < n_contacts; i++) force += fabs(contacts[i].force[2]);
    assert_true(fabs(force - 2 * (gravity + a)) < 1e-7);
    int n_rows;
    const srs_sim_row *rows = srs_sim_rows(w.sim, &n_rows);
    assert_int_equal(n_rows, 1);
    assert_true(fabs(rows[0].force - 5 * (gravity + a)) < 1e-7);
  }
  unload(&w);
}

// On a turntable that has started slowly the box goes round with r w^2 < mu g, in a circle.
static void a_turntable_carries_round(void **state)
{
  (void)state;
  const setup s = {"revolute", "[0, 0, 1]", integrators[0], 3, 0.5, 2, 0.5, 1e-3};
  world w = plate_of(&s);
  assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_OK);
  double x = 0, v = 0;
  for (int n = 0; n < 1000; n++) push_plate(&w, 2, &x, &v); // to 2 rad/s: 2 m/s^2 of 4.9
  for (int n = 0; n < 1000; n++) push_plate(&w, 0, &x, &v);
  const double *q = srs_sim_q(w.sim), angle = atan2(q[2], q[1]);
  assert_true(fabs(hypot(q[1], q[2]) - 0.5) < 2e-3); // O(dt): the tangent's step
  assert_true(fabs(remainder(angle - q[0], 6.283185307179586)) < 2e-3);
  unload(&w);
}

// ---------------------------------------------------------------------------------------------------------------------
// An input
// ---------------------------------------------------------------------------------------------------------------------

static void a_target_is_the_motion_that_it_says(void **state)
{
  (void)state;
  setup s = {"prismatic", "[1, 0, 0]", integrators[1], 1, 0, 2, 0.4, 1e-3};
  world w = plate_of(&s);
  char text[2048], *rate;
  snprintf(text, sizeof text, scene, s.plate, s.kind, s.axis, s.at, s.mass, s.mu, s.integrator, s.dt);
  rate = strstr(text, "rate: 0");
  rate[6] = '1';
  world given = load(text);
  assert_int_equal(srs_sim_set_motion(w.sim, 0, 0, 1, NULL), SRS_OK);
  // a scene begins with the velocity of its motions
  assert_int_equal(srs_sim_set_state(w.sim, 0, NULL, srs_sim_v(given.sim), NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w.sim, 500, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(given.sim, 500, NULL), SRS_OK);
  for (int i = 0; i < srs_model_nq(w.model); i++) assert_true(srs_sim_q(w.sim)[i] == srs_sim_q(given.sim)[i]);
  for (int i = 0; i < srs_model_nv(w.model); i++) assert_true(srs_sim_v(w.sim)[i] == srs_sim_v(given.sim)[i]);
  double position, speed;
  assert_int_equal(srs_sim_get_motion(w.sim, 0, &position, &speed), SRS_OK);
  assert_true(fabs(position - 0.5) < 1e-12 && speed == 1);
  unload(&given);
  unload(&w);
}

static void a_target_holds_until_reset_and_is_in_snapshots(void **state)
{
  (void)state;
  const setup s = {"prismatic", "[1, 0, 0]", integrators[0], 1, 0, 2, 0.4, 1e-3};
  world w = plate_of(&s);
  srs_error error = {0};
  double rate;
  assert_int_equal(srs_sim_set_motion(w.sim, 0, 0, 0.7, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w.sim, 50, NULL), SRS_OK);
  const size_t size = srs_sim_snapshot_size(w.sim);
  void *snapshot = malloc(size);
  assert_non_null(snapshot);
  srs_sim_snapshot_save(w.sim, snapshot);
  assert_int_equal(srs_sim_step(w.sim, 50, NULL), SRS_OK);
  const double then = srs_sim_q(w.sim)[0];
  assert_int_equal(srs_sim_set_motion(w.sim, 0, then, -2, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w.sim, 10, NULL), SRS_OK);
  assert_int_equal(srs_sim_snapshot_restore(w.sim, snapshot, size, &error), SRS_OK); // though the target is another
  assert_int_equal(srs_sim_get_motion(w.sim, 0, NULL, &rate), SRS_OK);
  assert_true(rate == 0.7);
  assert_int_equal(srs_sim_step(w.sim, 50, NULL), SRS_OK);
  assert_true(srs_sim_q(w.sim)[0] == then);
  world fresh = plate_of(&s);
  assert_int_equal(srs_sim_snapshot_restore(fresh.sim, snapshot, size, &error), SRS_OK);
  assert_int_equal(srs_sim_step(fresh.sim, 50, NULL), SRS_OK);
  assert_true(srs_sim_q(fresh.sim)[0] == then);
  unload(&fresh);
  assert_int_equal(srs_sim_set_state(w.sim, 0, srs_model_neutral(w.model), NULL, &error), SRS_OK);
  assert_int_equal(srs_sim_get_motion(w.sim, 0, NULL, &rate), SRS_OK);
  assert_true(rate == 0.7); // a state that is set leaves it
  srs_sim_clear_inputs(w.sim);
  assert_int_equal(srs_sim_get_motion(w.sim, 0, NULL, &rate), SRS_OK);
  assert_true(rate == 0);
  assert_int_equal(srs_sim_set_motion(w.sim, 0, 0, 1, NULL), SRS_OK);
  srs_sim_reset(w.sim);
  assert_int_equal(srs_sim_step(w.sim, 50, NULL), SRS_OK);
  assert_true(fabs(srs_sim_q(w.sim)[0]) < 1e-15);
  free(snapshot);
  unload(&w);
}

static void what_has_no_motion_takes_no_target(void **state)
{
  (void)state;
  srs_error error = {0};
  world w = load("models:\n"
                 "  - name: m\n"
                 "    links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                 "    joints: [{name: h, kind: revolute, child: a, axis: [1, 0, 0]},\n"
                 "             {name: k, kind: revolute, child: b, axis: [1, 0, 0]}]\n"
                 "    couplings: [{follower: k, leader: h}]\n");
  assert_int_equal(srs_sim_set_motion(w.sim, 0, 0, 0, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "no prescribed motion"));
  assert_int_equal(srs_sim_set_motion(w.sim, 1, 0, 0, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_motion(w.sim, -1, 0, 0, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_motion(NULL, 0, 0, 0, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_get_motion(w.sim, 0, NULL, NULL), SRS_ERROR_ARGUMENT);
  unload(&w);
  const setup s = {"prismatic", "[1, 0, 0]", integrators[0], 1, 0, 2, 0.4, 1e-3};
  world plate = plate_of(&s);
  assert_int_equal(srs_sim_set_motion(plate.sim, 0, NAN, 0, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_sim_set_motion(plate.sim, 0, 0, INFINITY, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_sim_step(plate.sim, 1, NULL), SRS_OK);
  unload(&plate);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_is_carried_while_friction_holds),
      cmocka_unit_test(a_box_slides_where_it_does_not),
      cmocka_unit_test(a_box_brakes_on_a_plate_that_stops),
      cmocka_unit_test(a_lift_presses_by_its_acceleration),
      cmocka_unit_test(a_turntable_carries_round),
      cmocka_unit_test(a_target_is_the_motion_that_it_says),
      cmocka_unit_test(a_target_holds_until_reset_and_is_in_snapshots),
      cmocka_unit_test(what_has_no_motion_takes_no_target),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
