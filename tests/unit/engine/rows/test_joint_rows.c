// Do limits stop, friction hold and actuators obey what they may? Against closed forms, and against each other.

#include "support/inside_sim.h"
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double h = 1e-3, inertia = 0.2, infinite = INFINITY;

typedef struct rig {
  srs_model *model;
  srs_sim *sim;
} rig;

static srs_joint_def wheel_joint(void)
{
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  def.name = "h";
  def.child = "wheel";
  return def;
}

// A wheel with its axle in the mass centre: tau = 0.2 q''.
static rig wheel_on(const srs_joint_def *def, const srs_sim_options *options)
{
  rig r = {0};
  srs_error error;
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "wheel";
  link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = inertia;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  if (srs_builder_add_joint(builder, def, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_builder_build(builder, NULL, &r.model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  if (srs_sim_create(r.model, options, &r.sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return r;
}

static void put_away(rig *r)
{
  srs_sim_destroy(r->sim);
  srs_model_destroy(r->model);
}

static void set(srs_sim *sim, double q, double v) { assert_int_equal(srs_sim_set_state(sim, 0, &q, &v, NULL), SRS_OK); }

static double q_of(const rig *r) { return srs_sim_q(r->sim)[0]; }
static double v_of(const rig *r) { return srs_sim_v(r->sim)[0]; }

static void push(const rig *r, double tau) { assert_int_equal(srs_sim_set_torque(r->sim, &tau, NULL), SRS_OK); }

static void servo(const rig *r, double q_ref, double v_ref, double kp, double kd)
{
  assert_int_equal(srs_sim_set_servo(r->sim, &q_ref, &v_ref, &kp, &kd, NULL), SRS_OK);
}

// ---------------------------------------------------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------------------------------------------------

static void a_stop_is_reached_and_held_and_left(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++)
    for (int side = -1; side <= 1; side += 2) {
      srs_joint_def def = wheel_joint();
      def.lower[0] = -0.5, def.upper[0] = 0.5;
      srs_sim_options o = srs_default_sim_options();
      o.integrator = i == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
      rig r = wheel_on(&def, &o);
      set(r.sim, side * 0.4905, side * 3);
      step(r.sim, 4); // 3 mrad a step: the fourth arrives
      assert_true(fabs(q_of(&r) - side * 0.5) < 1e-14 || i == 1);
      step(r.sim, 1);
      assert_true(fabs(q_of(&r) - side * 0.5) < 1e-14);
      step(r.sim, 1);
      assert_true(fabs(v_of(&r)) < 1e-13); // of a gap's rounding over h
      push(&r, side * 5);
      for (int k = 0; k < 100; k++) {
        step(r.sim, 1);
        assert_true(fabs(q_of(&r) - side * 0.5) < 1e-14 && fabs(v_of(&r)) < 1e-12);
        int n;
        const srs_sim_row *rows = srs_sim_rows(r.sim, &n);
        assert_int_equal(n, 1);
        assert_int_equal(rows[0].source, side > 0 ? SRS_ROW_UPPER_LIMIT : SRS_ROW_LOWER_LIMIT);
        assert_true(fabs(rows[0].force - 5) < 1e-9);
      }
      push(&r, -side * 5);
      step(r.sim, 1);
      assert_true(fabs(v_of(&r) + side * 5 / inertia * h) < 1e-12);
      put_away(&r);
    }
}

static void limits_bounce_by_their_restitution(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.upper[0] = 0.1;
  srs_sim_options o = srs_default_sim_options();
  o.joint.restitution = 0.6;
  rig r = wheel_on(&def, &o);
  set(r.sim, 0.0995, 2);
  step(r.sim, 1);
  assert_true(fabs(v_of(&r) + 1.2) < 1e-12);
  set(r.sim, 0.1, 0); // pushed, not thrown: no bounce
  push(&r, 1);
  step(r.sim, 10);
  assert_true(fabs(v_of(&r)) < 1e-13);
  put_away(&r);
}

static void what_starts_outside_returns_smoothly(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.upper[0] = 0.1;
  rig r = wheel_on(&def, NULL);
  double by;
  const double q = 0.4;
  assert_int_equal(srs_outside_limits(r.model, &q, &by), 0);
  assert_true(fabs(by - 0.3) < 1e-15);
  set(r.sim, q, 0);
  double before = q;
  for (int k = 0; k < 400; k++) {
    step(r.sim, 1);
    assert_true(v_of(&r) >= -1 - 1e-12 && q_of(&r) <= before);
    before = q_of(&r);
  }
  assert_true(q_of(&r) < 0.1 + 1e-9);
  assert_int_equal(srs_outside_limits(r.model, &(double){0.1}, NULL), -1);
  put_away(&r);
}

static void equal_limits_lock(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.lower[0] = def.upper[0] = 0.25;
  rig r = wheel_on(&def, NULL);
  set(r.sim, 0.25, 3);
  push(&r, -7);
  for (int k = 0; k < 20; k++) {
    step(r.sim, 1);
    assert_true(fabs(q_of(&r) - 0.25) < 1e-14 && fabs(v_of(&r)) < 1e-14);
  }
  int n;
  const srs_sim_row *rows = srs_sim_rows(r.sim, &n);
  assert_true(n == 1 && fabs(rows[0].force - 7) < 1e-12);
  put_away(&r);
}

static void limits_and_friction_can_be_switched_off(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.upper[0] = 0.1;
  def.friction[0] = 3;
  srs_sim_options o = srs_default_sim_options();
  o.joint.limits = o.joint.friction = false;
  rig r = wheel_on(&def, &o);
  set(r.sim, 0.0995, 2);
  step(r.sim, 10);
  assert_true(fabs(v_of(&r) - 2) < 1e-14 && fabs(q_of(&r) - 0.1195) < 1e-14);
  assert_null(r.sim->constraints);
  put_away(&r);
}

// A double pendulum at its elbow's stop: the impulse of one limit throws the other joint against its own.
static void a_limit_that_only_another_impulse_breaks_holds_too(void **state)
{
  (void)state;
  static const char text[] =
      "gravity: [0, 0, 0]\nmodels:\n  - name: m\n    links: [{name: a, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, "
      "0.1]},\n            {name: b, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}]\n    joints:\n"
      "      - {name: s, kind: revolute, child: a, axis: [0, 1, 0], upper: 0.000001}\n"
      "      - {name: e, kind: revolute, parent: a, child: b, origin: {position: [1, 0, 0]}, axis: [0, 1, 0], upper: "
      "0.5}\n"
      "initial: {q: {e: 0.499}, v: {e: 5}}\n";
  srs_sim *sim;
  srs_error error;
  srs_scene *scene = scene_of_text(text);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  int most = 0;
  for (int k = 0; k < 50; k++) {
    int n;
    step(sim, 1);
    (void)srs_sim_rows(sim, &n);
    most = n > most ? n : most;
    assert_true(srs_sim_q(sim)[0] < 0.000001 + 1e-11 && srs_sim_q(sim)[1] < 0.5 + 1e-11);
  }
  assert_int_equal(most, 2);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Dry friction
// ---------------------------------------------------------------------------------------------------------------------

static void friction_slides_stops_and_sticks(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.friction[0] = 3;
  rig r = wheel_on(&def, NULL);
  set(r.sim, 0, 1); // stops after 0.2 / 3 s, after w^2 I / (2 f) = 1/30 rad
  step(r.sim, 50);
  assert_true(fabs(v_of(&r) - (1 - 0.05 * 3 / inertia)) < 1e-12);
  step(r.sim, 50);
  assert_true(fabs(v_of(&r)) < 1e-14);
  assert_true(fabs(q_of(&r) - inertia / 6) < 0.5 * h); // semi-implicit Euler: h v / 2
  const double at = q_of(&r);
  push(&r, -2.9);
  step(r.sim, 1000);
  assert_true(fabs(q_of(&r) - at) < 1e-13);
  int n;
  const srs_sim_row *rows = srs_sim_rows(r.sim, &n);
  assert_true(n == 1 && rows[0].source == SRS_ROW_FRICTION && fabs(rows[0].force - 2.9) < 1e-10);
  push(&r, -3.1);
  step(r.sim, 10);
  assert_true(fabs(v_of(&r) + 0.1 / inertia * 0.01) < 1e-12);
  put_away(&r);
}

// On a stop, friction and stop share one coordinate: what they give together is what matters.
static void friction_and_a_stop_share_a_coordinate(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.friction[0] = 3;
  def.upper[0] = 0.1;
  rig r = wheel_on(&def, NULL);
  set(r.sim, 0.099, 2);
  push(&r, 5);
  for (int k = 0; k < 100; k++) step(r.sim, 1);
  assert_true(fabs(q_of(&r) - 0.1) < 1e-13 && fabs(v_of(&r)) < 1e-12);
  int n;
  const srs_sim_row *rows = srs_sim_rows(r.sim, &n);
  assert_int_equal(n, 2);
  assert_true(fabs(rows[0].force - rows[1].force - 5) < 1e-9 && fabs(rows[1].force) < 3 + 1e-9);
  assert_int_equal(srs_sim_get_statistics(r.sim)->failures, 0);
  push(&r, -2.5); // friction holds it there
  step(r.sim, 10);
  assert_true(fabs(v_of(&r)) < 1e-12);
  push(&r, -5);
  step(r.sim, 1);
  assert_true(fabs(v_of(&r) + 2 / inertia * h) < 1e-12);
  put_away(&r);
}

// ---------------------------------------------------------------------------------------------------------------------
// Actuators
// ---------------------------------------------------------------------------------------------------------------------

static void torques_and_servos_give_no_more_than_max_effort(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    srs_joint_def def = wheel_joint();
    def.max_effort[0] = 4;
    srs_sim_options o = srs_default_sim_options();
    o.integrator = i == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    rig r = wheel_on(&def, &o);
    push(&r, 11);
    step(r.sim, 10);
    assert_true(fabs(v_of(&r) - 4 / inertia * 0.01) < 1e-12);
    assert_true(fabs(srs_sim_actuator_effort(r.sim)[0] - 4) < 1e-12);
    push(&r, 0);
    set(r.sim, 0, 0);
    servo(&r, 1, 0, 1e9, 1e5); // stiff: full effort, then a full brake it cannot know of, within limits at all times
    for (int k = 0; k < 2000; k++) {
      const double before = v_of(&r);
      step(r.sim, 1);
      const double effort = srs_sim_actuator_effort(r.sim)[0];
      assert_true(fabs(effort) < 4 * (1 + 1e-9));
      assert_true(fabs(v_of(&r) - before - effort / inertia * h) < 1e-10);
      if (k < 50) assert_true(fabs(effort - 4) < 1e-9);
    }
    put_away(&r);
  }
}

// The limit is of the whole actuator: the feed-forward torque counts.
static void a_servo_at_its_limit_is_the_clamp_of_its_law_at_the_end_of_the_step(void **state)
{
  (void)state;
  testing_random random = testing_random_start(63);
  for (int run = 0; run < 500; run++) {
    srs_joint_def def = wheel_joint();
    def.max_effort[0] = testing_uniform(&random, 0, 5);
    if (run % 2) def.max_velocity[0] = testing_uniform(&random, 0.1, 2);
    def.friction[0] = run % 3 == 0 ? testing_uniform(&random, 0, 2) : 0;
    rig r = wheel_on(&def, NULL);
    const double kp = pow(10, testing_uniform(&random, 0, 9)), kd = pow(10, testing_uniform(&random, -2, 4));
    const double q0 = testing_uniform(&random, -1, 1), v0 = testing_uniform(&random, -3, 3);
    const double q_ref = q0 + testing_uniform(&random, -1, 1) * pow(10, testing_uniform(&random, -6, 0));
    const double v_ref = testing_uniform(&random, -1, 1), tau = testing_uniform(&random, -6, 6);
    set(r.sim, q0, v0);
    push(&r, tau);
    servo(&r, q_ref, v_ref, kp, kd);
    step(r.sim, 1);
    const double v = v_of(&r), q = q_of(&r), effort = srs_sim_actuator_effort(r.sim)[0], most = def.max_effort[0];
    double law = tau + kp * (q_ref - q) + kd * (v_ref - v);
    law = fmax(-most, fmin(most, law));
    const double V = def.max_velocity[0];
    // rounding of kp q and of h kp v
    const double rounding = 1e-10 * (1 + fabs(tau) + kp * 1e-4 + kd * 1e-2);
    if (isinf(V) || fabs(fabs(v) - V) > 1e-9 * V) {
      if (law * v > 0 && fabs(v) > V) law = 0;
      assert_true(fabs(effort - law) < rounding);
    } else { // held back at its highest speed
      assert_true(effort * v >= -rounding && fabs(effort) <= fabs(law) + rounding);
    }
    int n;
    double friction = 0;
    const srs_sim_row *rows = srs_sim_rows(r.sim, &n);
    for (int i = 0; i < n; i++)
      if (rows[i].source == SRS_ROW_FRICTION) friction += rows[i].force;
    assert_true(fabs(v - v0 - h * (effort + friction) / inertia) < 1e-10);
    if (def.friction[0] > 0 && fabs(v) > 1e-10) assert_true(fabs(friction + copysign(def.friction[0], v)) < 1e-8);
    assert_int_equal(srs_sim_get_statistics(r.sim)->failures, 0);
    put_away(&r);
  }
}

// What a step knows of the last one only spares it work: a simulation that forgets every step moves alike, whether the
// servo comes to its limits, stays there or leaves them.
static void a_servo_that_comes_to_its_limits_and_leaves_them_moves_as_if_each_step_were_the_first(void **state)
{
  (void)state;
  static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_MOREAU,
                                               SRS_GEOMETRICALLY_IMPLICIT};
  testing_random random = testing_random_start(65);
  int n_limited = 0, n_changes = 0;
  for (int run = 0; run < 40; run++) {
    bool was_limited = false;
    srs_joint_def def = wheel_joint();
    srs_sim_options o = srs_default_sim_options();
    o.integrator = integrators[run % 4];
    def.max_effort[0] = testing_uniform(&random, 0.5, 3);
    if (run % 3 == 0) def.max_velocity[0] = testing_uniform(&random, 0.2, 2);
    rig a = wheel_on(&def, &o), b = wheel_on(&def, &o);
    for (int k = 0; k < 300; k++) {
      if (k % 50 == 0) {
        const double q_ref = testing_uniform(&random, -0.3, 0.3), kp = testing_uniform(&random, 10, 100);
        servo(&a, q_ref, 0, kp, 4), servo(&b, q_ref, 0, kp, 4);
      }
      set(b.sim, q_of(&a), v_of(&a));
      step(a.sim, 1), step(b.sim, 1);
      if (!(fabs(v_of(&a) - v_of(&b)) < 1e-11 && fabs(q_of(&a) - q_of(&b)) < 1e-11))
        fail_msg("run %d, step %d: %g, %g", run, k, v_of(&a) - v_of(&b), q_of(&a) - q_of(&b));
      assert_true(fabs(srs_sim_actuator_effort(a.sim)[0] - srs_sim_actuator_effort(b.sim)[0]) < 1e-7);
      const bool is_limited = fabs(srs_sim_actuator_effort(a.sim)[0]) > def.max_effort[0] * (1 - 1e-9);
      n_limited += is_limited, n_changes += is_limited != was_limited;
      was_limited = is_limited;
    }
    put_away(&a), put_away(&b);
  }
  assert_true(n_limited > 100 && n_changes > 20); // or the test would show nothing
}

static void a_servo_within_its_limits_moves_as_if_it_had_none(void **state)
{
  (void)state;
  srs_joint_def free_def = wheel_joint(), def = wheel_joint();
  def.max_effort[0] = 100, def.max_velocity[0] = 50;
  rig a = wheel_on(&free_def, NULL), b = wheel_on(&def, NULL);
  servo(&a, 0.1, 0, 200, 8);
  servo(&b, 0.1, 0, 200, 8);
  for (int k = 0; k < 1000; k++) {
    step(a.sim, 1);
    step(b.sim, 1);
    assert_true(q_of(&a) == q_of(&b) && v_of(&a) == v_of(&b));
  }
  assert_int_equal(srs_sim_get_statistics(b.sim)->solves, 0);
  put_away(&a), put_away(&b);
}

static void a_actuator_does_not_actuator_beyond_its_highest_speed(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  def.max_velocity[0] = 1.5;
  rig r = wheel_on(&def, NULL);
  push(&r, 20);
  step(r.sim, 100);
  assert_true(fabs(v_of(&r) - 1.5) < 1e-12);
  set(r.sim, 0, 4); // what is faster already is not braked
  step(r.sim, 100);
  assert_true(fabs(v_of(&r) - 4) < 1e-12);
  push(&r, -20); // but may be
  step(r.sim, 10);
  assert_true(fabs(v_of(&r) - 3) < 1e-12);
  push(&r, 0);
  set(r.sim, 0, 0);
  servo(&r, 5, 0, 1e4, 100); // a position servo cruises at that speed and arrives
  for (int k = 0; k < 5000; k++) {
    step(r.sim, 1);
    assert_true(v_of(&r) < 1.5 + 1e-10);
  }
  assert_true(fabs(q_of(&r) - 5) < 1e-6);
  put_away(&r);
}

// ---------------------------------------------------------------------------------------------------------------------
// Solvers, snapshots, integrators
// ---------------------------------------------------------------------------------------------------------------------

static const char arm_scene[] =
    "models:\n  - name: m\n    links: [{name: a, mass: 1, com: [0.3, 0, 0], inertia: [0.02, 0.02, 0.02]},\n"
    "            {name: b, mass: 1, com: [0.3, 0, 0], inertia: [0.02, 0.02, 0.02]}]\n"
    "    joints:\n      - {name: s, kind: revolute, child: a, axis: [0, 1, 0], lower: -0.4, upper: 0.6, friction: "
    "0.4}\n"
    "      - {name: e, kind: revolute, parent: a, child: b, origin: {position: [0.6, 0, 0]}, axis: [0, 1, 0], "
    "lower: -1, upper: 1, friction: 0.2, max_effort: 3, max_velocity: 4}\n"
    "    shapes: [{link: b, kind: sphere, radius: 0.05, pose: {position: [0.6, 0, 0]}}]\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: -0.7}]\n"
    "contact: {impact: %s, restitution: 0.5}\nsolver: {name: %s}\ninitial: {v: {e: -6}}\n";

static srs_sim *arm(const char *impact, const char *solver, srs_scene **scene)
{
  char text[2048];
  snprintf(text, sizeof text, arm_scene, impact, solver);
  *scene = scene_of_text(text);
  srs_sim *sim = sim_of_scene(*scene, NULL);
  const double q_ref[2] = {0, 0.5}, v_ref[2] = {0}, kp[2] = {0, 300}, kd[2] = {0, 5};
  assert_int_equal(srs_sim_set_servo(sim, q_ref, v_ref, kp, kd, NULL), SRS_OK);
  return sim;
}

static void all_solvers_and_impact_laws_give_one_motion(void **state)
{
  (void)state;
  static const char *const impacts[] = {"two-phase", "poisson", "newton"};
  for (int law = 0; law < 3; law++) {
    double first[4];
    for (int s = 0; s < SRS_CONTACT_METHODS; s++) {
      srs_scene *scene;
      srs_sim *sim = arm(impacts[law], srs_contact_method_name((srs_contact_method)s), &scene);
      step(sim, 300);
      assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
      double now[4] = {srs_sim_q(sim)[0], srs_sim_q(sim)[1], srs_sim_v(sim)[0], srs_sim_v(sim)[1]};
      if (s == 0) memcpy(first, now, sizeof now);
      // the motion is planar, so pyramid and cone are one; solved to 1e-12 in each of 300 steps
      testing_assert_close(srs_contact_method_name((srs_contact_method)s), now, first, 4, 1e-8);
      srs_sim_destroy(sim);
      srs_scene_destroy(scene);
    }
  }
}

static void a_resumed_run_is_bit_equal(void **state)
{
  (void)state;
  srs_scene *scene, *other_scene;
  srs_sim *sim = arm("two-phase", "mncp-rlm", &scene), *other = arm("two-phase", "mncp-rlm", &other_scene);
  for (int at = 0; at < 20; at++) {
    step(sim, 17);
    const size_t size = srs_sim_snapshot_size(sim);
    void *bytes = malloc(size);
    srs_sim_snapshot_save(sim, bytes);
    assert_int_equal(srs_sim_snapshot_restore(other, bytes, size, NULL), SRS_OK);
    free(bytes);
    step(sim, 13);
    step(other, 13);
    assert_memory_equal(srs_sim_q(sim), srs_sim_q(other), 2 * sizeof(double));
    assert_memory_equal(srs_sim_v(sim), srs_sim_v(other), 2 * sizeof(double));
  }
  srs_sim_destroy(sim), srs_sim_destroy(other);
  srs_scene_destroy(scene), srs_scene_destroy(other_scene);
}

static void rk4_says_what_it_cannot_step_through(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    srs_joint_def def = wheel_joint();
    if (i == 0)
      def.upper[0] = 1;
    else
      def.friction[0] = 1;
    def.max_effort[0] = 2; // clamped, as torque: no hindrance
    srs_sim_options o = srs_default_sim_options();
    o.joint.limits = o.joint.friction = false;
    o.integrator = SRS_RK4;
    rig r = wheel_on(&def, &o);
    push(&r, 7);
    step(r.sim, 10);
    assert_true(fabs(v_of(&r) - 2 / inertia * 0.01) < 1e-12);
    o.joint.limits = o.joint.friction = true;
    srs_sim *sim;
    srs_error error;
    assert_int_equal(srs_sim_create(r.model, &o, &sim, &error), SRS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'h'"));
    assert_non_null(strstr(error.message, i == 0 ? "limits: false" : "joint_friction: false"));
    put_away(&r);
  }
}

static void wrong_settings_are_refused(void **state)
{
  (void)state;
  srs_joint_def def = wheel_joint();
  rig r = wheel_on(&def, NULL);
  srs_sim *sim;
  srs_error error;
  for (int i = 0; i < 4; i++) {
    srs_sim_options o = srs_default_sim_options();
    if (i == 0) o.joint.restitution = 1.5;
    if (i == 1) o.joint.error_reduction = -0.1;
    if (i == 2) o.joint.max_depenetration_velocity = NAN;
    if (i == 3) o.closure.error_reduction = infinite;
    assert_int_equal(srs_sim_create(r.model, &o, &sim, &error), SRS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, i == 3 ? "closure.error_reduction" : "joint."));
  }
  put_away(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stop_is_reached_and_held_and_left),
      cmocka_unit_test(limits_bounce_by_their_restitution),
      cmocka_unit_test(what_starts_outside_returns_smoothly),
      cmocka_unit_test(equal_limits_lock),
      cmocka_unit_test(limits_and_friction_can_be_switched_off),
      cmocka_unit_test(a_limit_that_only_another_impulse_breaks_holds_too),
      cmocka_unit_test(friction_slides_stops_and_sticks),
      cmocka_unit_test(friction_and_a_stop_share_a_coordinate),
      cmocka_unit_test(torques_and_servos_give_no_more_than_max_effort),
      cmocka_unit_test(a_servo_at_its_limit_is_the_clamp_of_its_law_at_the_end_of_the_step),
      cmocka_unit_test(a_servo_that_comes_to_its_limits_and_leaves_them_moves_as_if_each_step_were_the_first),
      cmocka_unit_test(a_servo_within_its_limits_moves_as_if_it_had_none),
      cmocka_unit_test(a_actuator_does_not_actuator_beyond_its_highest_speed),
      cmocka_unit_test(all_solvers_and_impact_laws_give_one_motion),
      cmocka_unit_test(a_resumed_run_is_bit_equal),
      cmocka_unit_test(rk4_says_what_it_cannot_step_through),
      cmocka_unit_test(wrong_settings_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
