// Silhouettes of round solids: bounds by their support functions, areas of their shadows.
#include "pictures/drawing.h"
#include "tools/pictures/sketch.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static srs_pose random_pose(testing_random *random)
{
  srs_pose pose = {
      .position = {testing_uniform(random, -5, 5), testing_uniform(random, -5, 5), testing_uniform(random, -5, 5)}};
  const double rpy[3] = {testing_uniform(random, -3, 3), testing_uniform(random, -1.5, 1.5),
                         testing_uniform(random, -3, 3)};
  srs_rotation_from_rpy(rpy, pose.rotation);
  return pose;
}

static sketch draw(srs_shape_kind kind, const double size[3], const srs_pose *pose)
{
  const srs_shape shape = shape_of(kind, size[0], size[1], size[2]);
  sketch s = {0};
  assert_true(sketch_shape(&s, &shape, pose, 0));
  return s;
}

// How far a solid reaches along the view's axis i.
static double reach(srs_shape_kind kind, const double size[3], const srs_pose *pose, int i)
{
  const double *r = &pose->rotation[(size_t)i * 3], tilt = sqrt(r[0] * r[0] + r[1] * r[1]);
  switch (kind) {
  case SRS_SHAPE_SPHERE: return size[0];
  case SRS_SHAPE_ELLIPSOID:
    return sqrt(size[0] * size[0] * r[0] * r[0] + size[1] * size[1] * r[1] * r[1] + size[2] * size[2] * r[2] * r[2]);
  case SRS_SHAPE_CAPSULE: return size[0] + size[1] / 2 * fabs(r[2]);
  case SRS_SHAPE_CYLINDER: return size[0] * tilt + size[1] / 2 * fabs(r[2]);
  default: return fmax(size[0] * tilt - size[1] / 2 * r[2], size[1] / 2 * r[2]); // cone, upwards
  }
}

static void bounds_are_the_support_functions(void **state)
{
  (void)state;
  static const srs_shape_kind kinds[] = {SRS_SHAPE_SPHERE, SRS_SHAPE_ELLIPSOID, SRS_SHAPE_CAPSULE, SRS_SHAPE_CYLINDER,
                                         SRS_SHAPE_CONE};
  testing_random random = testing_random_start(3);
  for (int round = 0; round < 200; round++) {
    const srs_shape_kind kind = kinds[round % 5];
    const double size[3] = {testing_uniform(&random, 0.2, 2), testing_uniform(&random, 0.2, 2),
                            testing_uniform(&random, 0.2, 2)};
    const srs_pose pose = random_pose(&random);
    sketch s = draw(kind, size, &pose);
    for (int i = 0; i < 2; i++) {
      const double wanted = pose.position[i] + reach(kind, size, &pose, i), got = s.solids[0].high[i];
      assert_true(got <= wanted + 1e-12);
      assert_true(got >= wanted - 0.005 * 2); // 48 points a turn: 1 - cos(pi / 48) = 0.0021 of a radius
    }
    sketch_destroy(&s);
  }
}

// What is farthest in a direction lies on the surface, and its normal there is the direction.
static void smooth_solids_are_seen_by_their_normals(void **state)
{
  (void)state;
  testing_random random = testing_random_start(6);
  for (int round = 0; round < 100; round++) {
    const bool is_paraboloid = round % 2 == 1;
    srs_shape shape =
        shape_of(is_paraboloid ? SRS_SHAPE_PARABOLOID : SRS_SHAPE_SUPERELLIPSOID, testing_uniform(&random, 0.3, 2),
                 testing_uniform(&random, 0.3, 2), testing_uniform(&random, 0.3, 2));
    for (int i = 0; i < 2; i++) shape.exponent[i] = testing_uniform(&random, 2, 5);
    const srs_pose pose = random_pose(&random);
    sketch s = {0};
    assert_true(sketch_shape(&s, &shape, &pose, 0));
    assert_int_equal(paths_of(&s, SKETCH_FACE), 1);
    for (int k = 0; k < 96; k++) {
      double local[3] = {0, 0, 0};
      for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
          local[i] += pose.rotation[3 * j + i] * (s.points[3 * (size_t)k + j] - pose.position[j]);
      const double *a = shape.size, *e = shape.exponent, x = fabs(local[0] / a[0]), y = fabs(local[1] / a[1]),
                   z = fabs(local[2] / a[2]);
      if (!is_paraboloid) {
        const double across = pow(x, e[0]) + pow(y, e[0]);
        assert_true(fabs(pow(across, e[1] / e[0]) + pow(z, e[1]) - 1) < 1e-9);
        const double factor = pow(across, e[1] / e[0] - 1); // of the gradient's first two parts
        double normal[3] = {factor * copysign(pow(x, e[0] - 1), local[0]) / a[0],
                            factor * copysign(pow(y, e[0] - 1), local[1]) / a[1],
                            copysign(pow(z, e[1] - 1), local[2]) / a[2]};
        double seen = 0, length = 0; // along the viewer: none on a silhouette
        for (size_t i = 0; i < 3; i++) {
          seen += pose.rotation[6 + i] * normal[i];
          length += normal[i] * normal[i];
        }
        assert_true(fabs(seen) < 1e-6 * sqrt(length));
      } else {
        const double below = -(local[0] * local[0] / a[0] + local[1] * local[1] / a[1]) / 2;
        assert_true(local[2] >= -a[2] - 1e-12 && local[2] <= below + 1e-9);
        assert_true(fabs(local[2] - below) < 1e-9 || fabs(local[2] + a[2]) < 1e-12);
      }
    }
    sketch_destroy(&s);
  }
}

static void a_cylinder_shows_the_cap_that_faces_the_viewer(void **state)
{
  (void)state;
  const double size[3] = {1, 3, 0};
  for (int k = 0; k < 3; k++) { // from above, from below, from the side
    const double rpy[3] = {k == 0 ? 0.5 : k == 1 ? pi - 0.5 : pi / 2, 0, 0};
    srs_pose pose = srs_identity_pose();
    srs_rotation_from_rpy(rpy, pose.rotation);
    sketch s = draw(SRS_SHAPE_CYLINDER, size, &pose);
    const int faces = paths_of(&s, SKETCH_FACE), marks = paths_of(&s, SKETCH_MARK);
    const bool is_seen = fabs(pose.rotation[8]) > 1e-6;
    assert_int_equal(faces, is_seen ? 2 : 1);
    assert_int_equal(marks, is_seen ? 1 : 0);
    if (is_seen) { // the cap is a disc, tilted
      const double cap = pi * fabs(pose.rotation[8]);
      assert_true(fabs(fabs(area_of(&s, &s.paths[1])) - cap) < 0.003 * cap);
    }
    const double shadow = 2 * 3 * sqrt(1 - pose.rotation[8] * pose.rotation[8]) + pi * fabs(pose.rotation[8]);
    assert_true(fabs(area_of(&s, &s.paths[0]) - shadow) < 0.003 * shadow);
    sketch_destroy(&s);
  }
}

static void a_ball_is_a_disc_and_its_marks_face_the_viewer(void **state)
{
  (void)state;
  testing_random random = testing_random_start(4);
  const double size[3] = {1.5, 0, 0};
  for (int round = 0; round < 20; round++) {
    const srs_pose pose = random_pose(&random);
    sketch s = draw(SRS_SHAPE_SPHERE, size, &pose);
    assert_int_equal(s.paths[0].kind, SKETCH_DISC);
    assert_true(s.paths[0].radius == 1.5);
    for (int i = 1; i < s.n_paths; i++) {
      assert_int_equal(s.paths[i].kind, SKETCH_MARK);
      for (int k = 0; k < s.paths[i].n; k++) {
        const double *p = &s.points[3 * (size_t)(s.paths[i].first + k)];
        assert_true(p[2] - pose.position[2] >= -1e-12);
        const double x = p[0] - pose.position[0], y = p[1] - pose.position[1], z = p[2] - pose.position[2];
        assert_true(fabs(sqrt(x * x + y * y + z * z) - 1.5) < 1e-12);
      }
    }
    sketch_destroy(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_the_support_functions),
      cmocka_unit_test(smooth_solids_are_seen_by_their_normals),
      cmocka_unit_test(a_cylinder_shows_the_cap_that_faces_the_viewer),
      cmocka_unit_test(a_ball_is_a_disc_and_its_marks_face_the_viewer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
