// Linear complementarity problems by pivots.
#include "contact/direct/lemke.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { MOST = 60 };

typedef struct memory {
  double M[MOST * MOST], q[MOST], z[MOST], tableau[MOST * (MOST + 8)], factor[MOST * MOST], column[MOST];
  int row[MOST], place[2 * MOST + 1], pivot[MOST];
  srs_lcp lcp;
  srs_lemke_memory lemke;
} memory;

static void lay_out(memory *m, int n)
{
  memset(m, 0, sizeof *m);
  m->lcp = (srs_lcp){n, srs_dense_stride(n), m->M, m->q};
  m->lemke = (srs_lemke_memory){m->tableau, m->factor, m->column, m->row, m->place, m->pivot};
}

// The worst of |min(z_i, w_i)|.
static double defect(const memory *m)
{
  double worst = 0;
  for (int i = 0; i < m->lcp.n; i++) {
    double w = m->q[i];
    for (int j = 0; j < m->lcp.n; j++) w += m->M[i * m->lcp.stride + j] * m->z[j];
    worst = fmax(worst, fabs(fmin(m->z[i], w)));
  }
  return worst;
}

static void known_answers_are_found(void **state)
{
  (void)state;
  static memory m;
  int pivots;
  lay_out(&m, 2); // 2 z1 + z2 = 5, z1 + 2 z2 = 6
  const double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) m.M[i * 4 + j] = M[2 * i + j], m.q[i] = q[i];
  assert_int_equal(srs_lemke(&m.lcp, &m.lemke, 100, m.z, &pivots), SRS_LEMKE_SOLVED);
  assert_true(fabs(m.z[0] - 4.0 / 3) < 1e-15 && fabs(m.z[1] - 7.0 / 3) < 1e-15);
  m.q[0] = 1; // z1 = 0: w1 = 1 + 3, z2 = 3
  assert_int_equal(srs_lemke(&m.lcp, &m.lemke, 100, m.z, &pivots), SRS_LEMKE_SOLVED);
  assert_true(m.z[0] == 0 && fabs(m.z[1] - 3) < 1e-15);
  m.q[1] = 0;
  assert_int_equal(srs_lemke(&m.lcp, &m.lemke, 100, m.z, &pivots), SRS_LEMKE_SOLVED);
  assert_true(m.z[0] == 0 && m.z[1] == 0 && pivots == 0);
}

static void no_answer_is_a_ray(void **state)
{
  (void)state;
  static memory m;
  int pivots;
  lay_out(&m, 2);
  m.q[0] = -1; // w1 = -1 whatever z is
  assert_int_equal(srs_lemke(&m.lcp, &m.lemke, 100, m.z, &pivots), SRS_LEMKE_RAY);
  assert_true(isfinite(m.z[0]) && isfinite(m.z[1]));
}

// M = A^T A + S - S^T, q = -M z0 + something >= 0 where z0 = 0: has an answer. Rows are repeated: full of ties.
static void positive_problems_with_copies_are_solved(void **state)
{
  (void)state;
  testing_random random = testing_random_start(341);
  static memory m;
  for (int i = 0; i < 500; i++) {
    double A[MOST][MOST];
    const int n = 2 + testing_below(&random, MOST - 12), rank = 1 + testing_below(&random, n), copies = n / 4;
    lay_out(&m, n);
    for (int r = 0; r < rank; r++)
      for (int c = 0; c < n; c++) A[r][c] = c >= n - copies ? A[r][c - copies] : testing_uniform(&random, -1, 1);
    double z0[MOST];
    for (int c = 0; c < n; c++) z0[c] = testing_below(&random, 2) == 0 ? 0 : testing_uniform(&random, 0, 1);
    for (int r = 0; r < n; r++)
      for (int c = 0; c < n; c++)
        for (int k = 0; k < rank; k++) m.M[r * m.lcp.stride + c] += A[k][r] * A[k][c];
    for (int r = 0; r < n; r++) {
      m.q[r] = r >= n - copies || z0[r] > 0 ? 0 : testing_uniform(&random, 0, 1);
      for (int c = 0; c < n; c++) m.q[r] -= m.M[r * m.lcp.stride + c] * z0[c];
    }
    int pivots;
    assert_int_equal(srs_lemke(&m.lcp, &m.lemke, 50 * n, m.z, &pivots), SRS_LEMKE_SOLVED);
    assert_true(defect(&m) < 1e-8); // the tableau's rounding where M_BB is singular and z is not computed again
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers_are_found),
      cmocka_unit_test(no_answer_is_a_ray),
      cmocka_unit_test(positive_problems_with_copies_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
