// Loops as the command tells of them: what info counts, what run closes before the first step, and what it cannot.
#include "support/command.h"

#define SLIDERS(MORE)                                                                                                  \
  "models:\n- links: [{name: a, mass: 1}, {name: b, mass: 1}]\n"                                                       \
  "  joints: [{name: ha, kind: prismatic, child: a}, {name: hb, kind: prismatic, child: b, axis: [0, 1, 0]}]\n"        \
  "  closures: [{name: bar, kind: rod, frame_a: a, frame_b: b, length: 1" MORE "}]\n"                                  \
  "  couplings: [{name: clock, follower: ha, motion: {rate: 0.1, start: 0.6}}]\n"                                      \
  "gravity: [0, 0, 0]\nduration: 0.01\n"

static void info_counts_independent_degrees_of_freedom(void **state)
{
  (void)state;
  testing_write("jaw.urdf",
                "<robot name='jaw'><link name='palm'/><link name='fb'><inertial><mass value='0.1'/><inertia ixx='1e-4' "
                "iyy='1e-4' izz='1e-4' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='fa'><inertial><mass "
                "value='0.1'/><inertia ixx='1e-4' iyy='1e-4' izz='1e-4' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                "<joint name='jb' type='prismatic'><parent link='palm'/><child link='fb'/><axis xyz='0 1 0'/><limit "
                "lower='-0.1' upper='0.1' effort='20' velocity='1'/><mimic joint='ja' multiplier='-0.5' "
                "offset='0.015'/></joint>\n"
                "<joint name='ja' type='prismatic'><parent link='palm'/><child link='fa'/><axis xyz='0 1 0'/><limit "
                "lower='-0.1' upper='0.1' effort='20' velocity='1'/></joint></robot>\n");
  assert_int_equal(sarrus("info jaw.urdf"), 0); // F01
  assert_says(command_out, "1 row of rank 1 at the start: 2 joints, 1 independent DoF");
  assert_says(command_out, "jb: jb = 0.015 + -0.5 ja; 1 row, rank 1; open by 0.015 as written");
  assert_int_equal(sarrus("info jaw.urdf --json"), 0);
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/joints") == 2);
  assert_true(testing_json_number(json, "/independent_dof") == 1);
  assert_string_equal(testing_json_text(json, "/loops/0/kind"), "coupling");
  assert_true(testing_json_number(json, "/loops/0/rank") == 1);
  testing_json_free(json);

  testing_write("sliders.yaml", SLIDERS(", motion: {sine: {amplitude: 0.1, frequency: 2}}"));
  assert_int_equal(sarrus("info sliders.yaml"), 0);
  assert_says(command_out, "2 loops, 2 rows of rank 2 at the start: 2 joints, 0 independent DoF");
  assert_says(command_out, "bar: rod, holds b to a, row 0 moves (sine)");
  assert_says(command_out, "clock: ha = a motion (rate)");
}

static void run_closes_loops_first_and_says_so(void **state)
{
  (void)state;
  testing_write("sliders.yaml", SLIDERS(""));
  assert_int_equal(sarrus("run sliders.yaml --q 0,0.5 --json"), 0);
  assert_says(command_err, "loop 'bar' was open by 0.5 at the start");
  assert_says(command_err, "loop 'clock' was open by 0.6 at the start");
  testing_json *json = command_json();
  // 0.6, 0.8, 1; ha moves on as the clock says.
  assert_true(testing_json_number(json, "/final/q/ha") > 0.6 && testing_json_number(json, "/final/q/ha") < 0.602);
  assert_true(testing_json_number(json, "/final/q/hb") < 0.8 && testing_json_number(json, "/final/q/hb") > 0.798);
  testing_json_free(json);
  assert_int_equal(sarrus("run sliders.yaml --q 0,0.5 --quiet"), 0);
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("run sliders.yaml --q 0.6,0.8"), 0);
  assert_null(strstr(command_err, "was open")); // it was not
}

static void what_cannot_be_closed_ends_the_run_with_its_residual(void **state)
{
  (void)state;
  testing_write("sliders.yaml", SLIDERS(", pose_a: {position: [0, 0, 1.5]}"));
  assert_int_equal(sarrus("run sliders.yaml"), 1);
  assert_says(command_err, "sliders.yaml:4:14: the loops cannot be closed: loop 'bar': residual 0.");
  assert_int_equal(sarrus("info sliders.yaml"), 0);
  assert_says(command_out, "no assembly: the loops cannot be closed: loop 'bar'");
}

// A slide that a prismatic closure holds as well, and that starts 0.25 m beyond the limit of that.
static void run_warns_of_a_loop_joint_beyond_its_limits(void **state)
{
  (void)state;
  testing_write("cut.yaml",
                "models:\n- links: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
                "  joints: [{name: h, kind: prismatic, child: a, axis: [1, 0, 0]}]\n"
                "  closures: [{name: post, kind: prismatic, axis: [1, 0, 0], frame_b: a, lower: -1, upper: 0.5}]\n"
                "duration: 0.1\n");
  assert_int_equal(sarrus("run cut.yaml --q 0.75"), 0);
  assert_says(command_err, "'post' starts 0.25 m beyond its limits");
  assert_int_equal(sarrus("run cut.yaml --q 0.25"), 0);
  assert_string_equal(command_err, "");
}

// The table falls through the configuration in which all plates lie flat: a change point, whose rows disagree by as
// much as rows that count as dependent may.
static void run_tells_of_change_points_and_solves_them(void **state)
{
  (void)state;
  const char *linkage = testing_source("samples/sarrus_linkage.yaml");
  assert_int_equal(sarrus("run %s --dt 1e-4 --duration 0.3 --out linkage.csv --strict", linkage), 0);
  assert_says(command_err, "loop 'b3' passes a change point");
  assert_null(strstr(command_out, "unsolved"));
  assert_null(strstr(command_err, "unsolved"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(info_counts_independent_degrees_of_freedom),
      cmocka_unit_test(run_closes_loops_first_and_says_so),
      cmocka_unit_test(run_warns_of_a_loop_joint_beyond_its_limits),
      cmocka_unit_test(what_cannot_be_closed_ends_the_run_with_its_residual),
      cmocka_unit_test(run_tells_of_change_points_and_solves_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
