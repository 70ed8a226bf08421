// What must stay constant stays constant, and every scheme has the order that it states.

#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

static srs_sim *new_sim(const srs_model *model, double dt, srs_integrator integrator, double gravity)
{
  srs_sim_options options = srs_default_sim_options();
  options.implicit_gyroscopic = true;
  options.dt = dt;
  options.integrator = integrator;
  options.gravity[2] = -gravity;
  return sim_of_model(model, &options);
}

static srs_model *build(srs_builder *builder)
{
  srs_model *model;
  srs_error error;
  if (srs_builder_build(builder, NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  return model;
}

static void add(srs_builder *builder, const char *link_name, double mass, const double com[3], const double inertia[3],
                srs_joint_def joint)
{
  srs_link_def link = srs_default_link_def();
  link.name = link_name;
  link.mass = mass;
  memcpy(link.com, com, sizeof link.com);
  memcpy(link.inertia, inertia, 3 * sizeof *inertia);
  joint.child = link_name;
  srs_error error;
  if (srs_builder_add_link(builder, &link, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
}

static srs_model *free_body(double xx, double yy, double zz)
{
  srs_builder *builder = srs_builder_create();
  const double com[3] = {0, 0, 0}, inertia[3] = {xx, yy, zz};
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = "body";
  add(builder, "box", 1, com, inertia, joint);
  return build(builder);
}

// A chain of five links on spherical joints, the first one free.
static srs_model *floating_chain(void)
{
  static const char *const links[5] = {"l0", "l1", "l2", "l3", "l4"}, *const joints[5] = {"h0", "h1", "h2", "h3", "h4"};
  srs_builder *builder = srs_builder_create();
  for (int k = 0; k < 5; k++) {
    const double com[3] = {0, 0, -0.5}, inertia[3] = {0.1, 0.12, 0.05};
    srs_joint_def joint = srs_default_joint_def(k == 0 ? SRS_JOINT_FREE : SRS_JOINT_SPHERICAL);
    joint.name = joints[k];
    if (k > 0) {
      joint.parent = links[k - 1];
      joint.origin.position[2] = -1;
    }
    add(builder, links[k], 1, com, inertia, joint);
  }
  return build(builder);
}

static double distance(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static void internal_torques_leave_momentum_alone(void **state)
{
  (void)state;
  testing_random random = testing_random_start(21);
  srs_model *model = floating_chain();
  srs_sim *sim = new_sim(model, 0.25e-3, SRS_RK4, 0);
  enum { NV = 18 };
  double v[NV], tau[NV] = {0}, start[6], now[6];
  testing_random_v(&random, model, 0.5, v);
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  assert_int_equal(srs_momentum(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), start), SRS_OK);
  double worst_linear = 0, worst_angular = 0;
  for (int step = 0; step < 40000; step++) { // 10 s
    for (int i = 6; i < NV; i++) tau[i] = testing_uniform(&random, -1, 1);
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
    if (step % 100 != 99) continue;
    assert_int_equal(srs_momentum(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), now), SRS_OK);
    worst_linear = fmax(worst_linear, distance(now + 3, start + 3, 3));
    worst_angular = fmax(worst_angular, distance(now, start, 3));
  }
  print_message("10 s: linear momentum off by %.2g kg m/s, angular by %.2g kg m^2/s\n", worst_linear, worst_angular);
  assert_true(worst_linear < 1e-10);
  assert_true(worst_angular < 1e-8);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// F37: the intermediate axis flips, the others do not.
static void tennis_racket_flips_and_keeps_its_spin_and_energy(void **state)
{
  (void)state;
  srs_model *model = free_body(1e-2, 2e-2, 2.5e-2);
  srs_sim *sim = new_sim(model, 1e-3, SRS_RK4, 0);
  const double v[6] = {0, 0, 0, 0.01, 8, 0.01};
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  double L0[6], L[6];
  srs_energies e0, e;
  srs_workspace *w = srs_sim_workspace(sim);
  srs_momentum(w, srs_sim_q(sim), srs_sim_v(sim), L0);
  srs_energy(w, srs_sim_q(sim), srs_sim_v(sim), &e0);
  double worst_L = 0, worst_T = 0;
  int flips = 0;
  bool forward = true;
  for (int step = 0; step < 60000; step++) {
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
    const double wy = srs_sim_v(sim)[4];
    if (forward ? wy < -4 : wy > 4) flips++, forward = !forward;
    if (step % 100 != 99) continue;
    w = srs_sim_workspace(sim);
    srs_momentum(w, srs_sim_q(sim), srs_sim_v(sim), L);
    srs_energy(w, srs_sim_q(sim), srs_sim_v(sim), &e);
    worst_L = fmax(worst_L, distance(L, L0, 3));
    worst_T = fmax(worst_T, fabs(e.kinetic - e0.kinetic));
  }
  print_message("60 s: %d flips, |L - L0| <= %.2g, |T - T0| <= %.2g J\n", flips, worst_L, worst_T);
  assert_true(flips >= 4);
  assert_true(worst_L < 1e-9);
  assert_true(worst_T < 1e-6);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void spin_about_the_outer_axes_stays_there(void **state)
{
  (void)state;
  srs_model *model = free_body(1e-2, 2e-2, 2.5e-2);
  const int axes[2] = {3, 5};
  for (int i = 0; i < 2; i++) {
    srs_sim *sim = new_sim(model, 1e-3, SRS_RK4, 0);
    double v[6] = {0, 0, 0, 0.01, 0.01, 0.01};
    v[axes[i]] = 8;
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
    for (int step = 0; step < 60000; step++) {
      assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
      assert_true(srs_sim_v(sim)[axes[i]] > 7.9);
    }
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

static void a_spin_of_500_rad_per_s_stays_finite_and_bounded(void **state)
{
  (void)state;
  srs_model *model = free_body(1e-2, 2e-2, 2.5e-2);
  for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++) {
    srs_sim *sim = new_sim(model, 1e-3, (srs_integrator)integrator, 0);
    const double v[6] = {0, 0, 0, 3, 500, 3};
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
    srs_energies e0, e;
    srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &e0);
    assert_int_equal(srs_sim_step(sim, 10000, NULL), SRS_OK);
    srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &e);
    print_message("%s: T(10 s)/T(0) = %.3g\n", srs_integrator_name((srs_integrator)integrator), e.kinetic / e0.kinetic);
    assert_true(e.kinetic < 4 * e0.kinetic);
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

// F35. Explicit gyroscopic terms gain energy at this spin within 10^5 steps of semi-implicit Euler: the option is for
// this.
static void quaternions_stay_unit(void **state)
{
  (void)state;
  srs_model *model = free_body(1e-2, 2e-2, 2.5e-2);
  srs_sim *sim = new_sim(model, 1e-3, SRS_SEMI_IMPLICIT_EULER, 0);
  const double v[6] = {0, 0, 0, 3, -7, 11};
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  double worst = 0;
  for (int row = 0; row < 10000; row++) {
    assert_int_equal(srs_sim_step(sim, 100, NULL), SRS_OK);
    const double *x = srs_sim_q(sim) + 3;
    worst = fmax(worst, fabs(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]) - 1));
  }
  print_message("10^6 steps: ||q| - 1| <= %.2g\n", worst);
  assert_true(worst < 1e-14);
  const double raw[7] = {0, 0, 0, 2, 0, 0, 0};
  assert_int_equal(srs_sim_set_state(sim, 0, raw, NULL, NULL), SRS_ERROR_ARGUMENT);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// Error at 0.5 s of a double pendulum and of a spinning chain of spherical joints, against rk4 with a far smaller step.
static void end_state(const srs_model *model, const double *q0, const double *v0, double dt, srs_integrator integrator,
                      double *v_end)
{
  srs_sim *sim = new_sim(model, dt, integrator, 9.81);
  assert_int_equal(srs_sim_set_state(sim, 0, q0, v0, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(sim, lround(0.5 / dt), NULL), SRS_OK);
  memcpy(v_end, srs_sim_v(sim), (size_t)srs_model_nv(model) * sizeof *v_end);
  srs_sim_destroy(sim);
}

static void every_scheme_has_its_order(void **state)
{
  (void)state;
  testing_random random = testing_random_start(22);
  srs_model *model = floating_chain();
  enum { NQ = 23, NV = 18 };
  double q0[NQ], v0[NV], exact[NV], end[NV], error[3];
  testing_random_q(&random, model, q0);
  testing_random_v(&random, model, 1, v0);
  end_state(model, q0, v0, 0.5e-4, SRS_RK4, exact);
  const double stated[SRS_INTEGRATORS] = {1, 2, 4, 1, 2, 1};
  for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++) {
    print_message("%-20s", srs_integrator_name((srs_integrator)integrator));
    for (int halving = 0; halving < 3; halving++) {
      const double dt = (integrator == SRS_RK4 ? 4e-3 : 1e-3) / (1 << halving);
      end_state(model, q0, v0, dt, (srs_integrator)integrator, end);
      error[halving] = distance(end, exact, NV);
      print_message("  %.1e s: %.3e", dt, error[halving]);
    }
    const double order = log2(error[1] / error[2]);
    print_message("  order %.2f\n", order);
    assert_true(fabs(order - stated[integrator]) < 0.25);
  }
  srs_model_destroy(model);
}

// Where the bias does not depend on the velocity (one joint), the midpoint scheme is of order 2; so are stiff springs.
static void midpoint_is_of_order_two_without_velocity_terms(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const double com[3] = {0, 0, -0.5}, inertia[3] = {1.0 / 12, 1.0 / 12, 0};
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "h";
  joint.damping[0] = 0.1;
  joint.stiffness[0] = 20;
  add(builder, "rod", 1, com, inertia, joint);
  srs_model *model = build(builder);
  const double q0[1] = {1.2}, v0[1] = {0};
  double exact, error[2];
  end_state(model, q0, v0, 1e-5, SRS_RK4, &exact);
  for (int halving = 0; halving < 2; halving++) {
    double end;
    end_state(model, q0, v0, 2e-3 / (1 << halving), SRS_MOREAU_MIDPOINT, &end);
    error[halving] = fabs(end - exact);
  }
  const double order = log2(error[0] / error[1]);
  print_message("order %.2f\n", order);
  assert_true(fabs(order - 2) < 0.1);
  srs_model_destroy(model);
}

// Springs on joints with a quaternion pull down the gradient of their energy: none is made or lost, however unequal
// they are.
static void springs_on_quaternions_keep_energy(void **state)
{
  (void)state;
  const srs_joint_kind kinds[2] = {SRS_JOINT_SPHERICAL, SRS_JOINT_FREE};
  for (int i = 0; i < 2; i++) {
    srs_builder *builder = srs_builder_create();
    const double com[3] = {0, 0, 0}, inertia[3] = {1, 1.1, 1.2};
    srs_joint_def joint = srs_default_joint_def(kinds[i]);
    joint.name = "s";
    joint.stiffness[i == 0 ? 2 : 5] = 20;
    joint.stiffness[i == 0 ? 1 : 4] = 5;
    joint.stiffness[i == 0 ? 0 : 3] = 2;
    add(builder, "a", 1, com, inertia, joint);
    srs_model *model = build(builder);
    srs_sim *sim = new_sim(model, 1e-3, SRS_RK4, 0);
    double v[6] = {0};
    const double spin[3] = {0.5, 1, 0.5};
    memcpy(v + (i == 0 ? 0 : 3), spin, sizeof spin);
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
    srs_energies start, now;
    srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &start);
    assert_int_equal(srs_sim_step(sim, 20000, NULL), SRS_OK);
    srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &now);
    const double change = now.kinetic + now.potential - start.kinetic - start.potential;
    print_message("20 s: energy %.4f J changes by %.2g J\n", start.kinetic + start.potential, change);
    assert_true(fabs(change) <
                1e-6); // a rotation beyond half a turn would jump to the shorter way; here it stays below
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

// Springs and dampers of any stiffness never set the step.
static void stiff_springs_and_dampers_stay_stable(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const double com[3] = {0, 0, -0.5}, inertia[3] = {0.1, 0.1, 0.01};
  static const char *const links[3] = {"a", "b", "c"}, *const joints[3] = {"ha", "hb", "hc"};
  for (int k = 0; k < 3; k++) {
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = joints[k];
    if (k > 0) joint.parent = links[k - 1], joint.origin.position[2] = -1;
    joint.stiffness[0] = 1e7;
    joint.damping[0] = 1e6;
    joint.reference[0] = 0.1;
    add(builder, links[k], 1, com, inertia, joint);
  }
  srs_model *model = build(builder);
  for (int integrator = SRS_SEMI_IMPLICIT_EULER; integrator <= SRS_MOREAU_MIDPOINT; integrator++) {
    srs_sim *sim = new_sim(model, 1e-2, (srs_integrator)integrator, 9.81);
    assert_int_equal(srs_sim_step(sim, 2000, NULL), SRS_OK);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(srs_sim_q(sim)[k] - 0.1) < 1e-4); // sag m g l / k below 3e-6, plus relaxation
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(internal_torques_leave_momentum_alone),
      cmocka_unit_test(tennis_racket_flips_and_keeps_its_spin_and_energy),
      cmocka_unit_test(spin_about_the_outer_axes_stays_there),
      cmocka_unit_test(a_spin_of_500_rad_per_s_stays_finite_and_bounded),
      cmocka_unit_test(quaternions_stay_unit),
      cmocka_unit_test(every_scheme_has_its_order),
      cmocka_unit_test(midpoint_is_of_order_two_without_velocity_terms),
      cmocka_unit_test(springs_on_quaternions_keep_energy),
      cmocka_unit_test(stiff_springs_and_dampers_stay_stable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
