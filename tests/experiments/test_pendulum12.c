// MJ 6.2 without contact: the 12-link chain falling freely, against figures of an independent program
// (data/experiments/pendulum12.json: absolute angles phi_k and rates w_k).

#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 12 };

static srs_sim *start(srs_model **model, double dt, srs_integrator integrator)
{
  srs_error error;
  if (srs_model_load(testing_source("samples/chain12.urdf"), NULL, model, &error) != SRS_OK)
    fail_msg("%s", error.message);
  assert_int_equal(srs_model_nv(*model), N);
  srs_sim_options options = srs_default_sim_options();
  options.dt = dt;
  options.integrator = integrator;
  srs_sim *sim;
  assert_int_equal(srs_sim_create(*model, &options, &sim, &error), SRS_OK);
  const double q[N] = {-0.7853981633974483}, v[N] = {1}; // the chain straight at -45 degrees, turning as one
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, &error), SRS_OK);
  return sim;
}

static void check(const char *section, double dt, srs_integrator integrator, double tolerance)
{
  testing_json *json = testing_json_load(testing_data("experiments/pendulum12.json"));
  const char *const times[] = {"0.1", "0.15", "0.25", "0.5", "1.0"};
  srs_model *model;
  srs_sim *sim = start(&model, dt, integrator);
  for (int i = 0; i < 5; i++) {
    double t, phi[N], w[N], expected[N], sum_q = 0, sum_v = 0;
    char path[128];
    assert_true(srs_parse_number(times[i], strlen(times[i]), &t));
    assert_int_equal(srs_sim_step(sim, lround(t / dt) - srs_sim_steps(sim), NULL), SRS_OK);
    assert_true(fabs(srs_sim_time(sim) - t) < 1e-15);
    for (int k = 0; k < N; k++) {
      phi[k] = sum_q += srs_sim_q(sim)[k];
      w[k] = sum_v += srs_sim_v(sim)[k];
    }
    snprintf(path, sizeof path, "/%s/%s/phi", section, times[i]);
    testing_json_numbers(json, path, expected, N);
    testing_assert_close(path, phi, expected, N, tolerance);
    snprintf(path, sizeof path, "/%s/%s/w", section, times[i]);
    testing_json_numbers(json, path, expected, N);
    testing_assert_close(path, w, expected, N, tolerance);
  }
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  testing_json_free(json);
}

static void semi_implicit_euler_equals_the_reference_steps(void **state)
{
  (void)state;
  check("contact_free_semi_implicit_euler_1ms", 1e-3, SRS_SEMI_IMPLICIT_EULER, 1e-11);
}

static void rk4_reaches_the_exact_motion(void **state)
{
  (void)state;
  check("contact_free_exact_to_1e-12", 1e-4, SRS_RK4, 1e-10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(semi_implicit_euler_equals_the_reference_steps),
      cmocka_unit_test(rk4_reaches_the_exact_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
