// Two kinds of doubts, on robots and on small files: joints far from their parents, and counterparts that differ.
#include "support/urdf_cases.h"
#include "unit/engine/cli/robot_names.h"

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
  for (int i = 0; i < ROBOTS; i++) {
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

// The base and the flange of an arm are in the row of its numbered joints and links by their names alone.
static void the_ends_of_an_arm_are_no_counterparts(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  static const char *const arms[] = {"panda", "ur5", "more/kinova", "more/ur10_joint_limited_robot", "chain12"};
  for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
    srs_folds said;
    char *text = read_robot(arms[i]);
    examine(text, srs_lint_symmetry, &said);
    if (said.n > 0) fail_msg("%s: %s", arms[i], said.folds[0].text);
    srs_folds_release(&said);
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

// How many doubts and notes about gaps have these words.
static void count_gaps(const char *text, const char *words, int *n_doubts, int *n_notes)
{
  srs_model *model = NULL;
  srs_folds doubts = {.lists_all = true}, notes = {.lists_all = true};
  assert_int_equal(srs_model_load(testing_write("m.urdf", text), NULL, &model, NULL), SRS_OK);
  assert_true(srs_lint_gaps(model, &doubts, &notes));
  *n_doubts = count(&doubts, words), *n_notes = count(&notes, words);
  srs_folds_release(&doubts);
  srs_folds_release(&notes);
  srs_model_destroy(model);
}

static void expect_gaps(const char *text, const char *words, int n_doubts, int n_notes)
{
  int doubts, notes;
  count_gaps(text, words, &doubts, &notes);
  if (doubts != n_doubts || notes != n_notes) fail_msg("%s: %d doubts and %d notes", words, doubts, notes);
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
    expect_gaps(text, words, 1, 0);
    write_chain(text, sizeof text, 8, moved, 0.005); // as bearings are
    expect_gaps(text, "joint", 0, 0);
    // Into each other: a note, but for the first, whose parent is the base.
    write_chain(text, sizeof text, 8, moved, -0.03);
    snprintf(words, sizeof words, "joint '%c' has link 'l%c' 30 mm inside of link", 'a' + moved, 'a' + moved);
    expect_gaps(text, words, 0, moved > 1);
    expect_gaps(text, "joint", 0, moved > 1);
    write_chain(text, sizeof text, 8, moved, -0.005);
    expect_gaps(text, "joint", 0, 0);
  }
  write_chain(text, sizeof text, 5, 2, 0.03); // few to compare with
  expect_gaps(text, "joint 'c' leaves 30 mm", 0, 1);
  write_chain(text, sizeof text, 3, 2, 0.03); // too few
  expect_gaps(text, "joint", 0, 0);
}

static void no_joint_of_a_robot_leaves_a_gap(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  for (int i = 0; i < ROBOTS; i++) {
    int doubts, notes;
    char *text = read_robot(robots[i]);
    count_gaps(text, "joint", &doubts, &notes);
    if (doubts > 0) fail_msg("%s: a gap is doubted", robots[i]);
    free(text);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Patterns
// ---------------------------------------------------------------------------------------------------------------------

static bool look_at_axes(const srs_model *model, srs_folds *said) { return srs_lint_axes(model, said); }

static void no_robot_of_the_data_breaks_its_own_pattern(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  for (int i = 0; i < ROBOTS; i++) {
    srs_folds said;
    char *text = read_robot(robots[i]);
    examine(text, look_at_axes, &said);
    if (said.n > 0) fail_msg("%s: %s", robots[i], said.folds[0].text);
    srs_folds_release(&said);
    free(text);
  }
}

// The n-th number of the origin of a joint.
static const char *find_origin(const char *text, const char *joint, int n)
{
  char words[120];
  snprintf(words, sizeof words, "<joint name=\"%s\"", joint);
  const char *at = strstr(text, words);
  assert_non_null(at);
  at = strstr(strstr(at, "<origin"), "xyz=\"") + 5;
  for (int i = 0; i < n; i++) at = strchr(at, ' ') + 1;
  return at;
}

// Moves across both axes of a pair that crosses, and out of a plane that all other steps are in. The joint is named,
// however far it is moved, from the size of a bearing on.
static void an_arm_whose_joint_is_moved_out_of_its_pattern_is_noted(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  static const struct {
    const char *robot, *joint;
    int along;
  } cases[] = {
      {"ur5", "shoulder_lift_joint", 0},
      {"ur5", "wrist_2_joint", 0},
      {"ur5", "wrist_3_joint", 0},
      {"more/ur10_joint_limited_robot", "shoulder_lift_joint", 0},
      {"more/ur10_joint_limited_robot", "wrist_2_joint", 0},
      {"more/ur10_joint_limited_robot", "wrist_3_joint", 0},
      {"panda", "panda_joint2", 1},
      {"panda", "panda_joint3", 2},
      {"panda", "panda_joint4", 1},
      {"panda", "panda_joint5", 2},
      {"panda", "panda_joint6", 1},
      {"chain12", "hinge5", 0},
      {"chain12", "hinge9", 1},
  };
  testing_random random = testing_random_start(74);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int k = 0; k < 4; k++) {
      const double by = (k % 2 ? 1 : -1) * testing_uniform(&random, 0.006, 0.2);
      char words[120];
      srs_folds said;
      char *text = read_robot(cases[i].robot);
      char *made = with_number(text, find_origin(text, cases[i].joint, cases[i].along), by);
      examine(made, look_at_axes, &said);
      snprintf(words, sizeof words, "joint '%s' ", cases[i].joint);
      if (count(&said, words) != 1) fail_msg("%s: %sby %g m is not named", cases[i].robot, words, by);
      srs_folds_release(&said);
      free(made);
      free(text);
    }
}

// Two arms that are built with two offsets have no pattern to break.
static void what_two_joints_do_is_no_exception(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  srs_folds said;
  char *text = read_robot("ur5");
  char *once = with_number(text, find_origin(text, "wrist_2_joint", 0), 0.05);
  char *twice = with_number(once, find_origin(once, "wrist_3_joint", 0), 0.05);
  examine(twice, look_at_axes, &said);
  assert_int_equal(said.n, 0);
  srs_folds_release(&said);
  free(twice);
  free(once);
  free(text);
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

// ---------------------------------------------------------------------------------------------------------------------
// All together
// ---------------------------------------------------------------------------------------------------------------------

static void look_at_all(const char *text, srs_folds *said)
{
  srs_load_options options = srs_default_load_options();
  options.build.allow_impossible_inertia = true;
  srs_model *model = NULL;
  *said = (srs_folds){.lists_all = true};
  assert_int_equal(srs_model_load(testing_write("m.urdf", text), &options, &model, NULL), SRS_OK);
  assert_true(srs_lint_values(model, said) && srs_lint_symmetry(model, said));
  assert_true(srs_lint_gaps(model, said, said) && srs_lint_axes(model, said));
  srs_model_destroy(model);
}

// Whether something names the joint that was not said before.
static bool is_newly_named(const srs_folds *before, const srs_folds *after, const char *joint)
{
  char words[120];
  snprintf(words, sizeof words, "'%s'", joint);
  for (int i = 0; i < after->n; i++)
    if (strstr(after->folds[i].text, words) != NULL && count(before, after->folds[i].text) == 0) return true;
  return false;
}

// A copy whose joint is moved that far in a direction drawn, or NULL where its origin is not written as others are.
static char *with_joint_moved(testing_random *random, const char *text, const char *joint, double by)
{
  char words[120];
  snprintf(words, sizeof words, "<joint name=\"%s\"", joint);
  const char *at = strstr(text, words), *end = at != NULL ? strstr(at, "</joint>") : NULL;
  const char *origin = at != NULL ? strstr(at, "<origin") : NULL;
  if (origin == NULL || origin > end) return NULL;
  double way[3], square = 0;
  for (int i = 0; i < 3; i++) {
    way[i] = 0;
    for (int k = 0; k < 12; k++) way[i] += testing_uniform(random, -1, 1); // nearly normal: no direction is preferred
    square += way[i] * way[i];
  }
  char *made = NULL;
  for (int i = 0; i < 3; i++) {
    const char *from = made != NULL ? made : text;
    char *next = with_number(from, find_origin(from, joint, i), by * way[i] / sqrt(square));
    free(made);
    made = next;
  }
  return made;
}

// In files alone, without meshes. Legs have counterparts, and chain12's joints a row, which a move makes differ
// whatever its direction: there every one is named, but where a move leaves the length that is compared. Of arms many
// are not.
static void moved_joints_are_named_where_the_file_can_tell(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  static const double sizes[] = {0.02, 0.05, 0.1};
  static const char *const told[] = {"anymal", "chain12", "more/a1", "more/bolt", "more/hyq_no_sensors"};
  testing_random random = testing_random_start(75);
  for (int r = 0; r < ROBOTS; r++) {
    char *text = read_robot(robots[r]);
    srs_model *model = NULL;
    srs_folds before;
    int n[3] = {0}, n_named[3] = {0};
    assert_int_equal(srs_model_load(testing_write("m.urdf", text), NULL, &model, NULL), SRS_OK);
    look_at_all(text, &before);
    for (int i = 0; i < 6 * srs_model_n_links(model); i++) {
      const srs_joint *joint = srs_model_joint(model, i / 6);
      char *made = joint->nv == 1 ? with_joint_moved(&random, text, joint->name, sizes[i % 3]) : NULL;
      if (made == NULL) continue;
      srs_folds after;
      look_at_all(made, &after);
      n[i % 3]++, n_named[i % 3] += is_newly_named(&before, &after, joint->name);
      srs_folds_release(&after);
      free(made);
    }
    print_message("%s: %d of %d by 2 cm, %d of %d by 5 cm, %d of %d by 10 cm\n", robots[r], n_named[0], n[0],
                  n_named[1], n[1], n_named[2], n[2]);
    for (size_t t = 0; t < sizeof told / sizeof *told; t++)
      if (strcmp(robots[r], told[t]) == 0)
        for (int k = 0; k < 3; k++) assert_int_equal(n_named[k], n[k]);
    srs_folds_release(&before);
    srs_model_destroy(model);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ends_of_an_arm_are_no_counterparts),
      cmocka_unit_test(no_joint_of_a_robot_is_far_from_its_parent),
      cmocka_unit_test(a_joint_that_is_moved_is_named),
      cmocka_unit_test(joints_are_judged_by_the_robot),
      cmocka_unit_test(a_joint_that_parts_its_links_is_named),
      cmocka_unit_test(no_joint_of_a_robot_leaves_a_gap),
      cmocka_unit_test(no_robot_of_the_data_breaks_its_own_pattern),
      cmocka_unit_test(an_arm_whose_joint_is_moved_out_of_its_pattern_is_noted),
      cmocka_unit_test(what_two_joints_do_is_no_exception),
      cmocka_unit_test(counterparts_are_told_by_their_attributes),
      cmocka_unit_test(rows_are_of_what_has_the_feature),
      cmocka_unit_test(moved_joints_are_named_where_the_file_can_tell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
