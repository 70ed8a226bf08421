// Rotations as matrices, quaternions and roll-pitch-yaw angles.
#include "support/testing.h"
#include "topology/base/rotations.h"

#include <math.h>

static void roll_pitch_yaw_turn_about_fixed_axes(void **state)
{
  (void)state;
  double r[9];
  srs_rotation_from_rpy((double[3]){0, 0, 0}, r);
  assert_memory_equal(r, srs_identity_pose().rotation, sizeof r);
  // Roll by 90 degrees takes y to z, then yaw by 90 degrees takes x to y and leaves z.
  srs_rotation_from_rpy((double[3]){M_PI / 2, 0, M_PI / 2}, r);
  testing_assert_close("rpy", r, (double[9]){0, 0, 1, 1, 0, 0, 0, 1, 0}, 9, 1e-16);
  srs_rotation_from_rpy((double[3]){0, M_PI / 2, 0}, r); // pitch takes x to -z
  testing_assert_close("pitch", r, (double[9]){0, 0, 1, 0, 1, 0, -1, 0, 0}, 9, 1e-16);
}

static void quaternions_and_rotations_agree(void **state)
{
  (void)state;
  testing_random random = testing_random_start(12);
  for (int i = 0; i < 20000; i++) {
    double q[4], back[4], r[9], square = 0;
    // Small entries too, so that each of the four branches is taken near its edge.
    for (int j = 0; j < 4; j++) q[j] = pow(testing_uniform(&random, -1, 1), 5), square += q[j] * q[j];
    srs_rotation_from_quaternion(q, r);
    srs_quaternion_from_rotation(r, back);
    const double scale = (q[0] < 0 ? -1 : 1) / sqrt(square);
    for (int j = 0; j < 4; j++) q[j] *= scale;
    assert_true(back[0] >= 0);
    if (back[0] < 1e-9) continue;                          // the sign is free there
    testing_assert_close("quaternion", back, q, 4, 1e-15); // a few roundings
  }
  double r[9];
  srs_rotation_from_quaternion((double[4]){0, 0, 0, 0}, r);
  assert_memory_equal(r, srs_identity_pose().rotation, sizeof r);
  srs_rotation_from_quaternion((double[4]){1e300, 0, 0, 1e300}, r); // 90 degrees about z, without overflow
  testing_assert_close("yaw", r, (double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1}, 9, 1e-15);
}

static void a_unit_quaternion_may_be_off_by_its_printed_digits(void **state)
{
  (void)state;
  double length;
  assert_true(srs_quaternion_is_unit((double[4]){0.707107, 0.707107, 0, 0}, &length)); // six digits: 3e-7 off
  assert_true(fabs(length - 1) < 4e-7);
  assert_false(srs_quaternion_is_unit((double[4]){1 + 2e-6, 0, 0, 0}, &length));
  assert_false(srs_quaternion_is_unit((double[4]){0, 0, 0, 0}, &length));
  assert_true(length == 0);
  assert_false(srs_quaternion_is_unit((double[4]){1e300, 0, 0, 1e300}, &length));
  assert_true(isfinite(length));
  assert_false(srs_quaternion_is_unit((double[4]){NAN, 0, 0, 1}, &length));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roll_pitch_yaw_turn_about_fixed_axes),
      cmocka_unit_test(quaternions_and_rotations_agree),
      cmocka_unit_test(a_unit_quaternion_may_be_off_by_its_printed_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
