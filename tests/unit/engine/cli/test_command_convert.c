// `sarrus convert IN OUT`: what it says and when it refuses.
#include "support/command.h"

static void a_robot_becomes_a_scene_and_a_robot_again(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("convert p.urdf p1.yaml --force"), 0);
  assert_string_equal(command_out, "p1.yaml: 1 links, 0 shapes; reads back as the same model to the bit\n");
  assert_string_equal(command_err, "");
  assert_int_equal(sarrus("convert p1.yaml p2.urdf --force"), 0);
  assert_says(command_out, "reads back as the same model to the bit");
  assert_says(command_err, "the scene's settings (gravity, time step,");
  assert_int_equal(sarrus("convert p2.urdf p3.yaml --force && cmp p1.yaml p3.yaml"), 0);
}

// A mesh in a folder of that name is found, and the name is written as it was.
static void an_ampersand_in_a_name_stays_one(void **state)
{
  (void)state;
  char line[2500];
  snprintf(line, sizeof line, "cd '%s' && mkdir -p 'R&D'", testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  testing_write("R&D/b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  testing_write("and.urdf", "<robot name='t'><link name='R&amp;D'><collision><geometry><mesh filename='R&amp;D/b.obj'/>"
                            "</geometry></collision></link></robot>\n");
  assert_int_equal(sarrus("convert and.urdf and2.urdf --force && grep -c 'R&amp;D' and2.urdf"), 0);
  assert_says(command_out, "1 shapes; reads back as the same model to the bit\n2\n");
}

// What has no effect here may matter elsewhere: one note names it.
static void what_a_model_does_not_hold_is_noted(void **state)
{
  (void)state;
  testing_write(
      "more.urdf",
      "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material><link name='a'><visual><geometry>"
      "<box size='1 1 1'/></geometry><material name='red'/></visual></link><link name='b'><inertial><mass "
      "value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
      "type='continuous'><parent link='a'/><child link='b'/><safety_controller k_velocity='1'/><calibration "
      "rising='0'/></joint><transmission name='t'><type>x</type></transmission></robot>");
  assert_int_equal(sarrus("convert more.urdf more2.urdf --force"), 0);
  assert_says(command_err, "sarrus: note: more.urdf: no part of the model, left out: <material> (2), "
                           "<safety_controller> (1), <calibration> (1), <transmission> (1)\n");
  assert_int_equal(sarrus("convert more2.urdf more3.urdf --force"), 0);
  assert_string_equal(command_err, "");
}

static void a_floating_base_is_noted(void **state)
{
  (void)state;
  testing_write("b.urdf", pendulum_on_base);
  assert_int_equal(sarrus("convert --base floating b.urdf b2.urdf --force"), 0);
  assert_says(command_out, "reads back as the same model to the bit");
  assert_says(command_err, "the base floats: a URDF does not say so, read it with a floating base");
}

// Meshes that collide keep their files, whichever folder the command runs in.
static void meshes_keep_their_files(void **state)
{
  (void)state;
  testing_write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  testing_write("t.urdf", "<robot name='t'><link name='b'><collision><geometry><mesh filename='t.obj'/></geometry>"
                          "</collision></link><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                          "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh filename='t.obj' "
                          "scale='2 2 2'/></geometry></collision></link><joint name='j' type='continuous'><parent "
                          "link='b'/><child link='a'/><axis xyz='0 0 1'/></joint></robot>\n");
  assert_int_equal(sarrus("convert t.urdf t1.yaml --force"), 0);
  assert_string_equal(command_out, "t1.yaml: 1 links, 2 shapes; reads back as the same model to the bit\n");
  assert_says(command_err, "sarrus: note: t.urdf:1: 1 mesh stands still and collides as terrain, by its triangles\n");
  assert_int_equal(sarrus("convert t1.yaml t2.urdf --force"), 0);
  assert_string_equal(command_out, "t2.urdf: 1 links, 2 shapes; reads back as the same model to the bit\n");
  assert_int_equal(sarrus("convert t2.urdf t3.yaml --force && cmp t1.yaml t3.yaml"), 0);
}

static void files_that_exist_stay(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("taken.yaml", "x");
  assert_refused(sarrus("convert --quiet p.urdf taken.yaml"), 1, "is there already");
  assert_refused(sarrus("convert --quiet p.urdf p.urdf"), 1, "is there already");
  char line[2500];
  snprintf(line, sizeof line, "cd '%s' && mkdir d.yaml && ln -sf taken.yaml link.yaml", testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  assert_refused(sarrus("convert --quiet p.urdf link.yaml"), 1, "is there already");
  assert_refused(sarrus("convert --quiet p.urdf d.yaml --force"), 1, "is no regular file");
  snprintf(line, sizeof line, "cd '%s' && test -L link.yaml && test \"$(cat taken.yaml)\" = x", testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  assert_int_equal(sarrus("convert --quiet p.urdf link.yaml --force && test -L link.yaml && grep -q links taken.yaml"),
                   0);
  assert_refused(sarrus("convert p.urdf p.xyz"), 1, "give the file one of these endings");
  assert_refused(sarrus("convert p.urdf"), 2, "OUT");
  assert_refused(sarrus("convert none.urdf o.yaml"), 1, "none.urdf");
  assert_int_equal(sarrus("convert --help"), 0);
  assert_says(command_out, "usage: sarrus convert IN OUT");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_robot_becomes_a_scene_and_a_robot_again),
      cmocka_unit_test(an_ampersand_in_a_name_stays_one),
      cmocka_unit_test(what_a_model_does_not_hold_is_noted),
      cmocka_unit_test(a_floating_base_is_noted),
      cmocka_unit_test(meshes_keep_their_files),
      cmocka_unit_test(files_that_exist_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
