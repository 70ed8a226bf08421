// `sarrus eval … contacts`, and what `sarrus info` tells about shapes.
#include "support/command.h"

// A cube of 0.2 m standing 1 mm deep in a floor, turned about z.
#define CUBE                                                                                                           \
  "models:\n"                                                                                                          \
  "- base: floating\n"                                                                                                 \
  "  position: [1, 2, 0.199]\n"                                                                                        \
  "  rotation: {rpy: [0, 0, 0.5]}\n"                                                                                   \
  "  links: [{name: cube, mass: 1, inertia: [1, 1, 1]}]\n"                                                             \
  "  shapes: [{kind: box, link: cube, size: [0.2, 0.2, 0.2]}]\n"                                                       \
  "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0.1}]\n"

// F21: a base fixed to the world and an arm on a joint whose boxes overlap by 10 mm.
#define ARM                                                                                                            \
  "models:\n"                                                                                                          \
  "- links: [{name: base}, {name: arm, mass: 1, inertia: [1, 1, 1]}]\n"                                                \
  "  joints: [{name: h, kind: revolute, parent: base, child: arm}]\n"                                                  \
  "  shapes:\n"                                                                                                        \
  "  - {name: foot, kind: box, link: base, size: [0.2, 0.2, 0.2]}\n"                                                   \
  "  - {kind: box, link: arm, size: [0.1, 0.1, 0.4], pose: {position: [0, 0, 0.29]}}\n"

static void contacts_are_listed_with_names_points_and_gaps(void **state)
{
  (void)state;
  testing_write("cube.yaml", CUBE);
  assert_int_equal(sarrus("eval cube.yaml contacts"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/quantity"), "contacts");
  assert_int_equal(testing_json_count(json, "/value"), 4);
  for (int i = 0; i < 4; i++) {
    char path[64];
    double normal[3], a[3], b[3];
    snprintf(path, sizeof path, "/value/%d/normal", i);
    testing_json_numbers(json, path, normal, 3);
    testing_assert_close("normal", normal, (double[3]){0, 0, 1}, 3, 1e-15);
    snprintf(path, sizeof path, "/value/%d/gap", i);
    assert_true(testing_json_number(json, path) + 0.001 < 1e-16 && testing_json_number(json, path) + 0.001 > -1e-16);
    snprintf(path, sizeof path, "/value/%d/point_a", i);
    testing_json_numbers(json, path, a, 3);
    snprintf(path, sizeof path, "/value/%d/point_b", i);
    testing_json_numbers(json, path, b, 3);
    const double square = (a[0] - 1) * (a[0] - 1) + (a[1] - 2) * (a[1] - 2);
    assert_true(square > 0.02 - 1e-14 && square < 0.02 + 1e-14); // at the corners
    assert_true(a[2] > 0.099 - 1e-15 && a[2] < 0.099 + 1e-15 && b[2] > 0.1 - 1e-15 && b[2] < 0.1 + 1e-15);
  }
  assert_string_equal(testing_json_text(json, "/value/0/link_a"), "cube");
  assert_string_equal(testing_json_text(json, "/value/0/shape_b"), "floor");
  assert_says(command_out, "\"shape_a\": null");
  assert_says(command_out, "\"link_b\": null");
  testing_json_free(json);
}

static void the_margin_says_how_far_ahead_contacts_are_seen(void **state)
{
  (void)state;
  testing_write("cube.yaml", CUBE);
  assert_int_equal(sarrus("eval cube.yaml contacts --q 0,0,0.25,1,0,0,0"), 0);
  testing_json *json = command_json();
  assert_int_equal(testing_json_count(json, "/value"), 0);
  testing_json_free(json);
  assert_int_equal(sarrus("eval cube.yaml contacts --q 0,0,0.25,1,0,0,0 --margin 0.051"), 0);
  json = command_json();
  assert_int_equal(testing_json_count(json, "/value"), 4);
  testing_json_free(json);
  assert_refused(sarrus("eval cube.yaml contacts --margin -1"), 2, "--margin");
  assert_int_equal(sarrus("eval cube.yaml energy --margin 1"), 0);
  assert_says(command_err, "--margin has no effect on energy");
  assert_int_equal(sarrus("eval --help"), 0);
  assert_says(command_out, "contacts");
}

static void many_contacts_are_all_listed(void **state)
{
  (void)state;
  char *text = calloc(1, 60000);
  assert_non_null(text);
  size_t length = (size_t)sprintf(text, "models:\n");
  for (int i = 0; i < 40; i++)
    length +=
        (size_t)sprintf(text + length,
                        "- {name: m%d, base: floating, position: [%d, 0, 0.1], links: [{name: l, mass: 1, inertia: "
                        "[1, 1, 1]}],\n   shapes: [{kind: box, link: l, size: [0.2, 0.2, 0.2]}]}\n",
                        i, i);
  sprintf(text + length, "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0.001}]\n");
  testing_write("many.yaml", text);
  free(text);
  assert_int_equal(sarrus("eval many.yaml contacts --quiet > many.json; grep -c shape_b many.json"), 0);
  assert_string_equal(command_out, "160\n");
}

static void what_cannot_meet_is_refused_by_name(void **state)
{
  (void)state;
  testing_write("egg.yaml", "models:\n"
                            "- base: floating\n"
                            "  links: [{name: cube, mass: 1, inertia: [1, 1, 1]}]\n"
                            "  shapes: [{kind: box, link: cube, size: [0.2, 0.2, 0.2]}]\n"
                            "environment: [{name: egg, shape: paraboloid, radii: [1, 2], height: 3}]\n");
  assert_refused(sarrus("eval egg.yaml contacts"), 1, "'egg' (paraboloid)");
  assert_int_equal(sarrus("info egg.yaml"), 0); // the rest can be shown
  assert_says(command_out, "no collision: shapes box of 'cube' (box) and 'egg' (paraboloid) cannot collide");
  assert_int_equal(sarrus("info egg.yaml --json"), 0);
  testing_json *json = command_json();
  assert_non_null(strstr(testing_json_text(json, "/collision_problem"), "cannot collide"));
  assert_says(command_out, "\"n_pairs\": null");
  testing_json_free(json);
}

static void overlaps_at_the_start_are_listed_in_mm(void **state)
{
  (void)state;
  testing_write("cube.yaml", CUBE);
  assert_int_equal(sarrus("info cube.yaml"), 0);
  assert_says(command_out, "shapes: 2 shapes; 1 pair may collide");
  assert_says(command_out, "1 overlap at the start\n  box of 'cube' and 'floor': 1 mm\n");
  testing_write("arm.yaml", ARM);
  assert_int_equal(sarrus("info arm.yaml"), 0);
  assert_says(command_out, "shapes: 2 shapes; 0 pairs may collide");
  assert_says(command_out, "  'foot' and box of 'arm': 10 mm (parent and child: they do not collide)\n");
  testing_write("arm.yaml", ARM "collision: {parent_child: true}\n");
  assert_int_equal(sarrus("info arm.yaml"), 0);
  assert_says(command_out, "shapes: 2 shapes; 1 pair may collide");
  assert_says(command_out, "  'foot' and box of 'arm': 10 mm\n");
  assert_int_equal(sarrus("info arm.yaml --json"), 0);
  testing_json *json = command_json();
  assert_true(testing_json_number(json, "/n_pairs") == 1);
  assert_int_equal(testing_json_count(json, "/overlaps"), 1);
  assert_string_equal(testing_json_text(json, "/overlaps/0/shapes/0"), "'foot'");
  assert_string_equal(testing_json_text(json, "/overlaps/0/filter"), "none");
  const double depth = testing_json_number(json, "/overlaps/0/depth");
  assert_true(depth > 0.01 - 1e-15 && depth < 0.01 + 1e-15);
  testing_json_free(json);
}

static void meshes_and_shapes_for_the_eye_are_counted_apart(void **state)
{
  (void)state;
  testing_write("m.urdf", "<robot name='m'><link name='a'>"
                          "<collision><geometry><mesh filename='a.stl'/></geometry></collision>"
                          "<visual><geometry><sphere radius='1'/></geometry></visual></link></robot>\n");
  assert_int_equal(sarrus("info m.urdf"), 0);
  assert_says(command_out, "shapes: 2 shapes, 1 visual only, 1 mesh that does not collide; 0 pairs may collide");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_listed_with_names_points_and_gaps),
      cmocka_unit_test(the_margin_says_how_far_ahead_contacts_are_seen),
      cmocka_unit_test(many_contacts_are_all_listed),
      cmocka_unit_test(what_cannot_meet_is_refused_by_name),
      cmocka_unit_test(overlaps_at_the_start_are_listed_in_mm),
      cmocka_unit_test(meshes_and_shapes_for_the_eye_are_counted_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
