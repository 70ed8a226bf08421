// Paths through the modes of planar contacts: where one arrives, its end solves the softened problem; either way the
// problem is left as it was.
#include "contact/iterate/mncp.h"
#include "contact/planar/mode_path.h"
#include "heaps.h"

static double norm(int n, const double *a)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

static void paths_end_at_solutions_of_the_softened_problem(void **state)
{
  (void)state;
  enum { PROBLEMS = 60, MOST = 3000 };
  testing_random random = testing_random_start(741);
  srs_large_cone cone = {0};
  heap *h = malloc(sizeof *h);
  int arrived = 0, changes = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    testing_blocks blocks;
    draw(h, &random);
    testing_blocks_make(&h->problem, &blocks);
    begin(&cone, &blocks);
    srs_fallback *l = &cone.fallback;
    const int n = l->cone.n;
    static double z[ROWS + 8], x[ROWS + 8], c[ROWS + 8], r[ROWS + 8], before[ROWS * ROWS];
    const double rho = pow(10, testing_uniform(&random, -5, -2));
    for (int i = 0; i < n; i++) z[i] = testing_uniform(&random, -1, 1);
    srs_mncp_residual(&l->cone, z, c, r);
    const double start = norm(n, r);
    memcpy(before, l->cone.packed, sizeof *before * srs_sparse_numbers(l->cone.sparse));
    const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
    const bool arrives = srs_mode_path(&proximal, NULL, rho, MOST, z, &changes);
    testing_assert_close("W", l->cone.packed, before, (int)srs_sparse_numbers(l->cone.sparse), 0);
    srs_mncp_residual(&l->cone, z, x, r);
    for (int i = 0; i < n; i++) r[i] -= rho * (x[i] - c[i]);
    assert_true(!arrives || norm(n, r) <= 1e-8 * start); // rounding: some hundred updates, 1 / rho
    arrived += arrives;
    testing_blocks_free(&blocks);
  }
  print_message("%d of %d paths arrived, %.0f changes in the mean\n", arrived, PROBLEMS, (double)changes / PROBLEMS);
  assert_true(3 * arrived > PROBLEMS && changes > 10 * PROBLEMS);
  srs_large_cone_release(&cone);
  free(h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_end_at_solutions_of_the_softened_problem),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
