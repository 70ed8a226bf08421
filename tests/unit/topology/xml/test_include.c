// Included files: where they stand, and what is refused.
#include "unit/topology/mjcf/mjcf_cases.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static srs_status load(const char *path, bool allow_outside, srs_model **model, srs_error *error)
{
  srs_load_options options = srs_default_load_options();
  options.allow_outside = allow_outside;
  return srs_model_load(path, &options, model, error);
}

static void make_folder(const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  (void)mkdir(path, 0700);
}

static void elements_stand_where_the_include_stood(void **state)
{
  (void)state;
  make_folder("parts");
  testing_write("parts/arm.xml", "<mujocoinclude><body name='b' pos='0 0 1'><joint/>\n<include file='ball.xml'/>"
                                 "</body></mujocoinclude>");
  testing_write("parts/ball.xml", "<mujoco><geom name='g' type='sphere' size='0.1'/><site name='s'/></mujoco>");
  const char *path =
      testing_write("main.xml", "<mujoco><include file='empty.xml'/><worldbody><body name='a'><freejoint/>" BALL
                                "<include file='parts/arm.xml'/><site name='last'/></body>"
                                "</worldbody></mujoco>");
  testing_write("empty.xml", "<mujoco/>");
  srs_model *model;
  srs_error error;
  if (load(path, false, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_model_nv(model), 7);
  assert_at(model, "s", NULL, 0, 0, 1);
  assert_true(srs_model_find_frame(model, "last") >= 0);
  srs_model_destroy(model);
  testing_write("parts/ball.xml", "<mujoco>\n<geom type='sphere' size='-1'/></mujoco>");
  assert_int_equal(load(path, false, &model, &error), SRS_ERROR_MODEL);
  assert_has(error.file, "parts/ball.xml");
  assert_int_equal(error.line, 2);
}

static void assert_refused(const char *main, srs_status status, const char *words)
{
  srs_model *model;
  srs_error error;
  struct timespec start, end;
  const char *path = testing_write("main.xml", main);
  clock_gettime(CLOCK_MONOTONIC, &start);
  assert_int_equal(load(path, false, &model, &error), status);
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert_has(error.message, words);
  assert_true(error.line > 0);
  assert_true(end.tv_sec - start.tv_sec <= 2); // at once: no file is read twice
}

static void hostile_includes_are_refused_at_once(void **state)
{
  (void)state;
  make_folder("parts");
  assert_refused("<mujoco><include file='main.xml'/></mujoco>", SRS_ERROR_SYNTAX, "at most once");
  testing_write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  testing_write("b.xml", "<mujoco><include file='a.xml'/></mujoco>");
  assert_refused("<mujoco><include file='a.xml'/></mujoco>", SRS_ERROR_SYNTAX, "at most once");
  assert_refused("<mujoco><include file='/dev/zero'/></mujoco>", SRS_ERROR_FILE, "outside the folder");
  assert_refused("<mujoco><include file='../../etc/passwd'/></mujoco>", SRS_ERROR_FILE, "");
  assert_refused("<mujoco><include file='nope.xml'/></mujoco>", SRS_ERROR_FILE, "no such file");
  assert_refused("<mujoco><include file='parts'/></mujoco>", SRS_ERROR_FILE, "not a regular file");
  assert_refused("<mujoco><include/></mujoco>", SRS_ERROR_SYNTAX, "needs the attribute file");
  char link[512];
  snprintf(link, sizeof link, "%s/link.xml", testing_folder());
  if (symlink("/etc/hostname", link) == 0)
    assert_refused("<mujoco><include file='link.xml'/></mujoco>", SRS_ERROR_FILE, "outside the folder");
  testing_write("robot.xml", "<robot name='r'/>");
  assert_refused("<mujoco><include file='robot.xml'/></mujoco>", SRS_ERROR_SYNTAX, "its root element is <robot>");
}

static void files_outside_are_included_where_that_is_allowed(void **state)
{
  (void)state;
  make_folder("inner");
  testing_write("outer.xml", "<mujoco/>");
  const char *path = testing_write("inner/main.xml", "<mujoco><include file='../outer.xml'/></mujoco>");
  srs_model *model;
  srs_error error;
  assert_int_equal(load(path, false, &model, &error), SRS_ERROR_FILE);
  assert_has(error.message, "--allow-outside");
  assert_int_equal(load(path, true, &model, &error), SRS_OK);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_stand_where_the_include_stood),
      cmocka_unit_test(hostile_includes_are_refused_at_once),
      cmocka_unit_test(files_outside_are_included_where_that_is_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
