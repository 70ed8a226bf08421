// What a control loop holds: state, inputs that persist by one rule, servos, time.

#include "support/testing.h"
#include "topology/base/spatial.h"
#include "unit/engine/simulation/one_link.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const srs_integrator schemes[SRS_INTEGRATORS] = {
    SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_RK4,
    SRS_IMPLICIT_EULER,      SRS_IMPLICIT_MOREAU, SRS_GEOMETRICALLY_IMPLICIT};

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static void a_sim_starts_at_rest_in_the_neutral_configuration(void **state)
{
  (void)state;
  srs_model *model = one_link(SRS_JOINT_FREE, 1, at_origin, round_moments);
  srs_sim *sim;
  assert_int_equal(srs_sim_create(model, NULL, &sim, NULL), SRS_OK);
  assert_ptr_equal(srs_sim_model(sim), model);
  const srs_sim_options *options = srs_sim_get_options(sim);
  assert_true(options->dt == 0.001 && options->integrator == SRS_SEMI_IMPLICIT_EULER && options->gravity[2] == -9.81);
  assert_false(options->implicit_gyroscopic);
  assert_true(options->keep_momentum);
  assert_true(srs_sim_time(sim) == 0 && srs_sim_steps(sim) == 0);
  testing_assert_close("q", srs_sim_q(sim), srs_model_neutral(model), 7, 0);
  testing_assert_close("v", srs_sim_v(sim), (double[6]){0}, 6, 0);
  testing_assert_close("tau", srs_sim_torque(sim), (double[6]){0}, 6, 0);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void options_that_make_no_sense_are_refused(void **state)
{
  (void)state;
  srs_model *model = cart();
  const double steps[] = {0, -1e-3, NAN, INFINITY};
  srs_sim *sim = (srs_sim *)1;
  srs_error error;
  for (int i = 0; i < 6; i++) {
    srs_sim_options options = srs_default_sim_options();
    if (i < 4) options.dt = steps[i];
    if (i == 4) options.integrator = (srs_integrator)SRS_INTEGRATORS;
    if (i == 5) options.gravity[1] = NAN;
    sim = (srs_sim *)1;
    assert_int_equal(srs_sim_create(model, &options, &sim, &error), i == 5 ? SRS_ERROR_NOT_FINITE : SRS_ERROR_ARGUMENT);
    assert_string_equal(error.subject, i < 4 ? "dt" : i == 4 ? "integrator" : "gravity[1]");
    assert_null(sim);
  }
  assert_int_equal(srs_sim_create(NULL, NULL, &sim, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_create(model, NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
  srs_model_destroy(model);
}

static void without_a_sim_nothing_happens(void **state)
{
  (void)state;
  assert_null(srs_sim_model(NULL));
  assert_null(srs_sim_get_options(NULL));
  assert_null(srs_sim_q(NULL));
  assert_null(srs_sim_v(NULL));
  assert_null(srs_sim_torque(NULL));
  assert_null(srs_sim_workspace(NULL));
  assert_true(srs_sim_time(NULL) == 0 && srs_sim_steps(NULL) == 0 && srs_sim_snapshot_size(NULL) == 0);
  assert_int_equal(srs_sim_step(NULL, 1, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_state(NULL, 0, NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_torque(NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
  srs_sim_reset(NULL);
  srs_sim_clear_inputs(NULL);
  srs_sim_destroy(NULL);
}

static void integrators_are_found_by_their_names(void **state)
{
  (void)state;
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    srs_integrator found = SRS_SEMI_IMPLICIT_EULER;
    assert_true(srs_integrator_from_name(srs_integrator_name(schemes[i]), &found));
    assert_int_equal(found, schemes[i]);
  }
  srs_integrator kept = SRS_RK4;
  assert_false(srs_integrator_from_name("euler", &kept) || srs_integrator_from_name(NULL, &kept));
  assert_int_equal(kept, SRS_RK4);
  assert_string_equal(srs_integrator_name((srs_integrator)99), "");
}

// ---------------------------------------------------------------------------------------------------------------------
// State and time
// ---------------------------------------------------------------------------------------------------------------------

static void reset_leads_back_to_the_beginning(void **state)
{
  (void)state;
  srs_model *model = pendulum();
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    srs_sim *used = new_sim(model, schemes[i], 1e-3, -9.81), *fresh = new_sim(model, schemes[i], 1e-3, -9.81);
    const double one[1] = {1}, wrench[6] = {1, 1, 1, 1, 1, 1};
    assert_int_equal(srs_sim_set_state(used, 3, one, one, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_torque(used, one, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_servo(used, one, one, one, one, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_wrench(used, frame(used, "tip"), SRS_AXES_LOCAL, wrench, NULL), SRS_OK);
    step(used, 100);
    srs_sim_reset(used);
    assert_true(srs_sim_time(used) == 0 && srs_sim_steps(used) == 0 && srs_sim_torque(used)[0] == 0);
    assert_true(srs_sim_q(used)[0] == 0 && srs_sim_v(used)[0] == 0);
    const double v[1] = {2};
    assert_int_equal(srs_sim_set_state(used, 0, NULL, v, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_state(fresh, 0, NULL, v, NULL), SRS_OK);
    step(used, 100), step(fresh, 100);
    assert_true(srs_sim_q(used)[0] == srs_sim_q(fresh)[0] && srs_sim_v(used)[0] == srs_sim_v(fresh)[0]);
    srs_sim_destroy(used);
    srs_sim_destroy(fresh);
  }
  srs_model_destroy(model);
}

static void a_state_is_taken_whole_or_not_at_all(void **state)
{
  (void)state;
  srs_model *model = one_link(SRS_JOINT_FREE, 1, at_origin, round_moments);
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  const double q[7] = {1, 2, 3, 0, 1, 0, 0}, v[6] = {1, 2, 3, 4, 5, 6};
  assert_int_equal(srs_sim_set_state(sim, 5, q, v, NULL), SRS_OK);
  const struct {
    double time, q[7], v[6];
    srs_status status;
    const char *words;
  } cases[] = {
      {0, {0, 0, 0, 2, 0, 0, 0}, {0}, SRS_ERROR_ARGUMENT, "of joint 'h' has length 2, it must be 1"},
      {0, {0, 0, 0, 0, 0, 0, 0}, {0}, SRS_ERROR_ARGUMENT, "of joint 'h' has length 0, it must be 1"},
      {0, {0, 0, 0, 1 + 2e-6, 0, 0, 0}, {0}, SRS_ERROR_ARGUMENT, "of joint 'h' has length 1.000002"},
      {0, {0, 0, 0, NAN, 0, 0, 0}, {0}, SRS_ERROR_NOT_FINITE, "q of 'h.qw' is not a finite number"},
      {0, {0, NAN, 0, 1, 0, 0, 0}, {0}, SRS_ERROR_NOT_FINITE, "q of 'h.y' is not a finite number"},
      {0, {0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, INFINITY, 0}, SRS_ERROR_NOT_FINITE, "v of 'h.wy' is not a finite"},
      {NAN, {0, 0, 0, 1, 0, 0, 0}, {0}, SRS_ERROR_NOT_FINITE, "time"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_error error;
    assert_int_equal(srs_sim_set_state(sim, cases[i].time, cases[i].q, cases[i].v, &error), cases[i].status);
    if (strstr(error.message, cases[i].words) == NULL) fail_msg("'%s' is not '%s'", error.message, cases[i].words);
    testing_assert_close("q", srs_sim_q(sim), q, 7, 0);
    testing_assert_close("v", srs_sim_v(sim), v, 6, 0);
    assert_true(srs_sim_time(sim) == 5);
  }
  const double printed[7] = {1, 2, 3, 0.707107, 0.707107, 0, 0}; // six digits: 3e-7 too long
  assert_int_equal(srs_sim_set_state(sim, 6, printed, NULL, NULL), SRS_OK);
  assert_true(fabs(srs_sim_q(sim)[3] - sqrt(0.5)) < 2e-16 && fabs(srs_sim_q(sim)[4] - sqrt(0.5)) < 2e-16);
  testing_assert_close("v stays", srs_sim_v(sim), v, 6, 0);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void no_steps_change_nothing_and_fewer_are_refused(void **state)
{
  (void)state;
  srs_model *model = pendulum();
  srs_sim *sim = new_sim(model, SRS_RK4, 1e-3, -9.81);
  srs_error error;
  assert_int_equal(srs_sim_set_state(sim, 1, (double[1]){0.5}, (double[1]){0.25}, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 0, &error), SRS_OK);
  assert_int_equal(srs_sim_step(sim, -1, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "negative number of steps"));
  assert_true(srs_sim_time(sim) == 1 && srs_sim_steps(sim) == 0);
  assert_true(srs_sim_q(sim)[0] == 0.5 && srs_sim_v(sim)[0] == 0.25);
  step(sim, 10);
  srs_sim *other = new_sim(model, SRS_RK4, 1e-3, -9.81);
  assert_int_equal(srs_sim_set_state(other, 1, (double[1]){0.5}, (double[1]){0.25}, NULL), SRS_OK);
  for (int i = 0; i < 10; i++) step(other, 1); // ten steps are ten times one step
  assert_true(srs_sim_q(sim)[0] == srs_sim_q(other)[0] && srs_sim_time(sim) == srs_sim_time(other));
  srs_sim_destroy(sim);
  srs_sim_destroy(other);
  srs_model_destroy(model);
}

// A sum of 10^6 roundings would be off by 1e-9 and more.
static void time_gathers_no_rounding(void **state)
{
  (void)state;
  srs_model *model = cart();
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-4, 0);
  step(sim, 1000000);
  assert_int_equal(srs_sim_steps(sim), 1000000);
  assert_true(fabs(srs_sim_time(sim) - 100) <= 100 * DBL_EPSILON); // one unit in the last place
  assert_int_equal(srs_sim_set_state(sim, 7, NULL, NULL, NULL), SRS_OK);
  step(sim, 30000);
  assert_int_equal(srs_sim_steps(sim), 1030000); // since creation
  assert_true(fabs(srs_sim_time(sim) - 10) <= 10 * DBL_EPSILON);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Inputs
// ---------------------------------------------------------------------------------------------------------------------

static void expect_speed_up(srs_sim *sim, double force)
{
  const double before = srs_sim_v(sim)[0];
  step(sim, 100);
  const double gained = srs_sim_v(sim)[0] - before, expected = force / 2 * 100 * srs_sim_get_options(sim)->dt;
  assert_true(fabs(gained - expected) < 1e-13); // 100 additions of numbers up to 1
}

static void torques_and_wrenches_persist_until_set_again_or_cleared(void **state)
{
  (void)state;
  srs_model *model = cart();
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    srs_sim *sim = new_sim(model, schemes[i], 1e-3, -9.81);
    const int body = frame(sim, "body"), tip = frame(sim, "tip");
    const double push[1] = {3}, none[1] = {0}, pull[6] = {0, 0, 0, 5, 0, 0}, still[6] = {0};
    expect_speed_up(sim, 0);
    assert_int_equal(srs_sim_set_torque(sim, push, NULL), SRS_OK);
    expect_speed_up(sim, 3);
    expect_speed_up(sim, 3);
    assert_true(srs_sim_torque(sim)[0] == 3);
    assert_int_equal(srs_sim_set_wrench(sim, body, SRS_AXES_WORLD, pull, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_wrench(sim, body, SRS_AXES_WORLD, pull, NULL), SRS_OK); // set, not added
    expect_speed_up(sim, 8);
    assert_int_equal(srs_sim_set_wrench(sim, tip, SRS_AXES_LOCAL, pull, NULL), SRS_OK); // different frames add up
    expect_speed_up(sim, 13);
    assert_int_equal(srs_sim_set_torque(sim, none, NULL), SRS_OK);
    expect_speed_up(sim, 10);
    assert_int_equal(srs_sim_set_wrench(sim, body, SRS_AXES_WORLD, still, NULL), SRS_OK);
    expect_speed_up(sim, 5);
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, none, NULL), SRS_OK); // inputs stay
    expect_speed_up(sim, 5);
    assert_int_equal(srs_sim_set_torque(sim, push, NULL), SRS_OK);
    srs_sim_clear_inputs(sim);
    expect_speed_up(sim, 0);
    assert_true(srs_sim_torque(sim)[0] == 0);
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

static void inputs_that_are_no_numbers_are_refused_by_name(void **state)
{
  (void)state;
  srs_model *model = one_link(SRS_JOINT_FREE, 1, at_origin, round_moments);
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  const double good[6] = {1, 2, 3, 4, 5, 6}, bad[6] = {1, 2, 3, 4, NAN, 6}, one[6] = {1, 1, 1, 1, 1, 1};
  const double negative[6] = {1, 1, -1, 1, 1, 1}, q[7] = {0, 0, 0, 1, 0, 0, 0}, long_q[7] = {0, 0, 0, 1.1, 0, 0, 0};
  srs_error error;
  assert_int_equal(srs_sim_set_torque(sim, good, &error), SRS_OK);
  assert_int_equal(srs_sim_set_torque(sim, bad, &error), SRS_ERROR_NOT_FINITE);
  assert_string_equal(error.subject, "h.wy");
  assert_string_equal(error.message, "tau of 'h.wy' is not a finite number");
  assert_int_equal(srs_sim_set_torque(sim, NULL, &error), SRS_ERROR_ARGUMENT);
  testing_assert_close("tau", srs_sim_torque(sim), good, 6, 0);

  assert_int_equal(srs_sim_set_wrench(sim, 0, SRS_AXES_WORLD, bad, &error), SRS_ERROR_NOT_FINITE);
  assert_non_null(strstr(error.message, "entry 4 of wrench"));
  assert_int_equal(srs_sim_set_wrench(sim, -1, SRS_AXES_WORLD, good, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_wrench(sim, 2, SRS_AXES_WORLD, good, &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(error.message, "there is no frame 2");

  assert_int_equal(srs_sim_set_servo(sim, q, one, one, negative, &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(error.subject, "h.vz");
  assert_int_equal(srs_sim_set_servo(sim, q, bad, one, one, &error), SRS_ERROR_NOT_FINITE);
  assert_string_equal(error.subject, "h.wy");
  assert_int_equal(srs_sim_set_servo(sim, long_q, one, one, one, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_servo(sim, q, one, bad, one, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_sim_set_servo(sim, q, one, NULL, one, &error), SRS_ERROR_ARGUMENT);
  srs_sim_clear_inputs(sim);
  step(sim, 10); // nothing of all that was taken
  testing_assert_close("v", srs_sim_v(sim), (double[6]){0}, 6, 0);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// With F fixed in a body that spins at w: m v = F/w (sin wt, 1 - cos wt).
static void a_wrench_in_the_frame_s_axes_follows_the_body(void **state)
{
  (void)state;
  srs_model *model = one_link(SRS_JOINT_FREE, 2, at_origin, round_moments);
  srs_sim *sim = new_sim(model, SRS_RK4, 1e-3, 0);
  const double w = 3, v[6] = {0, 0, 0, 0, 0, w}, force[6] = {0, 0, 0, 4, 0, 0};
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_wrench(sim, frame(sim, "body"), SRS_AXES_LOCAL, force, NULL), SRS_OK);
  step(sim, 1000);
  const double expected[6] = {2 / w * sin(w), 2 / w * (1 - cos(w)), 0, 0, 0, w};
  testing_assert_close("local", srs_sim_v(sim), expected, 6, 1e-12); // rk4: (w h)^4 / 120 = 7e-13
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_wrench(sim, frame(sim, "body"), SRS_AXES_WORLD, force, NULL), SRS_OK);
  step(sim, 1000);
  testing_assert_close("world", srs_sim_v(sim), (double[6]){2, 0, 0, 0, 0, w}, 6, 1e-12);

  srs_sim_reset(sim); // off the centre it turns, too: x cross y = z
  const double sideways[6] = {0, 0, 0, 0, 4, 0};
  double a[6];
  assert_int_equal(srs_sim_set_wrench(sim, frame(sim, "tip"), SRS_AXES_LOCAL, sideways, NULL), SRS_OK);
  assert_int_equal(srs_sim_acceleration(sim, a, NULL), SRS_OK);
  testing_assert_close("tip", a, (double[6]){0, 2, 0, 0, 0, 40}, 6, 1e-15);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Servos
// ---------------------------------------------------------------------------------------------------------------------

static void a_servo_is_stable_whatever_its_gains(void **state)
{
  (void)state;
  srs_model *model = pendulum();
  const double gains[] = {1e3, 1e6, 1e9, 1e12}, reference[1] = {0.5}, rest[1] = {0};
  for (int i = 0; i < 4; i++)
    for (int scheme = 0; scheme < 2; scheme++) { // not rk4
      srs_sim *sim = new_sim(model, schemes[scheme], 1e-3, -9.81);
      double worst = 0;
      assert_int_equal(srs_sim_set_servo(sim, reference, rest, &gains[i], rest, NULL), SRS_OK);
      for (int s = 0; s < 2000; s++) {
        step(sim, 1);
        worst = fmax(worst, fabs(srs_sim_q(sim)[0] - 0.5));
      }
      // From 0 it swings to 1 at most, plus what the pendulum's weight and the step's first order add.
      assert_true(worst < 0.55);
      // Euler's damping has brought it to rest where kp (q_ref - q) = 9.81 sin q.
      const double off = 0.5 - srs_sim_q(sim)[0], expected = 9.81 * sin(srs_sim_q(sim)[0]) / gains[i];
      if (scheme == 0 && gains[i] >= 1e6) assert_true(fabs(off - expected) < 1e-10);
      srs_sim_destroy(sim);
    }
  srs_model_destroy(model);
}

static void a_servo_with_damping_comes_to_rest_where_its_torque_bears_the_load(void **state)
{
  (void)state;
  srs_model *model = pendulum();
  const double reference[1] = {0.5}, rest[1] = {0}, kp[1] = {100}, kd[1] = {20};
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    srs_sim *sim = new_sim(model, schemes[i], 1e-3, -9.81);
    double a;
    assert_int_equal(srs_sim_set_servo(sim, reference, rest, kp, kd, NULL), SRS_OK);
    step(sim, 10000); // time constant 0.1 s
    const double q = srs_sim_q(sim)[0];
    assert_true(fabs(100 * (0.5 - q) - 9.81 * sin(q)) < 1e-10);
    assert_int_equal(srs_sim_acceleration(sim, &a, NULL), SRS_OK);
    assert_true(fabs(a) < 1e-10);
    assert_true(srs_sim_torque(sim)[0] == 0); // what a servo exerts is not among the torques set
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

static void a_servo_follows_a_moving_reference_velocity(void **state)
{
  (void)state;
  srs_model *model = cart();
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  const double reference[1] = {0}, speed[1] = {1.5}, off[1] = {0}, kd[1] = {200};
  assert_int_equal(srs_sim_set_servo(sim, reference, speed, off, kd, NULL), SRS_OK);
  step(sim, 1000); // time constant 0.01 s
  assert_true(fabs(srs_sim_v(sim)[0] - 1.5) < 1e-12);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void zero_gains_switch_a_servo_off(void **state)
{
  (void)state;
  srs_model *model = pendulum();
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    srs_sim *sim = new_sim(model, schemes[i], 1e-3, -9.81), *plain = new_sim(model, schemes[i], 1e-3, -9.81);
    const double start[1] = {1}, reference[1] = {0.5}, zero[1] = {0};
    assert_int_equal(srs_sim_set_state(sim, 0, start, start, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_state(plain, 0, start, start, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_servo(sim, reference, start, zero, zero, NULL), SRS_OK);
    step(sim, 500), step(plain, 500);
    assert_true(srs_sim_q(sim)[0] == srs_sim_q(plain)[0] && srs_sim_v(sim)[0] == srs_sim_v(plain)[0]);
    srs_sim_destroy(sim);
    srs_sim_destroy(plain);
  }
  srs_model_destroy(model);
}

static void a_servo_turns_a_spherical_joint_to_its_reference(void **state)
{
  (void)state;
  srs_model *model = one_link(SRS_JOINT_SPHERICAL, 1, at_origin, round_moments);
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  const double reference[4] = {0.5, 0.5, 0.5, -0.5}, rest[3] = {0}, kp[3] = {10, 10, 10}, kd[3] = {2, 2, 2};
  assert_int_equal(srs_sim_set_servo(sim, reference, rest, kp, kd, NULL), SRS_OK);
  step(sim, 10000); // 0.1 s: critically damped
  const double *q = srs_sim_q(sim);
  const double sign = q[0] < 0 ? -1 : 1, turned[4] = {sign * q[0], sign * q[1], sign * q[2], sign * q[3]};
  testing_assert_close("orientation", turned, reference, 4, 1e-12);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Implicit gyroscopic terms
// ---------------------------------------------------------------------------------------------------------------------

// v + R(q) (w x c): the mass centre's velocity with the rates v in the configuration q.
static void centre_velocity(const double *q, const double *v, const double com[3], double out[3])
{
  double rotation[9];
  srs_rotation_from_quaternion(q + 3, rotation);
  const vec3 swing = cross3(vec3_load(v + 3), vec3_load(com));
  vec3_store(out, add3(vec3_load(v), rotate(mat3_from_rows(rotation), swing)));
}

// The term is a pure torque about the mass centre: it must not push it.
static void implicit_gyroscopic_terms_leave_the_mass_centre_alone(void **state)
{
  (void)state;
  const double com[3] = {0.3, -0.2, 0.5}, moments[3] = {0.4, 0.9, 1.1};
  srs_model *model = one_link(SRS_JOINT_FREE, 3, com, moments);
  testing_random random = testing_random_start(5);
  for (int scheme = 0; scheme < 2; scheme++)
    for (int round = 0; round < 20; round++) {
      double q[7], v[6], v_plain[3], v_implicit[3], q_mid[7];
      testing_random_q(&random, model, q);
      testing_random_v(&random, model, 10, v);
      srs_sim_options options = srs_default_sim_options();
      options.integrator = schemes[scheme];
      options.keep_momentum = false; // it would set both spins
      srs_sim *plain, *implicit;
      assert_int_equal(srs_sim_create(model, &options, &plain, NULL), SRS_OK);
      options.implicit_gyroscopic = true;
      assert_int_equal(srs_sim_create(model, &options, &implicit, NULL), SRS_OK);
      assert_int_equal(srs_sim_set_state(plain, 0, q, v, NULL), SRS_OK);
      assert_int_equal(srs_sim_set_state(implicit, 0, q, v, NULL), SRS_OK);
      step(plain, 1), step(implicit, 1);
      // The schemes take the velocity's step at q, and at the middle.
      srs_integrate(model, q, v, scheme == 0 ? 0 : 0.5 * options.dt, q_mid);
      centre_velocity(q_mid, srs_sim_v(plain), com, v_plain);
      centre_velocity(q_mid, srs_sim_v(implicit), com, v_implicit);
      testing_assert_close("velocity of the mass centre", v_implicit, v_plain, 3, 1e-14);
      double change = 0;
      for (int i = 3; i < 6; i++) change = fmax(change, fabs(srs_sim_v(plain)[i] - srs_sim_v(implicit)[i]));
      assert_true(change > 1e-7); // h^2 w^3 or so: the option does something
      srs_sim_destroy(plain);
      srs_sim_destroy(implicit);
    }
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sim_starts_at_rest_in_the_neutral_configuration),
      cmocka_unit_test(options_that_make_no_sense_are_refused),
      cmocka_unit_test(without_a_sim_nothing_happens),
      cmocka_unit_test(integrators_are_found_by_their_names),
      cmocka_unit_test(reset_leads_back_to_the_beginning),
      cmocka_unit_test(a_state_is_taken_whole_or_not_at_all),
      cmocka_unit_test(no_steps_change_nothing_and_fewer_are_refused),
      cmocka_unit_test(time_gathers_no_rounding),
      cmocka_unit_test(torques_and_wrenches_persist_until_set_again_or_cleared),
      cmocka_unit_test(inputs_that_are_no_numbers_are_refused_by_name),
      cmocka_unit_test(a_wrench_in_the_frame_s_axes_follows_the_body),
      cmocka_unit_test(a_servo_is_stable_whatever_its_gains),
      cmocka_unit_test(a_servo_with_damping_comes_to_rest_where_its_torque_bears_the_load),
      cmocka_unit_test(a_servo_follows_a_moving_reference_velocity),
      cmocka_unit_test(zero_gains_switch_a_servo_off),
      cmocka_unit_test(a_servo_turns_a_spherical_joint_to_its_reference),
      cmocka_unit_test(implicit_gyroscopic_terms_leave_the_mass_centre_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
