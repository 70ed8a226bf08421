// What collision finds in arrangements from the field: many bodies, thin and fast ones, narrow play, a chain.
#include "support/bodies.h"

// F63: 30 x 30 cubes on a plane.
static void nine_hundred_cubes_on_a_plane_all_touch(void **state)
{
  (void)state;
  enum { SIDE = 30, CUBES = SIDE * SIDE };
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < CUBES; i++) {
    char name[16];
    snprintf(name, sizeof name, "cube%d", i);
    bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
    const srs_shape_def cube = bodies_shape(SRS_SHAPE_BOX, NULL, name, 0.1, 0.1, 0.1);
    bodies_add_shape(builder, &cube);
  }
  const srs_shape_def plane = bodies_shape(SRS_SHAPE_HALF_SPACE, "plane", NULL, 0, 0, 0);
  bodies_add_shape(builder, &plane);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  static srs_pose links[CUBES];
  for (int i = 0; i < CUBES; i++) {
    const int row = i / SIDE, column = i % SIDE;
    links[i] = bodies_at(0.15 * column, 0.15 * row, 0.05);
  }
  int n;
  srs_contact_point *contacts = bodies_contacts(collider, links, 0, &n);
  assert_int_equal(n, 4 * CUBES);
  for (int i = 0; i < n; i++) {
    assert_int_equal(contacts[i].shape_a, i / 4);
    assert_int_equal(contacts[i].shape_b, CUBES);
    assert_true(fabs(contacts[i].gap) < 1e-16 && contacts[i].normal[2] == 1);
  }
  free(contacts);
  srs_contact_point few[100];
  srs_error error;
  assert_int_equal(srs_collider_contacts(collider, links, 0, few, 100, &n, &error), SRS_ERROR_CAPACITY);
  assert_int_equal(n, 4 * CUBES); // the needed size
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// F66: a ball of 10 mm moves 50 mm in a step towards a plate of 10 mm; asked ahead with that margin it is seen.
static void a_fast_ball_is_seen_before_a_thin_plate(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "ball", SRS_JOINT_FREE, NULL);
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, NULL, "ball", 0.01, 0, 0);
  const srs_shape_def plate = bodies_shape(SRS_SHAPE_BOX, "plate", NULL, 1, 1, 0.01);
  bodies_add_shape(builder, &ball);
  bodies_add_shape(builder, &plate);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  for (int k = 0; k < 50; k++) { // wherever the step begins
    const double gap = 0.001 * k;
    const srs_pose links[1] = {bodies_at(0.1, 0.2, 0.005 + 0.01 + gap)};
    srs_contact_point contact;
    int n;
    assert_int_equal(srs_collider_contacts(collider, links, 0.05, &contact, 1, &n, NULL), SRS_OK);
    assert_int_equal(n, 1);
    // A few roundings of 0.065.
    assert_true(fabs(contact.normal[2] - 1) < 1e-15 && fabs(contact.gap - gap) < 1e-16 * 10 && contact.link_b == -1);
  }
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// F69: a peg of radius 9.5 mm in a hole of radius 10 mm that 16 boxes form.
static void a_peg_in_a_hole_of_wedges_keeps_its_play(void **state)
{
  (void)state;
  enum { WEDGES = 16 };
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "peg", SRS_JOINT_FREE, NULL);
  const srs_shape_def peg = bodies_shape(SRS_SHAPE_CYLINDER, NULL, "peg", 0.0095, 0.04, 0);
  bodies_add_shape(builder, &peg);
  for (int k = 0; k < WEDGES; k++) {
    const double angle = 2 * M_PI * k / WEDGES;
    srs_shape_def wedge = bodies_shape(SRS_SHAPE_BOX, NULL, NULL, 0.01, 0.005, 0.05);
    wedge.pose = bodies_at(0.015 * cos(angle), 0.015 * sin(angle), 0);
    srs_rotation_from_rpy((double[3]){0, 0, angle}, wedge.pose.rotation);
    bodies_add_shape(builder, &wedge);
  }
  const srs_shape_def bottom = bodies_shape(SRS_SHAPE_BOX, "bottom", NULL, 0.05, 0.05, 0.01);
  srs_shape_def low = bottom;
  low.pose.position[2] = -0.03;
  bodies_add_shape(builder, &low);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  const srs_pose resting[1] = {bodies_at(0, 0, -0.005)};
  int n;
  srs_contact_point *contacts = bodies_contacts(collider, resting, 1e-9, &n);
  assert_true(n >= 3); // stands on the bottom, touches no wedge
  for (int i = 0; i < n; i++) {
    assert_string_equal(srs_model_shape(model, contacts[i].shape_b)->name, "bottom");
    assert_true(fabs(contacts[i].gap) < 1e-9);
  }
  free(contacts);
  contacts = bodies_contacts(collider, resting, 0.0006, &n);
  int seen[WEDGES + 2] = {0};
  for (int i = 0; i < n; i++) {
    const srs_contact_point *c = &contacts[i];
    if (c->shape_b > WEDGES) continue;
    seen[c->shape_b]++;
    assert_true(fabs(c->gap - 0.0005) < 1e-7 * 0.01 && fabs(c->normal[2]) < 1e-6);
  }
  for (int k = 1; k <= WEDGES; k++) assert_true(seen[k] > 0);
  free(contacts);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// The chain of the main experiment: spheres at 1 m distance, a floor and a wall.
static void a_chain_meets_floor_wall_and_itself(void **state)
{
  (void)state;
  enum { LINKS = 12 };
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "base", SRS_JOINT_FIXED, NULL);
  char parent[16] = "base";
  for (int k = 0; k < LINKS; k++) {
    char name[16];
    snprintf(name, sizeof name, "link%d", k);
    bodies_add_link(builder, name, SRS_JOINT_REVOLUTE, parent);
    srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, NULL, name, 0.25, 0, 0);
    ball.pose.position[2] = -1;
    bodies_add_shape(builder, &ball);
    memcpy(parent, name, sizeof parent);
  }
  srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, "floor", NULL, 0, 0, 0);
  floor.pose.position[2] = 0.1;
  srs_shape_def wall = bodies_shape(SRS_SHAPE_HALF_SPACE, "wall", NULL, 0, 0, 0);
  wall.pose.position[1] = 4;
  srs_rotation_from_rpy((double[3]){M_PI / 2, 0, 0}, wall.pose.rotation); // z of its frame is -y
  bodies_add_shape(builder, &floor);
  bodies_add_shape(builder, &wall);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  assert_int_equal(srs_collider_n_pairs(collider), 66 - 11 + 2 * LINKS);
  // Hanging from 10.1 m, the last three below the floor.
  srs_pose links[LINKS];
  for (int k = 0; k < LINKS; k++) links[k] = bodies_at(0, 0, 10.1 - k);
  int n;
  srs_contact_point *contacts = bodies_contacts(collider, links, 0, &n);
  assert_int_equal(n, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(contacts[i].link_a, 9 + i);
    assert_int_equal(contacts[i].link_b, -1);
    assert_true(fabs(contacts[i].gap + 0.25 + i) < 1e-14 && contacts[i].normal[2] == 1);
  }
  free(contacts);
  // Standing out at 60 degrees to the wall, folded so that spheres 0 and 2 overlap by 0.1 m.
  for (int k = 0; k < LINKS; k++) links[k] = bodies_at(0, 3.9 - k, 8);
  links[2] = bodies_at(0, 3.9 - 0.4, 8);
  contacts = bodies_contacts(collider, links, 0, &n);
  // The first two are at y = 3.9 and 3.5 (third), 2.9 and on.
  assert_int_equal(n, 2);
  assert_true(contacts[0].link_a == 0 && contacts[0].link_b == 2 && fabs(contacts[0].gap + 0.1) < 1e-14);
  assert_true(fabs(contacts[0].normal[1] - 1) < 1e-15);
  assert_true(contacts[1].link_a == 0 && contacts[1].link_b == -1 && fabs(contacts[1].gap + 0.15) < 1e-14);
  assert_true(fabs(contacts[1].normal[1] + 1) < 1e-15);
  free(contacts);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nine_hundred_cubes_on_a_plane_all_touch),
      cmocka_unit_test(a_fast_ball_is_seen_before_a_thin_plate),
      cmocka_unit_test(a_peg_in_a_hole_of_wedges_keeps_its_play),
      cmocka_unit_test(a_chain_meets_floor_wall_and_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
