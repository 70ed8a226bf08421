// Scenes with closures and couplings: what is read, where it stands, and every mistake at its place.

#include "support/scene_cases.h"

#include <math.h>
#include <stdlib.h>

#define TWO                                                                                                            \
  "models:\n- links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"               \
  "  joints: [{name: ha, kind: revolute, child: a}, {name: hb, kind: revolute, child: b}]\n"

#define CRANK                                                                                                          \
  "models:\n- links: [{name: a, mass: 1}, {name: b, mass: 1}]\n"                                                       \
  "  joints: [{name: crank, kind: prismatic, child: a}, {name: slide, kind: prismatic, child: b}]\n"

static srs_scene *loaded(const char *text)
{
  srs_scene *scene = NULL;
  srs_error error;
  if (load_text(text, &scene, &error) != SRS_OK) fail_msg("%s\n%d: %s", text, error.line, error.message);
  return scene;
}

static void every_kind_of_closure_is_read(void **state)
{
  (void)state;
  srs_scene *scene = loaded(
      "models:\n- name: m\n  position: [0, 0, 2]\n  links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, "
      "inertia: [1, 1, 1]}]\n"
      "  joints: [{name: ha, kind: free, child: a}, {name: hb, kind: free, child: b}]\n"
      "  frames: [{name: tip, link: a, pose: {position: [1, 0, 0]}}]\n"
      "  closures:\n"
      "  - {name: c0, kind: point, frame_a: tip, frame_b: b, pose_a: {position: [0, 1, 0]}}\n"
      "  - {name: c1, kind: revolute, frame_b: b, axis: [0, 2, 0], pose_a: {position: [0, 0, 1]}}\n"
      "  - {name: c2, kind: weld, frame_a: a, frame_b: b}\n"
      "  - {name: c3, kind: prismatic, frame_a: a, frame_b: b, axis: [1, 0, 0]}\n"
      "  - {name: c4, kind: rod, frame_a: a, frame_b: b, length: 0.5, motion: {sine: {amplitude: 0.1, frequency: 2}}}\n"
      "  - {name: c5, kind: planar, frame_a: a, frame_b: b, axis: [0, 0, 1]}\n"
      "  - {name: c6, kind: universal, frame_a: a, frame_b: b, axis: [0, 0, 1], axis2: [1, 0, 0]}\n"
      "  - {name: c7, kind: rows, frame_a: a, frame_b: b, rows: [wz, x, z], motion: {table: [[0, 0], [1, 2]]}, "
      "motion_row: 2}\n");
  const srs_model *model = srs_scene_model(scene);
  static const int rows[8] = {3, 5, 6, 5, 1, 3, 4, 3};
  assert_int_equal(srs_model_n_closures(model), 8);
  assert_int_equal(srs_model_n_loop_rows(model), 30);
  for (int i = 0; i < 8; i++) {
    const srs_closure *closure = srs_model_closure(model, i);
    assert_int_equal(closure->kind, i);
    assert_int_equal(closure->n_rows, rows[i]);
    assert_int_equal(srs_model_loop_rows(model, i), rows[i]);
  }
  const srs_closure *c0 = srs_model_closure(model, 0), *c1 = srs_model_closure(model, 1);
  assert_true(c0->pose[0].position[0] == 1 && c0->pose[0].position[1] == 1); // the frame's place, then its own
  assert_int_equal(c1->link[0], -1);
  assert_true(c1->pose[0].position[2] == 3); // on the world as seen from the model
  assert_true(c1->pose[1].rotation[5] == 1); // turned: z along y
  assert_int_equal(srs_model_closure(model, 7)->rows, 0x2c);
  assert_int_equal(srs_model_closure(model, 7)->motion_row, 2);
  double rate;
  assert_true(srs_motion_at(&srs_model_closure(model, 7)->motion, 0.25, &rate) == 0.5 && rate == 2);
  assert_true(fabs(srs_motion_at(&srs_model_closure(model, 4)->motion, 0.5, &rate) - 0.1 * sin(1)) < 1e-16);
  assert_int_equal(srs_model_find_loop(model, "c6"), 6);
  assert_int_equal(srs_model_find_loop(model, "c9"), -1);
  srs_scene_destroy(scene);
}

static void couplings_are_read_leaders_first(void **state)
{
  (void)state;
  srs_scene *scene = loaded("models:\n- links: [{name: a, mass: 1}, {name: b, mass: 1}, {name: c, mass: 1}]\n"
                            "  joints:\n"
                            "  - {name: ha, kind: prismatic, child: a}\n"
                            "  - {name: hb, kind: prismatic, child: b}\n"
                            "  - {name: hc, kind: prismatic, child: c}\n"
                            "  couplings:\n"
                            "  - {follower: hc, leader: hb, coefficients: [1, 0, 0.5]}\n"
                            "  - {name: gear, follower: hb, leader: ha, ratio: -2, offset: 3}\n"
                            "couplings: [{follower: ha, motion: {rate: 4, start: 1}}]\n");
  const srs_model *model = srs_scene_model(scene);
  assert_int_equal(srs_model_n_couplings(model), 3);
  const char *const names[3] = {"ha", "gear", "hc"};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(srs_model_loop_name(model, i), names[i]);
    assert_int_equal(srs_model_coupling(model, i)->follower_q, i);
    assert_int_equal(srs_model_coupling(model, i)->leader_q, i - 1);
  }
  assert_true(srs_model_coupling(model, 1)->coefficients[0] == 3 &&
              srs_model_coupling(model, 1)->coefficients[1] == -2);
  assert_true(srs_model_coupling(model, 2)->coefficients[1] == 0 &&
              srs_model_coupling(model, 2)->coefficients[2] == 0.5);
  srs_scene_destroy(scene);
}

static void scenes_join_models_by_their_names(void **state)
{
  (void)state;
  srs_scene *scene = loaded("models:\n- {file: one.urdf, name: p}\n- {file: one.urdf, name: q, position: [1, 0, 0]}\n"
                            "closures: [{name: bar, kind: rod, frame_a: p/l, frame_b: q/l, length: 1}]\n"
                            "couplings: [{name: same, follower: q/h, leader: p/h}]\n");
  assert_int_equal(srs_model_n_loops(srs_scene_model(scene)), 2);
  assert_string_equal(srs_model_loop_name(srs_scene_model(scene), 1), "same");
  srs_scene_destroy(scene);
}

static void mistakes_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    srs_status status;
    int line, column;
    const char *words;
  } cases[] = {
      {TWO "  closures: {}\n", SRS_ERROR_SYNTAX, 4, 13, "closures must be a list"},
      {TWO "  closures: [5]\n", SRS_ERROR_SYNTAX, 4, 14, "a closure must be a map"},
      {TWO "  closures: [{kind: point}]\n", SRS_ERROR_SYNTAX, 4, 14, "a closure needs the key 'name'"},
      {TWO "  closures: [{name: c}]\n", SRS_ERROR_SYNTAX, 4, 14, "closure 'c': a closure needs the key 'kind'"},
      {TWO "  closures: [{name: c, kind: pont}]\n", SRS_ERROR_NAME, 4, 30, "did you mean 'point'?"},
      {TWO "  closures: [{name: c, kind: point, from: a}]\n", SRS_ERROR_NAME, 4, 37, "unknown key 'from'"},
      {TWO "  closures: [{name: c, kind: point, axis: [1, 0, 0]}]\n", SRS_ERROR_SYNTAX, 4, 37,
       "a point closure has no 'axis'"},
      {TWO "  closures: [{name: c, kind: revolute, frame_b: b}]\n", SRS_ERROR_SYNTAX, 4, 14, "needs the key 'axis'"},
      {TWO "  closures: [{name: c, kind: rod, frame_b: b}]\n", SRS_ERROR_SYNTAX, 4, 14, "needs the key 'length'"},
      {TWO "  closures: [{name: c, kind: rod, frame_b: b, length: 0}]\n", SRS_ERROR_MODEL, 4, 14,
       "a rod needs a length above 0 m"},
      {TWO "  closures: [{name: c, kind: rows, frame_b: b, rows: [q]}]\n", SRS_ERROR_SYNTAX, 4, 55, "wx wy wz"},
      {TWO "  closures: [{name: c, kind: rows, frame_b: b, rows: []}]\n", SRS_ERROR_SYNTAX, 4, 54,
       "name some of wx wy wz"},
      {TWO "  closures: [{name: c, kind: rows, frame_b: b, rows: [x, y, x]}]\n", SRS_ERROR_SYNTAX, 4, 61,
       "named twice"},
      {TWO "  closures: [{name: c, kind: revolute, frame_b: b, axis: [0, 0, 0]}]\n", SRS_ERROR_MODEL, 4, 14,
       "an axis is zero"},
      {TWO "  closures: [{name: c, kind: point, frame_a: a, frame_b: z}]\n", SRS_ERROR_NAME, 4, 14,
       "closure 'c': no link or frame is named 'z'"},
      {TWO "  closures: [{name: c, kind: point, frame_a: a, frame_b: a}]\n", SRS_ERROR_MODEL, 4, 14,
       "holds a to a, which are one body"},
      {TWO "  closures: [{name: c, kind: point}]\n", SRS_ERROR_MODEL, 4, 14, "neither moves"},
      {TWO "  closures:\n  - {name: c, kind: point, frame_b: a}\n  - {name: c, kind: point, frame_b: b}\n",
       SRS_ERROR_NAME, 6, 5, "two closures or couplings are named 'c'"},
      {TWO "  closures: [{name: c, kind: point, frame_b: b, motion_row: 1}]\n", SRS_ERROR_SYNTAX, 4, 61,
       "for a closure with a motion"},
      {TWO "  closures: [{name: c, kind: point, frame_b: b, motion: {rate: 1}, motion_row: 3}]\n", SRS_ERROR_ARGUMENT,
       4, 14, "its rows are 0 to 2"},
      {TWO "  closures: [{name: c, kind: point, frame_b: b, motion: {}}]\n", SRS_ERROR_SYNTAX, 4, 57,
       "one of 'rate', 'sine' and 'table'"},
      {TWO "  closures: [{name: c, kind: point, frame_b: b, motion: {table: [[0, 0]]}}]\n", SRS_ERROR_ARGUMENT, 4, 14,
       "needs 2 points"},
      {TWO "  closures: [{name: c, kind: point, frame_b: b, motion: {table: [[1, 0], [0, 0]]}}]\n", SRS_ERROR_ARGUMENT,
       4, 14, "must rise"},
      {TWO "  closures: [{name: c, kind: point, frame_b: b, motion: {sine: {amplitude: 1}}}]\n", SRS_ERROR_SYNTAX, 4,
       64, "needs 'amplitude' and 'frequency'"},
      {TWO "  couplings: [{leader: ha}]\n", SRS_ERROR_SYNTAX, 4, 15, "needs the key 'follower'"},
      {TWO "  couplings: [{follower: ha}]\n", SRS_ERROR_ARGUMENT, 4, 15, "follows neither a coordinate nor a motion"},
      {TWO "  couplings: [{follower: ha, leader: hx}]\n", SRS_ERROR_NAME, 4, 15, "'hx': no joint or coordinate"},
      {TWO "  couplings: [{follower: ha, leader: hb, ratio: 1, coefficients: [1]}]\n", SRS_ERROR_SYNTAX, 4, 66,
       "either 'coefficients' or"},
      {TWO "  couplings: [{follower: ha, leader: hb, coefficients: [1, 2, 3, 4, 5, 6]}]\n", SRS_ERROR_SYNTAX, 4, 56,
       "1 to 5 numbers"},
      {TWO "  couplings: [{follower: ha, leader: ha}]\n", SRS_ERROR_MODEL, 4, 15, "form a cycle: 'ha' follows 'ha'"},
      {TWO "  couplings: [{follower: ha, leader: hb}, {follower: hb, leader: ha}]\n", SRS_ERROR_MODEL, 4, -1,
       "'ha' follows 'hb', 'hb' follows 'ha'"},
      {TWO "  couplings: [{follower: ha, leader: hb}, {name: x, follower: ha, leader: hb}]\n", SRS_ERROR_MODEL, 4, 43,
       "both say what 'ha' follows"},
      {TWO "  couplings: [{follower: ha, leader: hb}, {follower: ha, leader: hb}]\n", SRS_ERROR_MODEL, 4, 43,
       "two couplings say what 'ha' follows"},
      {TWO "frozen: [hc]\n", SRS_ERROR_NAME, 4, 10, "no joint or coordinate is named 'hc'"},
      {CRANK "frozen: [crnak]\n", SRS_ERROR_NAME, 4, 10, "is named 'crnak', did you mean 'crank'?"},
      {CRANK "couplings: [{follower: slide, leader: crnak}]\n", SRS_ERROR_NAME, 4, 13, "did you mean 'crank'?"},
      {TWO "frozen: ha\n", SRS_ERROR_SYNTAX, 4, 9, "frozen must be a list"},
      {TWO "assemble: 1\n", SRS_ERROR_SYNTAX, 4, 11, "must be true or false"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_fault(cases[i].text, cases[i].status, cases[i].line, cases[i].column, cases[i].words);
}

// A sim of a scene starts assembled, with what is frozen left alone; unless the scene says not to.
static void a_scene_starts_assembled(void **state)
{
  (void)state;
#define JAW                                                                                                            \
  "models:\n- links: [{name: a, mass: 1}, {name: b, mass: 1}]\n"                                                       \
  "  joints: [{name: ha, kind: prismatic, child: a}, {name: hb, kind: prismatic, child: b}]\n"                         \
  "  closures: [{name: pin, kind: point, frame_a: a, frame_b: b}]\n"                                                   \
  "initial: {q: {ha: 1}, v: {ha: 2}}\n"
  static const struct {
    const char *text;
    double q[2], v[2];
  } cases[] = {{JAW, {0.5, 0.5}, {1, 1}},
               {JAW "frozen: [ha]\n", {1, 1}, {2, 2}},
               {JAW "frozen: [hb]\n", {0, 0}, {0, 0}},
               {JAW "assemble: false\n", {1, 0}, {2, 0}}};
#undef JAW
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_scene *scene = loaded(cases[i].text);
    srs_sim *sim = NULL;
    srs_error error;
    if (srs_scene_create_sim(scene, NULL, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
    testing_assert_close("q", srs_sim_q(sim), cases[i].q, 2, 1e-12);
    testing_assert_close("v", srs_sim_v(sim), cases[i].v, 2, 1e-12);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_closure_is_read),     cmocka_unit_test(couplings_are_read_leaders_first),
      cmocka_unit_test(scenes_join_models_by_their_names), cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(a_scene_starts_assembled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
