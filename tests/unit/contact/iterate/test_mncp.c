// Todorov's form: any z obeys the laws; the Jacobian is the derivative.
#include "contact/iterate/mncp.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 4, UNILATERAL = 1, BOX = 2, MOST = 3 * CONTACTS + UNILATERAL + BOX, STRIDE = 16 };

typedef struct fixture {
  srs_cone_problem p;
  double W[STRIDE * STRIDE], b[STRIDE], friction[CONTACTS], lower[BOX], upper[BOX], z[STRIDE];
} fixture;

// Every other time contacts have 0, 1, 2 and 3 tangents.
static int draw(testing_random *random, fixture *f)
{
  static const int first[CONTACTS + 1] = {0, 1, 3, 6, 10};
  const bool is_usual = testing_below(random, 2) == 0;
  const int N = is_usual ? MOST : first[CONTACTS] + UNILATERAL + BOX;
  memset(f, 0, sizeof *f);
  f->p = (srs_cone_problem){.n = N,
                            .stride = STRIDE,
                            .n_contacts = CONTACTS,
                            .n_unilateral = UNILATERAL,
                            .n_box = BOX,
                            .first = is_usual ? NULL : first,
                            .W = f->W,
                            .b = f->b,
                            .friction = f->friction,
                            .lower = f->lower,
                            .upper = f->upper};
  for (int i = 0; i < N; i++) {
    f->b[i] = testing_uniform(random, -1, 1), f->z[i] = testing_uniform(random, -1, 1);
    for (int j = 0; j < N; j++) f->W[i * STRIDE + j] = testing_uniform(random, -1, 1);
  }
  for (int i = 0; i < CONTACTS; i++) f->friction[i] = testing_uniform(random, 0, 3);
  for (int i = 0; i < BOX; i++) f->upper[i] = testing_uniform(random, 0, 1), f->lower[i] = -f->upper[i];
  return N;
}

static void every_z_obeys_the_laws(void **state)
{
  (void)state;
  testing_random random = testing_random_start(321);
  for (int i = 0; i < 2000; i++) {
    fixture f;
    const int N = draw(&random, &f);
    double x[STRIDE] = {0}, w[STRIDE];
    srs_mncp_impulse(&f.p, f.z, x);
    for (int j = 0; j < N; j++) w[j] = x[j] + f.z[j];
    assert_true(srs_cone_residual(&f.p, x, w) < 1e-14); // a few roundings
  }
}

static void the_residual_is_what_is_missing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(322);
  fixture f;
  const int N = draw(&random, &f);
  double x[STRIDE] = {0}, r[STRIDE], w[STRIDE];
  srs_mncp_residual(&f.p, f.z, x, r);
  srs_cone_velocity(&f.p, x, w);
  for (int j = 0; j < N; j++) assert_true(fabs(r[j] - (x[j] + f.z[j] - w[j])) < 1e-14);
}

static void the_jacobian_is_the_derivative(void **state)
{
  (void)state;
  testing_random random = testing_random_start(323);
  const double h = 1e-6; // central differences: h^2 and rounding / h are both about 1e-10
  int compared = 0, all = 0;
  for (int i = 0; i < 300; i++) {
    fixture f;
    const int N = draw(&random, &f);
    all += N * N;
    double J[STRIDE * STRIDE], x[STRIDE] = {0}, plus[STRIDE], minus[STRIDE];
    srs_mncp_jacobian(&f.p, f.z, J);
    for (int j = 0; j < N; j++) {
      const double z = f.z[j];
      f.z[j] = z + h;
      srs_mncp_residual(&f.p, f.z, x, plus);
      f.z[j] = z - h;
      srs_mncp_residual(&f.p, f.z, x, minus);
      f.z[j] = z;
      for (int k = 0; k < N; k++) {
        const double slope = (plus[k] - minus[k]) / (2 * h);
        // Steep where z_t is short; a kink within h is rare, and skipped.
        if (fabs(slope - J[k * STRIDE + j]) < 1e-6) compared++;
      }
      for (int k = N; k < STRIDE; k++) assert_true(J[j * STRIDE + k] == 0);
    }
  }
  assert_true(compared > all / 1000 * 999);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_z_obeys_the_laws),
      cmocka_unit_test(the_residual_is_what_is_missing),
      cmocka_unit_test(the_jacobian_is_the_derivative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
