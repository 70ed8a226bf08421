// Friction polyhedra as linear complementarity problems: assembly, equations.
#include "contact/algebra/ncp_function.h"
#include "contact/iterate/mlcp.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 2, UNILATERAL = 1, BOX = 2, N = 3 * CONTACTS + UNILATERAL + BOX, STRIDE = 12, MOST = 40 };

typedef struct fixture {
  double W[STRIDE * STRIDE], b[STRIDE], friction[CONTACTS], lower[BOX], upper[BOX];
  double M[MOST * MOST], q[MOST], turn[N], x[STRIDE], w[STRIDE], z[MOST];
  double offset[MOST], pure_q[MOST];
  srs_share shares[MOST];
  srs_cone_problem cone;
  srs_mlcp mlcp;
} fixture;

static void draw(testing_random *random, int n_directions, fixture *f)
{
  memset(f, 0, sizeof *f);
  f->cone = (srs_cone_problem){.n = N,
                               .stride = STRIDE,
                               .n_contacts = CONTACTS,
                               .n_unilateral = UNILATERAL,
                               .n_box = BOX,
                               .W = f->W,
                               .b = f->b,
                               .friction = f->friction,
                               .lower = f->lower,
                               .upper = f->upper};
  for (int i = 0; i < N; i++) {
    f->b[i] = testing_uniform(random, -1, 1);
    for (int j = 0; j <= i; j++)
      f->W[i * STRIDE + j] = f->W[j * STRIDE + i] = testing_uniform(random, -0.3, 0.3) + (i == j ? 2 : 0);
  }
  for (size_t i = 0; i < CONTACTS; i++) {
    const double angle = testing_uniform(random, 0, 6);
    f->turn[3 * i + 1] = cos(angle), f->turn[3 * i + 2] = sin(angle);
    f->friction[i] = testing_uniform(random, 0, 1);
  }
  for (int i = 0; i < BOX; i++)
    f->lower[i] = -testing_uniform(random, 0, 1), f->upper[i] = testing_uniform(random, 0, 1);
  f->mlcp = (srs_mlcp){.cone = &f->cone,
                       .turn = f->turn,
                       .shares = f->shares,
                       .offset = f->offset,
                       .q = f->pure_q,
                       .lcp = {.M = f->M, .q = f->q},
                       .weight = 0.7};
  srs_polyhedron_make(n_directions, 0.3, &f->mlcp.polyhedron);
  srs_mlcp_assemble(&f->mlcp);
}

// With z' = z - offset it is one of plain z' >= 0.
static void offsets_only_move_the_origin(void **state)
{
  (void)state;
  testing_random random = testing_random_start(378);
  static fixture f;
  draw(&random, 4, &f);
  const srs_lcp pure = srs_mlcp_pure(&f.mlcp);
  double z[MOST], one[MOST], other[MOST];
  for (int i = 0; i < pure.n; i++) f.z[i] = testing_uniform(&random, 0, 1), z[i] = f.z[i] + f.offset[i];
  srs_dense_multiply(pure.n, pure.n, pure.M, pure.stride, f.z, one);
  memset(z + pure.n, 0, (MOST - (size_t)pure.n) * sizeof *z);
  srs_dense_multiply(pure.n, pure.n, f.M, pure.stride, z, other);
  for (int i = 0; i < pure.n; i++) one[i] += pure.q[i], other[i] += f.q[i];
  testing_assert_close("velocities", one, other, pure.n, 1e-14);
}

// For any unknowns: w of the LCP is made of the velocities that the impulses cause.
static void the_lcp_is_the_contact_problem(void **state)
{
  (void)state;
  testing_random random = testing_random_start(371);
  for (int n_f = 4; n_f <= 10; n_f += 2) {
    static fixture f;
    draw(&random, n_f, &f);
    const int n = f.mlcp.lcp.n;
    const size_t per = 2 + (size_t)n_f;
    assert_int_equal(n, CONTACTS * srs_mlcp_contact_unknowns(2, n_f) + UNILATERAL + 2 * BOX);
    double lcp_w[MOST];
    for (int i = 0; i < n; i++) f.z[i] = testing_uniform(&random, 0, 1);
    srs_mlcp_impulse(&f.mlcp, f.z, f.x);
    srs_cone_velocity(&f.cone, f.x, f.w);
    srs_dense_multiply(n, n, f.M, f.mlcp.lcp.stride, f.z, lcp_w);
    for (int i = 0; i < n; i++) lcp_w[i] += f.q[i];
    for (size_t c = 0; c < CONTACTS; c++) {
      const double *z = f.z + c * per, *lw = lcp_w + c * per, *w = f.w + 3 * c, *turn = f.turn + 3 * c + 1;
      double sum = 0;
      assert_true(fabs(lw[0] - w[0]) < 1e-14);
      for (int k = 0; k < n_f; k++) {
        const double *d = f.mlcp.polyhedron.direction[k];
        const double d1 = turn[0] * d[0] - turn[1] * d[1], d2 = turn[1] * d[0] + turn[0] * d[1];
        assert_true(fabs(lw[1 + k] - (d1 * w[1] + d2 * w[2] + z[per - 1])) < 1e-14);
        sum += z[1 + k];
      }
      assert_true(fabs(lw[per - 1] - (f.friction[c] * z[0] - sum)) < 1e-14);
    }
    for (int k = 0; k < BOX; k++) {
      const int p = n - 2 * BOX + k;
      assert_true(f.x[N - BOX + k] == f.z[p] && f.offset[p] == f.lower[k]);
      assert_true(fabs(lcp_w[p] - (f.w[N - BOX + k] + f.z[p + BOX])) < 1e-14);
      assert_true(fabs(lcp_w[p + BOX] - (f.upper[k] - f.z[p])) < 1e-14);
    }
  }
}

static void impulses_go_there_and_back(void **state)
{
  (void)state;
  testing_random random = testing_random_start(372);
  static fixture f;
  draw(&random, 6, &f);
  f.turn[1] = f.turn[4] = 1, f.turn[2] = f.turn[5] = 0;
  srs_mlcp_assemble(&f.mlcp);
  double back[STRIDE];
  for (int i = 0; i < N; i++) f.x[i] = testing_uniform(&random, 0, 1);
  for (int k = 0; k < BOX; k++) f.x[N - BOX + k] = 0.5 * (f.lower[k] + f.upper[k]);
  srs_cone_velocity(&f.cone, f.x, f.w);
  srs_mlcp_unknowns_of(&f.mlcp, f.x, f.w, f.z);
  for (int i = 0; i < f.mlcp.lcp.n; i++) assert_true(f.z[i] >= f.offset[i]);
  srs_mlcp_impulse(&f.mlcp, f.z, back);
  testing_assert_close("impulse", back, f.x, N, 1e-14);
}

static void the_jacobian_is_the_derivative(void **state)
{
  (void)state;
  testing_random random = testing_random_start(373);
  const double h = 1e-6; // central differences: h^2 and rounding / h are both about 1e-10
  static fixture f;
  static double J[MOST * MOST];
  for (int which = 0; which < 20; which++) {
    double x[MOST], plus[MOST], minus[MOST];
    draw(&random, 4, &f);
    const int n = f.mlcp.lcp.n, stride = f.mlcp.lcp.stride;
    for (int i = 0; i < n; i++) f.z[i] = testing_uniform(&random, -1, 1);
    srs_mlcp_jacobian(&f.mlcp, f.z, J);
    for (int j = 0; j < n; j++) {
      const double z = f.z[j];
      f.z[j] = z + h;
      srs_mlcp_residual(&f.mlcp, f.z, x, plus);
      f.z[j] = z - h;
      srs_mlcp_residual(&f.mlcp, f.z, x, minus);
      f.z[j] = z;
      for (int k = 0; k < n; k++) assert_true(fabs((plus[k] - minus[k]) / (2 * h) - J[k * stride + j]) < 1e-5);
    }
  }
}

// At z = f = 0 the rows are limits of derivatives on the way in along (y, M y), y = 1 on the rows that vanish.
static void at_the_kink_the_jacobian_is_a_limit(void **state)
{
  (void)state;
  testing_random random = testing_random_start(374);
  static fixture f;
  static double J[MOST * MOST], K[MOST * MOST];
  draw(&random, 4, &f);
  const int n = f.mlcp.lcp.n, stride = f.mlcp.lcp.stride;
  memset(f.q, 0, sizeof f.q);
  memset(f.offset, 0, sizeof f.offset);
  memset(f.z, 0, sizeof f.z); // z = 0, f = q = 0: every row is at its kink
  srs_mlcp_jacobian(&f.mlcp, f.z, J);
  for (int i = 0; i < n; i++) f.z[i] = 1e-9;
  srs_mlcp_jacobian(&f.mlcp, f.z, K);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) assert_true(fabs(J[i * stride + j] - K[i * stride + j]) < 1e-7); // the step's length
}

// Against a search over the polygon's outline, finely.
static void ncp_functions_vanish_where_they_should(void **state)
{
  (void)state;
  testing_random random = testing_random_start(376);
  for (int i = 0; i < 1000; i++) {
    const double weight = testing_uniform(&random, 0.1, 1), a = testing_uniform(&random, 0, 9);
    assert_true(fabs(srs_penalised_fb(weight, a, 0)) < 1e-15 * (1 + a) &&
                fabs(srs_penalised_fb(weight, 0, a)) < 1e-15 * (1 + a));
    assert_true(srs_penalised_fb(weight, a + 0.01, 0.01) > 1e-3 * weight && srs_penalised_fb(weight, -0.01, a) < 0);
  }
  // No cancellation where one number is small: phi(a, b) ~ min(a, b) (MJ 2.2.2's trap).
  assert_true(fabs(srs_penalised_fb(1, 1e20, 0.1) - 0.1) < 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_lcp_is_the_contact_problem),      cmocka_unit_test(offsets_only_move_the_origin),
      cmocka_unit_test(impulses_go_there_and_back),          cmocka_unit_test(the_jacobian_is_the_derivative),
      cmocka_unit_test(at_the_kink_the_jacobian_is_a_limit), cmocka_unit_test(ncp_functions_vanish_where_they_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
