// Answers by small changes of a near miss, in long double.
//
// With large friction a problem may have many points where |r| has a minimum and that are no answers, and contacts that
// hold each other with impulses that grow without end. Which of its contacts stick, slide and part is then a question
// of combinations. What search by chance from ever new points hardly finds, search by small changes does:
//
//   draw      units (wide_cone.h), and a point
//   descend   Newton's method with a line search, to a minimum of |r|
//   hop       draw one or two contacts of the best minimum afresh, half of them among those with the largest part of r,
//             and descend again: kept unless |r| is larger
//
// until |r| vanishes, or many hops in a row did not help: then from new units and a new point. Units matter most:
// velocities that tell sticking from sliding may be 1e-7 of |b|.
#include "contact/refine/hopping.h"
#include "contact/algebra/random.h"
#include "contact/refine/wide_cone.h"

#include <string.h>

enum { MOST_STEPS = 40, LAST_STEPS = 4, HALVINGS = 12, PATIENCE = 200 }; // of Newton's method; hops that did not help
static const double softness = 1e-13, zero = 1e-8, least_decrease = 1e-4;
static const double most_impulse = 1e9;                      // in any units: it ran away
static const double middle_units = 8, spread_of_units = 8.5; // logarithms of scale^2
static const double spread_of_sizes = 2.5;                   // logarithm
static const double wide_price = 4;                          // of a multiplication in long double

typedef struct search {
  const srs_hopping *h;
  srs_wide_cone cone;
  srs_wide *J;                                                          // n x n
  srs_wide *z, *x, *r, *step, *trial, *trial_r, *best, *scale, *centre; // n each
  int *formed;
} search;

static double random_of(const search *s) { return srs_random(s->h->state); }

// Levenberg-Marquardt's matrices J, gram and factor are one piece of memory, each at least 2 n x 2 n: 6 n^2 numbers in
// long double.
static void lay_out(search *s)
{
  const size_t n = (size_t)s->h->problem->n;
  void *memory = s->h->lm->J;
  s->J = memory;
  srs_wide **const vectors[] = {&s->z, &s->x, &s->r, &s->step, &s->trial, &s->trial_r, &s->best, &s->scale, &s->centre};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = s->J + n * n + i * n;
}

// ---- descend ----

// Newton's step from z, where r is known; false where there is none or the budget is spent.
static bool find_step(search *s)
{
  const int n = s->h->problem->n;
  if (!srs_lm_spend(s->h->lm, wide_price * (srs_lm_cost(s->h->lm, n) + 4.0 * n * n))) return false;
  ++*s->formed;
  srs_wide_jacobian(&s->cone, s->z, s->J);
  memcpy(s->step, s->r, sizeof *s->r * (size_t)n);
  return srs_wide_divide(n, s->J, s->step);
}

static srs_wide try_part(search *s, srs_wide part)
{
  for (int i = 0; i < s->h->problem->n; i++) s->trial[i] = s->z[i] - part * s->step[i];
  return srs_wide_residual(&s->cone, s->trial, s->x, s->trial_r);
}

static void go(search *s)
{
  const size_t bytes = sizeof *s->z * (size_t)s->h->problem->n;
  memcpy(s->z, s->trial, bytes);
  memcpy(s->r, s->trial_r, bytes);
}

// To a minimum of |r|, which it returns.
static srs_wide descend(search *s)
{
  srs_wide size = srs_wide_residual(&s->cone, s->z, s->x, s->r);
  for (int k = 0; k < MOST_STEPS && size > zero && find_step(s); k++) {
    srs_wide part = 1, there = try_part(s, 1);
    for (int i = 0; i < HALVINGS && !(there < (1 - least_decrease * part) * size); i++) {
      part *= 0.5L;
      there = try_part(s, part);
    }
    if (!(there < size)) break;
    go(s);
    size = there;
  }
  return size;
}

// The last digits, without softness: centred where the impulses are.
static bool finish(search *s, double *x)
{
  const srs_cone_problem *p = s->h->problem;
  s->cone.centre = s->centre;
  for (int k = 0; k < LAST_STEPS; k++) {
    srs_wide_impulse(&s->cone, s->z, s->centre);
    for (int i = 0; i < p->n; i++) x[i] = (double)(s->scale[i] * s->centre[i]);
    if (srs_wide_defect(p, x) <= s->h->answer) break;
    (void)srs_wide_residual(&s->cone, s->z, s->x, s->r);
    if (!find_step(s)) break;
    (void)try_part(s, 1);
    go(s);
  }
  s->cone.centre = NULL;
  for (int i = 0; i < p->n; i++)
    if (!(fabs(x[i]) <= srs_cone_most)) return false;
  return srs_wide_defect(p, x) <= s->h->answer;
}

// ---- hop ----

static void draw_row(search *s, int i) { s->z[i] = exp(spread_of_sizes * random_of(s)) * random_of(s); }

// A contact parted, sticking or sliding, one as likely as another.
static void draw_contact(search *s, int c)
{
  const srs_cone_problem *p = s->h->problem;
  const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
  const double mode = random_of(s), normal = exp(spread_of_sizes * random_of(s)) * fabs(random_of(s));
  const double size = fabs(random_of(s)), radius = p->friction[c] * normal;
  double square = 0;
  for (int k = 1; k <= d; k++) {
    s->z[i + k] = random_of(s);
    square += (double)(s->z[i + k] * s->z[i + k]);
  }
  const bool parts = mode<-1.0 / 3, slides = mode> 1.0 / 3;
  const double length = parts ? size : slides ? radius + size : radius * size;
  s->z[i] = parts ? normal : -normal;
  for (int k = 1; k <= d; k++) s->z[i + k] *= length / sqrt(square);
}

static void draw_start(search *s)
{
  const srs_cone_problem *p = s->h->problem;
  const double unit = exp(0.5 * (middle_units + spread_of_units * random_of(s)));
  const double size = exp(spread_of_sizes * random_of(s)) / sqrt(p->n);
  for (int i = 0; i < p->n; i++) {
    s->scale[i] = unit;
    s->z[i] = size * (random_of(s) + random_of(s) + random_of(s));
  }
}

// The contact, or other row, by chance: among all, or by its part of |r|.
static int choose(search *s, bool by_size)
{
  const srs_cone_problem *p = s->h->problem;
  const int scalars = srs_cone_scalars(p), count = p->n_contacts + p->n - scalars;
  int chosen = (int)(0.5 * (random_of(s) + 1) * count);
  double most = 0;
  for (int k = 0; k < count && by_size; k++) {
    const int i = k < p->n_contacts ? srs_cone_first(p, k) : scalars + k - p->n_contacts;
    const int rows = k < p->n_contacts ? 1 + srs_cone_tangents(p, k) : 1;
    double part = 0;
    for (int j = i; j < i + rows; j++) part += (double)(s->r[j] * s->r[j]);
    part *= fabs(random_of(s));
    if (part > most) most = part, chosen = k;
  }
  return chosen < count ? chosen : count - 1;
}

// One or two contacts of the best point afresh.
static void hop(search *s)
{
  const srs_cone_problem *p = s->h->problem;
  const int changes = random_of(s) > 0 ? 2 : 1;
  memcpy(s->z, s->best, sizeof *s->z * (size_t)p->n);
  (void)srs_wide_residual(&s->cone, s->z, s->x, s->r);
  for (int k = 0; k < changes; k++) {
    const int chosen = choose(s, random_of(s) > 0);
    if (chosen < p->n_contacts)
      draw_contact(s, chosen);
    else
      draw_row(s, srs_cone_scalars(p) + chosen - p->n_contacts);
  }
}

static bool is_bounded(const search *s)
{
  for (int i = 0; i < s->h->problem->n; i++)
    if (!(fabsl(s->z[i]) <= most_impulse)) return false;
  return true;
}

// From one point until hops no longer help.
static bool search_from_one(search *s, double *x)
{
  const size_t bytes = sizeof *s->z * (size_t)s->h->problem->n;
  draw_start(s);
  srs_wide least = descend(s);
  memcpy(s->best, s->z, bytes);
  if (least <= zero && finish(s, x)) return true;
  for (int idle = 0; idle < PATIENCE && srs_lm_spend(s->h->lm, 0); idle++) {
    hop(s);
    const srs_wide there = descend(s);
    if (there <= zero) {
      if (finish(s, x)) return true; // else an answer at infinity
    } else if (there <= least && is_bounded(s)) {
      if (there < 0.9L * least) idle = 0;
      least = there;
      memcpy(s->best, s->z, bytes);
    }
  }
  return false;
}

bool srs_hopping_search(const srs_hopping *h, double *x, int *formed)
{
  search s = {.h = h, .formed = formed};
  lay_out(&s);
  s.cone = (srs_wide_cone){.problem = h->problem, .scale = s.scale, .softness = softness};
  while (srs_lm_spend(h->lm, 0))
    if (search_from_one(&s, x)) return true;
  return false;
}
