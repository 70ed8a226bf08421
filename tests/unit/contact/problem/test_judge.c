// The judge: figures by hand, answers that were planted, errors that were planted, and the solvers' own certificate.
#include "support/blocks.h"
#include "support/contact_problems.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double few_roundings = 1e-15; // the data are in double

static const double identity3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void assert_near(const char *what, double value, double expected)
{
  if (!(fabs(value - expected) <= few_roundings * fmax(1, fabs(expected))))
    fail_msg("%s is %.17g, not %.17g", what, value, expected);
}

static srs_contact_judgement judge_claim(const srs_contact_problem *p, const srs_contact_claim *claim,
                                         srs_contact_finding *findings)
{
  srs_contact_judgement j;
  assert_int_equal(srs_contact_judge(p, claim, &j, findings), SRS_OK);
  return j;
}

static srs_contact_judgement judge(const srs_contact_problem *p, const double *impulse, srs_contact_finding *findings)
{
  return judge_claim(p, &(srs_contact_claim){.impulse = impulse}, findings);
}

static void assert_kinds(const srs_contact_judgement *j, double gap, double cone, double dissipation)
{
  assert_near("gap", j->gap.worst, gap);
  assert_near("cone", j->cone.worst, cone);
  assert_near("dissipation", j->dissipation.worst, dissipation);
}

// A unit mass meets the ground at 2 m/s with a slip of 5 m/s, mu 0.5: it slides on, straight, at 4 m/s.
static const double half = 0.5, thrown[3] = {-2, 3, -4};

static void an_answer_has_no_residual(void **state)
{
  (void)state;
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = thrown, .friction = &half};
  const double x[3] = {2, -0.6, 0.8};
  srs_contact_finding f;
  const srs_contact_judgement j = judge(&p, x, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_true(j.residual <= few_roundings && j.exact_residual <= few_roundings && j.natural_map <= few_roundings);
  assert_int_equal(f.mode, SRS_CONTACT_SLIDES);
  assert_near("energy", j.energy, 8 - 14.5); // from (4 + 25) / 2 J to 16 / 2 J
  assert_near("normal", f.normal, 2);
  assert_near("friction", f.friction, 1);
  assert_near("slip", f.slip, 4);
  assert_near("normal velocity", f.normal_velocity, 0);
  assert_true(isnan(j.velocity.worst) && j.velocity.index == -1);
  assert_int_equal(j.loops.index, -1);
}

static void modes_are_told(void **state)
{
  (void)state;
  const double held[3] = {-2, 0.3, -0.4}, parting[3] = {1, 2, 3}, zero[3] = {0, 0, 0}, sticks[3] = {2, -0.3, 0.4};
  const double pushed[3] = {2, 0, 0}, nothing = 0;
  srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = held, .friction = &half};
  srs_contact_finding f;
  srs_contact_judgement j = judge(&p, sticks, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_int_equal(f.mode, SRS_CONTACT_STICKS);
  p.b = parting;
  j = judge(&p, zero, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_int_equal(f.mode, SRS_CONTACT_OPEN);
  p.b = held, p.friction = &nothing; // without friction it slides
  j = judge(&p, pushed, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_int_equal(f.mode, SRS_CONTACT_SLIDES);
  assert_string_equal(srs_contact_mode_name(f.mode), "slide");
}

// Each wrong in one way; W = 1, so that relative figures are the same over |b| = sqrt(29).
static void each_error_is_of_its_kind(void **state)
{
  (void)state;
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = thrown, .friction = &half};
  const struct {
    double x[3], gap, cone, dissipation;
  } wrong[] = {
      {{2, -0.66, 0.88}, 0, 0.1, 0},         // more friction than allowed, opposed to the slip
      {{2, -0.54, 0.72}, 0, 0, 0.1},         // less than it could
      {{2, -0.8, 0.6}, 0, 0, 0.2 * sqrt(2)}, // turned: y - u = (-3, 4)
      {{1.9, -0.57, 0.76}, 0.1, 0, 0},       // lets it sink at 0.1 m/s
      {{2.25, -0.675, 0.9}, 0.25, 0, 0},     // pushes, though it parts at 0.25 m/s
      {{0, 0, 0}, 2, 0, 0},                  // nothing at all: friction has nothing to oppose with
      {{-1, 0, 0}, 3, 0, 0},                 // pulls, and makes it worse: min(-1, -3)
      {{2, 0.6, -0.8}, 0, 0, 2},             // friction that drives: y - u = (-3, 4), nearest (-0.6, 0.8)
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const srs_contact_judgement j = judge(&p, wrong[i].x, NULL);
    assert_kinds(&j, wrong[i].gap, wrong[i].cone, wrong[i].dissipation);
    assert_near("relative", j.gap.relative * sqrt(29), wrong[i].gap);
    assert_near("relative", j.cone.relative * sqrt(29), wrong[i].cone);
    assert_near("relative", j.dissipation.relative * sqrt(29), wrong[i].dissipation);
    assert_true(j.residual > 0.01 && j.exact_residual == j.residual && j.natural_map > 0.05);
  }
}

// A contact that is held slips: friction below its bound while |u| = 0.1.
static void slip_of_what_should_stick_is_dissipation(void **state)
{
  (void)state;
  const double b[3] = {-2, 0.3, -0.4}, x[3] = {2, -0.24, 0.32};
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &half};
  srs_contact_finding f;
  const srs_contact_judgement j = judge(&p, x, &f);
  assert_kinds(&j, 0, 0, 0.1);
  assert_int_equal(f.mode, SRS_CONTACT_STICKS);
}

// Mass 4 kg: s = 2. Unscaled figures stay, relative ones are s v / |s b|, x / s / |s b|.
static void relative_figures_are_scaled(void **state)
{
  (void)state;
  const double W[9] = {0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.25}, x[3] = {7.6, -2.28, 3.04}, y[3] = {8, -2.64, 3.52};
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = thrown, .friction = &half};
  srs_contact_judgement j = judge(&p, x, NULL); // v_n = 7.6 / 4 - 2
  assert_kinds(&j, 0.1, 0, 0);
  assert_near("gap", j.gap.relative, 0.1 / sqrt(29));
  j = judge(&p, y, NULL); // |y_t| = 4.4, mu y_n = 4
  assert_kinds(&j, 0, 0.4, 0);
  assert_near("cone", j.cone.relative, 0.4 / 4 / sqrt(29));
}

// lambda_t = -mu lambda_n e^2 w_t / |e w_t|, w_t = (3, 4), e = (2, 0.5), |e w_t| = sqrt(40).
static void an_ellipse_is_judged_in_its_own_units(void **state)
{
  (void)state;
  const double e[3] = {2, 0.5, 1}, size = sqrt(40), x[3] = {2, -12 / size, -1 / size};
  const double b[3] = {-2, 3 - x[1], 4 - x[2]}, double_friction[3] = {2, 2 * x[1], 2 * x[2]};
  srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &half, .anisotropy = e};
  srs_contact_finding f;
  srs_contact_judgement j = judge(&p, x, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_int_equal(f.mode, SRS_CONTACT_SLIDES);
  assert_near("friction", f.friction, 1); // mu lambda_n, whatever the direction
  assert_near("slip", f.slip, size);
  j = judge(&p, double_friction, NULL);
  assert_near("cone", j.cone.worst, 1);
  p.anisotropy = NULL; // under the round law the same is wrong
  j = judge(&p, x, NULL);
  assert_true(j.cone.worst > 0.5 && j.dissipation.worst > 0.1);
}

// Torsion of length 0.1 m: the ball |(x_1, x_2, spin / 0.1)| <= mu lambda_n.
static void torsion_shares_the_bound(void **state)
{
  (void)state;
  const unsigned char three = 3;
  const double e[3] = {1, 1, 0.1};
  double W[16] = {0};
  for (size_t i = 0; i < 4; i++) W[5 * i] = 1;
  const double x[4] = {2, -0.6, 0, -0.08}; // slips at 6 m/s and spins at 80 rad/s: u = (6, 0, 8)
  const double b[4] = {-2, 6.6, 0, 80.08}, spins[4] = {2, -0.6, 0, -0.09};
  const srs_contact_problem p = {
      .n_contacts = 1, .W = W, .b = b, .friction = &half, .tangents = &three, .anisotropy = e};
  srs_contact_finding f;
  srs_contact_judgement j = judge(&p, x, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_int_equal(f.mode, SRS_CONTACT_SLIDES);
  assert_near("slip", f.slip, 10);
  j = judge(&p, spins, NULL);
  assert_near("cone", j.cone.worst, hypot(0.6, 0.9) - 1);
}

static srs_contact_claim with_directions(const double *x, int n)
{
  return (srs_contact_claim){.impulse = x, .n_directions = n};
}

// Four directions along the tangents. All of |t1| + |t2| <= mu lambda_n is possible.
static void a_polyhedron_has_its_own_laws(void **state)
{
  (void)state;
  const double b[3] = {-2, 3, 0.5}, corner[3] = {2, -1, 0}; // slips at (2, 0.5): the corner -t1 takes most
  srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = b, .friction = &half};
  srs_contact_claim claim = with_directions(corner, 4);
  srs_contact_finding f;
  srs_contact_judgement j = judge_claim(&p, &claim, &f);
  assert_kinds(&j, 0, 0, 0);
  assert_true(j.residual <= few_roundings && j.exact_residual > 0.04);
  assert_int_equal(f.mode, SRS_CONTACT_SLIDES);
  j = judge(&p, corner, NULL); // the cone wants it turned
  assert_true(j.dissipation.worst > 0.1 && j.cone.worst == 0);

  const double across[3] = {-2, 3.25, 3.75}, edge[3] = {2, -0.25, -0.75}; // slips at (3, 3): all of an edge takes most
  p.b = across, claim.impulse = edge;
  j = judge_claim(&p, &claim, NULL);
  assert_kinds(&j, 0, 0, 0);
  const double outside[3] = {2, -0.6, -0.6}; // inside the cone, but 0.2 / sqrt(2) outside the square
  claim.impulse = outside;
  j = judge_claim(&p, &claim, NULL);
  assert_near("cone", j.cone.worst, 0.2 / sqrt(2));
  assert_true(judge(&p, outside, NULL).cone.worst == 0);
  claim.direction_angle = atan(1); // turned, a side is where the corner was: mu lambda_n / sqrt(2)
  claim.impulse = corner;
  j = judge_claim(&p, &claim, NULL);
  assert_near("cone", j.cone.worst, 1 - sqrt(0.5));
}

// One tangent: any polyhedron is the cone. Relaxed, what slides at 4 m/s parts with mu 4 m/s.
static void a_relaxed_contact_parts_where_it_slides(void **state)
{
  (void)state;
  const unsigned char one = 1;
  const double W[4] = {1, 0, 0, 1}, b[2] = {-2, 5};
  // lambda_n - 2 = 0.5 v_t, v_t = 5 - 0.5 lambda_n
  const double n = 4.5 / 1.25, x[2] = {n, -n / 2};
  const srs_contact_problem p = {.n_contacts = 1, .W = W, .b = b, .friction = &half, .tangents = &one};
  srs_contact_claim claim = {.impulse = x, .n_directions = 4, .is_relaxed = true};
  srs_contact_judgement j = judge_claim(&p, &claim, NULL);
  assert_kinds(&j, 0, 0, 0);
  assert_true(j.residual <= few_roundings && j.exact_residual > 0.1);
  claim.is_relaxed = false;
  j = judge_claim(&p, &claim, NULL);
  assert_near("gap", j.gap.worst, n - 2);
}

// A bilateral row, a limit, two box rows, each with W = 1, and velocities that are off.
static void other_rows_have_kinds_of_their_own(void **state)
{
  (void)state;
  double W[16] = {0};
  for (size_t i = 0; i < 4; i++) W[5 * i] = 1;
  const double b[4] = {3, -1, 2, 0.5}, lower[2] = {-1, -1}, upper[2] = {1, 1};
  const srs_contact_problem p = {
      .n_bilateral = 1, .n_unilateral = 1, .n_box = 2, .W = W, .b = b, .box_lower = lower, .box_upper = upper};
  const double right[4] = {-3, 1, -1, -0.5}, v[4] = {0, 0, 1, 0};
  srs_contact_claim claim = {.impulse = right, .velocity = v};
  srs_contact_judgement j = judge_claim(&p, &claim, NULL);
  assert_true(j.residual == 0 && j.velocity.worst == 0);
  assert_near("energy", j.energy, (-3 * 3 - 1 - 3 - 0.25) / 2);
  const double wrong[4] = {-2, 0.5, -0.75, -1.5}, off[4] = {1, -0.5, 1.25, -0.75};
  claim = (srs_contact_claim){.impulse = wrong, .velocity = off};
  j = judge_claim(&p, &claim, NULL);
  assert_near("loops", j.loops.worst, 1);
  assert_near("limits", j.limits.worst, 0.5);
  assert_near("box", j.box.worst, 1); // -1.5 - P(-1.5 + 1); the other, at -0.75, could do 0.25 more
  assert_int_equal(j.box.index, 1);
  assert_near("velocity", j.velocity.worst, 0.25); // -1 is what it is in the last row
  assert_int_equal(j.velocity.index, 3);
  assert_near("velocity", j.velocity.relative, 0.25 / sqrt(14.25));
}

// No motion to begin with: nothing is an answer, and so is a clamp that W does not feel.
static void where_nothing_moves_impulses_are_the_measure(void **state)
{
  (void)state;
  const double W[4] = {1, -1, -1, 1}, b[2] = {0, 0}, zero[2] = {0, 0}, squeeze[2] = {3, 3}, push[2] = {3, 4};
  const srs_contact_problem p = {.n_unilateral = 2, .W = W, .b = b};
  assert_true(judge(&p, zero, NULL).residual == 0);
  assert_true(judge(&p, squeeze, NULL).residual == 0);
  assert_near("residual", judge(&p, push, NULL).residual, sqrt(2) / 5); // v = (-1, 1)
}

// ---- planted answers ----

enum { MOST = 64 };

typedef struct planted {
  double W[MOST * MOST], b[MOST], x[MOST], v[MOST], friction[8], anisotropy[24], lower[2], upper[2];
  unsigned char tangents[8];
  srs_contact_mode modes[8];
  srs_contact_problem problem;
  int first[8]; // of each contact
} planted;

static void plant_contact(testing_random *random, planted *a, int c, int row)
{
  const int d = a->tangents[c];
  const double mu = a->friction[c], *e = a->anisotropy + 3 * (size_t)c;
  double u[3], size = 0;
  for (int k = 0; k < d; k++) u[k] = testing_uniform(random, -1, 1), size = hypot(size, u[k]);
  a->modes[c] = (srs_contact_mode)testing_below(random, d > 0 && mu > 0.05 ? 3 : 1);
  a->x[row] = a->modes[c] == SRS_CONTACT_OPEN ? 0 : testing_uniform(random, 0.5, 2);
  a->v[row] = a->modes[c] == SRS_CONTACT_OPEN ? testing_uniform(random, 0.5, 2) : 0;
  const double share = a->modes[c] == SRS_CONTACT_SLIDES ? 1 : testing_uniform(random, 0, 0.8);
  for (int k = 0; k < d; k++) {
    a->x[row + 1 + k] = -e[k] * share * mu * a->x[row] * u[k] / size;
    a->v[row + 1 + k] = a->modes[c] == SRS_CONTACT_STICKS ? 0 : u[k] / e[k];
  }
}

// W of random rows over fewer or more coordinates, b = v - W x.
static planted plant(testing_random *random)
{
  planted a = {.problem = {.n_bilateral = testing_below(random, 3),
                           .n_contacts = 1 + testing_below(random, 8),
                           .n_unilateral = testing_below(random, 3),
                           .n_box = testing_below(random, 3)}};
  int row = 0;
  for (; row < a.problem.n_bilateral; row++) a.x[row] = testing_uniform(random, -2, 2);
  for (int c = 0; c < a.problem.n_contacts; c++) {
    a.tangents[c] = (unsigned char)testing_below(random, 4);
    a.friction[c] = testing_uniform(random, 0, 1.5);
    for (int k = 0; k < 3; k++) a.anisotropy[3 * c + k] = pow(4, testing_uniform(random, -1, 1));
    a.first[c] = row;
    plant_contact(random, &a, c, row);
    row += 1 + a.tangents[c];
  }
  for (int i = 0; i < a.problem.n_unilateral; i++, row++)
    *(testing_below(random, 2) == 0 ? &a.x[row] : &a.v[row]) = testing_uniform(random, 0.5, 2);
  for (int i = 0; i < a.problem.n_box; i++, row++) {
    a.lower[i] = -testing_uniform(random, 0.5, 1), a.upper[i] = testing_uniform(random, 0.5, 1);
    const int where = testing_below(random, 3); // at rest, at the upper bound, at the lower
    a.x[row] = where == 0 ? testing_uniform(random, -0.4, 0.4) : where == 1 ? a.upper[i] : a.lower[i];
    a.v[row] = where == 0 ? 0 : (where == 1 ? -1 : 1) * testing_uniform(random, 0.5, 2);
  }
  const int n = row, m = 1 + testing_below(random, 2 * n);
  static double J[MOST][2 * MOST];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) J[i][k] = testing_uniform(random, -1, 1);
  for (int i = 0; i < n; i++) {
    long double b = a.v[i];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++) sum += J[i][k] * J[j][k];
      a.W[i * n + j] = sum;
      b -= (long double)sum * a.x[j];
    }
    a.b[i] = (double)b;
  }
  return a;
}

static const srs_contact_problem *problem_of(planted *a)
{
  srs_contact_problem *p = &a->problem;
  p->W = a->W, p->b = a->b, p->friction = a->friction, p->tangents = a->tangents, p->anisotropy = a->anisotropy;
  p->box_lower = a->lower, p->box_upper = a->upper;
  return p;
}

static void planted_answers_are_answers(void **state)
{
  (void)state;
  testing_random random = testing_random_start(811);
  for (int i = 0; i < 2000; i++) {
    planted a = plant(&random);
    const srs_contact_problem *p = problem_of(&a);
    srs_contact_finding findings[8];
    const srs_contact_claim claim = {.impulse = a.x, .velocity = a.v};
    const srs_contact_judgement j = judge_claim(p, &claim, findings);
    double rounding = 1e-15; // of b, times an anisotropy of 4 at most; that of x and v is smaller
    for (int k = 0; k < srs_contact_problem_rows(p); k++) rounding = fmax(rounding, 4 * DBL_EPSILON * fabs(a.b[k]));
    assert_true(j.residual < 1e-14 && j.exact_residual == j.residual);
    assert_true(j.gap.worst < rounding && j.cone.worst < rounding && j.dissipation.worst < rounding);
    assert_true(j.loops.worst < rounding && j.limits.worst < rounding && j.box.worst < rounding);
    assert_true(j.velocity.worst < rounding);
    for (int c = 0; c < p->n_contacts; c++) assert_int_equal(findings[c].mode, a.modes[c]);
  }
}

// The problem is moved along with the impulses (b = v - W x), so that v stays and what is broken is known.
static void move_b(planted *a, int row, double change)
{
  const int n = srs_contact_problem_rows(&a->problem);
  a->x[row] += change;
  for (int i = 0; i < n; i++) a->b[i] -= a->W[i * n + row] * change;
}

static void assert_alone(const srs_contact_judgement *j, const srs_contact_residual *broken, double by, int index)
{
  const srs_contact_residual *const kinds[] = {&j->gap, &j->cone, &j->dissipation, &j->loops, &j->limits, &j->box};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i] != broken) assert_true(kinds[i]->worst < 1e-13 && kinds[i]->relative < 1e-13);
  assert_true(fabs(broken->worst - by) < 1e-13 && broken->relative > 0);
  assert_int_equal(broken->index, index);
  assert_true(j->residual > 1e-6 * by && j->natural_map > 0.1 * by);
}

static void planted_errors_are_found_in_their_kind_and_place(void **state)
{
  (void)state;
  testing_random random = testing_random_start(812);
  int met[5] = {0};
  for (int i = 0; i < 2000; i++) {
    planted a = plant(&random);
    const srs_contact_problem *p = problem_of(&a);
    const int n = srs_contact_problem_rows(p), c = testing_below(&random, p->n_contacts), first = a.first[c];
    const double by = pow(10, testing_uniform(&random, -6, -2)), *e = a.anisotropy + 3 * (size_t)c;
    const int kind = testing_below(&random, 5);
    met[kind]++;
    srs_contact_judgement j;
    if (kind == 0) { // a velocity the contact must not have: into the surface, or away under load
      a.b[first] -= a.modes[c] == SRS_CONTACT_OPEN ? a.v[first] + by : by;
      j = judge(p, a.x, NULL);
      assert_alone(&j, &j.gap, by, c);
    } else if (kind == 1 && a.modes[c] == SRS_CONTACT_SLIDES) { // too much friction, in its direction
      for (int k = 0; k < a.tangents[c]; k++) {
        const double share = a.x[first + 1 + k] / (a.friction[c] * a.x[first]);
        move_b(&a, first + 1 + k, share * by);
      }
      j = judge(p, a.x, NULL);
      assert_alone(&j, &j.cone, by, c);
    } else if (kind == 2 && a.modes[c] == SRS_CONTACT_STICKS && a.friction[c] > 0.2) { // it slips
      a.b[first + 1] += by / e[0];
      j = judge(p, a.x, NULL);
      assert_alone(&j, &j.dissipation, by, c);
    } else if (kind == 3 && p->n_bilateral > 0) {
      a.b[p->n_bilateral - 1] += by;
      j = judge(p, a.x, NULL);
      assert_alone(&j, &j.loops, by, p->n_bilateral - 1);
    } else if (kind == 4) { // what is said of v
      a.v[n - 1] += by;
      j = judge_claim(p, &(srs_contact_claim){.impulse = a.x, .velocity = a.v}, NULL);
      assert_true(fabs(j.velocity.worst - by) < 1e-13 && j.velocity.index == n - 1 && j.residual < 1e-14);
    } else {
      met[kind]--;
    }
  }
  for (int kind = 0; kind < 5; kind++) assert_true(met[kind] > 30);
}

// ---- the solvers' certificate, computed in double on other lines ----

static const contact_lots lots = {.most_contacts = 8,
                                  .most_bilateral = 3,
                                  .most_copies = 2,
                                  .most_unilateral = 2,
                                  .most_box = 2,
                                  .most_friction = 1.5,
                                  .most_mass_ratio = 1e3,
                                  .has_any_tangents = true,
                                  .most_anisotropy = 3};

static void assert_agree(const char *what, double ours, double theirs)
{
  if (!(fabs(ours - theirs) <= 1e-12 * fmax(1, theirs))) fail_msg("%s: %.17g, not %.17g", what, ours, theirs);
}

static void the_certificate_agrees_on_any_impulses(void **state)
{
  testing_random random = testing_random_start(813);
  contact_lots rolling = lots;
  rolling.has_rolling = true;
  for (int i = 0; i < 1000; i++) {
    random_problem drawn = random_problem_make(&random, i < 500 ? &lots : &rolling);
    const srs_contact_problem *p = &drawn.problem;
    const int n = srs_contact_problem_rows(p);
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    for (int k = 0; k < n; k++) x[k] = testing_uniform(&random, -1, 2);
    srs_contact_report report;
    assert_int_equal(srs_contact_certify(*state, p, x, &report), SRS_OK);
    const srs_contact_judgement j = judge(p, x, NULL);
    assert_agree("residual", j.residual, report.residual);
    assert_agree("loops", j.loops.worst, report.bilateral);
    assert_agree("limits", j.limits.worst, report.unilateral);
    assert_agree("box", j.box.worst, report.box);
    assert_agree("energy", j.energy, report.energy);
    testing_blocks blocks;
    if (i >= 500) { // blocks have no room for rolling
      free(x);
      random_problem_free(&drawn);
      continue;
    }
    testing_blocks_make(p, &blocks);
    const srs_contact_judgement sparse = judge(&blocks.problem, x, NULL);
    assert_agree("by blocks", sparse.residual, j.residual);
    assert_agree("by blocks", sparse.natural_map, j.natural_map);
    testing_blocks_free(&blocks);
    free(x);
    random_problem_free(&drawn);
  }
}

// Stopped early, so that residuals of all sizes come up.
static void every_method_is_judged_by_its_own_laws(void **state)
{
  testing_random random = testing_random_start(814);
  for (int i = 0; i < 400; i++) {
    random_problem drawn = random_problem_make(&random, &lots);
    const srs_contact_problem *p = &drawn.problem;
    const int n = srs_contact_problem_rows(p);
    double *x = calloc(2 * (size_t)n + 1, sizeof *x), *v = x + n;
    assert_non_null(x);
    srs_contact_options options = srs_default_contact_options();
    options.method = (srs_contact_method)(i % SRS_CONTACT_METHODS);
    options.n_directions = 4 + 2 * testing_below(&random, 7);
    options.direction_angle = testing_uniform(&random, -3, 3);
    options.max_iterations = 1 + testing_below(&random, 3);
    options.last_stage = SRS_STAGE_COLD;
    srs_contact_report report;
    assert_int_equal(srs_contact_solve(*state, p, &options, false, x, v, &report), SRS_OK);
    const srs_contact_claim claim = srs_contact_claim_of(&options, x, v);
    const srs_contact_judgement j = judge_claim(p, &claim, NULL);
    assert_agree("residual", j.residual, report.residual);
    assert_agree("exact residual", j.exact_residual, report.exact_residual);
    free(x);
    random_problem_free(&drawn);
  }
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  const double bad[3] = {1, NAN, 0}, good[3] = {1, 0, 0};
  const srs_contact_problem p = {.n_contacts = 1, .W = identity3, .b = thrown, .friction = &half};
  srs_contact_problem infinite = p;
  infinite.b = (const double[3]){INFINITY, 0, 0};
  srs_contact_judgement j = {.residual = 7};
  const srs_contact_claim claims[] = {{.impulse = bad},
                                      {.impulse = good, .velocity = bad},
                                      {.impulse = good, .n_directions = 4, .direction_angle = NAN},
                                      {.impulse = NULL},
                                      {.impulse = good, .n_directions = 5},
                                      {.impulse = good, .n_directions = 2},
                                      {.impulse = good, .n_directions = SRS_CONTACT_DIRECTIONS_MOST + 2}};
  for (int i = 0; i < 7; i++)
    assert_int_equal(srs_contact_judge(&p, &claims[i], &j, NULL), i < 3 ? SRS_ERROR_NOT_FINITE : SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_judge(&infinite, &(srs_contact_claim){.impulse = good}, &j, NULL), SRS_ERROR_NOT_FINITE);
  assert_true(j.residual == 7);
  assert_int_equal(srs_contact_judge(&(srs_contact_problem){0}, &(srs_contact_claim){0}, &j, NULL), SRS_OK);
  assert_true(j.residual == 0 && j.energy == 0);
}

static int set_up(void **state)
{
  srs_contact_solver **solver = (srs_contact_solver **)state;
  if (srs_contact_solver_create(200, solver, NULL) != SRS_OK) return -1;
  return srs_contact_solver_reserve_directions(*solver, 200, 16, NULL) == SRS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
  srs_contact_solver_destroy(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_answer_has_no_residual),
      cmocka_unit_test(modes_are_told),
      cmocka_unit_test(each_error_is_of_its_kind),
      cmocka_unit_test(slip_of_what_should_stick_is_dissipation),
      cmocka_unit_test(relative_figures_are_scaled),
      cmocka_unit_test(an_ellipse_is_judged_in_its_own_units),
      cmocka_unit_test(torsion_shares_the_bound),
      cmocka_unit_test(a_polyhedron_has_its_own_laws),
      cmocka_unit_test(a_relaxed_contact_parts_where_it_slides),
      cmocka_unit_test(other_rows_have_kinds_of_their_own),
      cmocka_unit_test(where_nothing_moves_impulses_are_the_measure),
      cmocka_unit_test(planted_answers_are_answers),
      cmocka_unit_test(planted_errors_are_found_in_their_kind_and_place),
      cmocka_unit_test(the_certificate_agrees_on_any_impulses),
      cmocka_unit_test(every_method_is_judged_by_its_own_laws),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
