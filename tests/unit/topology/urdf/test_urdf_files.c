// URDF files as they come: generated headers, marks before the text, unlimited limits, degrees, words of our own; and
// those that were made to do harm.
#include "support/urdf_cases.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BODY                                                                                                           \
  "<link name='w'/><link name='p'>" BALL "</link><joint name='h' type='revolute'><parent link='w'/><child link='p'/>"  \
  "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>"

// What real files begin with. line: where the first element stands.
static void files_may_begin_as_generators_write_them(void **state)
{
  (void)state;
  static const struct {
    const char *head;
    bool is_noted;
  } cases[] = {
      {"<?xml version='1.0'?>\n<robot name='r'>", false},
      {"<?xml version=\"0.0\" ?>\n<robot name='r'>", true},
      {"<?xml version='1'?>\n<robot name='r'>", true},
      {"<?xml version='1' encoding='UTF-8'?>\n<robot name='r'>", true},
      {"<?xml version='1.1'?>\n<robot name='r'>", false},
      {"\xEF\xBB\xBF<?xml version='1.0'?>\n<robot name='r'>", false},
      {"\xEF\xBB\xBF\n<robot name='r'>", false},
      {"\n<?xml version='1.0'?><robot name='r'>", true},
      {"\n<robot name='r' version='1' xmlns:xacro='http://ros.org/wiki/xacro' xmlns='http://example.org'>", false},
      {"<?xml version='1.0'?>\n<robot xmlns:controller='http://example.org/c' xmlns:xi='x' name='r'>", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", cases[i].head, BODY);
    srs_model *model = loaded(text);
    if (srs_model_n_warnings(model) != cases[i].is_noted) fail_msg("%s: %d", text, srs_model_n_warnings(model));
    if (cases[i].is_noted) assert_warns(model, 1, "the XML declaration is passed over");
    srs_model_destroy(model);
    // Lines stay those of the file.
    snprintf(text, sizeof text, "%s<link/>%s", cases[i].head, BODY);
    refused(text, SRS_ERROR_SYNTAX, 2, "<link> needs the attribute name");
  }
  refused("<?xml version='0.0' encoding='utf-16'?><robot name='r'>" BODY, SRS_ERROR_SYNTAX, 1, "not well-formed");
}

static void files_of_the_cases_load(void **state)
{
  (void)state;
  srs_model *model = loaded_file(testing_data("cases/declaration.urdf"), NULL);
  assert_warns(model, 1, "the XML declaration is passed over");
  srs_model_destroy(model);
  model = loaded_file(testing_data("cases/kinematics_only.urdf"), NULL);
  assert_int_equal(srs_model_n_warnings(model), 1);
  assert_warns(model, 2, "nothing resists joint 'j'");
  // Kinematics: the tip is 0.5 m out, a quarter turn moves it from x to y.
  srs_workspace *w;
  srs_pose pose;
  const double q = 1.5707963267948966, zero = 0, expected[3] = {0, 0.5, 0};
  double a;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  assert_int_equal(srs_forward_kinematics(w, &q), SRS_OK);
  assert_int_equal(srs_frame_placement(w, srs_model_find_frame(model, "t"), &pose), SRS_OK);
  testing_assert_close("tip", pose.position, expected, 3, 1e-16);
  // Its Jacobian about z: turns, and moves the tip along -x; inverse kinematics finds the quarter turn.
  double jacobian[6];
  static const double rows[6] = {0, 0, 1, -0.5, 0, 0};
  assert_int_equal(srs_frame_jacobian(w, srs_model_find_frame(model, "t"), SRS_AXES_WORLD, jacobian), SRS_OK);
  testing_assert_close("jacobian", jacobian, rows, 6, 1e-16);
  srs_ik *ik = NULL;
  double found = 0.3;
  const srs_ik_target target = srs_default_ik_target(srs_model_find_frame(model, "t"), &pose);
  assert_int_equal(srs_ik_create(model, 1, &ik, NULL), SRS_OK);
  assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, &found, NULL), SRS_OK);
  assert_true(fabs(found - q) < 1e-9); // 1e-10 m and rad
  srs_ik_destroy(ik);
  assert_int_equal(srs_forward_dynamics(w, &q, &zero, &zero, NULL, &a), SRS_ERROR_SINGULAR);
  assert_has(srs_workspace_error(w)->message, "'j'");
  srs_workspace_destroy(w);
  srs_sim *sim = NULL;
  srs_error error = {0};
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_ERROR_MODEL);
  assert_has(error.message, "'j'");
  assert_has(error.message, "'b'");
  srs_model_destroy(model);
}

static void limits_may_be_infinite_and_degrees_are_suspected(void **state)
{
  (void)state;
  srs_model *model =
      loaded(one_joint("revolute", "<limit lower='-inf' upper='Infinity' effort='INF' velocity='+.inf'/>", BALL));
  assert_true(srs_model_lower(model)[0] == -INFINITY && srs_model_upper(model)[0] == INFINITY);
  assert_true(srs_model_max_effort(model)[0] == INFINITY && srs_model_max_velocity(model)[0] == INFINITY);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);
  model = loaded(one_joint("revolute", "<limit lower='-180' upper='90' effort='1' velocity='1'/>", BALL));
  assert_true(srs_model_lower(model)[0] == -180);
  assert_warns(model, 4,
               "joint 'h': limits of -180 and 90 rad look like degrees; if they are, write -3.14159 and 1.5708");
  srs_model_destroy(model);
  static const char *const fine[] = {"lower='-6.28' upper='6.28'", "lower='-1000' upper='1000'",
                                     "lower='0' upper='10'"};
  for (int i = 0; i < 3; i++) {
    char limit[128];
    snprintf(limit, sizeof limit, "<limit %s effort='1' velocity='1'/>", fine[i]);
    model = loaded(one_joint("revolute", limit, BALL));
    assert_int_equal(srs_model_n_warnings(model), 0);
    srs_model_destroy(model);
  }
  model = loaded(one_joint("prismatic", "<limit lower='-180' upper='90' effort='1' velocity='1'/>", BALL));
  assert_int_equal(srs_model_n_warnings(model), 0); // mm, perhaps; but no angle
  srs_model_destroy(model);
  refused(one_joint("revolute", "<limit lower='nan' upper='1' effort='1' velocity='1'/>", BALL), SRS_ERROR_SYNTAX, 4,
          "lower=\"nan\"");
}

static void words_of_our_own_say_what_the_format_cannot(void **state)
{
  (void)state;
  srs_model *model = loaded(one_joint("continuous", "<sarrus armature='0.05' stiffness='3' reference='0.2'/>", BALL));
  assert_true(srs_model_armature(model)[0] == 0.05 && srs_model_stiffness(model)[0] == 3);
  assert_true(srs_model_reference(model)[0] == 0.2);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);
  model = loaded(one_joint("continuous", "<sarrus armatur='0.05'/>", BALL));
  assert_warns(model, 4, "sarrus/@armatur is not read");
  srs_model_destroy(model);
  refused(one_joint("continuous", "<sarrus armature='-1'/>", BALL), SRS_ERROR_MODEL, 3, "'h'");
}

// A chain of mimic: c follows b follows a, declared in any order (F01).
static void mimic_may_follow_mimic(void **state)
{
  (void)state;
#define FINGER(NAME, MIMIC)                                                                                            \
  "<joint name='" NAME "' type='prismatic'><parent link='w'/><child link='l" NAME "'/>" LIMIT MIMIC "</joint>"         \
  "<link name='l" NAME "'>" BALL "</link>"
  srs_model *model =
      loaded("<robot name='r'><link name='w'/>" FINGER("c", "<mimic joint='b' multiplier='2' offset='1'/>")
                 FINGER("b", "<mimic joint='a' multiplier='-0.5' offset='0.015'/>") FINGER("a", "") "</robot>");
  assert_int_equal(srs_model_n_couplings(model), 2);
  assert_int_equal(srs_model_n_warnings(model), 0);
  srs_model_destroy(model);
  refused("<robot name='r'><link name='w'/>" FINGER("b", "<mimic joint='a'/>")
              FINGER("a", "<mimic joint='b'/>") "</robot>",
          SRS_ERROR_MODEL, 1, "'a'");
#undef FINGER
}

// ---------------------------------------------------------------------------------------------------------------------
// Made to do harm
// ---------------------------------------------------------------------------------------------------------------------

static void fill(const char *name, const char *head, char c, size_t n, const char *tail)
{
  FILE *file = fopen(testing_write(name, ""), "wb");
  assert_non_null(file);
  static char block[1 << 16];
  memset(block, c, sizeof block);
  assert_true(fputs(head, file) >= 0);
  for (size_t left = n; left > 0;) {
    const size_t k = left < sizeof block ? left : sizeof block;
    assert_int_equal(fwrite(block, 1, k, file), k);
    left -= k;
  }
  assert_true(fputs(tail, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

// In a process that is ended after a second of processor time, and has no more than 256 MB.
static void assert_cheap(const char *path)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  (void)path; // the sanitizer's own memory is more
#else
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    srs_model *model = NULL;
    const struct rlimit data = {(rlim_t)256 << 20, (rlim_t)256 << 20}, seconds = {1, 1};
    const bool is_limited = setrlimit(RLIMIT_DATA, &data) == 0 && setrlimit(RLIMIT_CPU, &seconds) == 0;
    const srs_status status = srs_model_load(path, NULL, &model, NULL);
    _exit(is_limited && status != SRS_OK && status != SRS_ERROR_MEMORY ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s takes too much: status %d", path, status);
#endif
}

static void assert_harmless(const char *words)
{
  char path[1024];
  srs_model *model = NULL;
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/evil.urdf", testing_folder());
  assert_cheap(path);
  assert_true(srs_model_load(path, NULL, &model, &error) != SRS_OK);
  assert_null(model);
  assert_has(error.message, words);
  assert_null(strpbrk(error.message, "\n\r\t"));
}

static void what_was_made_to_do_harm_is_refused(void **state)
{
  (void)state;
  testing_write("evil.urdf",
                "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c "
                "'&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><robot name='&c;'/>");
  assert_harmless("DOCTYPE");
  testing_write("evil.urdf", "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><robot name='r'/>");
  assert_harmless("DOCTYPE");
  testing_write("evil.urdf", "<robot name='&e;'/>");
  assert_harmless("not well-formed");
  FILE *file = fopen(testing_write("evil.urdf", ""), "wb");
  assert_non_null(file);
  const char nul[] = "<robot name='r'><link name='a\0b'/></robot>";
  assert_int_equal(fwrite(nul, 1, sizeof nul - 1, file), sizeof nul - 1);
  assert_int_equal(fclose(file), 0);
  assert_harmless("not well-formed");
  file = fopen(testing_write("evil.urdf", ""), "wb");
  assert_non_null(file);
  for (int i = 0; i < 100000; i++) assert_true(fputs("<robot>", file) >= 0);
  assert_int_equal(fclose(file), 0);
  assert_harmless("nested more than");
  file = fopen(testing_write("evil.urdf", ""), "wb");
  assert_non_null(file);
  assert_true(fputs("<robot name='r'>", file) >= 0);
  for (int i = 0; i < 1000000; i++) assert_true(fputs("<a/>", file) >= 0);
  assert_true(fputs("</robot>", file) >= 0);
  assert_int_equal(fclose(file), 0);
  assert_harmless("elements and attributes");
  fill("evil.urdf", "<robot name='", 'a', (size_t)30 << 20, "'/>"); // an attribute of 30 MB
  assert_harmless("not well-formed");
  fill("evil.urdf", "<robot name='", 'a', (size_t)40 << 20, "'/>");
  assert_harmless("larger than 32 MiB");
  assert_int_equal(truncate(testing_write("evil.urdf", "<robot name='"), (off_t)1 << 30), 0); // 1 GB, of zero bytes
  assert_harmless("larger than 32 MiB");
  testing_write("evil.urdf", "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_may_begin_as_generators_write_them),
      cmocka_unit_test(files_of_the_cases_load),
      cmocka_unit_test(limits_may_be_infinite_and_degrees_are_suspected),
      cmocka_unit_test(words_of_our_own_say_what_the_format_cannot),
      cmocka_unit_test(mimic_may_follow_mimic),
      cmocka_unit_test(what_was_made_to_do_harm_is_refused),
  };
  return cmocka_run_group_tests_name("urdf_files", tests, NULL, NULL);
}
