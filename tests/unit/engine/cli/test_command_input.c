// What the command says about files that are wrong: one line with file and line, exit status 1, nothing on stdout,
// nothing half-written.
#include "support/command.h"

typedef struct bad_file {
  const char *name, *text, *message;
} bad_file;

#define LINK(name, mass)                                                                                               \
  "<link name='" name "'><inertial><mass value='" mass "'/>"                                                           \
  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
#define JOINT(name, parent, child)                                                                                     \
  "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/></joint>\n"

static const bad_file robots[] = {
    {"broken.urdf", "<robot name='r'>\n<link name='a'>\n</robot>\n", "broken.urdf:3"},
    {"empty.urdf", "", "empty.urdf"},
    {"text.urdf", "no robot at all\n", "text.urdf:1"},
    {"other.urdf", "<sdf/>\n", "other.urdf:1"},
    {"bomb.urdf",
     "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
     "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]>\n<robot name='&c;'><link name='a'/></robot>\n",
     "bomb.urdf"},
    {"outside.urdf", "<!DOCTYPE r [<!ENTITY x SYSTEM '/etc/passwd'>]>\n<robot name='r'><link name='&x;'/></robot>\n",
     "outside.urdf"},
    {"nan.urdf", "<robot name='r'>\n<link name='a'/>\n" LINK("b", "nan") JOINT("h", "a", "b") "</robot>\n",
     "nan.urdf:3"},
    {"comma.urdf", "<robot name='r'>\n<link name='a'/>\n" LINK("b", "1,5") JOINT("h", "a", "b") "</robot>\n",
     "comma.urdf:3"},
    {"unit.urdf", "<robot name='r'>\n<link name='a'/>\n" LINK("b", "1.0kg") JOINT("h", "a", "b") "</robot>\n",
     "unit.urdf:3"},
    {"xacro.urdf", "<robot name='r'>\n<link name='a'/>\n" LINK("b", "${m}") JOINT("h", "a", "b") "</robot>\n",
     "xacro.urdf:3"},
    {"negative.urdf", "<robot name='r'>\n<link name='a'/>\n" LINK("b", "-1") JOINT("h", "a", "b") "</robot>\n",
     "negative.urdf:3"},
    {"cycle.urdf",
     "<robot name='r'>\n" LINK("a", "1") LINK("b", "1") JOINT("h", "a", "b") JOINT("k", "b", "a") "</robot>\n",
     "cycle.urdf"},
    {"roots.urdf", "<robot name='r'>\n" LINK("a", "1") LINK("b", "1") "</robot>\n", "roots.urdf"},
    {"twice.urdf", "<robot name='r'>\n" LINK("a", "1") LINK("a", "1") JOINT("h", "a", "a") "</robot>\n",
     "twice.urdf:3"},
    {"joint_twice.urdf",
     "<robot name='r'>\n" LINK("a", "1") LINK("b", "1") LINK("c", "1") JOINT("h", "a", "b")
         JOINT("h", "b", "c") "</robot>\n",
     "joint_twice.urdf:6"},
    {"weightless.urdf",
     "<robot name='r'>\n<link name='a'/>\n<link name='thin'><inertial><mass value='0'/>"
     "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n" JOINT("h", "a",
                                                                                            "thin") "</robot>\n",
     "thin"},
};

static void bad_robot_files_are_told_with_their_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    testing_write(robots[i].name, robots[i].text);
    assert_refused(sarrus("run %s --out bad.csv", robots[i].name), 1, robots[i].message);
    assert_refused(sarrus("info %s", robots[i].name), 1, robots[i].message);
    assert_refused(sarrus("eval %s fk", robots[i].name), 1, robots[i].message);
    assert_false(file_exists("bad.csv"));
  }
}

// What serves for kinematics alone, and what a strict reader refuses.
static void robot_files_of_no_use_to_a_run_are_told_by_it(void **state)
{
  (void)state;
  testing_write("massless.urdf",
                "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n" JOINT("slack", "a", "b") "</robot>\n");
  assert_refused(sarrus("run massless.urdf --out bad.csv"), 1, "slack");
  assert_false(file_exists("bad.csv"));
  assert_int_equal(sarrus("eval massless.urdf fk"), 0);
  assert_int_equal(sarrus("info massless.urdf"), 0);
  testing_write("triangle.urdf",
                "<robot name='r'>\n<link name='a'/>\n<link name='thin'><inertial><mass value='1'/>"
                "<inertia ixx='1' iyy='0.2' izz='0.3' ixy='0' ixz='0' iyz='0'/></inertial></link>\n" JOINT(
                    "h", "a", "thin") "</robot>\n");
  assert_refused(sarrus("run triangle.urdf --strict --out bad.csv"), 1, "thin");
  assert_false(file_exists("bad.csv"));
}

#define MODELS "models:\n  - {file: p.urdf}\n"

static const bad_file scenes[] = {
    {"broken.yaml", "models: [\n", "broken.yaml"},
    {"empty.yaml", "", "empty.yaml"},
    {"key.yaml", MODELS "durration: 1\n", "key.yaml:3:1"},
    {"type.yaml", MODELS "dt: fast\n", "type.yaml:3:5"},
    {"list.yaml", MODELS "gravity: [0, 0]\n", "list.yaml:3"},
    {"nan.yaml", MODELS "dt: .nan\n", "nan.yaml:3:5"},
    {"comma.yaml", MODELS "dt: 0,001\n", "comma.yaml:3:5"},
    {"unit.yaml", MODELS "dt: 1ms\n", "unit.yaml:3:5"},
    {"zero.yaml", MODELS "dt: 0\n", "zero.yaml:3:5"},
    {"negative.yaml", MODELS "duration: -1\n", "negative.yaml:3:11"},
    {"joint.yaml", MODELS "initial:\n  q: {k: 1}\n", "joint.yaml:4:7"},
    {"length.yaml", MODELS "initial:\n  q: [1, 2]\n", "length.yaml:4:6"},
    {"missing.yaml", "models:\n  - {file: nofile.urdf}\n", "nofile.urdf"},
    {"twice.yaml", MODELS "dt: 1\ndt: 2\n", "twice.yaml:4:1"},
    {"bomb.yaml", "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n", "bomb.yaml:1"},
    {"integrator.yaml", MODELS "integrator: euler\n", "integrator.yaml:3"},
    {"contact.yaml", MODELS "contact: {friction: -0.5}\n", "contact.yaml:3"},
    {"rule.yaml", MODELS "contact: {friction_rule: smallest}\n", "rule.yaml:3:26"},
    {"anisotropy.yaml", MODELS "contact: {materials: [{name: wood, anisotropy: {along: 2}}]}\n", "anisotropy.yaml:3"},
    {"spin.yaml", MODELS "contact: {torsional: -1}\n", "spin.yaml:3"},
};

static void bad_scenes_are_told_with_line_and_column(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    testing_write(scenes[i].name, scenes[i].text);
    assert_refused(sarrus("run %s --out bad.csv", scenes[i].name), 1, scenes[i].message);
    assert_refused(sarrus("info %s", scenes[i].name), 1, scenes[i].message);
    assert_false(file_exists("bad.csv"));
  }
}

static const bad_file inputs[] = {
    {"header.csv", "tau:h\n1\n", "header.csv"},
    {"name.csv", "time,tau:k\n0,1\n", "name.csv:1"},
    {"row.csv", "time,tau:h\n0,1\n1\n", "row.csv:3"},
    {"number.csv", "time,tau:h\n0,1\n1,x\n", "number.csv:3"},
    {"nan.csv", "time,tau:h\n0,nan\n", "nan.csv:2"},
    {"order.csv", "time,tau:h\n1,1\n0,1\n", "order.csv:3"},
    {"empty.csv", "", "empty.csv"},
};

static void bad_inputs_are_told_with_their_line(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
    testing_write(inputs[i].name, inputs[i].text);
    assert_refused(sarrus("run p.urdf --input %s --out bad.csv", inputs[i].name), 1, inputs[i].message);
    assert_false(file_exists("bad.csv"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_robot_files_are_told_with_their_line),
      cmocka_unit_test(robot_files_of_no_use_to_a_run_are_told_by_it),
      cmocka_unit_test(bad_scenes_are_told_with_line_and_column),
      cmocka_unit_test(bad_inputs_are_told_with_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
