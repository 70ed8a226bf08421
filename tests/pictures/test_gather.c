// What is gathered of a mechanism: shapes, sticks where none cover, rods, dots.
#include "pictures/drawing.h"
#include "tools/pictures/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static stage_frame gather(const char *scene_text, srs_scene **scene)
{
  srs_error error;
  srs_sim *sim = NULL;
  if (srs_scene_load(testing_write("scene.yaml", scene_text), NULL, scene, &error) != SRS_OK ||
      srs_scene_create_sim(*scene, NULL, &sim, &error) != SRS_OK)
    fail_msg("%s", error.message);
  const sketch_view front = sketch_look(0, 0);
  stage_frame frame = {.time = 0};
  assert_true(stage_gather(srs_sim_workspace(sim), &front, &frame));
  srs_sim_destroy(sim);
  return frame;
}

static void release(stage_frame *frame, srs_scene *scene)
{
  sketch_destroy(&frame->solids);
  free(frame->dots);
  free(frame->planes);
  free(frame->terrains);
  srs_scene_destroy(scene);
}

static int dots(const stage_frame *frame, stage_dot_kind kind)
{
  int n = 0;
  for (int i = 0; i < frame->n_dots; i++) n += frame->dots[i].kind == kind;
  return n;
}

#define LINKS      "models:\n  - name: m\n    base: fixed\n    links:\n"
#define LINK(name) "      - {name: " name ", mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}\n"
#define JOINTS     "    joints:\n"

static void a_chain_without_shapes_is_lines_between_joints(void **state)
{
  (void)state;
  srs_scene *scene;
  stage_frame frame = gather(
      LINKS LINK("a") LINK("b") JOINTS
      "      - {name: h1, kind: continuous, child: a, axis: [0, 1, 0], origin: {position: [0, 0, 3]}}\n"
      "      - {name: h2, kind: continuous, parent: a, child: b, axis: [0, 1, 0], origin: {position: [0, 0, -1]}}\n",
      &scene);
  assert_int_equal(paths_of(&frame.solids, SKETCH_STICK), 2);
  assert_int_equal(dots(&frame, STAGE_PIVOT), 1); // h1
  assert_int_equal(dots(&frame, STAGE_JOINT), 2); // h2, and the last link's end: its centre of mass
  const sketch_solid *first = &frame.solids.solids[0], *last = &frame.solids.solids[1];
  assert_true(first->high[1] == 3 && first->low[1] == 2 && first->owner == 0);
  assert_true(last->high[1] == 2 && last->low[1] == 1.5 && last->owner == 1);
  release(&frame, scene);
}

static void shapes_for_the_eye_stand_for_those_of_contact(void **state)
{
  (void)state;
  srs_scene *scene;
  stage_frame frame =
      gather(LINKS LINK("a") JOINTS "      - {name: h1, kind: continuous, child: a, axis: [0, 1, 0]}\n"
                                    "    shapes:\n"
                                    "      - {link: a, kind: sphere, radius: 1}\n"
                                    "      - {link: a, kind: box, size: [1, 1, 2], visual: true}\n"
                                    "environment:\n"
                                    "  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: -2}\n"
                                    "  - {name: block, shape: box, size: [1, 1, 1], position: [3, 0, 0]}\n",
             &scene);
  assert_int_equal(paths_of(&frame.solids, SKETCH_DISC), 0);
  assert_int_equal(paths_of(&frame.solids, SKETCH_OUTLINE), 2); // the box and the block
  assert_int_equal(paths_of(&frame.solids, SKETCH_STICK), 0);
  assert_int_equal(frame.n_planes, 1);
  assert_true(frame.planes[0].pose.position[1] == -2 && frame.planes[0].pose.rotation[5] == 1 &&
              frame.planes[0].solid == -1);
  assert_int_equal(frame.solids.n_solids, 2);
  assert_int_equal(frame.solids.solids[0].owner + frame.solids.solids[1].owner, 0 + STAGE_WORLD);
  assert_int_equal(dots(&frame, STAGE_JOINT), 1); // there is something on the world to hang on
  release(&frame, scene);
}

static void a_shape_far_from_its_joint_gets_a_line(void **state)
{
  (void)state;
  srs_scene *scene;
  stage_frame frame = gather(LINKS LINK("a") LINK("f") JOINTS
                             "      - {name: h1, kind: continuous, child: a, axis: [0, 1, 0]}\n"
                             "      - {name: h2, kind: free, child: f}\n"
                             "    shapes:\n"
                             "      - {link: a, kind: sphere, radius: 0.1, pose: {position: [0, 0, -1]}}\n"
                             "      - {link: f, kind: sphere, radius: 0.1, pose: {position: [2, 0, -1]}}\n",
                             &scene);
  assert_int_equal(paths_of(&frame.solids, SKETCH_STICK), 1); // a free body's origin is no place of its own
  const sketch_solid *stick = &frame.solids.solids[2];
  assert_true(stick->high[1] == 0 && fabs(stick->low[1] + 1) < 1e-12 && stick->owner == 0);
  release(&frame, scene);
}

static void rods_and_ends_of_closures_are_shown(void **state)
{
  (void)state;
  srs_scene *scene;
  stage_frame frame =
      gather(LINKS LINK("a") LINK("b") JOINTS
             "      - {name: h1, kind: continuous, child: a, axis: [0, 1, 0]}\n"
             "      - {name: h2, kind: continuous, child: b, axis: [0, 1, 0], origin: {position: [1, 0, 0]}}\n"
             "    closures:\n"
             "      - {name: rod, kind: rod, frame_a: a, frame_b: b, length: 1, pose_a: {position: [0, 0, 1]}, pose_b: "
             "{position: [0, 0, 1]}}\n",
             &scene);
  assert_int_equal(paths_of(&frame.solids, SKETCH_ROD), 1);
  assert_int_equal(paths_of(&frame.solids, SKETCH_STICK), 2);
  assert_int_equal(dots(&frame, STAGE_LOOP), 2);
  for (int i = 0; i < frame.n_dots; i++)
    if (frame.dots[i].kind == STAGE_LOOP) assert_true(fabs(frame.dots[i].at[1] - 1) < 1e-12);
  release(&frame, scene);
}

static void a_slide_shows_the_way_it_has_gone(void **state)
{
  (void)state;
  srs_scene *scene;
  stage_frame frame = gather(LINKS LINK("a") JOINTS "      - {name: h1, kind: prismatic, child: a, axis: [1, 0, 0]}\n"
                                                    "initial: {q: {h1: 0.75}}\n",
                             &scene);
  assert_int_equal(paths_of(&frame.solids, SKETCH_ROD), 1);
  const sketch_solid *way = &frame.solids.solids[0];
  assert_true(way->low[0] == 0 && way->high[0] == 0.75 && way->owner == STAGE_CLOSURE);
  release(&frame, scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_without_shapes_is_lines_between_joints),
      cmocka_unit_test(shapes_for_the_eye_stand_for_those_of_contact),
      cmocka_unit_test(a_shape_far_from_its_joint_gets_a_line),
      cmocka_unit_test(rods_and_ends_of_closures_are_shown),
      cmocka_unit_test(a_slide_shows_the_way_it_has_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
