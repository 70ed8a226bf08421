// The curve of smoothed contacts: from no impulses to near an answer, by arc length.
//
// With x and w those of y (contact/smooth/smooth_law.h), and l = log t,
//
//   r(y, l) = w - (W x + b + t c) = 0
//
// is a curve in (y, l). It begins at t = 0.3, near x = t, and where t is small it is near an answer of the problem. In
// walls and heaps t rises again on the way, several times: contacts that wedge have to open and slide for others to be
// reached. It is the second way there: most paths by t alone (contact/smooth/smooth_path.h) take fewer factors.
// So the curve is followed by its length, t being an unknown like others (Keller 1977). With (y', l') its direction,
// (y'', l'') its curvature, and J = dr/dy:
//
//   ahead      (y, l) + h (y', l') + h^2 / 2 (y'', l'')
//   back       (dy, dl) = (a + b dl, dl)    J a = -r,  J b = -dr/dl,  y' . dy + l' dl = 0
//   direction  (b, 1), scaled
//
// J is factored once a point, ahead of the curve. Steps back by that factor contract by a ratio that grows with the
// square of h: h is chosen so that it is a tenth (Deuflhard). Where it is not small, J is factored once more; where it
// is near 1, h was too long. The direction comes from the same factor, by refinement: J b is a difference of r.
//
// Steps back have to end close to the curve, by t^2, as w_n x_n = t^2 is what holds it: else h leads to a neighbouring
// curve, which may come back to t = 0.3. Some curves do so themselves: where contacts wedge, impulses of any size hold
// each other, and there are several beginnings. c is pseudo-random, of length
// 0.1: without it, contacts that are alike turn at once, sharply.
#include "contact/smooth/smooth_curve.h"
#include "contact/smooth/smooth_law.h"

#include <string.h>

static const double t_first = 0.3, t_back = 0.9, h_first = 0.5, h_least = 1e-5, h_sharp = 1e-4;
static const double tilt = 0.1;                                         // |c|
static const double goal_share = 1e-3, goal_least = 1e-13;              // of t^2 in each row; of rounding
static const double ratio = 0.1, ratio_again = 0.3, ratio_most = 0.7;   // of steps back: asked; to factor; too large
static const double least_cosine = 0.5, shorter = 0.4;                  // of two directions; h where it is less
static const double longest = 3, shortest = 0.5, shortest_missed = 0.1; // factors of h
static const double direction_error = 0.1, refinement = 0.5;            // of its length; a refinement's, to go on
enum { MOST_FIRST = 25, MOST_BACK = 8, MOST_REFINEMENTS = 3 };

typedef struct curve {
  const srs_smooth *s;
  int n, steps;
  double *y, *from, *along, *bent; // n each: here; the last point, its direction and its curvature
  double l, l_from, l_along, l_bent;
  double *at, *b; // n each: where the factor is; b
  double l_at;
} curve;

static double dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// r here.  @return |r|
static double residual(const curve *p) { return srs_smooth_residual(p->s, exp(p->l), p->y, p->s->lm->r); }

static bool is_near(const curve *p, double size)
{
  const double t = exp(p->l);
  return size <= fmax(goal_share * t * t * sqrt(p->n), goal_least);
}

// dr/dl + J b, by a difference along (b, 1).  @param miss  n, out
static void find_miss(const curve *p, double *miss)
{
  const srs_lm_memory *m = p->s->lm;
  const double e = fmin(1e-6, 1e-3 * exp(p->l)) / sqrt(1 + dot(p->n, p->b, p->b));
  for (int i = 0; i < p->n; i++) m->step[i] = p->y[i] + e * p->b[i];
  (void)srs_smooth_residual(p->s, exp(p->l + e), m->step, miss);
  for (int i = 0; i < p->n; i++) miss[i] = (miss[i] - m->r[i]) / e;
}

// J here, and b; r is known.
static bool factor(curve *p)
{
  const srs_lm_memory *m = p->s->lm;
  const size_t bytes = sizeof *p->y * (size_t)p->n;
  if (!srs_lm_spend(m, srs_smooth_step_cost(p->s) + srs_smooth_residual_cost(p->s))) return false;
  p->steps++;
  if (!srs_smooth_factor(p->s, exp(p->l), p->y)) return false;
  memcpy(p->at, p->y, bytes), p->l_at = p->l;
  memset(p->b, 0, bytes);
  find_miss(p, m->trial_r);
  srs_smooth_divide(p->s, exp(p->l_at), p->at, m->trial_r, p->b);
  return true;
}

// One step back.  @return its length
static double step_back(curve *p)
{
  const srs_lm_memory *m = p->s->lm;
  srs_smooth_divide(p->s, exp(p->l_at), p->at, m->r, m->step);
  const double dl = -dot(p->n, p->along, m->step) / (p->l_along + dot(p->n, p->along, p->b));
  if (!(fabs(dl) < 1)) return INFINITY;
  double sum = dl * dl;
  for (int i = 0; i < p->n; i++) {
    const double dy = m->step[i] + dl * p->b[i];
    p->y[i] += dy;
    sum += dy * dy;
  }
  p->l += dl;
  return sqrt(sum);
}

// Steps back to the curve.
// @param contraction  out: of the first
// @return whether it is reached
static bool go_back(curve *p, double *contraction)
{
  const srs_lm_memory *m = p->s->lm;
  bool is_again = false;
  double last = 0;
  *contraction = INFINITY;
  (void)residual(p);
  if (!factor(p)) return false;
  for (int k = 0; k < MOST_BACK; k++) {
    if (!srs_lm_spend(m, 2 * srs_smooth_residual_cost(p->s))) return false;
    const double length = step_back(p), size = isfinite(length) ? residual(p) : INFINITY;
    const double by = k == 0 ? 0 : length / last;
    if (k <= 1 || !isfinite(size)) *contraction = isfinite(size) ? by : INFINITY;
    if (!isfinite(size) || (by >= ratio_most && (k == 1 || is_again))) return false;
    if (is_near(p, size)) return true;
    if (by > ratio_again && !is_again) {
      is_again = true;
      if (!factor(p)) return false;
    }
    last = length;
  }
  *contraction = fmax(*contraction, 1);
  return false;
}

// b here, by the factor near it.
static bool refine_direction(curve *p)
{
  const srs_lm_memory *m = p->s->lm;
  double last = INFINITY;
  for (int k = 0; k <= MOST_REFINEMENTS; k++) {
    if (!srs_lm_spend(m, 2 * srs_smooth_residual_cost(p->s))) return false;
    find_miss(p, m->trial_r);
    srs_smooth_divide(p->s, exp(p->l_at), p->at, m->trial_r, m->step);
    const double change = sqrt(dot(p->n, m->step, m->step) / (1 + dot(p->n, p->b, p->b)));
    if (!(change < direction_error) && (k == MOST_REFINEMENTS || !(change < refinement * last))) return factor(p);
    for (int i = 0; i < p->n; i++) p->b[i] += m->step[i];
    if (change < direction_error) return true;
    last = change;
  }
  return true;
}

// Takes the point here as the last one.
// @param h  from the last one; 0: there is none, and t falls from here
// @return false where the direction has turned by too much
static bool take_point(curve *p, double h)
{
  const int n = p->n;
  const double scale = 1 / sqrt(1 + dot(n, p->b, p->b)), turned = scale * (dot(n, p->along, p->b) + p->l_along);
  if (fabs(turned) < least_cosine && h > h_sharp) return false;
  const double l_along = turned < 0 ? -scale : scale, part = h > 0 ? 1 / h : 0;
  for (int i = 0; i < n; i++) {
    const double along = l_along * p->b[i];
    p->bent[i] = part * (along - p->along[i]);
    p->along[i] = along;
  }
  p->l_bent = part * (l_along - p->l_along);
  p->l_along = l_along;
  memcpy(p->from, p->y, sizeof *p->y * (size_t)n);
  p->l_from = p->l;
  return true;
}

static void step_ahead(curve *p, double h)
{
  for (int i = 0; i < p->n; i++) p->y[i] = p->from[i] + h * (p->along[i] + 0.5 * h * p->bent[i]);
  p->l = p->l_from + h * (p->l_along + 0.5 * h * p->l_bent);
}

static bool begin(curve *p)
{
  const size_t bytes = sizeof *p->y * (size_t)p->n;
  double contraction;
  memset(p->along, 0, bytes);
  memset(p->bent, 0, bytes);
  memset(p->y, 0, bytes);
  memset(p->from, 0, bytes);
  p->l = p->l_from = log(t_first);
  p->l_along = -1;
  if (!srs_smooth_solve(p->s, t_first, MOST_FIRST, p->y, &p->steps)) return false;
  return go_back(p, &contraction) && refine_direction(p) && take_point(p, 0);
}

static void follow(curve *p, int most, double end)
{
  double h = h_first;
  while (p->steps < most && h > h_least) {
    double contraction;
    step_ahead(p, h);
    const bool is_there = go_back(p, &contraction) && refine_direction(p);
    if (*p->s->lm->left <= 0) return;
    if (!is_there) {
      h *= srs_clamp(sqrt(ratio / contraction), shortest_missed, shortest);
    } else if (!take_point(p, h)) {
      h *= shorter;
    } else {
      h *= srs_clamp(sqrt(ratio / contraction), shortest, longest);
      if (exp(p->l) < end || exp(p->l) > t_back) return;
    }
  }
}

int srs_smooth_curve(const srs_smooth *s, double *bent, double *at, uint64_t *state, int most, double end, double *y,
                     double *x, double *t)
{
  curve p = {.s = s, .n = s->cone->n, .y = y, .from = s->lm->best, .along = s->along, .bent = bent, .at = at};
  p.b = s->slope;
  srs_smooth_tilt(s, tilt, state);
  *t = 1;
  if (!begin(&p)) return p.steps;
  follow(&p, most, end);
  *t = p.l_from < log(t_first) ? exp(p.l_from) : 1;
  srs_smooth_pair(s->cone, exp(p.l_from), p.from, x, s->lm->gradient);
  return p.steps;
}
