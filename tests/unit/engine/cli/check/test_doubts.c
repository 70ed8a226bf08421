// Two kinds of doubts, on robots and on small files: joints far from their parents, and counterparts that differ.
#include "support/urdf_cases.h"

#include <stdlib.h>

// The files of the command are in no library.
#include "engine/cli/check/axes.c"     // NOLINT(bugprone-suspicious-include)
#include "engine/cli/check/gaps.c"     // NOLINT(bugprone-suspicious-include)
#include "engine/cli/check/lint.c"     // NOLINT(bugprone-suspicious-include)
#include "engine/cli/check/symmetry.c" // NOLINT(bugprone-suspicious-include)
#include "engine/cli/shared/folding.c" // NOLINT(bugprone-suspicious-include)

typedef bool lint_function(const srs_model *model, srs_folds *doubts);

static void examine(const char *text, lint_function *look, srs_folds *said)
{
  srs_load_options options = srs_default_load_options();
  options.build.allow_impossible_inertia = options.no_collision = true;
  srs_model *model = NULL;
  srs_error error;
  char line[1200];
  *said = (srs_folds){.lists_all = true};
  if (srs_model_load(testing_write("m.urdf", text), &options, &model, &error) != SRS_OK)
    fail_msg("%s", srs_error_format(&error, line, sizeof line));
  assert_true(look(model, said));
  srs_model_destroy(model);
}

static int count(const srs_folds *said, const char *words)
{
  int n = 0;
  for (int i = 0; i < said->n; i++) n += strstr(said->folds[i].text, words) != NULL;
  return n;
}

// A copy in which the number at `at` is another one.
static char *with_number(const char *text, const char *at, double number)
{
  char *end = NULL;
  const double was = strtod(at, &end);
  const size_t room = strlen(text) + 40;
  char *made = malloc(room);
  assert_non_null(made);
  snprintf(made, room, "%.*s%.9g%s", (int)(at - text), text, was + number, end);
  return made;
}

static const char *const robots[] = {"anymal",
                                     "chain12",
                                     "double_pendulum",
                                     "panda",
                                     "ur5",
                                     "more/a1",
                                     "more/baxter",
                                     "more/bolt",
                                     "more/borinot_flying_arm_2",
                                     "more/double_pendulum_continuous",
                                     "more/hextilt_flying_arm_5",
                                     "more/hyq_no_sensors",
                                     "more/iris_simple",
                                     "more/kinova",
                                     "more/romeo_small",
                                     "more/tiago_no_hand",
                                     "more/ur10_joint_limited_robot"};

static char *read_robot(const char *name)
{
  char path[100];
  size_t length = 0;
  snprintf(path, sizeof path, "robots/%s.urdf", name);
  return testing_read(testing_data(path), &length);
}

static void no_joint_of_a_robot_is_far_from_its_parent(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    srs_folds said;
    char *text = read_robot(robots[i]);
    examine(text, srs_lint_values, &said);
    if (count(&said, "from its parent link") > 0) fail_msg("%s: a joint is doubted", robots[i]);
    srs_folds_release(&said);
    free(text);
  }
}

static void a_joint_that_is_moved_is_named(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  static const struct {
    const char *robot, *joint;
    double by;
  } cases[] = {
      {"ur5", "shoulder_lift_joint", 2.9},
      {"ur5", "wrist_2_joint", 1},
      {"panda", "panda_joint4", 1},
      {"more/a1", "FL_calf_joint", 0.6},
      {"more/kinova", "j2s6s200_joint_3", 1},
      {"more/hextilt_flying_arm_5", "flying_arm_5__j_link_1_link_2", 0.4},
      {"more/tiago_no_hand", "arm_5_joint", 2.5},
      {"more/baxter", "right_e1", 2},
      {"chain12", "hinge7", 2.9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[120];
    srs_folds said;
    char *text = read_robot(cases[i].robot);
    snprintf(words, sizeof words, "<joint name=\"%s\"", cases[i].joint);
    const char *joint = strstr(text, words);
    assert_non_null(joint);
    char *made = with_number(text, strstr(strstr(joint, "<origin"), "xyz=\"") + 5, cases[i].by);
    examine(made, srs_lint_values, &said);
    snprintf(words, sizeof words, "joint '%s' is ", cases[i].joint);
    if (count(&said, words) != 1) fail_msg("%s: %s by %g m is not named", cases[i].robot, words, cases[i].by);
    assert_int_equal(count(&said, "from its parent link"), 1);
    srs_folds_release(&said);
    free(made);
    free(text);
  }
}

#define LINK(name, shape)                                                                                              \
  "<link name='" name "'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "        \
  "iyz='0'/></inertial>" shape "</link>\n"
#define JOINT(name, kind, parent, child, rest)                                                                         \
  "<joint name='" name "' type='" kind "'><parent link='" parent "'/><child link='" child "'/>" rest "</joint>\n"
#define SHAPE(solid) "<collision><geometry>" solid "</geometry></collision>"
#define AT(xyz)      "<origin xyz='" xyz "'/>"

// What gives a length to compare with: shapes, or more joints. A root without mass is the world, and not a part.
static void joints_are_judged_by_the_robot(void **state)
{
  (void)state;
  static const struct {
    const char *claim, *text;
    int n;
  } cases[] = {
      {"one joint on a stand", LINK("b", "") LINK("a", "") JOINT("j", "continuous", "b", "a", AT("0 0 1.2")), 0},
      {"one joint 4 m away", LINK("b", "") LINK("a", "") JOINT("j", "continuous", "b", "a", AT("0 0 4")), 1},
      {"away from a small box",
       LINK("b", SHAPE("<box size='0.1 0.1 0.1'/>")) LINK("a", "") JOINT("j", "continuous", "b", "a", AT("0 0 0.6")),
       1},
      {"at the end of a long box",
       LINK("b", SHAPE("<box size='0.1 0.1 5'/>")) LINK("a", "") JOINT("j", "continuous", "b", "a", AT("0 0 2.5")), 0},
      {"a robot in a hall",
       "<link name='w'/>" LINK("b", SHAPE("<box size='0.1 0.1 0.1'/>")) JOINT("p", "fixed", "w", "b", AT("2.5 0 0")),
       0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    srs_folds said;
    snprintf(text, sizeof text, "<robot name='r'>\n%s</robot>\n", cases[i].text);
    examine(text, srs_lint_values, &said);
    if (count(&said, "from its parent link") != cases[i].n) fail_msg("%s: not %d doubts", cases[i].claim, cases[i].n);
    srs_folds_release(&said);
  }
}

// A chain of boxes 0.2 m long that touch at their joints, the joint `moved` by `by` m along them.
static void write_chain(char *text, size_t size, int n, int moved, double by)
{
  size_t at = (size_t)snprintf(text, size, "<robot name='r'>\n");
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(text + at, size - at,
                           "<link name='l%c'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' "
                           "ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='0 0 0.1'/><geometry><box "
                           "size='0.1 0.1 0.2'/></geometry></collision></link>\n",
                           'a' + i);
  for (int i = 1; i < n; i++)
    at += (size_t)snprintf(text + at, size - at,
                           "<joint name='%c' type='continuous'><parent link='l%c'/><child link='l%c'/><origin xyz='0 0 "
                           "%.17g'/></joint>\n",
                           'a' + i, 'a' + i - 1, 'a' + i, 0.2 + (i == moved ? by : 0));
  snprintf(text + at, size - at, "</robot>\n");
}

static int count_gaps(const char *text, const char *words)
{
  srs_model *model = NULL;
  srs_folds said = {.lists_all = true};
  assert_int_equal(srs_model_load(testing_write("m.urdf", text), NULL, &model, NULL), SRS_OK);
  assert_true(srs_lint_gaps(model, &said, &said));
  const int n = count(&said, words);
  srs_folds_release(&said);
  srs_model_destroy(model);
  return n;
}

// Less than the links are long: no length of the file is out of proportion.
static void a_joint_that_parts_its_links_is_named(void **state)
{
  (void)state;
  char text[8000];
  for (int moved = 1; moved < 8; moved++) {
    char words[80];
    snprintf(words, sizeof words, "joint '%c' leaves 30 mm between link", 'a' + moved);
    write_chain(text, sizeof text, 8, moved, 0.03);
    if (count_gaps(text, words) != 1) fail_msg("%s", words);
    write_chain(text, sizeof text, 8, moved, 0.005); // as bearings are
    assert_int_equal(count_gaps(text, "leaves"), 0);
    write_chain(text, sizeof text, 8, moved, -0.03); // into each other: no file says that it is wrong
    assert_int_equal(count_gaps(text, "leaves"), 0);
  }
  write_chain(text, sizeof text, 5, 2, 0.03); // too few to compare with
  assert_int_equal(count_gaps(text, "leaves"), 0);
}

static void no_joint_of_a_robot_leaves_a_gap(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    char *text = read_robot(robots[i]);
    if (count_gaps(text, "leaves") > 0) fail_msg("%s: a gap is doubted", robots[i]);
    free(text);
  }
}

// Messages show what the file has, not what is compared.
static void counterparts_are_told_by_their_attributes(void **state)
{
  (void)state;
#define PAIR(left, right) LINK("b", "") LINK("l", left) LINK("r", right)
#define HANGS                                                                                                          \
  JOINT("jl", "fixed", "b", "l", "")                                                                                   \
  JOINT("jr", "fixed", "b", "r", "")
#define SIDES(left, right)                                                                                             \
  PAIR("", "") JOINT("left", "revolute", "b", "l", left) JOINT("right", "revolute", "b", "r", right)
#define RANGE(low, high) "<limit lower='" low "' upper='" high "' effort='1' velocity='1'/>"
  static const char mesh[] =
      PAIR(SHAPE("<mesh filename='m.stl' scale='10 10 10'/>"), SHAPE("<mesh filename='m.stl'/>")) HANGS;
  static const struct {
    const char *claim, *text, *said;
  } cases[] = {
      {"a scale", mesh, "m.urdf:3: the scale of a mesh of link 'l', [10 10 10], differs from that of 'r', [1 1 1]"},
      {"a radius",
       PAIR(SHAPE("<cylinder radius='0.2' length='1'/>"), SHAPE("<cylinder radius='0.1' length='1'/>")) HANGS,
       "m.urdf:3: the radius of a cylinder of link 'l', 0.2, differs from that of 'r', 0.1"},
      {"a length",
       PAIR(SHAPE("<cylinder radius='0.1' length='1'/>"), SHAPE("<cylinder radius='0.1' length='2'/>")) HANGS,
       "m.urdf:3: the length of a cylinder of link 'l', 1, differs from that of 'r', 2"},
      {"a size", PAIR(SHAPE("<box size='1 2 3'/>"), SHAPE("<box size='1 2 4'/>")) HANGS,
       "m.urdf:3: the size of a box of link 'l', [1 2 3], differs from that of 'r', [1 2 4]"},
      {"a number of shapes", PAIR(SHAPE("<sphere radius='1'/>"), "") HANGS,
       "m.urdf:3: the number of shapes of link 'l', 1, differs from that of 'r', 0"},
      {"an axis", SIDES("<axis xyz='1 0 0'/>" RANGE("-1", "1"), "<axis xyz='0 0 1'/>" RANGE("-1", "1")),
       "m.urdf:5: the axis of joint 'left', [1 0 0], differs from that of 'right', [0 0 1]"},
      {"a mirrored axis", SIDES("<axis xyz='0 0 1'/>" RANGE("-1", "2"), "<axis xyz='0 0 -1'/>" RANGE("-2", "1")), NULL},
      {"limits", SIDES(RANGE("-1", "2"), RANGE("-2", "1.5")),
       "m.urdf:5: the limits of joint 'left', [-1 2], differ from those of 'right', [-2 1.5]"},
      {"an origin", SIDES(AT("0 0.2 0") RANGE("-1", "1"), AT("0 -0.3 0") RANGE("-1", "1")),
       "m.urdf:5: the origin (xyz) of joint 'left', [0 0.2 0], differs from that of 'right', [0 -0.3 0]"},
      {"a fixed joint has no axis",
       PAIR("", "") JOINT("left", "continuous", "b", "l", "<axis xyz='0 0 1'/>") JOINT("right", "fixed", "b", "r", ""),
       NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[3000];
    srs_folds said;
    snprintf(text, sizeof text, "<robot name='r'>\n%s</robot>\n", cases[i].text);
    examine(text, srs_lint_symmetry, &said);
    const char *place = said.n > 0 ? strstr(said.folds[0].text, "m.urdf:") : "";
    if (said.n != (cases[i].said != NULL)) fail_msg("%s: %d messages", cases[i].claim, said.n);
    if (cases[i].said != NULL) assert_string_equal(place, cases[i].said);
    srs_folds_release(&said);
  }
}

// In a row of four, three of which have an axis, there is no row of axes.
static void rows_are_of_what_has_the_feature(void **state)
{
  (void)state;
#define FIXED           JOINT("j3", "fixed", "b", "l3", "")
#define TURNS           JOINT("j3", "continuous", "b", "l3", "") // about x, by default
#define UP(name, child) JOINT(name, "continuous", "b", child, "<axis xyz='0 0 1'/>")
#define ROW                                                                                                            \
  "<robot name='r'>\n" LINK("b", "") LINK("l0", "") LINK("l1", "") LINK("l2", "") LINK("l3", "") UP("j0", "l0")        \
      UP("j1", "l1") UP("j2", "l2")
  srs_folds said;
  examine(ROW FIXED "</robot>\n", srs_lint_symmetry, &said);
  assert_int_equal(said.n, 0);
  srs_folds_release(&said);
  examine(ROW TURNS "</robot>\n", srs_lint_symmetry, &said);
  assert_int_equal(said.n, 1);
  assert_int_equal(count(&said, "the axis of joint 'j3', [1 0 0], differs from that of 'j0', [0 0 1]"), 1);
  srs_folds_release(&said);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_joint_of_a_robot_is_far_from_its_parent),
      cmocka_unit_test(a_joint_that_is_moved_is_named),
      cmocka_unit_test(joints_are_judged_by_the_robot),
      cmocka_unit_test(a_joint_that_parts_its_links_is_named),
      cmocka_unit_test(no_joint_of_a_robot_leaves_a_gap),
      cmocka_unit_test(counterparts_are_told_by_their_attributes),
      cmocka_unit_test(rows_are_of_what_has_the_feature),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
