// `sarrus check SCENE --contacts`: both detectors at the same poses.
#include "support/command.h"

#define BODY(name, x, y, z, rpy, shape)                                                                                \
  "- name: " name "\n  base: floating\n  position: [" x ", " y ", " z "]\n  rotation: {rpy: [" rpy "]}\n"              \
  "  links: [{name: body, mass: 1, inertia: [1, 1, 1]}]\n"                                                             \
  "  shapes: [{link: body, name: " name ", " shape "}]\n"
#define SCENE(shape_b, rpy, z)                                                                                         \
  "models:\n" BODY("lower", "0", "0", "0", "0, 0, 0", "kind: cylinder, radius: 0.3, length: 1")                        \
      BODY("upper", "0.13", "0.07", z, rpy, shape_b) "gravity: [0, 0, 0]\ndt: 0.01\nduration: 0.1\n"

static void boxes_and_balls_agree_to_rounding(void **state)
{
  (void)state;
  testing_write("ball.yaml", SCENE("kind: sphere, radius: 0.2", "0, 0, 0", "0.705"));
  assert_int_equal(sarrus("check ball.yaml --contacts --margin 1e-12"), 0);
  assert_says(command_out, "detectors exact and bullet at 11 poses, t = 0 to 0.1 s");
  assert_says(command_out, "pairs within 0.01 m  1\n");
  assert_says(command_out, "differ by more than 1e-12 m  0\n");
  assert_int_equal(sarrus("check ball.yaml --contacts --within 0.004"), 0);
  assert_says(command_out, "pairs within 0.004 m  0\n");
}

// Two tilted cylinders near each other: no two searches end with the same bits.
static void differences_are_listed_and_make_the_status(void **state)
{
  (void)state;
  testing_write("rims.yaml", SCENE("kind: cylinder, radius: 0.3, length: 1", "0.7, 0.4, 0.2", "1.07"));
  assert_int_equal(sarrus("check rims.yaml --contacts --within 0.5 --margin 0 --poses 1"), 1);
  assert_says(command_out, "at 1 pose, t = 0 to 0 s");
  assert_says(command_out, "  'lower/lower' and 'upper/upper': ");
  assert_says(command_out, "in 1 of 1 poses");
  assert_int_equal(sarrus("check rims.yaml --contacts --within 0.5 --margin 1e-3"), 0);
  assert_int_equal(sarrus("check rims.yaml --contacts --within 0.5 --margin 0 --json"), 1);
  testing_json *json = command_json();
  assert_int_equal(testing_json_number(json, "/contacts/pairs"), 1);
  assert_int_equal(testing_json_count(json, "/contacts/differences"), 1);
  assert_string_equal(testing_json_text(json, "/contacts/differences/0/shape_a"), "'lower/lower'");
  const double exact = testing_json_number(json, "/contacts/differences/0/exact");
  const double bullet = testing_json_number(json, "/contacts/differences/0/bullet");
  const double difference = testing_json_number(json, "/contacts/differences/0/difference");
  assert_true(difference > 0 && difference < 1e-3 && (exact - bullet == difference || bullet - exact == difference));
  testing_json_free(json);
}

static void wrong_usage_is_told(void **state)
{
  (void)state;
  testing_write("ball.yaml", SCENE("kind: sphere, radius: 0.2", "0, 0, 0", "0.705"));
  assert_refused(sarrus("check ball.yaml --margin 1"), 2, "--margin belongs to --contacts");
  assert_refused(sarrus("check ball.yaml --contacts --all"), 2, "leave out --contacts");
  assert_refused(sarrus("check ball.yaml --contacts --margin -1"), 2, "--margin");
  assert_refused(sarrus("check ball.yaml --contacts --poses 0"), 2, "--poses");
  assert_refused(sarrus("check none.yaml --contacts"), 1, "none.yaml");
  assert_int_equal(sarrus("check --help"), 0);
  assert_says(command_out, "usage: sarrus check MODEL");
}

// ---------------------------------------------------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------------------------------------------------

static void a_clean_file_is_told_to_be(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("check p.urdf --strict"), 0);
  assert_string_equal(command_err, "");
  assert_says(command_out, "p.urdf: clean\n1 moving links, 1 degrees of freedom, 0 shapes, moving mass 2 kg\n");
  assert_says(command_out, "tree\n  base\n  `- h (continuous 1 0 0) -> rod  2 kg\n     `- f (fixed) -> tip\n");
  assert_says(command_out, "  honoured      3  robot/link/@name  p.urdf:2 to 4\n");
}

static void what_has_no_effect_and_what_is_odd_is_listed(void **state)
{
  (void)state;
  testing_write("odd.urdf", "<robot name='r'><link name='b'/>\n"
                            "<link name='a'><inertial><mass value='1000'/>\n"
                            "<inertia ixx='1e-6' iyy='1e-6' izz='1e-6' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                            "<joint name='j' type='revolute'><parent link='b'/><child link='a'/>\n"
                            "<limit lower='-180' upper='180' effort='1' velocity='1' soft='2'/></joint></robot>\n");
  assert_int_equal(sarrus("check odd.urdf"), 0);
  assert_says(command_out, "odd.urdf: 1 ignored, 2 doubtful\n");
  assert_says(command_out, "  ignored       1  robot/joint/limit/@soft  odd.urdf:5\n");
  assert_says(command_out, "odd.urdf:4: joint 'j': limits -180 to 180 rad are more than a turn: in degrees?");
  assert_says(command_out, "odd.urdf:2: link 'a': 1000 kg with these moments is a body of");
  assert_int_equal(sarrus("check odd.urdf --strict"), 1);
  assert_int_equal(sarrus("check odd.urdf --json"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/doubtful"), 2);
  assert_int_equal(testing_json_count(json, "/changed"), 0);
  assert_string_equal(testing_json_text(json, "/verdict"), "1 ignored, 2 doubtful");
  testing_json_free(json);
}

// Three joints whose axes cross and one whose axis passes: worth a look, and no fault.
static void what_may_be_on_purpose_is_a_note(void **state)
{
  (void)state;
#define CARRIED(name)                                                                                                  \
  "<link name='" name "'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "        \
  "iyz='0'/></inertial></link>\n"
#define TURNS(name, parent, child, axis, xyz)                                                                          \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/><axis xyz='" axis      \
  "'/><origin xyz='" xyz "'/></joint>\n"
  testing_write("arm.urdf", "<robot name='r'><link name='b'/>\n" CARRIED("a1") CARRIED("a2") CARRIED("a3") CARRIED("a4")
                                TURNS("j1", "b", "a1", "0 0 1", "0 0 0.1") TURNS("j2", "a1", "a2", "0 1 0", "0 0 0.2")
                                    TURNS("j3", "a2", "a3", "1 0 0", "0.3 0.03 0")
                                        TURNS("j4", "a3", "a4", "0 0 1", "0.1 0 0") "</robot>\n");
  assert_int_equal(sarrus("check arm.urdf --strict"), 0); // 30 mm along the axis of j2: j3 still crosses it
  assert_null(strstr(command_out, "notes"));
  testing_write("arm.urdf",
                "<robot name='r'><link name='b'/>\n" CARRIED("a1") CARRIED("a2") CARRIED("a3") CARRIED("a4")
                    TURNS("j1", "b", "a1", "0 0 1", "0 0 0.1") TURNS("j2", "a1", "a2", "0 1 0", "0.03 0 0.2")
                        TURNS("j3", "a2", "a3", "1 0 0", "0.3 0 0")
                            TURNS("j4", "a3", "a4", "0 0 1", "0.1 0 0") "</robot>\n");
  assert_int_equal(sarrus("check arm.urdf --strict"), 0);
  assert_says(command_out, "arm.urdf: clean\n");
  assert_says(command_out, "notes\n  arm.urdf:7: joint 'j2' has an axis that passes that of 'j1' before it at 30 mm, "
                           "where all 2 other such axes in a row cross: on purpose?\n");
  assert_int_equal(sarrus("check arm.urdf --json"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/notes"), 1);
  assert_int_equal(testing_json_count(json, "/doubtful"), 0);
  testing_json_free(json);
}

static void a_refused_file_has_its_reason(void **state)
{
  (void)state;
  testing_write("bad.urdf", "<robot name='r'>\n<link name='a'/><link name='a'/></robot>\n");
  assert_int_equal(sarrus("check bad.urdf"), 1);
  assert_says(command_out, "bad.urdf: refused\n");
  assert_says(command_err, "sarrus: bad.urdf:2: there are two links named 'a'");
  assert_int_equal(sarrus("check bad.urdf --json"), 1);
  testing_json *json = command_json();
  assert_says(testing_json_text(json, "/refused"), "bad.urdf:2: there are two links");
  testing_json_free(json);
}

// A reader marks what it has read before it knows whether that has an effect.
static void what_is_read_in_vain_is_not_honoured(void **state)
{
  (void)state;
  testing_write("vain.urdf", "<robot name='r'><link name='b'><collision>\n<geometry/></collision></link>\n"
                             "<link name='a'><inertial><mass value='1'/>\n"
                             "<inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                             "<joint name='j' type='continuous'><parent link='b'/><child link='a'/>\n"
                             "<mimic joint='nope' multiplier='2'/></joint></robot>\n");
  assert_int_equal(sarrus("check vain.urdf"), 0);
  assert_says(command_out, "vain.urdf: 2 ignored\n");
  assert_says(command_out, "  ignored       1  robot/joint/mimic  vain.urdf:6\n");
  assert_says(command_out, "  ignored       1  robot/joint/mimic/@joint  vain.urdf:6\n");
  assert_says(command_out, "  ignored       1  robot/joint/mimic/@multiplier  vain.urdf:6\n");
  assert_says(command_out, "  ignored       1  robot/link/collision  vain.urdf:1\n");
  assert_says(command_out, "  ignored       1  robot/link/collision/geometry  vain.urdf:2\n");
  assert_says(command_out, "  honoured      1  robot/joint/parent/@link  vain.urdf:5\n");
  assert_null(strstr(command_out, "honoured      1  robot/joint/mimic"));
}

// Two joints of one line: the one that follows is honoured.
static void of_two_alike_one_may_be_honoured(void **state)
{
  (void)state;
#define CHILD(name)                                                                                                    \
  "<link name='" name "'><inertial><mass value='1'/>"                                                                  \
  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"                                       \
  "<joint name='j" name "' type='continuous'><parent link='w'/><child link='" name "'/>"
  testing_write("two.urdf",
                "<robot name='r'><link name='w'/>\n" CHILD("a") "</joint>\n" CHILD(
                    "b") "<mimic joint='ja'/></joint>" CHILD("c") "<mimic joint='nope'/></joint></robot>\n");
  assert_int_equal(sarrus("check two.urdf"), 0);
  assert_says(command_out, "  ignored       1  robot/joint/mimic  two.urdf:3\n");
  assert_says(command_out, "  honoured      1  robot/joint/mimic  two.urdf:3\n");
}

// In a refused file nothing is honoured and nothing ignored.
static void what_is_refused_has_a_row(void **state)
{
  (void)state;
  static const struct {
    const char *claim, *shape, *joint, *row;
  } cases[] = {
      {"a radius", "<sphere radius='-0.1'/>", "", "robot/link/collision/geometry/sphere/@radius  no.urdf:4\n"},
      {"one of two", "<cylinder length='1' radius='-0.1'/>", "", "geometry/cylinder/@radius  no.urdf:4\n"},
      {"no number", "<sphere radius='1,5'/>", "", "geometry/sphere/@radius  no.urdf:4\n"},
      {"an attribute that lacks", "<sphere/>", "", "geometry/sphere  no.urdf:4\n"},
      {"a damping", "<sphere radius='1'/>", "<dynamics damping='-1' friction='1'/>",
       "joint/dynamics/@damping  no.urdf:7\n"},
      {"an axis", "<sphere radius='1'/>", "<axis xyz='0 0 0'/>", "joint/axis/@xyz  no.urdf:7\n"},
      {"a type", "<sphere radius='1'/>", "</joint><joint name='k' type='hinge'><parent link='b'/><child link='a'/>",
       "joint/@type  no.urdf:7\n"},
      {"a name", "<sphere radius='1'/>", "</joint><joint name='j' type='fixed'><parent link='b'/><child link='a'/>",
       "joint/@name  no.urdf:7\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1200];
    snprintf(text, sizeof text,
             "<robot name='r'><link name='b'/>\n<link name='a'><inertial><mass value='1'/>\n"
             "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>\n%s"
             "</geometry>\n</collision></link>\n<joint name='j' type='continuous'><parent link='b'/><child "
             "link='a'/>\n%s</joint></robot>\n",
             cases[i].shape, cases[i].joint);
    testing_write("no.urdf", text);
    assert_int_equal(sarrus("check no.urdf"), 1);
    const char *row = strstr(command_out, "  refused         1  "), *plain = strstr(command_out, "  refused       1  ");
    if (row == NULL) row = plain;
    const char *end = row != NULL ? strstr(row, cases[i].row) : NULL;
    if (end == NULL || strchr(row, '\n') < end)
      fail_msg("%s: no row of what is refused in\n%s%s", cases[i].claim, command_out, command_err);
    assert_null(strstr(command_out, "honoured"));
    assert_null(strstr(command_out, "ignored"));
  }
  testing_write("no.urdf", "<robot name='r'><link name='b'><collision><geometry><sphere radius='-0.1'/></geometry>\n"
                           "</collision></link><link name='a'/>\n<joint name='j' type='revolute'>\n"
                           "<parent link='b'/><child link='a'/>\n<limit upper='1'/></joint></robot>\n");
  assert_int_equal(sarrus("check no.urdf"), 1);
  assert_says(command_out, "  not reached     1  robot/joint/limit  no.urdf:5\n");
  assert_says(command_out, "  read            2  robot/link/@name  no.urdf:1 to 2\n");
}

// Not only parents and children are kept apart.
static void overlaps_have_their_true_filter(void **state)
{
  (void)state;
  testing_write("apart.urdf",
                "<robot name='r'><link name='w'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision>"
                "</link>\n" CHILD("a") "</joint>\n<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                                       "izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\n<collision><origin xyz='0 0 "
                                       "0.19'/><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\n"
                                       "<joint name='k' type='continuous'><parent link='a'/><child link='b'/></joint>"
                                       "</robot>\n");
  assert_int_equal(sarrus("check apart.urdf"), 0);
  assert_says(command_out, "  box of 'w' and box of 'b': 10 mm (self_collision: they do not collide)\n");
  assert_int_equal(sarrus("check apart.urdf --json"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/overlaps/0/filter"), "self-collision");
  testing_json_free(json);
  assert_int_equal(sarrus("check apart.urdf --self-collision all"), 0);
  assert_says(command_out, "  box of 'w' and box of 'b': 10 mm\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_and_balls_agree_to_rounding),
      cmocka_unit_test(differences_are_listed_and_make_the_status),
      cmocka_unit_test(wrong_usage_is_told),
      cmocka_unit_test(a_clean_file_is_told_to_be),
      cmocka_unit_test(what_has_no_effect_and_what_is_odd_is_listed),
      cmocka_unit_test(what_may_be_on_purpose_is_a_note),
      cmocka_unit_test(a_refused_file_has_its_reason),
      cmocka_unit_test(what_is_read_in_vain_is_not_honoured),
      cmocka_unit_test(of_two_alike_one_may_be_honoured),
      cmocka_unit_test(what_is_refused_has_a_row),
      cmocka_unit_test(overlaps_have_their_true_filter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
