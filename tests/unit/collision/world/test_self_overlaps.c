// Which pairs does self_collision: auto leave out?
#include "support/bodies.h"

// Three balls of radius 1 on a chain of joints without travel between them: a and c overlap by 0.5 m at zero. A fourth,
// d, hangs on c and touches nothing but its neighbour.
static srs_builder *chain(srs_joint_kind base)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  static const double at[] = {0, 0, 1.5, 9};
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < 4; i++) {
    bodies_add_link(builder, names[i], i == 0 ? base : SRS_JOINT_REVOLUTE, i > 0 ? names[i - 1] : NULL);
    srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, NULL, names[i], 1, 0, 0);
    ball.pose.position[1] = at[i];
    bodies_add_shape(builder, &ball);
  }
  return builder;
}

static int pairs_of(const srs_model *model, const srs_collider_options *options)
{
  srs_collider *collider = bodies_collider(model, options);
  const int n = srs_collider_n_pairs(collider);
  srs_collider_destroy(collider);
  return n;
}

static void auto_leaves_out_what_overlaps_at_zero_and_no_more(void **state)
{
  (void)state;
  static const srs_joint_kind bases[] = {SRS_JOINT_FIXED, SRS_JOINT_FREE};
  for (int i = 0; i < 2; i++) {
    srs_builder *builder = chain(bases[i]);
    srs_builder_end_robot(builder, SRS_SELF_COLLISION_AUTO);
    srs_model *model = bodies_build(builder);
    srs_collider *collider = bodies_collider(model, NULL);
    assert_int_equal(srs_collider_n_pairs(collider), 2); // a d, b d
    assert_int_equal(srs_collider_n_left_out(collider), 1);
    int a = -1, b = -1;
    double depth = 0;
    assert_true(srs_collider_left_out(collider, 0, &a, &b, &depth));
    assert_true(a == 0 && b == 2);
    assert_true(fabs(depth - 0.5) < 1e-12); // radii less distance, to rounding
    assert_false(srs_collider_left_out(collider, 1, &a, &b, &depth));
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

static void all_and_none_mean_what_they_say_and_options_win(void **state)
{
  (void)state;
  static const struct {
    srs_self_collision own, chosen;
    int pairs;
  } cases[] = {
      {SRS_SELF_COLLISION_ALL, SRS_SELF_COLLISION_OWN, 3},  {SRS_SELF_COLLISION_NONE, SRS_SELF_COLLISION_OWN, 0},
      {SRS_SELF_COLLISION_OWN, SRS_SELF_COLLISION_OWN, 3},  {SRS_SELF_COLLISION_NONE, SRS_SELF_COLLISION_ALL, 3},
      {SRS_SELF_COLLISION_ALL, SRS_SELF_COLLISION_AUTO, 2}, {SRS_SELF_COLLISION_AUTO, SRS_SELF_COLLISION_NONE, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    srs_builder *builder = chain(SRS_JOINT_FREE);
    srs_builder_end_robot(builder, cases[i].own);
    srs_model *model = bodies_build(builder);
    srs_collider_options options = srs_default_collider_options();
    options.self_collision = cases[i].chosen;
    assert_int_equal(pairs_of(model, &options), cases[i].pairs);
    static const char *const included[] = {"a", "c", NULL};
    options.included = included; // wins over all of it
    assert_int_equal(pairs_of(model, &options), cases[i].pairs < 3 ? cases[i].pairs + 1 : 3);
    srs_model_destroy(model);
  }
}

// A floor under a robot, what lies loose in the same file, and another robot are no part of a robot's overlaps.
static void what_no_joint_holds_together_keeps_colliding(void **state)
{
  (void)state;
  srs_builder *builder = chain(SRS_JOINT_FREE);
  bodies_add_link(builder, "loose", SRS_JOINT_FREE, NULL);
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, NULL, "loose", 1, 0, 0);
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, "floor", NULL, 0, 0, 0);
  bodies_add_shape(builder, &ball);
  bodies_add_shape(builder, &floor);
  srs_builder_end_robot(builder, SRS_SELF_COLLISION_AUTO);
  bodies_add_link(builder, "other", SRS_JOINT_FREE, NULL);
  const srs_shape_def second = bodies_shape(SRS_SHAPE_SPHERE, NULL, "other", 1, 0, 0);
  bodies_add_shape(builder, &second);
  srs_builder_end_robot(builder, SRS_SELF_COLLISION_AUTO);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  assert_int_equal(srs_collider_n_left_out(collider), 1);          // a c
  assert_int_equal(srs_collider_n_pairs(collider), 2 + 4 + 5 + 6); // own, loose, floor, other's
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void links_that_the_model_excludes_do_not_collide(void **state)
{
  (void)state;
  srs_builder *builder = chain(SRS_JOINT_FREE);
  srs_error error;
  assert_int_equal(srs_builder_exclude(builder, "d", "a", &error), SRS_OK);
  srs_model *model = bodies_build(builder);
  assert_int_equal(srs_model_n_excluded(model), 1);
  assert_int_equal(pairs_of(model, NULL), 2);
  static const char *const included[] = {"a", "d", NULL};
  srs_collider_options options = srs_default_collider_options();
  options.included = included;
  assert_int_equal(pairs_of(model, &options), 3);
  srs_model_destroy(model);

  builder = chain(SRS_JOINT_FREE);
  assert_int_equal(srs_builder_exclude(builder, "a", "nobody", &error), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "no link is named 'nobody'"));
  srs_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_leaves_out_what_overlaps_at_zero_and_no_more),
      cmocka_unit_test(all_and_none_mean_what_they_say_and_options_win),
      cmocka_unit_test(what_no_joint_holds_together_keeps_colliding),
      cmocka_unit_test(links_that_the_model_excludes_do_not_collide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
