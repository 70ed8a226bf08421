// A scene in the course of time: the pendulum's swing, and its path.
#include "pictures/drawing.h"
#include "tools/pictures/stage.h"

#include <math.h>

static void the_state_is_that_of_the_run_at_each_time(void **state)
{
  (void)state;
  static const double times[] = {0, 0.25, 0.5};
  const char *path = testing_write("p.yaml", pendulum_scene);
  stage_options options = {.view = sketch_look(0, 0), .times = times, .n_times = 3};
  stage s;
  srs_error error;
  if (stage_play(path, &options, &s, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(s.n_frames, 3);

  srs_sim *sim = NULL;
  assert_int_equal(srs_scene_create_sim(s.scene, NULL, &sim, &error), SRS_OK);
  for (int i = 0; i < 3; i++) {
    if (i > 0) assert_int_equal(srs_sim_step(sim, 25, &error), SRS_OK);
    const double angle = srs_sim_q(sim)[0]; // from straight down
    const sketch *solids = &s.frames[i].solids;
    const sketch_path *bob = &solids->paths[0];
    assert_int_equal(bob->kind, SKETCH_DISC);
    const double *centre = &solids->points[3 * (size_t)bob->first];
    assert_true(fabs(centre[0] + sin(angle)) < 1e-12 && fabs(centre[1] - 2 + cos(angle)) < 1e-12);
    assert_true(s.frames[i].time == times[i]);
    assert_int_equal(s.frames[i].n_planes, 1);
  }
  srs_sim_destroy(sim);
  stage_destroy(&s);
}

static void a_trace_is_the_path_so_far(void **state)
{
  (void)state;
  static const double times[] = {0.1, 0.5};
  static const char *const traces[] = {"rod"};
  stage_options options = {.view = sketch_look(0, 0), .times = times, .n_times = 2, .traces = traces, .n_traces = 1};
  stage s;
  srs_error error;
  if (stage_play(testing_write("p.yaml", pendulum_scene), &options, &s, &error) != SRS_OK)
    fail_msg("%s", error.message);
  assert_int_equal(s.frames[0].trace_length, 11); // every step, and the start
  assert_int_equal(s.frames[1].trace_length, 51);
  for (int i = 0; i < 51; i++)
    assert_true(s.traces[3 * (size_t)i] == 0 && s.traces[3 * (size_t)i + 1] == 2); // the joint
  stage_destroy(&s);
}

static void bounds_hold_all_times(void **state)
{
  (void)state;
  static const double times[] = {0, 0.5};
  stage_options options = {.view = sketch_look(0, 0), .times = times, .n_times = 2};
  stage s;
  srs_error error;
  if (stage_play(testing_write("p.yaml", pendulum_scene), &options, &s, &error) != SRS_OK)
    fail_msg("%s", error.message);
  double low[3], high[3];
  assert_true(stage_bounds(&s, low, high));
  assert_true(fabs(high[0] - 1.1) < 1e-3 && fabs(high[1] - 2.1) < 1e-3); // level at the start, a radius beyond
  assert_true(low[1] > 0.9 - 1e-3 && low[1] < 1.5);
  stage_destroy(&s);
}

static void contacts_that_acted_are_kept(void **state)
{
  (void)state;
  static const char scene[] = "models:\n"
                              "  - name: m\n"
                              "    base: floating\n"
                              "    links: [{name: ball, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
                              "    shapes: [{link: ball, kind: sphere, radius: 0.5}]\n"
                              "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
                              "initial: {q: {root: [0.25, 0, 0.5, 1, 0, 0, 0]}}\n"
                              "dt: 0.01\n";
  static const double times[] = {0, 0.1};
  stage_options options = {.view = sketch_look(0, 0), .times = times, .n_times = 2, .contacts = true};
  stage s;
  srs_error error;
  if (stage_play(testing_write("b.yaml", scene), &options, &s, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(s.frames[0].n_contacts, 0); // no step yet
  assert_int_equal(s.frames[1].n_contacts, 1);
  const double at[3] = {0.25, 0, 0}, up[3] = {0, 1, 0}; // to the right, up, toward the viewer
  testing_assert_close("at", s.frames[1].contacts[0].at, at, 3, 1e-9);
  testing_assert_close("direction", s.frames[1].contacts[0].direction, up, 3, 1e-12);
  stage_destroy(&s);
}

static void half_spaces_of_one_solid_are_known(void **state)
{
  (void)state;
  static const double times[] = {0};
  stage_options options = {.view = sketch_look(0, 90), .times = times, .n_times = 1};
  stage s;
  srs_error error;
  if (stage_play(testing_source("samples/hole.yaml"), &options, &s, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(s.frames[0].n_planes, 2); // top and slope
  assert_int_equal(s.frames[0].planes[0].solid, 0);
  assert_int_equal(s.frames[0].planes[1].solid, 0);
  stage_destroy(&s);
}

static void mistakes_are_told(void **state)
{
  (void)state;
  static const double times[] = {0};
  static const char *const traces[] = {"nobody"};
  stage_options options = {.view = sketch_look(0, 0), .times = times, .n_times = 1, .traces = traces, .n_traces = 1};
  stage s;
  srs_error error;
  assert_int_equal(stage_play(testing_write("p.yaml", pendulum_scene), &options, &s, &error), SRS_ERROR_NAME);
  assert_string_equal(error.message, "no link or frame 'nobody' to trace; `sarrus info` lists them");
  assert_null(s.frames);
  options.n_traces = 0;
  assert_int_equal(stage_play("/nowhere.yaml", &options, &s, &error), SRS_ERROR_FILE);
  assert_int_equal(stage_play(testing_write("bad.yaml", "models: 3\n"), &options, &s, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_state_is_that_of_the_run_at_each_time),
      cmocka_unit_test(a_trace_is_the_path_so_far),
      cmocka_unit_test(bounds_hold_all_times),
      cmocka_unit_test(contacts_that_acted_are_kept),
      cmocka_unit_test(half_spaces_of_one_solid_are_known),
      cmocka_unit_test(mistakes_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
