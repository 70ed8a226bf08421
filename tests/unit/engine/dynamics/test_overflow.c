// Numbers too large to compute with: every function says that they overflow, and names the joint, link or quantity;
// poses in which joints depend on each other are called what they are.
#include "support/testing.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const models[] = {
    // two hinges
    "models: [{name: m, links: [{name: a, mass: 1, com: [0.1, 0.2, 0], inertia: [1, 1, 1]}, {name: b, mass: 1, com: "
    "[0.1, "
    "0.2, 0], inertia: [1, 1, 1]}], joints: [{name: j, kind: revolute, child: a, axis: [0, 0, 1]}, {name: k, kind: "
    "revolute, parent: a, child: b, axis: [0, 1, 0]}]}]\n",
    // a ball on the floor
    "models: [{name: m, base: floating, links: [{name: a, mass: 1, com: [0.1, 0.2, 0], inertia: [1, 1.2, 1]}], shapes: "
    "[{name: s, link: a, kind: sphere, radius: 0.1}]}]\nenvironment: [{name: floor, shape: half-space}]\n",
    // a slide that carries a hinge
    "models: [{name: m, links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, com: [1, 0, 0], inertia: "
    "[1, 1, "
    "1]}], joints: [{name: j, kind: prismatic, child: a, axis: [0, 0, 1]}, {name: k, kind: revolute, parent: a, child: "
    "b, "
    "axis: [0, 1, 0]}]}]\n",
    // a ball joint
    "models: [{name: m, links: [{name: a, mass: 1, inertia: [1, 1.2, 1]}], joints: [{name: j, kind: spherical, child: "
    "a}]}]\n"};

static srs_scene *scene_of(const char *text)
{
  srs_scene *scene;
  srs_error error;
  if (srs_scene_load(testing_write("big.yaml", text), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  return scene;
}

// A step either leads to finite numbers or says DIVERGED with time and joint; it never asks for mass.
static void steps_say_diverged(void **state)
{
  (void)state;
  static const double speeds[] = {1e100, 1e154, 1e200, 1e300};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    srs_scene *scene = scene_of(models[m]);
    const int nq = srs_model_nq(srs_scene_model(scene)), nv = srs_model_nv(srs_scene_model(scene));
    for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++)
      for (int c = 0; c < 5; c++) {
        double q[16], v[16] = {0};
        srs_sim_options o = srs_scene_get_settings(scene)->sim;
        o.integrator = (srs_integrator)integrator;
        if (c == 4) o.gravity[2] = -1e299;
        srs_sim *sim;
        srs_error error = {0};
        if (srs_scene_create_sim(scene, &o, &sim, NULL) != SRS_OK) continue; // rk4 and contacts
        memcpy(q, srs_sim_q(sim), (size_t)nq * sizeof *q);
        for (int i = 0; i < nv && c < 4; i++) v[i] = speeds[c] * (1 + 0.1 * i);
        assert_int_equal(srs_sim_set_state(sim, 0, q, v, &error), SRS_OK);
        const srs_status status = srs_sim_step(sim, 5, &error);
        if (status != SRS_OK && status != SRS_ERROR_DIVERGED)
          fail_msg("model %zu, %s, case %d: %s", m, srs_integrator_name(o.integrator), c, error.message);
        if (status == SRS_ERROR_DIVERGED) assert_non_null(strstr(error.message, "t = "));
        for (int i = 0; i < nv; i++) assert_true(isfinite(srs_sim_v(sim)[i]));
        for (int i = 0; i < nq; i++) assert_true(isfinite(srs_sim_q(sim)[i]));
        srs_sim_destroy(sim);
      }
    srs_scene_destroy(scene);
  }
}

static void assert_diverged(const srs_workspace *w, srs_status status, const char *says)
{
  if (status != SRS_ERROR_DIVERGED) fail_msg("status %d where %s overflows", (int)status, says);
  const char *message = srs_workspace_error(w)->message;
  if (strstr(message, says) == NULL || strstr(message, "overflowed") == NULL) fail_msg("'%s' lacks %s", message, says);
}

static void functions_say_what_has_overflowed(void **state)
{
  (void)state;
  srs_scene *scene = scene_of(models[2]);
  const srs_model *m = srs_scene_model(scene);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_rows(w, 6), SRS_OK);
  const double q[2] = {0.1, 0.2}, none[2] = {0}, fast[2] = {1e160, 1e160}, far[2] = {1e308, 0},
               large[2] = {1e308, 1e308};
  double tau[2], M[4], momentum[6], W[36];
  srs_energies energy;
  srs_center_of_mass com;
  const srs_constraint_frame frame = {.frame = srs_model_find_frame(m, "b"), .rows = SRS_ROWS_ALL};
  assert_diverged(w, srs_bias(w, q, fast, tau), "the force of '");
  assert_diverged(w, srs_inverse_dynamics(w, q, none, large, NULL, tau), "the force of '");
  assert_diverged(w, srs_forward_dynamics(w, q, fast, none, NULL, tau), "the acceleration of '");
  assert_diverged(w, srs_energy(w, q, fast, &energy), "the energy");
  assert_diverged(w, srs_momentum(w, far, large, momentum), "the momentum");
  assert_diverged(w, srs_com(w, (const double[2]){1.7e308, 0}, NULL, &com), "the mass centre");
  assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
  assert_int_equal(srs_delassus(w, q, &frame, 1, 6, W), SRS_OK);
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
}

// Speeds and torques whose acceleration or wrench no number holds: a sim says so, with time and step.
static void a_sim_says_that_its_acceleration_overflows(void **state)
{
  (void)state;
  int n_diverged = 0;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    srs_scene *scene = scene_of(models[m]);
    const srs_model *model = srs_scene_model(scene);
    srs_sim *sim;
    srs_error error = {0};
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
    for (int c = 0; c < 20; c++) {
      double x[16], a[16], wrench[6];
      for (int i = 0; i < 16; i++) x[i] = pow(10, 150 + 8 * c) * (i % 2 == 0 ? 1 : -0.7); // up to 1e302
      srs_sim_reset(sim);
      if (c % 2 == 0)
        assert_int_equal(srs_sim_set_state(sim, 0, NULL, x, &error), SRS_OK);
      else
        assert_int_equal(srs_sim_set_torque(sim, x, &error), SRS_OK);
      const srs_status status = srs_sim_acceleration(sim, a, &error);
      n_diverged += status == SRS_ERROR_DIVERGED;
      assert_true(status == SRS_OK || (status == SRS_ERROR_DIVERGED && strstr(error.message, "t = 0 s") != NULL));
      for (int i = 0; status == SRS_OK && i < srs_model_nv(model); i++) assert_true(isfinite(a[i]));
      const srs_status felt = srs_sim_joint_wrench(sim, 0, SRS_AXES_LOCAL, wrench);
      assert_true(felt == SRS_OK || felt == SRS_ERROR_DIVERGED);
      for (int i = 0; felt == SRS_OK && i < 6; i++) assert_true(isfinite(wrench[i]));
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
  assert_true(n_diverged > 10);
}

// A chain of prismatic joints leaves the numbers by its length.
static void places_and_inertias_overflow_too(void **state)
{
  (void)state;
  srs_scene *scene = scene_of(
      "models: [{name: m, links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}, "
      "{name: "
      "c, mass: 1, inertia: [1, 1, 1]}], joints: [{name: i, kind: revolute, child: a, axis: [0, 1, 0]}, {name: j, "
      "kind: "
      "prismatic, parent: a, child: b, axis: [1, 0, 0]}, {name: k, kind: prismatic, parent: b, child: c, axis: [1, 0, "
      "0]}]}]\n");
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(srs_scene_model(scene), &w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_rows(w, 6), SRS_OK);
  const double far[3] = {0, 1e308, 1e308}, wide[3] = {0, 1e200, 1e200}, none[3] = {0};
  const srs_constraint_frame frame = {.frame = srs_model_find_frame(srs_scene_model(scene), "c"), .rows = SRS_ROWS_ALL};
  double M[9], W[36], a[3];
  const double apart[3] = {0, 1, 1}, spinning[3] = {1e160, 0, 0};
  assert_diverged(w, srs_forward_kinematics(w, far), "the position of 'c'");
  assert_diverged(w, srs_forward_velocity(w, wide, spinning), "the velocity of 'b'");
  assert_diverged(w, srs_forward_acceleration(w, apart, spinning, none), "the acceleration of 'b'");
  assert_diverged(w, srs_mass_matrix(w, wide, M), "the inertia of 'i'");
  assert_diverged(w, srs_forward_dynamics(w, wide, none, none, NULL, a), "'i'");
  assert_diverged(w, srs_delassus(w, wide, &frame, 1, 6, W), "'i'");
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
}

// Hinges about x, y and z with nothing between them: at a pitch of 90 degrees the first and the last have one axis.
static void axes_that_coincide_are_named(void **state)
{
  (void)state;
  srs_scene *scene = scene_of("models: [{name: m, links: [{name: a}, {name: b}, {name: c, mass: 1, inertia: [1, 1.2, "
                              "1.3]}], joints: [{name: x, "
                              "kind: revolute, child: a, axis: [1, 0, 0]}, {name: y, kind: revolute, parent: a, child: "
                              "b, axis: [0, 1, 0]}, {name: "
                              "z, kind: revolute, parent: b, child: c, axis: [0, 0, 1]}]}]\n");
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(srs_scene_model(scene), &w, NULL), SRS_OK);
  const double pi = 3.14159265358979323846, none[3] = {0};
  double a[3];
  assert_int_equal(srs_forward_dynamics(w, (const double[3]){0.3, 0.4, 0.5}, none, none, NULL, a), SRS_OK);
  assert_int_equal(srs_forward_dynamics(w, (const double[3]){0.3, pi / 2, 0.5}, none, none, NULL, a),
                   SRS_ERROR_SINGULAR);
  const char *message = srs_workspace_error(w)->message;
  if (strstr(message, "the axes of joints 'x' and 'z' coincide") == NULL) fail_msg("%s", message);
  srs_workspace_destroy(w);
  srs_sim *sim;
  srs_error error;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_state(sim, 0, (const double[3]){0, pi / 2, 0}, NULL, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 1, &error), SRS_ERROR_SINGULAR);
  assert_non_null(strstr(error.message, "'x' and 'z' coincide"));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static srs_scene *sample(const char *name)
{
  char path[100];
  srs_scene *scene;
  srs_error error;
  snprintf(path, sizeof path, "samples/%s", name);
  if (srs_scene_load(testing_source(path), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  return scene;
}

// Each of the matrices, also where the others are finite.
static void derivatives_are_finite_or_have_overflowed(void **state)
{
  (void)state;
  srs_scene *scene = sample("arm.urdf");
  const srs_model *m = srs_scene_model(scene);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(w), SRS_OK);
  const int tool = srs_model_find_frame(m, "tool");
  const double q[7] = {0};
  double v[7], x[3][49];
  for (int i = 0; i < 7; i++) v[i] = 1e154;
  assert_diverged(w, srs_frame_derivatives(w, q, v, q, tool, SRS_AXES_WORLD, x[0], x[1], x[2]),
                  "the acceleration's derivative of 'tool'");
  int n_finite = 0;
  for (int power = 100; power <= 300; power += 4) {
    for (int i = 0; i < 7; i++) v[i] = pow(10, power) * (i % 2 == 0 ? 1 : -1);
    for (int kind = 0; kind < 4; kind++) {
      memset(x, 0, sizeof x);
      const srs_status status = kind == 0   ? srs_frame_derivatives(w, q, v, v, tool, SRS_AXES_LOCAL, x[0], x[1], x[2])
                                : kind == 1 ? srs_inverse_dynamics_derivatives(w, q, v, v, NULL, x[0], x[1], x[2])
                                : kind == 2 ? srs_forward_dynamics_derivatives(w, q, v, v, NULL, NULL, x[0], x[1], x[2])
                                            : srs_centroidal_momentum_matrix(w, q, v, x[0], x[1], x[2]);
      assert_true(status == SRS_OK || status == SRS_ERROR_DIVERGED);
      for (int i = 0; status == SRS_OK && i < 3 * 49; i++) assert_true(isfinite(x[i / 49][i % 49]));
      n_finite += status == SRS_OK;
    }
  }
  assert_true(n_finite > 0 && n_finite < 4 * 51);
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
}

static void gaps_and_forces_are_finite_or_have_overflowed(void **state)
{
  (void)state;
  srs_scene *scene = sample("slider_crank.yaml");
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(srs_scene_model(scene), &w, NULL), SRS_OK);
  double gaps[4], q[3] = {1e155, 1e155, 1e155}, v[3] = {1.7e308, 1.7e308, 1.7e308};
  int rank;
  assert_diverged(w, srs_loop_gaps(w, q, 0, gaps), "the gap of 'wrist'");
  assert_diverged(w, srs_loop_ranks(w, q, 0, NULL, &rank), "the gap of 'wrist'");
  assert_diverged(w, srs_assemble(w, NULL, q, NULL), "the gap of 'wrist'");
  assert_true(q[0] == 1e155);
  const double *closed = srs_scene_get_settings(scene)->q;
  assert_diverged(w, srs_assemble_velocity(w, NULL, closed, v, NULL), "the velocity of 'wrist'");
  srs_sim *sim;
  srs_error error;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  assert_int_equal(srs_sim_set_state(sim, 2, q, NULL, &error), SRS_OK);
  assert_int_equal(srs_sim_assemble(sim, NULL, NULL, &error), SRS_ERROR_DIVERGED);
  assert_non_null(strstr(error.message, "t = 2 s: the gap of 'wrist' has overflowed"));
  srs_sim_destroy(sim);
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
  scene = sample("grasp.yaml");
  const int nv = srs_model_nv(srs_scene_model(scene));
  double *fast = calloc(2 * (size_t)nv, sizeof *fast), *tau = fast + nv;
  for (int i = 0; i < nv; i++) fast[i] = 1e307;
  const double *there = srs_scene_get_settings(scene)->q;
  assert_int_equal(srs_passive_forces(srs_scene_model(scene), there, fast, tau), SRS_ERROR_DIVERGED);
  free(fast);
  srs_scene_destroy(scene);
}

// A gravity whose step overflows: time and link, with every integrator.
static void a_gravity_that_overflows_names_a_link(void **state)
{
  (void)state;
  static const struct {
    const char *scene;
    double gravity;
    const char *says;
  } cases[] = {{"arm.urdf", 1e160, "the velocities of 'shoulder'"},
               {"two_spheres.yaml", 1e100, "the velocities of 'sphere'"}};
  for (int c = 0; c < 2; c++) {
    srs_scene *scene = sample(cases[c].scene);
    for (int k = 0; k < 4; k++) {
      static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                                   SRS_IMPLICIT_MOREAU};
      srs_sim_options o = srs_scene_get_settings(scene)->sim;
      if (c == 0) o.integrator = integrators[k];
      o.gravity[2] = -cases[c].gravity;
      srs_sim *sim;
      srs_error error = {0};
      assert_int_equal(srs_scene_create_sim(scene, &o, &sim, &error), SRS_OK);
      assert_int_equal(srs_sim_step(sim, 100, &error), SRS_ERROR_DIVERGED);
      if (strstr(error.message, "t = ") == NULL || strstr(error.message, cases[c].says) == NULL)
        fail_msg("%s", error.message);
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
}

static void a_linearised_step_is_finite_or_has_overflowed(void **state)
{
  (void)state;
  int n_diverged = 0;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    srs_scene *scene = scene_of(models[m]);
    const int nv = srs_model_nv(srs_scene_model(scene));
    srs_sim *sim;
    srs_linearisation *l;
    srs_error error;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
    assert_int_equal(srs_linearisation_create(sim, &l, &error), SRS_OK);
    for (int power = 100; power <= 308; power += 8) {
      double v[6], A[144], B[72];
      for (int i = 0; i < nv; i++) v[i] = pow(10, power) * (i % 2 == 0 ? 1 : -0.7);
      assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, &error), SRS_OK);
      const srs_status status = srs_sim_linearise(sim, l, A, B, NULL, &error);
      // Beside numbers of 1e200 the inertia is lost, or not, as sums are rounded.
      if (status != SRS_OK && status != SRS_ERROR_DIVERGED && status != SRS_ERROR_SINGULAR)
        fail_msg("model %zu, 1e%d: %s", m, power, error.message);
      for (int i = 0; status == SRS_OK && i < 4 * nv * nv; i++) assert_true(isfinite(A[i]));
      for (int i = 0; status == SRS_OK && i < 2 * nv * nv; i++) assert_true(isfinite(B[i]));
      n_diverged += status == SRS_ERROR_DIVERGED;
    }
    srs_linearisation_destroy(l);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
  assert_true(n_diverged > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_finite_or_have_overflowed),
      cmocka_unit_test(gaps_and_forces_are_finite_or_have_overflowed),
      cmocka_unit_test(a_gravity_that_overflows_names_a_link),
      cmocka_unit_test(a_linearised_step_is_finite_or_has_overflowed),
      cmocka_unit_test(steps_say_diverged),
      cmocka_unit_test(functions_say_what_has_overflowed),
      cmocka_unit_test(a_sim_says_that_its_acceleration_overflows),
      cmocka_unit_test(places_and_inertias_overflow_too),
      cmocka_unit_test(axes_that_coincide_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
