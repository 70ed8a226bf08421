// What lies beyond a null space: bodies on more contacts than they have freedoms, which contradict each other a little.
#include "contact/iterate/proximal.h"
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 4, ROWS = 3 * CORNERS };

typedef struct patch {
  double W[ROWS * ROWS], b[ROWS], friction[CORNERS];
  srs_contact_problem problem;
} patch;

// A box of 1 kg on its four lower corners, with any velocity down, and corner 0's normal velocity off by delta. It has
// an answer: straight up, fast enough, is within all cones.
static void draw_patch(testing_random *random, double delta, patch *p)
{
  const double half[3] = {testing_uniform(random, 0.1, 1), testing_uniform(random, 0.1, 1),
                          testing_uniform(random, 0.1, 1)};
  double J[ROWS][6], inverse[6] = {1, 1, 1, 0, 0, 0}, v[6];
  for (int i = 0; i < 3; i++) {
    const double a = half[(i + 1) % 3], c = half[(i + 2) % 3];
    inverse[3 + i] = 3 / (a * a + c * c);
  }
  const double tilt = testing_below(random, 2) == 0 ? 0 : 1e-3, slip = testing_below(random, 2) == 0 ? 0.1 : 1;
  for (int i = 0; i < 6; i++) v[i] = testing_uniform(random, -1, 1) * (i < 2 ? slip : 0.1);
  v[2] = testing_uniform(random, -1, -0.1);
  for (int k = 0; k < CORNERS; k++) {
    const double r[3] = {k % 2 == 0 ? half[0] : -half[0], k < 2 ? half[1] : -half[1],
                         -half[2] + tilt * testing_uniform(random, -1, 1)};
    static const double axis[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}; // normal, tangents
    for (int i = 0; i < 3; i++) {
      const double *d = axis[i], row[6] = {d[0],
                                           d[1],
                                           d[2],
                                           r[1] * d[2] - r[2] * d[1],
                                           r[2] * d[0] - r[0] * d[2],
                                           r[0] * d[1] - r[1] * d[0]};
      memcpy(J[3 * k + i], row, sizeof row);
    }
    p->friction[k] = testing_uniform(random, 0.1, 1);
  }
  for (int i = 0; i < ROWS; i++) {
    p->b[i] = i == 0 ? delta : 0;
    for (int k = 0; k < 6; k++) p->b[i] += J[i][k] * v[k];
    for (int j = 0; j < ROWS; j++) {
      p->W[ROWS * i + j] = 0;
      for (int k = 0; k < 6; k++) p->W[ROWS * i + j] += J[i][k] * inverse[k] * J[j][k];
    }
  }
  p->problem = (srs_contact_problem){.n_contacts = CORNERS, .W = p->W, .b = p->b, .friction = p->friction};
}

static void contradictions_of_any_size_are_solved(void **state)
{
  (void)state;
  enum { EACH = 500 };
  testing_random random = testing_random_start(701);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(ROWS, &solver, NULL), SRS_OK);
  int unsolved = 0;
  for (int name = SRS_METHOD_MNCP_RLM; name <= SRS_METHOD_MNCP_PLM; name++)
    for (int order = -15; order <= -3; order++) {
      srs_contact_options options = srs_default_contact_options();
      options.method = (srs_contact_method)name;
      long iterations = 0, most = 0;
      int lower = 0;
      for (int i = 0; i < EACH; i++) {
        patch p;
        double x[ROWS];
        srs_contact_report report;
        draw_patch(&random, pow(10, order) * testing_uniform(&random, -1, 1), &p);
        assert_int_equal(srs_contact_solve(solver, &p.problem, &options, false, x, NULL, &report), SRS_OK);
        assert_true(report.residual < 1e-9); // the best iterate is near in any case
        unsolved += report.status != SRS_CONTACT_SOLVED;
        iterations += report.iterations;
        most = report.iterations > most ? report.iterations : most;
        lower += report.stage <= SRS_STAGE_COLD;
      }
      print_message("%s, 1e%d: %.1f iterations, at most %ld; %d of %d by the first start\n",
                    srs_contact_method_name(options.method), order, (double)iterations / EACH, most, lower, EACH);
      assert_true(lower > 0.9 * EACH);
    }
  assert_true(unsolved <= 1); // of 13000: none is usual
  srs_contact_solver_destroy(solver);
}

static void three_contacts_cannot_contradict_each_other(void **state)
{
  (void)state;
  testing_random random = testing_random_start(702);
  srs_contact_solver *solver;
  assert_int_equal(srs_contact_solver_create(ROWS, &solver, NULL), SRS_OK);
  for (int i = 0; i < 500; i++) {
    patch p;
    double x[ROWS], W[81];
    srs_contact_report report;
    draw_patch(&random, 1e-6, &p);
    for (int r = 0; r < 9; r++) memcpy(W + (size_t)(9 * r), p.W + (size_t)(ROWS * r), 9 * sizeof *W);
    p.problem.n_contacts = 3, p.problem.W = W;
    assert_int_equal(srs_contact_solve(solver, &p.problem, NULL, false, x, NULL, &report), SRS_OK);
    assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  }
  srs_contact_solver_destroy(solver);
}

// Memory of its own for the functions themselves.
typedef struct bench {
  double W[ROWS * ROWS], J[ROWS * ROWS], gram[ROWS * ROWS], factor[ROWS * ROWS], vectors[13][ROWS], tall[2 * ROWS];
  int pivot[ROWS];
  srs_lm_memory lm;
  srs_cone_problem cone;
  srs_proximal proximal;
} bench;

static void lay_out(patch *p, bench *b)
{
  memset(b, 0, sizeof *b);
  memcpy(b->W, p->W, sizeof b->W);
  b->cone = (srs_cone_problem){.n = ROWS, .stride = ROWS, .n_contacts = CORNERS, .friction = p->friction};
  b->cone.W = b->W, b->cone.b = p->b;
  b->lm = (srs_lm_memory){.J = b->J,
                          .gram = b->gram,
                          .factor = b->factor,
                          .x = b->vectors[0],
                          .r = b->vectors[1],
                          .trial = b->vectors[2],
                          .trial_r = b->vectors[3],
                          .gradient = b->vectors[4],
                          .step = b->vectors[5],
                          .best = b->vectors[6],
                          .tall = b->tall,
                          .pivot = b->pivot};
  b->proximal = (srs_proximal){&b->cone, &b->lm, b->vectors[7], b->vectors[8], false};
}

static void the_path_leads_from_nothing_to_near_an_answer(void **state)
{
  (void)state;
  testing_random random = testing_random_start(703);
  int near = 0, there = 0;
  for (int i = 0; i < 200; i++) {
    patch p;
    bench b;
    draw_patch(&random, 1e-7, &p);
    lay_out(&p, &b);
    double *z = b.vectors[9], *good = b.vectors[10];
    memcpy(z, p.b, sizeof p.b);
    assert_true(srs_proximal_path(&b.proximal, 1000, good, z) < 1000 + ROWS);
    assert_memory_equal(b.W, p.W, sizeof p.W); // put back to the bit
    const double before = srs_proximal_finish(&b.proximal, 1, 0, z).norm;
    const double after = srs_proximal_finish(&b.proximal, 1e-13, 200, z).norm;
    assert_memory_equal(b.W, p.W, sizeof p.W);
    assert_true(after <= before);
    near += before < 1e-6, there += after < 1e-12;
  }
  print_message("near: %d of 200, there: %d\n", near, there);
  assert_true(near >= 190 && there >= 190);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contradictions_of_any_size_are_solved),
      cmocka_unit_test(three_contacts_cannot_contradict_each_other),
      cmocka_unit_test(the_path_leads_from_nothing_to_near_an_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
