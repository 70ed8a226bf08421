// The step by the rows that act is Newton's: J step = r, J the whole derivative.
//
// Contacts of 0 to 3 tangents, unilateral and box rows, at points where they part, stick, slide, are held and at
// bounds.
#include "contact/iterate/mncp.h"
#include "contact/refine/active.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 9, UNILATERAL = 3, BOXES = 4, MOST_ROWS = 4 * CONTACTS + UNILATERAL + BOXES + 3 };

typedef struct drawn {
  srs_cone_problem cone;
  int first[CONTACTS + 1];
  double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[CONTACTS], lower[BOXES], upper[BOXES];
} drawn;

static void draw(testing_random *random, drawn *p)
{
  double J[MOST_ROWS][MOST_ROWS];
  memset(p, 0, sizeof *p);
  for (int c = 0; c < CONTACTS; c++) {
    p->friction[c] = testing_below(random, 4) == 0 ? 0 : testing_uniform(random, 0, 3);
    p->first[c + 1] = p->first[c] + 1 + testing_below(random, 4);
  }
  const int n = p->first[CONTACTS] + UNILATERAL + BOXES, stride = srs_dense_stride(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) J[i][j] = testing_uniform(random, -1, 1);
  for (int i = 0; i < n; i++) {
    p->b[i] = testing_uniform(random, -1, 1);
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) p->W[i * stride + j] += J[i][k] * J[j][k] / n;
  }
  for (int i = 0; i < BOXES; i++) p->lower[i] = testing_uniform(random, -1, 0), p->upper[i] = -p->lower[i] / 2;
  p->cone = (srs_cone_problem){.n = n,
                               .stride = stride,
                               .n_contacts = CONTACTS,
                               .n_unilateral = UNILATERAL,
                               .n_box = BOXES,
                               .first = p->first,
                               .W = p->W,
                               .b = p->b,
                               .friction = p->friction,
                               .lower = p->lower,
                               .upper = p->upper};
}

static void the_step_by_active_rows_is_newtons(void **state)
{
  (void)state;
  testing_random random = testing_random_start(31);
  for (int trial = 0; trial < 300; trial++) {
    static drawn p;
    static double J[MOST_ROWS * MOST_ROWS], T[MOST_ROWS * MOST_ROWS], factor[MOST_ROWS * MOST_ROWS];
    double z[MOST_ROWS] = {0}, x[MOST_ROWS] = {0}, r[MOST_ROWS] = {0}, step[MOST_ROWS] = {0}, frame[MOST_ROWS] = {0},
           whole[MOST_ROWS] = {0}, y[MOST_ROWS] = {0};
    int pivot[MOST_ROWS];
    draw(&random, &p);
    const int n = p.cone.n;
    for (int i = 0; i < n; i++) z[i] = testing_uniform(&random, -1, 1);
    const srs_lm_memory memory = {.J = T, .factor = factor, .x = y, .pivot = pivot};
    const double size = srs_active_residual(&p.cone, z, x, r);
    srs_mncp_residual(&p.cone, z, y, whole);
    for (int i = 0; i < n; i++) assert_true(fabs(r[i] - whole[i]) < 1e-13);
    assert_true(fabs(size - srs_length(n, r)) < 1e-13);
    const int unknowns = srs_active_frame(&p.cone, z, frame);
    assert_true(srs_active_step(&p.cone, &memory, frame, unknowns, r, step));
    srs_mncp_jacobian(&p.cone, z, J);
    double most = 1;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(step[i]));
    for (int i = 0; i < n; i++) {
      double sum = -r[i];
      for (int j = 0; j < n; j++) sum += J[i * p.cone.stride + j] * step[j];
      assert_true(fabs(sum) < 1e-10 * most); // rounding of an LU of 40 rows
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_step_by_active_rows_is_newtons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
