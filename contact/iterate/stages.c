// One stage of the fallback sequence (contact/iterate/fallback.c): from a start to what it leads to.
//
//   damped steps       Levenberg-Marquardt from z. Where they end near a solution, W's null space may hold them there,
//                      and proximal points go on
//   proximal points    from impulses that sweeps have led to, without damped steps. In heaps and walls that slide, many
//                      contacts hold each other: damped steps end at |r| of 1e-3 and take six times the work of a step
//                      by LU each, while proximal points, from |r| of 1e-2, lead on: rho = |r| / |x| falls with the
//                      residual. The last digits are found in long double
//
// A stage keeps the best point, and is accepted by the problem's own residual.
#include "contact/iterate/stages.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/mncp.h"
#include "contact/problem/least_norm.h"

#include <string.h>

enum { SHORT = 8 };                         // damped steps
static const double near_enough = 1e-2;     // |r| from which proximal points are tried
static const double nearly = 1e-8;          // |residual| that rounding may hold
static const double large_rounding = 5e-13; // of impulses that are large

double srs_stage_minimise(srs_fallback *l, double goal, double enough)
{
  const srs_equations equations = {l->cone.n, l->cone.stride, &l->cone, srs_mncp_residual, srs_mncp_jacobian};
  const srs_lm_result result = l->minimise(&equations, &l->lm, goal, enough, l->max_iterations, l->z);
  l->iterations += result.iterations;
  return result.norm;
}

static double natural_map(srs_fallback *l)
{
  srs_mncp_impulse(&l->cone, l->z, l->x);
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_cone_residual(&l->cone, l->x, l->w);
}

bool srs_stage_is_rounding(const srs_fallback *l, double residual, const double *x)
{
  const double most_rounding = l->polyhedral == NULL ? 1e-6 : 1e-9;
  return !l->is_strict && residual < most_rounding && residual <= srs_cone_rounding(&l->cone, x);
}

bool srs_stage_is_large(const srs_fallback *l, const double *x)
{
  return srs_cone_rounding(&l->cone, x) >= large_rounding;
}

bool srs_stage_is_kept(const srs_fallback *l, const double *x) { return !l->avoids_large || !srs_stage_is_large(l, x); }

// Rounding that large impulses cause is no reason to stop as long as other starts may lead to smaller ones.
bool srs_stage_is_answer(const srs_fallback *l, double residual)
{
  return (residual <= l->answer && srs_stage_is_kept(l, l->x)) || srs_stage_is_rounding(l, residual, l->x);
}

int srs_stage_jacobians(const srs_fallback *l, double work, int least, int most)
{
  const double n = l->cone.n;
  const double possible = work / (l->cone.sparse != NULL ? 8 * srs_lm_cost(&l->lm, l->cone.n) : n * n * n + 1e4);
  return possible > most ? most : possible < least ? least : (int)possible;
}

srs_proximal srs_stage_proximal(srs_fallback *l)
{
  return (srs_proximal){&l->cone, &l->lm, l->centre, l->diagonal, false};
}

// The least-norm solution, from the solution x. Not in large sparse problems: a dense factorisation would cost many
// times the solve.
void srs_stage_make_least(srs_fallback *l)
{
  if (l->cone.sparse != NULL || !srs_spend(&l->left, srs_lm_cost(&l->lm, l->cone.n))) return;
  if (!srs_least_norm_impulses(&l->cone, &l->lm, 0.1 * l->answer, l->w, l->x)) return;
  srs_cone_velocity(&l->cone, l->x, l->w);
  const double residual = srs_cone_residual(&l->cone, l->x, l->w);
  if (residual > fmax(0.1 * l->answer, l->best_residual)) return;
  l->best_residual = residual;
  memcpy(l->best, l->x, sizeof *l->x * (size_t)l->cone.n);
}

// Keeps x where it is the best so far; true when it is a solution.
bool srs_stage_keep(srs_fallback *l, srs_contact_stage name, double residual)
{
  if (!srs_stage_is_kept(l, l->x)) return false;
  if (residual < l->best_residual) {
    l->best_residual = residual;
    l->stage = name;
    memcpy(l->best, l->x, sizeof *l->x * (size_t)l->cone.n);
  }
  return srs_stage_is_answer(l, residual);
}

// From z; true when that leads to a solution. The best point so far is kept. Where Levenberg-Marquardt ends near a
// solution, W's null space may hold it there. In large problems the first tries are short: an interior point costs as
// much as a few damped steps.
bool srs_stage_try(srs_fallback *l, srs_contact_stage name, bool is_short)
{
  if (!srs_spend(&l->left, 4 * srs_cone_numbers(&l->cone))) return false;
  const int most_iterations = l->max_iterations;
  if (is_short && most_iterations > SHORT) l->max_iterations = SHORT;
  const double least = srs_stage_minimise(l, l->goal, l->enough);
  l->max_iterations = most_iterations;
  double residual = natural_map(l);
  if (least < near_enough && !is_short && !srs_stage_is_answer(l, residual)) {
    const srs_proximal proximal = srs_stage_proximal(l);
    const double work = l->polyhedral == NULL ? 3e8 : 2e9;
    const int most = srs_stage_jacobians(l, work, 20, l->max_iterations + 2 * l->cone.n);
    l->iterations += srs_proximal_finish(&proximal, l->enough, most, l->z).iterations;
    residual = natural_map(l);
  }
  if (!srs_stage_keep(l, name, residual)) return false;
  if (name != SRS_STAGE_WARM && residual == l->best_residual) srs_stage_make_least(l);
  return true;
}

void srs_stage_begin(srs_fallback *l, const double *x)
{
  if (x != l->x) memcpy(l->x, x, sizeof *x * (size_t)l->cone.n);
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int i = 0; i < l->cone.n; i++) l->z[i] = l->w[i] - l->x[i];
}

// Impulses handed in may be the answer already, as those of the step before are in what rests, or all but: sweeps mend
// what is left at a hundredth of the cost of a factor.
bool srs_stage_settle(srs_fallback *l, srs_contact_stage name)
{
  enum { ROUNDS = 8, SWEEPS = 8 };
  const double near = 1e-9, least_gain = 0.7;
  double residual = srs_cone_residual(&l->cone, l->x, l->w);
  for (int k = 0; k < ROUNDS && residual > l->enough && residual < near; k++) {
    memcpy(l->swept, l->x, sizeof *l->x * (size_t)l->cone.n);
    if (!srs_sweep_within(l, SWEEPS, l->swept)) break;
    srs_stage_begin(l, l->swept);
    const double before = residual;
    residual = srs_cone_residual(&l->cone, l->x, l->w);
    if (residual > least_gain * before) break;
  }
  return residual <= l->enough && srs_stage_keep(l, name, residual);
}

bool srs_stage_points(srs_fallback *l, srs_contact_stage name, double begun, double work, const double *impulses)
{
  srs_proximal proximal = srs_stage_proximal(l);
  double residual = INFINITY;
  srs_stage_begin(l, impulses);
  for (int k = 0; k < 2 && l->left > 0; k++) {
    const int most = srs_stage_jacobians(l, work, 20, 20 + 3 * l->cone.n / 2);
    proximal.refines = k > 0;
    l->iterations += srs_proximal_finish_from(&proximal, k == 0 ? begun : 0, l->enough, most, l->z).iterations;
    residual = natural_map(l);
    if (srs_stage_is_answer(l, residual) || residual > nearly) break;
  }
  if (!srs_stage_keep(l, name, residual)) return false;
  if (name != SRS_STAGE_WARM && residual == l->best_residual) srs_stage_make_least(l);
  return true;
}
