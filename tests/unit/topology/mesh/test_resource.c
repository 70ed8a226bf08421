// Mesh files are found by package, by address and by path, from any working directory, and the search can be told.
#include "support/testing.h"
#include "topology/mesh/resource.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX]; // real path of the temporary folder

static const char *below(const char *relative)
{
  static char paths[8][2 * PATH_MAX];
  static int next = 0;
  next = (next + 1) % 8;
  snprintf(paths[next], sizeof paths[next], "%s/%s", root, relative);
  return paths[next];
}

static void folder(const char *relative) { assert_int_equal(mkdir(below(relative), 0700), 0); }

static int set_up(void **state)
{
  (void)state;
  if (realpath(testing_folder(), root) == NULL) return -1;
  unsetenv("ROS_PACKAGE_PATH");
  unsetenv("AMENT_PREFIX_PATH");
  folder("foo_description");
  folder("foo_description/urdf");
  folder("foo_description/meshes");
  testing_write("foo_description/urdf/a.urdf", "<robot/>");
  testing_write("foo_description/meshes/b.stl", "b");
  testing_write("foo_description/meshes/with space.stl", "s");
  testing_write("foo_description/urdf/near.stl", "n");
  folder("checkout"); // a package whose folder has another name
  folder("checkout/meshes");
  folder("checkout/urdf");
  testing_write("checkout/package.xml", "<package>\n <name> bar_description </name></package>");
  testing_write("checkout/meshes/c.stl", "c");
  testing_write("checkout/urdf/c.urdf", "<robot/>");
  folder("elsewhere");
  folder("elsewhere/far");
  testing_write("elsewhere/far/d.stl", "d");
  folder("prefix");
  folder("prefix/share");
  folder("prefix/share/installed");
  testing_write("prefix/share/installed/e.stl", "e");
  return 0;
}

static void finds(const char *address, const char *model, const char *const *packages, const char *expected)
{
  srs_resource found;
  assert_int_equal(srs_resource_find(address, model, packages, NULL, &found), SRS_OK);
  if (found.path == NULL) fail_msg("%s: not found, tried %s", address, found.tried);
  assert_string_equal(found.path, below(expected));
  srs_resource_release(&found);
}

static void does_not_find(const char *address, const char *model, const char *const *packages, const char *tried)
{
  srs_resource found;
  assert_int_equal(srs_resource_find(address, model, packages, NULL, &found), SRS_OK);
  if (found.path != NULL) fail_msg("%s: found %s", address, found.path);
  assert_non_null(found.tried);
  if (strstr(found.tried, tried) == NULL) fail_msg("%s: tried \"%s\", not \"%s\"", address, found.tried, tried);
  srs_resource_release(&found);
}

static void the_three_ways_of_naming_find_one_mesh_from_anywhere(void **state)
{
  (void)state;
  char address[3 * PATH_MAX], before[PATH_MAX];
  assert_non_null(getcwd(before, sizeof before));
  snprintf(address, sizeof address, "file://%s", below("foo_description/meshes/b.stl"));
  const struct {
    const char *cwd, *model; // NULL: the whole path
  } places[] = {{".", NULL},
                {"foo_description/urdf", "a.urdf"},
                {"foo_description/meshes", "../urdf/a.urdf"},
                {".", "foo_description/urdf/a.urdf"},
                {"elsewhere", NULL}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char model[2 * PATH_MAX];
    snprintf(model, sizeof model, "%s",
             places[i].model != NULL ? places[i].model : below("foo_description/urdf/a.urdf"));
    assert_int_equal(chdir(below(places[i].cwd)), 0);
    finds("package://foo_description/meshes/b.stl", model, NULL, "foo_description/meshes/b.stl");
    finds("../meshes/b.stl", model, NULL, "foo_description/meshes/b.stl");
    finds(address, model, NULL, "foo_description/meshes/b.stl");
    finds("near.stl", model, NULL, "foo_description/urdf/near.stl");
  }
  assert_int_equal(chdir(before), 0);
}

static void packages_are_looked_for_in_the_stated_order(void **state)
{
  (void)state;
  char given[2 * PATH_MAX + 32], bad[2 * PATH_MAX + 32];
  snprintf(given, sizeof given, "foo_description=%s", below("elsewhere/far"));
  snprintf(bad, sizeof bad, "foo_description=%s", below("nowhere"));
  const char *const packages[] = {"other=/", bad, given, NULL};
  const char *model = below("foo_description/urdf/a.urdf");
  finds("package://foo_description/d.stl", model, packages, "elsewhere/far/d.stl");
  finds("package://foo_description/meshes/b.stl", model, packages, "foo_description/meshes/b.stl");
  does_not_find("package://foo_description/no.stl", model, packages, "far/no.stl");
  does_not_find("package://foo_description/no.stl", model, packages, "nowhere/no.stl, ");
}

static void a_package_is_known_by_its_description_too(void **state)
{
  (void)state;
  finds("package://bar_description/meshes/c.stl", below("checkout/urdf/c.urdf"), NULL, "checkout/meshes/c.stl");
  finds("model://bar_description/meshes/c.stl", below("checkout/urdf/c.urdf"), NULL, "checkout/meshes/c.stl");
  // A sibling of a folder above the model.
  finds("package://foo_description/meshes/b.stl", below("checkout/urdf/c.urdf"), NULL, "foo_description/meshes/b.stl");
}

static void the_environment_of_ros_is_looked_through(void **state)
{
  (void)state;
  const char *model = below("checkout/urdf/c.urdf");
  does_not_find("package://far/d.stl", model, NULL, below("checkout/urdf/d.stl"));
  assert_int_equal(setenv("ROS_PACKAGE_PATH", below("nothing"), 1), 0);
  does_not_find("package://far/d.stl", model, NULL, below("nothing/far/d.stl"));
  char list[4 * PATH_MAX];
  snprintf(list, sizeof list, "%s::%s", below("nothing"), below("elsewhere"));
  assert_int_equal(setenv("ROS_PACKAGE_PATH", list, 1), 0);
  finds("package://far/d.stl", model, NULL, "elsewhere/far/d.stl");
  assert_int_equal(setenv("ROS_PACKAGE_PATH", below("elsewhere/far"), 1), 0);
  finds("package://far/d.stl", model, NULL, "elsewhere/far/d.stl");
  does_not_find("package://installed/e.stl", model, NULL, "e.stl");
  assert_int_equal(setenv("AMENT_PREFIX_PATH", below("prefix"), 1), 0);
  finds("package://installed/e.stl", model, NULL, "prefix/share/installed/e.stl");
  unsetenv("ROS_PACKAGE_PATH");
  unsetenv("AMENT_PREFIX_PATH");
}

// A workspace: packages in folders of folders, known by their package.xml, by their manifest.xml and their folder.
static void packages_below_an_entry_of_the_path_are_found(void **state)
{
  (void)state;
  static const char *const folders[] = {"ws",
                                        "ws/src",
                                        "ws/src/repository",
                                        "ws/src/repository/checkout_of_deep",
                                        "ws/src/repository/checkout_of_deep/meshes",
                                        "ws/src/repository/old",
                                        "ws/src/repository/old/inner",
                                        "ws/src/repository/plain",
                                        "ws/src/.hidden",
                                        "ws/src/ignored",
                                        "ws/src/ignored/kept_out"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) folder(folders[i]);
  testing_write("ws/src/repository/checkout_of_deep/package.xml", "<package><name>deep</name></package>");
  testing_write("ws/src/repository/checkout_of_deep/meshes/f.stl", "f");
  testing_write("ws/src/repository/old/manifest.xml", "<package/>");
  testing_write("ws/src/repository/old/g.stl", "g");
  testing_write("ws/src/repository/old/inner/package.xml", "<package><name>inner</name></package>");
  testing_write("ws/src/repository/old/inner/h.stl", "h");
  testing_write("ws/src/repository/plain/i.stl", "i");
  testing_write("ws/src/.hidden/package.xml", "<package><name>hidden</name></package>");
  testing_write("ws/src/.hidden/j.stl", "j");
  testing_write("ws/src/ignored/CATKIN_IGNORE", "");
  testing_write("ws/src/ignored/kept_out/package.xml", "<package><name>kept_out</name></package>");
  testing_write("ws/src/ignored/kept_out/k.stl", "k");
  assert_int_equal(symlink(below("ws"), below("ws/src/repository/around")), 0); // a circle
  char list[4 * PATH_MAX];
  snprintf(list, sizeof list, "%s:%s", below("nothing"), below("ws/src"));
  assert_int_equal(setenv("ROS_PACKAGE_PATH", list, 1), 0);
  const char *model = below("foo_description/urdf/a.urdf");
  finds("package://deep/meshes/f.stl", model, NULL, "ws/src/repository/checkout_of_deep/meshes/f.stl");
  finds("package://old/g.stl", model, NULL, "ws/src/repository/old/g.stl");
  does_not_find("package://inner/h.stl", model, NULL, "the packages below ROS_PACKAGE_PATH"); // inside of a package
  does_not_find("package://plain/i.stl", model, NULL, "plain/i.stl");                         // none
  does_not_find("package://hidden/j.stl", model, NULL, "hidden/j.stl");
  does_not_find("package://kept_out/k.stl", model, NULL, "kept_out/k.stl");
  does_not_find("package://checkout_of_deep/meshes/f.stl", model, NULL, "meshes/f.stl"); // it has another name
  unsetenv("ROS_PACKAGE_PATH");
}

static void percent_escapes_are_undone_where_they_must_be(void **state)
{
  (void)state;
  const char *model = below("foo_description/urdf/a.urdf");
  finds("../meshes/with space.stl", model, NULL, "foo_description/meshes/with space.stl");
  finds("package://foo_description/meshes/with%20space.stl", model, NULL, "foo_description/meshes/with space.stl");
  does_not_find("a%zz%2", model, NULL, "a%zz%2");
}

static void what_names_no_file_is_not_found(void **state)
{
  (void)state;
  const char *model = below("foo_description/urdf/a.urdf");
  does_not_find("package://", model, NULL, "names no file");
  does_not_find("package://foo_description", model, NULL, "names no file");
  does_not_find("package://foo_description/meshes", model, NULL, "foo_description/meshes"); // a folder
  does_not_find("", model, NULL, "urdf");
  does_not_find("http://localhost/b.stl", model, NULL, "only package://");
  does_not_find("b.stl", "/no/such/model.urdf", NULL, "/no/such/b.stl");
  does_not_find("package://p/b.stl", "/no/such/model.urdf", NULL, "/no/such/b.stl");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_three_ways_of_naming_find_one_mesh_from_anywhere),
      cmocka_unit_test(packages_are_looked_for_in_the_stated_order),
      cmocka_unit_test(a_package_is_known_by_its_description_too),
      cmocka_unit_test(the_environment_of_ros_is_looked_through),
      cmocka_unit_test(packages_below_an_entry_of_the_path_are_found),
      cmocka_unit_test(percent_escapes_are_undone_where_they_must_be),
      cmocka_unit_test(what_names_no_file_is_not_found),
  };
  return cmocka_run_group_tests_name("resource", tests, set_up, NULL);
}
