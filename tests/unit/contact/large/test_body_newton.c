// Newton's method on softened problems: a step by bodies is one by rows, and where it converges its end solves the
// softened problem. Sweeps by bodies: the contact that was visited last has its answer, and where they come to rest all
// have. Proximal points in space lead from near an answer to the answer.
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/mncp.h"
#include "contact/large/body_newton.h"
#include "unit/contact/large/factors.h"

#include <string.h>

static const tree_lots lots = {.most_trees = 8,
                               .most_freedoms = 3,
                               .most_contacts = 30,
                               .most_scalars = 3,
                               .is_planar = true},
                       lots_in_space = {.most_trees = 8, .most_freedoms = 6, .most_contacts = 30, .most_scalars = 3};

typedef struct bodies {
  tree_problem t;
  testing_blocks blocks;
  srs_groups groups;
  srs_large_cone cone;
  srs_body_newton newton;
} bodies;

static void draw_of(testing_random *random, const tree_lots *of, bodies *s)
{
  double scale[TREE_ROWS_MOST];
  srs_contact_form form;
  *s = (bodies){.groups = {0}};
  tree_problem_make(random, of, &s->t);
  testing_blocks_make(&s->t.problem, &s->blocks);
  s->blocks.blocks.factor = &s->t.factor;
  srs_contact_sizes sizes = tree_sizes(&s->t, &s->blocks.blocks, 4);
  assert_int_equal(srs_contact_problem_check(&s->blocks.problem, &form), SRS_OK);
  srs_contact_scales(&s->blocks.problem, &form, scale);
  assert_true(srs_large_cone_reserve(&s->cone, sizes.n_rows, sizes.n_block_rows, sizes.n_blocks, sizes.n_values));
  assert_true(
      srs_large_cone_begin(&s->cone, &s->blocks.problem, scale, srs_contact_size(sizes.n_rows, s->t.b, scale), 1e-9));
  assert_true(srs_groups_reserve(&s->groups, &sizes));
  assert_true(srs_body_newton_reserve(&s->newton, sizes.n_rows, sizes.n_block_rows, sizes.n_columns));
  while (!srs_body_newton_begin(&s->newton, &s->groups, &s->cone)) {
    assert_true(s->groups.is_short);
    assert_true(srs_groups_reserve(&s->groups, &sizes));
  }
  s->cone.fallback.left = INFINITY;
}

static void draw(testing_random *random, bodies *s) { draw_of(random, &lots, s); }

static void release(bodies *s)
{
  srs_body_newton_release(&s->newton);
  srs_large_cone_release(&s->cone);
  srs_groups_release(&s->groups);
  testing_blocks_free(&s->blocks);
  tree_problem_free(&s->t);
}

// r(z) of the problem softened around the centre.
static void soft_residual(const bodies *s, double rho, const double *z, double *x, double *r)
{
  const srs_fallback *l = &s->cone.fallback;
  srs_mncp_residual(&l->cone, z, x, r);
  for (int i = 0; i < l->cone.n; i++) r[i] -= rho * (x[i] - l->centre[i]);
}

// z inside the modes that are drawn.
static void draw_modes(testing_random *random, const srs_cone_problem *cone, double *z)
{
  const int boxes = srs_cone_scalars(cone) + cone->n_unilateral;
  for (int i = 0; i < boxes; i++) z[i] = testing_below(random, 4) == 0 ? 1 : -1;
  for (int c = 0; c < cone->n_contacts; c++)
    if (srs_cone_tangents(cone, c) > 0)
      z[srs_cone_first(cone, c) + 1] = (1 + cone->friction[c]) * (testing_below(random, 3) - 1);
  for (int i = boxes; i < cone->n; i++) {
    const double upper = cone->upper[i - boxes];
    const bool is_inside = upper > 0.01 && testing_below(random, 2) == 0;
    z[i] = !isfinite(upper) ? testing_uniform(random, -1, 1) : is_inside ? 0 : upper + 1;
  }
}

static void a_step_by_bodies_is_one_by_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(871);
  double worst = 0;
  for (int k = 0; k < 300; k++) {
    bodies s;
    draw(&random, &s);
    const srs_cone_problem *cone = &s.cone.fallback.cone;
    const double rho = pow(10, testing_uniform(&random, -3, 1)), apart = 1e-4;
    static double z[TREE_ROWS_MOST], y[TREE_ROWS_MOST], x[TREE_ROWS_MOST + 8], there[TREE_ROWS_MOST],
        here[TREE_ROWS_MOST], wanted[TREE_ROWS_MOST];
    draw_modes(&random, cone, z);
    memset(s.cone.fallback.centre, 0, sizeof *z * (size_t)cone->n);
    for (int i = 0; i < cone->n; i++) y[i] = wanted[i] = testing_uniform(&random, -1, 1);
    const srs_mode_solver *solver = &s.newton.planar.solver;
    assert_true(solver->factor(solver->data, rho, z));
    solver->divide(solver->data, y);
    double size = 1;
    for (int i = 0; i < cone->n; i++) size = fmax(size, fabs(y[i]));
    // r is linear as long as no mode changes
    soft_residual(&s, rho, z, x, here);
    for (int i = 0; i < cone->n; i++) z[i] += apart * y[i] / size;
    soft_residual(&s, rho, z, x, there);
    for (int i = 0; i < cone->n; i++) worst = fmax(worst, fabs((there[i] - here[i]) * size / apart - wanted[i]) / size);
    release(&s);
  }
  print_message("%.2g apart\n", worst);
  assert_true(worst < 1e-8); // sums of some 100 numbers up to 30, over `apart`
}

// A step for smoothed contacts changes r by what is missing.
static void a_step_for_smoothed_contacts_is_one_by_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(875);
  double worst = 0;
  for (int k = 0; k < 300; k++) {
    bodies s;
    draw(&random, &s);
    srs_fallback *l = &s.cone.fallback;
    const srs_smooth_solver *solver = &s.newton.smooth;
    const srs_smooth smooth = {&l->cone, &l->lm, l->swept, l->good, l->centre, 0, solver};
    const double t = pow(10, testing_uniform(&random, -2, 0)), apart = 1e-5 * t;
    static double y[TREE_ROWS_MOST], r[TREE_ROWS_MOST], step[TREE_ROWS_MOST + 8], there[TREE_ROWS_MOST],
        back[TREE_ROWS_MOST];
    if (s.t.problem.n_bilateral == 0) {
      for (int i = 0; i < l->cone.n; i++) y[i] = testing_uniform(&random, -1, 1);
      srs_smooth_tilt(&smooth, 0, NULL);
      (void)srs_smooth_residual(&smooth, t, y, r);
      assert_true(srs_smooth_factor(&smooth, t, y));
      srs_smooth_divide(&smooth, t, y, r, step);
      const double size = fmax(1, srs_length(l->cone.n, step)), missing = fmax(1, srs_length(l->cone.n, r));
      for (int i = 0; i < l->cone.n; i++) y[i] += apart * step[i] / size;
      (void)srs_smooth_residual(&smooth, t, y, there);
      for (int i = 0; i < l->cone.n; i++) y[i] -= 2 * apart * step[i] / size;
      (void)srs_smooth_residual(&smooth, t, y, back);
      for (int i = 0; i < l->cone.n; i++)
        worst = fmax(worst, fabs((there[i] - back[i]) * size / (2 * apart) + r[i]) / (size * missing));
    }
    release(&s);
  }
  print_message("%.2g apart\n", worst);
  assert_true(worst > 0 && worst < 1e-5); // of a central difference over 1e-5 t, and of |r|
}

static void its_ends_solve_the_softened_problem(void **state)
{
  (void)state;
  enum { PROBLEMS = 300 };
  testing_random random = testing_random_start(872);
  int converged = 0, steps = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    bodies s;
    draw(&random, &s);
    srs_fallback *l = &s.cone.fallback;
    static double x[TREE_ROWS_MOST + 8], r[TREE_ROWS_MOST];
    const double rho = pow(10, testing_uniform(&random, -4, 1));
    for (int i = 0; i < l->cone.n; i++) l->z[i] = testing_uniform(&random, -1, 1);
    srs_mncp_impulse(&l->cone, l->z, l->centre);
    const bool is_found = s.newton.planar.solve(s.newton.planar.data, rho, 1e-9, l->z, &steps);
    soft_residual(&s, rho, l->z, x, r);
    for (int i = 0; i < l->cone.n && is_found; i++) assert_true(fabs(r[i]) <= 1e-9);
    converged += is_found;
    l->left = 1; // nothing is done without a budget
    int none = 0;
    assert_false(s.newton.planar.solve(s.newton.planar.data, rho, 1e-9, l->z, &none));
    assert_int_equal(none, 0);
    release(&s);
  }
  print_message("%d of %d converged, %.1f steps in the mean\n", converged, PROBLEMS, (double)steps / PROBLEMS);
  assert_true(converged > PROBLEMS / 2);
}

// How far the rows of a node are from their laws, w = W x + b given.
static double defect_of(const bodies *s, int node, const double *x, const double *w)
{
  const srs_cone_problem *cone = &s->cone.fallback.cone;
  const int i = s->newton.at[s->newton.row[node]], box = i - srs_cone_scalars(cone) - cone->n_unilateral;
  if (i < srs_cone_scalars(cone)) {
    const int c = node - s->blocks.problem.n_bilateral;
    return sqrt(srs_cone_defect(srs_cone_tangents(cone, c), x + i, w + i, cone->friction[c]));
  }
  return fabs(x[i] - (box < 0 ? fmax(0, x[i] - w[i]) : srs_clamp(x[i] - w[i], cone->lower[box], cone->upper[box])));
}

static void a_visit_solves_for_its_contact(void **state)
{
  (void)state;
  enum { PROBLEMS = 300, MANY = 3000 };
  testing_random random = testing_random_start(873);
  double worst = 0;
  int solved = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    bodies s;
    draw(&random, &s);
    const srs_planar_newton *planar = &s.newton.planar;
    const srs_cone_problem *cone = &s.cone.fallback.cone;
    const int nodes = s.blocks.blocks.n_block_rows, sweeps = 1 + k % 4;
    static double z[TREE_ROWS_MOST], x[TREE_ROWS_MOST + 8], w[TREE_ROWS_MOST + 8];
    double size = 1;
    for (int i = 0; i < cone->n; i++) z[i] = testing_uniform(&random, -1, 1);
    srs_mncp_impulse(cone, z, x);
    planar->sweep(planar->data, sweeps, x);
    srs_cone_velocity(cone, x, w);
    for (int i = 0; i < cone->n; i++) size = fmax(size, fmax(fabs(x[i]), fabs(w[i])));
    int last = sweeps % 2 == 1 ? nodes - 1 : 0;
    while (s.newton.row[last] == s.newton.row[last + 1]) last += sweeps % 2 == 1 ? -1 : 1;
    worst = fmax(worst, defect_of(&s, last, x, w) / size);
    planar->sweep(planar->data, MANY, x);
    srs_cone_velocity(cone, x, w);
    solved += srs_cone_residual(cone, x, w) <= 1e-9;
    release(&s);
  }
  print_message("%.2g off after a visit, %d of %d solved by sweeps\n", worst, solved, PROBLEMS);
  assert_true(worst < 1e-9); // rounding over pivots, the least of which is 1e-9 of its contact
  assert_true(solved > PROBLEMS / 2);
}

// Sliding contacts turn, so r is linear in short steps only.
static void a_step_in_space_is_one_by_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(876);
  double worst = 0;
  for (int k = 0; k < 300; k++) {
    bodies s;
    draw_of(&random, &lots_in_space, &s);
    srs_fallback *l = &s.cone.fallback;
    const double rho = pow(10, testing_uniform(&random, -3, 0)), apart = 1e-7;
    static double z[TREE_ROWS_MOST], y[TREE_ROWS_MOST], x[TREE_ROWS_MOST + 8], there[TREE_ROWS_MOST],
        here[TREE_ROWS_MOST], wanted[TREE_ROWS_MOST];
    memset(l->centre, 0, sizeof *z * (size_t)l->cone.n);
    for (int i = 0; i < l->cone.n; i++) {
      z[i] = testing_uniform(&random, -1, 1);
      y[i] = wanted[i] = testing_uniform(&random, -1, 1);
    }
    assert_true(srs_body_points_factor(&s.newton, rho, z));
    srs_body_newton_divide(&s.newton, y);
    const double size = fmax(1, srs_length(l->cone.n, y));
    soft_residual(&s, rho, z, x, here);
    for (int i = 0; i < l->cone.n; i++) z[i] += apart * y[i] / size;
    soft_residual(&s, rho, z, x, there);
    for (int i = 0; i < l->cone.n; i++)
      worst = fmax(worst, fabs((there[i] - here[i]) * size / apart - wanted[i]) / size);
    release(&s);
  }
  print_message("%.2g apart\n", worst);
  assert_true(worst < 1e-5); // of a difference over 1e-7: its curvature, and rounding of 1e-15
}

static void points_in_space_lead_to_answers(void **state)
{
  (void)state;
  enum { PROBLEMS = 300, SWEEPS = 3 };
  testing_random random = testing_random_start(877);
  int near = 0, solved = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    bodies s;
    draw_of(&random, &lots_in_space, &s);
    srs_fallback *l = &s.cone.fallback;
    memset(l->swept, 0, sizeof *l->swept * (size_t)l->cone.n);
    l->best_residual = INFINITY;
    assert_true(srs_gauss_seidel(&l->cone, SWEEPS, l->swept));
    srs_cone_velocity(&l->cone, l->swept, l->w);
    const double before = srs_cone_residual(&l->cone, l->swept, l->w);
    const bool is_done = srs_body_points_search(&s.newton, 1e-3, l->swept);
    srs_cone_velocity(&l->cone, l->best, l->w);
    const double residual = srs_cone_residual(&l->cone, l->best, l->w);
    if (is_done) assert_true(residual <= 1e-9); // the tolerance
    near += before < 0.1, solved += is_done && before < 0.1;
    l->left = 1; // nothing is found without a budget
    l->best_residual = INFINITY;
    const int steps = l->iterations;
    (void)srs_body_points_search(&s.newton, 1e-3, l->swept);
    assert_int_equal(l->iterations, steps);
    release(&s);
  }
  print_message("%d of %d near are solved\n", solved, near);
  assert_true(near > PROBLEMS / 2 && solved > near * 9 / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_by_bodies_is_one_by_rows),
      cmocka_unit_test(a_step_for_smoothed_contacts_is_one_by_rows),
      cmocka_unit_test(its_ends_solve_the_softened_problem),
      cmocka_unit_test(a_visit_solves_for_its_contact),
      cmocka_unit_test(a_step_in_space_is_one_by_rows),
      cmocka_unit_test(points_in_space_lead_to_answers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
