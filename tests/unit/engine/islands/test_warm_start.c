// What rests keeps its impulses, without a matrix: is that an answer, and the same whoever looks?
#include "support/testing.h"
#include "unit/engine/free_bodies.h"

#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12, MOST_BRICKS = 30 };

typedef struct wall {
  srs_model *model;
  srs_sim *sim;
  double q[7 * MOST_BRICKS], v[6 * MOST_BRICKS];
} wall;

// Bricks of one size and drawn masses in a bond, at rest on the floor.
static wall draw_wall(testing_random *random, int wide, int high)
{
  wall w = {0};
  srs_error error;
  srs_builder *builder = srs_builder_create();
  assert_non_null(builder);
  const double size[3] = {testing_uniform(random, 0.15, 0.3), testing_uniform(random, 0.08, 0.12),
                          testing_uniform(random, 0.05, 0.12)};
  const double shift = testing_uniform(random, 0.15, 0.45), spread = testing_uniform(random, 0, 1.5);
  for (int i = 0; i < wide * high; i++) {
    add_free_body(builder, i, exp(testing_uniform(random, -spread, spread)), SRS_SHAPE_BOX, size);
    const int layer = i / wide;
    double *q = w.q + (ptrdiff_t)7 * i;
    q[0] = (i % wide + shift * (layer % 2)) * (size[0] + 0.001);
    q[2] = (layer + 0.5) * size[2], q[3] = 1;
  }
  const srs_shape_def floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  assert_int_equal(srs_builder_add_shape(builder, &floor, &error), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &w.model, &error), SRS_OK);
  srs_builder_destroy(builder);
  srs_sim_options options = srs_default_sim_options();
  options.dt = testing_uniform(random, 5e-4, 2e-3);
  options.contact.friction = testing_uniform(random, 0.3, 0.9);
  assert_int_equal(srs_sim_create(w.model, &options, &w.sim, &error), SRS_OK);
  assert_int_equal(srs_sim_set_state(w.sim, 0, w.q, w.v, &error), SRS_OK);
  return w;
}

// Cubes that fall into a heap, each above the one before.
static wall draw_heap(testing_random *random, int n)
{
  wall w = {0};
  srs_error error;
  srs_builder *builder = srs_builder_create();
  assert_non_null(builder);
  for (int i = 0; i < n; i++) {
    const double side = testing_uniform(random, 0.09, 0.11), size[3] = {side, side, side};
    add_free_body(builder, i, 1, SRS_SHAPE_BOX, size);
    double *q = w.q + (ptrdiff_t)7 * i, *v = w.v + (ptrdiff_t)6 * i, length = 0;
    for (int j = 0; j < 4; j++) q[3 + j] = testing_uniform(random, -1, 1), length += q[3 + j] * q[3 + j];
    for (int j = 0; j < 4; j++) q[3 + j] /= sqrt(length);
    for (int j = 0; j < 2; j++) q[j] = testing_uniform(random, -0.1, 0.1);
    q[2] = 0.1 + 0.18 * i;
    for (int j = 3; j < 6; j++) v[j] = testing_uniform(random, -3, 3);
  }
  const srs_shape_def floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  assert_int_equal(srs_builder_add_shape(builder, &floor, &error), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &w.model, &error), SRS_OK);
  srs_builder_destroy(builder);
  srs_sim_options options = srs_default_sim_options();
  options.dt = 0.005;
  options.contact.friction = testing_uniform(random, 0.5, 2);
  assert_int_equal(srs_sim_create(w.model, &options, &w.sim, &error), SRS_OK);
  assert_int_equal(srs_sim_set_state(w.sim, 0, w.q, w.v, &error), SRS_OK);
  return w;
}

static void destroy(wall *w)
{
  srs_sim_destroy(w->sim);
  srs_model_destroy(w->model);
}

static void step(srs_sim *sim, int n)
{
  srs_error error;
  if (srs_sim_step(sim, n, &error) != SRS_OK) fail_msg("%s", error.message);
}

typedef struct seen {
  int n, moved; // problems; problems whose answer took iterations
  double worst;
  srs_contact_stage first;
} seen;

static void look(void *context, const srs_contact_problem *problem, const double *impulse,
                 const srs_contact_report *report)
{
  seen *s = context;
  (void)problem, (void)impulse;
  assert_int_equal(report->status, SRS_CONTACT_SOLVED);
  if (s->n++ == 0) s->first = report->stage;
  s->moved += report->iterations > 0;
  s->worst = fmax(s->worst, report->residual);
}

// Small walls' problems are given whole, large ones' by blocks.
static void walls_stand_by_the_impulses_of_the_step_before(void **state)
{
  (void)state;
  testing_random random = testing_random_start(80611);
  for (int k = 0; k < 8; k++) {
    wall w = draw_wall(&random, k % 2 == 0 ? 3 : 6, k % 2 == 0 ? 2 : 5);
    step(w.sim, 1);
    const srs_sim_statistics first = *srs_sim_get_statistics(w.sim);
    step(w.sim, STEPS);
    const srs_sim_statistics *all = srs_sim_get_statistics(w.sim);
    assert_true(first.iterations > 0);
    assert_true(all->iterations == first.iterations && all->failures == 0);
    assert_true(all->solves >= STEPS + first.solves && all->residual_last <= 1e-12 && all->residual_last > 0);
    for (int i = 0; i < srs_model_nq(w.model); i++) assert_true(srs_sim_q(w.sim)[i] == w.q[i]);
    for (int i = 0; i < srs_model_nv(w.model); i++) assert_true(srs_sim_v(w.sim)[i] == 0);
    destroy(&w);
  }
}

// Large problems of walls, from nothing: by the relaxed problem, which is the problem itself where nothing slides.
static void who_watches_sees_the_problem_and_changes_no_bit(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    testing_random random = testing_random_start(4407 + (unsigned)k), again = random;
    const int wide = k % 2 == 0 ? 3 : 6, high = k % 2 == 0 ? 2 : 5;
    wall one = draw_wall(&random, wide, high), other = draw_wall(&again, wide, high);
    seen s = {0};
    srs_sim_watch_contacts(other.sim, look, &s);
    step(one.sim, STEPS), step(other.sim, STEPS);
    assert_true(s.n >= STEPS && s.moved >= 1 && s.moved < s.n && s.worst <= 1e-12);
    if (wide == 6) assert_int_equal(s.first, SRS_STAGE_INTERIOR);
    int n, m;
    const srs_sim_contact *ours = srs_sim_contacts(one.sim, &n), *theirs = srs_sim_contacts(other.sim, &m);
    assert_int_equal(n, m);
    for (int i = 0; i < n; i++) assert_memory_equal(ours[i].impulse, theirs[i].impulse, sizeof ours[i].impulse);
    destroy(&one), destroy(&other);
  }
}

// What is lifted off the top goes on as its own problem says, and the rest finds its new impulses.
static void what_is_moved_is_solved_for(void **state)
{
  (void)state;
  testing_random random = testing_random_start(515);
  wall w = draw_wall(&random, 6, 5);
  srs_error error;
  step(w.sim, 3);
  const long before = srs_sim_get_statistics(w.sim)->iterations;
  double v[6 * MOST_BRICKS] = {0};
  v[6 * 29 + 2] = 1;
  assert_int_equal(srs_sim_set_state(w.sim, 0, srs_sim_q(w.sim), v, &error), SRS_OK);
  step(w.sim, 2);
  assert_true(srs_sim_get_statistics(w.sim)->iterations > before);
  assert_true(srs_sim_get_statistics(w.sim)->failures == 0);
  const double *at = srs_sim_v(w.sim);
  for (int i = 0; i < 6 * 29; i++) assert_true(fabs(at[i]) < 1e-13); // the solver's tolerance times g dt
  destroy(&w);
}

static bool is_at_rest(const wall *w)
{
  const double *v = srs_sim_v(w->sim);
  for (int i = 0; i < srs_model_nv(w->model); i++)
    if (v[i] != 0) return false;
  return true;
}

// Impulses of the step before are taken where they leave no speed, not where the solver's tolerance would let them
// pass. Those that the solver finds leave one now and then, in one heap of twelve.
static void what_has_come_to_rest_rests_on(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5551);
  int n_resting = 0, n_moving = 0;
  for (int k = 0; k < 12; k++) {
    wall w = draw_heap(&random, 4 + k % 3);
    for (int i = 0; i < 600 && !is_at_rest(&w); i++) step(w.sim, 1);
    const bool rests = is_at_rest(&w);
    for (int i = 0; i < 400 && is_at_rest(&w); i++) step(w.sim, 1);
    n_resting += rests, n_moving += rests && !is_at_rest(&w);
    destroy(&w);
  }
  assert_true(n_resting >= 6 && 4 * n_moving <= n_resting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_stand_by_the_impulses_of_the_step_before),
      cmocka_unit_test(who_watches_sees_the_problem_and_changes_no_bit),
      cmocka_unit_test(what_is_moved_is_solved_for),
      cmocka_unit_test(what_has_come_to_rest_rests_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
