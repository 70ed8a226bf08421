// Distances between frames, and rays.
#include "collision/shapes/outline.h"
#include "collision/shapes/support.h"
#include "collision/world/collider.h"
#include "support/bodies.h"

// ball and stick on one body, crate on another, a floor.
typedef struct yard {
  srs_model *model;
  srs_collider *collider;
} yard;

static yard make_yard(void)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "body", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "crate", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "bare", SRS_JOINT_FREE, NULL);
  srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "body", 0.2, 0, 0);
  srs_shape_def stick = bodies_shape(SRS_SHAPE_CAPSULE, "stick", "body", 0.1, 2, 0);
  stick.pose = bodies_at(1, 0, 0);
  srs_shape_def crate = bodies_shape(SRS_SHAPE_BOX, "crate", "crate", 1, 1, 1);
  crate.group = 0; // filters are for contacts
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, "floor", NULL, 0, 0, 0);
  srs_shape_def ghost = bodies_shape(SRS_SHAPE_SPHERE, "ghost", "bare", 5, 0, 0);
  ghost.is_visual = true;
  bodies_add_shape(builder, &crate);
  bodies_add_shape(builder, &ball);
  bodies_add_shape(builder, &floor);
  bodies_add_shape(builder, &stick);
  bodies_add_shape(builder, &ghost);
  yard y = {.model = bodies_build(builder)};
  y.collider = bodies_collider(y.model, NULL);
  return y;
}

static void end_yard(yard *y)
{
  srs_collider_destroy(y->collider);
  srs_model_destroy(y->model);
}

static void the_nearest_of_all_shapes_counts(void **state)
{
  (void)state;
  yard y = make_yard();
  const int body = srs_model_find_frame(y.model, "body"), crate = srs_model_find_frame(y.model, "crate");
  srs_pose links[3] = {bodies_at(0, 0, 3), bodies_at(0, 0, 1), bodies_at(0, 0, 0)};
  srs_contact_point nearest;
  // Ball above the crate's top by 3 - 0.2 - 1.5; the stick's lower end at (1, 0, 2), beside its edge at (0.5, 0, 1.5).
  assert_int_equal(srs_collider_distance(y.collider, links, body, crate, &nearest, NULL), SRS_OK);
  assert_string_equal(srs_model_shape(y.model, nearest.shape_a)->name, "crate");
  assert_string_equal(srs_model_shape(y.model, nearest.shape_b)->name, "stick");
  assert_true(fabs(nearest.gap - (sqrt(0.5) - 0.1)) < 1e-15);
  const double edge[3] = {0.5, 0, 1.5};
  testing_assert_close("point", nearest.point_a, edge, 3, 1e-15);
  srs_contact_point turned;
  assert_int_equal(srs_collider_distance(y.collider, links, crate, body, &turned, NULL), SRS_OK);
  assert_memory_equal(&turned, &nearest, sizeof turned);
  links[0] = bodies_at(-1, 0, 3); // the ball's turn
  links[0].position[2] = 1.8;
  assert_int_equal(srs_collider_distance(y.collider, links, body, crate, &nearest, NULL), SRS_OK);
  assert_string_equal(srs_model_shape(y.model, nearest.shape_b)->name, "stick"); // at x = 0 and 0.2 inside
  assert_true(nearest.gap < 0);
  end_yard(&y);
}

static void the_world_and_far_bodies_have_distances_too(void **state)
{
  (void)state;
  yard y = make_yard();
  const int body = srs_model_find_frame(y.model, "body"), crate = srs_model_find_frame(y.model, "crate");
  srs_pose links[3] = {bodies_at(0, 0, 1e6), bodies_at(0, 0, 1), bodies_at(0, 0, 0)};
  srs_contact_point nearest;
  assert_int_equal(srs_collider_distance(y.collider, links, body, -1, &nearest, NULL), SRS_OK);
  assert_true(fabs(nearest.gap - (1e6 - 1.1)) < 1e-9); // the stick's end; rounding of 1e6
  assert_int_equal(nearest.link_a, -1);
  assert_int_equal(srs_collider_distance(y.collider, links, -1, crate, &nearest, NULL), SRS_OK);
  assert_true(fabs(nearest.gap - 0.5) < 1e-15);
  assert_int_equal(srs_collider_distance(y.collider, links, body, crate, &nearest, NULL), SRS_OK);
  assert_true(fabs(nearest.gap - (1e6 - 2.6)) < 1e-6); // of the stick's end from the crate's edge, 0.5 m to the side
  end_yard(&y);
}

// Two convex solids that are apart along n by s(n) = min n . A - max n . B are nowhere nearer than that: where the
// points that were found are as near, they are the nearest.
static void distances_between_all_kinds_are_proved_by_their_normals(void **state)
{
  (void)state;
  static const srs_shape_kind kinds[] = {SRS_SHAPE_SPHERE,   SRS_SHAPE_BOX,  SRS_SHAPE_CAPSULE,
                                         SRS_SHAPE_CYLINDER, SRS_SHAPE_CONE, SRS_SHAPE_HULL};
  testing_random random = testing_random_start(63);
  for (int first = 0; first < 6; first++)
    for (int second = first; second < 6; second++) {
      srs_builder *builder = srs_builder_create();
      bodies_add_link(builder, "a", SRS_JOINT_FREE, NULL);
      bodies_add_link(builder, "b", SRS_JOINT_FREE, NULL);
      const srs_shape_def a = bodies_shape(kinds[first], NULL, "a", 1, 1.5, 0.7);
      const srs_shape_def b = bodies_shape(kinds[second], NULL, "b", 0.5, 1, 2);
      bodies_add_shape(builder, &a);
      bodies_add_shape(builder, &b);
      srs_model *model = bodies_build(builder);
      srs_collider *collider = bodies_collider(model, NULL);
      for (int round = 0; round < 200; round++) {
        srs_pose links[2] = {bodies_random_pose(&random, 1), bodies_random_pose(&random, 1)};
        const double apart = exp(testing_uniform(&random, 1.2, 5));
        links[0].position[round % 3] += apart;
        srs_contact_point nearest;
        assert_int_equal(srs_collider_distance(collider, links, 0, 1, &nearest, NULL), SRS_OK);
        if (nearest.gap < 0) continue;
        const vec3 n = vec3_load(nearest.normal);
        const vec3 low = srs_solid_support(&collider->geometries.placed[0], scale3(-1, n));
        const vec3 high = srs_solid_support(&collider->geometries.placed[1], n);
        const double bound = dot3(n, sub3(low, high));
        if (!(fabs(bound - nearest.gap) <= 1e-9 * (apart + 1)))
          fail_msg("%s and %s: %.17g, but %.17g along the normal", srs_shape_kind_name(kinds[first]),
                   srs_shape_kind_name(kinds[second]), nearest.gap, bound);
      }
      srs_collider_destroy(collider);
      srs_model_destroy(model);
    }
}

static void frames_without_shapes_are_refused(void **state)
{
  (void)state;
  yard y = make_yard();
  const int body = srs_model_find_frame(y.model, "body"), bare = srs_model_find_frame(y.model, "bare");
  const srs_pose links[3] = {bodies_at(0, 0, 3), bodies_at(0, 0, 1), bodies_at(0, 0, 0)};
  srs_contact_point nearest;
  srs_error error;
  assert_int_equal(srs_collider_distance(y.collider, links, body, bare, &nearest, &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(error.message, "frame 'bare' carries no shape that collides");
  assert_int_equal(srs_collider_distance(y.collider, links, body, body, &nearest, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_distance(y.collider, links, body, 99, &nearest, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_distance(y.collider, links, -2, body, &nearest, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_distance(y.collider, NULL, body, -1, &nearest, &error), SRS_ERROR_ARGUMENT);
  end_yard(&y);
}

static void kinds_without_a_distance_are_refused(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "egg", SRS_JOINT_FREE, NULL);
  srs_shape_def egg = bodies_shape(SRS_SHAPE_SUPERELLIPSOID, NULL, "egg", 1, 2, 3);
  srs_shape_def crate = bodies_shape(SRS_SHAPE_CONE, "crate", NULL, 1, 1, 1);
  crate.group = 0;
  bodies_add_shape(builder, &egg);
  bodies_add_shape(builder, &crate);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  const srs_pose links[1] = {bodies_at(0, 0, 3)};
  srs_contact_point nearest;
  srs_error error;
  assert_int_equal(srs_collider_distance(collider, links, 0, -1, &nearest, &error), SRS_ERROR_UNSUPPORTED);
  assert_string_equal(error.message,
                      "the distance between superellipsoid of 'egg' (superellipsoid) and 'crate' (cone) cannot be "
                      "found in this version");
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rays
// ---------------------------------------------------------------------------------------------------------------------

static srs_ray_hit cast(const yard *y, const srs_pose *links, double fx, double fy, double fz, double dx, double dy,
                        double dz, double length)
{
  const double from[3] = {fx, fy, fz}, direction[3] = {dx, dy, dz};
  srs_ray_hit hit;
  srs_error error;
  if (srs_collider_cast_ray(y->collider, links, from, direction, length, &hit, &error) != SRS_OK)
    fail_msg("%s", error.message);
  return hit;
}

static void a_ray_meets_the_first_shape_on_its_way(void **state)
{
  (void)state;
  yard y = make_yard();
  const srs_pose links[3] = {bodies_at(0, 0, 3), bodies_at(0, 0, 1), bodies_at(0, 0, 0)};
  const double up[3] = {0, 0, 1};
  srs_ray_hit hit = cast(&y, links, 0, 0, 10, 0, 0, -2, 100); // any length of direction
  assert_string_equal(srs_model_shape(y.model, hit.shape)->name, "ball");
  assert_true(fabs(hit.distance - 6.8) < 1e-14);
  testing_assert_close("normal", hit.normal, up, 3, 1e-14);
  testing_assert_close("point", hit.point, (double[3]){0, 0, 3.2}, 3, 1e-14);
  hit = cast(&y, links, 0.3, 0.2, 10, 0, 0, -1, 100); // beside the ball
  assert_string_equal(srs_model_shape(y.model, hit.shape)->name, "crate");
  assert_true(fabs(hit.distance - 8.5) < 1e-14);
  hit = cast(&y, links, 5, 5, 10, 0, 0, -1, 100);
  assert_string_equal(srs_model_shape(y.model, hit.shape)->name, "floor");
  assert_true(fabs(hit.distance - 10) < 1e-14);
  hit = cast(&y, links, 1, -5, 3, 0, 1, 0, 100);
  assert_string_equal(srs_model_shape(y.model, hit.shape)->name, "stick");
  assert_true(fabs(hit.distance - 4.9) < 1e-14);
  hit = cast(&y, links, 0, 0, 10, 0, 0, -1, 6.7);
  assert_int_equal(hit.shape, -1);
  hit = cast(&y, links, 0, 0, 10, 0, 0, 1, INFINITY);
  assert_int_equal(hit.shape, -1);
  hit = cast(&y, links, 3, 0, 10, 1e-8, 0, 0, INFINITY); // along the floor: not met
  assert_int_equal(hit.shape, -1);
  end_yard(&y);
}

static void many_rays_agree_with_looking_at_points(void **state)
{
  (void)state;
  testing_random random = testing_random_start(62);
  yard y = make_yard();
  srs_pose links[3];
  for (int round = 0; round < 300; round++) {
    for (int k = 0; k < 3; k++) links[k] = bodies_random_pose(&random, 1);
    double from[3], direction[3];
    for (int c = 0; c < 3; c++) {
      from[c] = testing_uniform(&random, -4, 4);
      direction[c] = -from[c] + testing_uniform(&random, -1, 1);
    }
    from[2] = fabs(from[2]) + 3;
    const srs_ray_hit hit =
        cast(&y, links, from[0], from[1], from[2], direction[0], direction[1], direction[2], INFINITY);
    // The point of the hit is on the surface, and the way there is free: a small ball there overlaps nothing.
    if (hit.shape < 0) continue;
    const double size = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    for (int c = 0; c < 3; c++) assert_true(fabs(hit.point[c] - from[c] - hit.distance / size * direction[c]) < 1e-13);
    double facing = 0;
    for (int c = 0; c < 3; c++) facing += hit.normal[c] * direction[c];
    assert_true(facing < 0);
    const double back[3] = {from[0], from[1], from[2]};
    srs_ray_hit nothing;
    assert_int_equal(
        srs_collider_cast_ray(y.collider, links, back, direction, hit.distance * (1 - 1e-9), &nothing, NULL), SRS_OK);
    assert_int_equal(nothing.shape, -1);
  }
  end_yard(&y);
}

static void rays_without_sense_are_refused(void **state)
{
  (void)state;
  yard y = make_yard();
  const srs_pose links[3] = {bodies_at(0, 0, 3), bodies_at(0, 0, 1), bodies_at(0, 0, 0)};
  const double from[3] = {0, 0, 10}, down[3] = {0, 0, -1}, none[3] = {0, 1e-10, 0}, bad[3] = {0, NAN, 0};
  srs_ray_hit hit;
  srs_error error;
  assert_int_equal(srs_collider_cast_ray(y.collider, links, from, none, 1, &hit, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_cast_ray(y.collider, links, from, down, -1, &hit, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_cast_ray(y.collider, links, from, bad, 1, &hit, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_collider_cast_ray(y.collider, links, bad, down, 1, &hit, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_collider_cast_ray(y.collider, links, from, down, NAN, &hit, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_collider_cast_ray(y.collider, links, NULL, down, 1, &hit, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_cast_ray(y.collider, NULL, from, down, 1, &hit, &error), SRS_ERROR_ARGUMENT);
  end_yard(&y);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_of_all_shapes_counts),
      cmocka_unit_test(the_world_and_far_bodies_have_distances_too),
      cmocka_unit_test(distances_between_all_kinds_are_proved_by_their_normals),
      cmocka_unit_test(frames_without_shapes_are_refused),
      cmocka_unit_test(kinds_without_a_distance_are_refused),
      cmocka_unit_test(a_ray_meets_the_first_shape_on_its_way),
      cmocka_unit_test(many_rays_agree_with_looking_at_points),
      cmocka_unit_test(rays_without_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
