// Linkages in motion, from the samples: loops stay closed to rounding, paths are what geometry says, energy errors go
// with the step.

#include "support/sims.h"

#include <math.h>

static srs_scene *sample(const char *name)
{
  srs_scene *scene = scene_of_file(testing_source(name));
  return scene;
}

static void assert_closed(srs_sim *sim)
{
  double gap = INFINITY;
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(srs_sim_model(sim), &w, NULL), SRS_OK);
  assert_int_equal(srs_loop_gaps(w, srs_sim_q(sim), srs_sim_time(sim), &gap), SRS_OK);
  assert_true(gap <= 2e-12); // 1e-12 a row
  srs_workspace_destroy(w);
}

// Its rows depend on each other but for rounding of the speeds, which is all the more beside what a short step changes.
static void dependent_rows_leave_no_step_unsolved_however_short(void **state)
{
  (void)state;
  srs_scene *scene = sample("samples/sarrus_linkage.yaml");
  static const double steps[] = {1e-3, 1e-4, 1e-5};
  for (int k = 0; k < 3; k++) {
    const double dt = steps[k];
    srs_sim *sim = sim_with_step(scene, dt);
    step(sim, dt > 5e-4 ? 100 : 1500);
    assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
    assert_true(srs_sim_get_statistics(sim)->residual_max <= 1e-12);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// It falls through its change points again and again, where one more row counts as dependent than elsewhere, and comes
// to rest beside them; the closed loop stays closed, and the steps make no energy.
static void no_step_through_change_points_is_unsolved(void **state)
{
  (void)state;
  srs_scene *scene = sample("samples/sarrus_linkage.yaml");
  static const double steps[] = {1e-3, 5e-4, 2.7e-4};
  for (int k = 0; k < 3; k++) {
    srs_sim *sim = sim_with_step(scene, steps[k]);
    const double start = total_energy(sim);
    step(sim, lround(6 / steps[k]));
    const srs_sim_statistics *statistics = srs_sim_get_statistics(sim);
    print_message("step %g s: %ld change points, residual %.3g, energy %.3g J\n", steps[k], statistics->change_points,
                  statistics->residual_max, total_energy(sim) - start);
    assert_true(statistics->change_points > 10);
    assert_int_equal(statistics->failures, 0);
    assert_closed(sim);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// The namesake: the table moves along z exactly, and never turns.
static void the_table_of_sarrus_moves_along_a_straight_line(void **state)
{
  (void)state;
  srs_scene *scene = sample("samples/sarrus_linkage.yaml");
  srs_sim *sim = sim_with_step(scene, 0);
  const int table = srs_model_find_frame(srs_sim_model(sim), "table");
  const double start = srs_scene_get_settings(scene)->duration;
  while (srs_sim_time(sim) < start) {
    step(sim, 1);
    assert_closed(sim);
    srs_pose pose;
    assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), table, &pose), SRS_OK);
    const double angle = 0.78539816339744831 - srs_sim_q(sim)[0]; // of the lower plate
    assert_true(fabs(pose.position[0] - 0.1) < 1e-12 && fabs(pose.position[1]) < 1e-12);
    assert_true(fabs(pose.position[2] - 0.3 * sin(angle)) < 1e-12);
    for (int i = 0; i < 9; i++) assert_true(fabs(pose.rotation[i] - (i % 4 == 0)) < 1e-12);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// Energy errors at the same time with one step and half of it: of order 1 at least.
static void energy_errors_of_linkages_halve_with_the_step(void **state)
{
  (void)state;
  const struct {
    const char *file;
    double duration, dt;
  } cases[] = {{"samples/sarrus_linkage.yaml", 0.1, 5e-4}, {"samples/four_bar.yaml", 1, 1e-3}};
  for (int i = 0; i < 2; i++) {
    srs_scene *scene = sample(cases[i].file);
    double error[2];
    for (int half = 0; half < 2; half++) {
      const double dt = half ? cases[i].dt / 2 : cases[i].dt;
      srs_sim *sim = sim_with_step(scene, dt);
      const double before = total_energy(sim);
      step(sim, lround(cases[i].duration / dt));
      assert_closed(sim);
      error[half] = total_energy(sim) - before;
      srs_sim_destroy(sim);
    }
    print_message("%s: energy error %.3g J, %.3g with half the step\n", cases[i].file, error[0], error[1]);
    assert_true(error[0] / error[1] > 1.9);
    srs_scene_destroy(scene);
  }
}

// F44: by Grashof's rule the crank turns fully; the rocker swings between the two positions in which crank and coupler
// are in line, 0.35 +- 0.1 m between crank's and rocker's far ends.
static void the_crank_of_the_four_bar_turns_and_the_rocker_swings(void **state)
{
  (void)state;
  srs_scene *scene = sample("samples/four_bar.yaml");
  srs_sim *sim = sim_with_step(scene, 0);
  assert_true(srs_sim_v(sim)[0] == 5); // frozen while it was assembled
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 4000; i++) {
    step(sim, 1);
    if (i % 100 == 0) assert_closed(sim);
    low = fmin(low, srs_sim_q(sim)[2]);
    high = fmax(high, srs_sim_q(sim)[2]);
  }
  assert_true(srs_sim_q(sim)[0] > 2 * 6.2831853);
  // Angle at the rocker's pivot between ground and rocker by the law of cosines; at q3 = 0 it is acos(.1012781/.3).
  const double at_zero = acos(0.1012781049468271 / 0.3);
  const double least = acos((0.16 + 0.09 - 0.0625) / (2 * 0.4 * 0.3)),
               most = acos((0.16 + 0.09 - 0.2025) / (2 * 0.4 * 0.3));
  assert_true(fabs(high - low - (most - least)) < 1e-4); // samples at every step miss the turns by their squares
  assert_true(fabs(low - (least - at_zero)) < 1e-4 || fabs(-high - (least - at_zero)) < 1e-4);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// Six legs of one length: by symmetry the platform goes straight up and down, to where the legs reach.
static void the_platform_of_stewart_is_where_its_legs_take_it(void **state)
{
  (void)state;
  srs_scene *scene = sample("samples/stewart.yaml");
  srs_sim *sim = sim_with_step(scene, 0);
  const int top = srs_model_find_frame(srs_sim_model(sim), "top");
  const double length = 1.1562744369433207, reach = sqrt(length * length - 1); // at the start the height is 1
  for (int i = 0; i < 500; i++) {
    step(sim, 2);
    const double leg = length + 0.15 * sin(3 * srs_sim_time(sim));
    srs_pose pose;
    assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), top, &pose), SRS_OK);
    assert_true(fabs(pose.position[0]) < 1e-11 && fabs(pose.position[1]) < 1e-11); // gaps of 1e-12, legs at an angle
    assert_true(fabs(pose.position[2] - sqrt(leg * leg - reach * reach)) < 1e-11);
    for (int j = 0; j < 9; j++) assert_true(fabs(pose.rotation[j] - (j % 4 == 0)) < 1e-11);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// A parallelogram four-bar under gravity: at each half turn all joints are in line, where the loop's two equations say
// the same and the rocker could turn either way. It must go on as it came, turn after turn.
static const char parallelogram[] =
    "models:\n- links:\n"
    "  - {name: crank, mass: 0.1, com: [0, 0, 0.05], inertia: [1e-4, 1e-4, 1e-5]}\n"
    "  - {name: coupler, mass: 0.1, com: [0.2, 0, 0], inertia: [1e-5, 1e-3, 1e-3]}\n"
    "  - {name: rocker, mass: 0.1, com: [0, 0, 0.05], inertia: [1e-4, 1e-4, 1e-5]}\n"
    "  joints:\n"
    "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
    "  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, 0], origin: {position: [0, 0, "
    "0.1]}}\n"
    "  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], origin: {position: [0.4, 0, 0]}}\n"
    "  closures: [{name: pin, kind: revolute, axis: [0, 1, 0], frame_a: coupler, frame_b: rocker, "
    "pose_a: {position: [0.4, 0, 0]}, pose_b: {position: [0, 0, 0.1]}}]\n"
    "initial: {v: {q1: 15}}\nfrozen: [q1]\n";

static void a_parallelogram_passes_its_change_points(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(parallelogram);
  for (int integrator = 0; integrator < 2; integrator++) {
    double error[2];
    for (int half = 0; half < 2; half++) {
      const double dt = half ? 1e-3 : 2e-3;
      srs_sim_options options = srs_scene_get_settings(scene)->sim;
      options.dt = dt;
      options.integrator = (srs_integrator)integrator; // semi-implicit Euler, midpoint
      srs_sim *sim = NULL;
      assert_int_equal(srs_scene_create_sim(scene, &options, &sim, NULL), SRS_OK);
      const double before = total_energy(sim);
      step(sim, lround(5 / dt));
      const double *q = srs_sim_q(sim);
      assert_true(q[0] > 90 && fabs(q[0] - q[2]) < 1e-9 && fabs(q[0] + q[1]) < 1e-9); // some 15 turns
      error[half] = fabs(total_energy(sim) - before) / before;
      srs_sim_destroy(sim);
    }
    print_message("relative energy error after 15 turns: %.3g, %.3g with half the step\n", error[0], error[1]);
    assert_true(error[0] / error[1] > 1.7 && error[1] < 0.01); // order 1 at least
  }
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_of_sarrus_moves_along_a_straight_line),
      cmocka_unit_test(dependent_rows_leave_no_step_unsolved_however_short),
      cmocka_unit_test(no_step_through_change_points_is_unsolved),
      cmocka_unit_test(energy_errors_of_linkages_halve_with_the_step),
      cmocka_unit_test(a_parallelogram_passes_its_change_points),
      cmocka_unit_test(the_platform_of_stewart_is_where_its_legs_take_it),
      cmocka_unit_test(the_crank_of_the_four_bar_turns_and_the_rocker_swings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
