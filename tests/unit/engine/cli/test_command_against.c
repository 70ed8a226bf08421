// `sarrus check MODEL --against OTHER`: what is a difference, what is none, and how it is told.
#include "support/command.h"

#include <stdlib.h>
#include <sys/times.h>
#include <unistd.h>

#define INERTIAL(xyz, mass, moment)                                                                                    \
  "<inertial><origin xyz='" xyz "'/><mass value='" mass "'/><inertia ixx='" moment "' iyy='" moment "' izz='" moment   \
  "' ixy='0' ixz='0' iyz='0'/></inertial>"
#define HINGE(name, parent, child, xyz, axis, more)                                                                    \
  "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child "'/><origin xyz='" xyz       \
  "'/><axis xyz='" axis "'/>" more "</joint>\n"
#define WELD(name, parent, child, xyz)                                                                                 \
  "<joint name='" name "' type='fixed'><parent link='" parent "'/><child link='" child "'/><origin xyz='" xyz          \
  "'/></joint>\n"
#define LIMIT(low, high) "<limit lower='" low "' upper='" high "' effort='10' velocity='2'/>"

// An upper and a lower arm; on the lower one a tool of two bodies.
#define UPPER        "<link name='upper'>" INERTIAL("0 0 -0.2", "2", "0.02") "</link>\n"
#define LOWER(shape) "<link name='lower'>" INERTIAL("0 0 -0.1", "1", "0.01") shape "</link>\n"
#define TOOL         "<link name='tool'>" INERTIAL("0 0 -0.1", "1", "0.01") "</link>\n"
#define BALL(xyz)    "<collision><origin xyz='" xyz "'/><geometry><sphere radius='0.05'/></geometry></collision>"
#define JOINTS                                                                                                         \
  HINGE("shoulder", "base", "upper", "0 0 1", "0 1 0", LIMIT("-1", "2"))                                               \
  HINGE("elbow", "upper", "lower", "0 0 -0.4", "0 1 0", LIMIT("-1", "1"))
static const char arm[] = "<robot name='arm'>\n<link name='base'/>\n" UPPER LOWER(BALL("0 0 -0.1"))
    TOOL JOINTS WELD("mount", "lower", "tool", "0 0 -0.2") "</robot>\n";

// Processor time of the commands that have ended, in clock ticks.
static clock_t times_of_children(void)
{
  struct tms now;
  (void)times(&now);
  return now.tms_cutime + now.tms_cstime;
}

static void check_differs(const char *other, const char *words)
{
  testing_write("a.urdf", arm);
  testing_write("b.urdf", other);
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, words);
  assert_string_equal(command_err, "");
}

static void what_differs_is_named_with_both_lines(void **state)
{
  (void)state;
  check_differs("<robot name='arm'>\n<link name='base'/>\n" UPPER LOWER(BALL("0 0 -0.1")) TOOL //
                    HINGE("shoulder", "base", "upper", "0 0.003 1", "0 -1 0",
                          LIMIT("-2", "1")) "\n" HINGE("elbow", "upper", "lower", "0 0 -0.4", "0 1 0", LIMIT("-1", "1"))
                        WELD("mount", "lower", "tool", "0 0 -0.2") "</robot>\n",
                "a.urdf against b.urdf: 3 differences\n"
                "  a.urdf:6: joint 'shoulder': origin 3 mm away: xyz 0 0 1; in b.urdf:6: xyz 0 0.003 1\n"
                "  a.urdf:6: joint 'shoulder': axis reversed: its coordinate has the other sign: 0 1 0; in b.urdf:6: "
                "0 -1 0\n"
                "  a.urdf:6: joint 'shoulder': limits (rad): -1 2; in b.urdf:6: -2 1\n");
  check_differs("<robot name='arm'>\n<link name='base'/>\n" LOWER(BALL("0 0 -0.12")) UPPER TOOL //
                    HINGE("shoulder", "base", "upper", "0 0 1", "0 1 0", LIMIT("-1", "2"))
                        HINGE("elbow", "base", "lower", "0 0 -0.4", "0 1 0", LIMIT("-1", "1"))
                            WELD("mount", "lower", "tool", "0 0 -0.2") "</robot>\n",
                "2 differences\n"
                "  a.urdf:7: joint 'elbow': hangs on another link: upper; in b.urdf:7: base\n"
                "  a.urdf:4: link 'lower': shape: sphere 20 mm away: xyz 0 0 -0.1; in b.urdf:3: xyz 0 0 -0.12\n");
}

static void what_does_not_matter_is_no_difference(void **state)
{
  (void)state;
  testing_write("a.urdf", arm);
  // Another order, other names of what is welded and of the shape.
  testing_write("b.urdf", "<robot name='other'>" TOOL LOWER("<collision name='x'><origin xyz='0 0 -0.1'/><geometry>"
                                                            "<sphere radius='0.05'/></geometry></collision>")
                              UPPER WELD("m", "lower", "tool", "0 0 -0.2")
                                  HINGE("elbow", "upper", "lower", "0 0 -0.4", "0 2 0", LIMIT("-1", "1.000001"))
                                      HINGE("shoulder", "base", "upper", "0 0 1", "0 1 0",
                                            LIMIT("-1", "2")) "<link name='base'/></robot>\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf --strict"), 0);
  assert_string_equal(command_out, "a.urdf against b.urdf: no difference\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf --tolerance 1e-9"), 1);
  assert_says(command_out, "joint 'elbow': limits (rad): -1 1; in b.urdf:");
  for (int i = 0; i < 2; i++) {
    const char *ending = i == 0 ? "yaml" : "urdf";
    assert_int_equal(sarrus("convert a.urdf c.%s --force --quiet", ending), 0);
    assert_int_equal(sarrus("check a.urdf --against c.%s --strict --tolerance 0", ending), 0);
    assert_int_equal(sarrus("check c.%s --against a.urdf --strict --tolerance 0", ending), 0);
  }
}

// Lower arm and tool as one body of 2 kg, 0.2 m below the elbow: 2 * 0.01 + 2 * 0.1^2 across, 2 * 0.01 about z; in
// another format.
#define LUMPED(mass, elbow)                                                                                            \
  "<mujoco><compiler angle='radian' inertiafromgeom='false'/><worldbody><body name='base'>\n"                          \
  "<body name='upper' pos='0 0 1'><inertial pos='0 0 -0.2' mass='2' diaginertia='0.02 0.02 0.02'/>\n"                  \
  "<joint name='shoulder' axis='0 1 0' range='-1 2' limited='true' actuatorfrcrange='-10 10'/>\n"                      \
  "<body name='lower' pos='0 0 -0.4'>\n"                                                                               \
  "<inertial pos='0 0 -0.2' mass='" mass "' diaginertia='0.04 0.04 0.02'/>\n"                                          \
  "<joint name='elbow' pos='" elbow "' axis='0 1 0' range='-1 1' limited='true' actuatorfrcrange='-10 10'/>\n"         \
  "<geom type='sphere' size='0.05' pos='0 0 -0.1'/>\n"                                                                 \
  "</body></body></body></worldbody></mujoco>\n"

static void what_is_lumped_is_compared_as_a_whole(void **state)
{
  (void)state;
  testing_write("a.urdf", arm);
  testing_write("b.xml", LUMPED("2", "0 0 0"));
  assert_int_equal(sarrus("check a.urdf --against b.xml --ignore velocity,contact"), 0);
  assert_string_equal(command_out,
                      "a.urdf against b.xml: no difference\n\nnotes\n"
                      "  a.urdf:5: link 'tool': in this file only (welded to 'lower'): the other has its 1 kg in other "
                      "links of that body\n");
  assert_int_equal(sarrus("check a.urdf --against b.xml --ignore velocity,contact --strict"), 1);
  assert_int_equal(sarrus("check b.xml --against a.urdf --ignore velocity,contact"), 0);
  testing_write("b.xml", LUMPED("2.1", "0 0 0"));
  assert_int_equal(sarrus("check a.urdf --against b.xml --ignore velocity,contact"), 1);
  assert_says(command_out, "  a.urdf:4: link 'lower': mass of all that is welded to it (kg): 2; in b.xml:5: 2.1\n");
  // The hinge beside the origin of its body.
  testing_write("b.xml", LUMPED("2", "0 0 0.02"));
  assert_int_equal(sarrus("check a.urdf --against b.xml --ignore velocity,contact"), 1);
  assert_says(command_out,
              "1 difference\n  a.urdf:7: joint 'elbow': axis passes 20 mm beside that of the other (in b.xml:6)\n");
  assert_int_equal(sarrus("check b.xml --against a.urdf --ignore velocity,contact"), 1);
  assert_says(command_out,
              "1 difference\n  b.xml:6: joint 'elbow': axis passes 20 mm beside that of the other (in a.urdf:7)\n");
}

static void links_joints_and_frames_of_one_file_are_named(void **state)
{
  (void)state;
  testing_write("a.urdf", arm);
  testing_write("b.urdf",
                "<robot name='arm'>\n<link name='base'/>\n" UPPER
                "<link name='forearm'>" INERTIAL("0 0 -0.1", "1", "0.01") "</link>\n<link name='tip'/>\n" HINGE(
                    "shoulder", "base", "upper", "0 0 1", "0 1 0", LIMIT("-1", "2"))
                    HINGE("elbow", "upper", "forearm", "0 0 -0.4", "0 1 0", LIMIT("-1", "1"))
                        WELD("t", "forearm", "tip", "0 0 -0.4") "</robot>\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, "link 'lower': named otherwise, on the same joint 'elbow' (in b.urdf:4: forearm)\n");
  assert_says(command_out, "a.urdf:5: link 'tool': in this file only (1 kg, welded to 'lower')\n");
  assert_says(command_out, "b.urdf:5: link 'tip': in this file only (welded to 'forearm', without mass)\n");
  assert_says(command_out, "link 'lower': mass of all that is welded to it (kg): 2; in b.urdf:4: 1\n");
  assert_says(command_out, "link 'lower': shape: a sphere in this file only\n");
  assert_null(strstr(command_out, ": joint '"));
  // What one file has as a frame is a link without mass in the other.
  testing_write(
      "c.yaml",
      "models:\n- file: a.urdf\n  name: arm\n  frames: [{name: tip, link: tool, pose: {position: [0, 0, -0.2]}}]\n");
  testing_write("d.urdf", "<robot name='arm'>\n<link name='base'/>\n" UPPER LOWER(BALL("0 0 -0.1")) TOOL JOINTS
                "<link name='tip'/>\n" WELD("mount", "lower", "tool", "0 0 -0.2")
                    WELD("t", "lower", "tip", "0.01 0 -0.4") "</robot>\n");
  assert_int_equal(sarrus("check c.yaml --against d.urdf"), 1);
  assert_says(command_out, "1 difference\n");
  assert_says(command_out, "c.yaml:4: frame 'tip': place 10 mm away: xyz 0 0 -0.2; in d.urdf:8: xyz 0.01 0 -0.2\n");
  assert_int_equal(sarrus("check d.urdf --against c.yaml --ignore frame"), 0);
}

// What one name tells of others, up the tree: an arm of which only a joint and the tool kept theirs.
static void renamed_links_and_joints_are_found_by_what_they_carry(void **state)
{
  (void)state;
  testing_write("a.urdf", arm);
  testing_write("b.urdf", "<robot name='arm'>\n<link name='foot'/>\n"
                          "<link name='humerus'>" INERTIAL(
                              "0 0 -0.2", "3",
                              "0.02") "</link>\n"
                                      "<link name='radius'>" INERTIAL("0 0 -0.1", "1", "0.01")
                                          BALL("0 0 -0.1") "</link>\n" TOOL HINGE("first", "foot", "humerus", "0 0 1",
                                                                                  "0 1 0", LIMIT("-1", "2"))
                                              HINGE("elbow", "humerus", "radius", "0 0 -0.4", "0 1 0", LIMIT("-1", "1"))
                                                  WELD("mount", "radius", "tool", "0 0 -0.2") "</robot>\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_string_equal(command_out,
                      "a.urdf against b.urdf: 5 differences\n"
                      "  a.urdf:4: link 'lower': named otherwise, on the same joint 'elbow' (in b.urdf:4: radius)\n"
                      "  a.urdf:3: link 'upper': named otherwise, it carries the same joint 'elbow' (in b.urdf:3: "
                      "humerus)\n"
                      "  a.urdf:2: link 'base': named otherwise, it carries the same joint 'shoulder' (in b.urdf:2: "
                      "foot)\n"
                      "  a.urdf:3: link 'upper': mass (kg): 2; in b.urdf:3: 3\n"
                      "  a.urdf:6: joint 'shoulder': named otherwise, with the same child 'upper' (in b.urdf:6: "
                      "first)\n");
  assert_int_equal(sarrus("check b.urdf --against a.urdf --ignore name,mass"), 0);
}

// A joint of another name is led, or leads, as it did.
static void renamed_joints_follow_as_before(void **state)
{
  (void)state;
#define LED(first, second)                                                                                             \
  "<robot name='arm'>\n<link name='base'/>\n" UPPER LOWER("") HINGE(first, "base", "upper", "0 0 1", "0 1 0",          \
                                                                    LIMIT("-1", "2"))                                  \
      HINGE(second, "upper", "lower", "0 0 -0.4", "0 1 0", LIMIT("-1", "1") "<mimic joint='" first "'/>") "</robot>\n"
  testing_write("a.urdf", LED("shoulder", "elbow"));
  testing_write("b.urdf", LED("first", "second"));
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, "2 differences\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf --ignore name"), 0);
}

// 1500 shapes on one link that all differ: each from each is no more than is looked at.
static void many_shapes_of_a_link_take_no_time(void **state)
{
  (void)state;
  enum { SHAPES = 1500, ROOM = 200 * SHAPES };
  char *text = malloc(ROOM);
  assert_non_null(text);
  for (int which = 0; which < 2; which++) {
    size_t n = (size_t)snprintf(text, ROOM, "<robot name='r'><link name='l'>" INERTIAL("0 0 0", "1", "0.1"));
    for (int i = 0; i < SHAPES; i++)
      n += (size_t)snprintf(text + n, ROOM - n,
                            "<collision><origin xyz='%d 0 0'/><geometry><sphere radius='%d'/></geometry></collision>\n",
                            i, 1 + which);
    snprintf(text + n, ROOM - n, "</link></robot>\n");
    testing_write(which == 0 ? "a.urdf" : "b.urdf", text);
  }
  free(text);
  const clock_t begin = times_of_children();
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, "1500 differences\n");
  assert_says(command_out, "  a.urdf:3: link 'l': shape: size of the sphere: 1; in b.urdf:3: 2\n"
                           "  and 1497 more of this kind (shape of links; --all has each): 'l'\n");
  assert_true(times_of_children() - begin < 10 * sysconf(_SC_CLK_TCK)); // 0.1 s; 37 s when it was cubic
}

// A mesh is what its file holds.
static void meshes_are_compared_by_what_they_hold(void **state)
{
  (void)state;
#define TETRAHEDRON(top) "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 " top "\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
#define DRAWN(file)                                                                                                    \
  "<robot name='m'><link name='b'>" INERTIAL("0 0 0", "1", "0.1") "<visual><geometry><mesh filename='" file            \
                                                                  "'/></geometry></visual></link></robot>\n"
  testing_write("one.obj", TETRAHEDRON("1"));
  testing_write("two.obj", TETRAHEDRON("1"));
  testing_write("three.obj", TETRAHEDRON("2"));
  testing_write("a.urdf", DRAWN("one.obj"));
  testing_write("b.urdf", DRAWN("two.obj"));
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 0);
  testing_write("b.urdf", DRAWN("three.obj"));
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, "a.urdf:1: link 'b': visual: another mesh: ");
  testing_write("b.urdf", DRAWN("none.obj"));
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, "link 'b': visual: another mesh file (not there to be compared): ");
  assert_int_equal(sarrus("check a.urdf --against b.urdf --ignore visual"), 0);
}

// Of many of a kind some are shown and all are named.
static void many_of_a_kind_are_one_line(void **state)
{
  (void)state;
  char text[2][8000];
  for (int which = 0; which < 2; which++) {
    size_t n = (size_t)snprintf(text[which], sizeof text[which], "<robot name='r'><link name='l0'/>\n");
    for (int i = 1; i <= 9; i++)
      n += (size_t)snprintf(
          text[which] + n, sizeof text[which] - n,
          "<link name='l%d'>" INERTIAL(
              "0 0 0", "1", "0.1") "</link><joint name='j%d' type='continuous'>"
                                   "<parent link='l%d'/><child link='l%d'/><dynamics damping='%d'/></joint>\n",
          i, i, i - 1, i, which);
    snprintf(text[which] + n, sizeof text[which] - n, "</robot>\n");
    testing_write(which == 0 ? "a.urdf" : "b.urdf", text[which]);
  }
  assert_int_equal(sarrus("check a.urdf --against b.urdf"), 1);
  assert_says(command_out, "9 differences\n");
  assert_says(command_out, "  a.urdf:4: joint 'j3': damping (N m s/rad): 0; in b.urdf:4: 1\n"
                           "  and 6 more of this kind (damping of joints; --all has each): 'j4', 'j5', 'j6', 'j7', "
                           "'j8', 'j9'\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf --all"), 1);
  assert_says(command_out, "  a.urdf:10: joint 'j9': damping (N m s/rad): 0; in b.urdf:10: 1\n");
  assert_int_equal(sarrus("check a.urdf --against b.urdf --json"), 1);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/differences"), 9);
  assert_int_equal(testing_json_count(json, "/notes"), 0);
  assert_string_equal(testing_json_text(json, "/differences/2/name"), "j3");
  assert_string_equal(testing_json_text(json, "/differences/2/kind"), "damping");
  assert_string_equal(testing_json_text(json, "/differences/2/other_value"), "1");
  assert_int_equal(testing_json_number(json, "/differences/2/line"), 4);
  testing_json_free(json);
  assert_int_equal(sarrus("check a.urdf --against b.urdf --ignore damping,mass"), 0);
}

static void mistakes_have_a_status_of_their_own(void **state)
{
  (void)state;
  testing_write("a.urdf", arm);
  testing_write("bad.urdf", "<robot name='r'>\n<link name='a'/><link name='a'/></robot>\n");
  assert_refused(sarrus("check a.urdf --against bad.urdf"), 2, "bad.urdf:2: there are two links named 'a'");
  assert_refused(sarrus("check bad.urdf --against a.urdf"), 2, "bad.urdf:2:");
  assert_refused(sarrus("check a.urdf --against none.urdf"), 2, "none.urdf");
  assert_refused(sarrus("check a.urdf --against a.urdf --ignore colour"), 2, "--ignore");
  assert_refused(sarrus("check a.urdf --against a.urdf --tolerance -1"), 2, "--tolerance");
  assert_int_equal(sarrus("check a.urdf --against a.urdf --tolerance 1e300"), 0);
  assert_refused(sarrus("check a.urdf --tolerance 1"), 2, "--tolerance belongs to --against");
  assert_refused(sarrus("check a.urdf --against a.urdf --pairs"), 2, "two checks");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_differs_is_named_with_both_lines),
      cmocka_unit_test(what_does_not_matter_is_no_difference),
      cmocka_unit_test(what_is_lumped_is_compared_as_a_whole),
      cmocka_unit_test(links_joints_and_frames_of_one_file_are_named),
      cmocka_unit_test(renamed_links_and_joints_are_found_by_what_they_carry),
      cmocka_unit_test(renamed_joints_follow_as_before),
      cmocka_unit_test(many_shapes_of_a_link_take_no_time),
      cmocka_unit_test(meshes_are_compared_by_what_they_hold),
      cmocka_unit_test(many_of_a_kind_are_one_line),
      cmocka_unit_test(mistakes_have_a_status_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
