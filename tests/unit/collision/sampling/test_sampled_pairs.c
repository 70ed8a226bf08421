// In how many configurations do shapes of one robot overlap?
#include "collision/sampling/sampled_pairs.h"
#include "support/bodies.h"

// Balls of radius 1 at 2 m from a pair of joints about the same axis, the first of which is stuck: they are 4 sin(t/2)
// m apart at the second one's angle t and overlap where |t| < 2 asin(1/2) = pi/3, in a third of a turn. A third pair,
// of the base with a ball in the middle of the last link, overlaps always.
static srs_model *wheel(void)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "base", SRS_JOINT_FIXED, NULL);
  srs_joint_def stuck = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  srs_link_def link = srs_default_link_def();
  srs_error error;
  link.name = stuck.name = stuck.child = "hub";
  link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  stuck.parent = "base";
  stuck.lower[0] = stuck.upper[0] = 0;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &stuck, &error), SRS_OK);
  bodies_add_link(builder, "rim", SRS_JOINT_REVOLUTE, "hub");
  srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "still", "base", 1, 0, 0);
  ball.pose.position[1] = 2;
  bodies_add_shape(builder, &ball);
  ball.name = "turning", ball.link = "rim";
  bodies_add_shape(builder, &ball);
  ball.name = "inner", ball.pose.position[1] = 0, ball.size[0] = 1.25;
  bodies_add_shape(builder, &ball);
  srs_builder_end_robot(builder, SRS_SELF_COLLISION_AUTO);
  return bodies_build(builder);
}

static void the_shares_are_those_of_geometry(void **state)
{
  (void)state;
  srs_model *model = wheel();
  srs_sampled_pairs found;
  srs_error error;
  const int n = 4000;
  assert_int_equal(srs_sample_pairs(model, NULL, n, 7, &found, &error), SRS_OK);
  assert_int_equal(found.n_pairs, 2);
  assert_int_equal(found.n, 2);
  assert_true(found.pairs[0].shape_a == 0 && found.pairs[0].shape_b == 1);
  assert_true(fabs(found.pairs[0].neutral_depth - 2) < 1e-12); // one inside the other
  // Four standard deviations of a share of n drawings.
  assert_true(fabs((double)found.pairs[0].n_overlaps / n - 1.0 / 3) < 4 * sqrt(2.0 / 9 / n));
  assert_int_equal(found.pairs[1].n_overlaps, n);
  assert_true(fabs(found.pairs[1].depth - 0.25) < 1e-9); // the same at every angle, to rounding
  srs_sampled_pairs_free(&found);
  srs_model_destroy(model);
}

static void a_seed_gives_the_same_poses_each_time(void **state)
{
  (void)state;
  srs_model *model = wheel();
  srs_error error;
  int counts[3];
  for (int i = 0; i < 3; i++) {
    srs_sampled_pairs found;
    assert_int_equal(srs_sample_pairs(model, NULL, 999, i < 2 ? 1 : 2, &found, &error), SRS_OK);
    counts[i] = found.pairs[0].n_overlaps;
    srs_sampled_pairs_free(&found);
  }
  assert_int_equal(counts[0], counts[1]);
  assert_int_not_equal(counts[0], counts[2]); // may be equal by chance, once in forty seeds; not for these
  srs_sampled_pairs found;
  assert_int_equal(srs_sample_pairs(model, NULL, 0, 1, &found, &error), SRS_ERROR_ARGUMENT);
  srs_sampled_pairs_free(&found);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shares_are_those_of_geometry),
      cmocka_unit_test(a_seed_gives_the_same_poses_each_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
