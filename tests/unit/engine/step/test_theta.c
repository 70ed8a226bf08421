// Which theta do the midpoint schemes give to stiff coordinates? From mobilities, the diagonal of the inverse mass
// matrix, and bounds of them for all configurations.

#include "support/inside_sim.h"
#include "support/sims.h"
#include "support/testing.h"

#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/step/theta.h"

#include <math.h>
#include <string.h>

enum { N = 8, MOST = 6 * N };

static srs_sim *sim_at_rest(const srs_model *model, srs_integrator integrator)
{
  srs_sim_options o = srs_default_sim_options();
  o.integrator = integrator, o.gravity[2] = 0;
  o.joint.limits = o.joint.friction = o.joint.actuator_limits = false;
  return sim_of_model(model, &o);
}

static void mobilities_invert_the_mass_matrix(void **state)
{
  (void)state;
  testing_random random = testing_random_start(711);
  double worst = 0, tightest = 0;
  for (int trial = 0; trial < 40; trial++) {
    srs_model *model = testing_random_model(&random, N, NULL, 0, testing_uniform(&random, 0, 1));
    const int nv = srs_model_nv(model);
    srs_sim *sim = sim_at_rest(model, SRS_MOREAU_MIDPOINT);
    srs_workspace *w = sim->workspace;
    double q[7 * N], mobility[MOST], a[MOST], zero[MOST] = {0}, unit[MOST] = {0}, bias[MOST];
    testing_random_q(&random, model, q);
    int bad;
    srs_place_links(w, q);
    assert_int_equal(srs_find_pivots(w, NULL, &bad), SRS_OK);
    srs_find_mobilities(w, mobility);
    assert_int_equal(srs_forward_dynamics(w, q, zero, zero, NULL, bias), SRS_OK);
    for (int i = 0; i < nv; i++) {
      unit[i] = 1;
      assert_int_equal(srs_forward_dynamics(w, q, zero, unit, NULL, a), SRS_OK);
      unit[i] = 0;
      worst = fmax(worst, fabs(mobility[i] / (a[i] - bias[i]) - 1));
      assert_true(sim->step.mobility_most[i] >= mobility[i] * (1 - 1e-12));
      if (isfinite(sim->step.mobility_most[i])) tightest = fmax(tightest, mobility[i] / sim->step.mobility_most[i]);
    }
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
  print_message("mobilities within %.1e; the bounds are reached to %.3g\n", worst, tightest);
  assert_true(worst < 1e-9);
  assert_true(tightest > 0.5);
}

// Where all is mild no theta is set; a damper that is stiff has its own, and leaves others alone; the sum that the
// theory bounds is within its bound.
static void only_stiff_coordinates_depart_from_the_mean(void **state)
{
  (void)state;
  testing_random random = testing_random_start(712);
  static const srs_joint_kind kinds[2] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC};
  for (int trial = 0; trial < 40; trial++) {
    srs_model *model = testing_random_model(&random, N, kinds, 2, testing_uniform(&random, 0, 1));
    srs_sim *sim = sim_at_rest(model, trial % 2 == 0 ? SRS_MOREAU_MIDPOINT : SRS_IMPLICIT_MOREAU);
    const double h = sim->options.dt;
    double q[N], zero[N] = {0}, kp[N], kd[N], mobility[N], sum = 0;
    testing_random_q(&random, model, q);
    assert_int_equal(srs_sim_set_state(sim, 0, q, NULL, NULL), SRS_OK);
    int bad;
    srs_place_links(sim->workspace, q);
    assert_int_equal(srs_find_pivots(sim->workspace, NULL, &bad), SRS_OK);
    srs_find_mobilities(sim->workspace, mobility);
    for (int i = 0; i < N; i++) {
      kp[i] = 1 / (h * h * mobility[i]);
      kd[i] = fmax(0, 0.1 / (h * mobility[i]) - srs_model_damping(model)[i]);
    }
    bool is_mild = true;
    for (int i = 0; i < N; i++) is_mild = is_mild && h * srs_model_damping(model)[i] * mobility[i] < 0.1;
    assert_int_equal(srs_sim_set_servo(sim, q, zero, kp, kd, NULL), SRS_OK);
    step(sim, 1);
    if (is_mild) assert_null(sim->step.theta);
    const int stiff = testing_below(&random, N);
    kd[stiff] = 1e3 / (h * mobility[stiff]);
    assert_int_equal(srs_sim_set_servo(sim, q, zero, kp, kd, NULL), SRS_OK);
    step(sim, 1);
    assert_non_null(sim->step.theta);
    for (int i = 0; i < N; i++) {
      const double damping = kd[i] + srs_model_damping(model)[i];
      if (is_mild) assert_true(i == stiff ? sim->step.theta[i] > 0.99 : sim->step.theta[i] == 0.5);
      sum += (1 - sim->step.theta[i]) * h * damping * mobility[i];
    }
    assert_true(!is_mild || sum < 0.95);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

// A hinge with next to no inertia, held by a servo without damping: it is there in one step.
static void a_coordinate_without_inertia_goes_to_its_target(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text("models:\n  - name: m\n    links: [{name: a, mass: 1, com: [0, 0, -0.1], inertia: "
                                   "[0.01, 0.01, 0.01]}, {name: b}]\n"
                                   "    joints: [{name: ja, kind: revolute, axis: [0, 1, 0], child: a}, {name: jb, "
                                   "kind: revolute, axis: [0, 1, 0], parent: a, child: b, armature: 1e-15}]\n"
                                   "integrator: moreau-midpoint\n");
  srs_sim *sim = sim_of_scene(scene, NULL);
  const double target[2] = {0, 1}, zero[2] = {0}, kp[2] = {0, 100}, kd[2] = {0, 0};
  assert_int_equal(srs_sim_set_servo(sim, target, zero, kp, kd, NULL), SRS_OK);
  step(sim, 1);
  assert_true(fabs(srs_sim_q(sim)[1] - 1) < 1e-5); // h omega is 3e5 there
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mobilities_invert_the_mass_matrix),
      cmocka_unit_test(only_stiff_coordinates_depart_from_the_mean),
      cmocka_unit_test(a_coordinate_without_inertia_goes_to_its_target),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
