// Which z solves r(z) = 0? Levenberg-Marquardt for any square system of equations.
//
// Regular LM (MJ 5.1, with the sign corrected): psi = |r|^2 / 2,
//
//   (J^T J + lambda I) step = -J^T r      gain = (psi - psi(z + step)) / (step . (lambda step - J^T r) / 2)
//   gain > 0: go there.    gain < 0.3: lambda * 20.    gain > 0.8: lambda / 20.
//   psi not halved in five iterations: a stationary point, so stop.
//
// Newton steps, by LU at half the cost, are taken as long as they reduce psi well; damping begins only when one fails,
// at lambda = 1e-10. J^T J squares the condition number, so near a solution lambda keeps the smallest
// singular directions from converging: there Newton takes over again, as long as J is not singular.
//
// "Projected" LM (MJ 5.2): the same damped step from a QR factorisation of [J; sqrt(lambda) I], so that the condition
// number is not squared and lambda may be tiny; line search with step length t = 1, 1/2, … 1/64 until
//
//   psi(z + t step) <= the largest of the last five psi - 1e-4 t |slope|
//
// (psi may rise for a while: at a kink the straight step is often the best), damped more where no t is accepted. The
// watchdog remembers the best point: if ten iterations do not improve it by a tenth, the search returns to it, and from
// there psi has to fall. Newton steps come first here too, for an eighth of the work.
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/algebra/dense.h"

#include <math.h>
#include <string.h>

enum { IDLE = 5 }; // iterations of RLM that may pass without psi halved

static const double lambda_start = 1e-10, lambda_least = 1e-14, lambda_most = 1e10, lambda_factor = 20;

SRS_CONTACT_KERNEL
static double dot(int n, const double *a, const double *b) { return srs_dot(n, a, b); }

bool srs_lm_divide(const srs_lm_memory *m, int n, double *J, int stride, double least_ratio, double *step)
{
  if (m->sparse != NULL) return srs_sparse_solve(m->sparse, J, least_ratio, m->gram, step);
  if (!srs_dense_lu_if_regular(n, J, stride, m->pivot, least_ratio)) return false;
  srs_dense_lu_solve(n, J, stride, m->pivot, step);
  return true;
}

static size_t matrix_bytes(const srs_equations *e) { return sizeof(double) * (size_t)e->n * (size_t)e->stride; }

// r at z - t step; returns psi there.
static double try_step(const srs_equations *e, const srs_lm_memory *m, double t, const double *z)
{
  for (int i = 0; i < e->n; i++) m->trial[i] = z[i] - t * m->step[i];
  e->residual(e->data, m->trial, m->x, m->trial_r);
  return 0.5 * dot(e->n, m->trial_r, m->trial_r);
}

static void go_to_trial(const srs_equations *e, const srs_lm_memory *m, double *z)
{
  memcpy(z, m->trial, sizeof *z * (size_t)e->n);
  memcpy(m->r, m->trial_r, sizeof *z * (size_t)e->n);
}

// Newton's step by LU; true if it reduced psi to less than a quarter.
static bool newton(const srs_equations *e, const srs_lm_memory *m, double *psi, double *z)
{
  if (!srs_lm_spend(m, srs_lm_cost(m, e->n))) return false;
  if (m->sparse == NULL) memcpy(m->factor, m->J, matrix_bytes(e));
  memcpy(m->step, m->r, sizeof *z * (size_t)e->n);
  if (!srs_lm_divide(m, e->n, m->sparse == NULL ? m->factor : m->J, e->stride, 1e-14, m->step)) return false;
  const double there = try_step(e, m, 1, z);
  if (!(there < 0.25 * *psi)) return false;
  go_to_trial(e, m, z);
  *psi = there;
  return true;
}

static void find_gradient(const srs_equations *e, const srs_lm_memory *m)
{
  if (m->sparse != NULL)
    srs_sparse_multiply_transposed(m->sparse, m->J, m->r, m->gradient);
  else
    srs_dense_multiply_transposed(e->n, e->n, m->J, e->stride, m->r, m->gradient);
}

// The damped step, from J^T J in gram if dense; false where that is not positive definite.
static bool damped_step(const srs_equations *e, const srs_lm_memory *m, double lambda)
{
  const size_t bytes = sizeof *m->step * (size_t)e->n;
  if (m->sparse != NULL) {
    memcpy(m->step, m->r, bytes);
    return srs_sparse_least_squares(m->sparse, m->J, lambda, m->gram, m->step);
  }
  memcpy(m->factor, m->gram, matrix_bytes(e));
  if (!srs_dense_cholesky(e->n, m->factor, e->stride, lambda)) return false;
  memcpy(m->step, m->gradient, bytes);
  srs_dense_cholesky_solve(e->n, m->factor, e->stride, m->step);
  return true;
}

// One damped step; lambda is adapted until one is accepted. False when none is.
static bool damped(const srs_equations *e, const srs_lm_memory *m, double *lambda, double *psi, double *z)
{
  const int n = e->n;
  if (!srs_lm_spend(m, 1.5 * srs_lm_cost(m, n))) return false;
  find_gradient(e, m);
  if (m->sparse == NULL) srs_dense_gram(n, m->J, e->stride, m->gram);
  while (*lambda < lambda_most && srs_lm_spend(m, (m->sparse == NULL ? 0.5 : 8) * srs_lm_cost(m, n))) {
    if (!damped_step(e, m, *lambda)) {
      *lambda *= lambda_factor;
      continue;
    }
    const double predicted = 0.5 * (*lambda * dot(n, m->step, m->step) + dot(n, m->step, m->gradient));
    const double there = try_step(e, m, 1, z), gain = (*psi - there) / predicted;
    if (!(predicted > 0)) return false;
    if (!(gain >= 0.3)) *lambda *= lambda_factor;
    if (gain > 0.8 && *lambda > lambda_least) *lambda /= lambda_factor;
    if (gain > 0) {
      go_to_trial(e, m, z);
      *psi = there;
      return true;
    }
    if (predicted <= 1e-14 * *psi) return false;
  }
  return false;
}

srs_lm_result srs_rlm(const srs_equations *e, const srs_lm_memory *m, double goal, double enough, int max_iterations,
                      double *z)
{
  const double psi_goal = 0.5 * goal * goal, psi_enough = 0.5 * enough * enough;
  double lambda = lambda_start;
  e->residual(e->data, z, m->x, m->r);
  double psi = 0.5 * dot(e->n, m->r, m->r);
  srs_lm_result result = {0};
  bool tries_newton = true;
  double last = psi; // psi the last time that it had halved
  int idle = 0;      // iterations since
  while (psi > psi_goal && result.iterations < max_iterations && idle < IDLE &&
         srs_lm_affords(m, srs_lm_cost(m, e->n))) {
    const double before = psi;
    e->jacobian(e->data, z, m->J);
    result.iterations++;
    const bool is_newton = tries_newton && newton(e, m, &psi, z);
    if (!is_newton && !damped(e, m, &lambda, &psi, z)) break;
    if (!is_newton) tries_newton = psi < 1e-6 && psi > 1e-6 * before; // near a solution damping prevents convergence
    idle++;
    if (psi < 0.5 * last) last = psi, idle = 0;
    // One more iteration polishes; it is cheap but in large problems.
    if (psi <= psi_enough && (psi > 0.01 * before || m->sparse != NULL)) break;
  }
  result.norm = sqrt(2 * psi);
  return result;
}

// ---- PLM ----

enum { MEMORY = 5, PATIENCE = 10, BACKTRACKS = 6 };

typedef struct search {
  double lambda;
  double recent[MEMORY]; // psi of the last points
  int n_recent;
  double psi, best; // here; the least so far
  int since_best;   // iterations
} search;

static void remember(search *s, double psi, bool forget)
{
  if (forget) s->n_recent = 0;
  s->recent[s->n_recent++ % MEMORY] = psi;
}

static double reference(const search *s)
{
  double most = 0;
  for (int i = 0; i < s->n_recent && i < MEMORY; i++) most = s->recent[i] > most ? s->recent[i] : most;
  return most;
}

// One step along a damped direction; false when no damping gives one.
static bool projected(const srs_equations *e, const srs_lm_memory *m, search *s, double *z)
{
  const int n = e->n;
  find_gradient(e, m);
  while (s->lambda < lambda_most && srs_lm_spend(m, 6 * srs_lm_cost(m, n))) {
    memcpy(m->step, m->r, sizeof *z * (size_t)n);
    if (m->sparse == NULL)
      srs_dense_least_squares(n, m->J, e->stride, s->lambda, m->gram, m->tall, m->step);
    else if (!srs_sparse_least_squares(m->sparse, m->J, s->lambda, m->gram, m->step))
      memset(m->step, 0, sizeof *z * (size_t)n); // more damping
    const double slope = dot(n, m->gradient, m->step), most = reference(s);
    for (int k = 0; slope > 0 && k <= BACKTRACKS; k++) {
      const double t = ldexp(1, -k), there = try_step(e, m, t, z);
      if (!(there <= most - 1e-4 * t * slope)) continue;
      go_to_trial(e, m, z);
      s->psi = there;
      if (k == 0 && s->lambda > lambda_least * 1e-2) s->lambda /= lambda_factor;
      return true;
    }
    if (slope <= 1e-15 * s->psi && slope > 0) return false;
    s->lambda *= lambda_factor;
  }
  return false;
}

srs_lm_result srs_plm(const srs_equations *e, const srs_lm_memory *m, double goal, double enough, int max_iterations,
                      double *z)
{
  const double psi_goal = 0.5 * goal * goal, psi_enough = 0.5 * enough * enough;
  const size_t bytes = sizeof *z * (size_t)e->n;
  e->residual(e->data, z, m->x, m->r);
  search s = {.lambda = lambda_start, .psi = 0.5 * dot(e->n, m->r, m->r)};
  srs_lm_result result = {0};
  bool was_called_back = false, tries_newton = true;
  s.best = s.psi;
  memcpy(m->best, z, bytes);
  remember(&s, s.psi, true);
  while (s.best > psi_goal && result.iterations < max_iterations && srs_lm_affords(m, srs_lm_cost(m, e->n))) {
    const double before = s.best;
    result.iterations++;
    e->jacobian(e->data, z, m->J);
    const bool is_newton = tries_newton && newton(e, m, &s.psi, z);
    tries_newton = is_newton || (s.psi < 1e-6 && !tries_newton);
    const bool moved = is_newton || projected(e, m, &s, z);
    if (moved) remember(&s, s.psi, was_called_back);
    s.since_best++;
    if (s.psi < s.best) {
      if (s.psi < 0.9 * s.best) s.since_best = 0, was_called_back = false;
      s.best = s.psi;
      memcpy(m->best, z, bytes);
    }
    if (s.best <= psi_enough && s.best > 0.01 * before) break;
    if (moved && s.since_best < PATIENCE) continue;
    if (was_called_back) break;
    was_called_back = true;
    s.since_best = 0;
    memcpy(z, m->best, bytes);
    e->residual(e->data, z, m->x, m->r);
    s.psi = s.best;
    if (s.lambda < 1e-6) s.lambda = 1e-6;
    remember(&s, s.psi, true);
  }
  memcpy(z, m->best, bytes);
  result.norm = sqrt(2 * s.best);
  return result;
}
