// Which pairs of links does an SRDF file keep from colliding?
#include "support/bodies.h"

static srs_builder *four_links(const char *prefix)
{
  static char names[4][16];
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < 4; i++) {
    snprintf(names[i], sizeof names[i], "%s%c", prefix, 'a' + i);
    bodies_add_link(builder, names[i], SRS_JOINT_FREE, NULL);
  }
  return builder;
}

static bool is_excluded(const srs_model *model, const char *one, const char *other)
{
  int a, b;
  const int i = srs_model_find_frame(model, one), j = srs_model_find_frame(model, other);
  for (int k = 0; srs_model_excluded(model, k, &a, &b); k++)
    if ((a == i && b == j) || (a == j && b == i)) return true;
  return false;
}

static void pairs_that_are_disabled_are_excluded(void **state)
{
  (void)state;
  const char *path = testing_write("r.srdf", "<?xml version='1.0'?>\n<robot name='r'>\n"
                                             "<group name='arm'><chain base_link='a' tip_link='d'/></group>\n"
                                             "<disable_collisions link1='a' link2='c' reason='Never'/>\n"
                                             "<disable_default_collisions link='d'/>\n"
                                             "<enable_collisions link1='b' link2='d'/>\n</robot>\n");
  static const char *const prefixes[] = {"", "left/"};
  for (int i = 0; i < 2; i++) {
    srs_builder *builder = four_links(prefixes[i]);
    srs_error error = {0};
    char names[4][16];
    for (int k = 0; k < 4; k++) snprintf(names[k], sizeof names[k], "%s%c", prefixes[i], 'a' + k);
    if (srs_builder_add_srdf(builder, path, prefixes[i], &error) != SRS_OK) fail_msg("%s", error.message);
    srs_model *model = bodies_build(builder);
    assert_int_equal(srs_model_n_excluded(model), 3);
    assert_true(is_excluded(model, names[0], names[2]));
    assert_true(is_excluded(model, names[0], names[3]));
    assert_true(is_excluded(model, names[2], names[3]));
    assert_int_equal(srs_model_n_warnings(model), 0);
    srs_model_destroy(model);
  }
}

static void links_that_are_not_there_make_one_warning(void **state)
{
  (void)state;
  const char *path = testing_write("r.srdf", "<robot name='r'>\n<disable_collisions link1='a' link2='b'/>\n"
                                             "<disable_collisions link1='a' link2='finger'/>\n"
                                             "<disable_collisions link1='thumb' link2='b'/>\n</robot>\n");
  srs_builder *builder = four_links("");
  srs_error error;
  assert_int_equal(srs_builder_add_srdf(builder, path, NULL, &error), SRS_OK);
  srs_model *model = bodies_build(builder);
  assert_int_equal(srs_model_n_excluded(model), 1);
  assert_int_equal(srs_model_n_warnings(model), 1);
  assert_non_null(strstr(srs_model_warning(model, 0), "r.srdf:3: 2 pairs of links"));
  assert_non_null(strstr(srs_model_warning(model, 0), "'finger'"));
  srs_model_destroy(model);
}

static void files_that_are_no_srdf_are_refused_and_change_nothing(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int line;
    const char *words;
  } cases[] = {
      {"<mujoco/>\n", 1, "expected <robot>"},
      {"<robot>\n<disable_collisions link1='a' link2='b'/>\n<disable_collisions link1='a'/>\n</robot>\n", 3, "link2"},
      {"<robot>\n", 2, ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    srs_builder *builder = four_links("");
    srs_error error = {0};
    assert_int_equal(srs_builder_add_srdf(builder, testing_write("r.srdf", cases[i].text), NULL, &error),
                     SRS_ERROR_SYNTAX);
    assert_int_equal(error.line, cases[i].line);
    assert_non_null(strstr(error.message, cases[i].words));
    srs_model *model = bodies_build(builder);
    assert_int_equal(srs_model_n_excluded(model), 0);
    srs_model_destroy(model);
  }
  srs_builder *builder = four_links("");
  srs_error error = {0};
  assert_int_equal(srs_builder_add_srdf(builder, "nowhere.srdf", NULL, &error), SRS_ERROR_FILE);
  srs_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_that_are_disabled_are_excluded),
      cmocka_unit_test(links_that_are_not_there_make_one_warning),
      cmocka_unit_test(files_that_are_no_srdf_are_refused_and_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
