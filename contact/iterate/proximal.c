// Proximal points: the last digits where the Delassus matrix W is singular.
//
// Four contacts under one body have more rows than it has degrees of freedom. Where they are slightly inconsistent (a
// corner 1e-13 m off the plane of the others is enough), part of the residual r lies in W's null space: no impulses
// change it until a contact opens or slides, and Levenberg-Marquardt ends there. Proximal points move along r by about
// the size of the impulses: with c the impulses so far, solve
//
//   w = W x + rho (x - c) + b
//
// which is regular and moves impulses by r / rho. rho = |r| / |c| makes that about |c|. Then again from there. Where no
// such point is found, or it is no better, rho is larger the next time.
//
// Each is solved by a piecewise Newton method (Katzenelson): where the full step does not halve |r|, the step ends just
// beyond the first kink, or where a sliding contact's direction has turned so far that the cone is no longer nearly
// linear. |r| may grow on the way: later steps correct it.
#include "contact/iterate/proximal.h"
#include "contact/algebra/dense.h"
#include "contact/iterate/mncp.h"

#include <string.h>

// 1e-16 / rho is how far rounding moves impulses: below it Newton's method only fluctuates, unless nothing slides, or
// steps are refined.
static const double rho_first = 1e-12, rho_least = 2e-11, rho_refined = 1e-15, rho_most = 1e-2, rho_factor = 1e-3;
static const double softer = 5;                                      // rho after a miss
enum { MOST_STEPS = 20, MOST_IDLE = 6, REFINEMENTS = 3, SHARE = 2 }; // steps: and one a row, or a few rows for a point

static const double path_start = 0.1, path_end = 1e-12, path_factor = 0.1, path_goal = 1e-2;

SRS_CONTACT_KERNEL
static double norm(int n, const double *a) { return sqrt(srs_dot(n, a, a)); }

static void begin(const srs_proximal *p)
{
  for (int i = 0; i < p->cone->n; i++) p->diagonal[i] = *srs_cone_diagonal(p->cone, i);
}

static void soften(const srs_proximal *p, double rho)
{
  for (int i = 0; i < p->cone->n; i++) *srs_cone_diagonal(p->cone, i) = p->diagonal[i] + rho;
}

static long double along(const double *row, const double *x, int from, int to)
{
  long double sum = 0;
  for (int j = from; j < to; j++) sum += (long double)row[j] * x[j];
  return sum;
}

// The sum of W_ij x_j over j other than i.
static long double without_diagonal(const srs_cone_problem *cone, int i, const double *x)
{
  const srs_sparse *s = cone->sparse;
  if (s == NULL) {
    const double *row = cone->W + (size_t)i * (size_t)cone->stride;
    return along(row, x, 0, i) + along(row, x, i + 1, cone->n);
  }
  const double *row = srs_sparse_row(s, cone->packed, s->node[i], i);
  long double sum = 0;
  for (int k = s->run_start[s->node[i]]; k < s->run_start[s->node[i] + 1]; k++) {
    const int from = s->run[k].from, to = s->run[k].to;
    for (int j = from; j < to; j++, row++)
      if (j != i) sum += (long double)*row * x[j];
  }
  return sum;
}

// |r| of the softened problem around the centre. In long double: 1 / rho amplifies the rounding of the sums.
static double residual(const srs_proximal *p, double rho, const double *z, double *r)
{
  const srs_cone_problem *cone = p->cone;
  const double *x = p->lm->x;
  srs_mncp_impulse(cone, z, p->lm->x);
  for (int i = 0; i < cone->n; i++) {
    long double w = cone->b[i] + without_diagonal(cone, i, x) + (long double)p->diagonal[i] * x[i];
    if (rho > 0) w += (long double)rho * (x[i] - (long double)p->centre[i]);
    r[i] = (double)((long double)x[i] + z[i] - w);
  }
  return norm(cone->n, r);
}

// Goes to z - t step if |r| there is at most `most`.
static bool go(const srs_proximal *p, double rho, double t, double most, double *z, double *size)
{
  const srs_lm_memory *m = p->lm;
  for (int i = 0; i < p->cone->n; i++) m->trial[i] = z[i] - t * m->step[i];
  const double there = residual(p, rho, m->trial, m->trial_r);
  if (!(there <= most)) return false;
  memcpy(z, m->trial, sizeof *z * (size_t)p->cone->n);
  memcpy(m->r, m->trial_r, sizeof *z * (size_t)p->cone->n);
  *size = there;
  return true;
}

// Iterative refinement of J step = r: the residual in long double. J is a copy, factor its LU.
static void refine(const srs_proximal *p)
{
  const srs_lm_memory *m = p->lm;
  const int n = p->cone->n;
  const size_t stride = (size_t)p->cone->stride;
  for (int round = 0; round < REFINEMENTS; round++) {
    for (int i = 0; i < n; i++) m->trial[i] = (double)(m->r[i] - along(m->J + (size_t)i * stride, m->step, 0, n));
    srs_dense_lu_solve(n, m->factor, p->cone->stride, m->pivot, m->trial);
    for (int i = 0; i < n; i++) m->step[i] += m->trial[i];
  }
}

// The softened problem, from z, until |r| <= goal. Returns Jacobians formed.
static int newton(const srs_proximal *p, double rho, double goal, int left, double *z)
{
  const srs_lm_memory *m = p->lm;
  const int n = p->cone->n, most = left < MOST_STEPS + n ? left : MOST_STEPS + n;
  const bool refines = p->refines && m->sparse == NULL;
  const double sums = (refines ? 28 : 16) * srs_cone_numbers(p->cone); // in long double
  if (!srs_lm_spend(m, 2 * sums)) return 0;
  soften(p, rho);
  double size = residual(p, rho, z, m->r);
  int k = 0;
  while (size > goal && k < most && srs_lm_spend(m, srs_lm_cost(m, n) + sums)) {
    double *J = m->sparse == NULL ? m->factor : m->J;
    srs_mncp_jacobian(p->cone, z, J);
    k++;
    memcpy(m->step, m->r, sizeof *z * (size_t)n);
    if (refines) memcpy(m->J, J, sizeof *J * (size_t)n * (size_t)p->cone->stride);
    if (!srs_lm_divide(m, n, J, p->cone->stride, 0, m->step)) break;
    if (refines) refine(p);
    if (go(p, rho, 1, 0.5 * size, z, &size)) continue;
    if (!go(p, rho, srs_mncp_share(p->cone, z, m->step), 1, z, &size)) break;
  }
  soften(p, 0);
  return k;
}

srs_lm_result srs_proximal_finish(const srs_proximal *p, double enough, int most, double *z)
{
  return srs_proximal_finish_from(p, 0, enough, most, z);
}

srs_lm_result srs_proximal_finish_from(const srs_proximal *p, double begun, double enough, int most, double *z)
{
  const srs_lm_memory *m = p->lm;
  const int n = p->cone->n, usual = MOST_STEPS + n / SHARE;
  const size_t bytes = sizeof *z * (size_t)n;
  const double first = p->refines ? rho_refined : rho_first, least = p->refines ? rho_refined : rho_least;
  begin(p);
  srs_lm_result result = {.norm = residual(p, 0, z, m->r)};
  memcpy(m->best, z, bytes);
  double size = result.norm, rho = 0, floor = 0;
  for (int idle = 0; idle < MOST_IDLE && result.norm > enough && result.iterations < most; idle++) {
    const double usual_rho = fmax(floor, size / fmax(norm(n, m->x), rho_factor));
    rho =
        srs_clamp(rho > 0 || begun == 0 ? usual_rho : begun, rho > 0 ? fmax(rho_factor * rho, least) : first, rho_most);
    memcpy(p->centre, m->x, bytes);
    const int left = most - result.iterations;
    result.iterations += newton(p, rho, 0.1 * enough + 0.01 * size, left < usual ? left : usual, z);
    size = residual(p, 0, z, m->r);
    if (size < 0.5 * result.norm) idle = -1;
    floor = size < result.norm ? 0 : softer * rho;
    if (size < result.norm) {
      result.norm = size;
      memcpy(m->best, z, bytes);
    } else {
      memcpy(z, m->best, bytes);
      size = residual(p, 0, z, m->r);
    }
  }
  memcpy(z, m->best, bytes);
  (void)residual(p, 0, z, m->r);
  return result;
}

int srs_proximal_soft(const srs_proximal *p, double rho, double goal, int most, double *z, double *norm_there)
{
  begin(p);
  memset(p->centre, 0, sizeof *z * (size_t)p->cone->n);
  const int iterations = newton(p, rho, goal, most, z);
  *norm_there = residual(p, rho, z, p->lm->r);
  return iterations;
}

int srs_proximal_path(const srs_proximal *p, int most, double *good, double *z)
{
  const srs_lm_memory *m = p->lm;
  const int n = p->cone->n;
  const size_t bytes = sizeof *z * (size_t)n;
  double rho = path_start, last = 1, factor = path_factor;
  int iterations = 0;
  begin(p);
  memset(p->centre, 0, bytes);
  memcpy(good, z, bytes);
  while (iterations < most && rho > path_end && factor < 0.9) {
    const double goal = path_goal * rho;
    const int left = most - iterations;
    iterations += newton(p, rho, goal, left, z);
    if (residual(p, rho, z, m->r) <= goal) {
      memcpy(good, z, bytes);
      last = rho;
      factor = fmax(factor * factor, path_factor);
    } else {
      memcpy(z, good, bytes);
      factor = sqrt(factor);
    }
    rho = last * factor;
  }
  memcpy(z, good, bytes);
  return iterations;
}
