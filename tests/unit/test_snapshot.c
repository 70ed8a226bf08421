// What of a model's shapes is in its fingerprint, and what is left of a step where another state is restored? (What a
// sim does with its snapshots: test_simulation.c.)

#include "engine/simulation.h"
#include "support/embedded.h"

#include <math.h>
#include <stdlib.h>

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

// What a step left is not told of another state.
static void nothing_is_told_of_a_step_that_did_not_lead_here(void **state)
{
  (void)state;
  for (int is_embedded = 0; is_embedded < 2; is_embedded++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[0], is_embedded != 0,
                                      "drives: [{coordinate: q3, kp: 5, kd: 1, position: 0.2}]\n");
    srs_sim *sim = NULL;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
    void *bytes = malloc(srs_sim_snapshot_size(sim));
    srs_sim_snapshot_save(sim, bytes);
    for (int way = 0; way < 3; way++) {
      double wrench[6], size = 0;
      assert_int_equal(srs_sim_step(sim, 10, NULL), SRS_OK);
      const double q3 = srs_sim_drive_effort(sim)[2];
      assert_int_equal(srs_sim_set_state(sim, 1, NULL, NULL, NULL), SRS_OK); // the clock alone
      assert_int_equal(srs_sim_loop_wrench(sim, 0, NULL, wrench), SRS_OK);
      assert_true(q3 != 0 && srs_sim_drive_effort(sim)[2] == q3 && wrench[5] != 0);
      if (way == 0) assert_int_equal(srs_sim_snapshot_restore(sim, bytes, srs_sim_snapshot_size(sim), NULL), SRS_OK);
      if (way == 1) assert_int_equal(srs_sim_set_state(sim, 0, NULL, srs_sim_v(sim), NULL), SRS_OK);
      if (way == 2) srs_sim_reset(sim);
      assert_int_equal(srs_sim_loop_wrench(sim, 0, NULL, wrench), SRS_OK);
      for (int i = 0; i < 6; i++) size += fabs(wrench[i]);
      for (int i = 0; i < 3; i++) size += fabs(srs_sim_drive_effort(sim)[i]);
      assert_true(size == 0);
    }
    free(bytes);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_exponents_count),
      cmocka_unit_test(places_and_filters_count),
      cmocka_unit_test(triangles_of_terrain_count),
      cmocka_unit_test(heights_count),
      cmocka_unit_test(nothing_is_told_of_a_step_that_did_not_lead_here),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
