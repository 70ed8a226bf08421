// Continuation over smoothed contacts: from no impulses to near an answer, where many contacts hold each other.
//
// With x and w those of y (contact/smooth/smooth_law.h), solve
//
//   r(y) = w - (W x + b + t c) = 0
//
// for t from 0.3 towards 0. For large t the answer is near x = t, for t = 0 it is the problem's. On the way all
// contacts push a little, so that none has to be chosen to open, stick or slide before its neighbours are. Newton's
// method from one t to the next takes some 100 steps in all. Where the path turns back, t is an unknown too (Keller's
// bordered equations), until t falls again. c is zero, or for another path pseudo-random, of length 1.
//
// Where impulses of contacts that nearly depend on each other are told apart t is some 1e-7; below it steps are
// rounding.
#include "contact/smooth/smooth_path.h"
#include "contact/smooth/smooth_law.h"

#include <string.h>

static const double t_first = 0.3, t_least = 1e-9, fastest = 0.1, slowest = 0.9; // and of t in one go
static const double bend_least = 1e-6, bend_end = 1. / 3;                     // t from which it is followed; and of t
static const double length_first = 0.1, length_least = 1e-7, gain = 0.9;      // of what goes around; of |r| in a step
enum { MOST_STEPS = 25, FEW_STEPS = 8, MOST_CROSSING = 6, FEW_CROSSING = 4 }; // for one t, and where t falls faster

// ---- around a turning point ----
//
// With l = log t too as an unknown, and along (y', l') the direction of the path: a step (dy, dl) = (a + b dl, dl), a
// that of r and b that of dr/dl, and along . (dy, dl) = 0. The path's direction is (b, 1), scaled.

typedef struct bend {
  double *y, *along, *b; // n each
  double l, l_along;
} bend;

// b: the step of dr/dl, by a difference; r and the factor are those of y.
static void find_slope(const srs_smooth *s, const bend *p, const double *y, double l)
{
  const srs_lm_memory *m = s->lm;
  const double h = 1e-6;
  (void)srs_smooth_residual(s, exp(l + h), y, m->trial_r);
  for (int i = 0; i < s->cone->n; i++) m->trial_r[i] = (m->trial_r[i] - m->r[i]) / h;
  srs_smooth_divide(s, exp(l), y, m->trial_r, p->b);
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// The direction at y and l; like the last.
static void set_direction(const srs_smooth *s, bend *p)
{
  const int n = s->cone->n;
  const double size = 1 / sqrt(1 + dot(n, p->b, p->b));
  const double sign = dot(n, p->b, p->along) + p->l_along >= 0 ? size : -size;
  for (int i = 0; i < n; i++) p->along[i] = sign * p->b[i];
  p->l_along = sign;
}

// Newton's method from y and l, across `along`.  @return whether it arrives
static bool cross(const srs_smooth *s, const bend *p, double *y, double *l, int *steps)
{
  const srs_lm_memory *m = s->lm;
  const int n = s->cone->n;
  const double numbers = 2 * srs_smooth_residual_cost(s);
  double last = INFINITY;
  for (int k = 0; k <= MOST_CROSSING; k++) {
    if (!srs_lm_spend(m, srs_smooth_step_cost(s) + numbers)) return false;
    const double size = srs_smooth_residual(s, exp(*l), y, m->r);
    const bool is_there = size <= srs_smooth_goal(exp(*l));
    if (!(size < last) || (k == MOST_CROSSING && !is_there) || !srs_smooth_factor(s, exp(*l), y)) return false;
    ++*steps;
    find_slope(s, p, y, *l);
    if (is_there) return true;
    srs_smooth_divide(s, exp(*l), y, m->r, m->step);
    const double rate = p->l_along + dot(n, p->along, p->b), dl = -dot(n, p->along, m->step) / rate;
    if (!(fabs(dl) < 1)) return false;
    for (int i = 0; i < n; i++) y[i] += m->step[i] + dl * p->b[i];
    *l += dl;
    last = gain * size;
  }
  return false;
}

// From y at t, where the path turns back, along it to where t is a third of that and falls.
static bool go_around(const srs_smooth *s, int most, double *y, double *t, int *steps)
{
  const srs_lm_memory *m = s->lm;
  const int n = s->cone->n;
  const size_t bytes = sizeof *y * (size_t)n;
  bend p = {m->best, s->along, s->slope, log(*t), -1};
  const double end = p.l + log(bend_end), begin = log(t_first);
  double h = length_first;
  memset(p.along, 0, bytes);
  if (!cross(s, &p, y, &p.l, steps)) return false;
  set_direction(s, &p);
  memcpy(p.y, y, bytes);
  while (*steps < most && h > length_least) {
    double l = p.l + h * p.l_along;
    const int before = *steps;
    for (int i = 0; i < n; i++) y[i] = p.y[i] + h * p.along[i];
    if (!cross(s, &p, y, &l, steps)) {
      if (*s->lm->left <= 0) return false;
      h *= 0.4;
      continue;
    }
    memcpy(p.y, y, bytes);
    p.l = l;
    set_direction(s, &p);
    if (*steps - before <= FEW_CROSSING) h *= 2;
    *t = exp(l);
    if (l > begin) return false;
    if (l < end && p.l_along < 0) return true;
  }
  return false;
}

// ---- the path ----

int srs_smooth_path(const srs_smooth *s, uint64_t *state, int most, double *y, double *x, double *t)
{
  const srs_lm_memory *m = s->lm;
  const size_t bytes = sizeof *y * (size_t)s->cone->n;
  double next = t_first, factor = t_first;
  int steps = 0;
  srs_smooth_tilt(s, 1, state);
  memset(y, 0, bytes);
  memset(m->best, 0, bytes);
  *t = 1;
  while (next > t_least && steps < most) {
    if (!(factor < slowest)) {
      if (*t < bend_least || !go_around(s, most, y, t, &steps)) break;
      memcpy(m->best, y, bytes);
      factor = 0.5;
      next = factor * *t;
    }
    const int before = steps;
    const bool is_there = srs_smooth_solve(s, next, most - steps < MOST_STEPS ? most - steps : MOST_STEPS, y, &steps);
    if (is_there) {
      memcpy(m->best, y, bytes);
      *t = next;
      if (steps - before <= FEW_STEPS) factor = fmax(factor * factor, fastest);
    } else {
      memcpy(y, m->best, bytes);
      factor = sqrt(factor);
    }
    next = factor * *t;
  }
  srs_smooth_pair(s->cone, *t, m->best, x, m->gradient);
  return steps;
}
