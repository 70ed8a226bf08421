// Large problems with friction polyhedra, against Lemke's pivots, which go another way.
#include "contact/large/large_polyhedral.h"
#include "support/blocks.h"
#include "support/contact_problems.h"

#include <math.h>
#include <string.h>

enum { MOST = 120, MOST_DIRECTIONS = 16 };

static const contact_lots lots = {.most_contacts = 10,
                                  .most_bilateral = 3,
                                  .most_unilateral = 2,
                                  .most_box = 3,
                                  .most_friction = 0.5,
                                  .most_mass_ratio = 10,
                                  .has_any_tangents = true,
                                  .most_anisotropy = 2};

typedef struct fixture {
  srs_large_cone cone;
  srs_large_polyhedral polyhedral;
  srs_contact_solver *solver;
  double scale[MOST], impulse[MOST], w[MOST], v[MOST], left;
} fixture;

static int set_up(void **state)
{
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  assert_int_equal(srs_contact_solver_create(0, &f->solver, NULL), SRS_OK);
  assert_int_equal(srs_contact_solver_reserve_directions(f->solver, MOST, MOST_DIRECTIONS, NULL), SRS_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  fixture *f = *state;
  srs_large_cone_release(&f->cone);
  srs_large_polyhedral_release(&f->polyhedral);
  srs_contact_solver_destroy(f->solver);
  free(f);
  return 0;
}

static void begin(fixture *f, const srs_contact_problem *p, const srs_polyhedron *polyhedron)
{
  const srs_contact_form form = srs_contact_any_form(p);
  const srs_contact_sizes sizes = testing_sizes(p->blocks, polyhedron->n);
  assert_true(form.n <= MOST);
  assert_true(srs_large_cone_reserve(&f->cone, sizes.n_rows, sizes.n_block_rows, sizes.n_blocks, sizes.n_values));
  assert_true(srs_large_polyhedral_reserve(&f->polyhedral, sizes.n_rows, sizes.n_block_rows, MOST_DIRECTIONS));
  srs_contact_scales(p, &form, f->scale);
  assert_true(srs_large_cone_begin(&f->cone, p, f->scale, srs_contact_size(form.n, p->b, f->scale), 1e-12));
  assert_true(srs_large_polyhedral_begin(&f->polyhedral, &f->cone, polyhedron, NULL));
  f->polyhedral.weight = 1;
  f->polyhedral.is_monotone = true;
  f->left = 1e12;
  f->cone.fallback.lm.left = &f->left;
}

// Natural map of the fallback's impulses, by the certificate of the solver that pivots, which looks before it moves.
static double residual_of(fixture *f, const srs_contact_problem *p, const srs_contact_options *options)
{
  srs_contact_report report;
  srs_contact_options look = *options;
  look.tolerance = 1;
  look.last_stage = SRS_STAGE_WARM;
  look.method = SRS_METHOD_MLCP_FB_RLM;
  look.max_iterations = 1;
  srs_large_cone_spread(&f->cone, f->cone.fallback.x, f->impulse);
  assert_int_equal(srs_contact_solve(f->solver, p, &look, true, f->impulse, f->w, &report), SRS_OK);
  return report.residual;
}

static void answers_are_those_of_pivots(void **state)
{
  fixture *f = *state;
  testing_random random = testing_random_start(641);
  int from_interior = 0, from_zero = 0, lemke = 0;
  enum { PROBLEMS = 200 };
  double apart = 0;
  for (int i = 0; i < PROBLEMS; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const int n = srs_contact_problem_rows(&drawn.problem);
    testing_blocks blocks;
    srs_polyhedron polyhedron;
    srs_contact_options options = srs_default_contact_options();
    options.n_directions = 4 + 2 * testing_below(&random, 7);
    options.direction_angle = testing_uniform(&random, 0, 1);
    options.method = SRS_METHOD_MLCP_LEMKE;
    srs_polyhedron_make(options.n_directions, options.direction_angle, &polyhedron);
    testing_blocks_make(&drawn.problem, &blocks);
    begin(f, &blocks.problem, &polyhedron);
    if (srs_large_polyhedral_interior(&f->polyhedral, false, 0.1, 1e-9, 200) < 1e-5) {
      const double norm = srs_large_polyhedral_newton(&f->polyhedral, 1e-15, 1e-13, 60);
      if (norm <= 1e-11) {
        from_interior++;
        assert_true(residual_of(f, &drawn.problem, &options) <= 1e-9);
        srs_contact_report report;
        double size = 0, most = 0, x[MOST];
        assert_int_equal(srs_contact_solve(f->solver, &drawn.problem, &options, false, x, f->v, &report), SRS_OK);
        for (int k = 0; k < n; k++) size = fmax(size, fabs(drawn.problem.b[k]));
        for (int k = 0; k < n; k++) most = fmax(most, fabs(f->v[k] - f->w[k]) / size);
        lemke += report.status == SRS_CONTACT_SOLVED && most < 1e-8; // else another answer
        if (most < 1e-8) apart = fmax(apart, most);
      }
    }
    memset(f->cone.fallback.x, 0, sizeof *f->cone.fallback.x * (size_t)f->cone.pattern.n);
    f->polyhedral.is_monotone = i % 2 == 0;
    f->polyhedral.weight = i % 3 == 0 ? 0.7 : 1;
    from_zero += srs_large_polyhedral_newton(&f->polyhedral, 1e-15, 1e-13, 60) <= 1e-11;
    testing_blocks_free(&blocks);
    random_problem_free(&drawn);
  }
  print_message("of %d: %d by the interior point, %d of them where pivots lead, to %.2g; %d by Newton from zero\n",
                PROBLEMS, from_interior, lemke, apart, from_zero);
  assert_true(from_interior > 0.95 * PROBLEMS && lemke > 0.95 * from_interior && from_zero > 0.6 * PROBLEMS);
}

// Steps are those of all unknowns together: at the answer of a regular problem Newton's are quadratic.
static void newton_is_quadratic(void **state)
{
  fixture *f = *state;
  const double W[9] = {2, 0.3, 0, 0.3, 1, 0, 0, 0, 1}, b[3] = {-1, 1, 0.5}, mu = 0.4;
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &mu};
  testing_blocks blocks;
  srs_polyhedron polyhedron;
  srs_polyhedron_make(8, 0, &polyhedron);
  testing_blocks_make(&p, &blocks);
  begin(f, &blocks.problem, &polyhedron);
  memset(f->cone.fallback.x, 0, sizeof *f->cone.fallback.x * 3);
  f->polyhedral.iterations = 0;
  assert_true(srs_large_polyhedral_newton(&f->polyhedral, 1e-15, 1e-15, 60) < 1e-14);
  assert_true(f->polyhedral.iterations < 15);
  testing_blocks_free(&blocks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(answers_are_those_of_pivots, set_up, tear_down),
      cmocka_unit_test_setup_teardown(newton_is_quadratic, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
