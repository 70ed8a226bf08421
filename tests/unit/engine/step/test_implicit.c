// Does an implicit step end where its own equations hold? They are checked with the inverse dynamics there, which knows
// nothing of steps.

#include "support/inside_sim.h"
#include "support/sims.h"
#include "support/testing.h"
#include "support/world.h"
#include <sarrus/sarrus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const srs_integrator implicit[2] = {SRS_IMPLICIT_EULER, SRS_IMPLICIT_MOREAU};

// tau less what the motion from (q, v) to (q_end, v_end) takes where the scheme says: 0. Stiff dampers and servos are
// taken later than the mean, by the step's own theta (test_stiff_joints.c says that it is right).
static double violation(const srs_model *model, const srs_sim *sim, const double *q, const double *v, const double *tau,
                        const double *kp, const double *kd, const double *q_ref)
{
  const int nv = srs_model_nv(model), nq = srs_model_nq(model);
  const srs_sim_options *o = srs_sim_get_options(sim);
  double at_q[64], at_v[64], a[64], force[64], stretch[64];
  assert_true(nq <= 64);
  const bool is_mean = o->integrator == SRS_IMPLICIT_MOREAU;
  const double *v_end = srs_sim_v(sim);
  for (int i = 0; i < nv; i++) {
    a[i] = (v_end[i] - v[i]) / o->dt;
    at_v[i] = is_mean ? 0.5 * (v[i] + v_end[i]) : v_end[i];
  }
  srs_integrate(model, q, at_v, is_mean ? 0.5 * o->dt : o->dt, at_q);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  assert_int_equal(srs_inverse_dynamics(w, at_q, at_v, a, NULL, force), SRS_OK);
  srs_difference(model, at_q, q_ref, stretch);
  double worst = 0, size = 0;
  for (int i = 0; i < nv; i++) {
    const double theta = is_mean && sim->step.theta != NULL ? sim->step.theta[i] : 0.5;
    const double late_v = is_mean ? v[i] + theta * (v_end[i] - v[i]) : v_end[i];
    const double late_stretch = stretch[i] + (is_mean ? o->dt * (theta * late_v - 0.5 * at_v[i]) : 0);
    const double given = tau[i] - kp[i] * late_stretch - (kd[i] + srs_model_damping(model)[i]) * late_v;
    worst = fmax(worst, fabs(given - force[i]));
    size = fmax(size, fabs(force[i]));
  }
  srs_workspace_destroy(w);
  return worst / size;
}

// Torques, damping, and servos whose kp dt^2 is up to some hundred times what they move.
static void newton_and_euler_hold_at_the_end_and_at_the_mean(void **state)
{
  (void)state;
  testing_random random = testing_random_start(81);
  static const srs_joint_kind kinds[4] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC, SRS_JOINT_SPHERICAL,
                                          SRS_JOINT_UNIVERSAL};
  for (int trial = 0; trial < 20; trial++) {
    srs_model *model = testing_random_model(&random, 6, kinds, 4, 0.7);
    const int nv = srs_model_nv(model);
    double q[64], v[64], tau[64], kp[64], kd[64], q_ref[64], zero[64] = {0};
    testing_random_q(&random, model, q);
    testing_random_v(&random, model, 3, v);
    testing_random_v(&random, model, 5, tau);
    srs_integrate(model, q, tau, 0.05, q_ref);
    for (int i = 0; i < nv; i++) {
      const bool has_position = strchr(srs_model_v_name(model, i), '.') == NULL; // springs of balls: see engine.h
      kp[i] = has_position ? pow(10, testing_uniform(&random, 0, 7)) : 0;
      kd[i] = pow(10, testing_uniform(&random, -2, 4));
    }
    for (int i = 0; i < 2; i++) {
      srs_sim_options o = srs_default_sim_options();
      o.integrator = implicit[i];
      o.dt = 5e-3;
      o.implicit.tolerance = 1e-13;
      o.joint.limits = o.joint.friction = o.joint.actuator_limits = false;
      srs_sim *sim = sim_of_model(model, &o);
      assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
      assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
      assert_int_equal(srs_sim_set_servo(sim, q_ref, zero, kp, kd, NULL), SRS_OK);
      step(sim, 1);
      assert_int_equal(srs_sim_get_implicit_statistics(sim)->halved, 0);
      assert_true(violation(model, sim, q, v, tau, kp, kd, q_ref) < 1e-8);
      srs_sim_destroy(sim);
    }
    srs_model_destroy(model);
  }
}

// A brick that turns by more than one radian a step: the fixed point is not found, smaller steps are.
static srs_model *brick(void)
{
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "brick", link.mass = 1;
  link.inertia[0] = 1e-2, link.inertia[1] = 2e-2, link.inertia[2] = 2.9e-2;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = "h", joint.child = "brick";
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  return testing_build(builder);
}

static void a_step_that_does_not_converge_is_halved_or_fails(void **state)
{
  (void)state;
  srs_model *model = brick();
  const double v[6] = {0.5, 0, 0, 30, 100, -20};
  for (int i = 0; i < 2; i++) {
    srs_sim_options o = srs_default_sim_options();
    o.integrator = implicit[i];
    o.dt = 0.1;
    srs_sim *sim = sim_of_model(model, &o);
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
    step(sim, 5);
    const srs_implicit_statistics *s = srs_sim_get_implicit_statistics(sim);
    print_message("%s: %ld of 5 steps halved, %ld solved\n", srs_integrator_name(o.integrator), s->halved, s->solves);
    assert_true(s->halved > 0 && s->solves > 5);
    assert_true(fabs(srs_sim_time(sim) - 0.5) < 1e-15 && srs_sim_steps(sim) == 5);
    assert_true(fabs(srs_sim_q(sim)[0] - 0.25) < 1e-12);
    srs_sim_destroy(sim);

    o.implicit.halvings = 0;
    sim = sim_of_model(model, &o);
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
    double q_before[7];
    memcpy(q_before, srs_sim_q(sim), sizeof q_before);
    srs_error error;
    assert_int_equal(srs_sim_step(sim, 1, &error), SRS_ERROR_DIVERGED);
    print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, "does not converge"));
    assert_memory_equal(q_before, srs_sim_q(sim), sizeof q_before);
    assert_memory_equal(v, srs_sim_v(sim), sizeof v);
    assert_true(srs_sim_time(sim) == 0 && srs_sim_steps(sim) == 0);
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

static const char rod_falls[] =
    "models:\n"
    "  - {name: rod, base: floating, position: [0, 0, 1.2], rotation: {rpy: [0, 1.2, 0.3]}, links: [{name: l, mass: "
    "1,\n"
    "     inertia: [0.1, 0.1, 0.01]}], shapes: [{link: l, kind: capsule, size: [0.1, 1]}]}\n"
    "environment: [{name: floor, shape: half-space, normal: [0.1, 0, 1], offset: 0}]\n"
    "contact: {friction: 0.4}\nimplicit: {tolerance: 1e-12}\ndt: 0.005\nintegrator: %s\n";

// The gap law closes what stands at the step's end, however the body turns on its way there.
static void implicit_euler_ends_where_the_bodies_touch(void **state)
{
  (void)state;
  double deepest[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text, rod_falls, i == 0 ? "semi-implicit-euler" : "implicit-euler");
    world w = load(text);
    for (int k = 0; k < 400; k++) {
      step(w.sim, 1);
      srs_pose pose;
      srs_contact_point contacts[8];
      int n = 0;
      assert_int_equal(srs_frame_placement(srs_sim_workspace(w.sim), srs_model_find_frame(w.model, "l"), &pose),
                       SRS_OK);
      assert_int_equal(srs_collider_contacts(srs_sim_collider(w.sim), &pose, 0.1, contacts, 8, &n, NULL), SRS_OK);
      for (int c = 0; c < n; c++) deepest[i] = fmax(deepest[i], -contacts[c].gap);
    }
    assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
    unload(&w);
  }
  print_message("deepest overlap: explicit %.2g m, implicit %.2g m\n", deepest[0], deepest[1]);
  assert_true(deepest[1] < 1e-12); // tolerance of v, times h
}

// What overlaps where a step begins goes by the share gamma, in every scheme.
static void an_overlap_is_taken_back_by_its_share(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "models: [{name: m, base: floating, position: [0, 0, 0.099], links: [{name: l, mass: 1, inertia: [1, 1, 1]}],\n"
        "  shapes: [{link: l, kind: sphere, radius: 0.1}]}]\n"
        "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
        "contact: {error_reduction: 0.25}\ndt: 0.01\nintegrator: %s\n",
        i == 0 ? "semi-implicit-euler" : "implicit-euler");
    world w = load(text);
    step(w.sim, 1);
    assert_true(fabs(srs_sim_q(w.sim)[2] - 0.09925) < 1e-12);
    step(w.sim, 1);
    assert_true(fabs(srs_sim_q(w.sim)[2] - 0.0994375) < 1e-12);
    unload(&w);
  }
}

// Twelve links whose servos are far stiffer than a step of 10 ms can follow, behind references that move and then stay:
// they arrive, but for rk4, which takes them as they stand.
static void a_stiff_servo_chain_is_stable_at_ten_milliseconds(void **state)
{
  (void)state;
  enum { N = 12 };
  testing_random random = testing_random_start(82);
  static const srs_joint_kind kinds[1] = {SRS_JOINT_REVOLUTE};
  srs_model *model = testing_random_model(&random, N, kinds, 1, 1);
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    srs_sim_options o = srs_default_sim_options();
    o.integrator = (srs_integrator)i;
    o.dt = 1e-2;
    o.joint.limits = o.joint.friction = o.joint.actuator_limits = false;
    srs_sim *sim = sim_of_model(model, &o);
    double kp[N], kd[N], q_ref[N], v_ref[N], worst = 0;
    for (int k = 0; k < N; k++) kp[k] = 1e7, kd[k] = 2e5;
    for (int n = 0; n < 500; n++) {
      const double t = o.dt * (n + 1), s = sin(3 * t), c = cos(3 * t);
      for (int k = 0; k < N; k++) {
        q_ref[k] = n < 200 ? 0.5 * s * s : 0.3;
        v_ref[k] = n < 200 ? 3 * s * c : 0;
      }
      assert_int_equal(srs_sim_set_servo(sim, q_ref, v_ref, kp, kd, NULL), SRS_OK);
      if (i == SRS_RK4 && srs_sim_step(sim, 1, NULL) != SRS_OK) break;
      if (i != SRS_RK4) step(sim, 1);
      for (int k = 0; n >= 450 && k < N; k++) worst = fmax(worst, fabs(srs_sim_q(sim)[k] - 0.3));
    }
    if (i == SRS_RK4)
      print_message("rk4: ended after %g s\n", srs_sim_time(sim));
    else
      print_message("%s: at the end within %.2g rad, %ld steps halved\n", srs_integrator_name(o.integrator), worst,
                    srs_sim_get_implicit_statistics(sim)->halved);
    assert_true(i == SRS_RK4 ? srs_sim_time(sim) < 1 : worst < 1e-3); // 1e7 N m/rad hold against weights of 1e3 N m
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

static const char arm_strikes[] =
    "models:\n"
    "  - name: arm\n"
    "    links: [{name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}, {name: b, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
    "    joints: [{name: q1, kind: revolute, child: a, axis: [0, 1, 0], origin: {position: [0, 0, 1]}},\n"
    "             {name: q2, kind: revolute, parent: a, child: b, axis: [0, 1, 0], origin: {position: [1, 0, 0]},\n"
    "              lower: -0.5, upper: 0.7, friction: 0.3}]\n"
    "    shapes: [{link: b, kind: sphere, radius: 0.1, pose: {position: [0.8, 0, 0]}}]\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
    "solver: {name: %s, tolerance: 1e-12}\nimplicit: {tolerance: 1e-12}\n"
    "contact: {friction: 0.5, restitution: 0.3}\ndt: 0.002\nintegrator: %s\n";

// One problem an iteration, by any solver; joints being parallel, exact cone and aligned polyhedron have one answer.
static void all_solvers_end_at_the_same_state(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    double first[2] = {0};
    for (int k = 0; k < SRS_COMPLEMENTARITY_METHODS; k++) {
      const srs_contact_method name = (srs_contact_method)k;
      char text[2048];
      snprintf(text, sizeof text, arm_strikes, srs_contact_method_name(name), srs_integrator_name(implicit[i]));
      world w = load(text);
      step(w.sim, 500);
      const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
      assert_true(s->contact_steps > 0 && s->failures == 0);
      if (k == 0) memcpy(first, srs_sim_q(w.sim), sizeof first);
      for (int j = 0; j < 2; j++) assert_true(fabs(srs_sim_q(w.sim)[j] - first[j]) < 1e-8);
      unload(&w);
    }
  }
}

static void settings_that_make_no_sense_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *key, *says;
  } cases[] = {{"tolerance: 0", "tolerance must be greater than 0"},
               {"iterations: 0", "iterations must be a whole number from 1 to 10000"},
               {"iterations: 1000000000", "iterations must be a whole number from 1 to 10000"},
               {"halvings: 21", "halvings must be a whole number from 0 to 20"},
               {"iterations: many", "iterations"},
               {"tolerence: 1e-9", "tolerence"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "models: [{name: m, links: [{name: a, mass: 1}], joints: [{name: h, kind: prismatic, child: "
             "a}]}]\nimplicit: {%s}\n",
             cases[i].key);
    srs_scene *scene;
    srs_error error;
    assert_int_not_equal(srs_scene_load(testing_write("bad.yaml", text), NULL, &scene, &error), SRS_OK);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, cases[i].says));
  }
  srs_model *model = brick();
  srs_sim_options o = srs_default_sim_options();
  o.implicit.iterations = 0;
  srs_sim *sim;
  assert_int_equal(srs_sim_create(model, &o, &sim, NULL), SRS_ERROR_ARGUMENT);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newton_and_euler_hold_at_the_end_and_at_the_mean),
      cmocka_unit_test(a_step_that_does_not_converge_is_halved_or_fails),
      cmocka_unit_test(implicit_euler_ends_where_the_bodies_touch),
      cmocka_unit_test(an_overlap_is_taken_back_by_its_share),
      cmocka_unit_test(a_stiff_servo_chain_is_stable_at_ten_milliseconds),
      cmocka_unit_test(all_solvers_end_at_the_same_state),
      cmocka_unit_test(settings_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
