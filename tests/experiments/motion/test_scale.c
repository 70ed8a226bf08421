// How does the time of a step grow? A chain without contacts goes with its links, from 10 to 1000 of them, and a wall
// of 10 x 10 boxes stands. (Field case F93.)
//
// Processor time of this thread, the least of several runs: others that use the machine do not count.
#include "support/bodies.h"
#include "support/sims.h"

#include <math.h>
#include <time.h>

static double cpu_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// n links of 1 kg, each hinged 0.1 m below the one above about an axis of its own.
static srs_model *chain(int n)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  for (int i = 0; i < n; i++) {
    char name[2][16];
    (void)snprintf(name[0], sizeof name[0], "l%d", i);
    (void)snprintf(name[1], sizeof name[1], "l%d", i - 1);
    srs_link_def link = srs_default_link_def();
    link.name = name[0], link.mass = 1, link.com[2] = -0.05;
    for (int k = 0; k < 3; k++) link.inertia[k] = 1e-3;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_CONTINUOUS);
    joint.name = name[0], joint.child = name[0], joint.parent = i > 0 ? name[1] : NULL;
    joint.axis[0] = i % 2, joint.axis[1] = 1 - i % 2, joint.axis[2] = 0;
    joint.origin.position[2] = i > 0 ? -0.1 : 0;
    if (srs_builder_add_link(builder, &link, &error) != SRS_OK ||
        srs_builder_add_joint(builder, &joint, &error) != SRS_OK)
      fail_msg("%s", error.message);
  }
  return bodies_build(builder);
}

// Seconds a step.
static double time_of_steps(srs_sim *sim, int n)
{
  double least = INFINITY;
  for (int i = 0; i < 7; i++) {
    const double start = cpu_time();
    assert_int_equal(srs_sim_step(sim, n, NULL), SRS_OK);
    least = fmin(least, (cpu_time() - start) / n);
  }
  return least;
}

static void a_chains_step_goes_with_its_links(void **state)
{
  (void)state;
  static const int links[] = {10, 30, 100, 300, 1000};
  double per_link[5];
  for (int i = 0; i < 5; i++) {
    srs_model *model = chain(links[i]);
    srs_sim *sim = sim_of_model(model, NULL);
    const double step = time_of_steps(sim, 20000 / links[i]);
    per_link[i] = step / links[i];
    print_message("%4d hinges: %8.0f steps/s, %6.1f times real time, %.3f us a link\n", links[i], 1 / step,
                  srs_sim_get_options(sim)->dt / step, 1e6 * per_link[i]);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
  assert_true(per_link[4] < 2 * per_link[2]); // quadratic time would make it 10
  assert_true(per_link[4] < 2 * per_link[0]);
}

// Each box of 0.1 m and 1 kg on the one below, columns side by side; they rest, so a second may not move them.
static void a_wall_of_boxes_stands(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, "floor", NULL, 0, 0, 0);
  bodies_add_shape(builder, &floor);
  char name[100][16];
  for (int i = 0; i < 100; i++) {
    (void)snprintf(name[i], sizeof name[i], "b%d", i);
    bodies_add_link(builder, name[i], SRS_JOINT_FREE, NULL);
    const srs_shape_def box = bodies_shape(SRS_SHAPE_BOX, name[i], name[i], 0.1, 0.1, 0.1);
    bodies_add_shape(builder, &box);
  }
  srs_model *model = bodies_build(builder);
  srs_sim *sim = sim_of_model(model, NULL);
  double q[700];
  assert_int_equal(srs_model_nq(model), 700);
  for (int i = 0; i < 100; i++) {
    const int column = i % 10, row = i / 10;
    const double place[7] = {0.1001 * column, 0, 0.05 + 0.1 * row, 1, 0, 0, 0};
    for (int k = 0; k < 7; k++) q[7 * i + k] = place[k];
  }
  assert_int_equal(srs_sim_set_state(sim, 0, q, NULL, NULL), SRS_OK);
  const double start = cpu_time();
  assert_int_equal(srs_sim_step(sim, 100, NULL), SRS_OK);
  const double step = (cpu_time() - start) / 100;
  double moved = 0;
  for (int i = 0; i < 700; i++) moved = fmax(moved, fabs(srs_sim_q(sim)[i] - q[i]));
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("100 boxes: %.0f steps/s, %.2f times real time, at most %d contacts; moved by %.1e m\n", 1 / step,
                1e-3 / step, s->contacts_max, moved);
  assert_true(s->failures == 0 && moved < 1e-9);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_chains_step_goes_with_its_links),
                                     cmocka_unit_test(a_wall_of_boxes_stands)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
