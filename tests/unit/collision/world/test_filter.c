// Which pairs may meet: parent and child, groups and masks, pairs by name.
#include "support/bodies.h"

static srs_model *model_of(srs_builder *builder) { return bodies_build(builder); }

static int pairs_of(const srs_model *model, const srs_collider_options *options)
{
  srs_collider *collider = bodies_collider(model, options);
  const int n = srs_collider_n_pairs(collider);
  srs_collider_destroy(collider);
  return n;
}

static void add_ball(srs_builder *builder, const char *name, const char *link)
{
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, name, link, 1, 0, 0);
  bodies_add_shape(builder, &ball);
}

static srs_collider_options with(bool parent_child)
{
  srs_collider_options options = srs_default_collider_options();
  options.parent_child = parent_child;
  return options;
}

static void parent_and_child_meet_only_when_asked(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "a", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "b", SRS_JOINT_REVOLUTE, "a");
  bodies_add_link(builder, "c", SRS_JOINT_SPHERICAL, "b");
  const char *links[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) add_ball(builder, NULL, links[i]);
  srs_model *model = model_of(builder);
  const srs_collider_options all = with(true);
  assert_int_equal(pairs_of(model, NULL), 1); // a and c
  assert_int_equal(pairs_of(model, &all), 3);
  srs_model_destroy(model);
}

// base - hand welded; the arm hangs on the hand, a plate is welded to the arm, a finger turns on the plate.
static srs_builder *welded(srs_joint_kind base)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "base", base, NULL);
  bodies_add_link(builder, "hand", SRS_JOINT_FIXED, "base");
  bodies_add_link(builder, "arm", SRS_JOINT_REVOLUTE, "hand");
  bodies_add_link(builder, "plate", SRS_JOINT_FIXED, "arm");
  bodies_add_link(builder, "finger", SRS_JOINT_REVOLUTE, "plate");
  const char *links[] = {"base", "hand", "arm", "plate", "finger"};
  for (int i = 0; i < 5; i++) add_ball(builder, NULL, links[i]);
  return builder;
}

static void what_is_welded_is_one_body_and_one_parent(void **state)
{
  (void)state;
  const srs_joint_kind bases[] = {SRS_JOINT_FREE, SRS_JOINT_FIXED}; // floating, and static
  for (int b = 0; b < 2; b++)
    for (int keep = 0; keep < 2; keep++) {
      srs_builder *builder = welded(bases[b]);
      const srs_build_options options = {.keep_fixed_joints = keep == 1};
      srs_model *model = NULL;
      assert_int_equal(srs_builder_build(builder, &options, &model, NULL), SRS_OK);
      srs_builder_destroy(builder);
      const srs_collider_options all = with(true);
      // Two bodies of two balls and one of one: 2 x 2 + 2 x 1 + 2 x 1, of which base and finger are no neighbours.
      assert_int_equal(pairs_of(model, &all), 8);
      assert_int_equal(pairs_of(model, NULL), 2);
      srs_model_destroy(model);
    }
}

static void shapes_of_the_world_are_nobody_s_parent(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "a", SRS_JOINT_REVOLUTE, NULL);
  bodies_add_link(builder, "b", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "c", SRS_JOINT_FREE, "a"); // held by nothing
  const char *links[] = {"a", "b", "c", NULL, NULL};
  for (int i = 0; i < 5; i++) add_ball(builder, NULL, links[i]);
  srs_model *model = model_of(builder);
  assert_int_equal(pairs_of(model, NULL),
                   3 + 3 * 2); // each with each and with both of the world; not those with each other
  srs_model_destroy(model);
}

static void bases_of_two_robots_are_parents_of_their_own_links_only(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const char *bases[] = {"left", "right"}, *arms[] = {"left arm", "right arm"};
  for (int i = 0; i < 2; i++) {
    bodies_add_link(builder, bases[i], SRS_JOINT_FIXED, NULL);
    bodies_add_link(builder, arms[i], SRS_JOINT_REVOLUTE, bases[i]);
    add_ball(builder, bases[i], bases[i]);
    add_ball(builder, arms[i], arms[i]);
  }
  srs_model *model = model_of(builder);
  assert_int_equal(pairs_of(model, NULL), 3); // arm and arm, and each arm with the other's base
  srs_model_destroy(model);
}

static void groups_and_masks_must_match_both_ways(void **state)
{
  (void)state;
  static const struct {
    unsigned group_a, mask_a, group_b, mask_b;
    int pairs;
  } cases[] = {{1, ~0U, 1, ~0U, 1}, {1, 2, 2, 1, 1},   {1, 2, 2, 2, 0},  {1, 1, 2, 1, 0},
               {0, ~0U, 1, ~0U, 0}, {1, 0, 1, ~0U, 0}, {6, 4, 12, 2, 1}, {0x80000000U, ~0U, 1, 0x80000000U, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_builder *builder = srs_builder_create();
    bodies_add_link(builder, "a", SRS_JOINT_FREE, NULL);
    srs_shape_def a = bodies_shape(SRS_SHAPE_SPHERE, "a", "a", 1, 0, 0);
    srs_shape_def b = bodies_shape(SRS_SHAPE_SPHERE, "b", NULL, 1, 0, 0);
    a.group = cases[i].group_a, a.mask = cases[i].mask_a, b.group = cases[i].group_b, b.mask = cases[i].mask_b;
    bodies_add_shape(builder, &a);
    bodies_add_shape(builder, &b);
    srs_model *model = model_of(builder);
    assert_int_equal(pairs_of(model, NULL), cases[i].pairs);
    srs_model_destroy(model);
  }
}

// Four loose balls a b c d, a with two shapes, and a parent p of a child q that has no group.
static srs_model *six(void)
{
  srs_builder *builder = srs_builder_create();
  const char *names[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) {
    bodies_add_link(builder, names[i], SRS_JOINT_FREE, NULL);
    add_ball(builder, NULL, names[i]);
  }
  add_ball(builder, "second", "a");
  bodies_add_link(builder, "p", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "q", SRS_JOINT_REVOLUTE, "p");
  srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "p", 1, 0, 0);
  ball.group = 0;
  bodies_add_shape(builder, &ball);
  ball.link = "q";
  bodies_add_shape(builder, &ball);
  return model_of(builder);
}

static void pairs_are_excluded_and_included_by_name(void **state)
{
  (void)state;
  srs_model *model = six();
  const int all = 6 + 3; // a b c d among each other, and the second of a with b c d
  assert_int_equal(pairs_of(model, NULL), all);
  srs_collider_options options = srs_default_collider_options();
  const char *const by_link[] = {"a", "b", NULL}, *const by_shape[] = {"c", "second", NULL};
  options.excluded = by_link;
  assert_int_equal(pairs_of(model, &options), all - 2);
  options.excluded = by_shape;
  assert_int_equal(pairs_of(model, &options), all - 1);
  options.included = by_shape; // goes before
  assert_int_equal(pairs_of(model, &options), all);
  const char *const twice[] = {"a", "b", "b", "a", "second", "b", NULL}, *const joined[] = {"p", "q", NULL};
  options.excluded = twice;
  options.included = joined; // whatever groups and joints say
  assert_int_equal(pairs_of(model, &options), all - 2 + 1);
  const char *const many[] = {"ball", "a", NULL}; // two shapes named so, with two of a
  options.excluded = NULL;
  options.included = many;
  assert_int_equal(pairs_of(model, &options), all + 4);
  const char *const none[] = {NULL};
  options.excluded = options.included = none;
  assert_int_equal(pairs_of(model, &options), all);
  srs_model_destroy(model);
}

static void refuse(const srs_model *model, const char *const *excluded, const char *const *included, srs_status status,
                   const char *words)
{
  srs_collider *collider = (srs_collider *)1;
  srs_collider_options options = srs_default_collider_options();
  options.excluded = excluded;
  options.included = included;
  srs_error error;
  assert_int_equal(srs_collider_create(model, &options, &collider, &error), status);
  assert_null(collider);
  if (strstr(error.message, words) == NULL) fail_msg("'%s' is not in: %s", words, error.message);
}

static void names_that_say_nothing_are_refused(void **state)
{
  (void)state;
  srs_model *model = six();
  const char *const unknown[] = {"a", "bb", NULL}, *const odd[] = {"a", "b", "c", NULL},
                    *const same[] = {"a", "second", NULL};
  const char *const empty[] = {"", "a", NULL};
  refuse(model, unknown, NULL, SRS_ERROR_NAME, "excluded pairs: no shape and no link is named 'bb'");
  refuse(model, NULL, unknown, SRS_ERROR_NAME, "included pairs: no shape and no link is named 'bb'");
  refuse(model, odd, NULL, SRS_ERROR_ARGUMENT, "'c' has no partner");
  refuse(model, empty, NULL, SRS_ERROR_NAME, "is named ''");
  refuse(model, NULL, same, SRS_ERROR_NAME, "'a' and 'second' have no shapes that can move against each other");
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parent_and_child_meet_only_when_asked),
      cmocka_unit_test(what_is_welded_is_one_body_and_one_parent),
      cmocka_unit_test(shapes_of_the_world_are_nobody_s_parent),
      cmocka_unit_test(bases_of_two_robots_are_parents_of_their_own_links_only),
      cmocka_unit_test(groups_and_masks_must_match_both_ways),
      cmocka_unit_test(pairs_are_excluded_and_included_by_name),
      cmocka_unit_test(names_that_say_nothing_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
