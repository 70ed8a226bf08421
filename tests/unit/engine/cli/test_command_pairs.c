// `sarrus check MODEL --pairs`, and what run and info say of pairs that self_collision: auto leaves out.
#include "support/command.h"

// F21: a base welded to the world, and a box that overlaps it by 10 mm, on a link two hinges away; `near` is one hinge
// away and overlaps too.
static const char f21[] =
    "<robot name='f21'>\n"
    "<link name='base'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\n"
    "<link name='near'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>\n"
    "<link name='far'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><origin xyz='0 0 0.19'/><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\n"
    "<joint name='h' type='continuous'><parent link='base'/><child link='near'/><axis xyz='0 0 1'/></joint>\n"
    "<joint name='k' type='continuous'><parent link='near'/><child link='far'/><axis xyz='0 0 1'/></joint>\n</robot>\n";

static void a_robot_whose_links_overlap_stays_still(void **state)
{
  (void)state;
  testing_write("f21.urdf", f21);
  assert_int_equal(sarrus("run f21.urdf --duration 0.1 --gravity 0,0,0 --json"), 0);
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/final/q/h") == 0 && testing_json_number(json, "/final/q/k") == 0);
  testing_json_free(json);
  assert_string_equal(
      command_err, "sarrus: note: self_collision: auto leaves out 1 pair of shapes that overlaps where all coordinates "
                   "are zero, the deepest by 10 mm (box of 'base' and box of 'far'); 'sarrus check --pairs' lists "
                   "them\n");
  assert_int_equal(sarrus("info f21.urdf"), 0);
  assert_says(command_out, "self_collision: auto leaves out 1 pair");
  assert_says(command_out, "  box of 'base' and box of 'far': 10 mm (self_collision: they do not collide)\n");
  assert_says(command_out, "  box of 'base' and box of 'near': 150 mm (parent and child: they do not collide)\n");
  assert_int_equal(sarrus("run f21.urdf --duration 0 --self-collision all"), 0);
  assert_says(command_err, "1 pair of shapes overlaps at the start and will be pushed apart: box of 'base' and box of "
                           "'far' by 10 mm");
  assert_int_equal(sarrus("run f21.urdf --duration 0 --self-collision false"), 0);
  assert_string_equal(command_err, "");
}

// Its output is a scene's `collision`: pasted into one that says `all`, nothing overlaps any more.
static void the_list_can_be_pasted_into_a_scene(void **state)
{
  (void)state;
  static char scene[COMMAND_CAUGHT + 128];
  testing_write("f21.urdf", f21);
  assert_int_equal(sarrus("check f21.urdf --pairs --poses 50"), 0);
  assert_says(command_out, "# f21.urdf: 1 pair of shapes of one robot may collide, 50 random poses, seed 1\n");
  assert_says(command_out, "collision:\n  exclude:\n    - [base, far]  # 10 mm at zero, in 100 % of the poses\n");
  snprintf(scene, sizeof scene, "models: [{file: f21.urdf, self_collision: all}]\n%s", command_out);
  testing_write("pasted.yaml", scene);
  assert_int_equal(sarrus("run pasted.yaml --duration 0"), 0);
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("check pasted.yaml --pairs --poses 50"), 0);
  assert_says(command_out, "# nothing to exclude\n");
}

static void the_list_as_srdf_can_be_read_back(void **state)
{
  (void)state;
  testing_write("f21.urdf", f21);
  assert_int_equal(sarrus("check f21.urdf --pairs --poses 50 --as-srdf"), 0);
  assert_says(command_out, "<disable_collisions link1=\"base\" link2=\"far\" reason=\"Always\"/>");
  testing_write("f21.srdf", command_out);
  assert_int_equal(sarrus("run f21.urdf --duration 0 --self-collision all --srdf f21.srdf"), 0);
  assert_string_equal(command_err, "");
}

static void the_list_as_json_has_every_pair_that_overlapped(void **state)
{
  (void)state;
  testing_write("f21.urdf", f21);
  assert_int_equal(sarrus("check f21.urdf --pairs --poses 20 --seed 3 --json"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_number(json, "/self_collision/poses"), 20);
  assert_int_equal(testing_json_count(json, "/self_collision/overlaps"), 1);
  assert_string_equal(testing_json_text(json, "/self_collision/overlaps/0/link_b"), "far");
  assert_true(testing_json_number(json, "/self_collision/overlaps/0/share") == 1);
  testing_json_free(json);
}

static void wrong_use_is_told(void **state)
{
  (void)state;
  testing_write("f21.urdf", f21);
  testing_write("s.yaml", "models: [{file: f21.urdf}]\n");
  assert_refused(sarrus("check f21.urdf --pairs --often 1.5"), 2, "--often is a share of the poses, from 0 to 1");
  assert_refused(sarrus("check f21.urdf --pairs --contacts"), 2, "two checks; ask for one");
  assert_refused(sarrus("check f21.urdf --pairs --json --as-srdf"), 2, "two forms; ask for one");
  assert_refused(sarrus("run s.yaml --srdf x.srdf"), 2, "each model has its own key `srdf:`");
  assert_refused(sarrus("run f21.urdf --self-collision none"), 2, "self-collision");
  assert_refused(sarrus("run f21.urdf --srdf nowhere.srdf"), 1, "nowhere.srdf");
}

static void meshes_that_do_not_collide_are_told_in_one_line(void **state)
{
  (void)state;
  testing_write("mesh.urdf",
                "<robot name='m'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
                "ixy='0' ixz='0' iyz='0'/></inertial>\n</link></robot>\n");
  testing_write("mesh.yaml",
                "models: [{file: mesh.urdf, base: floating, shapes: [{kind: mesh, link: a, file: foot.obj}]}]\n");
  testing_write("foot.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  assert_int_equal(sarrus("run mesh.yaml --duration 0"), 0);
  const char *line = strstr(command_err, "1 mesh for collision, on 'a': nothing of it collides");
  assert_non_null(line);
  assert_null(strstr(line + 20, "for collision"));
  assert_int_equal(sarrus("info mesh.yaml"), 0);
  assert_says(command_err, "1 mesh for collision, on 'a': nothing of it collides");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_robot_whose_links_overlap_stays_still),
      cmocka_unit_test(the_list_can_be_pasted_into_a_scene),
      cmocka_unit_test(the_list_as_srdf_can_be_read_back),
      cmocka_unit_test(the_list_as_json_has_every_pair_that_overlapped),
      cmocka_unit_test(wrong_use_is_told),
      cmocka_unit_test(meshes_that_do_not_collide_are_told_in_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
