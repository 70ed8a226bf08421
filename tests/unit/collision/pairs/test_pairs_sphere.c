// Spheres against spheres, boxes, capsules and cylinders.

#include "collision/pairs/pairs.h"
#include "support/pairs_check.h"

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

static int touch_at(srs_pair_function *pair, const srs_solid *a, vec3 at, const srs_solid *b, srs_touch *touch)
{
  const srs_placed pa = {a, mat3_identity, at}, pb = {b, mat3_identity, vec3_zero};
  srs_touch touches[SRS_MANIFOLD_POINTS];
  const int n = pair(NULL, &pa, &pb, 10, touches);
  assert_nodes_are_sound(&pa, &pb, 10, touches, n);
  *touch = touches[0];
  return n;
}

// The depth of a centre inside is that of the nearest face; on an axis or in the middle a normal is there as well.
static void centres_that_coincide_have_a_normal_and_their_depth(void **state)
{
  (void)state;
  const srs_solid ball = solid_of(SRS_SHAPE_SPHERE, 0.25, 0, 0);
  const struct {
    srs_pair_function *pair;
    srs_solid other;
    double depth;
  } cases[] = {
      {srs_pair_sphere_sphere, solid_of(SRS_SHAPE_SPHERE, 0.5, 0, 0), 0.5},
      {srs_pair_sphere_box, solid_of(SRS_SHAPE_BOX, 3, 1, 2), 0.5},
      {srs_pair_sphere_capsule, solid_of(SRS_SHAPE_CAPSULE, 0.5, 1, 0), 0.5},
      {srs_pair_sphere_cylinder, solid_of(SRS_SHAPE_CYLINDER, 0.5, 2, 0), 0.5},
      {srs_pair_sphere_cylinder, solid_of(SRS_SHAPE_CYLINDER, 2, 1, 0), 0.5},
  };
  static const double off[] = {0, 1e-18, 1e-160, 1e-310};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < 4; k++) {
      srs_touch touch;
      assert_int_equal(touch_at(cases[i].pair, &ball, (vec3){off[k], off[k], off[k]}, &cases[i].other, &touch), 1);
      assert_true(fabs(touch.gap + 0.25 + cases[i].depth) < 1e-15);
    }
  }
}

static void a_centre_on_the_surface_is_as_deep_as_the_radius(void **state)
{
  (void)state;
  const srs_solid ball = solid_of(SRS_SHAPE_SPHERE, 0.25, 0, 0), box = solid_of(SRS_SHAPE_BOX, 1, 1, 1),
                  can = solid_of(SRS_SHAPE_CYLINDER, 0.5, 1, 0);
  srs_touch touch;
  for (int k = -20; k <= 20; k++) { // across the face, by rounding
    const double x = 0.5 + k * 0x1p-53;
    touch_at(srs_pair_sphere_box, &ball, (vec3){x, 0.1, 0.2}, &box, &touch);
    assert_true(touch.gap == (x - 0.5) - 0.25 && touch.normal.x == 1);
    touch_at(srs_pair_sphere_cylinder, &ball, (vec3){x, 0, 0.2}, &can, &touch);
    assert_true(touch.gap == (x - 0.5) - 0.25 && touch.normal.x == 1);
    touch_at(srs_pair_sphere_cylinder, &ball, (vec3){0.1, 0.2, -x}, &can, &touch);
    assert_true(touch.gap == (x - 0.5) - 0.25 && touch.normal.z == -1);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_and_their_partners_touch_where_nothing_is_nearer),
      cmocka_unit_test(centres_that_coincide_have_a_normal_and_their_depth),
      cmocka_unit_test(a_centre_on_the_surface_is_as_deep_as_the_radius),
      cmocka_unit_test(gaps_of_spheres_are_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
