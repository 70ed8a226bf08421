// `sarrus generate MODEL -o DIR`: what it writes, what it says and when it refuses.
#include "support/command.h"

#define JOINT(name, parent, child)                                                                                     \
  "<link name='" child "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"       \
  "</inertial></link><joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/>"    \
  "<origin xyz='0.1 0.2 0.3'/><axis xyz='0 1 0'/></joint>\n"

static int in_folder(const char *command)
{
  char line[4096];
  snprintf(line, sizeof line, "cd '%s' && %s", testing_folder(), command);
  return testing_run(line, command_out, command_err);
}

static const char compile[] = "cc -std=c99 -Wall -Wextra -pedantic -Werror";

static void code_comes_with_a_test_that_passes(void **state)
{
  (void)state;
  char line[1024];
  testing_write("pendulum.urdf", pendulum);
  assert_int_equal(sarrus("generate pendulum.urdf -o code"), 0);
  assert_string_equal(command_err, "");
  assert_says(command_out, "code/pendulum_dynamics.c, .h and _test.c\n");
  assert_says(command_out, "\nrnea                 1 ");
  snprintf(line, sizeof line, "cd code && %s pendulum_dynamics.c pendulum_dynamics_test.c -o self -lm && ./self",
           compile);
  assert_int_equal(in_folder(line), 0);
  assert_says(command_out, "rnea ");
  assert_says(command_out, "derivatives ");
  // A number of the code that is changed is found.
  snprintf(line, sizeof line,
           "cd code && sed 's/9\\.8/9.9/' pendulum_dynamics.c >wrong.c && %s wrong.c pendulum_dynamics_test.c -o other "
           "-lm && ./other",
           compile);
  assert_int_equal(in_folder(line), 1);
  assert_says(command_out, "WRONG");
}

// A root without mass on a free joint: kinematics exists, forward dynamics does not.
static void what_does_not_exist_is_left_out(void **state)
{
  (void)state;
  char line[1024];
  testing_write("hung.urdf", "<robot name='hung'><link name='base'/>" JOINT("h", "base", "rod") "</robot>");
  assert_int_equal(sarrus("generate hung.urdf --base floating -o bare"), 0);
  assert_says(command_err, "no forward dynamics (aba): nothing resists a joint");
  assert_null(strstr(command_out, "aba"));
  snprintf(line, sizeof line, "cd bare && %s hung_dynamics.c hung_dynamics_test.c -o self -lm && ./self", compile);
  assert_int_equal(in_folder(line), 0);
  assert_int_equal(sarrus("generate hung.urdf --base floating -o other --functions aba,fk"), 1);
  assert_says(command_err, "there is no forward dynamics: nothing resists joint 'root' in any configuration");
  assert_int_equal(sarrus("generate hung.urdf -o held"), 0);
  assert_says(command_out, "\naba ");
}

static void functions_and_gravity_are_chosen(void **state)
{
  (void)state;
  testing_write("pendulum.urdf", pendulum);
  assert_int_equal(
      sarrus("generate pendulum.urdf -o some --functions rnea,fk --gravity-input --prefix arm --frames tip,rod"), 0);
  assert_int_equal(in_folder("cat some/arm_dynamics.h"), 0);
  assert_says(command_out, "void arm_rnea(const double q[1], const double v[1], const double a[1], "
                           "const double gravity[3], double tau[1]);");
  assert_says(command_out, "void arm_fk(const double q[1], double pose[24]);");
  assert_says(command_out, "arm_frame_tip = 0, ");
  assert_says(command_out, "arm_q_h = 0, // h, rad\n");
  assert_says(command_out, "arm_v_h = 0, // h, rad/s\n");
  assert_null(strstr(command_out, "arm_aba"));
  char line[1024];
  snprintf(line, sizeof line, "cd some && %s arm_dynamics.c arm_dynamics_test.c -o self -lm && ./self", compile);
  assert_int_equal(in_folder(line), 0);
}

// Names that C has not: an identifier begins otherwise, two come out alike, one is a word of C, one would end a
// comment.
static void any_names_become_c(void **state)
{
  (void)state;
  char line[1024];
  testing_write("7 odd-names.urdf",
                "<robot name='r'><link name='base'/>" JOINT("1st-joint", "base", "a") JOINT("1st joint", "a", "b")
                    JOINT("int", "b", "c") JOINT("*/ \\", "c", "d") JOINT("1st_joint_2", "d", "e?\?/")
                        JOINT("gelenk\xc3\xa4", "e?\?/", "while") "</robot>");
  assert_int_equal(sarrus("generate '7 odd-names.urdf' -o odd"), 0);
  assert_int_equal(in_folder("cat odd/m7_odd_names_dynamics.h"), 0);
  assert_says(command_out, "m7_odd_names_q_1st_joint = 0, // 1st-joint, rad\n");
  assert_says(command_out, "m7_odd_names_q_1st_joint_2 = 1, // 1st joint, rad\n");
  assert_says(command_out, "m7_odd_names_q_int = 2,");
  assert_says(command_out, "m7_odd_names_q_1st_joint_2_2 = 4, // 1st_joint_2, rad\n");
  snprintf(line, sizeof line,
           "cd odd && %s m7_odd_names_dynamics.c m7_odd_names_dynamics_test.c -o self -lm && ./self && "
           "c++ -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ m7_odd_names_dynamics.h",
           compile);
  if (in_folder(line) != 0) fail_msg("%s", command_err);
}

static void files_of_others_stay(void **state)
{
  (void)state;
  testing_write("pendulum.urdf", pendulum);
  assert_int_equal(in_folder("mkdir -p mine && echo precious >mine/pendulum_dynamics_test.c"), 0);
  assert_int_equal(sarrus("generate pendulum.urdf -o mine --quiet"), 1);
  assert_says(command_err, "mine/pendulum_dynamics_test.c");
  assert_says(command_err, "there already");
  assert_false(file_exists("mine/pendulum_dynamics.c")); // nor is a part of the rest written
  assert_false(file_exists("mine/pendulum_dynamics.h"));
  assert_int_equal(sarrus("generate pendulum.urdf -o mine --force"), 0);
  assert_int_equal(in_folder("grep -c precious mine/pendulum_dynamics_test.c"), 1);
  testing_write("taken", "");
  assert_refused(sarrus("generate pendulum.urdf -o taken"), 1, "taken: cannot make this folder: a file has its name");
  assert_refused(sarrus("generate pendulum.urdf -o no/such/folder"), 1, "cannot make this folder");
}

static void what_cannot_be_generated_is_refused(void **state)
{
  (void)state;
  testing_write("still.urdf", "<robot name='r'><link name='a'/></robot>");
  assert_refused(sarrus("generate still.urdf -o x --quiet"), 1, "nothing moves");
  char bar[1200];
  snprintf(bar, sizeof bar, "%s", testing_source("samples/four_bar.yaml"));
  assert_refused(sarrus("generate '%s' -o x --quiet", bar), 1, "closes a loop, and code is generated for trees only");
  assert_false(file_exists("x"));
}

static void wrong_usage_is_named(void **state)
{
  (void)state;
  testing_write("pendulum.urdf", pendulum);
  assert_refused(sarrus("generate pendulum.urdf"), 2, "--out DIR is missing");
  assert_refused(sarrus("generate pendulum.urdf -o x --functions rnea,inverse"), 2, "there is no 'inverse'");
  assert_refused(sarrus("generate pendulum.urdf -o x --functions rnea,"), 2, "there is no ''");
  assert_refused(sarrus("generate pendulum.urdf -o x --frames top"), 2, "'top'");
  assert_refused(sarrus("generate pendulum.urdf -o x --gravity 1,2"), 2, "gravity");
  assert_refused(sarrus("generate pendulum.urdf -o x --prefix _a"), 2, "'_a' cannot begin the names of C functions");
  assert_refused(sarrus("generate pendulum.urdf -o x --prefix 'a b'"), 2, "'a b' cannot begin");
  assert_refused(sarrus("generate missing.urdf -o x"), 1, "missing.urdf");
  assert_false(file_exists("x"));
}

static void coupled_joints_are_noted(void **state)
{
  (void)state;
  testing_write(
      "mimic.urdf",
      "<robot name='r'><link name='base'/>" JOINT(
          "a", "base",
          "la") "<link name='lb'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
                "</inertial></link><joint name='b' type='continuous'><parent link='la'/><child link='lb'/>"
                "<axis xyz='0 1 0'/><mimic joint='a'/></joint></robot>");
  assert_int_equal(sarrus("generate mimic.urdf -o mimic"), 0);
  assert_says(command_err, "sarrus: note: 'b' and what else couples joints is left open");
  assert_int_equal(in_folder("cat mimic/mimic_dynamics.h"), 0);
  assert_says(command_out, "// Coupled joints (mimic, gear; 1 here) are coordinates of their own");
}

// The C of docs/generate.md, with the code that its commands make.
static void the_page_s_program_works(void **state)
{
  (void)state;
  char *page = testing_read(testing_source("docs/generate.md"), NULL);
  char *code = strstr(page, "```c\n"), *end = code != NULL ? strstr(code, "\n```") : NULL;
  assert_non_null(end);
  end[1] = '\0';
  char arm[1200], line[1024];
  testing_write("hold.c", code + 5);
  end[1] = '`';
  snprintf(arm, sizeof arm, "%s", testing_source("samples/arm.urdf"));
  assert_int_equal(sarrus("generate '%s' -o arm --quiet", arm), 0);
  snprintf(line, sizeof line, "%s -Iarm hold.c arm/arm_dynamics.c -o hold -lm && ./hold", compile);
  if (in_folder(line) != 0) fail_msg("%s", command_err);
  assert_says(page, command_out); // what it prints stands below it
  free(page);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(code_comes_with_a_test_that_passes),
      cmocka_unit_test(what_does_not_exist_is_left_out),
      cmocka_unit_test(functions_and_gravity_are_chosen),
      cmocka_unit_test(any_names_become_c),
      cmocka_unit_test(files_of_others_stay),
      cmocka_unit_test(what_cannot_be_generated_is_refused),
      cmocka_unit_test(wrong_usage_is_named),
      cmocka_unit_test(coupled_joints_are_noted),
      cmocka_unit_test(the_page_s_program_works),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
