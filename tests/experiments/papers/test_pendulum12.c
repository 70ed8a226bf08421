// MJ 6.2: the 12-link pendulum, falling freely and then against floor, wall and itself, against figures of an
// independent program (data/experiments/pendulum12.json: absolute angles phi_k and rates w_k), with every contact
// solver. Agreement is as that file says: 1e-9 to 1 s, 1e-8 to 3 s, 1e-5 to 6 s; later the motion is chaotic and only
// its bounds mean anything. The joints are parallel, so slip keeps to one line: the polyhedron aligned with it is
// exact.

#include "support/sims.h"

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
  options.velocity_terms = SRS_VELOCITY_TERMS_START; // as MJ
  options.contact.enabled = false;
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

static void absolute(const srs_sim *sim, double phi[N], double w[N])
{
  double sum_q = 0, sum_v = 0;
  for (int k = 0; k < N; k++) {
    phi[k] = sum_q += srs_sim_q(sim)[k];
    w[k] = sum_v += srs_sim_v(sim)[k];
  }
}

static void compare(const testing_json *json, const char *section, const char *time, const srs_sim *sim,
                    double tolerance)
{
  double phi[N], w[N], expected[N];
  char path[128];
  absolute(sim, phi, w);
  snprintf(path, sizeof path, "/%s/%s/phi", section, time);
  testing_json_numbers(json, path, expected, N);
  testing_assert_close(path, phi, expected, N, tolerance);
  snprintf(path, sizeof path, "/%s/%s/w", section, time);
  testing_json_numbers(json, path, expected, N);
  testing_assert_close(path, w, expected, N, tolerance);
}

static srs_sim *start_solver(srs_scene **scene, srs_contact_method solver)
{
  *scene = scene_of_file(testing_source("samples/pendulum12.yaml"));
  srs_sim_options options = srs_scene_get_settings(*scene)->sim;
  options.contact.solver.method = solver;
  srs_sim *sim = sim_of_scene(*scene, &options);
  return sim;
}

static srs_sim *start_scene(srs_scene **scene) { return start_solver(scene, SRS_METHOD_MNCP_RLM); }

static void go_to(srs_sim *sim, long step)
{
  srs_error error;
  if (srs_sim_step(sim, step - srs_sim_steps(sim), &error) != SRS_OK) fail_msg("%s", error.message);
}

static void the_first_impact_has_the_reference_impulses(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/pendulum12.json"));
  srs_scene *scene;
  srs_sim *sim = start_scene(&scene);
  double phi[N], w[N], expected[N], F[2];
  go_to(sim, 156);
  int n;
  assert_true(srs_sim_contacts(sim, &n) != NULL);
  assert_int_equal(n, 0);
  absolute(sim, phi, w);
  testing_json_numbers(json, "/semi_implicit_euler_1ms_first_impact/phi_before", expected, N);
  testing_assert_close("before", phi, expected, N, 1e-12);
  go_to(sim, 157);
  const srs_sim_contact *contact = srs_sim_contacts(sim, &n);
  assert_int_equal(n, 1);
  testing_json_numbers(json, "/semi_implicit_euler_1ms_first_impact/F", expected, 2); // along -slip, normal
  F[0] = hypot(contact->impulse[0], contact->impulse[1]);
  F[1] = fabs(contact->impulse[2]);
  for (int i = 0; i < 2; i++) assert_true(fabs(F[i] / expected[i] - 1) < 1e-10);
  absolute(sim, phi, w);
  testing_json_numbers(json, "/semi_implicit_euler_1ms_first_impact/w_after", expected, N);
  testing_assert_close("after", w, expected, N, 1e-11);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  testing_json_free(json);
}

static void three_seconds_equal_the_reference_with_every_solver(void **state)
{
  (void)state;
  static const char *const times[] = {"0.1", "0.15", "0.25", "0.5", "0.75", "1", "1.5", "2", "3"};
  testing_json *json = testing_json_load(testing_data("experiments/pendulum12.json"));
  for (int solver = 0; solver < SRS_COMPLEMENTARITY_METHODS; solver++) {
    srs_scene *scene;
    srs_sim *sim = start_solver(&scene, (srs_contact_method)solver);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
      double t;
      assert_true(srs_parse_number(times[i], strlen(times[i]), &t));
      go_to(sim, lround(t * 1000));
      compare(json, "semi_implicit_euler_1ms", times[i], sim, t <= 1 ? 1e-9 : 1e-8);
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
  testing_json_free(json);
}

// The reference ends at 3 s; from there on the solvers are each other's.
static void solvers_agree_to_six_seconds(void **state)
{
  (void)state;
  srs_scene *scene[SRS_CONTACT_METHODS];
  srs_sim *sim[SRS_CONTACT_METHODS];
  double worst[2] = {0};
  for (int i = 0; i < SRS_COMPLEMENTARITY_METHODS; i++) sim[i] = start_solver(&scene[i], (srs_contact_method)i);
  for (int step = 1; step <= 6000; step++)
    for (int i = 0; i < SRS_COMPLEMENTARITY_METHODS; i++) {
      go_to(sim[i], step);
      for (int k = 0; k < N; k++) {
        const double d = fabs(srs_sim_q(sim[i])[k] - srs_sim_q(sim[0])[k]);
        worst[step > 1000] = fmax(worst[step > 1000], d);
      }
    }
  print_message("largest difference of an angle: %.2g to 1 s, %.2g to 6 s\n", worst[0], worst[1]);
  assert_true(worst[0] < 1e-9);
  assert_true(worst[1] < 1e-5);
  for (int i = 0; i < SRS_COMPLEMENTARITY_METHODS; i++) {
    srs_sim_destroy(sim[i]);
    srs_scene_destroy(scene[i]);
  }
}

static void check_twenty_seconds(const testing_json *json, srs_contact_method solver)
{
  srs_scene *scene;
  srs_sim *sim = start_solver(&scene, solver);
  const double start = testing_json_number(json, "/bounds_over_20s/energy_start");
  const double rise = testing_json_number(json, "/bounds_over_20s/energy_each_s_never_rises_by_more_than");
  double before = 0;
  for (int second = 0; second <= 20; second++) {
    srs_energies e;
    go_to(sim, 1000L * second);
    assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &e), SRS_OK);
    const double energy = e.kinetic + e.potential;
    if (second == 0)
      assert_true(fabs(energy - start) < 1e-9);
    else
      assert_true(energy - before < rise);
    before = energy;
  }
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message(
      "20 s, %s: %ld steps in contact, at most %d contacts, %ld problems, %.2f iterations (at most %d), residual %.2g, "
      "penetration %.2g m, %ld unsolved\n",
      srs_contact_method_name(solver), s->contact_steps, s->contacts_max, s->solves,
      (double)s->iterations / (double)s->solves, s->iterations_max, s->residual_max, s->penetration_max, s->failures);
  assert_int_equal(s->failures, 0);
  assert_true(s->residual_max <= 1e-12);
  assert_true(s->contacts_max <= (int)testing_json_number(json, "/bounds_over_20s/contacts_at_once_at_most"));
  assert_true(s->penetration_max <= testing_json_number(json, "/bounds_over_20s/penetration_at_most"));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void twenty_seconds_stay_within_their_bounds_with_every_solver(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/pendulum12.json"));
  for (int solver = 0; solver < SRS_COMPLEMENTARITY_METHODS; solver++)
    check_twenty_seconds(json, (srs_contact_method)solver);
  testing_json_free(json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(semi_implicit_euler_equals_the_reference_steps),
      cmocka_unit_test(rk4_reaches_the_exact_motion),
      cmocka_unit_test(the_first_impact_has_the_reference_impulses),
      cmocka_unit_test(three_seconds_equal_the_reference_with_every_solver),
      cmocka_unit_test(solvers_agree_to_six_seconds),
      cmocka_unit_test(twenty_seconds_stay_within_their_bounds_with_every_solver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
