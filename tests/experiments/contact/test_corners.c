// The samples with corners do what their first lines say: a block over a hole as another program has it, a ball past
// the edge of a table, a peg in a slot, a foot on a stair. What nothing touches falls freely, and what slips is a point
// on a plane.
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A sample with one piece of its text replaced.
static world sample(const char *path, const char *from, const char *to)
{
  size_t length;
  char *text = testing_read(testing_source(path), &length);
  assert_non_null(text);
  char *at = from != NULL ? strstr(text, from) : NULL;
  if (from != NULL && at == NULL) fail_msg("%s has no '%s'", path, from);
  const size_t room = length + 1024;
  char *changed = calloc(room, 1);
  assert_non_null(changed);
  if (at == NULL)
    snprintf(changed, room, "%s", text);
  else
    snprintf(changed, room, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  world w = load(changed);
  free(changed);
  free(text);
  return w;
}

static void run(const world *w, double time)
{
  const long steps = lround(time / srs_sim_get_options(w->sim)->dt);
  step(w->sim, steps);
  assert_int_equal(srs_sim_get_statistics(w->sim)->failures, 0);
}

// ---- the hole ----

static void a_block_over_the_hole_ends_as_another_program_has_it(void **state)
{
  (void)state;
  static const struct {
    const char *corners, *friction, *name;
  } runs[] = {{"corners: convex", "friction: 0\n", "convex_mu0.0"},
              {"corners: convex", "friction: 0.1\n", "convex_mu0.1"},
              {"corners: max", "friction: 0\n", "enum_mu0.0"},
              {"corners: max", "friction: 0.1\n", "enum_mu0.1"}};
  testing_json *json = testing_json_load(testing_data("experiments/nonconvex.json"));
  for (int i = 0; i < 4; i++) {
    static const char *const keys[] = {"x_end", "y_end", "theta_end", "vx_end"};
    char text[64];
    snprintf(text, sizeof text, "%s  %s", runs[i].friction, runs[i].corners);
    world w = sample("samples/hole.yaml", "friction: 0\n  corners: max", text);
    run(&w, 1);
    const double *q = srs_sim_q(w.sim), ours[] = {q[0], q[1], q[2], srs_sim_v(w.sim)[0]};
    print_message("%s: x %.12g y %.12g angle %.12g, %.12g m/s\n", runs[i].name, ours[0], ours[1], ours[2], ours[3]);
    for (int k = 0; k < 4; k++) { // two bodies of the same solid, one in a plane: as exact as the other program
      char path[64];
      snprintf(path, sizeof path, "/hole/hole_%s/%s", runs[i].name, keys[k]);
      assert_true(fabs(ours[k] - testing_json_number(json, path)) < 1e-9);
    }
    unload(&w);
  }
  testing_json_free(json);
}

// The far side as a hull, whose tip is a corner of boxes and hulls.
static void a_hull_beyond_the_hole_does_the_same(void **state)
{
  (void)state;
  static const char half_spaces[] =
      "  - {name: top, shape: half-space, normal: [0, 1, 0], offset: 0}\n"
      "  - {name: slope, shape: half-space, normal: [-1, 1, 0], offset: -2} # y <= x - 2\n"
      "contact:\n  friction: 0\n  corners: max\n"
      "  solids: [[top, slope]] # what is beyond the gap is in both\n";
  static const char hull[] = "  - {name: far, shape: hull, points: [[2, 0, -1.5], [12, 0, -1.5], [12, -10, -1.5], "
                             "[-8, -10, -1.5], [2, 0, 1.5], [12, 0, 1.5], [12, -10, 1.5], [-8, -10, 1.5]]}\n"
                             "contact: {friction: %g, corners: %s}\n";
  static const struct {
    double friction;
    const char *corners;
    double speed;
  } runs[] = {{0, "max", 4}, {0.1, "max", 4 - 0.1 * 9.81}, {0, "summation", 4}};
  for (int i = 0; i < 3; i++) {
    char text[512];
    snprintf(text, sizeof text, hull, runs[i].friction, runs[i].corners);
    world w = sample("samples/hole.yaml", half_spaces, text);
    run(&w, 1);
    const double *q = srs_sim_q(w.sim), *v = srs_sim_v(w.sim);
    assert_true(fabs(v[0] - runs[i].speed) < 1e-10 && fabs(v[1]) < 1e-10 && fabs(v[2]) < 1e-10);
    assert_true(fabs(q[1] - 0.5) < 1e-12 && fabs(q[2]) < 1e-12);
    assert_int_equal(srs_sim_get_statistics(w.sim)->groups_max, 1);
    unload(&w);
  }
}

// ---- past an edge ----

static void a_ball_flies_past_the_edge_of_a_table(void **state)
{
  (void)state;
  world w = sample("samples/table_edge.yaml", NULL, NULL);
  double z = srs_sim_q(w.sim)[2], vz = srs_sim_v(w.sim)[2];
  run(&w, 0.1);
  for (int i = 0; i < 20; i++) vz -= 9.81 * 0.005, z += 0.005 * vz;
  const double *q = srs_sim_q(w.sim), *v = srs_sim_v(w.sim);
  assert_true(fabs(q[0] - 0.5) < 1e-12 && fabs(q[2] - z) < 1e-12);
  assert_true(v[0] == 10 && fabs(v[2] - vz) < 1e-12);
  unload(&w);
  w = sample("samples/table_edge.yaml", "0.3, corners: max", "0.3, corners: convex");
  run(&w, 0.1);
  print_message("with a plane without end the ball is left with %.3f m/s\n", srs_sim_v(w.sim)[0]);
  assert_true(srs_sim_v(w.sim)[0] < 7); // the phantom that the corner takes away
  unload(&w);
}

// A point that flies, lands and slips as friction says, in the same steps.
static void a_foot_lands_behind_the_edge_of_a_step(void **state)
{
  (void)state;
  const double h = 0.005, g = 9.81, mu = 0.4;
  double x = -0.3085, z = 0.0301, vx = 1.5, vz = 2.085;
  for (int i = 0; i < 200; i++) {
    vz -= g * h;
    const double below = x > 0 ? 0.21 : 0.03;
    if (z + h * vz < below) { // it stands on the step at the end of this one
      const double push = (below - z) / h - vz;
      vz += push;
      vx = fmax(vx - mu * push, 0);
    }
    x += h * vx, z += h * vz;
  }
  world w = sample("samples/stairs.yaml", NULL, NULL);
  run(&w, 1);
  const double *q = srs_sim_q(w.sim), *v = srs_sim_v(w.sim);
  print_message("the foot stands at %.6f m, a point at %.6f m\n", q[0], x);
  assert_true(fabs(q[0] - x) < 1e-9 && fabs(q[2] - 0.21) < 1e-9);
  for (int k = 0; k < 6; k++) assert_true(fabs(v[k]) < 1e-9);
  assert_true(fabs(q[3]) > 1 - 1e-12);
  unload(&w);
  w = sample("samples/stairs.yaml", "corners: max", "corners: convex");
  run(&w, 1);
  assert_true(srs_sim_q(w.sim)[0] < x - 0.05); // it tripped
  unload(&w);
}

// ---- into a slot ----

static void a_peg_finds_its_way_into_a_slot(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) { // from both sides of the middle
    world w = sample("samples/peg_in_slot.yaml", "[0.004, 0.12, 0]", i == 0 ? "[0.004, 0.12, 0]" : "[-0.004, 0.12, 0]");
    run(&w, 1);
    const double *q = srs_sim_q(w.sim), *v = srs_sim_v(w.sim);
    print_message("the peg stands %.3g mm beside the middle\n", 1e3 * q[0]);
    assert_true(fabs(q[0]) <= 5e-4 + 1e-9);
    assert_true(fabs(q[1] + 0.05) < 1e-9 && fabs(q[2]) < 1e-9);
    for (int k = 0; k < 3; k++) assert_true(fabs(v[k]) < 1e-9);
    assert_true(srs_sim_get_statistics(w.sim)->penetration_max < 1e-5);
    unload(&w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_over_the_hole_ends_as_another_program_has_it),
      cmocka_unit_test(a_hull_beyond_the_hole_does_the_same),
      cmocka_unit_test(a_ball_flies_past_the_edge_of_a_table),
      cmocka_unit_test(a_foot_lands_behind_the_edge_of_a_step),
      cmocka_unit_test(a_peg_finds_its_way_into_a_slot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
