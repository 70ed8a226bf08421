// Field cases of the control loop: F78 (nothing sleeps), F81 (rows are of one state), F84 (pacing changes no bit), F85
// (derivatives in tangent coordinates). F77, F80: test_replay; F83: allocation/test_allocation.

#include "support/command.h"
#include "support/world.h"
#include <sarrus/control_loop.h>
#include <sarrus/linearisation.h>

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// F78
// ---------------------------------------------------------------------------------------------------------------------

static const char at_rest[] =
    "models:\n"
    "  - name: plate\n"
    "    links: [{name: top, mass: 1, inertia: [1, 1, 1]}]\n"
    "    joints: [{name: way, kind: prismatic, child: top, axis: [0, 0, 1]}]\n"
    "    shapes: [{link: top, kind: box, size: [2, 2, 0.2], pose: {position: [0, 0, -0.1]}}]\n"
    "    couplings: [{follower: way, motion: {rate: 0}}]\n"
    "  - name: box\n"
    "    base: floating\n"
    "    position: [0, 0, 0.1]\n"
    "    links: [{name: body, mass: 2, inertia: [0.02, 0.02, 0.02]}]\n"
    "    shapes: [{link: body, kind: box, size: [0.2, 0.2, 0.2]}]\n"
    "contact: {friction: 0}\n";

// After 20 s at rest the slightest push moves it as the first would, and it falls as soon as its plate goes.
static void F78_what_rests_does_not_sleep(void **state)
{
  (void)state;
  world w = load(at_rest);
  assert_int_equal(srs_sim_step(w.sim, 20000, NULL), SRS_OK);
  const double push[6] = {0, 0, 0, 2e-9, 0, 0};
  const int body = srs_model_find_frame(w.model, "box/body");
  const double before = srs_sim_v(w.sim)[1];
  assert_int_equal(srs_sim_set_wrench(w.sim, body, SRS_AXES_WORLD, push, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w.sim, 1000, NULL), SRS_OK);
  assert_true(fabs(srs_sim_v(w.sim)[1] - before - 1e-9) < 1e-14); // of 2 kg, in 1 s
  double height;
  assert_int_equal(srs_sim_get_motion(w.sim, 0, &height, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_motion(w.sim, 0, height, -10, NULL), SRS_OK); // away, faster than it falls
  assert_int_equal(srs_sim_step(w.sim, 100, NULL), SRS_OK);
  assert_true(fabs(srs_sim_v(w.sim)[3] + 9.81 * 0.1) < 1e-9);
  unload(&w);
}

// ---------------------------------------------------------------------------------------------------------------------
// F81
// ---------------------------------------------------------------------------------------------------------------------

// A free body at 2 m/s, steps of 10 ms: a row that lagged by a step would be off by 20 mm.
static void F81_a_row_is_of_one_state(void **state)
{
  (void)state;
  testing_write("free.yaml", "models:\n"
                             "  - {name: f, base: floating, position: [0, 0.3, 1], links: [{name: body, mass: 2, "
                             "inertia: [1, 2, 3]}]}\n"
                             "initial: {v: {root: [2, 0, 0, 0.3, 0.1, 0.2]}}\n"
                             "sensors: [{name: place, kind: pose, frame: body}]\n"
                             "gravity: [0, 0, 0]\ndt: 0.01\nduration: 1\noutput: {poses: true}\n");
  assert_int_equal(sarrus("run free.yaml --out free.csv --quiet"), 0);
  char path[1200];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/free.csv", testing_folder());
  char *text = testing_read(path, &length), *at = strchr(text, '\n') + 1;
  int rows = 0;
  for (; *at != '\0'; rows++) {
    double x[1 + 7 + 6 + 7 + 7]; // time, q, v, pose, sensor
    for (size_t i = 0; i < sizeof x / sizeof *x; i++, at++) x[i] = strtod(at, &at);
    assert_true(fabs(x[1] - 2 * x[0]) < 1e-13);
    for (int i = 0; i < 3; i++) {
      assert_true(fabs(x[14 + i] - x[1 + i]) <= 1e-15);
      assert_true(x[21 + i] == x[14 + i]);
    }
  }
  assert_int_equal(rows, 101);
  free(text);
}

// ---------------------------------------------------------------------------------------------------------------------
// F84
// ---------------------------------------------------------------------------------------------------------------------

// PD towards 0.5 rad at 200 Hz.
static bool pull(void *context, srs_sim *sim, double *tau)
{
  (void)context;
  for (int i = 0; i < srs_model_nv(srs_sim_model(sim)); i++)
    tau[i] = 8 * (0.5 - srs_sim_q(sim)[i]) - 0.4 * srs_sim_v(sim)[i];
  return true;
}

static void F84_pacing_changes_no_bit(void **state)
{
  (void)state;
  double q[2][2], v[2][2];
  for (int k = 0; k < 2; k++) {
    world w = world_of_scene(scene_of_file(testing_source("samples/double_pendulum.yaml")));
    assert_int_equal(srs_model_nv(w.model), 2);
    srs_control_loop_options o = srs_default_control_loop_options();
    srs_control_loop *loop = NULL;
    o.control = pull, o.steps_per_control = 5, o.pace = k == 0 ? 0 : 4;
    assert_int_equal(srs_control_loop_create(w.sim, &o, &loop, NULL), SRS_OK);
    assert_int_equal(srs_control_loop_run(loop, 500, NULL), SRS_OK);
    assert_int_equal(srs_control_loop_get_report(loop)->controls, 100);
    memcpy(q[k], srs_sim_q(w.sim), sizeof q[k]);
    memcpy(v[k], srs_sim_v(w.sim), sizeof v[k]);
    srs_control_loop_destroy(loop);
    unload(&w);
  }
  for (int i = 0; i < 2; i++) assert_true(q[0][i] == q[1][i] && v[0][i] == v[1][i]);
}

// ---------------------------------------------------------------------------------------------------------------------
// F85
// ---------------------------------------------------------------------------------------------------------------------

enum { NV = 7, NQ = 8, N = 2 * NV };

static const char box_and_arm[] =
    "models:\n"
    "  - name: b\n"
    "    base: floating\n"
    "    links: [{name: box, mass: 2, com: [0.01, 0.02, 0.03], inertia: [0.03, 0.04, 0.05]},\n"
    "            {name: arm, mass: 0.5, com: [0, 0, 0.15], inertia: [0.004, 0.004, 0.001]}]\n"
    "    joints: [{name: h, kind: revolute, parent: box, child: arm, axis: [0, 1, 0], origin: {position: [0.1, 0, "
    "0.1]}}]\n";

// The step from the state that is moved by one tangent coordinate.
static void moved(const world *w, const double *q, const double *v, int column, double by, double *q_end, double *v_end)
{
  double along[NV] = {0}, from[NQ], speed[NV];
  memcpy(speed, v, sizeof speed);
  if (column < NV)
    along[column] = 1;
  else
    speed[column - NV] += by;
  srs_integrate(w->model, q, along, column < NV ? by : 0, from);
  assert_int_equal(srs_sim_set_state(w->sim, 0, from, speed, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w->sim, 1, NULL), SRS_OK);
  memcpy(q_end, srs_sim_q(w->sim), NQ * sizeof *q_end);
  memcpy(v_end, srs_sim_v(w->sim), NV * sizeof *v_end);
}

static void F85_derivatives_are_of_tangent_coordinates(void **state)
{
  (void)state;
  testing_random random = testing_random_start(85);
  world w = load(box_and_arm);
  assert_int_equal(srs_model_nv(w.model), NV);
  assert_int_equal(srs_model_nq(w.model), NQ);
  srs_linearisation *l = NULL;
  srs_linearisation_report report;
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  for (int n = 0; n < 20; n++) {
    double q[NQ], v[NV], A[N][N], B[N][NV];
    testing_random_q(&random, w.model, q);
    testing_random_v(&random, w.model, 3, v);
    assert_int_equal(srs_sim_set_state(w.sim, 0, q, v, NULL), SRS_OK);
    memcpy(q, srs_sim_q(w.sim), sizeof q);
    assert_int_equal(srs_sim_linearise(w.sim, l, A[0], B[0], &report, NULL), SRS_OK);
    assert_int_equal(report.status, SRS_LINEARISATION_SMOOTH);
    for (int k = 0; k < N; k++) {
      const double by = 1e-5;
      double up[NQ], down[NQ], v_up[NV], v_down[NV], way[NV];
      moved(&w, q, v, k, by, up, v_up);
      moved(&w, q, v, k, -by, down, v_down);
      srs_difference(w.model, up, down, way);
      for (int i = 0; i < NV; i++) {
        assert_true(fabs(A[i][k] - way[i] / (2 * by)) < 1e-6);
        assert_true(fabs(A[NV + i][k] - (v_up[i] - v_down[i]) / (2 * by)) < 1e-6);
      }
    }
  }
  srs_linearisation_destroy(l);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F78_what_rests_does_not_sleep),
      cmocka_unit_test(F81_a_row_is_of_one_state),
      cmocka_unit_test(F84_pacing_changes_no_bit),
      cmocka_unit_test(F85_derivatives_are_of_tangent_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
