// Joint kinds and the configuration manifold.
#include "support/testing.h"
#include "topology/model/configuration.h"

#include <math.h>
#include <string.h>

enum { MOST = 256 };

static const srs_joint_kind quaternion_kinds[] = {SRS_JOINT_SPHERICAL, SRS_JOINT_FREE};

static double norm_error(const double *q)
{
  return fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1);
}

static double worst_norm_error(const srs_model *model, const double *q)
{
  double worst = 0;
  for (int k = 0; k < model->n_links; k++) {
    const int at = srs_joint_kind_quaternion((srs_joint_kind)model->kind[k]);
    if (at >= 0) worst = fmax(worst, norm_error(q + model->q_index[k] + at));
  }
  return worst;
}

static void kinds_have_the_coordinates_of_the_table(void **state)
{
  (void)state;
  const int nq[SRS_JOINT_KINDS] = {0, 1, 1, 1, 1, 2, 2, 4, 3, 7}, nv[SRS_JOINT_KINDS] = {0, 1, 1, 1, 1, 2, 2, 3, 3, 6};
  const char *names[SRS_JOINT_KINDS] = {"fixed",       "revolute",  "continuous", "prismatic", "helical",
                                        "cylindrical", "universal", "spherical",  "planar",    "free"};
  for (int k = 0; k < SRS_JOINT_KINDS; k++) {
    assert_int_equal(srs_joint_kind_nq((srs_joint_kind)k), nq[k]);
    assert_int_equal(srs_joint_kind_nv((srs_joint_kind)k), nv[k]);
    assert_string_equal(srs_joint_kind_name((srs_joint_kind)k), names[k]);
    for (int i = 0; i < nq[k]; i++) {
      assert_non_null(srs_joint_kind_q_word((srs_joint_kind)k, i));
      assert_non_null(strchr("al1", srs_joint_kind_q_type((srs_joint_kind)k, i)));
    }
    for (int i = 0; i < nv[k]; i++) {
      assert_non_null(srs_joint_kind_v_word((srs_joint_kind)k, i));
      assert_non_null(strchr("al", srs_joint_kind_v_type((srs_joint_kind)k, i)));
    }
  }
  assert_string_equal(srs_joint_kind_name((srs_joint_kind)99), "unknown");
}

static void difference_undoes_integrate(void **state)
{
  (void)state;
  testing_random random = testing_random_start(31);
  for (int trial = 0; trial < 50; trial++) {
    srs_model *model = testing_random_model(&random, 20, NULL, 0, 0.5);
    double q0[MOST], q1[MOST], v[MOST], back[MOST], again[MOST];
    // Rotations below half a turn, from 1e-12 rad up: |w| <= sqrt(3) * 1.8.
    const double scale = pow(10, testing_uniform(&random, -12, 0)) * 1.8;
    testing_random_q(&random, model, q0);
    testing_random_v(&random, model, scale, v);
    srs_integrate(model, q0, v, 1, q1);
    srs_difference(model, q1, q0, back);
    testing_assert_close("v", back, v, srs_model_nv(model), 2e-15); // rounding of entries up to 1.5
    srs_integrate(model, q0, back, 1, again);
    testing_assert_close("q", again, q1, srs_model_nq(model), 2e-15);
    assert_true(worst_norm_error(model, q1) < 3e-16);
    srs_model_destroy(model);
  }
}

// About a fixed axis the angle is the coordinate: near 0 and near pi the difference must not lose digits.
static void turning_about_one_axis_adds_angles(void **state)
{
  (void)state;
  testing_random random = testing_random_start(32);
  srs_model *model = testing_random_model(&random, 1, quaternion_kinds, 1, 1);
  const double angles[] = {0, 1e-300, 1e-160, 1e-12, 1e-10, 1e-4, 1, 3.14159, M_PI - 1e-12, M_PI - 1e-7};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    const double q0[4] = {1, 0, 0, 0}, w[3] = {0.48 * angles[i], -0.6 * angles[i], 0.64 * angles[i]}; // unit axis
    double q1[4], v[3];
    srs_integrate(model, q0, w, 1, q1);
    testing_assert_close("cos", q1, &(double){cos(angles[i] / 2)}, 1, 3e-16);
    srs_difference(model, q1, q0, v);
    for (int j = 0; j < 3; j++) assert_true(fabs(v[j] - w[j]) <= 4e-16 * angles[i]); // relative, even of 1e-300
  }
  // Many whole turns come out like none.
  double q1[4];
  srs_integrate(model, (double[4]){1, 0, 0, 0}, (double[3]){0, 0, 4 * M_PI}, 250, q1);
  testing_assert_close("turns", q1, (double[4]){1, 0, 0, 0}, 4, 2e-13); // pi is rounded: 1000 pi off by 1e-13
  srs_model_destroy(model);
}

static void difference_takes_the_shorter_way(void **state)
{
  (void)state;
  testing_random random = testing_random_start(33);
  srs_model *model = testing_random_model(&random, 1, quaternion_kinds, 1, 1);
  const double q0[4] = {1, 0, 0, 0}, q1[4] = {-cos(0.1), -sin(0.1), 0, 0};
  double v[3];
  srs_difference(model, q1, q0, v); // -q1 is a turn by 0.2 about x
  testing_assert_close("v", v, (double[3]){0.2, 0, 0}, 3, 1e-16);
  srs_difference(model, (double[4]){0, 0, 1, 0}, q0, v); // half a turn: either sense
  testing_assert_close("half", v, (double[3]){0, M_PI, 0}, 3, 1e-16);
  srs_model_destroy(model);
}

static void a_free_link_translates_in_the_parents_axes(void **state)
{
  (void)state;
  testing_random random = testing_random_start(34);
  const srs_joint_kind kinds[] = {SRS_JOINT_FREE};
  srs_model *model = testing_random_model(&random, 1, kinds, 1, 1);
  const double c = sqrt(0.5), q0[7] = {1, 2, 3, c, 0, 0, c}; // turned by 90 degrees about z
  const double v[6] = {1, 0, 0, M_PI / 2, 0, 0};             // along the world's x; about the link's x, the world's y
  double q1[7];
  srs_integrate(model, q0, v, 1, q1);
  testing_assert_close("q", q1, (double[7]){2, 2, 3, 0.5, 0.5, 0.5, 0.5}, 7, 2e-16);
  srs_model_destroy(model);
}

static void quaternions_stay_unit_for_a_million_steps(void **state)
{
  (void)state;
  testing_random random = testing_random_start(35);
  srs_model *model = testing_random_model(&random, 3, quaternion_kinds, 2, 1);
  double q[MOST], v[MOST], worst = 0;
  testing_random_q(&random, model, q);
  testing_random_v(&random, model, 3, v);
  for (int step = 0; step < 1000000; step++) {
    srs_integrate(model, q, v, 1e-3, q);
    if (step % 1000 == 0) worst = fmax(worst, worst_norm_error(model, q));
  }
  assert_true(worst < 4e-16); // normalised in each step: no drift, only the last rounding
  srs_model_destroy(model);
}

static void normalise_scales_all_or_none(void **state)
{
  (void)state;
  testing_random random = testing_random_start(36);
  srs_model *model = testing_random_model(&random, 2, quaternion_kinds, 1, 1);
  double q[8] = {2, 0, 0, 0, 0, 3e-8, 0, 0};
  assert_true(srs_normalise(model, q));
  testing_assert_close("q", q, (double[8]){1, 0, 0, 0, 0, 1, 0, 0}, 8, 0);
  const double bad[3] = {1e-10, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    double first[8] = {2, 0, 0, 0, 0, bad[i], 0, 0}, before[8];
    memcpy(before, first, sizeof first);
    assert_false(srs_normalise(model, first));
    assert_memory_equal(before, first, sizeof first);
  }
  double huge[8] = {1e300, 1e300, 0, 0, 1e200, 0, 0, 0};
  assert_true(srs_normalise(model, huge));
  assert_true(worst_norm_error(model, huge) < 3e-16);
  srs_model_destroy(model);
}

// u(t + h) for a body turning at the constant velocity w is the difference of the turned quaternion: central
// differences.
static void tangent_rate_is_the_derivative_of_the_displacement(void **state)
{
  (void)state;
  testing_random random = testing_random_start(37);
  for (int trial = 0; trial < 200; trial++) {
    srs_model *model = testing_random_model(&random, 4, NULL, 0, 1);
    double q0[MOST], u[MOST], v[MOST], q[MOST], ahead[MOST], behind[MOST], du[MOST], expected[MOST];
    const int nv = srs_model_nv(model);
    const double h = 1e-4;
    testing_random_q(&random, model, q0);
    testing_random_v(&random, model, trial % 2 == 0 ? 0.05 : 1.5, u); // the series, and the closed form
    testing_random_v(&random, model, 1, v);
    srs_integrate(model, q0, u, 1, q);
    srs_integrate(model, q, v, h, ahead);
    srs_integrate(model, q, v, -h, behind);
    srs_difference(model, ahead, q0, ahead);
    srs_difference(model, behind, q0, behind);
    for (int i = 0; i < nv; i++) expected[i] = (ahead[i] - behind[i]) / (2 * h);
    srs_tangent_rate(model, u, v, du);
    testing_assert_close("du", du, expected, nv, 1e-7); // h^2 times third derivatives of order 1
    srs_tangent_rate(model, u, v, v);
    assert_memory_equal(v, du, (size_t)nv * sizeof *v);
    srs_model_destroy(model);
  }
}

static void tangent_rate_has_no_seam(void **state)
{
  (void)state;
  testing_random random = testing_random_start(38);
  srs_model *model = testing_random_model(&random, 1, quaternion_kinds, 1, 1);
  double below[3], above[3];
  srs_tangent_rate(model, (double[3]){0.09999999999, 0, 0}, (double[3]){0, 1, 2}, below);
  srs_tangent_rate(model, (double[3]){0.10000000001, 0, 0}, (double[3]){0, 1, 2}, above);
  testing_assert_close("du", below, above, 3, 2e-11); // the step itself
  srs_model_destroy(model);
}

static void turned_axes_are_right_handed_and_exact_for_coordinate_axes(void **state)
{
  (void)state;
  const double expected[6][9] = {{0, 0, 1, 1, 0, 0, 0, 1, 0}, {0, 0, -1, 1, 0, 0, 0, -1, 0},
                                 {0, 1, 0, 0, 0, 1, 1, 0, 0}, {0, -1, 0, 0, 0, -1, 1, 0, 0},
                                 {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, -1, 0, 0, 0, -1}};
  for (int i = 0; i < 6; i++) {
    double n[3] = {0, 0, 0}, rows[9];
    n[i / 2] = i % 2 == 0 ? 1 : -1;
    mat3_to_rows(rows, srs_turned_axes(vec3_load(n)));
    for (int j = 0; j < 9; j++) assert_true(rows[j] == expected[i][j]);
  }
  testing_random random = testing_random_start(39);
  for (int trial = 0; trial < 1000; trial++) {
    vec3 n = {testing_uniform(&random, -1, 1), testing_uniform(&random, -1, 1), testing_uniform(&random, -1, 1)};
    n = scale3(1 / norm3(n), n);
    const mat3 b = srs_turned_axes(n);
    const double errors[5] = {dot3(b.x, b.y), dot3(b.x, b.z), norm3(b.x) - 1, norm3(b.y) - 1,
                              norm3(sub3(cross3(b.x, b.y), b.z))};
    testing_assert_close("orthonormal", errors, (double[5]){0}, 5, 1e-15); // a few roundings
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_the_coordinates_of_the_table),
      cmocka_unit_test(difference_undoes_integrate),
      cmocka_unit_test(turning_about_one_axis_adds_angles),
      cmocka_unit_test(difference_takes_the_shorter_way),
      cmocka_unit_test(a_free_link_translates_in_the_parents_axes),
      cmocka_unit_test(quaternions_stay_unit_for_a_million_steps),
      cmocka_unit_test(normalise_scales_all_or_none),
      cmocka_unit_test(tangent_rate_is_the_derivative_of_the_displacement),
      cmocka_unit_test(tangent_rate_has_no_seam),
      cmocka_unit_test(turned_axes_are_right_handed_and_exact_for_coordinate_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
