// Terrain and heightfields among the shapes of a model.
#include "support/bodies.h"

// Two triangles of a square of 4 m at z = 0.
static const double square_points[12] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0};
static const int square_triangles[6] = {0, 1, 2, 0, 2, 3};

static srs_shape_def square(const char *name, const char *link)
{
  srs_shape_def def = bodies_shape(SRS_SHAPE_TERRAIN, name, link, 0, 0, 0);
  def.points = square_points, def.n_points = 4;
  def.triangles = square_triangles, def.n_triangles = 2;
  return def;
}

static srs_shape_def bumps(const char *name, const double *heights, int n)
{
  srs_shape_def def = bodies_shape(SRS_SHAPE_HEIGHTFIELD, name, NULL, 0.5, 0.5, 0);
  def.heights = heights, def.n_rows = n, def.n_columns = n;
  return def;
}

static srs_model *on_ground(const srs_shape_def *ground, srs_shape_def solid)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "body", SRS_JOINT_FREE, NULL);
  solid.link = "body";
  bodies_add_shape(builder, ground);
  bodies_add_shape(builder, &solid);
  return bodies_build(builder);
}

static void solids_rest_on_terrain_as_on_a_plane(void **state)
{
  (void)state;
  static double level[25];
  const srs_shape_def grounds[2] = {square("ground", NULL), bumps("ground", level, 5)};
  for (int g = 0; g < 2; g++) {
    srs_model *model = on_ground(&grounds[g], bodies_shape(SRS_SHAPE_BOX, "box", NULL, 0.2, 0.2, 0.2));
    srs_collider *collider = bodies_collider(model, NULL);
    const srs_pose links[1] = {bodies_at(0.03, 0.01, 0.099)}; // across the diagonal
    int n;
    srs_contact_point *contacts = bodies_contacts(collider, links, 0, &n);
    assert_int_equal(n, 4); // no more from the edge between the triangles
    for (int i = 0; i < n; i++) {
      assert_true(contacts[i].shape_a == 0 && contacts[i].link_a == -1 && contacts[i].link_b == 0);
      assert_true(fabs(contacts[i].gap + 0.001) < 1e-15);
      assert_true(fabs(contacts[i].normal[2] + 1) < 1e-15); // from B, the box, to A
    }
    free(contacts);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

static void rays_and_distances_see_terrain(void **state)
{
  (void)state;
  const srs_shape_def ground = square("ground", NULL);
  srs_model *model = on_ground(&ground, bodies_shape(SRS_SHAPE_SPHERE, "ball", NULL, 0.2, 0, 0));
  srs_collider *collider = bodies_collider(model, NULL);
  const double heights[] = {-0.05, 0.15, 0.2, 1, 20, 1e5};
  srs_contact_point nearest;
  for (int k = 0; k < 6; k++) {
    const srs_pose links[1] = {bodies_at(0.5, 0.3, heights[k])};
    assert_int_equal(srs_collider_distance(collider, links, 0, -1, &nearest, NULL), SRS_OK);
    assert_true(fabs(nearest.gap - (heights[k] - 0.2)) < 1e-15 * fmax(1, 10 * heights[k]));
  }
  const srs_pose far[1] = {bodies_at(5, 0, 4)}; // nearest to the border's middle at (2, 0, 0)
  assert_int_equal(srs_collider_distance(collider, far, 0, -1, &nearest, NULL), SRS_OK);
  assert_true(fabs(nearest.gap - 4.8) < 1e-12);
  const srs_pose below[1] = {bodies_at(0, 0, -30)};
  assert_int_equal(srs_collider_distance(collider, below, 0, -1, &nearest, NULL), SRS_ERROR_UNSUPPORTED);
  srs_ray_hit hit;
  const double from[3] = {1, 1, 3}, down[3] = {0, 0, -1}, up[3] = {0, 0, 1}, under[3] = {1, 1, -3};
  assert_int_equal(srs_collider_cast_ray(collider, below, from, down, 10, &hit, NULL), SRS_OK);
  assert_true(hit.shape == 0 && fabs(hit.distance - 3) < 1e-14 && fabs(hit.normal[2] - 1) < 1e-15);
  assert_int_equal(srs_collider_cast_ray(collider, below, under, up, 10, &hit, NULL), SRS_OK);
  assert_int_equal(hit.shape, -1);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void terrain_on_a_welded_link_is_ground_too(void **state)
{
  (void)state;
  for (int keep = 0; keep < 2; keep++) {
    srs_builder *builder = srs_builder_create();
    bodies_add_link(builder, "site", SRS_JOINT_FIXED, NULL);
    bodies_add_link(builder, "body", SRS_JOINT_FREE, NULL);
    srs_shape_def ground = square("ground", "site");
    ground.pose.position[2] = 1;
    const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "body", 0.2, 0, 0);
    bodies_add_shape(builder, &ground);
    bodies_add_shape(builder, &ball);
    const srs_build_options options = {.keep_fixed_joints = keep == 1};
    srs_model *model = NULL;
    assert_int_equal(srs_builder_build(builder, &options, &model, NULL), SRS_OK);
    srs_builder_destroy(builder);
    srs_collider *collider = bodies_collider(model, NULL);
    srs_pose links[2] = {bodies_at(0, 0, 0), bodies_at(0, 0, 0)};
    links[srs_model_find_link(model, "body")] = bodies_at(0, 0, 1.1);
    srs_contact_point contact;
    int n;
    assert_int_equal(srs_collider_contacts(collider, links, 0, &contact, 1, &n, NULL), SRS_OK);
    assert_int_equal(n, 1);
    assert_true(fabs(contact.gap + 0.1) < 1e-15);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

static void what_cannot_lie_on_ground_is_refused(void **state)
{
  (void)state;
  const srs_shape_def ground = square("ground", NULL);
  const srs_shape_kind kinds[2] = {SRS_SHAPE_PARABOLOID, SRS_SHAPE_HALF_SPACE};
  for (int k = 0; k < 2; k++) {
    srs_model *model = on_ground(&ground, bodies_shape(kinds[k], "thing", NULL, 1, 1, 1));
    srs_collider *collider;
    srs_error error;
    assert_int_equal(srs_collider_create(model, NULL, &collider, &error), SRS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'ground' (terrain) and 'thing'"));
    srs_model_destroy(model);
  }
  srs_shape_def line = square("line", NULL);
  static const double points[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  line.points = points;
  srs_model *model = on_ground(&line, bodies_shape(SRS_SHAPE_SPHERE, "ball", NULL, 1, 0, 0));
  srs_collider *collider;
  srs_error error;
  assert_int_equal(srs_collider_create(model, NULL, &collider, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "'line'"));
  srs_model_destroy(model);
}

static void a_crowd_on_rough_ground_is_the_same_in_any_order_and_again(void **state)
{
  (void)state;
  enum { BALLS = 12, SIDE = 9 };
  static const srs_shape_kind kinds[] = {SRS_SHAPE_SPHERE, SRS_SHAPE_BOX,  SRS_SHAPE_CAPSULE,  SRS_SHAPE_CYLINDER,
                                         SRS_SHAPE_CONE,   SRS_SHAPE_HULL, SRS_SHAPE_ELLIPSOID};
  testing_random random = testing_random_start(64);
  double heights[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++) heights[i] = testing_uniform(&random, -0.2, 0.2);
  srs_contact_point *first[2];
  int n[2];
  srs_pose poses[BALLS];
  for (int k = 0; k < BALLS; k++) {
    poses[k] = bodies_random_pose(&random, 1.5);
    poses[k].position[2] *= 0.2;
  }
  for (int order = 0; order < 2; order++) {
    srs_builder *builder = srs_builder_create();
    const srs_shape_def ground = bumps("ground", heights, SIDE);
    if (order == 0) bodies_add_shape(builder, &ground);
    srs_pose links[BALLS];
    for (int k = 0; k < BALLS; k++) {
      const int i = order == 0 ? k : BALLS - 1 - k;
      char name[8];
      snprintf(name, sizeof name, "b%d", i);
      bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
      srs_shape_def def = bodies_shape(kinds[i % 7], NULL, name, 0.2, 0.3, 0.25);
      double points[24];
      for (int p = 0; p < 24; p++) points[p] = 0.15 * bodies_cube[p];
      def.points = points;
      bodies_add_shape(builder, &def);
      links[k] = poses[i];
    }
    if (order == 1) bodies_add_shape(builder, &ground);
    srs_model *model = bodies_build(builder);
    srs_collider *collider = bodies_collider(model, NULL);
    first[order] = bodies_contacts(collider, links, 0.01, &n[order]);
    int m;
    srs_pose moved[BALLS];
    for (int k = 0; k < BALLS; k++) moved[k] = bodies_random_pose(&random, 1);
    free(bodies_contacts(collider, moved, 0.05, &m));
    srs_contact_point *again = bodies_contacts(collider, links, 0.01, &m);
    assert_int_equal(m, n[order]);
    assert_memory_equal(again, first[order], (size_t)m * sizeof *again);
    free(again);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
  assert_int_equal(n[0], n[1]);
  assert_true(n[0] > BALLS);
  double sums[2][7] = {{0}}; // not in the same order: sums of what both have, roundings apart
  for (int order = 0; order < 2; order++) {
    for (int i = 0; i < n[order]; i++) {
      const srs_contact_point *c = &first[order][i];
      sums[order][0] += c->gap;
      for (int x = 0; x < 3; x++) sums[order][1 + x] += c->point_a[x] + c->point_b[x];
      for (int x = 0; x < 3; x++) sums[order][4 + x] += fabs(c->normal[x]);
    }
    free(first[order]);
  }
  testing_assert_close("sums", sums[0], sums[1], 7, 1e-13);
}

// A plate over rough ground, so far up that looking at all of it finds thousands of nodes.
static void more_contact_points_than_there_is_room_for_are_reported(void **state)
{
  (void)state;
  enum { SIDE = 60 };
  testing_random random = testing_random_start(65);
  double *heights = calloc((size_t)SIDE * SIDE, sizeof *heights), highest = 0;
  assert_non_null(heights);
  for (int i = 0; i < SIDE * SIDE; i++) {
    heights[i] = testing_uniform(&random, -0.05, 0.05);
    highest = fmax(highest, heights[i]);
  }
  const srs_shape_def ground = bumps("ground", heights, SIDE);
  srs_model *model = on_ground(&ground, bodies_shape(SRS_SHAPE_BOX, "plate", NULL, 50, 50, 1));
  free(heights);
  srs_collider *collider = bodies_collider(model, NULL);
  const srs_pose links[1] = {bodies_at(0, 0, 2)};
  srs_contact_point contact;
  srs_error error;
  int n;
  assert_int_equal(srs_collider_contacts(collider, links, 3, &contact, 1, &n, &error), SRS_ERROR_CAPACITY);
  assert_true(n > 4096);
  assert_string_equal(error.message, "shapes 'ground' and 'plate' touch in more than 4096 points; give the ground "
                                     "coarser triangles, or the solid in parts");
  assert_int_equal(srs_collider_distance(collider, links, 0, -1, &contact, &error), SRS_OK);
  assert_true(fabs(contact.gap - (1.5 - highest)) < 1e-12);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_rest_on_terrain_as_on_a_plane),
      cmocka_unit_test(rays_and_distances_see_terrain),
      cmocka_unit_test(terrain_on_a_welded_link_is_ground_too),
      cmocka_unit_test(what_cannot_lie_on_ground_is_refused),
      cmocka_unit_test(a_crowd_on_rough_ground_is_the_same_in_any_order_and_again),
      cmocka_unit_test(more_contact_points_than_there_is_room_for_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
