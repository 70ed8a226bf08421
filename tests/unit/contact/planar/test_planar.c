// Planar problems are solved by proximal points from no impulses, and by the long path where there is no start; the
// budget holds. A search that does not settle begins again from other impulses, and what it finds is the answer as it
// is.
#include "contact/iterate/fallback.h"
#include "contact/planar/planar.h"
#include "heaps.h"

static bool zero(void *data, double *x)
{
  const srs_fallback *l = data;
  memset(x, 0, sizeof *x * (size_t)l->cone.n);
  return true;
}

static bool none(void *data, double *x)
{
  (void)data;
  (void)x;
  return false;
}

static double natural_map(srs_fallback *l)
{
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_cone_residual(&l->cone, l->x, l->w);
}

// How many of the drawn problems are found from this start.
static int solve_all(srs_planar_start *start, int problems)
{
  testing_random random = testing_random_start(742);
  srs_large_cone cone = {0};
  heap *h = malloc(sizeof *h);
  int solved = 0;
  for (int k = 0; k < problems; k++) {
    testing_blocks blocks;
    draw(h, &random);
    testing_blocks_make(&h->problem, &blocks);
    begin(&cone, &blocks);
    srs_fallback *l = &cone.fallback;
    l->lm.left = &l->left;
    l->iterations = 0;
    l->left = 4e8;
    const bool is_found = srs_planar_search(l, start, l, NULL);
    assert_true(!is_found || natural_map(l) <= l->answer);
    assert_true(l->left > -2e7); // pieces are changes of modes
    solved += is_found;
    l->left = 1;
    assert_false(srs_planar_search(l, start, l, NULL));
    testing_blocks_free(&blocks);
  }
  srs_large_cone_release(&cone);
  free(h);
  return solved;
}

static void all_are_solved_and_the_budget_holds(void **state)
{
  (void)state;
  enum { PROBLEMS = 20 };
  const int points = solve_all(zero, PROBLEMS), paths = solve_all(none, PROBLEMS);
  print_message("of %d solved: %d by proximal points, %d by the long path alone\n", PROBLEMS, points, paths);
  assert_int_equal(points, PROBLEMS);
  assert_int_equal(paths, PROBLEMS);
}

// A few of many wedge at impulses that grow without end, from all starts.
static void nearly_all_of_many_are_solved(void **state)
{
  (void)state;
  enum { PROBLEMS = 100 };
  const int points = solve_all(zero, PROBLEMS), paths = solve_all(none, PROBLEMS);
  print_message("of %d solved: %d by proximal points, %d by long paths alone\n", PROBLEMS, points, paths);
  assert_true(points >= PROBLEMS - 4 && paths >= PROBLEMS - 4);
}

// ---- answers ----

static srs_start found(void *data, int number, double *x)
{
  const srs_fallback *l = data;
  memcpy(x, l->good, sizeof *x * (size_t)l->cone.n);
  return number == 0 ? SRS_START_NEAR : SRS_START_NONE;
}

static void what_is_found_is_the_answer_as_it_is(void **state)
{
  (void)state;
  enum { PROBLEMS = 5 };
  testing_random random = testing_random_start(744);
  srs_large_cone cone = {0};
  heap *h = malloc(sizeof *h);
  for (int k = 0; k < PROBLEMS; k++) {
    testing_blocks blocks;
    draw(h, &random);
    testing_blocks_make(&h->problem, &blocks);
    begin(&cone, &blocks);
    srs_fallback *l = &cone.fallback;
    l->lm.left = &l->left;
    l->left = 4e8;
    assert_true(srs_planar_search(l, zero, l, NULL));
    memcpy(l->good, l->x, sizeof *l->x * (size_t)l->cone.n);
    l->minimise = srs_plm, l->start = found, l->start_data = l, l->starts_first = true;
    l->max_iterations = 60, l->last_stage = SRS_STAGE_SOFTENED;
    l->goal = l->enough = 0; // polishing would never end by itself
    l->iterations = 0;
    srs_fallback_run(l, NULL);
    assert_int_equal(l->iterations, 0);
    assert_int_equal(l->stage, SRS_STAGE_INTERIOR);
    assert_memory_equal(l->best, l->good, sizeof *l->best * (size_t)l->cone.n);
    testing_blocks_free(&blocks);
  }
  srs_large_cone_release(&cone);
  free(h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_solved_and_the_budget_holds),
      cmocka_unit_test(nearly_all_of_many_are_solved),
      cmocka_unit_test(what_is_found_is_the_answer_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
