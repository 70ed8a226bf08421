// Meshes that collide by their parts, their hull or their triangles: they move as the solids that they are, and
// mistakes are told.
#include "support/testing.h"
#include "topology/mesh/mesh_pieces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two boxes that meet in a corner of an L: 0.4 x 0.1 x 0.1 along x, and 0.1 x 0.1 x 0.3 that stands on its left end.
#define FACES "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\nf -8 -4 -2 -6\nf -7 -5 -1 -3\n"
static const char l_shape[] =
    "o foot\nv -0.2 -0.05 -0.05\nv 0.2 -0.05 -0.05\nv -0.2 0.05 -0.05\nv 0.2 0.05 -0.05\nv -0.2 -0.05 0.05\n"
    "v 0.2 -0.05 0.05\nv -0.2 0.05 0.05\nv 0.2 0.05 0.05\n" FACES
    "o leg\nv -0.2 -0.05 0.05\nv -0.1 -0.05 0.05\nv -0.2 0.05 0.05\nv -0.1 0.05 0.05\nv -0.2 -0.05 0.35\n"
    "v -0.1 -0.05 0.35\nv -0.2 0.05 0.35\nv -0.1 0.05 0.35\n" FACES;

#define BY_MESH "[{kind: mesh, link: l, file: l.obj, collide: parts, name: skin}]"
#define BY_BOXES                                                                                                       \
  "[{kind: box, link: l, size: [0.4, 0.1, 0.1]},"                                                                      \
  " {kind: box, link: l, size: [0.1, 0.1, 0.3], pose: {position: [-0.15, 0, 0.2]}}]"

static srs_status load(const char *shapes, const char *rest, srs_scene **scene, srs_error *error)
{
  char text[2048];
  snprintf(text, sizeof text,
           "models:\n- {name: l, base: floating, position: [0, 0, 0.3], rotation: {rpy: [0.3, 0.4, 0.1]},\n"
           "   links: [{name: l, mass: 1, com: [-0.05, 0, 0.07], inertia: [0.01, 0.012, 0.009]}],\n   shapes: %s}\n"
           "environment: [{name: table, shape: box, size: [1, 1, 0.2], position: [0, 0, -0.1]}]\n"
           "dt: 0.001\nduration: 1\n%s",
           shapes, rest);
  *error = (srs_error){0};
  return srs_scene_load(testing_write("scene.yaml", text), NULL, scene, error);
}

static int run(const char *shapes, const char *rest, double q[7])
{
  srs_scene *scene;
  srs_sim *sim = NULL;
  srs_error error;
  char line[1024];
  if (load(shapes, rest, &scene, &error) != SRS_OK) fail_msg("%s", srs_error_format(&error, line, sizeof line));
  const int n_shapes = srs_model_n_shapes(srs_scene_model(scene));
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  if (srs_sim_step(sim, 1000, &error) != SRS_OK) fail_msg("%s", error.message);
  memcpy(q, srs_sim_q(sim), 7 * sizeof *q);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return n_shapes;
}

static void an_l_of_one_file_moves_as_two_boxes(void **state)
{
  (void)state;
  static const char *const ways[] = {"", "collision: {distance: ratio-metric}\n"};
  testing_write("l.obj", l_shape);
  for (int i = 0; i < 2; i++) {
    double by_mesh[7], by_boxes[7];
    assert_int_equal(run(BY_MESH, ways[i], by_mesh), 4); // the mesh itself for the eye, two hulls, the table
    assert_int_equal(run(BY_BOXES, ways[i], by_boxes), 3);
    assert_true(by_boxes[2] < 0.2); // it has fallen onto the table
    for (int k = 0; k < 7; k++)
      if (!(fabs(by_mesh[k] - by_boxes[k]) < 1e-10)) // rounding, grown by landings
        fail_msg("way %d: q %d is %.17g, of boxes %.17g", i, k, by_mesh[k], by_boxes[k]);
  }
}

static void a_cube_of_a_file_rests_as_surface_and_as_hull(void **state)
{
  (void)state;
  static const char *const shapes[] = {"[{kind: mesh, link: l, file: c.obj, collide: surface, size: [0.2, 0.2, 0.2]}]",
                                       "[{kind: mesh, link: l, file: c.obj, collide: surface, size: [0.2, 0.2, -0.2]}]",
                                       "[{kind: mesh, link: l, file: c.obj, collide: hull, size: [0.2, 0.2, 0.2]}]"};
  testing_write("c.obj", "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n" FACES);
  for (int i = 0; i < 3; i++) {
    double q[7];
    assert_int_equal(run(shapes[i], "", q), 3); // the mesh for the eye, what collides, the table
    assert_true(fabs(q[2] - 0.2) < 1e-6);       // on a face
  }
}

static void mistakes_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *shapes;
    srs_status status;
    int line;
    const char *file, *words;
  } cases[] = {
      {"[{kind: mesh, link: l, file: l.obj, collide: part}]", SRS_ERROR_NAME, 4, "scene.yaml", "not 'part'"},
      {"[{kind: mesh, link: l, file: l.obj, collide: parts, visual: true}]", SRS_ERROR_SYNTAX, 4, "scene.yaml",
       "leave out one"},
      {"[{kind: mesh, link: l, file: none.obj, collide: parts}]", SRS_ERROR_FILE, 4, "scene.yaml",
       "'none.obj' was not found; looked for"},
      {"[{kind: sphere, link: l, radius: 1, collide: parts}]", SRS_ERROR_SYNTAX, 4, "scene.yaml",
       "'collide' belongs to meshes only"},
      {"[{kind: mesh, link: l, file: bad.obj, collide: parts}]", SRS_ERROR_SYNTAX, 2, "bad.obj", "three finite"},
      {"[{kind: mesh, link: l, file: dent.obj, collide: parts}]", SRS_ERROR_MODEL, 7, "dent.obj", "deepest dent"},
  };
  testing_write("l.obj", l_shape);
  testing_write("bad.obj", "\nv 1 2\n");
  testing_write("dent.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 2 3\nf 1 2 5\nf 1 3 4\nf 4 2 5\n"
                            "f 1 4 5\nf 2 3 4\n");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_scene *scene = NULL;
    srs_error error;
    const srs_status status = load(cases[i].shapes, "", &scene, &error);
    if (status != cases[i].status || error.line != cases[i].line || strstr(error.message, cases[i].words) == NULL ||
        strstr(error.file, cases[i].file) == NULL)
      fail_msg("%s: %d at %s:%d: %s", cases[i].shapes, status, error.file, error.line, error.message);
    assert_null(strchr(error.message, '\n'));
  }
}

static void names_of_a_mesh_stand_for_all_of_its_parts(void **state)
{
  (void)state;
  double q[7];
  testing_write("l.obj", l_shape);
  run(BY_MESH, "collision: {exclude: [[skin, table]]}\n", q);
  assert_true(q[2] < -4); // fallen freely through it
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_l_of_one_file_moves_as_two_boxes),
      cmocka_unit_test(a_cube_of_a_file_rests_as_surface_and_as_hull),
      cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(names_of_a_mesh_stand_for_all_of_its_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
