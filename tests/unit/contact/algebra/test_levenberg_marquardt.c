// Levenberg-Marquardt, both ways, on equations that have nothing to do with contact.
#include "contact/algebra/dense.h"
#include "contact/algebra/levenberg_marquardt.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { MOST = 8 };

typedef struct memory {
  double J[2 * MOST * MOST], gram[2 * MOST * MOST], factor[MOST * MOST], vectors[8][2 * MOST];
  int pivot[MOST];
  srs_lm_memory lm;
} memory;

static const srs_lm_memory *lay_out(memory *m)
{
  memset(m, 0, sizeof *m);
  m->lm = (srs_lm_memory){m->J,          m->gram,       m->factor,     m->vectors[0], m->vectors[1],
                          m->vectors[2], m->vectors[3], m->vectors[4], m->vectors[5], m->vectors[6],
                          m->vectors[7], m->pivot,      NULL,          NULL};
  return &m->lm;
}

// Rosenbrock's valley: 10 (y - x^2) = 0, 1 - x = 0.
static void valley(const void *data, const double *z, double *x, double *r)
{
  (void)data, (void)x;
  r[0] = 10 * (z[1] - z[0] * z[0]), r[1] = 1 - z[0];
}

static void valley_jacobian(const void *data, const double *z, double *J)
{
  (void)data;
  memset(J, 0, sizeof *J * 4 * 2);
  J[0] = -20 * z[0], J[1] = 10, J[4] = -1;
}

// x^2 = 0, x y = 0: the Jacobian is singular at the root.
static void flat(const void *data, const double *z, double *x, double *r)
{
  (void)data, (void)x;
  r[0] = z[0] * z[0], r[1] = z[0] * z[1];
}

static void flat_jacobian(const void *data, const double *z, double *J)
{
  (void)data;
  memset(J, 0, sizeof *J * 4 * 2);
  J[0] = 2 * z[0], J[4] = z[1], J[5] = z[0];
}

// x^2 + 1 = 0 has no root: the least |r| is at 0.
static void rootless(const void *data, const double *z, double *x, double *r)
{
  (void)data, (void)x;
  r[0] = z[0] * z[0] + 1;
}

static void rootless_jacobian(const void *data, const double *z, double *J)
{
  (void)data;
  memset(J, 0, sizeof *J * 4);
  J[0] = 2 * z[0];
}

static srs_minimiser *const both[2] = {srs_rlm, srs_plm};

static void a_curved_valley_is_followed(void **state)
{
  (void)state;
  const srs_equations e = {2, 4, NULL, valley, valley_jacobian};
  for (int k = 0; k < 2; k++) {
    memory m;
    double z[4] = {-1.2, 1, 0, 0};
    const srs_lm_result result = both[k](&e, lay_out(&m), 1e-14, 1e-12, 60, z);
    assert_true(result.norm <= 1e-12 && fabs(z[0] - 1) < 1e-12 && fabs(z[1] - 1) < 1e-12);
  }
}

static void a_singular_root_is_reached(void **state)
{
  (void)state;
  const srs_equations e = {2, 4, NULL, flat, flat_jacobian};
  for (int k = 0; k < 2; k++) {
    memory m;
    double z[4] = {1, 1, 0, 0};
    const srs_lm_result result = both[k](&e, lay_out(&m), 1e-12, 1e-10, 100, z);
    assert_true(result.norm <= 1e-10);
  }
}

static void no_root_ends_and_says_how_near(void **state)
{
  (void)state;
  const srs_equations e = {1, 4, NULL, rootless, rootless_jacobian};
  for (int k = 0; k < 2; k++) {
    memory m;
    double z[4] = {2, 0, 0, 0};
    const srs_lm_result result = both[k](&e, lay_out(&m), 1e-14, 1e-12, 60, z);
    assert_true(result.iterations <= 60 && result.norm >= 1 && result.norm < 1.1);
    assert_true(fabs(result.norm - (z[0] * z[0] + 1)) < 1e-14);
  }
}

static void the_end_is_never_worse_than_the_start(void **state)
{
  (void)state;
  const srs_equations e = {2, 4, NULL, valley, valley_jacobian};
  testing_random random = testing_random_start(331);
  for (int i = 0; i < 500; i++) {
    memory m;
    double z[4] = {testing_uniform(&random, -9, 9), testing_uniform(&random, -9, 9), 0, 0}, r[2];
    valley(NULL, z, NULL, r);
    const double before = sqrt(r[0] * r[0] + r[1] * r[1]);
    const srs_lm_result result = both[i % 2](&e, lay_out(&m), 1e-14, 1e-12, 1 + testing_below(&random, 5), z);
    valley(NULL, z, NULL, r);
    assert_true(result.norm <= before && fabs(result.norm - sqrt(r[0] * r[0] + r[1] * r[1])) <= 1e-12 * before);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_curved_valley_is_followed),
      cmocka_unit_test(a_singular_root_is_reached),
      cmocka_unit_test(no_root_ends_and_says_how_near),
      cmocka_unit_test(the_end_is_never_worse_than_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
