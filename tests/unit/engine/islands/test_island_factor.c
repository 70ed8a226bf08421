// A tree's rows are as many columns as they are independent, and these give Lambda back; sides of one row are summed.
#include "engine/islands/island.h"
#include "support/testing.h"

#include <math.h>

enum { MOST = 40 };

static double entry(const double *A, int n, int i, int j) { return A[i * n + j]; }

// Sides are random rows over `freedoms`; each is of the row before, or of a new one.
static void factors_give_the_matrix_back(void **state)
{
  (void)state;
  testing_random random = testing_random_start(671);
  double worst = 0;
  for (int i = 0; i < 300; i++) {
    const int n = 1 + testing_below(&random, MOST), freedoms = 1 + testing_below(&random, 7);
    double J[MOST * 8], rows[MOST * 8] = {0}, lambda[MOST * MOST], left[MOST], parts[MOST], L[MOST * MOST];
    int local[MOST], n_rows = 0;
    for (int k = 0; k < n; k++) {
      const bool is_again = n_rows > 0 && testing_below(&random, 4) == 0;
      local[k] = is_again ? testing_below(&random, n_rows) : n_rows++;
      for (int c = 0; c < freedoms; c++) {
        J[k * 8 + c] = testing_uniform(&random, -1, 1);
        rows[local[k] * 8 + c] += J[k * 8 + c];
      }
    }
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++) {
        lambda[k * n + l] = 0;
        for (int c = 0; c < freedoms; c++) lambda[k * n + l] += J[k * 8 + c] * J[l * 8 + c];
      }
    const int most = n_rows < freedoms + 2 ? n_rows : freedoms + 2; // more than there are: it ends by itself
    const int columns = srs_factor_tree(n, local, most, lambda, left, parts, L);
    assert_int_equal(columns, n_rows < freedoms ? n_rows : freedoms);
    for (int k = 0; k < n_rows; k++)
      for (int l = 0; l < n_rows; l++) {
        double sum = 0, wanted = 0;
        for (int c = 0; c < columns; c++) sum += entry(L, columns, k, c) * entry(L, columns, l, c);
        for (int c = 0; c < freedoms; c++) wanted += rows[k * 8 + c] * rows[l * 8 + c];
        worst = fmax(worst, fabs(sum - wanted));
      }
  }
  print_message("%.2g apart\n", worst);
  assert_true(worst < 1e-12); // sums of up to 40 sides below 1
}

static void what_nothing_moves_has_no_column(void **state)
{
  (void)state;
  double lambda[4] = {0}, left[2], parts[2], L[4];
  const int local[2] = {0, 1};
  assert_int_equal(srs_factor_tree(2, local, 2, lambda, left, parts, L), 0);
  assert_int_equal(srs_factor_tree(0, local, 0, lambda, left, parts, L), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_give_the_matrix_back),
      cmocka_unit_test(what_nothing_moves_has_no_column),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
