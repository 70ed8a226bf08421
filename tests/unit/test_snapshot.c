// What of a model's shapes is in its fingerprint? (What a sim does with its snapshots: test_simulation.c.)

#include "engine/simulation.h"
#include "support/testing.h"

static uint64_t fingerprint_of(const srs_shape_def *shape)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  if (srs_builder_add_shape(builder, shape, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_model *model = testing_build(builder);
  const uint64_t fingerprint = srs_model_fingerprint(model);
  srs_model_destroy(model);
  return fingerprint;
}

static void assert_tells(const srs_shape_def *one, const srs_shape_def *other)
{
  assert_true(fingerprint_of(one) == fingerprint_of(one));
  assert_true(fingerprint_of(one) != fingerprint_of(other));
}

static void sizes_and_exponents_count(void **state)
{
  (void)state;
  srs_shape_def egg = srs_default_shape_def(SRS_SHAPE_SUPERELLIPSOID);
  for (int i = 0; i < 3; i++) egg.size[i] = 1;
  for (int i = 0; i < 3; i++) {
    srs_shape_def other = egg;
    other.size[i] = 1.5;
    assert_tells(&egg, &other);
  }
  for (int i = 0; i < 2; i++) {
    srs_shape_def other = egg;
    other.exponent[i] = 3;
    assert_tells(&egg, &other);
  }
}

static void places_and_filters_count(void **state)
{
  (void)state;
  srs_shape_def ball = srs_default_shape_def(SRS_SHAPE_SPHERE);
  ball.size[0] = 1;
  srs_shape_def moved = ball, visual = ball, in_group = ball, masked = ball;
  moved.pose.position[1] = 0.1;
  visual.is_visual = true;
  in_group.group = 2;
  masked.mask = 1;
  assert_tells(&ball, &moved);
  assert_tells(&ball, &visual);
  assert_tells(&ball, &in_group);
  assert_tells(&ball, &masked);
}

static void triangles_of_terrain_count(void **state)
{
  (void)state;
  static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5};
  static const int one_way[6] = {0, 1, 2, 1, 3, 2}, other_way[6] = {0, 1, 3, 0, 3, 2};
  srs_shape_def terrain = srs_default_shape_def(SRS_SHAPE_TERRAIN);
  terrain.points = corners, terrain.n_points = 4;
  terrain.triangles = one_way, terrain.n_triangles = 2;
  srs_shape_def other = terrain;
  other.triangles = other_way;
  assert_tells(&terrain, &other);
}

static void heights_count(void **state)
{
  (void)state;
  static const double level[8] = {0}, bumpy[8] = {0, 0, 0, 0, 0, 0, 0, 0.1};
  srs_shape_def field = srs_default_shape_def(SRS_SHAPE_HEIGHTFIELD);
  field.size[0] = field.size[1] = 1;
  field.heights = level, field.n_rows = 2, field.n_columns = 4;
  srs_shape_def other = field, turned = field;
  other.heights = bumpy;
  turned.n_rows = 4, turned.n_columns = 2;
  assert_tells(&field, &other);
  assert_tells(&field, &turned);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_exponents_count),
      cmocka_unit_test(places_and_filters_count),
      cmocka_unit_test(triangles_of_terrain_count),
      cmocka_unit_test(heights_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
