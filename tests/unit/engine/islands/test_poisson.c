// Poisson's impacts: the second phase on random problems with all kinds of rows and with every solver, and scenes where
// the answer is known by hand.

#include "engine/islands/poisson.h"
#include "engine/rows/problem_sizes.h"
#include "support/contact_problems.h"
#include "support/sims.h"
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double sum_of_products(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Random problems
// ---------------------------------------------------------------------------------------------------------------------

typedef struct impact {
  const srs_contact_problem *first;
  srs_contact_solver *solver;
  srs_contact_options options;
  double *restitution;        // n_contacts
  double *impulse, *velocity; // n: after the first phase
  double *total, *end;        // n: after both
  double *doubles;
  int *ints;
} impact;

static bool solve(const impact *a, const srs_contact_problem *p, double *impulse, double *velocity)
{
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(a->solver, p, &a->options, false, impulse, velocity, &report), SRS_OK);
  return report.status == SRS_CONTACT_SOLVED;
}

// False where a problem was not solved, which the solver said.
static bool strike(const impact *a, srs_poisson *second)
{
  const srs_contact_problem *p = a->first;
  const int n = srs_contact_problem_rows(p);
  if (!solve(a, p, a->impulse, a->velocity)) return false;
  memcpy(a->total, a->impulse, (size_t)n * sizeof *a->total);
  if (srs_poisson_begin(p, a->impulse, a->velocity, a->restitution, a->doubles, a->ints, second))
    for (int may_push = 0; may_push < 2; may_push++) {
      srs_poisson_make(p, a->impulse, a->velocity, may_push, second);
      if (!solve(a, &second->problem, second->impulse, second->velocity)) return false;
      memcpy(a->total, a->impulse, (size_t)n * sizeof *a->total);
      srs_poisson_add(second, a->total);
      if (!srs_poisson_is_pressed(p, second, a->total)) break;
    }
  for (int i = 0; i < n; i++) a->end[i] = sum_of_products(p->W + (size_t)i * (size_t)n, a->total, n) + p->b[i];
  return true;
}

// The law of the second phase, up to what the solver's tolerance leaves: relative to the sizes that came in. The
// contact's rows begin at i.
static void check_contact(const impact *a, const srs_poisson *second, int c, int i, double small, bool is_exact)
{
  const int d = a->first->tangents == NULL ? 2 : a->first->tangents[c];
  const double mu = a->first->friction[c], *w = a->end + i, *e = a->first->anisotropy;
  double y[4], slip = 0, size = 0, off = 0;
  for (int k = 0; k <= d; k++) y[k] = a->total[i + k] - a->impulse[i + k];
  assert_true(y[0] > second->given[i] - small && w[0] > -small);
  assert_true(fmin(y[0] - second->given[i], w[0]) < small);
  if (!is_exact) return;
  for (int k = 1; k <= d; k++) {
    const double anisotropy = e == NULL ? 1 : e[3 * c + k - 1];
    slip = hypot(slip, anisotropy * w[k]), size = hypot(size, y[k] / anisotropy);
  }
  assert_true(size < mu * y[0] + 10 * small);
  for (int k = 1; k <= d && slip > 0; k++) {
    const double anisotropy = e == NULL ? 1 : e[3 * c + k - 1];
    off = hypot(off, y[k] / anisotropy + mu * y[0] * anisotropy * w[k] / slip);
  }
  if (slip > sqrt(small)) assert_true(off < sqrt(small));
}

static void check(const impact *a, const srs_poisson *second, bool are_alike)
{
  const srs_contact_problem *p = a->first;
  const int n = srs_contact_problem_rows(p), boxes = n - p->n_box;
  double size = 1; // of what came in
  for (int i = 0; i < n; i++) size = fmax(size, fmax(fabs(p->b[i]), fabs(a->total[i])));
  const double small = 1e-8 * size; // the tolerance is 1e-12 of scaled numbers, and W's diagonals differ by up to 1e3
  for (int i = 0; i < p->n_bilateral; i++) assert_true(fabs(a->end[i]) < small);
  for (int i = boxes; i < n; i++)
    assert_true(a->total[i] > p->box_lower[i - boxes] - small && a->total[i] < p->box_upper[i - boxes] + small);
  double energy = 0;
  for (int i = 0; i < n; i++) energy += 0.5 * a->total[i] * (a->end[i] + p->b[i]);
  assert_true(energy < small * size);
  if (second->given == NULL) return;
  const bool is_exact = a->options.method <= SRS_METHOD_MNCP_PLM;
  for (int c = 0, i = p->n_bilateral; c < p->n_contacts; c++) {
    check_contact(a, second, c, i, small, is_exact);
    const double asked = fmax(a->restitution[c] * a->impulse[i], 0);
    if (are_alike && p->n_box == 0) // nothing is lowered where no box row has spent what it has
      assert_true(fabs(second->given[i] - asked) < small);
    i += 1 + (p->tangents == NULL ? 2 : p->tangents[c]);
  }
}

static void the_second_phase_obeys_its_law_and_makes_no_energy(void **state)
{
  (void)state;
  enum { PROBLEMS = 200, MOST_ROWS = 60, MOST_CONTACTS = 8 };
  const size_t rows = MOST_ROWS;
  testing_random random = testing_random_start(20);
  contact_lots lots = {.most_contacts = 8,
                       .most_bilateral = 3,
                       .most_copies = 1,
                       .most_unilateral = 2,
                       .most_box = 2,
                       .most_friction = 1,
                       .most_mass_ratio = 100};
  impact a = {.options = srs_default_contact_options()};
  assert_int_equal(srs_contact_solver_create(MOST_ROWS, &a.solver, NULL), SRS_OK);
  double *memory = calloc(5 * rows + srs_poisson_doubles(MOST_ROWS, MOST_CONTACTS), sizeof *memory);
  a.ints = calloc(srs_poisson_ints(MOST_ROWS, MOST_CONTACTS), sizeof *a.ints);
  assert_true(memory != NULL && a.ints != NULL);
  a.restitution = memory, a.impulse = memory + rows, a.velocity = memory + 2 * rows;
  a.total = memory + 3 * rows, a.end = memory + 4 * rows, a.doubles = memory + 5 * rows;
  int pressed = 0, unsolved = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    lots.has_any_tangents = k % 4 >= 2, lots.most_anisotropy = k % 4 == 3 ? 3 : 1;
    random_problem made = random_problem_make(&random, &lots);
    const bool are_alike = k % 2 == 0;
    const double e = testing_uniform(&random, 0, 1);
    for (int c = 0; c < made.problem.n_contacts; c++) {
      const double own = testing_below(&random, 3) == 0 ? 0 : testing_uniform(&random, 0, 1);
      a.restitution[c] = are_alike ? e : own;
    }
    a.first = &made.problem;
    for (int name = 0; name < SRS_COMPLEMENTARITY_METHODS; name++) {
      srs_poisson second = {.given = NULL};
      a.options.method = (srs_contact_method)name;
      a.options.last_stage = name < SRS_METHOD_MLCP_LEMKE ? SRS_STAGE_SOFTENED : SRS_STAGE_LEMKE;
      if (!strike(&a, &second)) {
        unsolved++;
        continue;
      }
      check(&a, &second, are_alike);
      pressed += second.problem.n_contacts > made.problem.n_contacts;
    }
    random_problem_free(&made);
  }
  print_message("%d impacts, %d needed more than what was given, %d unsolved\n", PROBLEMS * SRS_CONTACT_METHODS,
                pressed, unsolved);
  assert_true(unsolved < PROBLEMS * SRS_CONTACT_METHODS / 50); // of random problems far fewer; duplicates'
                                                               // tangents make these harder
  free(memory);
  free(a.ints);
  srs_contact_solver_destroy(a.solver);
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------------------------

static double energy(const srs_sim *sim, srs_workspace *w)
{
  srs_energies e;
  assert_int_equal(srs_energy(w, srs_sim_q(sim), srs_sim_v(sim), &e), SRS_OK);
  return e.kinetic + e.potential;
}

static void a_ball_bounces_to_e_squared(void **state)
{
  (void)state;
  static const double restitution[] = {0, 0.5, 1};
  for (int i = 0; i < 3; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "models: [{name: b, base: floating, position: [0, 0, 1.1], links: [{name: b, mass: 2, inertia: [1, 1, "
             "1]}],\n  shapes: [{link: b, kind: sphere, radius: 0.1}]}]\n"
             "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
             "contact: {impact: poisson, restitution: %g}\n",
             restitution[i]);
    world w = load(text);
    double highest = 0, v = 0;
    for (int k = 0; k < 880; k++) { // the second apex is at most at 1.355 s; an impact at 0.4515 s
      step(w.sim, 1);
      v = fmax(v, -srs_sim_v(w.sim)[2]);
      if (k > 452) highest = fmax(highest, srs_sim_q(w.sim)[2] - 0.1);
    }
    const double e = restitution[i];
    assert_true(fabs(highest - e * e) < 1.2e-3 * v); // first order in h, as mathematics of impacts has it
    unload(&w);
  }
}

// Equal balls, one at rest: momentum is kept and the speeds differ by e. Central, so friction has no say.
static void two_balls_leave_with_e(void **state)
{
  (void)state;
  static const char *const laws[] = {"two-phase", "poisson", "newton"};
  for (int law = 0; law < 3; law++)
    for (int i = 0; i <= 4; i++) {
      const double e = i / 4.0;
      char text[1024];
      snprintf(
          text, sizeof text,
          "gravity: [0, 0, 0]\nmodels:\n"
          "  - {name: a, base: floating, links: [{name: b, mass: 1, inertia: [1, 1, 1]}],\n"
          "     shapes: [{link: b, kind: sphere, radius: 0.1}]}\n"
          "  - {name: c, base: floating, position: [0.2005, 0, 0], links: [{name: b, mass: 1, inertia: [1, 1, 1]}],\n"
          "     shapes: [{link: b, kind: sphere, radius: 0.1}]}\n"
          "contact: {impact: %s, restitution: %g, impact_threshold: 0, normal: velocity}\ninitial: {v: {a/root: [1, 0, "
          "0, 0, 0, 0]}}\n",
          laws[law], e);
      world w = load(text);
      step(w.sim, 1);
      const double v[2] = {srs_sim_v(w.sim)[0], srs_sim_v(w.sim)[6]}, expected[2] = {(1 - e) / 2, (1 + e) / 2};
      testing_assert_close("speeds", v, expected, 2, 1e-11);
      unload(&w);
    }
}

// A ball (I = 0.4 m r^2, so that a tangential impulse p changes the slip by 3.5 p / m) comes in with slip 1. With a
// large mu the first phase ends the slip: p = 1 / 3.5. Poisson's second phase has nothing left to hold; two-phase gives
// e times that friction again. With a small mu it slides all through, and all laws take mu (1 + e) m v_n.
static void laws_differ_where_friction_holds_and_agree_where_it_slides(void **state)
{
  (void)state;
  static const char *const laws[] = {"two-phase", "poisson", "newton"};
  const double e = 0.5, r = 0.1;
  for (int law = 0; law < 3; law++)
    for (int holds = 0; holds < 2; holds++) {
      const double mu = holds ? 2 : 0.05;
      char text[512];
      snprintf(text, sizeof text,
               "gravity: [0, 0, 0]\n"
               "models: [{name: b, base: floating, links: [{name: b, mass: 1, inertia: [0.004, 0.004, 0.004]}],\n"
               "  shapes: [{link: b, kind: sphere, radius: 0.1}]}]\n"
               "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
               "contact: {impact: %s, restitution: %g, friction: %g, normal: velocity}\n"
               "initial: {q: {root.z: 0.1005}, v: {root: [1, 0, -2, 0, 0, 0]}}\n",
               laws[law], e, mu);
      world w = load(text);
      step(w.sim, 1);
      const double *v = srs_sim_v(w.sim), slip = v[0] - r * v[4];
      const double held = law == 0 ? -e : 0, slid = 1 - 3.5 * mu * (1 + e) * 2;
      assert_true(fabs(v[2] - 2 * e) < 1e-11);
      assert_true(fabs(slip - (holds ? held : slid)) < 1e-11);
      unload(&w);
    }
}

// A tumbling block with friction, thrown at the ground: steps raise its energy by what a free flight does at first
// order (nothing here, Euler's flight loses h^2 g^2 m / 2 a step) and never by an impact.
static void a_thrown_block_never_gains_energy(void **state)
{
  (void)state;
  testing_random random = testing_random_start(3);
  double gained[2] = {0, 0};
  for (int law = 0; law < 2; law++)
    for (int k = 0; k < 40; k++) {
      char text[1024];
      snprintf(text, sizeof text,
               "models: [{name: b, base: floating, links: [{name: b, mass: 1, inertia: [0.01, 0.02, 0.025]}],\n"
               "  shapes: [{link: b, kind: box, size: [0.5, 0.3, 0.2]}]}]\n"
               "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
               "contact: {impact: %s, restitution: %g, friction: %g, normal: velocity, error_reduction: 0, "
               "impact_threshold: 0}\n"
               "initial: {q: {root.z: 0.4}, v: {root: [%g, %g, -2, %g, %g, %g]}}\n",
               law == 0 ? "poisson" : "newton", testing_uniform(&random, 0.3, 1), testing_uniform(&random, 0.1, 1),
               testing_uniform(&random, -3, 3), testing_uniform(&random, -3, 3), testing_uniform(&random, -9, 9),
               testing_uniform(&random, -9, 9), testing_uniform(&random, -9, 9));
      world w = load(text);
      srs_workspace *workspace;
      assert_int_equal(srs_workspace_create(srs_scene_model(w.scene), &workspace, NULL), SRS_OK);
      for (int i = 0; i < 300; i++) {
        const double before = energy(w.sim, workspace);
        step(w.sim, 1);
        int n;
        (void)srs_sim_contacts(w.sim, &n);
        if (n > 0) gained[law] = fmax(gained[law], energy(w.sim, workspace) - before);
      }
      srs_workspace_destroy(workspace);
      unload(&w);
    }
  print_message("energy gained by an impact: poisson %.2g J, newton %.2g J\n", gained[0], gained[1]);
  // A flight of one step with 9 rad/s gains I w^2 (w h)^2 of the explicit gyroscopic term: 0.01 * 81 * 81e-6.
  assert_true(gained[0] < 2e-4);
}

// Four contacts at once, more than the capacity's problem would hold without the second phase's.
static void a_flat_block_bounces_flat(void **state)
{
  (void)state;
  world w = load("gravity: [0, 0, 0]\n"
                 "models: [{name: b, base: floating, links: [{name: b, mass: 1, inertia: [0.01, 0.01, 0.01]}],\n"
                 "  shapes: [{link: b, kind: box, size: [0.2, 0.2, 0.2]}]}]\n"
                 "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
                 "contact: {impact: poisson, restitution: 0.5, friction: 0.2, capacity: 4, normal: velocity}\n"
                 "initial: {q: {root.z: 0.1005}, v: {root: [0, 0, -2, 0, 0, 0]}}\n");
  step(w.sim, 1);
  const double expected[6] = {0, 0, 1, 0, 0, 0};
  testing_assert_close("velocity", srs_sim_v(w.sim), expected, 6, 1e-11);
  assert_int_equal(srs_sim_get_statistics(w.sim)->growths, 0);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_second_phase_obeys_its_law_and_makes_no_energy),
      cmocka_unit_test(a_ball_bounces_to_e_squared),
      cmocka_unit_test(two_balls_leave_with_e),
      cmocka_unit_test(laws_differ_where_friction_holds_and_agree_where_it_slides),
      cmocka_unit_test(a_thrown_block_never_gains_energy),
      cmocka_unit_test(a_flat_block_bounces_flat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
