// Do steps hold loops exactly, whatever else acts? Against a dense KKT solve on random trees, closed forms, and each
// other: the same linkage closed in several ways.

#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure.h"
#include "support/inside_sim.h"
#include "support/linkages.h"
#include "support/sims.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static srs_model *build(srs_builder *builder)
{
  srs_model *model = NULL;
  srs_error error;
  if (srs_builder_build(builder, NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  return model;
}

static srs_sim_options weightless(void)
{
  srs_sim_options o = srs_default_sim_options();
  o.gravity[2] = 0;
  return o;
}

// ---------------------------------------------------------------------------------------------------------------------
// Random trees against [M -G^T; G 0] [v+; lambda] = [M v_free; rate]
// ---------------------------------------------------------------------------------------------------------------------

enum { LOOPS = 3, MOST_ROWS = 16 };

static srs_model *random_loops(testing_random *random, int n_links)
{
  static const srs_closure_kind kinds[LOOPS] = {SRS_CLOSURE_POINT, SRS_CLOSURE_ROD, SRS_CLOSURE_ROWS};
  srs_builder *builder = testing_random_builder(random, n_links, NULL, 0, 0.5);
  for (int i = 0; i < LOOPS; i++) {
    char name[16], a[16], b[16];
    srs_closure_def def = srs_default_closure_def(kinds[i]);
    snprintf(name, sizeof name, "loop%d", i);
    const int first = testing_below(random, n_links),
              second = (first + 1 + testing_below(random, n_links - 1)) % n_links;
    snprintf(a, sizeof a, "link%d", first);
    snprintf(b, sizeof b, "link%d", second);
    def.name = name, def.frame_a = a, def.frame_b = i == 0 ? NULL : b;
    for (int k = 0; k < 3; k++) {
      def.pose_a.position[k] = testing_uniform(random, -0.3, 0.3);
      def.pose_b.position[k] = testing_uniform(random, -0.3, 0.3);
    }
    def.length = 0.5;
    def.rows = 0x0c; // one angular, one linear
    linkages_close(builder, &def);
  }
  return build(builder);
}

// Returns false where the rows depend on each other, or so nearly that neither answer is good to 1e-10.
static bool dense_step(const srs_model *m, srs_workspace *w, const double *q, const double *v, double h, double *v_next)
{
  const size_t nv = (size_t)m->nv, n_rows = (size_t)srs_model_n_loop_rows(m), n = nv + n_rows;
  double *M = numbers(nv * nv), *K = numbers(n * n), *x = numbers(n), *unit = numbers(nv), *a = numbers(nv);
  double *passive = numbers(nv);
  srs_closure_row rows[MOST_ROWS];
  assert_true(n_rows <= MOST_ROWS);
  assert_int_equal(srs_passive_forces(m, q, v, passive), SRS_OK);
  assert_int_equal(srs_forward_dynamics(w, q, v, passive, NULL, a), SRS_OK);
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
  assert_int_equal(srs_closure_rows(w, q, 0, rows), n_rows);
  for (size_t i = 0; i < nv; i++)
    for (size_t j = 0; j < nv; j++) {
      K[j * n + i] = M[i * nv + j];
      x[i] += M[i * nv + j] * (v[j] + h * a[j]);
    }
  for (size_t j = 0; j < nv; j++) {
    unit[j] = 1;
    srs_move_links(w, unit);
    for (size_t r = 0; r < n_rows; r++) {
      const double entry = srs_row_velocity(&rows[r].row, w->velocity, unit);
      K[j * n + nv + r] = entry;
      K[(nv + r) * n + j] = -entry;
    }
    unit[j] = 0;
  }
  lapack_int *pivots = calloc(n, sizeof *pivots);
  const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', (lapack_int)n, (lapack_int)n, K, (lapack_int)n);
  bool is_regular = LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, K, (lapack_int)n, pivots, x, (lapack_int)n) == 0;
  double inverse_condition = 0;
  if (is_regular) LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', (lapack_int)n, K, (lapack_int)n, norm, &inverse_condition);
  is_regular = inverse_condition > 1e-6;
  memcpy(v_next, x, nv * sizeof *v_next);
  free(M), free(K), free(x), free(unit), free(a), free(passive), free(pivots);
  return is_regular;
}

// 1e-10: the recursions' own tolerance; the rows' matrix costs its condition, here some 1e3.
static void a_step_with_loops_is_the_dense_one(void **state)
{
  (void)state;
  testing_random random = testing_random_start(62);
  int compared = 0;
  for (int run = 0; run < 60; run++) {
    srs_model *m = random_loops(&random, 8 + testing_below(&random, 20));
    for (int i = 0; i < m->nv; i++) // damping and springs are implicit in a step, explicit in forward dynamics
      ((double *)m->damping)[i] = ((double *)m->stiffness)[i] = ((double *)m->friction)[i] = 0;
    srs_sim_options o = srs_default_sim_options();
    o.closure.projection = false;
    o.closure.error_reduction = 0;
    o.contact.enabled = o.joint.limits = false;
    o.velocity_terms = SRS_VELOCITY_TERMS_START; // as the dense step has them
    srs_sim *sim = sim_of_model(m, &o);
    srs_workspace *w = NULL;
    assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
    double *q = numbers((size_t)m->nq), *v = numbers((size_t)m->nv), *expected = numbers((size_t)m->nv);
    testing_random_q(&random, m, q);
    testing_random_v(&random, m, 1, v);
    assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
    const bool is_regular = dense_step(m, w, q, v, o.dt, expected);
    step(sim, 1);
    const srs_sim_statistics *s = srs_sim_get_statistics(sim);
    if (is_regular && s->bilateral_rank == s->bilateral_rows) {
      testing_assert_close("v+", srs_sim_v(sim), expected, m->nv, 1e-10);
      compared++;
    }
    free(q), free(v), free(expected);
    srs_workspace_destroy(w);
    srs_sim_destroy(sim);
    srs_model_destroy(m);
  }
  print_message("compared: %d of 60\n", compared);
  assert_true(compared > 20);
}

// ---------------------------------------------------------------------------------------------------------------------
// Four-bar
// ---------------------------------------------------------------------------------------------------------------------

// The velocities of the four-bar at q = 0 with the crank at 1 rad/s, by its velocity polygon: the coupler's end moves
// with the crank and the coupler, and with the rocker. In the plane, rotation about y by w takes (x, z) to w (z, -x).
static void four_bar_velocity(double w, double v[3])
{
  const double cx = 0.2987218950531729, cz = 0.1823875802126918, rx = -0.1012781049468271, rz = 0.2823875802126918;
  // w (0.1, 0) + w2 (cz, -cx) = w3 (rz, -rx), w2 the coupler's angular velocity
  const double w2 = (-0.1 * w * rx - 0) / (cz * rx - cx * rz), w3 = (0.1 * w + w2 * cz) / rz;
  v[0] = w, v[1] = w2 - w, v[2] = w3;
}

static srs_sim *turning_four_bar(srs_closure_kind kind, int copies, const srs_sim_options *o, srs_model **model)
{
  *model = build(linkages_four_bar(kind, copies));
  srs_sim *sim = sim_of_model(*model, o);
  double v[3];
  four_bar_velocity(5, v);
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  return sim;
}

// F44: 3 rows of which one does nothing, 5 of rank 2, twice the same, six that lock nothing in the plane.
static void a_four_bar_moves_the_same_however_it_is_closed(void **state)
{
  (void)state;
  const srs_sim_options o = weightless();
  static const struct {
    srs_closure_kind kind;
    int copies, rows, rank;
  } cases[] = {{SRS_CLOSURE_POINT, 1, 3, 2}, {SRS_CLOSURE_REVOLUTE, 1, 5, 2}, {SRS_CLOSURE_REVOLUTE, 2, 10, 2}};
  double q[3][3], v[3][3];
  for (int i = 0; i < 3; i++) {
    srs_model *model;
    srs_sim *sim = turning_four_bar(cases[i].kind, cases[i].copies, &o, &model);
    for (int k = 0; k < 1000; k++) {
      step(sim, 1);
      assert_int_equal(srs_sim_get_statistics(sim)->bilateral_rows, cases[i].rows);
      assert_int_equal(srs_sim_get_statistics(sim)->bilateral_rank, cases[i].rank);
    }
    assert_true(srs_sim_get_statistics(sim)->closure_error_max < 1e-11);
    memcpy(q[i], srs_sim_q(sim), sizeof q[i]);
    memcpy(v[i], srs_sim_v(sim), sizeof v[i]);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
  for (int i = 1; i < 3; i++) { // rounding of 1000 steps, grown by the motion
    testing_assert_close("q", q[i], q[0], 3, 1e-9);
    testing_assert_close("v", v[i], v[0], 3, 1e-9);
  }
}

static double energy_after(srs_sim *sim, double duration)
{
  srs_energies before, after;
  assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &before), SRS_OK);
  step(sim, (long)(duration / srs_sim_get_options(sim)->dt + 0.5));
  assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &after), SRS_OK);
  return fabs(after.kinetic / before.kinetic - 1);
}

static double four_bar_energy(srs_integrator integrator, double dt)
{
  srs_sim_options o = weightless();
  o.integrator = integrator;
  o.dt = dt;
  srs_model *model;
  srs_sim *sim = turning_four_bar(SRS_CLOSURE_POINT, 1, &o, &model);
  const double error = energy_after(sim, 1);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  return error;
}

// The midpoint scheme takes the bias at the mean velocity, that of the last step's rows included: order 2.
static void energy_of_a_four_bar_drifts_by_order_h(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    const srs_integrator integrator = i == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    const double whole = four_bar_energy(integrator, 1e-3), half = four_bar_energy(integrator, 5e-4);
    print_message("%s: relative energy error after 1 s %.3g, %.3g with half the step\n",
                  srs_integrator_name(integrator), whole, half);
    assert_true(whole / half > (i == 0 ? 1.7 : 3.3) && whole < (i == 0 ? 0.02 : 1e-4));
  }
}

// F45, inconsistent: two rods between the same points that differ by 1 cm cannot both hold.
static void rows_that_contradict_each_other_are_named(void **state)
{
  (void)state;
  srs_builder *builder = linkages_four_bar(SRS_CLOSURE_POINT, 1);
  srs_closure_def rod = srs_default_closure_def(SRS_CLOSURE_ROD);
  rod.name = "strut";
  rod.frame_a = "crank", rod.frame_b = NULL;
  rod.pose_a.position[2] = 0.1, rod.pose_b.position[0] = 0.4;
  rod.length = hypot(0.4, 0.1);
  rod.motion.kind = SRS_MOTION_RATE, rod.motion.rate = 0.1;
  linkages_close(builder, &rod);
  rod.name = "other strut", rod.motion.rate = -0.1;
  linkages_close(builder, &rod);
  srs_model *model = build(builder);
  srs_sim *sim = sim_of_model(model, NULL);
  srs_error error;
  assert_int_equal(srs_sim_step(sim, 1, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "strut"));
  assert_non_null(strstr(error.message, "cannot be held"));
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Couplings and prescribed motions
// ---------------------------------------------------------------------------------------------------------------------

static void add_wheel(srs_builder *builder, const char *joint, const char *link, double inertia, double y)
{
  srs_error error;
  srs_link_def wheel = srs_default_link_def();
  wheel.name = link;
  wheel.mass = 1;
  wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = inertia;
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  def.name = joint;
  def.child = link;
  def.origin.position[1] = y;
  assert_int_equal(srs_builder_add_link(builder, &wheel, &error), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &def, &error), SRS_OK);
}

// Two wheels geared 1 : -3: I1 + 9 I2 seen from the first.
static void a_gear_carries_the_followers_inertia(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  add_wheel(builder, "a", "wheel_a", 0.2, 0);
  add_wheel(builder, "b", "wheel_b", 0.05, 0.5);
  const srs_coupling_def gear = {.name = "gear", .follower = "b", .leader = "a", .coefficients = {0, -3}};
  srs_error error;
  assert_int_equal(srs_builder_add_coupling(builder, &gear, &error), SRS_OK);
  srs_model *model = build(builder);
  srs_sim *sim = sim_of_model(model, NULL);
  const double tau[2] = {1.3, 0};
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  step(sim, 100);
  const double w = 1.3 / (0.2 + 9 * 0.05) * 0.1;
  assert_true(fabs(srs_sim_v(sim)[0] - w) < 1e-13);
  assert_true(fabs(srs_sim_v(sim)[1] + 3 * w) < 1e-13);
  assert_true(fabs(srs_sim_q(sim)[1] + 3 * srs_sim_q(sim)[0]) < 1e-13);
  int n;
  const srs_sim_row *rows = srs_sim_rows(sim, &n);
  assert_int_equal(n, 1);
  assert_int_equal(rows[0].source, SRS_ROW_LOOP);
  assert_true(fabs(rows[0].force - 0.05 * -3 * w / 0.1) < 1e-12); // on b, what turns it
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// Two wheels whose rims a rod ties together: no bias, so what the rod does to the energy stands alone.
static double wheels_energy(srs_integrator integrator, double dt)
{
  srs_builder *builder = srs_builder_create();
  add_wheel(builder, "a", "wheel_a", 0.2, 0);
  add_wheel(builder, "b", "wheel_b", 0.05, 0.5);
  srs_closure_def rod = srs_default_closure_def(SRS_CLOSURE_ROD);
  rod.name = "rod";
  rod.frame_a = "wheel_a", rod.frame_b = "wheel_b";
  rod.pose_a.position[1] = 0.1;
  rod.pose_b.position[1] = -0.2, rod.pose_b.position[2] = 0.4;
  rod.length = hypot(0.2, 0.4);
  linkages_close(builder, &rod);
  srs_model *model = build(builder);
  srs_sim_options o = weightless();
  o.integrator = integrator;
  o.dt = dt;
  srs_sim *sim = sim_of_model(model, &o);
  // along the rod, (2, 4): the rims' velocities (-z, y) w are w_a (0, 0.1) and w_b (-0.4, -0.2)
  const double v[2] = {1, -0.4 / 1.6};
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  const double error = energy_after(sim, 1);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  return error;
}

static void the_midpoint_scheme_keeps_the_energy_of_a_loop_without_bias(void **state)
{
  (void)state;
  const double euler = wheels_energy(SRS_SEMI_IMPLICIT_EULER, 1e-3),
               euler2 = wheels_energy(SRS_SEMI_IMPLICIT_EULER, 5e-4);
  const double middle = wheels_energy(SRS_MOREAU_MIDPOINT, 1e-3);
  print_message("relative energy error after 1 s: Euler %.3g, %.3g; midpoint %.3g\n", euler, euler2, middle);
  assert_true(euler / euler2 > 1.7 && euler / euler2 < 2.3);
  assert_true(middle < 1e-11); // the mean velocity moves along the loop; what v has across it at the end, of order h^2,
                               // goes with its square, h^4
}

static void a_prescribed_motion_is_followed(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    srs_builder *builder = srs_builder_create();
    add_wheel(builder, "a", "wheel_a", 0.2, 0);
    const srs_coupling_def actuator = {
        .name = "actuator", .follower = "a", .motion = {.kind = SRS_MOTION_SINE, .amplitude = 0.5, .frequency = 3}};
    srs_error error;
    assert_int_equal(srs_builder_add_coupling(builder, &actuator, &error), SRS_OK);
    srs_model *model = build(builder);
    srs_sim_options o = srs_default_sim_options();
    o.integrator = i == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT;
    srs_sim *sim = sim_of_model(model, &o);
    const double v0 = 1.5;
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, &v0, NULL), SRS_OK);
    for (int k = 1; k <= 1000; k++) {
      step(sim, 1);
      assert_true(fabs(srs_sim_q(sim)[0] - 0.5 * sin(3 * 1e-3 * k)) < 1e-12);
      // Euler: exactly the rate at the step's end; midpoint: to h^2 times the third derivative
      assert_true(fabs(srs_sim_v(sim)[0] - 1.5 * cos(3 * 1e-3 * k)) < (i == 0 ? 1e-12 : 1e-5));
    }
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

// F51: a body of 2 kg, its mass centre 0.3 m off the link's origin, welded to the world.
static void the_wrench_of_a_closure_carries_what_hangs_on_it(void **state)
{
  (void)state;
  for (int end = 0; end < 2; end++) {
    srs_builder *builder = srs_builder_create();
    srs_error error;
    srs_link_def load = srs_default_link_def();
    load.name = "body";
    load.mass = 2;
    load.com[0] = 0.3;
    load.inertia[0] = load.inertia[1] = load.inertia[2] = 0.1;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
    joint.name = "root";
    joint.child = "body";
    assert_int_equal(srs_builder_add_link(builder, &load, &error), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
    srs_closure_def weld = srs_default_closure_def(SRS_CLOSURE_WELD);
    weld.name = "weld";
    *(end == 0 ? &weld.frame_a : &weld.frame_b) = "body";
    weld.pose_a.position[1] = weld.pose_b.position[1] = 0.2;
    linkages_close(builder, &weld);
    srs_model *model = build(builder);
    srs_sim *sim = sim_of_model(model, NULL);
    double wrench[6] = {1, 1, 1, 1, 1, 1};
    int link = -1;
    assert_int_equal(srs_sim_loop_wrench(sim, 0, &link, wrench), SRS_OK);
    assert_true(link == 0 && wrench[5] == 0);
    step(sim, 3);
    assert_int_equal(srs_sim_loop_wrench(sim, 0, NULL, wrench), SRS_OK);
    const double weight = 2 * 9.81, expected[6] = {0, -0.3 * weight, 0, 0, 0, weight};
    testing_assert_close("wrench", wrench, expected, 6, 1e-12);
    assert_int_equal(srs_sim_loop_wrench(sim, 1, NULL, wrench), SRS_ERROR_ARGUMENT);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

static void rk4_says_that_it_holds_no_loops(void **state)
{
  (void)state;
  srs_model *model = build(linkages_four_bar(SRS_CLOSURE_POINT, 1));
  srs_sim_options o = srs_default_sim_options();
  o.integrator = SRS_RK4;
  srs_sim *sim;
  srs_error error;
  assert_int_equal(srs_sim_create(model, &o, &sim, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "coupler-rocker"));
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_with_loops_is_the_dense_one),
      cmocka_unit_test(a_four_bar_moves_the_same_however_it_is_closed),
      cmocka_unit_test(energy_of_a_four_bar_drifts_by_order_h),
      cmocka_unit_test(rows_that_contradict_each_other_are_named),
      cmocka_unit_test(a_gear_carries_the_followers_inertia),
      cmocka_unit_test(the_midpoint_scheme_keeps_the_energy_of_a_loop_without_bias),
      cmocka_unit_test(a_prescribed_motion_is_followed),
      cmocka_unit_test(the_wrench_of_a_closure_carries_what_hangs_on_it),
      cmocka_unit_test(rk4_says_that_it_holds_no_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
