// Spheres against spheres, boxes, capsules and cylinders.

#include "pairs_check.h"

static void spheres_and_their_partners_touch_where_nothing_is_nearer(void **state)
{
  (void)state;
  check_poses(srs_pair_sphere_sphere, SRS_SHAPE_SPHERE, SRS_SHAPE_SPHERE);
  check_poses(srs_pair_sphere_box, SRS_SHAPE_SPHERE, SRS_SHAPE_BOX);
  check_poses(srs_pair_sphere_capsule, SRS_SHAPE_SPHERE, SRS_SHAPE_CAPSULE);
  check_poses(srs_pair_sphere_cylinder, SRS_SHAPE_SPHERE, SRS_SHAPE_CYLINDER);
}

static void gaps_of_spheres_are_continuous(void **state)
{
  (void)state;
  check_paths(srs_pair_sphere_sphere, SRS_SHAPE_SPHERE, SRS_SHAPE_SPHERE);
  check_paths(srs_pair_sphere_box, SRS_SHAPE_SPHERE, SRS_SHAPE_BOX);
  check_paths(srs_pair_sphere_capsule, SRS_SHAPE_SPHERE, SRS_SHAPE_CAPSULE);
  check_paths(srs_pair_sphere_cylinder, SRS_SHAPE_SPHERE, SRS_SHAPE_CYLINDER);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_and_their_partners_touch_where_nothing_is_nearer),
      cmocka_unit_test(gaps_of_spheres_are_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
