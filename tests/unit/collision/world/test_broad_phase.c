// A search by grids, and the list that it leaves, find what looking at every pair finds, in the same order.
#include "collision/world/broad_phase.h"
#include "support/bodies.h"

#include <time.h>

enum { MOST = 200 };

typedef struct cloud {
  srs_model *model;
  srs_geometries geometries;
  srs_filter filter;
  srs_arena arena;
  int n_pairs;
} cloud;

// Balls of very different sizes on links of their own, some half-spaces that move, and a world.
static cloud make_cloud(testing_random *random, int n, int n_planes)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", testing_below(random, 10) * 1000 + i);
    bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
    const bool is_plane = i < n_planes;
    srs_shape_def def = bodies_shape(is_plane ? SRS_SHAPE_HALF_SPACE : SRS_SHAPE_SPHERE, NULL, name,
                                     exp(testing_uniform(random, -4, 0)), 0, 0);
    def.group = is_plane ? 2 : 1;
    if (is_plane) def.mask = 1;
    if (i % 7 == 0) def.mask &= 2; // meets half-spaces only
    bodies_add_shape(builder, &def);
  }
  srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, NULL, NULL, 0, 0, 0);
  floor.pose.position[2] = -1;
  floor.mask = 1;
  floor.group = 2;
  bodies_add_shape(builder, &floor);
  cloud c = {.model = bodies_build(builder)};
  return c;
}

static void prepare(cloud *c)
{
  const srs_collider_options options = srs_default_collider_options();
  assert_int_equal(srs_geometries_make(c->model, &c->geometries, NULL), SRS_OK);
  assert_int_equal(srs_filter_make(&c->geometries, &options, &c->arena, &c->filter, NULL), SRS_OK);
  for (int i = 0; i < c->geometries.n; i++)
    for (int j = i + 1; j < c->geometries.n; j++) c->n_pairs += srs_filter_passes(&c->filter, i, j);
}

static void release(cloud *c)
{
  srs_geometries_release(&c->geometries);
  srs_arena_release(&c->arena);
  srs_model_destroy(c->model);
}

static void compare_with_all_pairs(cloud *c, srs_broad_phase *broad, double margin)
{
  long n = srs_broad_phase_find(broad, margin), at = 0;
  if (n > broad->capacity) {
    assert_true(broad->can_grow && srs_broad_phase_grow(broad, n, &c->arena));
    assert_true(broad->capacity >= n && broad->capacity <= c->n_pairs);
    n = srs_broad_phase_find(broad, margin);
  }
  for (int i = 0; i < c->geometries.n; i++)
    for (int j = i + 1; j < c->geometries.n; j++) {
      if (!srs_filter_passes(&c->filter, i, j) || !srs_bounds_meet(&c->geometries, i, j, margin)) continue;
      if (at >= n || broad->found[at].i != i || broad->found[at].j != j) fail_msg("pair %d %d is not at %ld", i, j, at);
      at++;
    }
  assert_int_equal(at, n);
}

static void every_pair_whose_bounds_meet_is_found_in_order(void **state)
{
  (void)state;
  testing_random random = testing_random_start(31);
  const int sizes[] = {1, 2, 5, 30, 80, MOST};
  for (int s = 0; s < 6; s++) {
    cloud c = make_cloud(&random, sizes[s], sizes[s] / 10);
    prepare(&c);
    srs_broad_phase broad;
    assert_int_equal(srs_broad_phase_make(&c.geometries, &c.filter, c.n_pairs, 0, &c.arena, &broad, NULL), SRS_OK);
    assert_int_equal(broad.begin == NULL, sizes[s] >= 80); // both ways are tried
    for (int round = 0; round < 60; round++) {
      srs_pose links[MOST];
      const double reach = exp(testing_uniform(&random, -1, 3));
      const int axis = testing_below(&random, 4); // spread along one axis, or all
      for (int k = 0; k < sizes[s]; k++) {
        links[k] = bodies_random_pose(&random, reach);
        for (int x = 0; x < 3; x++)
          if (axis < 3 && x != axis) links[k].position[x] *= 0.01;
        if (round % 10 == 9) links[k].position[0] = round; // many equal ends
      }
      assert_true(srs_geometries_place(&c.geometries, links));
      compare_with_all_pairs(&c, &broad, round % 3 == 0 ? 0 : testing_uniform(&random, 0, 0.3));
    }
    release(&c);
  }
}

// The list of what was near serves again, or not: half-spaces that move, margins that grow and shrink, some bodies that
// rest and some that jump.
static void what_moves_a_little_is_found_as_from_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(34);
  for (int round = 0; round < 12; round++) {
    cloud c = make_cloud(&random, MOST, round % 3 == 0 ? 2 : 0);
    prepare(&c);
    srs_broad_phase broad;
    assert_int_equal(srs_broad_phase_make(&c.geometries, &c.filter, c.n_pairs, 0, &c.arena, &broad, NULL), SRS_OK);
    srs_pose links[MOST];
    for (int k = 0; k < MOST; k++) links[k] = bodies_random_pose(&random, 2);
    const double part = pow(10, testing_uniform(&random, -4, 0));
    int n_lists = 0;
    for (int step = 0; step < 60; step++) {
      const bool rests = testing_below(&random, 4) == 0;
      for (int k = 0; k < MOST && !rests; k++)
        for (int x = 0; x < 3; x++) links[k].position[x] += part * broad.slack * testing_uniform(&random, -1, 1);
      if (step % 20 == 19) links[testing_below(&random, MOST)] = bodies_random_pose(&random, 2);
      assert_true(srs_geometries_place(&c.geometries, links));
      const srs_pair *list = broad.near;
      compare_with_all_pairs(&c, &broad, testing_below(&random, 5) == 0 ? 0.1 : 0.05);
      n_lists += broad.near != list;
    }
    assert_true(round % 3 == 0 || part > 0.01 || n_lists < 30); // it did serve
    release(&c);
  }
}

// A hundred by a hundred boxes at rest on a floor, which tremble as a solver lets them: only the list is looked at, and
// it is short. How long that takes is printed.
static void ten_thousand_boxes_at_rest_are_found_by_the_list_alone(void **state)
{
  (void)state;
  enum { SIDE = 100, BOXES = SIDE * SIDE, STEPS = 40 };
  srs_builder *builder = srs_builder_create();
  srs_pose *links = calloc(BOXES, sizeof *links);
  assert_non_null(links);
  for (int i = 0; i < BOXES; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
    const srs_shape_def box = bodies_shape(SRS_SHAPE_BOX, NULL, name, 0.1, 0.1, 0.1);
    bodies_add_shape(builder, &box);
    links[i] = bodies_at(0.1 * (i % SIDE), 0.1 * (i / SIDE), 0.05); // NOLINT(bugprone-integer-division)
  }
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, NULL, NULL, 0, 0, 0);
  bodies_add_shape(builder, &floor);
  cloud c = {.model = bodies_build(builder), .n_pairs = BOXES * (BOXES - 1) / 2 + BOXES};
  const srs_collider_options options = srs_default_collider_options();
  assert_int_equal(srs_geometries_make(c.model, &c.geometries, NULL), SRS_OK);
  assert_int_equal(srs_filter_make(&c.geometries, &options, &c.arena, &c.filter, NULL), SRS_OK);
  srs_broad_phase broad;
  assert_int_equal(srs_broad_phase_make(&c.geometries, &c.filter, c.n_pairs, 0, &c.arena, &broad, NULL), SRS_OK);
  const double margin = 0.002;
  assert_true(srs_geometries_place(&c.geometries, links));
  const long first = srs_broad_phase_find(&broad, margin);
  if (first > broad.capacity) assert_true(srs_broad_phase_grow(&broad, first, &c.arena));
  (void)srs_broad_phase_find(&broad, margin);
  const srs_pair *list = broad.near;
  clock_t spent = 0;
  testing_random random = testing_random_start(36);
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < BOXES; i++)
      for (int x = 0; x < 3; x++) links[i].position[x] += testing_uniform(&random, -1e-6, 1e-6);
    assert_true(srs_geometries_place(&c.geometries, links));
    const clock_t begin = clock();
    const long n = srs_broad_phase_find(&broad, margin);
    spent += clock() - begin;
    assert_true(n >= BOXES && n <= broad.n_near && broad.near == list);
    assert_true(broad.n_near <= 6 * BOXES); // the floor, four neighbours and four across corners, each pair once
  }
  print_message("%d pairs to look at, %.0f us a step\n", broad.n_near, 1e6 * (double)spent / CLOCKS_PER_SEC / STEPS);
  free(links);
  release(&c);
}

// Sizes from dust to mountains, more of them than there are levels; places where cells have no end.
static void sizes_and_places_of_every_order_are_found(void **state)
{
  (void)state;
  testing_random random = testing_random_start(35);
  for (int round = 0; round < 8; round++) {
    srs_builder *builder = srs_builder_create();
    for (int i = 0; i < MOST; i++) {
      char name[16];
      snprintf(name, sizeof name, "%d", i);
      bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
      const double size = round < 4 ? ldexp(1e-3, i / 10) : exp(testing_uniform(&random, -10, round));
      const srs_shape_def def = bodies_shape(SRS_SHAPE_SPHERE, NULL, name, size, 0, 0);
      bodies_add_shape(builder, &def);
    }
    cloud c = {.model = bodies_build(builder)};
    prepare(&c);
    srs_broad_phase broad;
    assert_int_equal(srs_broad_phase_make(&c.geometries, &c.filter, c.n_pairs, c.n_pairs, &c.arena, &broad, NULL),
                     SRS_OK);
    for (int k = 0; k < 20; k++) {
      srs_pose links[MOST];
      const double reach = pow(10, testing_uniform(&random, -2, k % 4 == 0 ? 14 : 3));
      for (int i = 0; i < MOST; i++) {
        links[i] = bodies_random_pose(&random, reach);
        if (testing_below(&random, 2)) links[i].position[0] = 1e9 + testing_uniform(&random, -0.01, 0.01);
      }
      assert_true(srs_geometries_place(&c.geometries, links));
      compare_with_all_pairs(&c, &broad, k % 3 == 0 ? 0 : pow(10, testing_uniform(&random, -4, 2)));
    }
    release(&c);
  }
}

static void above_the_capacity_pairs_are_counted(void **state)
{
  (void)state;
  testing_random random = testing_random_start(32);
  for (int n = 40; n <= MOST; n += MOST - 40) {
    cloud c = make_cloud(&random, n, 0);
    prepare(&c);
    srs_broad_phase whole, small;
    assert_int_equal(srs_broad_phase_make(&c.geometries, &c.filter, c.n_pairs, 0, &c.arena, &whole, NULL), SRS_OK);
    assert_int_equal(srs_broad_phase_make(&c.geometries, &c.filter, c.n_pairs, 10, &c.arena, &small, NULL), SRS_OK);
    srs_pose links[MOST];
    for (int k = 0; k < n; k++) links[k] = bodies_random_pose(&random, 0.5);
    assert_true(srs_geometries_place(&c.geometries, links));
    const long needed = srs_broad_phase_find(&whole, 0.1);
    assert_true(needed > 10);
    assert_int_equal(srs_broad_phase_find(&small, 0.1), needed);
    release(&c);
  }
}

static void bounds_are_never_wrongly_apart(void **state)
{
  (void)state;
  testing_random random = testing_random_start(33);
  // Corners and rims of solids lie within both bounds.
  static const srs_shape_kind kinds[] = {SRS_SHAPE_BOX, SRS_SHAPE_CYLINDER, SRS_SHAPE_CONE, SRS_SHAPE_CAPSULE,
                                         SRS_SHAPE_ELLIPSOID};
  for (int round = 0; round < 200; round++) {
    const srs_shape_kind kind = kinds[round % 5];
    srs_builder *builder = srs_builder_create();
    double size[3];
    for (int c = 0; c < 3; c++) size[c] = exp(testing_uniform(&random, -3, 2));
    const srs_shape_def def = bodies_shape(kind, NULL, NULL, size[0], size[1], size[2]);
    bodies_add_shape(builder, &def);
    bodies_add_link(builder, "a", SRS_JOINT_FREE, NULL); // a model needs no link, but let there be one
    cloud c = {.model = bodies_build(builder)};
    assert_int_equal(srs_geometries_make(c.model, &c.geometries, NULL), SRS_OK);
    for (int k = 0; k < 100; k++) {
      const double angle = testing_uniform(&random, -4, 4), turn = testing_uniform(&random, -2, 2);
      const double sign = k % 2 == 0 ? 1 : -1;
      vec3 p = {0, 0, 0};
      if (kind == SRS_SHAPE_BOX)
        p = (vec3){(k & 1 ? 0.5 : -0.5) * size[0], (k & 2 ? 0.5 : -0.5) * size[1], (k & 4 ? 0.5 : -0.5) * size[2]};
      if (kind == SRS_SHAPE_CYLINDER) p = (vec3){size[0] * cos(angle), size[0] * sin(angle), sign * size[1] / 2};
      if (kind == SRS_SHAPE_CONE)
        p = k % 2 == 0 ? (vec3){size[0] * cos(angle), size[0] * sin(angle), -size[1] / 2} : (vec3){0, 0, size[1] / 2};
      if (kind == SRS_SHAPE_CAPSULE)
        p = (vec3){size[0] * cos(turn) * cos(angle), size[0] * cos(turn) * sin(angle),
                   sign * (size[1] / 2 + size[0] * fabs(sin(turn)))};
      if (kind == SRS_SHAPE_ELLIPSOID)
        p = (vec3){size[0] * cos(turn) * cos(angle), size[1] * cos(turn) * sin(angle), size[2] * sin(turn)};
      const vec3 out = sub3(p, c.geometries.solids[0].centre), at = sub3(p, c.geometries.middle[0]);
      assert_true(norm3(out) <= c.geometries.bounds[0].reach);
      assert_true(fabs(at.x) <= c.geometries.half[0].x && fabs(at.y) <= c.geometries.half[0].y &&
                  fabs(at.z) <= c.geometries.half[0].z);
    }
    release(&c);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pair_whose_bounds_meet_is_found_in_order),
      cmocka_unit_test(what_moves_a_little_is_found_as_from_nothing),
      cmocka_unit_test(ten_thousand_boxes_at_rest_are_found_by_the_list_alone),
      cmocka_unit_test(sizes_and_places_of_every_order_are_found),
      cmocka_unit_test(above_the_capacity_pairs_are_counted),
      cmocka_unit_test(bounds_are_never_wrongly_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
