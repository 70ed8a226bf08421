// Planar problems are solved from sweeps and paths, without relaxed problems too; the budget holds.
#include "contact/planar/planar.h"
#include "heaps.h"

static int asked;

static srs_planar_start nothing(void *data, int rounds, const double *w, double *x)
{
  const srs_fallback *l = data;
  (void)rounds;
  (void)w;
  asked++;
  memset(x, 0, sizeof *x * (size_t)l->cone.n);
  return SRS_PLANAR_FAR;
}

static double natural_map(srs_fallback *l)
{
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_cone_residual(&l->cone, l->x, l->w);
}

static void most_are_solved_and_the_budget_holds(void **state)
{
  (void)state;
  enum { PROBLEMS = 20 };
  testing_random random = testing_random_start(742);
  srs_large_cone cone = {0};
  heap *h = malloc(sizeof *h);
  int solved = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    testing_blocks blocks;
    draw(h, &random);
    testing_blocks_make(&h->problem, &blocks);
    begin(&cone, &blocks);
    srs_fallback *l = &cone.fallback;
    l->lm.left = &l->left;
    l->iterations = 0;
    l->left = 4e8;
    const bool is_found = srs_planar_search(l, nothing, l);
    assert_true(!is_found || natural_map(l) <= l->answer);
    assert_true(l->left > -2e7); // pieces are sweeps over the contacts, 1000 or 2000, and paths
    solved += is_found;
    l->left = 1;
    assert_false(srs_planar_search(l, nothing, l));
    testing_blocks_free(&blocks);
  }
  print_message("%d of %d solved, %d starts\n", solved, PROBLEMS, asked);
  assert_true(5 * solved > 4 * PROBLEMS);
  srs_large_cone_release(&cone);
  free(h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(most_are_solved_and_the_budget_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
