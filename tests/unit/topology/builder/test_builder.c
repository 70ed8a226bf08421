// Gathering: copies, names, places, warnings, rolling back.
#include "support/testing.h"
#include "topology/builder/builder.h"

#include <stdio.h>
#include <string.h>

static srs_status add_link(srs_builder *builder, const char *name, srs_error *error)
{
  srs_link_def def = srs_default_link_def();
  def.name = name;
  def.mass = 1;
  def.inertia[0] = def.inertia[1] = def.inertia[2] = 0.1;
  return srs_builder_add_link(builder, &def, error);
}

static srs_status add_joint(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent,
                            const char *child, srs_error *error)
{
  srs_joint_def def = srs_default_joint_def(kind);
  def.name = name;
  def.parent = parent;
  def.child = child;
  return srs_builder_add_joint(builder, &def, error);
}

static void everything_given_is_copied(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  char link[] = "arm", joint[] = "h", file[] = "a.urdf", path[] = "m.stl";
  srs_builder_set_location(builder, file, 4, 2);
  assert_int_equal(add_link(builder, link, NULL), SRS_OK);
  assert_int_equal(add_joint(builder, joint, SRS_JOINT_REVOLUTE, NULL, link, NULL), SRS_OK);
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_MESH);
  shape.link = link;
  shape.file = path;
  assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
  link[0] = joint[0] = file[0] = path[0] = 'X';
  srs_model *model = NULL;
  srs_error error;
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_OK);
  srs_builder_destroy(builder); // the model stands alone
  assert_string_equal(srs_model_link(model, 0)->name, "arm");
  assert_string_equal(srs_model_joint(model, 0)->name, "h");
  assert_string_equal(srs_model_shape(model, 0)->file, "m.stl");
  srs_model_destroy(model);
}

static void a_name_is_taken_once(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_error error;
  const srs_pose pose = srs_identity_pose();
  srs_builder_set_location(builder, "a.urdf", 4, 0);
  assert_int_equal(add_link(builder, "a", &error), SRS_OK);
  assert_int_equal(add_joint(builder, "a", SRS_JOINT_REVOLUTE, NULL, "a", &error), SRS_OK); // joints apart
  assert_int_equal(srs_builder_add_frame(builder, "f", NULL, &pose, &error), SRS_OK);
  srs_builder_set_location(builder, "a.urdf", 9, 5);
  assert_int_equal(add_link(builder, "a", &error), SRS_ERROR_NAME);
  assert_string_equal(error.message, "two links are named 'a': the other is at a.urdf:4; rename one");
  assert_string_equal(error.subject, "a");
  assert_int_equal(error.line, 9);
  assert_int_equal(add_link(builder, "f", &error), SRS_ERROR_NAME);
  assert_int_equal(srs_builder_add_frame(builder, "a", NULL, &pose, &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "a link and a frame are named 'a'"));
  assert_int_equal(srs_builder_add_frame(builder, "f", NULL, &pose, &error), SRS_ERROR_NAME);
  assert_int_equal(add_joint(builder, "a", SRS_JOINT_REVOLUTE, NULL, "b", &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "two joints are named 'a'"));
  assert_true(srs_builder_has_joint(builder, "a") && !srs_builder_has_joint(builder, "f"));
  assert_true(srs_names_find(&builder->link_names, "a") >= 0 && srs_names_find(&builder->frame_names, "f") >= 0);
  // Nameless fixed joints do not collide.
  assert_int_equal(add_joint(builder, NULL, SRS_JOINT_FIXED, NULL, "x", &error), SRS_OK);
  assert_int_equal(add_joint(builder, NULL, SRS_JOINT_FIXED, NULL, "y", &error), SRS_OK);
  srs_builder_destroy(builder);
}

static void null_arguments_are_refused(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_error error;
  srs_model *model = (srs_model *)builder;
  assert_int_equal(srs_builder_add_link(builder, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_add_link(NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_add_joint(builder, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_add_shape(builder, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_add_frame(builder, "f", NULL, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_add_frame(builder, "", NULL, &(srs_pose){{0}, {0}}, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_warn(builder, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_build(NULL, NULL, &model, &error), SRS_ERROR_ARGUMENT);
  assert_null(model);
  assert_int_equal(srs_builder_build(builder, NULL, NULL, &error), SRS_ERROR_ARGUMENT);
  srs_builder_destroy(builder);
  srs_builder_destroy(NULL);
  srs_model_destroy(NULL);
}

static void warnings_carry_their_place(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  assert_int_equal(srs_builder_warn(builder, "from %s", "nowhere"), SRS_OK);
  srs_builder_set_location(builder, "a.urdf", 7, 3);
  assert_int_equal(srs_builder_warn(builder, "mimic of '%s'\nis ignored, %.1f", "h", 1.5), SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  assert_int_equal(srs_model_n_warnings(model), 2);
  assert_string_equal(srs_model_warning(model, 0), "from nowhere");
  assert_string_equal(srs_model_warning(model, 1), "a.urdf:7: mimic of 'h' is ignored, 1.5");
  assert_null(srs_model_warning(model, 2));
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

// F16 lists every place where a mesh was looked for.
static void a_warning_is_never_cut(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  char path[20001], file[3001];
  memset(path, 'p', sizeof path - 1), path[sizeof path - 1] = '\0';
  memset(file, 'f', sizeof file - 1), file[sizeof file - 1] = '\0';
  srs_builder_set_location(builder, file, 7, 0);
  assert_int_equal(srs_builder_warn(builder, "looked for %s, end", path), SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  const char *text = srs_model_warning(model, 0);
  assert_int_equal(strlen(text), sizeof file - 1 + 4 + strlen("looked for , end") + sizeof path - 1);
  assert_memory_equal(text + sizeof file - 1, ":7: looked for p", 16);
  assert_string_equal(text + strlen(text) - 6, "p, end");
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

static void rolling_back_forgets_what_came_after_the_mark(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  assert_int_equal(add_link(builder, "a", NULL), SRS_OK);
  assert_int_equal(add_joint(builder, NULL, SRS_JOINT_FIXED, NULL, "a", NULL), SRS_OK);
  assert_int_equal(add_joint(builder, "h0", SRS_JOINT_FIXED, "a", "c", NULL), SRS_OK);
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  for (int round = 0; round < 3; round++) {
    srs_builder_set_location(builder, "b.urdf", 1, 1);
    for (int i = 0; i < 40; i++) {
      char link[16], joint[16], frame[16];
      snprintf(link, sizeof link, "b%d", i), snprintf(joint, sizeof joint, "h%d", i + 1),
          snprintf(frame, sizeof frame, "f%d", i);
      assert_int_equal(add_link(builder, link, NULL), SRS_OK);
      assert_int_equal(add_joint(builder, joint, SRS_JOINT_REVOLUTE, "a", link, NULL), SRS_OK);
      assert_int_equal(srs_builder_add_frame(builder, frame, NULL, &(srs_pose){{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}, NULL),
                       SRS_OK);
    }
    srs_builder_warn(builder, "w");
    srs_builder_roll_back(builder, mark);
    assert_true(srs_builder_has_joint(builder, "h0") && !srs_builder_has_joint(builder, "h1"));
    assert_true(srs_names_find(&builder->link_names, "a") >= 0 && srs_names_find(&builder->link_names, "b0") < 0);
    assert_int_equal(builder->n_warnings + builder->n_frames, 0);
    assert_null(builder->place.file);
  }
  srs_builder_destroy(builder);
}

static void the_neutral_configuration_can_be_set(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  assert_int_equal(add_link(builder, "a", NULL), SRS_OK);
  assert_int_equal(add_link(builder, "b", NULL), SRS_OK);
  assert_int_equal(add_joint(builder, "root", SRS_JOINT_FREE, NULL, "a", NULL), SRS_OK);
  assert_int_equal(add_joint(builder, "h", SRS_JOINT_REVOLUTE, "a", "b", NULL), SRS_OK);
  const double start[7] = {1, 2, 3, 0, 2, 0, 0};
  assert_int_equal(srs_builder_set_neutral(builder, "root", start, 7), SRS_OK);
  assert_int_equal(srs_builder_set_neutral(builder, "root", start, 6), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_set_neutral(builder, "nobody", start, 7), SRS_ERROR_NAME);
  assert_int_equal(srs_builder_set_neutral(builder, "root", (double[7]){0}, 7), SRS_ERROR_ARGUMENT);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  testing_assert_close("neutral", srs_model_neutral(model), (double[8]){1, 2, 3, 0, 1, 0, 0, 0}, 8, 0);
  testing_assert_close("reference", srs_model_reference(model), (double[8]){0, 0, 0, 1, 0, 0, 0, 0}, 8, 0);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

static void a_base_is_welded_or_floats_from_its_placement(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const srs_pose placement = {{1, 2, 3}, {1, 0, 0, 0, -1, 0, 0, 0, -1}}; // turned by pi about x
  const char *const links[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++) assert_int_equal(add_link(builder, links[i], NULL), SRS_OK);
  assert_int_equal(srs_builder_attach_base(builder, "a", SRS_BASE_FIXED, &placement, "x/", NULL), SRS_OK);
  assert_int_equal(srs_builder_attach_base(builder, "b", SRS_BASE_FLOATING, &placement, "x/", NULL), SRS_OK);
  assert_int_equal(srs_builder_attach_base(builder, "c", SRS_BASE_FLOATING, &placement, "x/", NULL), SRS_OK);
  assert_int_equal(srs_builder_attach_base(builder, "d", SRS_BASE_FLOATING, &placement, "x/", NULL), SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  const char *const names[] = {"x/root", "x/root_1", "x/root_2"};
  for (int i = 0; i < 3; i++) {
    const int link = srs_model_find_joint(model, names[i]);
    assert_string_equal(srs_model_link(model, link)->name, links[i + 1]);
    testing_assert_close("start", srs_model_neutral(model) + srs_model_joint(model, link)->q_index,
                         (double[7]){1, 2, 3, 0, 1, 0, 0}, 7, 0);
  }
  const srs_frame *welded = srs_model_frame(model, srs_model_find_frame(model, "a"));
  assert_int_equal(welded->link, -1);
  testing_assert_close("place", welded->pose.position, placement.position, 3, 0);
  testing_assert_close("axes", welded->pose.rotation, placement.rotation, 9, 0);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_given_is_copied),
      cmocka_unit_test(a_name_is_taken_once),
      cmocka_unit_test(null_arguments_are_refused),
      cmocka_unit_test(warnings_carry_their_place),
      cmocka_unit_test(a_warning_is_never_cut),
      cmocka_unit_test(rolling_back_forgets_what_came_after_the_mark),
      cmocka_unit_test(the_neutral_configuration_can_be_set),
      cmocka_unit_test(a_base_is_welded_or_floats_from_its_placement),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
