// Do a ball joint's cone and twist stop it, and only where they should? Rows against differences, rests and turns
// against closed forms.

#include "engine/loops/swing_twist.h"
#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, mass = 2, length = 0.5, g = 9.81;

typedef struct rig {
  srs_model *model;
  srs_sim *sim;
} rig;

static void put_away(rig *r)
{
  srs_sim_destroy(r->sim);
  srs_model_destroy(r->model);
}

// A ball of mass on a massless rod along the child's axis, on a ball joint: its own inertia is the same about any axis,
// so it adds nothing to how a point would move.
static rig ball(srs_joint_def def, const srs_sim_options *o)
{
  rig r = {0};
  srs_error error;
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "bob", link.mass = mass;
  for (int i = 0; i < 3; i++) link.com[i] = length * def.axis[i], link.inertia[i] = 0.01;
  def.name = "ball", def.child = "bob";
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  if (srs_builder_add_joint(builder, &def, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_builder_build(builder, NULL, &r.model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  if (srs_sim_create(r.model, o, &r.sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return r;
}

static srs_joint_def cone(double x, double z, double max_swing)
{
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_SPHERICAL);
  def.axis[0] = x, def.axis[1] = 0, def.axis[2] = z;
  def.max_swing = max_swing;
  return def;
}

static double swing_of(const rig *r)
{
  v3 row;
  return srs_joint_swing(srs_sim_q(r->sim), v3_load(srs_model_joint(r->model, 0)->axis), &row);
}

// The force of the row on a subject, 0 where there is none.
static double force_on(const srs_sim *sim, srs_row_subject subject)
{
  int n;
  const srs_sim_row *rows = srs_sim_rows(sim, &n);
  for (int i = 0; i < n; i++)
    if (rows[i].subject == subject) return rows[i].force;
  return 0;
}

static void rows_are_derivatives_of_swing_and_twist(void **state)
{
  (void)state;
  testing_random random = testing_random_start(71);
  srs_model *m = NULL;
  rig r = ball(cone(1, 0, 1), NULL);
  m = r.model;
  for (int i = 0; i < 300; i++) {
    double q[4], w[3], n[3], moved[4], back[4];
    for (int k = 0; k < 4; k++) q[k] = testing_uniform(&random, -1, 1);
    for (int k = 0; k < 3; k++) w[k] = testing_uniform(&random, -1, 1), n[k] = testing_uniform(&random, -1, 1);
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) n[k] /= size;
    if (!srs_normalise(m, q)) continue;
    const double h = 1e-5;
    srs_integrate(m, q, w, h, moved);
    srs_integrate(m, q, w, -h, back);
    v3 row, other;
    const v3 axis = v3_load(n);
    const double swing = srs_joint_swing(q, axis, &row);
    if (swing < 0.05 || swing > pi - 0.05) continue; // curvature there spoils the difference, not the row
    double rate = (srs_joint_swing(moved, axis, &other) - srs_joint_swing(back, axis, &other)) / (2 * h);
    assert_true(fabs(rate - dot(row, v3_load(w))) < 1e-6); // h^2 times third derivatives of up to 1/sin^3, rounding / h
    const double twist = srs_joint_twist(q, axis, 0.3, &row);
    assert_true(fabs(twist - 0.3) <= pi + 1e-12);
    rate = (srs_joint_twist(moved, axis, twist, &other) - srs_joint_twist(back, axis, twist, &other)) / (2 * h);
    assert_true(fabs(rate - dot(row, v3_load(w))) < 1e-5);
  }
  put_away(&r);
}

// The cone's axis lies level: the bob falls until it hangs max_swing below, and the cone holds m g l cos(max_swing).
static void a_pendulum_comes_to_rest_on_its_cone(void **state)
{
  (void)state;
  for (int mid = 0; mid < 2; mid++) {
    srs_sim_options o = srs_default_sim_options();
    o.integrator = mid ? SRS_MOREAU_MIDPOINT : SRS_SEMI_IMPLICIT_EULER;
    srs_joint_def def = cone(1, 0, 0.5);
    def.damping[0] = def.damping[1] = def.damping[2] = 0.5;
    rig r = ball(def, &o);
    double most = 0;
    for (int i = 0; i < 3000; i++) {
      step(r.sim, 1);
      most = fmax(most, swing_of(&r));
    }
    print_message("beyond: %.3g on the way, %.3g at the end\n", most - 0.5, swing_of(&r) - 0.5);
    assert_true(most < 0.5 + (mid ? 1e-5 : 1e-12)); // midpoint: predicted from half a step on
    assert_true(fabs(swing_of(&r) - 0.5) < 1e-9);
    assert_true(fabs(force_on(r.sim, SRS_ROW_OF_SWING) - mass * g * length * cos(0.5)) < 1e-6);
    put_away(&r);
  }
}

typedef struct turn_result {
  double off_cone, off_force, energy; // the largest distance from the cone, and from a force; share of energy gained
} turn_result;

// Two seconds along the inside of a cone of 0.7 rad about the vertical, from the bob's turning at v.
static turn_result go_round(double dt, bool is_projected, double level_gravity, const double v[3], double force)
{
  const double alpha = 0.7, q[4] = {cos(0.5 * alpha), sin(0.5 * alpha), 0, 0};
  turn_result result = {0};
  srs_sim_options o = srs_default_sim_options();
  o.dt = dt;
  o.joint.projection = is_projected;
  o.gravity[0] = level_gravity;
  rig r = ball(cone(0, -1, alpha), &o);
  assert_int_equal(srs_sim_set_state(r.sim, 0, q, v, NULL), SRS_OK);
  srs_energies e;
  assert_int_equal(srs_energy(srs_sim_workspace(r.sim), srs_sim_q(r.sim), srs_sim_v(r.sim), &e), SRS_OK);
  const double before = e.kinetic + e.potential, kinetic = e.kinetic;
  for (long i = 0; i < lround(2 / dt); i++) {
    step(r.sim, 1);
    result.off_cone = fmax(result.off_cone, fabs(swing_of(&r) - alpha));
    result.off_force = fmax(result.off_force, fabs(force_on(r.sim, SRS_ROW_OF_SWING) - force));
  }
  assert_int_equal(srs_energy(srs_sim_workspace(r.sim), srs_sim_q(r.sim), srs_sim_v(r.sim), &e), SRS_OK);
  result.energy = (e.kinetic + e.potential - before) / kinetic;
  put_away(&r);
  return result;
}

// It hangs, and goes round so fast that it would rise: the cone holds it with m l^2 W^2 sin cos - m g l sin. Turned
// about the vertical, every step is exact.
static void a_pendulum_goes_round_in_its_cone(void **state)
{
  (void)state;
  const double alpha = 0.7, W = 8, v[3] = {0, W * sin(alpha), W * cos(alpha)}; // W z, seen from the bob
  const double force = mass * length * sin(alpha) * (length * W * W * cos(alpha) - g);
  const turn_result t = go_round(1e-3, true, 0, v, force);
  print_message("off the cone %.3g, force off %.3g, energy %.3g\n", t.off_cone, t.off_force, t.energy);
  assert_true(t.off_cone < 1e-12 && t.off_force < 1e-6 && fabs(t.energy) < 1e-9); // rounding over h^2 in the force
}

// Without the spin a step goes straight, off the cone by its square; gravity that is not upright makes it fast and
// slow. Where positions are led back, a step loses the part of its speed that leads off the cone, half an angle of the
// step for each radian of the way; a row that pushes gives it back.
static void along_the_cone_energy_keeps_to_order_h(void **state)
{
  (void)state;
  const double v[3] = {0, 8 * sin(0.7), 0};
  for (int is_projected = 0; is_projected < 2; is_projected++) {
    const turn_result whole = go_round(1e-3, is_projected, 2, v, 0), half = go_round(5e-4, is_projected, 2, v, 0);
    print_message("off the cone %.3g, %.3g with half the step; energy %.3g, %.3g\n", whole.off_cone, half.off_cone,
                  whole.energy, half.energy);
    assert_true(whole.off_cone < 2e-4 && fabs(whole.off_cone / half.off_cone - 4) < 0.6);
    assert_true(fabs(whole.energy) < (is_projected ? 0.1 : 5e-3) && fabs(half.energy) < 0.65 * fabs(whole.energy));
    if (is_projected) assert_true(whole.energy < 0);
  }
}

static void twists_stop_and_leave_the_swing_alone(void **state)
{
  (void)state;
  srs_sim_options o = srs_default_sim_options();
  o.gravity[2] = 0;
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_SPHERICAL);
  def.axis[0] = 0, def.axis[2] = 1, def.min_twist = -0.3, def.max_twist = 0.4;
  for (int side = -1; side <= 1; side += 2) {
    rig r = ball(def, &o);
    const double v[3] = {0, 0, 3.0 * side}, tau[3] = {0, 0, 0.2 * side};
    assert_int_equal(srs_sim_set_state(r.sim, 0, NULL, v, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_torque(r.sim, tau, NULL), SRS_OK);
    step(r.sim, 500);
    v3 row;
    const double twist = srs_joint_twist(srs_sim_q(r.sim), v3_load(def.axis), 0, &row);
    assert_true(fabs(twist - (side > 0 ? 0.4 : -0.3)) < 1e-12);
    assert_true(fabs(force_on(r.sim, SRS_ROW_OF_TWIST) - 0.2) < 1e-9);
    assert_true(swing_of(&r) < 1e-12);
    put_away(&r);
  }
}

static void states_outside_are_told_and_led_back(void **state)
{
  (void)state;
  rig r = ball(cone(0, -1, 0.4), NULL);
  const double q[4] = {cos(0.3), sin(0.3), 0, 0};
  double by;
  assert_int_equal(srs_outside_limits(r.model, q, &by), 0);
  assert_true(fabs(by - 0.2) < 1e-12);
  assert_int_equal(srs_sim_set_state(r.sim, 0, q, NULL, NULL), SRS_OK);
  step(r.sim, 300);
  assert_int_equal(srs_outside_limits(r.model, srs_sim_q(r.sim), &by), -1);
  put_away(&r);
}

static void cones_that_cannot_be_are_refused(void **state)
{
  (void)state;
  const struct {
    srs_joint_kind kind;
    double swing, low, high;
    srs_status status;
  } cases[] = {{SRS_JOINT_SPHERICAL, 0, -INFINITY, INFINITY, SRS_ERROR_MODEL},
               {SRS_JOINT_SPHERICAL, 3.2, -INFINITY, INFINITY, SRS_ERROR_MODEL},
               {SRS_JOINT_SPHERICAL, NAN, -INFINITY, INFINITY, SRS_ERROR_NOT_FINITE},
               {SRS_JOINT_SPHERICAL, INFINITY, -1, INFINITY, SRS_ERROR_MODEL},
               {SRS_JOINT_SPHERICAL, INFINITY, 1, -1, SRS_ERROR_MODEL},
               {SRS_JOINT_REVOLUTE, 1, -INFINITY, INFINITY, SRS_ERROR_UNSUPPORTED},
               {SRS_JOINT_FREE, INFINITY, -1, 1, SRS_ERROR_UNSUPPORTED}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_builder *builder = srs_builder_create();
    srs_error error;
    srs_joint_def def = srs_default_joint_def(cases[i].kind);
    def.name = "ball", def.child = "bob";
    def.max_swing = cases[i].swing, def.min_twist = cases[i].low, def.max_twist = cases[i].high;
    assert_int_equal(srs_builder_add_joint(builder, &def, &error), cases[i].status);
    assert_non_null(strstr(error.message, "'ball'"));
    srs_builder_destroy(builder);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_derivatives_of_swing_and_twist),
      cmocka_unit_test(a_pendulum_comes_to_rest_on_its_cone),
      cmocka_unit_test(a_pendulum_goes_round_in_its_cone),
      cmocka_unit_test(along_the_cone_energy_keeps_to_order_h),
      cmocka_unit_test(twists_stop_and_leave_the_swing_alone),
      cmocka_unit_test(states_outside_are_told_and_led_back),
      cmocka_unit_test(cones_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
