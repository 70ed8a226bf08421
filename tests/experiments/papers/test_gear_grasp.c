// The grasps of Chakraborty, Berard, Akella & Trinkle, sec. 6.4 (after Brost & Christiansen): where the fingertips must
// be, by the geometrically implicit step on the exact shapes and by the default one on polygons; and that contacts give
// no energy to a piece that is caught between edges.
#include "engine/sweep/sweep_run.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char common[] =
    "  initial.q.gear[0]: -x\n  initial.q.gear[2]: theta0\n"
    "  contact.materials[steel].friction: mu_gripper\n  contact.materials[support].friction: mu_support\n"
    "stop: >-\n"
    "  time > 0.004 + when(time > 0.1 && abs(v:left) < 1e-5 && abs(v:right) < 1e-5 && hypot(v:gear.x, v:gear.y) < "
    "1e-5)\n"
    "  && abs(v:left) < 1e-5 && abs(v:right) < 1e-5 && hypot(v:gear.x, v:gear.y) < 1e-5\n"
    "outcomes:\n"
    "  success: abs(contact:tooth1:left_jaw:fx) > 0.1 && abs(contact:tooth6:right_jaw:fx) > 0.1\n"
    "  gain: highest(energy:contact_normal)\n";

static void read_plan(const char *scene, const char *variables, const char *set, srs_sweep_plan *plan)
{
  char text[4000];
  srs_error error = {0};
  snprintf(text, sizeof text, "scene: %s\nseed: %s\nvariables:\n%sset:\n%s%s", testing_source(scene),
           getenv("SARRUS_SEED") != NULL ? getenv("SARRUS_SEED") : "11", variables, set, common);
  if (srs_sweep_plan_read(testing_write("grasps.yaml", text), plan, &error) != SRS_OK) fail_msg("%s", error.message);
}

// At x = 0 success is one stretch of y: its lower end is where the fingertips pass below the outermost teeth, its upper
// end where friction holds the disc by its sides, from -7 mm (mu = 0.3) to -3 mm, and its centre within 2 mm of the
// -11.5 mm of the paper's plateau.
static void check_plateau(const char *scene)
{
  enum { N_Y = 21 };
  srs_sweep_plan plan;
  read_plan(scene,
            "  - {name: mu_gripper, values: [0.05, 0.3]}\n  - {name: y, from: -0.02, to: 0, count: 21}\n"
            "  - {name: x, values: [0]}\n  - {name: theta0, values: [0.002]}\n  - {name: mu_support, values: [0.2]}\n",
            "  initial.q.gear[1]: -y\n", &plan);
  for (int mu = 0; mu < 2; mu++) {
    int first = -1, last = -1, n = 0;
    for (int i = 0; i < N_Y; i++) {
      srs_sweep_row row;
      srs_sweep_run(&plan, mu * N_Y + i, &row);
      if (!row.is_good) fail_msg("%s", row.message);
      if (row.outcomes[0] == 0) continue;
      if (first < 0) first = i;
      last = i, n++;
    }
    const double low = first - 20, high = last - 20; // mm
    printf("%s, mu %g: from %g to %g mm\n", scene, mu == 0 ? 0.05 : 0.3, low, high);
    assert_int_equal(n, last - first + 1);
    assert_true(fabs(low + 18) <= 1);
    assert_true(high >= -7 && high <= -3);
    assert_true(fabs((low + high) / 2 + 11.5) <= 2);
  }
  srs_sweep_plan_free(&plan);
}

static void the_plateau_of_exact_shapes_is_that_of_the_paper(void **state)
{
  (void)state;
  check_plateau("samples/gear_grasp.yaml");
}

static void the_plateau_of_polygons_is_that_of_the_paper(void **state)
{
  (void)state;
  check_plateau("samples/gear_grasp_polygons.yaml");
}

// Long steps, in which a tooth could leap over an edge: the contacts' work is never positive, whatever the friction.
static void grasps_amid_the_plateau_succeed_and_gain_no_energy(void **state)
{
  (void)state;
  srs_sweep_plan plan;
  read_plan("samples/gear_grasp.yaml",
            "  - {name: number, from: 1, to: 12, count: 12}\n  - {name: dt, values: [0.001, 0.002]}\n"
            "  - {name: x, uniform: [-0.004, 0.004]}\n  - {name: y, uniform: [-0.012, -0.008]}\n"
            "  - {name: theta0, uniform: [-0.0174533, 0.0174533]}\n"
            "  - {name: mu_gripper, uniform: [0.05, 0.3]}\n  - {name: mu_support, uniform: [0.1, 0.3]}\n",
            "  initial.q.gear[1]: -y\n  dt: dt\n", &plan);
  int n_good = 0;
  for (long run = 0; run < plan.n_runs; run++) {
    srs_sweep_row row;
    srs_sweep_run(&plan, run, &row);
    if (!row.is_good) fail_msg("%s", row.message);
    n_good += row.outcomes[0] != 0;
    if (row.outcomes[1] > 1e-9) fail_msg("run %ld: contacts gave %g J", run, row.outcomes[1]);
  }
  printf("%d of %ld\n", n_good, plan.n_runs);
  assert_true(n_good == plan.n_runs);
  srs_sweep_plan_free(&plan);
}

// Between the fingertips the disc sticks where its normal lies within the friction cone, at y > -R sin(atan mu), and
// slips below. What slips is squeezed out, and the jaws close on its teeth if it does not glide past them: jaws as slow
// as these hold all of it, those of the sample only what the support brakes in time.
static void the_disc_sticks_within_the_friction_cone_and_slow_jaws_hold_what_slips(void **state)
{
  (void)state;
  srs_sweep_plan plan;
  read_plan("samples/gear_grasp.yaml",
            "  - {name: number, from: 1, to: 6, count: 6}\n  - {name: side, values: [-3e-4, 3e-4]}\n"
            "  - {name: theta0, uniform: [-0.0174533, 0.0174533]}\n  - {name: x, values: [0]}\n"
            "  - {name: mu_gripper, uniform: [0.05, 0.3]}\n  - {name: mu_support, uniform: [0.1, 0.3]}\n",
            "  initial.q.gear[1]: 0.02075 * sin(atan(mu_gripper)) - side\n  'actuators[left].velocity': 0.01\n"
            "  'actuators[right].velocity': 0.01\n  initial.v.left: 0.01\n"
            "  initial.v.right: 0.01\n  duration: 4.6\n",
            &plan);
  for (long run = 0; run < plan.n_runs; run++) {
    srs_sweep_row row;
    srs_sweep_run(&plan, run, &row);
    if (!row.is_good) fail_msg("%s", row.message);
    const bool is_held = row.outcomes[0] != 0, slips = row.values[1] < 0;
    if (is_held != slips)
      fail_msg("run %ld: mu %g, %g m from the edge: %d", run, row.values[4], row.values[1], is_held);
  }
  srs_sweep_plan_free(&plan);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_plateau_of_exact_shapes_is_that_of_the_paper),
      cmocka_unit_test(the_plateau_of_polygons_is_that_of_the_paper),
      cmocka_unit_test(the_disc_sticks_within_the_friction_cone_and_slow_jaws_hold_what_slips),
      cmocka_unit_test(grasps_amid_the_plateau_succeed_and_gain_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
