// Free bodies that spin for long: quaternions stay of length one (F35), the tennis racket turns over again and again
// without losing anything (F37).
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static srs_sim *spinning(const char *moments, const double w[3], double dt, srs_scene **scene)
{
  char text[512];
  snprintf(text, sizeof text,
           "<mujoco><option gravity='0 0 0'/><worldbody><body name='b'><freejoint name='f'/><inertial pos='0 0 0' "
           "mass='1' diaginertia='%s'/></body></worldbody></mujoco>",
           moments);
  *scene = scene_of_file(testing_write("spin.xml", text));
  srs_sim_options options = srs_scene_get_settings(*scene)->sim;
  options.dt = dt;
  srs_sim *sim = sim_of_scene(*scene, &options);
  double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0, 0, 0, w[0], w[1], w[2]};
  srs_error error;
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, &error), SRS_OK);
  return sim;
}

static void end(srs_sim *sim, srs_scene *scene)
{
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void F35_quaternions_stay_of_length_one(void **state)
{
  (void)state;
  const double w[3] = {3, -7, 11};
  srs_scene *scene;
  srs_sim *sim = spinning("0.01 0.02 0.025", w, 1e-3, &scene);
  srs_error error;
  for (int i = 0; i < 1000000; i++) {
    assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
    const double *p = srs_sim_q(sim) + 3;
    const double off = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) - 1;
    if (!(fabs(off) < 1e-14)) fail_msg("step %d: the quaternion's length is off by %g", i, off);
  }
  const double raw[7] = {0, 0, 0, 2, 0, 0, 0};
  assert_int_equal(srs_sim_set_state(sim, 0, raw, srs_sim_v(sim), &error), SRS_ERROR_ARGUMENT);
  end(sim, scene);
}

// L in the world and 2 T, with moments I.
static void measure(const srs_sim *sim, const double I[3], double L[3], double *twice)
{
  const double *w = srs_sim_v(sim) + 3;
  double turn[9], own[3];
  srs_rotation_from_quaternion(srs_sim_q(sim) + 3, turn);
  *twice = 0;
  for (int i = 0; i < 3; i++) own[i] = I[i] * w[i], *twice += own[i] * w[i];
  for (size_t i = 0; i < 3; i++) L[i] = turn[3 * i] * own[0] + turn[3 * i + 1] * own[1] + turn[3 * i + 2] * own[2];
}

static const double racket[3] = {0.01, 0.02, 0.025};

// Steps for a time; returns how often the spin about y changes its sign. `most`: the largest |w_i| / |w|, i across.
static int follow(const double w[3], double dt, double time, int across, double *most)
{
  srs_scene *scene;
  srs_sim *sim = spinning("0.01 0.02 0.025", w, dt, &scene);
  double L0[3], L[3], T0, T, size = 0;
  measure(sim, racket, L0, &T0);
  for (int i = 0; i < 3; i++) size += L0[i] * L0[i];
  int flips = 0;
  double last = w[1];
  srs_error error;
  *most = 0;
  for (int n = (int)lround(time / dt); n > 0; n--) {
    assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
    measure(sim, racket, L, &T);
    double off = 0;
    for (int i = 0; i < 3; i++) off += (L[i] - L0[i]) * (L[i] - L0[i]);
    if (!(sqrt(off / size) <= 1e-9)) fail_msg("angular momentum is off by %g of itself", sqrt(off / size));
    if (!(fabs(T / T0 - 1) <= 1e-6)) fail_msg("energy is off by %g of itself", T / T0 - 1);
    const double *u = srs_sim_v(sim) + 3;
    flips += u[1] * last < 0;
    last = u[1];
    *most = fmax(*most, fabs(u[across]) / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
  }
  end(sim, scene);
  return flips;
}

// About the middle axis: small parts grow as exp(lambda t), lambda = w sqrt((I2 - I1) (I3 - I2) / (I1 I3)) = 3.58/s,
// so that it turns over every few seconds.
static void F37_the_middle_axis_turns_over_and_the_others_stay(void **state)
{
  (void)state;
  const double middle[3] = {0.01, 8, 0.01}, first[3] = {8, 0.01, 0.01}, last[3] = {0.01, 0.01, 8};
  double most;
  const int flips = follow(middle, 1e-3, 60, 0, &most);
  print_message("%d flips in 60 s\n", flips);
  assert_in_range(flips, 10, 60);
  assert_int_equal(follow(middle, 5e-4, 60, 0, &most) / 4, flips / 4); // periodic, by either step
  (void)follow(first, 1e-3, 60, 1, &most);
  assert_true(most < 0.01);
  (void)follow(last, 1e-3, 60, 0, &most);
  assert_true(most < 0.01);
}

// 500 rad/s: half a radian a step.
static void F37_fast_spin_does_not_blow_up(void **state)
{
  (void)state;
  const double w[3] = {1, 500, 1};
  srs_scene *scene;
  srs_sim *sim = spinning("0.01 0.02 0.025", w, 1e-3, &scene);
  srs_error error;
  double L[3], before, after;
  measure(sim, racket, L, &before);
  assert_int_equal(srs_sim_step(sim, 60000, &error), SRS_OK);
  measure(sim, racket, L, &after);
  print_message("energy %g of its start\n", after / before);
  assert_true(after < 1.01 * before && after > 0.5 * before);
  end(sim, scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F35_quaternions_stay_of_length_one),
      cmocka_unit_test(F37_the_middle_axis_turns_over_and_the_others_stay),
      cmocka_unit_test(F37_fast_spin_does_not_blow_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
