// Does asking for contacts take memory? The allocator is interposed, C++'s included, and counted over many questions
// with few and many contacts. And where it gives up while a collider is made, that is told and nothing leaks.
#include "allocation/counted_allocator.h"
#include "support/bodies.h"

enum { BODIES = 70, ROOM = 20000 }; // more pairs than are listed: swept

static const srs_shape_kind kinds[] = {SRS_SHAPE_SPHERE,   SRS_SHAPE_BOX,  SRS_SHAPE_CAPSULE,
                                       SRS_SHAPE_CYLINDER, SRS_SHAPE_CONE, SRS_SHAPE_HULL};

static srs_model *heap(int n)
{
  srs_builder *builder = srs_builder_create();
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, "floor", NULL, 0, 0, 0);
  bodies_add_shape(builder, &floor);
  static const double heights[25] = {[6] = 0.1, [8] = -0.1, [12] = 0.2, [18] = 0.1};
  srs_shape_def ground = bodies_shape(SRS_SHAPE_HEIGHTFIELD, "ground", NULL, 0.5, 0.5, 0);
  ground.heights = heights, ground.n_rows = ground.n_columns = 5;
  bodies_add_shape(builder, &ground);
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
    srs_shape_def def = bodies_shape(kinds[i % 6], NULL, name, 0.2, 0.2, 0.2);
    double points[24];
    for (int p = 0; p < 24; p++) points[p] = 0.1 * bodies_cube[p];
    def.points = points;
    bodies_add_shape(builder, &def);
  }
  return bodies_build(builder);
}

static void ten_thousand_questions_take_no_memory(void **state)
{
  (void)state;
  testing_random random = testing_random_start(51);
  const int sizes[] = {6, BODIES, 6, BODIES, 6, BODIES}; // the second two by the ratio metric, the third by Bullet
  static srs_contact_point contacts[ROOM];
  for (int s = 0; s < 6; s++) {
    srs_model *model = heap(sizes[s]);
    srs_collider_options options = srs_default_collider_options();
    if (s / 2 == 1) options.distance = SRS_DISTANCE_RATIO_METRIC;
    if (s / 2 == 2) options.detector = SRS_DETECTOR_BULLET;
    srs_collider *collider = bodies_collider(model, &options);
    const int queries = s % 2 == 0 ? 10000 : 200;
    const long before = requests;
    int least = ROOM, most = 0;
    for (int round = 0; round < queries; round++) {
      srs_pose links[BODIES];
      const double reach = 5 - 4.9 * round / queries; // from strewn to all in one place
      for (int k = 0; k < sizes[s]; k++) links[k] = bodies_random_pose(&random, reach);
      int n;
      srs_contact_point nearest;
      srs_ray_hit hit;
      const double down[3] = {0, 0.1, -1}, from[3] = {0, 0, 3};
      assert_int_equal(srs_collider_contacts(collider, links, 0.01, contacts, ROOM, &n, NULL), SRS_OK);
      assert_int_equal(srs_collider_distance(collider, links, round % 3, 3 + round % 3, &nearest, NULL), SRS_OK);
      assert_int_equal(srs_collider_cast_ray(collider, links, from, down, 10, &hit, NULL), SRS_OK);
      least = n < least ? n : least;
      most = n > most ? n : most;
    }
    assert_int_equal(requests, before);
    assert_true(most > 3 * least);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

static void out_of_memory_is_told_and_nothing_leaks(void **state)
{
  (void)state;
  srs_model *model = heap(12);
  const char *const excluded[] = {"b1", "b2", NULL};
  srs_collider_options options = srs_default_collider_options();
  options.excluded = excluded;
  options.distance = SRS_DISTANCE_RATIO_METRIC;
#ifdef SARRUS_WITH_SHIM // libbulletc's own constructors write to memory that they did not get
  options.detector = SRS_DETECTOR_BULLET;
#endif
  srs_status status = SRS_ERROR_MEMORY;
  for (long granted = 0; status != SRS_OK; granted++) {
    srs_collider *collider = NULL;
    left = granted, live = 0, armed = true;
    status = srs_collider_create(model, &options, &collider, NULL);
    armed = false;
    assert_true(status == SRS_OK || status == SRS_ERROR_MEMORY);
    assert_true((collider != NULL) == (status == SRS_OK));
    if (status == SRS_OK) assert_true(granted > 10);
    if (status != SRS_OK) assert_int_equal(live, 0);
    srs_collider_destroy(collider);
    assert_true(granted < 10000);
  }
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ten_thousand_questions_take_no_memory),
      cmocka_unit_test(out_of_memory_is_told_and_nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
