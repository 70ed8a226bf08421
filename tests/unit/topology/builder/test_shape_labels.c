// What are shapes called that have no name, or the name of another?
#include "support/bodies.h"

static void add(srs_builder *builder, const char *name, const char *link, bool is_visual)
{
  srs_shape_def def = bodies_shape(SRS_SHAPE_SPHERE, name, link, 1, 0, 0);
  def.is_visual = is_visual;
  bodies_add_shape(builder, &def);
}

static void shapes_go_by_their_name_or_their_link_with_a_number(void **state)
{
  (void)state;
  static const struct {
    const char *name, *link, *label;
    bool is_visual;
  } shapes[] = {
      {NULL, "arm", "arm.1", false},       {NULL, "arm", "arm", true},        {NULL, "hand", "hand", false},
      {NULL, "arm", "arm.2", false},       {"part", "hand", "part.1", false}, {"part", "arm", "part.3", false},
      {"part.2", "hand", "part.2", false}, {NULL, NULL, "world", false},      {"arm", NULL, "arm.4", false}};
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "arm", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "hand", SRS_JOINT_REVOLUTE, "arm");
  bodies_add_link(builder, "arm.3", SRS_JOINT_REVOLUTE, "arm"); // that name is taken
  const int n = sizeof shapes / sizeof *shapes;
  for (int i = 0; i < n; i++) add(builder, shapes[i].name, shapes[i].link, shapes[i].is_visual);
  srs_model *model = bodies_build(builder);
  for (int i = 0; i < n; i++) {
    assert_string_equal(srs_model_shape(model, i)->label, shapes[i].label);
    assert_string_equal(srs_model_shape(model, i)->name, shapes[i].name != NULL ? shapes[i].name : "");
  }
  static const char *const excluded[] = {"arm.1", "world", NULL}; // one of the link's shapes alone
  srs_collider_options options = srs_default_collider_options();
  srs_collider *collider = bodies_collider(model, NULL);
  const int all = srs_collider_n_pairs(collider);
  srs_collider_destroy(collider);
  options.excluded = excluded;
  collider = bodies_collider(model, &options);
  assert_int_equal(srs_collider_n_pairs(collider), all - 1);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_go_by_their_name_or_their_link_with_a_number)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
