// Answers by small changes of near misses.
//
// With large friction a problem may have many points where |r| has a minimum and that are no answers, and contacts that
// hold each other by impulses that grow without end. Which of its contacts stick, slide and part is then a question of
// combinations, and search by small changes answers it where ever new points do not:
//
//   draw      units, and a point
//   descend   Newton's method with a line search, to a minimum of |r|
//   hop       draw one or two contacts of the best minimum afresh, half of them where r is large, and descend again:
//             kept unless |r| is larger
//
// until |r| vanishes, or many hops in a row did not help: then from new units and a new point.
//
// Units decide what a small change is. For any s, t > 0 the problem
//
//   w' = s / t W x' + b / t      x = s x'    w = t w'
//
// has the same answers, but z' = w' - x' weighs velocities by s / t more against impulses. Where contacts hold each
// other, or a light body carries a heavy one, velocities of 1e-9 to 1e-3 |b| tell sticking from sliding, and z = w - x
// loses them. Half of the points have s t = 1. The other half have t near the least |w| of any impulses, which an
// answer's velocities are about as large as, and s near 1: there all that is looked for is of size 1, and so are the
// changes drawn.
//
// W is softened against its null space, by a drawn 1e-12 to 1e-8 in the problem's own units, and by so much less as
// velocities are small: contacts that contradict each other then hold each other less. Where |r| vanishes, around the
// impulses there. Newton's steps are those of the rows that act (contact/refine/active.h).
#include "contact/refine/hopping.h"
#include "contact/algebra/random.h"
#include "contact/refine/active.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 40, HALVINGS = 12, PATIENCE = 100, CENTRES = 12 };    // PATIENCE: hops that did not help
static const double zero = 1e-8, rounding = 1e-15, least_decrease = 1e-4; // |r| at an answer; of velocities
static const double near_enough = 1e-9, most_impulse = 1e9; // of what is handed back: natural map, impulses
static const double most_of_square = 300;                   // Jacobians, over n^2: small problems need few
static const int least_power = 0, most_power = 12;          // of two: s = 1 / t
static const int least_size = -6, most_size = 1;            // of two: s, where velocities are known to be small
static const int least_slip = -1, most_slip = 3;            // of two: t over the least |w|
static const double all_rests = 1e-12;                      // the least |w|
static const int least_soft = -12, most_soft = -8;          // of ten: softness
static const double spread = 6, known_spread = 1.5;         // logarithm of drawn sizes; where these are known

typedef struct search {
  const srs_hopping *h;
  srs_cone_problem problem; // in other units
  double unit, slip_unit;   // s, t
  double softness, spread;  // added to W's diagonal, in the problem's own units; of sizes drawn
  double zero;              // |r| at an answer
  int n;
  int *formed, most; // Jacobians
} search;

static double random_of(const search *s) { return srs_random(s->h->state); }

// ---- units ----

static double yielding_of(const search *s) { return s->softness * s->unit / s->slip_unit; }

static void take_units(search *s, double unit, double slip_unit)
{
  const srs_cone_problem *from = s->h->problem;
  srs_cone_problem *to = &s->problem;
  const srs_lm_memory *m = s->h->lm;
  const size_t stride = (size_t)from->stride, numbers = (size_t)from->n * stride;
  *to = *from;
  to->W = m->gram, to->b = m->gradient, to->lower = m->tall, to->upper = m->tall + stride;
  s->unit = unit, s->slip_unit = slip_unit, s->zero = fmax(zero, rounding / slip_unit);
  for (size_t i = 0; i < numbers; i++) to->W[i] = unit / slip_unit * from->W[i];
  for (int i = 0; i < from->n; i++) {
    *srs_cone_diagonal(to, i) += yielding_of(s);
    to->b[i] = from->b[i] / slip_unit;
  }
  for (int i = 0; i < from->n_box; i++) to->lower[i] = from->lower[i] / unit, to->upper[i] = from->upper[i] / unit;
}

// ---- descend ----

static double residual_at(const search *s, const double *z, double *r)
{
  return srs_active_residual(&s->problem, z, s->h->lm->x, r);
}

// Newton's step from z, where r is known; false where there is none or the budget is spent.
static bool find_step(const search *s)
{
  const srs_lm_memory *m = s->h->lm;
  double *frame = m->trial; // until the step is tried
  const int unknowns = srs_active_frame(&s->problem, s->h->z, frame);
  if (*s->formed >= s->most || !srs_lm_spend(m, srs_active_cost(s->n, unknowns))) return false;
  ++*s->formed;
  return srs_active_step(&s->problem, m, frame, unknowns, m->r, m->step);
}

static double try_part(const search *s, double part)
{
  const srs_lm_memory *m = s->h->lm;
  if (!srs_lm_spend(m, (double)s->n * s->n)) return INFINITY;
  for (int i = 0; i < s->n; i++) m->trial[i] = s->h->z[i] - part * m->step[i];
  return residual_at(s, m->trial, m->trial_r);
}

// To a minimum of |r|, which it returns. A point that is one already counts as a Jacobian: the search ends also where
// all points are.
static double descend(const search *s)
{
  const srs_lm_memory *m = s->h->lm;
  if (!srs_lm_spend(m, (double)s->n * s->n)) return INFINITY;
  const int before = *s->formed;
  double size = residual_at(s, s->h->z, m->r);
  for (int k = 0; k < MOST_STEPS && size > s->zero && find_step(s); k++) {
    double part = 1, there = try_part(s, part);
    for (int i = 1; i < HALVINGS && !(there < (1 - least_decrease * part) * size); i++) {
      part *= 0.5;
      there = try_part(s, part);
    }
    if (!(there < (1 - least_decrease * part) * size)) break;
    memcpy(s->h->z, m->trial, sizeof *m->trial * (size_t)s->n);
    memcpy(m->r, m->trial_r, sizeof *m->r * (size_t)s->n);
    size = there;
  }
  if (*s->formed == before) ++*s->formed;
  return size;
}

// ---- arrive ----

// Around which impulses the softened rows do not yield: those of z, or none.
static void centre(const search *s, bool is_centred)
{
  const srs_lm_memory *m = s->h->lm;
  const double yielding = is_centred ? yielding_of(s) : 0;
  (void)residual_at(s, s->h->z, m->r);
  for (int i = 0; i < s->n; i++) s->problem.b[i] = s->h->problem->b[i] / s->slip_unit - yielding * m->x[i];
}

// The impulses of z in the problem's units, and whether they are near an answer.
static bool are_near(const search *s, double *x)
{
  const srs_lm_memory *m = s->h->lm;
  const srs_cone_problem *own = s->h->problem;
  double size = 0;
  (void)residual_at(s, s->h->z, m->r);
  for (int i = 0; i < s->n; i++) {
    x[i] = m->x[i] *= s->unit;
    size = fmax(size, fabs(x[i]));
  }
  srs_cone_velocity(own, m->x, m->r);
  return size <= most_impulse && srs_cone_residual(own, m->x, m->r) <= near_enough;
}

// From an answer of the softened problem. False also where impulses grow without end.
static bool arrive(const search *s, double *x)
{
  bool is_near = are_near(s, x);
  for (int k = 0; k < CENTRES && !is_near; k++) {
    centre(s, true);
    (void)descend(s);
    is_near = are_near(s, x);
  }
  centre(s, false);
  return is_near;
}

// ---- hop ----

static double draw_size(const search *s) { return exp(s->spread * random_of(s)); }

// A contact parted, sticking or sliding, one as likely as another.
static void draw_contact(const search *s, int c)
{
  const int i = srs_cone_first(&s->problem, c), d = srs_cone_tangents(&s->problem, c);
  double *z = s->h->z + i;
  const double mode = random_of(s), normal = draw_size(s) * fabs(random_of(s)), size = fabs(random_of(s));
  const bool parts = mode<-1.0 / 3, slides = mode> 1.0 / 3;
  const double radius = s->problem.friction[c] * normal;
  const double length = parts ? size : slides ? radius + size : radius * size;
  z[0] = parts ? normal : -normal;
  for (int k = 1; k <= d; k++) z[k] = random_of(s);
  const double drawn = srs_length(d, z + 1);
  for (int k = 1; k <= d && drawn > 0; k++) z[k] *= length / drawn;
}

static int draw_between(const search *s, int least, int most)
{
  return least + (int)(0.5 * (random_of(s) + 1) * (most + 1 - least));
}

static void draw_point(search *s)
{
  const double slip = s->h->slip;
  s->softness = pow(10, draw_between(s, least_soft, most_soft));
  s->spread = spread;
  if (slip > all_rests && random_of(s) > 0) {
    const double unit = ldexp(1, draw_between(s, least_size, most_size));
    s->softness *= fmin(slip, 1);
    s->spread = known_spread;
    take_units(s, unit, slip * ldexp(1, draw_between(s, least_slip, most_slip)));
  } else {
    const double unit = ldexp(1, draw_between(s, least_power, most_power));
    take_units(s, unit, 1 / unit);
  }
  const double size = draw_size(s) / sqrt(s->n);
  for (int i = 0; i < s->n; i++) s->h->z[i] = size * (random_of(s) + random_of(s) + random_of(s));
}

// A contact or another row by chance: among all, or by its part of |r|.
static int choose(const search *s, bool by_size)
{
  const srs_cone_problem *p = &s->problem;
  const int scalars = srs_cone_scalars(p), count = p->n_contacts + p->n - scalars;
  int chosen = (int)(0.5 * (random_of(s) + 1) * count);
  double most = 0;
  for (int k = 0; k < count && by_size; k++) {
    const int i = k < p->n_contacts ? srs_cone_first(p, k) : scalars + k - p->n_contacts;
    const int d = k < p->n_contacts ? srs_cone_tangents(p, k) : 0;
    const double part = srs_square(1 + d, s->h->lm->r + i) * fabs(random_of(s));
    if (part > most) most = part, chosen = k;
  }
  return chosen < count ? chosen : count - 1;
}

// One or two contacts of the best point afresh.
static void hop(const search *s)
{
  const srs_cone_problem *p = &s->problem;
  const int changes = random_of(s) > 0 ? 2 : 1;
  memcpy(s->h->z, s->h->lm->best, sizeof *s->h->z * (size_t)s->n);
  (void)residual_at(s, s->h->z, s->h->lm->r);
  for (int k = 0; k < changes; k++) {
    const int chosen = choose(s, random_of(s) > 0);
    if (chosen < p->n_contacts)
      draw_contact(s, chosen);
    else
      s->h->z[srs_cone_scalars(p) + chosen - p->n_contacts] = draw_size(s) * random_of(s);
  }
}

// From one point until hops no longer help.
static bool search_from_one(search *s, double *x)
{
  const size_t bytes = sizeof *s->h->z * (size_t)s->n;
  draw_point(s);
  double least = descend(s);
  memcpy(s->h->lm->best, s->h->z, bytes);
  if (least <= s->zero && arrive(s, x)) return true;
  for (int idle = 0; idle < PATIENCE && *s->formed < s->most && srs_lm_spend(s->h->lm, 0); idle++) {
    hop(s);
    const double there = descend(s);
    if (there <= s->zero) {
      if (arrive(s, x)) return true; // else an answer at infinity
    } else if (there <= least) {
      if (there < 0.9 * least) idle = 0;
      least = there;
      memcpy(s->h->lm->best, s->h->z, bytes);
    }
  }
  return false;
}

bool srs_hopping_search(const srs_hopping *h, double *x, int *formed)
{
  const double n = h->problem->n, most = *formed + 100 + most_of_square * n * n;
  search s = {.h = h, .n = h->problem->n, .formed = formed, .most = most < INT_MAX ? (int)most : INT_MAX};
  while (*formed < s.most && srs_lm_spend(h->lm, 0))
    if (search_from_one(&s, x)) return true;
  return false;
}
