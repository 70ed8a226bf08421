// `sarrus eval`: each quantity of a pendulum against its closed form, states from lists and files, and what is refused.
#include "support/command.h"

#include <math.h>

// A handful of roundings in numbers near 10.
static const double rounding = 1e-14;

static const double angle = 0.7, rate = 1.3;

static void assert_numbers(const char *path, const double *expected, int n)
{
  double values[64];
  testing_json *json = command_json();
  testing_json_numbers(json, path, values, n);
  testing_assert_close(path, values, expected, n, rounding);
  testing_json_free(json);
}

static void evaluate(const char *arguments)
{
  testing_write("p.urdf", pendulum);
  if (sarrus("eval p.urdf %s --q 0.7 --v 1.3", arguments) != 0) fail_msg("%s", command_err);
  assert_string_equal(command_err, "");
}

static void fk_places_every_frame(void **state)
{
  (void)state;
  evaluate("fk");
  const double position[3] = {0, sin(angle), -cos(angle)};
  const double quaternion[4] = {cos(angle / 2), sin(angle / 2), 0, 0};
  assert_numbers("/value/tip/position", position, 3);
  assert_numbers("/value/tip/quaternion_wxyz", quaternion, 4);
  assert_numbers("/value/rod/quaternion_wxyz", quaternion, 4);
  const double origin[3] = {0, 0, 0};
  assert_numbers("/value/rod/position", origin, 3);
  assert_numbers("/value/base/position", origin, 3);
}

static void every_result_names_its_quantity_and_coordinates(void **state)
{
  (void)state;
  evaluate("energy");
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/quantity"), "energy");
  assert_int_equal(testing_json_count(json, "/q_names"), 1);
  assert_string_equal(testing_json_text(json, "/q_names/0"), "h");
  assert_int_equal(testing_json_count(json, "/v_names"), 1);
  assert_string_equal(testing_json_text(json, "/v_names/0"), "h");
  testing_json_free(json);
}

// A point of mass m at distance l: tau = I a + m g l sin(q). What the pendulum weighs is read off its own torque.
static void derivatives_of_a_pendulum_are_in_closed_form(void **state)
{
  (void)state;
  double inertia, weight, dq, dv, da, coriolis, by_q, by_v, by_tau;
  evaluate("inverse-dynamics");
  testing_json *json = command_json();
  testing_json_numbers(json, "/value", &weight, 1); // m g l sin(q)
  testing_json_free(json);
  evaluate("inverse-dynamics-derivatives");
  json = command_json();
  testing_json_numbers(json, "/value/dtau_dq", &dq, 1);
  testing_json_numbers(json, "/value/dtau_dv", &dv, 1);
  testing_json_numbers(json, "/value/dtau_da", &inertia, 1);
  testing_json_free(json);
  testing_assert_close("dtau/dq", &dq, (const double[]){weight / tan(angle)}, 1, rounding);
  testing_assert_close("dtau/dv", &dv, (const double[]){0}, 1, rounding);
  evaluate("mass-matrix");
  assert_numbers("/value/0", &inertia, 1);
  evaluate("forward-dynamics-derivatives");
  json = command_json();
  testing_json_numbers(json, "/value/da_dq", &by_q, 1);
  testing_json_numbers(json, "/value/da_dv", &by_v, 1);
  testing_json_numbers(json, "/value/da_dtau", &by_tau, 1);
  testing_json_free(json);
  da = -dq / inertia;
  testing_assert_close("da/dq", &by_q, &da, 1, rounding);
  testing_assert_close("da/dv", &by_v, (const double[]){0}, 1, rounding);
  testing_assert_close("da/dtau", &by_tau, (const double[]){1 / inertia}, 1, rounding);
  evaluate("coriolis-matrix");
  json = command_json();
  testing_json_numbers(json, "/value", &coriolis, 1);
  testing_json_free(json);
  testing_assert_close("C", &coriolis, (const double[]){0}, 1, rounding);
  evaluate("centroidal-momentum-matrix");
  evaluate("frame-derivatives --frames tip");
  const double turns[6] = {0, 0, 0, 0, -sin(angle) * rate, cos(angle) * rate}; // of (0, cos q, sin q) times the rate
  assert_numbers("/value/tip/dvelocity_dq", turns, 6);
}

// A parallelogram of cranks of 0.2 m, the point masses of 2 and 3 kg at their ends and 1 kg amid the coupler of 0.5 m:
// the coupler goes along a circle without turning, so I = 6 l^2, tau = I a + 6 g l sin(q) and v = (1, -1, 1) v1. The
// dependent coordinates are given roughly.
static void embedded_derivatives_of_a_parallelogram_are_in_closed_form(void **state)
{
  (void)state;
  testing_write(
      "loop.yaml",
      "models:\n- links:\n"
      "  - {name: left, mass: 2, com: [0, 0, -0.2], inertia: [0, 0, 0]}\n"
      "  - {name: coupler, mass: 1, com: [0, 0.25, 0], inertia: [0, 0, 0]}\n"
      "  - {name: right, mass: 3, com: [0, 0, -0.2], inertia: [0, 0, 0]}\n"
      "  joints:\n"
      "  - {name: a, kind: continuous, child: left, axis: [1, 0, 0]}\n"
      "  - {name: b, kind: continuous, parent: left, child: coupler, axis: [1, 0, 0], origin: {position: [0, 0, "
      "-0.2]}}\n"
      "  - {name: c, kind: continuous, child: right, axis: [1, 0, 0], origin: {position: [0, 0.5, 0]}}\n"
      "  closures:\n"
      "  - {name: pin, kind: revolute, axis: [1, 0, 0], frame_a: coupler, frame_b: right, pose_a: {position: [0, "
      "0.5, 0]}, pose_b: {position: [0, 0, -0.2]}, embed: true, independent: [a]}\n");
  const double l = 0.2, inertia = 6 * l * l, stiffness = 6 * 9.81 * l * cos(angle);
  const double none[9] = {0}, map[9] = {1, 0, 0, -1, 0, 0, 1, 0, 0};
  const char *const start = "--q 0.7,-0.6,0.8 --v 1.3,0,0 --a 0.4,0,0";
  if (sarrus("eval loop.yaml embedded-motion %s", start) != 0) fail_msg("%s", command_err);
  assert_numbers("/value/map", map, 9);
  assert_numbers("/value/da_dq", none, 9);
  if (sarrus("eval loop.yaml embedded-inverse-dynamics-derivatives %s", start) != 0) fail_msg("%s", command_err);
  const double by_q[3] = {stiffness, 0, 0}, by_a[3] = {inertia, 0, 0};
  assert_numbers("/value/dtau_dq/0", by_q, 3);
  assert_numbers("/value/dtau_dv", none, 9);
  assert_numbers("/value/dtau_da/0", by_a, 3);
  if (sarrus("eval loop.yaml embedded-forward-dynamics-derivatives %s", start) != 0) fail_msg("%s", command_err);
  double a_by_q[9] = {0}, a_by_tau[9];
  for (int i = 0; i < 9; i++) a_by_tau[i] = map[(size_t)i / 3 * 3] * map[(size_t)i % 3 * 3] / inertia;
  for (size_t i = 0; i < 9; i += 3) a_by_q[i] = -map[i] * stiffness / inertia;
  assert_numbers("/value/da_dq", a_by_q, 9);
  assert_numbers("/value/da_dtau", a_by_tau, 9);
  if (sarrus("eval loop.yaml embedded-frame-derivatives --frames coupler %s", start) != 0) fail_msg("%s", command_err);
  const double moves[18] = {[12] = l * cos(angle), [15] = l * sin(angle)};
  assert_numbers("/value/coupler/dvelocity_dv", moves, 18);
  if (sarrus("eval loop.yaml embedded-coriolis-matrix %s", start) != 0) fail_msg("%s", command_err);
  assert_numbers("/value", none, 9);
  if (sarrus("eval loop.yaml embedded-centroidal-momentum-matrix %s", start) != 0) fail_msg("%s", command_err);
  const double momentum[6] = {6 * l * cos(angle), 0, 0, 6 * l * sin(angle), 0, 0};
  assert_numbers("/value/matrix/4", momentum, 3);
  assert_numbers("/value/matrix/5", momentum + 3, 3);
  if (sarrus("eval p.urdf embedded-coriolis-matrix --q 0.7 --v 1.3") != 0) fail_msg("%s", command_err);
  assert_numbers("/value", none, 1); // of no loop: the plain one
  testing_write("far.yaml",
                "models:\n- links: [{name: rod, mass: 1, inertia: [1, 1, 1]}, {name: bar, mass: 1, inertia: [1, 1, "
                "1]}]\n  joints:\n  - {name: a, kind: continuous, child: rod, axis: [1, 0, 0]}\n"
                "  - {name: b, kind: continuous, child: bar, axis: [1, 0, 0], origin: {position: [0, 9, 0]}}\n"
                "  closures:\n  - {name: pin, kind: rod, frame_a: rod, frame_b: bar, pose_a: {position: [0, 0, "
                "1]}, pose_b: {position: [0, 0, 1]}, length: 2, embed: true, independent: [a]}\n");
  assert_int_equal(sarrus("eval far.yaml embedded-motion"), 1);
  assert_non_null(strstr(command_err, "pin"));
}

static void jacobian_has_angular_rows_first(void **state)
{
  (void)state;
  evaluate("jacobian --frames tip");
  const double rows[6] = {1, 0, 0, 0, cos(angle), sin(angle)};
  assert_numbers("/value/tip", rows, 6);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/value/tip"), 6);
  assert_int_equal(testing_json_count(json, "/value/tip/0"), 1);
  assert_false(testing_json_has(json, "/value/rod"));
  testing_json_free(json);
}

static void mass_matrix_and_bias_are_the_pendulum_s(void **state)
{
  (void)state;
  const double inertia = 0.6, gravity_torque = 9.81 * sin(angle);
  evaluate("mass-matrix");
  assert_numbers("/value", &inertia, 1);
  evaluate("bias");
  assert_numbers("/value", &gravity_torque, 1);
}

static void inverse_and_forward_dynamics_are_the_pendulum_s(void **state)
{
  (void)state;
  const double tau = 0.6 * 2.5 + 9.81 * sin(angle), a = (3 - 9.81 * sin(angle)) / 0.6;
  evaluate("inverse-dynamics --a 2.5");
  assert_numbers("/value", &tau, 1);
  evaluate("forward-dynamics --tau 3");
  assert_numbers("/value", &a, 1);
}

static void delassus_is_the_jacobian_s_square(void **state)
{
  (void)state;
  const double jacobian[12] = {1, 0, 0, 0, cos(angle), sin(angle), 1, 0, 0, 0, 0, 0};
  double lambda[144];
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < 12; k++) lambda[12 * i + k] = jacobian[i] * jacobian[k] / 0.6;
  evaluate("delassus --frames tip,rod");
  double values[144];
  testing_json *json = command_json();
  testing_json_numbers(json, "/value", values, 144);
  testing_assert_close("Delassus matrix", values, lambda, 144, rounding);
  testing_json_free(json);
}

// One joint, so W = j j^T / 0.6 and its pseudo-inverse 0.6 j j^T / (j . j)^2.
static void operational_space_inertia_is_refused_or_the_pseudo_inverse(void **state)
{
  (void)state;
  const double j[6] = {1, 0, 0, 0, cos(angle), sin(angle)};
  double lambda[36], values[36];
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) lambda[6 * i + k] = 0.6 * j[i] * j[k] / 4;
  evaluate("operational-space-inertia --pseudo-inverse --frames tip");
  testing_json *json = command_json();
  testing_json_numbers(json, "/value", values, 36);
  testing_assert_close("Lambda", values, lambda, 36, rounding);
  testing_json_free(json);
  assert_refused(sarrus("eval p.urdf operational-space-inertia --frames tip"), 1, "frame 'tip'");
  assert_refused(sarrus("eval p.urdf operational-space-inertia --frames tip"), 1, "pseudo-inverse");
  assert_int_equal(sarrus("eval p.urdf fk --pseudo-inverse"), 0);
  assert_non_null(strstr(command_err, "--pseudo-inverse has no effect on fk"));
}

static void com_and_energy_are_the_pendulum_s(void **state)
{
  (void)state;
  const double position[3] = {0, 0.5 * sin(angle), -0.5 * cos(angle)};
  const double velocity[3] = {0, 0.5 * rate * cos(angle), 0.5 * rate * sin(angle)};
  const double mass = 2, kinetic = 0.3 * rate * rate, potential = -9.81 * cos(angle);
  evaluate("com");
  assert_numbers("/value/position", position, 3);
  assert_numbers("/value/velocity", velocity, 3);
  assert_numbers("/value/mass", &mass, 1);
  evaluate("energy");
  assert_numbers("/value/kinetic", &kinetic, 1);
  assert_numbers("/value/potential", &potential, 1);
}

static void gravity_can_be_set(void **state)
{
  (void)state;
  const double torque = 2 * 0.5 * 3 * cos(angle); // the arm of a force along y about x is its height
  evaluate("bias --gravity 0,-3,0");
  assert_numbers("/value", &torque, 1);
}

static void without_a_state_the_neutral_configuration_at_rest_holds(void **state)
{
  (void)state;
  const double pendulum_torque = 0, quaternion[4] = {1, 0, 0, 0};
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("eval p.urdf inverse-dynamics"), 0);
  assert_numbers("/value", &pendulum_torque, 1);
  testing_write("heavy.urdf", pendulum_on_base);
  assert_int_equal(sarrus("eval heavy.urdf fk --base floating --frames base"), 0);
  assert_numbers("/value/base/quaternion_wxyz", quaternion, 4);
}

static void a_floating_base_falls_freely(void **state)
{
  (void)state;
  // Free fall of the whole: nothing turns, every part has g.
  const double a[7] = {0, 0, -9.81, 0, 0, 0, 0};
  testing_write("p.urdf", pendulum);
  assert_refused(sarrus("eval p.urdf forward-dynamics --base floating --quiet"), 1, "root"); // its base has no mass
  testing_write("heavy.urdf", pendulum_on_base);
  if (sarrus("eval heavy.urdf forward-dynamics --base floating --q '0 0 0, 1 0 0 0, 0.7'") != 0)
    fail_msg("%s", command_err);
  assert_numbers("/value", a, 7);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/v_names/2"), "root.vz");
  assert_string_equal(testing_json_text(json, "/q_names/3"), "root.qw");
  testing_json_free(json);
}

static void printed_numbers_read_back_as_the_same_double(void **state)
{
  (void)state;
  const double q = 0.1 + 0.2; // 0.30000000000000004
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("eval p.urdf inverse-dynamics --gravity 0,0,0 --a 1 --q 0.30000000000000004"), 0);
  assert_int_equal(sarrus("run p.urdf --duration 0 --json --q 0.30000000000000004"), 0);
  testing_json *json = command_json();
  assert_memory_equal(&q, &(double){testing_json_number(json, "/final/q/h")}, sizeof q);
  testing_json_free(json);
}

static void a_state_file_holds_arrays_or_names_and_lists_go_before_it(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("arrays.json", "{\"q\": [0.7], \"v\": [1.3], \"a\": [2.5], \"tau\": [3]}");
  testing_write("names.json", "{\"q\": {\"h\": 0.7}, \"a\": {\"h\": 2.5}, \"tau\": {\"h\": 3}}");
  const double tau = 0.6 * 2.5 + 9.81 * sin(angle), at_rest = 0.6 * 2.5, a = (3 - 9.81 * sin(angle)) / 0.6;
  assert_int_equal(sarrus("eval p.urdf inverse-dynamics --state arrays.json"), 0);
  assert_numbers("/value", &tau, 1);
  assert_int_equal(sarrus("eval p.urdf inverse-dynamics --state names.json"), 0);
  assert_numbers("/value", &tau, 1);
  assert_int_equal(sarrus("eval p.urdf forward-dynamics --state names.json"), 0);
  assert_numbers("/value", &a, 1);
  assert_int_equal(sarrus("eval p.urdf inverse-dynamics --state names.json --q 0"), 0);
  assert_numbers("/value", &at_rest, 1);
}

static void quaternions_are_brought_to_unit_length_or_refused(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  const double quaternion[4] = {1, 0, 0, 0};
  testing_write("heavy.urdf", pendulum_on_base);
  assert_int_equal(sarrus("eval heavy.urdf fk --base floating --q 0,0,0,1.0000005,0,0,0,0"), 0);
  assert_numbers("/value/base/quaternion_wxyz", quaternion, 4);
  assert_refused(sarrus("eval heavy.urdf fk --base floating --q 0,0,0,2,0,0,0,0"), 2, "joint 'root'");
  assert_refused(sarrus("eval heavy.urdf fk --base floating --q 0,0,0,0,0,0,0,0"), 2, "joint 'root'");
  testing_write("long.json", "{\"q\": {\"root\": [0, 0, 0, 2, 0, 0, 0]}}");
  assert_refused(sarrus("eval heavy.urdf fk --base floating --state long.json"), 1, "long.json");
}

static void what_does_not_fit_is_refused(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("key.json", "{\n  \"w\": [1]\n}");
  testing_write("joint.json", "{\"q\": {\n  \"k\": 1}}");
  testing_write("short.json", "{\"q\": []}");
  testing_write("word.json", "{\"q\": [\"x\"]}");
  testing_write("broken.json", "{\"q\": [1");
  static const struct {
    const char *arguments;
    int status;
    const char *message;
  } cases[] = {
      {"fkk", 2, "did you mean"},
      {"everything", 2, "forward-dynamics"},
      {"fk --q 1,2,3", 2, "--q has 3 numbers, the model needs 1: h"},
      {"fk --q ''", 2, "--q has 0 numbers, the model needs 1: h"},
      {"fk --q nan", 2, "'nan' is not a finite number"},
      {"fk --q 1e999", 2, "not a finite number"},
      {"fk --q 1.0rad", 2, "'1.0rad' is not a finite number"},
      {"fk --v ,1", 2, "empty"},
      {"fk --a 1,", 2, "empty"},
      {"fk --q 0x10", 2, "not a finite number"},
      {"fk --gravity 0,0", 2, "--gravity has 2 numbers"},
      {"fk --gravity 0,0,inf", 2, "'inf'"},
      {"fk --frames tipp", 2, "tip"},
      {"fk --frames tip,", 2, "no link or frame ''"},
      {"fk --frames tip,tip", 2, "twice"},
      {"fk --base floatin", 2, "did you mean 'floating'?"},
      {"fk --package nonsense", 2, "NAME=DIR"},
      {"operational-space-inertia", 2, "needs --frames"},
      {"delassus", 2, "needs --frames"},
      {"fk --state none.json", 1, "none.json"},
      {"fk --state key.json", 1, "key.json:2:"},
      {"fk --state joint.json", 1, "joint.json:2:"},
      {"fk --state short.json", 1, "short.json:1:"},
      {"fk --state word.json", 1, "word.json:1:"},
      {"fk --state broken.json", 1, "broken.json"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_refused(sarrus("eval p.urdf %s", cases[i].arguments), cases[i].status, cases[i].message);
}

static void long_lists_of_names_are_cut(void **state)
{
  (void)state;
  assert_refused(sarrus("eval '%s' fk --q 1,2,3", testing_data("robots/chain12.urdf")), 2,
                 "--q has 3 numbers, the model needs 12: hinge1, hinge2, ");
}

// Figures of another engine, Pinocchio 3.7; 1e-11 relative, the accelerations, which are ill-conditioned, 1e-9.
static void chain12_agrees_with_the_reference_figures(void **state)
{
  (void)state;
  static const struct {
    const char *what, *list, *input, *path;
    int n;
    double tolerance;
  } cases[] = {
      {"mass-matrix", "v", "v", "M", 144, 1e-11},
      {"bias", "v", "v", "nle", 12, 1e-11},
      {"inverse-dynamics", "a", "a", "rnea_tau", 12, 1e-11},
      {"forward-dynamics", "tau", "tau", "aba_qdd", 12, 1e-9},
  };
  const char *robot = testing_data("robots/chain12.urdf");
  testing_json *figures = testing_json_load(testing_data("robots/chain12.json"));
  for (int sample = 0; sample < 10; sample++) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      char lists[3][512];
      const char *inputs[3] = {"q", "v", cases[i].input};
      for (int k = 0; k < 3; k++) {
        double numbers[12];
        char path[64];
        size_t length = 0;
        snprintf(path, sizeof path, "/states/%d/%s", sample, inputs[k]);
        testing_json_numbers(figures, path, numbers, 12);
        for (int j = 0; j < 12; j++)
          length += (size_t)snprintf(lists[k] + length, sizeof lists[k] - length, "%.17g ", numbers[j]);
      }
      if (sarrus("eval '%s' %s --q '%s' --v '%s' --%s '%s'", robot, cases[i].what, lists[0], lists[1], cases[i].list,
                 lists[2]) != 0)
        fail_msg("%s", command_err);
      double expected[144], values[144];
      char path[64];
      snprintf(path, sizeof path, "/states/%d/%s", sample, cases[i].path);
      testing_json_numbers(figures, path, expected, cases[i].n);
      testing_json *json = command_json();
      testing_json_numbers(json, "/value", values, cases[i].n);
      testing_json_free(json);
      testing_assert_close(cases[i].what, values, expected, cases[i].n, cases[i].tolerance);
    }
  }
  testing_json_free(figures);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fk_places_every_frame),
      cmocka_unit_test(every_result_names_its_quantity_and_coordinates),
      cmocka_unit_test(derivatives_of_a_pendulum_are_in_closed_form),
      cmocka_unit_test(embedded_derivatives_of_a_parallelogram_are_in_closed_form),
      cmocka_unit_test(jacobian_has_angular_rows_first),
      cmocka_unit_test(mass_matrix_and_bias_are_the_pendulum_s),
      cmocka_unit_test(inverse_and_forward_dynamics_are_the_pendulum_s),
      cmocka_unit_test(delassus_is_the_jacobian_s_square),
      cmocka_unit_test(operational_space_inertia_is_refused_or_the_pseudo_inverse),
      cmocka_unit_test(com_and_energy_are_the_pendulum_s),
      cmocka_unit_test(gravity_can_be_set),
      cmocka_unit_test(without_a_state_the_neutral_configuration_at_rest_holds),
      cmocka_unit_test(a_floating_base_falls_freely),
      cmocka_unit_test(printed_numbers_read_back_as_the_same_double),
      cmocka_unit_test(a_state_file_holds_arrays_or_names_and_lists_go_before_it),
      cmocka_unit_test(quaternions_are_brought_to_unit_length_or_refused),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(long_lists_of_names_are_cut),
      cmocka_unit_test(chain12_agrees_with_the_reference_figures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
