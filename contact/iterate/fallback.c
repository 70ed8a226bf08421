// Which start leads Levenberg-Marquardt to a solution? The fallback sequence of the exact cone.
//
// Levenberg-Marquardt converges locally. The stages are starts, cheapest first:
//
//   warm           the impulses handed in
//   cold           a few sweeps over the contacts, each solved alone, from no impulses; in small problems a few damped
//                  steps from there; with 60 rows or more smoothed contacts (contact/smooth/smooth_path.h); then
//                  proximal points from more sweeps, then from rounds of relaxed problems; damped steps; then z = b
//   refined        where the best is near, proximal points in higher precision, then the softened path: sweeps
//                  lead back to the same point where bodies are all but at rest
//   Gauss-Seidel   more and more sweeps
//   softened       W + rho I: every row yields by rho times its impulse. For large rho rows are nearly decoupled and
//                  the solution is easily found; continuation then takes rho to zero (contact/iterate/proximal.h), in
//                  smaller steps where one solution does not lead to the next
//   Lemke          the solution with a friction pyramid
//   interior       in large problems, where W is packed only, instead of Lemke and first of all: a pyramid's solution
//                  by an interior point (contact/large/large_polyhedral.h), or the fixed point of relaxed problems
//                  before these, where contacts have one tangent at most: contact/planar/planar.h, first of all
//                  where W is a sum over bodies
//                  in space, where W is a sum over bodies, the relaxed problem first, which is the problem itself
//                  where nothing slides; after a few damped steps smoothed contacts, by bodies
//   at rest        velocities that rows at rest determine (contact/refine/resting.h), before Lemke and again with more
//                  and more work
//   precise        in long double, where rounding is the obstacle (contact/refine/precise.h): near misses and two
//                  softened paths, and more of these after the hops
//   hops           small changes of near misses (contact/refine/hopping.h), where an answer may exist
//   smoothed       contacts, on paths that differ, in problems of any size
//   softened       again, by Levenberg-Marquardt. Where the path ends (with friction, solutions can vanish in pairs) it
//                  restarts near the last solution: from sweeps, then from pseudo-random points
//   paths          many (contact/iterate/homotopy.h)
//   hops           with what is left, and smoothed contacts once more
//
// What follows Lemke counts as softened. An answer whose impulses are so large that their rounding is above the
// tolerance is kept, but smaller ones are searched for, at rest and by hops: for long where the data cannot mean such
// impulses (bodies of the same mass, wedged). Where nothing leads to the tolerance, all starts are tried once more, and
// large impulses are no answer then (srs_fallback_avoid_large), unless the impulses handed in were large, too.
//
// From the second start on PLM searches, whatever the method: its psi may rise for a while, so it leaves most of the
// stationary points at which RLM ends. Where either ends near a solution, W's null space blocks the way, and proximal
// points go on (contact/iterate/stages.h).
//
// Except after a warm start, the solution is replaced by the least-norm one (contact/problem/least_norm.h).
//
// Every stage is accepted by the problem's own residual. Multiplications are counted; when the budget is spent the best
// iterate is returned, so the bound is the same on every machine.
#include "contact/iterate/fallback.h"
#include "contact/algebra/random.h"
#include "contact/iterate/admissible.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/homotopy.h"
#include "contact/iterate/mncp.h"
#include "contact/iterate/polyhedral.h"
#include "contact/iterate/relaxation.h"
#include "contact/iterate/stages.h"
#include "contact/refine/hopping.h"
#include "contact/refine/precise.h"
#include "contact/refine/resting.h"
#include "contact/smooth/smooth_curve.h"
#include "contact/smooth/smooth_path.h"

#include <stdint.h>
#include <string.h>

enum { COLD_SWEEPS = 6, MORE_SWEEPS = 100, MOST_PATHS = 10000, PATH_LENGTH = 300, REFINED = 100, MOST_IDLE = 3 };
enum { MOST_SOFT_PATHS = 40, MOST_VELOCITIES = 20, MOST_ANSWERS = 100 };
enum { CROWDED = 60, MOST_CROWDED = 400, FEW_POINTS = 20 }; // rows from which contacts are smoothed, and up to which
enum { SMOOTH_PATHS = 3, SMOOTH_STEPS = 400, SMOOTH_STEPS_BY_BODIES = 1200, SMOOTH_ENDS = 4 };
static const double most_impulse = 1e4; // of an answer that paths are tried for
enum { TURNS = 3 };                     // of velocities at rest and hops, at the end
static const double part_of_turn = 0.6; // of what is left, for hops
// Multiplications of velocities at rest, of hops, of both for smaller impulses, of softened problems, of all paths, of
// those in long double.
static const double resting_work = 3e8, long_resting_work = 2e9, hopping_work = 1.5e9, smaller_work = 3e7,
                    most_soft_work = 5e8, most_path_work = 1e9, precise_work = 5e8, early_precise_work = 2.5e8;
static const double avoiding_work = 3e9; // of a search for smaller impulses, where rounding is above the tolerance
static const double smooth_work = 1e8, long_smooth_work = 1.5e9; // of paths of smoothed contacts
static const double smooth_rho[SMOOTH_ENDS] = {1e-11, 1e-12, 1e-9, 1e-10}, smooth_near = 1e-4; // first points; t
static const double paths_share = 0.6, rho_by_bodies = 1e-5; // of what is left, where points by bodies follow; theirs
static const double relaxed_work = 5e8, points_work = 2e9;   // multiplications of relaxed problems, of proximal points
static const double usual_impulse = 100; // |x| that needs no second look where W's pivots are near 1
static const double so_near = 1e-6;      // |residual| that paths do not improve
static const double near_enough = 1e-2;  // |residual| from which the best point is refined

// A few sweeps from zero impulses, fewer where they change little.
static void start_cold(srs_fallback *l)
{
  const size_t n = (size_t)l->cone.n;
  memset(l->swept, 0, sizeof *l->swept * n);
  for (int k = 0; k < COLD_SWEEPS; k++) {
    double moved = 0, size = 0;
    memcpy(l->x, l->swept, sizeof *l->swept * n);
    if (!srs_sweep_within(l, 1, l->swept)) break;
    for (size_t i = 0; i < n; i++) {
      moved = fmax(moved, fabs(l->swept[i] - l->x[i]));
      size = fmax(size, fabs(l->swept[i]));
    }
    if (moved <= 1e-3 * size) break;
  }
  srs_stage_begin(l, l->swept);
}

static bool try_sweeps(srs_fallback *l)
{
  memset(l->swept, 0, sizeof *l->swept * (size_t)l->cone.n);
  for (int sweeps = 30; sweeps <= 120 && l->left > 0; sweeps *= 2) {
    if (!srs_sweep_within(l, sweeps, l->swept)) return false;
    srs_stage_begin(l, l->swept);
    if (srs_stage_try(l, SRS_STAGE_GAUSS_SEIDEL, false)) return true;
  }
  return false;
}

// Each contact's pyramid is aligned with the friction of the last pyramid solution, and so on: where that converges the
// solution is the cone's.
static bool try_lemke(srs_fallback *l)
{
  const double *towards = NULL;
  for (int turn = 0; turn < 8 && l->left > 0; turn++) {
    l->iterations += srs_polyhedral_lemke(l->polyhedral, l, towards, l->swept);
    srs_stage_begin(l, l->swept);
    if (srs_stage_try(l, SRS_STAGE_LEMKE, false)) return true;
    towards = l->swept;
  }
  return false;
}

// ---- softened ----

static bool try_path(srs_fallback *l)
{
  const srs_proximal proximal = srs_stage_proximal(l);
  memcpy(l->z, l->cone.b, sizeof *l->z * (size_t)l->cone.n);
  const int most = srs_stage_jacobians(l, 1e10, 100, 2 * l->max_iterations + 20 * l->cone.n);
  l->iterations += srs_proximal_path(&proximal, most, l->good, l->z);
  return srs_stage_try(l, SRS_STAGE_SOFTENED, false);
}

static const double soft_start = 10, soft_end = 1e-9, soft_enough = 1e-9;

static void soften(srs_fallback *l, double rho)
{
  for (int i = 0; i < l->cone.n; i++) *srs_cone_diagonal(&l->cone, i) = l->diagonal[i] + rho;
}

// Another start near the last solution.
static bool jump(srs_fallback *l, int attempt, uint64_t *state)
{
  const int n = l->cone.n;
  if (attempt < 2) {
    memcpy(l->z, l->good, sizeof *l->z * (size_t)n);
    srs_mncp_impulse(&l->cone, l->z, l->swept);
    if (srs_sweep_within(l, attempt == 0 ? 30 : 200, l->swept)) srs_stage_begin(l, l->swept);
    return srs_stage_minimise(l, soft_enough, soft_enough) <= soft_enough;
  }
  double size = 0;
  for (int i = 0; i < n; i++) size += l->good[i] * l->good[i];
  size = sqrt(size / n) * (attempt < 5 ? 0.5 : 2);
  for (int i = 0; i < n; i++) l->z[i] = l->good[i] + size * srs_random(state);
  return srs_stage_minimise(l, soft_enough, soft_enough) <= soft_enough;
}

static bool try_softening(srs_fallback *l)
{
  const int n = l->cone.n, end = l->iterations + srs_stage_jacobians(l, 2e9, 200, 200 * n);
  const size_t bytes = sizeof(double) * (size_t)n;
  for (int i = 0; i < n; i++) l->diagonal[i] = *srs_cone_diagonal(&l->cone, i);
  memcpy(l->z, l->cone.b, bytes);
  memcpy(l->good, l->cone.b, bytes);
  uint64_t state = 1;
  double rho = soft_start, last = soft_start / 0.1, factor = 0.1;
  bool is_answer = false;
  while (!is_answer && l->iterations < end && factor < 0.97 && l->left > 0) {
    bool is_good;
    soften(l, rho);
    if (rho == 0) {
      is_good = is_answer = srs_stage_try(l, SRS_STAGE_SOFTENED, false);
    } else {
      is_good = srs_stage_minimise(l, soft_enough, soft_enough) <= soft_enough;
      for (int attempt = 0; attempt < 8 && !is_good && factor > 0.5 && l->left > 0; attempt++) {
        is_good = jump(l, attempt, &state);
        if (is_good) factor = 0.1;
      }
    }
    if (is_good) {
      memcpy(l->good, l->z, bytes);
      last = rho;
      factor = factor * factor > 1e-3 ? factor * factor : 1e-3;
      rho = rho * factor < soft_end ? 0 : rho * factor;
    } else {
      memcpy(l->z, l->good, bytes);
      factor = sqrt(factor);
      rho = last * factor;
    }
  }
  soften(l, 0);
  return is_answer;
}

// ---- paths ----

// Whether velocities exist at all with w_n >= 0 in every contact. If not, softened problems without friction have
// impulses x >= 0 that grow without end, and these prove it: for any lambda x . w = W x . lambda + b . x, so that with
// b . x < 0 an answer has |lambda| >= |b . x| / |W x|.
static bool is_possible(srs_fallback *l)
{
  const srs_proximal proximal = srs_stage_proximal(l);
  const double *friction = l->cone.friction;
  const int most = srs_stage_jacobians(l, 1e9, 100, 2 * l->max_iterations + 2 * l->cone.n);
  memset(l->swept, 0, sizeof *l->swept * (size_t)l->cone.n);
  l->cone.friction = l->swept;
  memcpy(l->z, l->cone.b, sizeof *l->z * (size_t)l->cone.n);
  l->iterations += srs_proximal_path(&proximal, most, l->good, l->z);
  srs_mncp_impulse(&l->cone, l->z, l->x);
  l->cone.friction = friction;
  srs_cone_multiply(&l->cone, l->x, l->w);
  double slope = 0, square = 0;
  for (int i = 0; i < l->cone.n; i++) slope += l->cone.b[i] * l->x[i], square += l->w[i] * l->w[i];
  return !(-slope > most_impulse * sqrt(square));
}

// Where none of the starts led on: Lemke's path for the cone, paths from anywhere, and from near the best point.
static bool try_homotopies(srs_fallback *l)
{
  const size_t bytes = sizeof *l->z * (size_t)l->cone.n;
  uint64_t state = 1;
  const srs_homotopy homotopy = {&l->cone, &l->lm, l->centre, l->diagonal, &state, PATH_LENGTH + 5 * l->cone.n};
  for (int k = 0; k < MOST_PATHS && l->left > 0; k++) {
    const double size = exp(2.5 * srs_random(&state));
    int formed;
    bool is_near;
    if (k % 3 == 0) {
      is_near = srs_homotopy_apart(&homotopy, l->z, &formed);
    } else if (k % 3 == 1) {
      memset(l->z, 0, bytes);
      is_near = srs_homotopy_near(&homotopy, size, l->z, &formed);
    } else {
      srs_stage_begin(l, l->best);
      is_near = srs_homotopy_near(&homotopy, 10 * size * l->best_residual, l->z, &formed);
    }
    l->iterations += formed;
    if (is_near && srs_stage_try(l, SRS_STAGE_SOFTENED, false)) return true;
  }
  return false;
}

// ---- refined ----

// Leaves so many multiplications; the others, to be given back.
static double set_aside(srs_fallback *l, double most)
{
  const double unused = fmax(l->left - most, 0);
  l->left -= unused;
  return unused;
}

// So many multiplications, and less in small problems.
static double work_of(const srs_fallback *l, double most, double factorisations)
{
  return fmin(most, factorisations * srs_lm_cost(&l->lm, l->cone.n));
}

// Velocities that rows at rest determine.
static bool try_resting(srs_fallback *l, double most, uint64_t state)
{
  srs_resting resting = {&l->cone, &l->lm, l->centre, l->good, l->z, 0, l->best, &state, 0, 0, {0}, 0, {0}};
  const double unused = set_aside(l, most);
  bool is_done = false;
  for (int k = 0; k < MOST_VELOCITIES && !is_done && srs_resting_begin(&resting); k++) {
    if (!srs_resting_search(&resting, l->swept)) break;
    srs_stage_begin(l, l->swept);
    is_done = srs_stage_try(l, SRS_STAGE_SOFTENED, false) && l->best_residual <= l->answer;
  }
  l->slip = fmax(l->slip, resting.slip);
  l->left += unused;
  return is_done;
}

// Small changes of near misses.
static bool try_hops(srs_fallback *l, double most, uint64_t state)
{
  const srs_hopping hopping = {&l->cone, &l->lm, l->z, &state, l->slip};
  const double unused = set_aside(l, most);
  bool is_done = false;
  for (int k = 0; k < MOST_ANSWERS && !is_done && srs_hopping_search(&hopping, l->swept, &l->iterations); k++) {
    srs_stage_begin(l, l->swept);
    is_done = srs_stage_try(l, SRS_STAGE_SOFTENED, false) && l->best_residual <= l->answer;
  }
  l->left += unused;
  return is_done;
}

// Where the obstacle is rounding: dependent contacts under a large ratio of masses. Proximal points from the best.
static bool try_refined(srs_fallback *l)
{
  srs_proximal proximal = srs_stage_proximal(l);
  proximal.refines = true;
  srs_stage_begin(l, l->best);
  l->iterations += srs_proximal_finish(&proximal, l->enough, REFINED + 2 * l->cone.n, l->z).iterations;
  return srs_stage_try(l, l->stage, true);
}

// ---- all of them ----

static bool try_later_starts(srs_fallback *l)
{
  const bool softens = l->last_stage >= SRS_STAGE_SOFTENED;
  const bool is_near = softens && l->cone.sparse == NULL && l->best_residual < so_near;
  if (is_near && (try_refined(l) || try_path(l))) return true; // sweeps would lead there again
  memcpy(l->z, l->cone.b, sizeof *l->z * (size_t)l->cone.n);
  if (srs_stage_try(l, SRS_STAGE_COLD, false)) return true;
  if (l->last_stage < SRS_STAGE_GAUSS_SEIDEL) return false;
  if (try_sweeps(l)) return true;
  if (softens && !is_near && try_path(l)) return true;
  if (l->last_stage < SRS_STAGE_LEMKE) return false;
  if (l->cone.sparse == NULL && l->last_stage >= SRS_STAGE_SOFTENED && try_resting(l, work_of(l, smaller_work, 1e3), 3))
    return true;
  return try_lemke(l);
}

// From where it began to a point that is an answer in double.
static bool finish_precise(srs_fallback *l, srs_precise *precise)
{
  double before = INFINITY;
  bool is_done = false;
  for (int idle = 0; idle < MOST_IDLE && !is_done; idle++) {
    const double size = srs_precise_next(precise, l->x);
    if (!isfinite(size)) break;
    if (size < 0.5 * before) idle = -1, before = size;
    srs_cone_velocity(&l->cone, l->x, l->w);
    const double residual = srs_cone_residual(&l->cone, l->x, l->w);
    is_done = srs_stage_is_answer(l, residual);
    if (!(residual < l->best_residual) || !srs_stage_is_kept(l, l->x)) continue;
    l->best_residual = residual;
    l->stage = SRS_STAGE_SOFTENED;
    memcpy(l->best, l->x, sizeof *l->x * (size_t)l->cone.n);
    if (is_done) srs_stage_make_least(l);
  }
  return is_done;
}

// Where the obstacle is rounding on the way: light bodies under heavy ones, dependent contacts. In long double, from
// the best point and along paths; z would be lost in double.
static bool try_precise(srs_fallback *l, double most_work, int n_paths, uint64_t state)
{
  const double unused = set_aside(l, most_work);
  bool is_done = false;
  for (int k = l->best_residual < near_enough ? -1 : 0; k < n_paths && !is_done && l->left > 0; k++) {
    srs_precise precise = {&l->cone, &l->lm, REFINED + 10 * l->cone.n};
    const int most = precise.left;
    if (k < 0)
      srs_precise_start(&precise, l->best);
    else
      srs_precise_follow(&precise, k == 0 ? NULL : &state);
    is_done = finish_precise(l, &precise);
    l->iterations += most - precise.left;
  }
  l->left += unused;
  return is_done;
}

// Proximal points from where smoothed contacts lead, on paths that differ.
static bool try_smooth_paths(srs_fallback *l, double most, uint64_t state)
{
  srs_smooth smooth = {&l->cone, &l->lm, l->centre, l->swept, l->diagonal, 0, NULL};
  const double unused = set_aside(l, most);
  bool is_done = false;
  while (!is_done && l->left > 0 && srs_smooth_begin(&smooth)) {
    double t = 1;
    l->iterations += srs_smooth_path(&smooth, &state, SMOOTH_STEPS, l->z, l->swept, &t);
    if (t > smooth_near || srs_length(l->cone.n, l->swept) > most_impulse) continue;
    for (int k = 0; k < SMOOTH_ENDS && !is_done; k += 2)
      is_done = srs_stage_points(l, SRS_STAGE_SOFTENED, smooth_rho[k], smooth_work, l->swept) &&
                l->best_residual <= l->answer;
  }
  l->left += unused;
  return is_done;
}

// Where the usual starts did not lead on: what is cheap first.
static void search(srs_fallback *l)
{
  if (l->best_residual < near_enough && try_refined(l)) return;
  if (try_precise(l, early_precise_work, 2, 1)) return;
  double unused = set_aside(l, most_path_work);
  const bool is_hopeless = l->best_residual > so_near && !is_possible(l);
  l->left += unused;
  if (!is_hopeless &&
      (try_resting(l, work_of(l, resting_work, 3e3), 1) || try_hops(l, work_of(l, hopping_work, 2e4), 1)))
    return;
  if (srs_stage_is_rounding(l, l->best_residual, l->best)) return;
  if (try_smooth_paths(l, work_of(l, smooth_work, 2e3), 1) || try_precise(l, precise_work, MOST_SOFT_PATHS, 2)) return;
  unused = set_aside(l, most_soft_work);
  const bool is_soft = l->best_residual >= soft_enough && try_softening(l); // so near, rounding is the obstacle
  l->left += unused;
  if (is_soft || is_hopeless) return;
  unused = set_aside(l, most_path_work);
  const bool is_led = l->best_residual > so_near && try_homotopies(l);
  l->left += unused;
  bool is_done = is_led;
  for (uint64_t turn = 0; turn < TURNS && !is_done && l->left > 0; turn++)
    is_done = try_resting(l, work_of(l, long_resting_work, 2e4), 2 + turn) ||
              (turn == 1 && try_smooth_paths(l, work_of(l, long_smooth_work, 2e4), 2)) ||
              try_hops(l, turn + 1 < TURNS ? part_of_turn * l->left : INFINITY, 2 + turn);
}

// An answer with large impulses, whose rounding is above the tolerance, also where the residual happens to be below it:
// there may be one with smaller ones.
static void search_smaller(srs_fallback *l)
{
  const bool is_solved = l->best_residual <= l->answer;
  const double size = srs_length(l->cone.n, l->best);
  if (l->last_stage < SRS_STAGE_SOFTENED || l->cone.sparse != NULL || (is_solved && size <= usual_impulse)) return;
  if (!is_solved && !srs_stage_is_rounding(l, l->best_residual, l->best)) return;
  if (!srs_stage_is_large(l, l->best)) return;
  const bool has_meaning = size <= usual_impulse * srs_admissible_size(l), is_short = has_meaning || is_solved;
  if (is_solved && has_meaning) return;
  if (!try_resting(l, is_short ? smaller_work : resting_work, 1))
    (void)try_hops(l, is_short ? smaller_work : hopping_work, 1);
}

// Half of the budget is kept for what follows the usual starts.
static void try_later_stages(srs_fallback *l)
{
  const bool searches = l->last_stage >= SRS_STAGE_SOFTENED && l->cone.sparse == NULL;
  const double kept = searches ? 0.5 * l->left : 0;
  l->left -= kept;
  const bool is_done = try_later_starts(l);
  l->left += kept;
  if (is_done || l->last_stage < SRS_STAGE_SOFTENED) return;
  if (searches)
    search(l);
  else if (l->best_residual >= soft_enough)
    (void)try_softening(l);
}

static bool try_starts(srs_fallback *l)
{
  for (int number = 0; l->left > 0; number++) {
    const srs_start start = l->start(l->start_data, number, l->swept);
    if (start == SRS_START_NONE) return false;
    if (start == SRS_START_FAR) continue;
    srs_stage_begin(l, l->swept);
    if (srs_stage_keep(l, SRS_STAGE_INTERIOR, srs_cone_residual(&l->cone, l->x, l->w))) return true;
    if (srs_stage_try(l, SRS_STAGE_INTERIOR, false)) return true;
  }
  return false;
}

// The start before all others: the answer where nothing slides, but for a few sweeps. Elsewhere damped steps from it go
// no farther than those from sweeps do.
static bool try_first(srs_fallback *l)
{
  if (l->start(l->start_data, SRS_START_FIRST, l->swept) != SRS_START_NEAR) return false;
  srs_stage_begin(l, l->swept);
  return srs_stage_settle(l, SRS_STAGE_INTERIOR);
}

// Likewise, after a few damped steps.
static bool try_crowd(srs_fallback *l)
{
  if (l->start(l->start_data, SRS_START_CROWD, l->swept) != SRS_START_NEAR) return false;
  srs_stage_begin(l, l->swept);
  return srs_stage_keep(l, SRS_STAGE_COLD, srs_cone_residual(&l->cone, l->x, l->w));
}

// Large problems: interior points early; they cost as much as a few damped steps.
static void run_large(srs_fallback *l)
{
  const bool has_interior = l->last_stage >= SRS_STAGE_INTERIOR;
  if (has_interior && !l->starts_first && try_first(l)) return;
  if (!l->starts_first) {
    start_cold(l);
    if (srs_stage_try(l, SRS_STAGE_COLD, has_interior)) return;
    if (has_interior && try_crowd(l)) return;
  }
  srs_minimiser *asked = l->minimise;
  l->minimise = srs_plm;
  const bool is_done = (has_interior && try_starts(l)) || (l->last_stage >= SRS_STAGE_GAUSS_SEIDEL && try_sweeps(l));
  if (!is_done && l->last_stage >= SRS_STAGE_SOFTENED && l->left > 0) (void)try_path(l);
  l->minimise = asked;
}

// Proximal points from rounds of relaxed problems.
static bool try_relaxed(srs_fallback *l)
{
  const double unused = set_aside(l, relaxed_work);
  const bool is_begun = srs_relaxation_start(l->relaxation, l, l->good);
  l->left += unused;
  return is_begun && srs_stage_points(l, SRS_STAGE_COLD, 0, points_work, l->good);
}

// Whether contacts are likely to hold each other, so that many have to change before the next proximal point.
static bool is_crowded(const srs_fallback *l) { return l->cone.n >= CROWDED && l->cone.n <= MOST_CROWDED; }

// Proximal points: a few, where smoothed contacts follow.
static bool try_few_points(srs_fallback *l, srs_contact_stage name, const double *x)
{
  const double n = l->cone.n, factors = l->cone.sparse != NULL ? 8 * srs_lm_cost(&l->lm, l->cone.n) : n * n * n;
  return srs_stage_points(l, name, 0, is_crowded(l) ? FEW_POINTS * factors : points_work, x);
}

// Proximal points from where smoothed contacts lead. These push each other without end where nothing bounds impulses:
// then residuals are lost in rounding, and others are searched for.
static bool end_smooth(srs_fallback *l, const srs_smooth_solver *solver)
{
  const size_t bytes = sizeof *l->best * (size_t)l->cone.n;
  const double before = l->best_residual;
  const srs_contact_stage stage = l->stage;
  memcpy(l->good, l->best, bytes);
  bool is_done = solver != NULL && solver->end(solver->data, rho_by_bodies, l->swept);
  for (int k = 0; k < SMOOTH_ENDS && solver == NULL && !is_done; k++)
    is_done = srs_stage_points(l, SRS_STAGE_COLD, smooth_rho[k], points_work, l->swept);
  if (srs_length(l->cone.n, l->best) <= most_impulse) return is_done && l->best_residual <= l->answer;
  memcpy(l->best, l->good, bytes);
  l->best_residual = before, l->stage = stage;
  return false;
}

// By bodies from another path where the points of one do not lead on.
bool srs_fallback_crowd(srs_fallback *l, const srs_smooth_solver *solver)
{
  const int most = solver != NULL ? SMOOTH_STEPS_BY_BODIES : SMOOTH_STEPS;
  const double end = 1e-6, share = solver != NULL ? paths_share : 1;
  srs_smooth smooth = {&l->cone, &l->lm, l->centre, l->swept, l->diagonal, 0, solver};
  uint64_t state = 1;
  double t = 1;
  bool is_done = false;
  if (!srs_smooth_begin(&smooth)) return false;
  for (int k = 0; k < SMOOTH_PATHS && !is_done && (solver != NULL || t > smooth_near) && l->left > 0; k++) {
    const double unused = set_aside(l, share * l->left);
    l->iterations += k == 0 ? srs_smooth_path(&smooth, NULL, most, l->z, l->swept, &t)
                            : srs_smooth_curve(&smooth, l->w, l->good, &state, most, end, l->z, l->swept, &t);
    l->left += unused;
    is_done = t <= smooth_near && srs_length(l->cone.n, l->swept) <= most_impulse && end_smooth(l, solver);
  }
  return is_done;
}

static bool try_more_points(srs_fallback *l)
{
  start_cold(l);
  return srs_sweep_within(l, MORE_SWEEPS, l->swept) && srs_stage_points(l, SRS_STAGE_COLD, 0, points_work, l->swept);
}

static void run_small(srs_fallback *l)
{
  start_cold(l);
  if (srs_stage_try(l, SRS_STAGE_COLD, true)) return;
  if (srs_sweep_within(l, MORE_SWEEPS, l->swept) && try_few_points(l, SRS_STAGE_COLD, l->swept)) return;
  if (is_crowded(l) && (srs_fallback_crowd(l, NULL) || try_more_points(l))) return;
  if (try_relaxed(l)) return;
  start_cold(l);
  if (srs_stage_try(l, SRS_STAGE_COLD, false)) return;
  srs_minimiser *asked = l->minimise;
  l->minimise = srs_plm;
  try_later_stages(l);
  l->minimise = asked;
}

void srs_fallback_run(srs_fallback *l, const double *warm)
{
  bool is_done = false;
  l->best_residual = INFINITY, l->slip = 0;
  l->stage = SRS_STAGE_COLD;
  memset(l->best, 0, sizeof *l->best * (size_t)l->cone.n);
  if (warm != NULL && !l->starts_first) {
    srs_stage_begin(l, warm);
    const bool is_large = l->polyhedral == NULL, is_short = l->last_stage > SRS_STAGE_WARM;
    is_done = (is_large && srs_stage_settle(l, SRS_STAGE_WARM)) || srs_stage_try(l, SRS_STAGE_WARM, is_short) ||
              (!is_large && is_short && try_few_points(l, SRS_STAGE_WARM, warm)) || l->last_stage < SRS_STAGE_COLD;
  }
  if (l->polyhedral == NULL && !is_done) run_large(l);
  if (l->polyhedral == NULL) return;
  if (!is_done) run_small(l);
  search_smaller(l);
}

void srs_fallback_avoid_large(srs_fallback *l)
{
  if (l->cone.sparse != NULL) return;
  const double unused = set_aside(l, work_of(l, avoiding_work, 1e5));
  l->avoids_large = true;
  srs_fallback_run(l, NULL);
  l->avoids_large = false;
  l->left += unused;
}

void srs_fallback_again(srs_fallback *l)
{
  l->best_residual = INFINITY;
  srs_stage_begin(l, l->best);
  (void)srs_stage_try(l, l->stage, false);
}
