// Trees, and what is none; the order of links.
#include "support/testing.h"
#include "topology/builder/plan.h"

#include <stdio.h>
#include <string.h>

// "name kind parent child" each; parent "-" for the world. Links come from the children, in their order.
typedef struct joint {
  const char *name;
  srs_joint_kind kind;
  const char *parent, *child;
} joint;

static srs_builder *gather(const char *const *links, int n_links, const joint *joints, int n_joints)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < n_links; i++) {
    srs_link_def def = srs_default_link_def();
    def.name = links[i];
    def.mass = 1;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 0.1;
    srs_builder_set_location(builder, "t.urdf", 1 + i, 0);
    assert_int_equal(srs_builder_add_link(builder, &def, NULL), SRS_OK);
  }
  for (int i = 0; i < n_joints; i++) {
    srs_joint_def def = srs_default_joint_def(joints[i].kind);
    def.name = joints[i].name;
    def.parent = joints[i].parent;
    def.child = joints[i].child;
    srs_builder_set_location(builder, "t.urdf", 101 + i, 0);
    assert_int_equal(srs_builder_add_joint(builder, &def, NULL), SRS_OK);
  }
  return builder;
}

static void refuse(srs_builder *builder, srs_status status, int line, const char *message)
{
  srs_error error;
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), status);
  assert_null(model);
  if (strstr(error.message, message) == NULL) fail_msg("'%s' does not say '%s'", error.message, message);
  assert_string_equal(error.file, "t.urdf");
  assert_int_equal(error.line, line);
  srs_builder_destroy(builder);
}

#define LINKS(...)  (const char *const[]){__VA_ARGS__}, (int)(sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))
#define JOINTS(...) (const joint[]){__VA_ARGS__}, (int)(sizeof(const joint[]){__VA_ARGS__} / sizeof(joint))
#define REV         SRS_JOINT_REVOLUTE
#define FIX         SRS_JOINT_FIXED

static void what_is_no_tree_is_refused_by_name(void **state)
{
  (void)state;
  refuse(gather(LINKS("a", "b"), JOINTS({"h", REV, NULL, "a"}, {"i", REV, "nix", "b"})), SRS_ERROR_NAME, 102,
         "joint 'i': no link is named 'nix'");
  refuse(gather(LINKS("a"), JOINTS({"h", REV, NULL, "b"})), SRS_ERROR_NAME, 101, "joint 'h': no link is named 'b'");
  refuse(gather(LINKS("a", "b"), JOINTS({"h", REV, NULL, "a"}, {"i", REV, "a", "b"}, {"j", REV, NULL, "b"})),
         SRS_ERROR_MODEL, 103, "link 'b' is the child of joint 'i' and of joint 'j'");
  refuse(gather(LINKS("a", "b"), JOINTS({"h", REV, NULL, "a"})), SRS_ERROR_MODEL, 2, "link 'b' has no parent joint");
  refuse(gather(LINKS("a", "b", "c", "d"),
                JOINTS({"h", REV, NULL, "a"}, {"i", REV, "d", "b"}, {"j", REV, "b", "c"}, {"k", REV, "c", "d"})),
         SRS_ERROR_MODEL, 102, "links 'b', 'c' and 'd' form a cycle");
  // A tail on a cycle is not part of it.
  refuse(gather(LINKS("t", "a", "b"), JOINTS({"i", REV, "a", "t"}, {"j", REV, "b", "a"}, {"k", REV, "a", "b"})),
         SRS_ERROR_MODEL, 102, "links 'a' and 'b' form a cycle");
}

static void shapes_and_frames_need_their_link(void **state)
{
  (void)state;
  srs_builder *builder = gather(LINKS("a"), JOINTS({"h", REV, NULL, "a"}));
  srs_builder_set_location(builder, "t.urdf", 7, 1);
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_SPHERE);
  shape.link = "b";
  shape.size[0] = 1;
  assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
  refuse(builder, SRS_ERROR_NAME, 7, "a shape belongs to link 'b', but no link is named so");
  builder = gather(LINKS("a"), JOINTS({"h", REV, NULL, "a"}));
  srs_builder_set_location(builder, "t.urdf", 8, 1);
  const srs_pose pose = srs_identity_pose();
  assert_int_equal(srs_builder_add_frame(builder, "f", NULL, &pose, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_frame(builder, "g", "f", &pose, NULL), SRS_OK);
  refuse(builder, SRS_ERROR_NAME, 8, "frame 'g': no link is named 'f' (a frame is, but a link is needed)");
}

static void assert_order(const srs_builder *builder, const srs_build_options *options, const char *expected)
{
  srs_model *model = NULL;
  srs_error error;
  if (srs_builder_build(builder, options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  char text[256] = "";
  for (int k = 0; k < srs_model_n_links(model); k++) {
    const srs_link *link = srs_model_link(model, k);
    const size_t at = strlen(text);
    snprintf(text + at, sizeof text - at, "%s%s(%d,%d)", k > 0 ? " " : "", srs_model_joint(model, k)->name,
             link->parent, link->subtree_end);
  }
  assert_string_equal(text, expected);
  srs_model_destroy(model);
}

// F19: neither the alphabet nor the order of links matters.
static void siblings_keep_the_order_of_their_joints(void **state)
{
  (void)state;
  srs_builder *builder =
      gather(LINKS("la", "lm", "lz", "deep"),
             JOINTS({"z", REV, NULL, "lz"}, {"d", REV, "la", "deep"}, {"a", REV, NULL, "la"}, {"m", REV, NULL, "lm"}));
  assert_order(builder, NULL, "z(-1,1) a(-1,3) d(1,3) m(-1,4)");
  srs_builder_destroy(builder);
}

static void fixed_joints_vanish_unless_kept(void **state)
{
  (void)state;
  srs_builder *builder = gather(LINKS("base", "post", "arm", "flange", "tool", "hand", "lid"),
                                JOINTS({NULL, FIX, NULL, "base"}, {"p", FIX, "base", "post"}, {"h", REV, "post", "arm"},
                                       {"f", FIX, "arm", "flange"}, {"t", REV, "flange", "tool"},
                                       {"e", REV, "arm", "hand"}, {"l", REV, "base", "lid"}));
  assert_order(builder, NULL, "h(-1,3) t(0,2) e(0,3) l(-1,4)");
  const srs_build_options keep = {.keep_fixed_joints = true};
  assert_order(builder, &keep, "(-1,7) p(0,6) h(1,6) f(2,5) t(3,5) e(2,6) l(0,7)");
  srs_builder_destroy(builder);
}

static void deep_and_wide_trees_are_ordered(void **state)
{
  (void)state;
  testing_random random = testing_random_start(51);
  for (int bias = 0; bias <= 1; bias++) {
    srs_model *model = testing_random_model(&random, 3000, NULL, 0, bias);
    for (int k = 0; k < 3000; k++) {
      const srs_link *link = srs_model_link(model, k);
      assert_true(link->parent < k && link->subtree_end > k);
      if (link->parent >= 0) assert_true(link->subtree_end <= srs_model_link(model, link->parent)->subtree_end);
      if (k + 1 < 3000 && link->subtree_end > k + 1) assert_int_equal(srs_model_link(model, k + 1)->parent, k);
    }
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_tree_is_refused_by_name),      cmocka_unit_test(shapes_and_frames_need_their_link),
      cmocka_unit_test(siblings_keep_the_order_of_their_joints), cmocka_unit_test(fixed_joints_vanish_unless_kept),
      cmocka_unit_test(deep_and_wide_trees_are_ordered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
