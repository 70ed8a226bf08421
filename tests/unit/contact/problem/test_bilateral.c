// Bilateral rows eliminated and recovered.
#include "contact/problem/bilateral.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_B = 8, MOST_C = 9, MOST = MOST_B + MOST_C, STRIDE = 12, COORDINATES = 14 };

typedef struct fixture {
  int n_b, n_c, n;
  double J[MOST][COORDINATES], W[MOST * MOST], b[MOST], friction[3], scale[MOST];
  double cone_W[STRIDE * STRIDE], cone_b[STRIDE], U[64], vectors[4][MOST], work[MOST * STRIDE], square[64];
  int row[MOST_B];
  srs_contact_problem problem;
  srs_cone_problem cone;
  srs_bilateral bilateral;
} fixture;

// The last `n_same` bilateral rows are combinations of those before.
static void draw(testing_random *random, int n_b, int n_same, fixture *f)
{
  memset(f, 0, sizeof *f);
  f->n_b = n_b, f->n_c = MOST_C, f->n = n_b + MOST_C;
  double v[COORDINATES];
  for (int k = 0; k < COORDINATES; k++) v[k] = testing_uniform(random, -1, 1);
  for (int i = 0; i < f->n; i++) {
    for (int k = 0; k < COORDINATES; k++) f->J[i][k] = testing_uniform(random, -1, 1);
    if (i < n_b - n_same || i >= n_b) continue;
    for (int k = 0; k < COORDINATES; k++) f->J[i][k] = 0;
    for (int j = 0; j < n_b - n_same; j++) {
      const double share = testing_uniform(random, -1, 1);
      for (int k = 0; k < COORDINATES; k++) f->J[i][k] += share * f->J[j][k];
    }
  }
  for (int i = 0; i < f->n; i++) {
    for (int k = 0; k < COORDINATES; k++) f->b[i] += f->J[i][k] * v[k];
    for (int j = 0; j < f->n; j++)
      for (int k = 0; k < COORDINATES; k++) f->W[i * f->n + j] += f->J[i][k] * f->J[j][k];
  }
  f->problem = (srs_contact_problem){
      .n_bilateral = n_b, .n_contacts = MOST_C / 3, .W = f->W, .b = f->b, .friction = f->friction};
  f->cone = (srs_cone_problem){.n = MOST_C, .stride = STRIDE, .n_contacts = MOST_C / 3, .W = f->cone_W, .b = f->cone_b};
  f->bilateral = (srs_bilateral){
      n_b, 0, srs_dense_stride(n_b), f->U, f->row, NULL, f->vectors[0], f->vectors[1], f->vectors[2], f->vectors[3], 1,
      1,   -1};
  for (int i = 0; i < f->n; i++) f->scale[i] = ldexp(1, testing_below(random, 4) - 3);
}

static void the_rank_is_found(void **state)
{
  (void)state;
  testing_random random = testing_random_start(351);
  for (int i = 0; i < 300; i++) {
    fixture f;
    const int n_b = 1 + testing_below(&random, MOST_B), n_same = testing_below(&random, n_b);
    draw(&random, n_b, n_same, &f);
    srs_bilateral_eliminate(&f.problem, f.scale, 2, &f.bilateral, &f.cone, f.work);
    assert_int_equal(f.bilateral.rank, n_b - n_same);
  }
}

// How far the bilateral impulses are from the range of J_b (a part there is a part in the null space of its transpose):
// the least |J_b c - lambda_b| by steepest descent.
static double outside_range(const fixture *f, const double *lambda)
{
  double c[COORDINATES] = {0}, worst = 0, r[MOST_B];
  for (int pass = 0; pass < 20000; pass++) {
    double slope[COORDINATES] = {0}, up = 0, down = 0;
    for (int j = 0; j < f->n_b; j++) {
      r[j] = lambda[j];
      for (int k = 0; k < COORDINATES; k++) r[j] -= f->J[j][k] * c[k];
      for (int k = 0; k < COORDINATES; k++) slope[k] += f->J[j][k] * r[j];
    }
    for (int j = 0; j < f->n_b; j++) {
      double s = 0;
      for (int k = 0; k < COORDINATES; k++) s += f->J[j][k] * slope[k];
      down += s * s;
    }
    for (int k = 0; k < COORDINATES; k++) up += slope[k] * slope[k];
    if (up < 1e-26) break;
    for (int k = 0; k < COORDINATES; k++) c[k] += up / down * slope[k];
  }
  for (int j = 0; j < f->n_b; j++) worst = fmax(worst, fabs(r[j]));
  return worst;
}

// Whatever the other rows' impulses are: bilateral velocities vanish, the others' are those of the smaller problem, and
// the bilateral impulses have no part in the null space of the rows.
static void velocities_are_those_of_the_smaller_problem(void **state)
{
  (void)state;
  testing_random random = testing_random_start(352);
  for (int i = 0; i < 300; i++) {
    fixture f;
    double x[STRIDE] = {0}, lambda[MOST], w[MOST], own[STRIDE];
    const int n_b = 1 + testing_below(&random, MOST_B), n_same = testing_below(&random, n_b);
    draw(&random, n_b, n_same, &f);
    const double size = 2;
    srs_bilateral_eliminate(&f.problem, f.scale, size, &f.bilateral, &f.cone, f.work);
    for (int j = 0; j < f.n_c; j++) x[j] = testing_uniform(&random, -1, 1);
    srs_bilateral_recover(&f.problem, f.scale, size, &f.bilateral, x, f.work, f.square);
    double most = 1;
    for (int j = 0; j < f.n; j++) {
      lambda[j] = f.scale[j] * size * (j < n_b ? f.bilateral.impulse[j] : x[j - n_b]);
      most = fmax(most, fabs(lambda[j]));
    }
    srs_dense_multiply(f.n_c, f.n_c, f.cone_W, STRIDE, x, own);
    for (int j = 0; j < f.n; j++) {
      w[j] = f.b[j];
      for (int k = 0; k < f.n; k++) w[j] += f.W[j * f.n + k] * lambda[k];
      const double expected = j < n_b ? 0 : (own[j - n_b] + f.cone_b[j - n_b]) * size / f.scale[j];
      assert_true(fabs(w[j] - expected) < 1e-12 * most); // entries about 5, n of them, impulses up to `most`
    }
    assert_true(outside_range(&f, lambda) < 1e-6 * most); // the descent's accuracy, not ours
  }
}

static double *numbers(size_t count)
{
  double *made = calloc(count, sizeof *made);
  assert_non_null(made);
  return made;
}

// The same with so many rows that BLAS multiplies blocks: 65 to 200 bilateral ones, 60 and 120 others.
static void many_rows_are_eliminated_too(void **state)
{
  (void)state;
  testing_random random = testing_random_start(353);
  for (int round = 0; round < 6; round++) {
    const int n_b = 65 + testing_below(&random, 136), n_c = round % 2 == 0 ? 60 : 120, n = n_b + n_c, coordinates = 400;
    const int n_same = testing_below(&random, 20), stride = srs_dense_stride(n_c), b_stride = srs_dense_stride(n_b);
    const size_t all = (size_t)n, wide = (size_t)coordinates, step = (size_t)stride, b_step = (size_t)b_stride;
    double *J = numbers(all * wide), *W = numbers(all * all), *b = numbers(all), *scale = numbers(all);
    double *cone_W = numbers(step * step), *cone_b = numbers(step), *U = numbers(b_step * b_step);
    double *vectors = numbers(4 * all), *work = numbers(all * (step + b_step)), *square = numbers(b_step * b_step);
    double *x = numbers(step), *own = numbers(step), *friction = numbers(all), *v = numbers(wide);
    int *row = calloc(b_step, sizeof *row);
    for (size_t k = 0; k < wide; k++) v[k] = testing_uniform(&random, -1, 1);
    for (size_t i = 0; i < all; i++) {
      for (size_t k = 0; k < wide; k++) J[i * wide + k] = testing_uniform(&random, -1, 1) / 10;
      for (size_t k = 0; k < wide && i < (size_t)n_same; k++)
        J[i * wide + k] = J[(i + 20) * wide + k] - J[(i + 40) * wide + k];
      scale[i] = ldexp(1, testing_below(&random, 4) - 3);
    }
    for (size_t i = 0; i < all; i++) {
      for (size_t k = 0; k < wide; k++) b[i] += J[i * wide + k] * v[k];
      for (size_t j = 0; j < all; j++)
        for (size_t k = 0; k < wide; k++) W[i * all + j] += J[i * wide + k] * J[j * wide + k];
    }
    const srs_contact_problem problem = {
        .n_bilateral = n_b, .n_contacts = n_c / 3, .W = W, .b = b, .friction = friction};
    srs_cone_problem cone = {.n = n_c, .stride = stride, .n_contacts = n_c / 3, .W = cone_W, .b = cone_b};
    srs_bilateral bilateral = {
        n_b, 0, b_stride, U, row, NULL, vectors, vectors + all, vectors + 2 * all, vectors + 3 * all, 1, 1, -1};
    srs_bilateral_eliminate(&problem, scale, 2, &bilateral, &cone, work);
    assert_int_equal(bilateral.rank, n_b - n_same);
    for (int j = 0; j < n_c; j++) x[j] = testing_uniform(&random, -1, 1);
    srs_bilateral_recover(&problem, scale, 2, &bilateral, x, work, square);
    srs_dense_multiply(n_c, n_c, cone_W, stride, x, own);
    double most = 1;
    for (int j = 0; j < n_b; j++) most = fmax(most, fabs(bilateral.impulse[j]));
    for (size_t j = 0; j < all; j++) {
      double w = b[j];
      for (int k = 0; k < n; k++)
        w += W[j * all + (size_t)k] * scale[k] * 2 * (k < n_b ? bilateral.impulse[k] : x[k - n_b]);
      const double expected = j < (size_t)n_b ? 0 : (own[j - (size_t)n_b] + cone_b[j - (size_t)n_b]) * 2 / scale[j];
      assert_true(fabs(w - expected) < 1e-11 * most); // some 300 terms of up to `most`
    }
    double *pieces[] = {J, W, b, scale, cone_W, cone_b, U, vectors, work, square, x, own, friction, v};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) free(pieces[k]);
    free(row);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rank_is_found),
      cmocka_unit_test(velocities_are_those_of_the_smaller_problem),
      cmocka_unit_test(many_rows_are_eliminated_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
