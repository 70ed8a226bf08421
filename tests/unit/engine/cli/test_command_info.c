// `sarrus info`: the tree as it was understood.
#include "support/command.h"

#include <math.h>

static void the_tree_shows_joints_links_and_frames(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("info p.urdf"), 0);
  static const char *const parts[] = {"p.urdf",
                                      "degrees of freedom: 1",
                                      "base: fixed",
                                      "moving mass: 2 kg",
                                      "h: continuous, axis 1 0 0",
                                      "rod",
                                      "centre 0 0 -0.5",
                                      "tip",
                                      "base"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) assert_says(command_out, parts[i]);
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("info p.urdf --base floating"), 0); // nothing to move on the root
  assert_says(command_err, "nothing resists joint 'root'");
  assert_says(command_err, "kinematics works, a simulation cannot be made");
  assert_refused(sarrus("info p.urdf --base floating --strict"), 1, "root");
  assert_refused(sarrus("run p.urdf --base floating"), 1, "root");
}

static void json_holds_the_whole_model(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("info p.urdf --json"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/base"), "fixed");
  assert_true(testing_json_number(json, "/dof") == 1);
  assert_true(testing_json_number(json, "/mass") == 2);
  assert_int_equal(testing_json_count(json, "/links"), 1);
  assert_string_equal(testing_json_text(json, "/links/0/name"), "rod");
  assert_string_equal(testing_json_text(json, "/links/0/joint/name"), "h");
  assert_string_equal(testing_json_text(json, "/links/0/joint/kind"), "continuous");
  assert_string_equal(testing_json_text(json, "/links/0/joint/q_names/0"), "h");
  const double inertia[6] = {0.1, 0.1, 0.02, 0, 0, 0};
  double values[6];
  testing_json_numbers(json, "/links/0/inertia", values, 6);
  testing_assert_close("inertia", values, inertia, 6, 1e-15); // lumping an empty link may round once
  assert_int_equal(testing_json_count(json, "/frames"), 3);
  assert_int_equal(testing_json_count(json, "/warnings"), 0);
  testing_json_free(json);
}

static void limits_and_actuators_are_shown(void **state)
{
  (void)state;
  char limited[2048];
  const char *kind = strstr(pendulum, "continuous"), *axis = strstr(pendulum, "<axis");
  snprintf(limited, sizeof limited,
           "%.*srevolute%.*s<limit lower='-1' upper='2.5' effort='10' velocity='3'/><dynamics damping='0.25' "
           "friction='0.5'/>%s",
           (int)(kind - pendulum), pendulum, (int)(axis - kind - 10), kind + 10, axis);
  testing_write("limited.urdf", limited);
  assert_int_equal(sarrus("info limited.urdf"), 0);
  assert_says(command_out, "limits -1 to 2.5");
  assert_says(command_out, "damping 0.25");
  assert_says(command_out, "dry friction 0.5");
  assert_int_equal(sarrus("info limited.urdf --json"), 0);
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/links/0/joint/upper/0") == 2.5);
  assert_true(testing_json_number(json, "/links/0/joint/max_effort/0") == 10);
  testing_json_free(json);
}

static void warnings_are_part_of_the_result(void **state)
{
  (void)state;
  char odd[2048];
  const char *inertial = strstr(pendulum, "<inertial>");
  snprintf(odd, sizeof odd, "%.*s<odd/>%s", (int)(inertial - pendulum), pendulum, inertial);
  testing_write("odd.urdf", odd);
  assert_int_equal(sarrus("info odd.urdf"), 0);
  assert_says(command_out, "1 warning, on stderr");
  assert_says(command_err, "sarrus: warning: odd.urdf:3");
  assert_int_equal(sarrus("info odd.urdf --quiet"), 0);
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("info odd.urdf --json"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/warnings"), 1);
  testing_json_free(json);
  assert_refused(sarrus("info odd.urdf --strict"), 1, "odd.urdf:3");
}

static void what_is_kept_and_waits_is_not_refused_as_strict(void **state)
{
  (void)state;
  char limited[2048];
  const char *kind = strstr(pendulum, "continuous"), *axis = strstr(pendulum, "<axis");
  testing_write("m.stl", "solid m\nendsolid m\n");
  snprintf(limited, sizeof limited,
           "%.*s<visual><geometry><mesh filename='m.stl'/></geometry></visual>%.*srevolute%.*s"
           "<limit lower='-1' upper='2.5' effort='0' velocity='3'/><dynamics friction='0.5'/>%s",
           (int)(strstr(pendulum, "<inertial>") - pendulum), pendulum, (int)(kind - strstr(pendulum, "<inertial>")),
           strstr(pendulum, "<inertial>"), (int)(axis - kind - 10), kind + 10, axis);
  testing_write("limited.urdf", limited);
  assert_int_equal(sarrus("info limited.urdf --strict"), 0);
  assert_says(command_out, "\n1 note, on stderr\n");
  assert_says(command_err, "sarrus: note: limited.urdf:");
  assert_says(command_err, "effort limit of 0 of joint ");
  assert_int_equal(sarrus("run limited.urdf --strict --duration 0"), 0);
  assert_says(command_err, "effort limit of 0 of joint ");
}

static void an_impossible_inertia_of_a_file_is_warned_of(void **state)
{
  (void)state;
  static const char *const subcommands[] = {"info", "run --duration 0", "eval"}, *const rest[] = {"", "",
                                                                                                  "mass-matrix"};
  char odd[2048];
  const char *moment = strstr(pendulum, "ixx='0.1'");
  snprintf(odd, sizeof odd, "%.*sixx='0.5'%s", (int)(moment - pendulum), pendulum, moment + 9);
  testing_write("odd.urdf", odd);
  testing_write("odd.yaml", "models: [{file: odd.urdf}]\nallow_impossible_inertia: true\n");
  testing_write("plain.yaml", "models: [{file: odd.urdf}]\nallow_impossible_inertia: false\n");
  static const char *const files[] = {"odd.urdf", "odd.yaml", "plain.yaml"};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int allow = 0; allow < 2; allow++) {
        const char *option = allow == 1 ? "--allow-impossible-inertia" : "";
        assert_int_equal(sarrus("%s %s %s %s", subcommands[i], files[k], rest[i], option), 0);
        assert_says(command_err, "odd.urdf:3: link 'rod': principal moments 0.5 > 0.02 + 0.1");
        assert_says(command_err, "the nearest possible one is ixx=");
        assert_refused(sarrus("%s %s %s %s --strict", subcommands[i], files[k], rest[i], option), 1,
                       "odd.urdf:3: a warning, refused as strict: link 'rod': principal mom");
      }
}

static void names_of_any_bytes_give_valid_json(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  // A quote, a backslash, a tab and a byte that is no UTF-8.
  assert_int_equal(sarrus("info \"$(f=$(printf 'a\"\\\\\\t\\377.urdf'); cp p.urdf \"$f\"; printf %%s \"$f\")\" --json"),
                   0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/file"), "a\"\\\t\xef\xbf\xbd.urdf");
  testing_json_free(json);
}

static void a_scene_s_models_are_shown_together(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("two.yaml", "models:\n  - {file: p.urdf, name: a}\n  - {file: p.urdf, name: b}\n");
  assert_int_equal(sarrus("info two.yaml --json"), 0);
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/dof") == 2);
  assert_true(testing_json_number(json, "/mass") == 4);
  testing_json_free(json);
}

// A link and its joint of one name, and the base as it was asked for, in what is reported when a model is loaded.
static void the_base_is_part_of_the_report(void **state) // F10
{
  (void)state;
#define BODY "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
  static const struct {
    const char *file, *options, *base;
  } cases[] = {{"one.urdf", "", "fixed"},
               {"one.urdf", " --base fixed", "fixed"},
               {"one.urdf", " --base floating", "floating"},
               {"free.urdf", "", "floating"}};
  testing_write("one.urdf", "<robot name='r'><link name='base_link'>" BODY "</link></robot>\n");
  testing_write("free.urdf", "<robot name='r'><link name='world'/><link name='base_link'>" BODY "</link>\n"
                             "<joint name='base_link' type='floating'><parent link='world'/><child link='base_link'/>"
                             "</joint></robot>\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[60];
    assert_int_equal(sarrus("info %s%s", cases[i].file, cases[i].options), 0);
    snprintf(words, sizeof words, "base: %s\n", cases[i].base);
    assert_says(command_out, words);
    assert_int_equal(sarrus("info %s%s --json", cases[i].file, cases[i].options), 0);
    testing_json *json = command_json();
    assert_string_equal(testing_json_text(json, "/base"), cases[i].base);
    testing_json_free(json);
    assert_int_equal(sarrus("run %s%s --duration 0", cases[i].file, cases[i].options), 0);
    snprintf(words, sizeof words, "of freedom, base %s\n", cases[i].base);
    assert_says(command_out, words);
  }
}

// A chain of many links is no wider than a robot: the output goes with the links.
static void a_long_chain_stays_readable(void **state)
{
  (void)state;
  enum { LINKS = 400, LINE = 150 };
  static char text[LINKS * 300];
  int used = snprintf(text, sizeof text, "<robot name='long'><link name='l0'/>");
  for (int k = 1; k <= LINKS; k++)
    used += snprintf(
        text + used, sizeof text - (size_t)used,
        "<link name='l%d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
        "</inertial></link><joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/></joint>",
        k, k, k - 1, k);
  snprintf(text + used, sizeof text - (size_t)used, "</robot>");
  testing_write("long.urdf", text);
  assert_int_equal(sarrus("info long.urdf"), 0);
  assert_says(command_out, "[400] j400: ");
  assert_true(strlen(command_out) < (size_t)LINKS * LINE + 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tree_shows_joints_links_and_frames),
      cmocka_unit_test(json_holds_the_whole_model),
      cmocka_unit_test(limits_and_actuators_are_shown),
      cmocka_unit_test(warnings_are_part_of_the_result),
      cmocka_unit_test(what_is_kept_and_waits_is_not_refused_as_strict),
      cmocka_unit_test(an_impossible_inertia_of_a_file_is_warned_of),
      cmocka_unit_test(names_of_any_bytes_give_valid_json),
      cmocka_unit_test(a_scene_s_models_are_shown_together),
      cmocka_unit_test(the_base_is_part_of_the_report),
      cmocka_unit_test(a_long_chain_stays_readable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
