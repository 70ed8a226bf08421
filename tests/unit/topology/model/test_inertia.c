// Possible inertias, and several bodies as one.
#include "support/testing.h"
#include "topology/model/inertia.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static mat3 random_axes(testing_random *random)
{
  double q[4], rows[9];
  for (int i = 0; i < 4; i++) q[i] = testing_uniform(random, -1, 1);
  srs_rotation_from_quaternion(q, rows);
  return mat3_from_rows(rows);
}

static void principal_moments_are_found_in_any_axes(void **state)
{
  (void)state;
  testing_random random = testing_random_start(41);
  for (int trial = 0; trial < 2000; trial++) {
    const double scale = pow(10, testing_uniform(&random, -9, 9));
    double expected[3], moments[3];
    expected[0] = scale * testing_uniform(&random, -0.2, 1);
    expected[1] = trial % 3 == 0 ? expected[0] : expected[0] + scale * testing_uniform(&random, 0, 1); // duplicates too
    expected[2] = trial % 5 == 0 ? expected[1] : expected[1] + scale * testing_uniform(&random, 0, 1);
    const sym3 diagonal = {expected[1], expected[2], expected[0], 0, 0, 0};
    srs_principal_moments(sym3_rotate(random_axes(&random), diagonal), moments);
    for (int i = 0; i < 3; i++) assert_true(fabs(moments[i] - expected[i]) <= 4e-15 * scale); // backward stable
    srs_principal_moments(diagonal, moments);
    assert_memory_equal(moments, expected, sizeof moments);
  }
}

static void any_cloud_of_points_is_possible(void **state)
{
  (void)state;
  testing_random random = testing_random_start(42);
  for (int trial = 0; trial < 2000; trial++) {
    const int n_points = 1 + testing_below(&random, 5); // one: nothing; two: a rod; three: a plate
    srs_body points[5];
    for (int i = 0; i < n_points; i++)
      points[i] = (srs_body){
          testing_uniform(&random, 0, 1),
          {testing_uniform(&random, -1, 1), testing_uniform(&random, -1, 1), testing_uniform(&random, -1, 1)},
          sym3_zero};
    const srs_body cloud = srs_body_weld(points, n_points);
    assert_int_equal(srs_inertia_validate(cloud.mass, cloud.inertia), SRS_INERTIA_POSSIBLE);
  }
}

static void flat_bodies_printed_with_six_digits_are_possible(void **state)
{
  (void)state;
  testing_random random = testing_random_start(43);
  for (int trial = 0; trial < 20000; trial++) {
    const double x = testing_uniform(&random, 0.01, 1), y = testing_uniform(&random, 0.01, 1);
    const double exact[3] = {x, y, x + y};
    double read[3];
    for (int i = 0; i < 3; i++) {
      char text[40];
      snprintf(text, sizeof text, "%.5e", exact[i]); // six digits
      assert_true(srs_parse_number(text, strlen(text), &read[i]));
    }
    assert_int_equal(srs_inertia_validate(1, (sym3){read[0], read[1], read[2], 0, 0, 0}), SRS_INERTIA_POSSIBLE);
  }
}

static void impossible_inertias_are_told_with_their_numbers(void **state)
{
  (void)state;
  char text[512];
  const sym3 top = {1.0, 0.2, 0.3, 0, 0, 0}, negative = {-0.001, 0.002, 0.002, 0, 0, 0}, spin = {0.1, 0, 0, 0, 0, 0};
  assert_int_equal(srs_inertia_validate(1, top), SRS_INERTIA_TRIANGLE);
  assert_non_null(strstr(srs_inertia_describe(1, top, text, sizeof text), "1.0 > 0.2 + 0.3"));
  assert_non_null(strstr(text, "by 0.5"));
  assert_int_equal(srs_inertia_validate(1, negative), SRS_INERTIA_NEGATIVE);
  assert_non_null(strstr(srs_inertia_describe(1, negative, text, sizeof text), "-0.001, 0.002, 0.002"));
  assert_int_equal(srs_inertia_validate(0, spin), SRS_INERTIA_WITHOUT_MASS);
  assert_non_null(strstr(srs_inertia_describe(0, spin, text, sizeof text), "no mass"));
  assert_int_equal(srs_inertia_validate(-1, sym3_zero), SRS_INERTIA_NEGATIVE_MASS);
  assert_int_equal(srs_inertia_validate(0, sym3_zero), SRS_INERTIA_POSSIBLE);
  assert_int_equal(srs_inertia_validate(1, sym3_zero), SRS_INERTIA_POSSIBLE); // a point
  // Six digits would print 1.0 > 0.5 + 0.5: more are shown.
  const sym3 close = {1.00002, 0.5, 0.5000000001, 0, 0, 0};
  srs_inertia_describe(1, close, text, sizeof text);
  assert_non_null(strstr(text, "1.00002 > 0.5 + 0.5"));
}

// A body cut into parts that are welded again: a box of n cells about its corner.
static void welding_the_parts_gives_the_whole(void **state)
{
  (void)state;
  const double size[3] = {0.3, 0.5, 0.7}, mass = 2.1;
  srs_body cells[27];
  int n = 0;
  for (int x = 0; x < 3; x++)
    for (int y = 0; y < 3; y++)
      for (int z = 0; z < 3; z++) {
        const double a = size[0] / 3, b = size[1] / 3, c = size[2] / 3, m = mass / 27;
        const sym3 box = {m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b), 0, 0, 0};
        cells[n++] = (srs_body){m, {(x + 0.5) * a, (y + 0.5) * b, (z + 0.5) * c}, box};
      }
  const srs_body whole = srs_body_weld(cells, n);
  const double a = size[0], b = size[1], c = size[2];
  double got[10] = {whole.mass, whole.com.x, whole.com.y, whole.com.z}, expected[10] = {mass, a / 2, b / 2, c / 2};
  sym3_store(got + 4, whole.inertia);
  sym3_store(expected + 4,
             (sym3){mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b), 0, 0, 0});
  testing_assert_close("box", got, expected, 10, 1e-15); // roundings of 27 terms
}

static void one_massive_part_comes_out_to_the_bit(void **state)
{
  (void)state;
  const srs_body part = {0.3, {0.1, 0.7, -0.2}, {0.11, 0.13, 0.17, 0.01, -0.02, 0.03}};
  const srs_body parts[3] = {{0, vec3_zero, sym3_zero}, part, {0, vec3_zero, sym3_zero}};
  const srs_body whole = srs_body_weld(parts, 3);
  assert_true(whole.mass == part.mass && whole.com.x == part.com.x && whole.com.y == part.com.y);
  assert_true(whole.inertia.xx == part.inertia.xx && whole.inertia.yz == part.inertia.yz);
}

// F05: diag(0.4, 0.9, 1.1) in axes turned by 45 degrees about z; by 90 degrees x and y change places.
static void inertia_in_turned_axes_is_turned_back(void **state)
{
  (void)state;
  srs_link_def def = srs_default_link_def();
  def.mass = 3;
  memcpy(def.inertia, (double[6]){0.4, 0.9, 1.1, 0, 0, 0}, sizeof def.inertia);
  double got[6];
  srs_rotation_from_rpy((double[3]){0, 0, 0.7853981633974483}, def.inertia_rotation);
  sym3_store(got, srs_body_of(&def).inertia);
  testing_assert_close("45", got, (double[6]){0.65, 0.65, 1.1, -0.25, 0, 0}, 6, 3e-16);
  srs_rotation_from_rpy((double[3]){0, 0, M_PI / 2}, def.inertia_rotation);
  sym3_store(got, srs_body_of(&def).inertia);
  testing_assert_close("90", got, (double[6]){0.9, 0.4, 1.1, 0, 0, 0}, 6, 3e-16);
  // Products of inertia given: yaw 90 takes I_xy to -I_xy, I_xz to -I_yz, I_yz to I_xz.
  memcpy(def.inertia + 3, (double[3]){0.01, 0.02, 0.03}, 3 * sizeof(double));
  sym3_store(got, srs_body_of(&def).inertia);
  testing_assert_close("products", got, (double[6]){0.9, 0.4, 1.1, -0.01, -0.03, 0.02}, 6, 3e-16);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(principal_moments_are_found_in_any_axes),
      cmocka_unit_test(any_cloud_of_points_is_possible),
      cmocka_unit_test(flat_bodies_printed_with_six_digits_are_possible),
      cmocka_unit_test(impossible_inertias_are_told_with_their_numbers),
      cmocka_unit_test(welding_the_parts_gives_the_whole),
      cmocka_unit_test(one_massive_part_comes_out_to_the_bit),
      cmocka_unit_test(inertia_in_turned_axes_is_turned_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
