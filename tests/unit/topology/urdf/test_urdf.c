// URDF files are placed as the options say, what cannot be is refused with the reason, and any bytes end in one of
// both.
#include "support/urdf_cases.h"

#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

// The same function that the fuzzer runs is given random mutations here.
#include "fuzz/fuzz_urdf.c" // NOLINT(bugprone-suspicious-include): it has no header, as fuzzers want it

// ---------------------------------------------------------------------------------------------------------------------
// The base, prefixes, several files
// ---------------------------------------------------------------------------------------------------------------------

static srs_load_options placed(srs_base_kind base)
{
  srs_load_options options = srs_default_load_options();
  options.base = base;
  options.placement.position[0] = 1;
  options.placement.position[2] = 0.5;
  srs_rotation_from_rpy((const double[3]){0, 0, 1.5707963267948966}, options.placement.rotation);
  return options;
}

static void a_fixed_base_is_welded_where_it_is_placed(void **state)
{
  (void)state;
  const srs_load_options options = placed(SRS_BASE_FIXED);
  srs_model *model = loaded_with(one_joint("continuous", "<origin xyz='0.1 0 0'/>", BALL), &options);
  assert_int_equal(srs_model_nq(model), 1);
  const double position[3] = {1, 0.1, 0.5};
  testing_assert_close("joint", srs_model_joint(model, 0)->origin.position, position, 3, 1e-15);
  const srs_frame *frame = srs_model_frame(model, srs_model_find_frame(model, "w"));
  assert_int_equal(frame->link, -1);
  testing_assert_close("root", frame->pose.position, options.placement.position, 3, 0);
  srs_model_destroy(model);
}

static void a_floating_base_hangs_on_a_free_joint_named_root(void **state)
{
  (void)state;
  const srs_load_options options = placed(SRS_BASE_FLOATING);
  const double neutral[7] = {1, 0, 0.5, sqrt(0.5), 0, 0, sqrt(0.5)};
  srs_model *model = loaded_with("<robot name='r'><link name='body'>" BALL "</link></robot>", &options);
  const srs_joint *joint = joint_named(model, "root");
  assert_int_equal(joint->kind, SRS_JOINT_FREE);
  const double zero[3] = {0, 0, 0};
  testing_assert_close("origin", joint->origin.position, zero, 3, 0);
  testing_assert_close("neutral", srs_model_neutral(model), neutral, 7, 1e-15);
  srs_model_destroy(model);

  model = loaded_with(
      "<robot name='r'><link name='body'>" BALL "</link><link name='arm'>" BALL
      "</link><joint name='root' type='continuous'><parent link='body'/><child link='arm'/></joint></robot>",
      &options);
  assert_int_equal(joint_named(model, "root_1")->kind, SRS_JOINT_FREE);
  assert_string_equal(srs_model_q_name(model, 7), "root");
  srs_model_destroy(model);
}

static void prefixes_come_before_every_name(void **state)
{
  (void)state;
  const char *path = testing_write(
      "robot.urdf", "<robot><link name='w'>" BALL "</link><link name='p'>" BALL "<collision name='c'><geometry><sphere "
                    "radius='1'/></geometry></collision></link><joint name='h' type='continuous'><parent link='w'/>"
                    "<child link='p'/></joint></robot>");
  srs_builder *builder = srs_builder_create();
  srs_load_options options = placed(SRS_BASE_FLOATING);
  srs_error error;
  options.prefix = "left/";
  assert_int_equal(srs_builder_add_urdf(builder, path, &options, &error), SRS_OK);
  options.prefix = "right/";
  options.base = SRS_BASE_FIXED;
  assert_int_equal(srs_builder_add_urdf(builder, path, &options, &error), SRS_OK);
  // The same names again: nothing of the third reading stays.
  assert_int_equal(srs_builder_add_urdf(builder, path, &options, &error), SRS_ERROR_NAME);
  assert_has(error.message, "right/w");
  options.prefix = NULL;
  assert_int_equal(srs_builder_add_urdf(builder, path, &options, &error), SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_OK);
  srs_builder_destroy(builder);
  static const char *const joints[] = {"left/root", "left/h", "right/h", "h"};
  for (int i = 0; i < 4; i++) assert_true(srs_model_find_joint(model, joints[i]) >= 0);
  assert_int_equal(srs_model_n_links(model), 4);
  assert_true(srs_model_find_frame(model, "left/w") >= 0 && srs_model_find_frame(model, "right/p") >= 0);
  assert_int_equal(srs_model_n_shapes(model), 3);
  assert_string_equal(srs_model_shape(model, 0)->name, "left/c");
  srs_model_destroy(model);
}

static void two_floating_robots_get_two_root_names(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const srs_load_options options = placed(SRS_BASE_FLOATING);
  assert_int_equal(srs_builder_add_urdf(builder,
                                        testing_write("a.urdf", "<robot><link name='a'>" BALL "</link></robot>"),
                                        &options, NULL),
                   SRS_OK);
  assert_int_equal(srs_builder_add_urdf(builder,
                                        testing_write("b.urdf", "<robot><link name='b'>" BALL "</link></robot>"),
                                        &options, NULL),
                   SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  assert_true(srs_model_find_joint(model, "root") >= 0 && srs_model_find_joint(model, "root_1") >= 0);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is refused
// ---------------------------------------------------------------------------------------------------------------------

static void unexpanded_xacro_and_bad_numbers_are_refused(void **state) // F14
{
  (void)state;
#define WITH_MASS(MASS)                                                                                                \
  "<robot name='r'>\n<link name='a'><inertial>\n<mass value='" MASS "'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "     \
  "ixz='0' iyz='0'/></inertial></link></robot>"
#define WITH_ORIGIN(XYZ)                                                                                               \
  "<robot name='r'>\n<link name='a'><inertial>\n<origin xyz='" XYZ "'/><mass value='1'/><inertia ixx='1' iyy='1' "     \
  "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>"
  refused(WITH_MASS("${m}"), SRS_ERROR_SYNTAX, 3, "unexpanded xacro, run xacro first: <mass value=\"${m}\">");
  refused(WITH_ORIGIN("0 0 ${h/2}"), SRS_ERROR_SYNTAX, 3, "unexpanded xacro, run xacro first");
  refused(WITH_MASS("1.0kg"), SRS_ERROR_SYNTAX, 3, "<mass value=\"1.0kg\">: expected one finite number");
  refused(WITH_MASS("1,5"), SRS_ERROR_SYNTAX, 3, "<mass value=\"1,5\">: expected one finite number");
  refused(WITH_MASS("nan"), SRS_ERROR_SYNTAX, 3, "<mass value=\"nan\">: expected one finite number");
  refused(WITH_ORIGIN("0 0"), SRS_ERROR_SYNTAX, 3, "<origin xyz=\"0 0\">: expected three finite numbers");
  refused(WITH_ORIGIN(""), SRS_ERROR_SYNTAX, 3, "<origin xyz=\"\">: expected three finite numbers");
  refused(WITH_MASS("-13/3*2"), SRS_ERROR_SYNTAX, 3, "expected one finite number");
  refused(WITH_MASS("$(arg m)"), SRS_ERROR_SYNTAX, 3, "unexpanded xacro");
  refused("<robot name='r'><link name='a'/>\n<xacro:arm/></robot>", SRS_ERROR_SYNTAX, 2, "unexpanded xacro");
  refused("<robot name='r' xmlns:xacro='x'>\n<xacro:property name='m' value='1'/><link name='a'/></robot>",
          SRS_ERROR_SYNTAX, 2, "unexpanded xacro");
#undef WITH_MASS
#undef WITH_ORIGIN
}

static void missing_elements_and_attributes_are_refused(void **state)
{
  (void)state;
  refused("<robot><link/></robot>", SRS_ERROR_SYNTAX, 1, "<link> needs the attribute name");
  refused("<robot><link name=''/></robot>", SRS_ERROR_SYNTAX, 1, "<link name=\"\"> is empty");
  refused("<robot><link name='a&#10;b'/></robot>", SRS_ERROR_SYNTAX, 1, "control character");
  refused(one_joint("continuous", "", "<inertial/>"), SRS_ERROR_SYNTAX, 2, "needs <mass");
  refused(one_joint("continuous", "", "<inertial><mass>5</mass></inertial>"), SRS_ERROR_SYNTAX, 2,
          "<mass> needs the attribute value");
  refused(one_joint("continuous", "", "<inertial><mass value='5'/></inertial>"), SRS_ERROR_SYNTAX, 2, "needs <inertia");
  refused(one_joint("continuous", "", "<inertial><mass value='5'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"),
          SRS_ERROR_SYNTAX, 2, "<inertia> needs the attribute ixy");
  refused(one_joint("continuous", "", BALL "<visual/>"), SRS_ERROR_SYNTAX, 2, "needs <geometry");
  refused(one_joint("continuous", "", BALL "<visual><geometry><box/></geometry></visual>"), SRS_ERROR_SYNTAX, 2,
          "size");
  refused(one_joint("continuous", "", BALL "<visual><geometry><mesh/></geometry></visual>"), SRS_ERROR_SYNTAX, 2,
          "filename");
  refused(one_joint("continuous", "", BALL "<visual><geometry><sphere radius='-1'/></geometry></visual>"),
          SRS_ERROR_MODEL, 2, "negative");
  refused("<robot><link name='a'/>\n<joint name='j'><parent link='a'/><child link='a'/></joint></robot>",
          SRS_ERROR_SYNTAX, 2, "<joint> needs the attribute type");
  refused("<robot><link name='a'/>\n<joint type='fixed'/></robot>", SRS_ERROR_SYNTAX, 2,
          "<joint> needs the attribute name");
  refused("<robot><link name='a'/>\n<joint name='j' type='fixed'><child link='a'/></joint></robot>", SRS_ERROR_SYNTAX,
          2, "joint 'j' needs <parent link=...>");
  refused("<robot><link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/></joint></robot>", SRS_ERROR_SYNTAX,
          2, "joint 'j' needs <child link=...>");
  refused("<robot><link name='a'/>\n<joint name='j' type='fixed'><parent/><child link='a'/></joint></robot>",
          SRS_ERROR_SYNTAX, 2, "<parent> needs the attribute link");
}

#define LINKS4 "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>\n"
#define JOINT(NAME, PARENT, CHILD)                                                                                     \
  "<joint name='" NAME "' type='fixed'><parent link='" PARENT "'/><child link='" CHILD "'/></joint>\n"

static void what_is_no_tree_is_refused(void **state)
{
  (void)state;
  srs_error error =
      refused(LINKS4 JOINT("1", "a", "b") JOINT("2", "c", "d") "</robot>", SRS_ERROR_MODEL, 1, "2 root links");
  assert_has(error.message, "'a', 'c'");
  error = refused(LINKS4 JOINT("1", "a", "b") JOINT("2", "b", "c") JOINT("3", "c", "d") JOINT("4", "d", "a") "</robot>",
                  SRS_ERROR_MODEL, 5, "cycle");
  assert_has(error.message, "'a', 'd', 'c', 'b'");
  error = refused(LINKS4 JOINT("1", "a", "b") JOINT("2", "c", "d") JOINT("3", "d", "c") "</robot>", SRS_ERROR_MODEL, 4,
                  "cycle");
  assert_has(error.message, "'c', 'd'");
  refused(LINKS4 JOINT("1", "b", "b") "</robot>", SRS_ERROR_MODEL, 2, "cycle");
  error = refused(LINKS4 JOINT("1", "a", "b") JOINT("2", "a", "c") JOINT("3", "c", "b") JOINT("4", "c", "d") "</robot>",
                  SRS_ERROR_MODEL, 4, "link 'b' is the child of two joints");
  assert_has(error.message, "'1' (line 2) and '3'");
  refused("<robot name='r'/>", SRS_ERROR_MODEL, 1, "has no links");
  char many[8192] = "<robot>";
  for (int i = 0; i < 100; i++) snprintf(many + strlen(many), 64, "<link name='l%d'/>", i);
  strcat(many, "</robot>");
  refused(many, SRS_ERROR_MODEL, 1, "100 root links, 'l0', 'l1', 'l2', 'l3', 'l4', 'l5', ...");
}

static void names_that_are_missing_or_twice_there_are_refused(void **state)
{
  (void)state;
  refused(LINKS4 "<link name='b'/></robot>", SRS_ERROR_NAME, 2, "two links named 'b'; the first is in line 1");
  refused(LINKS4 JOINT("j", "a", "b") JOINT("j", "a", "c") JOINT("k", "a", "d") "</robot>", SRS_ERROR_NAME, 3,
          "two joints named 'j'; the first is in line 2");
  refused(LINKS4 "<joint name='j' type='fixed'><parent link='a'/>\n<child link='nope'/></joint></robot>",
          SRS_ERROR_NAME, 3, "joint 'j' names the child link 'nope'");
  const srs_error error = refused(LINKS4 JOINT("j", "world", "a") "</robot>", SRS_ERROR_NAME, 2,
                                  "joint 'j' names the parent link 'world', but there is no link of that name");
  assert_string_equal(error.subject, "j");
}

static void files_that_are_no_robots_are_refused(void **state)
{
  (void)state;
  refused("", SRS_ERROR_SYNTAX, 0, "is empty");
  refused("solid words", SRS_ERROR_SYNTAX, 1, "not well-formed XML");
  refused("<robot>\n<link>\n</robot>", SRS_ERROR_SYNTAX, 3, "not well-formed XML");
  refused("<sdf version='1'/>", SRS_ERROR_UNSUPPORTED, 1,
          "is an SDF file (its root element is <sdf>), which is not read");
  refused("<html/>", SRS_ERROR_SYNTAX, 1, "the root element is <html>, expected <robot>");
  refused("<!DOCTYPE robot [<!ENTITY a 'b'>]><robot name='&a;'/>", SRS_ERROR_SYNTAX, 1, "entity bomb");
  srs_model *model = NULL;
  srs_error error;
  assert_int_equal(srs_model_load("/no/such.urdf", NULL, &model, &error), SRS_ERROR_FILE);
  srs_builder *builder = srs_builder_create();
  assert_int_equal(srs_builder_add_urdf(builder, testing_write("other.urdf", "\n<mujoco model='m'/>"), NULL, &error),
                   SRS_ERROR_UNSUPPORTED);
  assert_has(error.message, "is an MJCF file");
  assert_int_equal(error.line, 2);
  srs_builder_destroy(builder);
  assert_int_equal(srs_model_load(testing_folder(), NULL, &model, &error), SRS_ERROR_FILE);
  assert_has(error.message, "directory");
  assert_null(model);
}

static void options_that_make_no_sense_are_refused(void **state)
{
  (void)state;
  const char *path = testing_write("robot.urdf", one_joint("continuous", "", BALL));
  srs_model *model = NULL;
  srs_error error;
  srs_load_options options = srs_default_load_options();
  options.placement.position[1] = NAN;
  assert_int_equal(srs_model_load(path, &options, &model, &error), SRS_ERROR_NOT_FINITE);
  options = srs_default_load_options();
  options.placement.rotation[0] = 3;
  options.base = SRS_BASE_FLOATING;
  assert_int_equal(srs_model_load(path, &options, &model, &error), SRS_ERROR_ARGUMENT);
  assert_has(error.message, "placement");
  static const char *const packages[] = {"no equals sign", NULL};
  options = srs_default_load_options();
  options.packages = packages;
  assert_int_equal(srs_model_load(path, &options, &model, &error), SRS_ERROR_ARGUMENT);
  assert_has(error.message, "name=directory");
  assert_int_equal(srs_model_load(NULL, NULL, &model, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_model_load(path, NULL, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_builder_add_urdf(NULL, path, NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_null(model);
}

static void a_failed_reading_leaves_the_builder_as_it_was(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const char *bad = testing_write("bad.urdf", one_joint("continuous", "<axis xyz='0 0 0'/>", BALL "<odd/>"));
  assert_int_equal(srs_builder_add_urdf(builder, bad, NULL, NULL), SRS_ERROR_MODEL);
  const char *good = testing_write("good.urdf", one_joint("continuous", "", BALL));
  assert_int_equal(srs_builder_add_urdf(builder, good, NULL, NULL), SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  assert_int_equal(srs_model_n_links(model), 1);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
}

// ---------------------------------------------------------------------------------------------------------------------
// Robots from the field
// ---------------------------------------------------------------------------------------------------------------------

static void check_mass(const char *folder, const char *urdf)
{
  char path[512];
  snprintf(path, sizeof path, "%s%.*s.json", folder, (int)(strlen(urdf) - 5), urdf);
  const char *json_path = testing_data(path);
  snprintf(path, sizeof path, "%s%s", folder, urdf);
  testing_json *json = testing_json_load(json_path);
  srs_load_options options = srs_default_load_options();
  if (testing_json_has(json, "/floating_base") && strcmp(testing_json_text(json, "/floating_base"), "true") == 0)
    options.base = SRS_BASE_FLOATING;
  srs_model *model = loaded_file(testing_data(path), &options);
  const double expected = testing_json_number(json, "/moving_mass"), mass = srs_model_mass(model);
  if (fabs(mass - expected) > 1e-12 * expected) // sums of some dozen masses
    fail_msg("%s: mass %.17g, expected %.17g", urdf, mass, expected);
  assert_int_equal(srs_model_nv(model), (int)testing_json_number(json, "/nv"));
  for (int i = 0; i < testing_json_count(json, "/joints"); i++) {
    snprintf(path, sizeof path, "/joints/%d/name", i);
    const char *name = testing_json_text(json, path);
    if (srs_model_find_joint(model, strcmp(name, "root_joint") == 0 ? "root" : name) < 0)
      fail_msg("%s: no joint %s", urdf, name);
  }
  srs_model_destroy(model);
  testing_json_free(json);
}

// falcon names a link that does not exist.
static bool is_to_be_refused(const char *folder, const char *urdf)
{
  static const struct {
    const char *urdf, *words;
    srs_status status;
  } cases[] = {{"falcon.urdf", "'Z_propeller'", SRS_ERROR_NAME}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(urdf, cases[i].urdf) != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "%s%s", folder, urdf);
    srs_model *model = NULL;
    srs_error error;
    assert_int_equal(srs_model_load(testing_data(path), NULL, &model, &error), cases[i].status);
    assert_has(error.message, cases[i].words);
    assert_true(error.line > 0);
    assert_null(model);
    return true;
  }
  return false;
}

// Where links may be missing falcon loads without its seventh propeller, and says so at both lines; strictly it does
// not.
static void what_no_joint_joins_may_be_left_out(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  srs_load_options options = srs_default_load_options();
  srs_model *model = NULL;
  srs_error error;
  options.allow_missing_links = options.no_collision = true;
  assert_int_equal(srs_model_load(testing_data("robots/more/falcon.urdf"), &options, &model, &error), SRS_OK);
  assert_int_equal(srs_model_n_frames(model), 8);
  assert_true(srs_model_find_frame(model, "FR_propeller") >= 0);
  assert_int_equal(srs_model_find_frame(model, "top_propeller"), -1);
  int n_told = 0;
  for (int i = 0; i < srs_model_n_warnings(model); i++) {
    const char *text = srs_model_warning(model, i);
    n_told += strstr(text, ":182: joint 'top_propeller_joint' is left out: its child link 'Z_propeller'") != NULL;
    n_told += strstr(text, ":135: 1 link that no joint joins to 'falcon' is left out: 'top_propeller'") != NULL;
    assert_null(strstr(text, "is not read")); // nothing of what is left out is told again
  }
  assert_int_equal(n_told, 2);
  srs_model_destroy(model);
  options.build.strict = true;
  assert_int_not_equal(srs_model_load(testing_data("robots/more/falcon.urdf"), &options, &model, &error), SRS_OK);
}

// The largest tree stays; what hangs on a joint that is left out goes, and so does a mimic of such a joint.
static void the_largest_tree_stays(void **state)
{
  (void)state;
  srs_load_options options = srs_default_load_options();
  srs_model *model = NULL;
  srs_error error;
  options.allow_missing_links = true;
#define BODY(name)                                                                                                     \
  "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
  "</inertial></link>\n"
#define TURNS(name, parent, child, rest)                                                                               \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/>" rest "</joint>\n"
  static const char text[] = "<robot name='r'>" BODY("x") BODY("y") BODY("a") BODY("b") BODY("c")
      TURNS("jx", "x", "y", "") TURNS("lost", "a", "none", "") TURNS("gone", "nowhere", "x", "")
          TURNS("ja", "a", "b", "<mimic joint='jx'/>") TURNS("jb", "b", "c", "<mimic joint='ja'/>") "</robot>";
  if (srs_model_load(testing_write("m.urdf", text), &options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_model_n_links(model), 2);
  assert_true(srs_model_find_frame(model, "a") >= 0 && srs_model_find_joint(model, "jb") >= 0);
  assert_int_equal(srs_model_find_frame(model, "x"), -1);
  assert_int_equal(srs_model_find_joint(model, "lost"), -1);
  assert_int_equal(srs_model_n_couplings(model), 1); // jb follows ja
  srs_model_destroy(model);
  options.allow_missing_links = false;
  assert_int_equal(srs_model_load(testing_write("m.urdf", text), &options, &model, &error), SRS_ERROR_NAME);
  assert_has(error.message, "--allow-missing-links");
}

static int check_folder(const char *folder)
{
  DIR *entries = opendir(testing_data(folder));
  assert_non_null(entries);
  int n = 0;
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot == NULL || strcmp(dot, ".urdf") != 0) continue;
    if (!is_to_be_refused(folder, entry->d_name)) check_mass(folder, entry->d_name);
    n++;
  }
  closedir(entries);
  return n;
}

static void robots_of_the_field_load_with_their_mass_or_are_refused_with_the_reason(void **state)
{
  (void)state;
  assert_int_equal(check_folder("robots/"), 5);
  assert_int_equal(check_folder("robots/more/"), 13);
}

// ---------------------------------------------------------------------------------------------------------------------
// Locale, mutations
// ---------------------------------------------------------------------------------------------------------------------

static void a_decimal_comma_changes_nothing(void **state) // F15
{
  (void)state;
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
    print_message("skipped: no locale de_DE.UTF-8\n");
    skip();
  }
  char german[16];
  snprintf(german, sizeof german, "%.1f", 0.5);
  srs_model *model = loaded(one_joint(
      "continuous", "<mimic joint='g' offset='0.25'/>",
      "<inertial><origin xyz='0 0.3 0'/><mass value='1.5'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "
      "iyz='0'/></inertial>"));
  const bool is_right = srs_model_link(model, 0)->com[1] == 0.3 && srs_model_link(model, 0)->mass == 1.5;
  const bool has_point = warns(model, 4, "offset 0.25");
  const bool is_left_alone = strcmp(setlocale(LC_ALL, NULL), "de_DE.UTF-8") == 0;
  srs_model_destroy(model);
  setlocale(LC_ALL, "C");
  assert_string_equal(german, "0,5");
  assert_true(is_right && has_point && is_left_alone);
}

static void mutated_files_give_a_model_or_a_message(void **state)
{
  (void)state;
  static const char robot[] =
      "<?xml version='1.0'?>\n<robot name='r'><link name='w'/><link name='p'><inertial><origin xyz='0 0 1' rpy='0 1 "
      "0'/>"
      "<mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial><visual name='v'>"
      "<geometry><box size='1 2 3'/></geometry></visual><collision><geometry><mesh filename='package://a/b.stl'/>"
      "</geometry></collision></link><joint name='h' type='revolute'><parent link='w'/><child link='p'/><axis xyz='0 0 "
      "1'/>"
      "<limit lower='-1' upper='1' effort='1' velocity='1'/><dynamics damping='0.1'/><mimic joint='g'/></joint>"
      "<joint name='g' type='floating'><parent link='p'/><child link='q'/></joint><link name='q'>" BALL
      "</link><gazebo/>&amp;<!-- c --><![CDATA[x]]></robot>";
  static const char useful[] = "<>/'\"&;=#x ![]-0919.\n$:{";
  enum { LENGTH = sizeof robot - 1, RUNS = 3000 };
  testing_random random = testing_random_start(20240607);
  assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)robot, LENGTH), 0);
  for (int run = 0; run < RUNS; run++) {
    char text[LENGTH];
    memcpy(text, robot, LENGTH);
    const int changes = 1 + testing_below(&random, 4);
    for (int i = 0; i < changes; i++) {
      const int at = testing_below(&random, LENGTH), how = testing_below(&random, 3);
      if (how == 0)
        text[at] = (char)(text[at] ^ (1 << testing_below(&random, 8)));
      else if (how == 1)
        text[at] = useful[testing_below(&random, (int)sizeof useful - 1)];
      else
        memmove(text + at, text + testing_below(&random, at + 1), (size_t)(LENGTH - at) / 8);
    }
    const size_t length = testing_below(&random, 4) == 0 ? (size_t)testing_below(&random, LENGTH) : (size_t)LENGTH;
    assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)text, length), 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fixed_base_is_welded_where_it_is_placed),
      cmocka_unit_test(a_floating_base_hangs_on_a_free_joint_named_root),
      cmocka_unit_test(prefixes_come_before_every_name),
      cmocka_unit_test(two_floating_robots_get_two_root_names),
      cmocka_unit_test(unexpanded_xacro_and_bad_numbers_are_refused),
      cmocka_unit_test(missing_elements_and_attributes_are_refused),
      cmocka_unit_test(what_is_no_tree_is_refused),
      cmocka_unit_test(names_that_are_missing_or_twice_there_are_refused),
      cmocka_unit_test(files_that_are_no_robots_are_refused),
      cmocka_unit_test(options_that_make_no_sense_are_refused),
      cmocka_unit_test(a_failed_reading_leaves_the_builder_as_it_was),
      cmocka_unit_test(robots_of_the_field_load_with_their_mass_or_are_refused_with_the_reason),
      cmocka_unit_test(what_no_joint_joins_may_be_left_out),
      cmocka_unit_test(the_largest_tree_stays),
      cmocka_unit_test(a_decimal_comma_changes_nothing),
      cmocka_unit_test(mutated_files_give_a_model_or_a_message),
  };
  return cmocka_run_group_tests_name("urdf", tests, NULL, NULL);
}
