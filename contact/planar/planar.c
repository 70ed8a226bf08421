// Which impulses solve a large problem of planar contacts, heaps above all?
//
// In heaps with friction Newton's method ends at contacts that can neither stick nor slide, from nearly every start.
// Here impulses are proximal points: x' solves the problem softened around x,
//
//   w = W x' + rho (x' - x) + b
//
// With a large rho there is one such x', however contacts are wedged. Newton's method, a step by bodies, mostly finds
// it in a few steps (contact/large/body_newton.h); where it comes round to where it was, or runs away, x' is the end of
// a path through the modes of contacts from x (mode_path.h). Where x' is found, rho becomes less, the less the fewer
// steps or changes of modes that took; where neither finds it, a contact has no equilibrium near x, and rho becomes
// larger: then the points move past that place, to where it has one. At the end rho is next to nothing, and x is a
// solution. (Rockafellar 1976 on proximal points; x - x' is a step of implicit Euler of length 1 / rho along -r: so
// points leave where methods that decrease |r| stay.)
//
// Newton's steps alone go on for ever in some heaps; paths alone take several times as long.
//
// Contacts that come round are a few that wait for each other's modes. Gauss-Seidel sweeps
// (contact/large/body_sweeps.h) find these for a thirtieth of an elimination or less, and go past places without
// equilibrium, while forces that rise slowly all over the heap take them thousands of sweeps, and points one step. So
// the first x is that of sweeps, and where no x' is found some follow. Halfway points begin again at a few rounds of
// relaxed problems (contact/large/large.c).
//
// Where points do not settle, one path remains, of many changes: from impulses of zero, where all contacts are parted
// by velocities that are the only solution,
//
//   w_n >= mu |w_t|    at t = 1
//
// As no other solution is there, it cannot come back, and leads to t = 0 (Lemke 1965; Cottle, Pang & Stone 1992). Where
// contacts wedge it may lead to impulses that only the softening of W holds, of |b| / rho: then others do, from
// velocities drawn and with a larger rho, and proximal points from there.
#include "contact/planar/planar.h"
#include "contact/algebra/random.h"
#include "contact/iterate/mncp.h"

#include <math.h>
#include <string.h>

enum { POINTS = 400, LAST_POINTS = 40, SHARE = 10 };           // of all; after the long path; rows a change on a path
enum { NEWTON_SHARE = 30, MOST_BETWEEN = 100 };                // the same, and changes, between Newton's points
enum { FEW_SHARE = 200, SOME_SHARE = 50, MOST_CHANGES = 200 }; // rows a change; changes a row of the long path
enum { STARTS = 8, POINTS_A_START = 100 };                     // by Newton's method
enum { FIRST_SWEEPS = 1000, ELIMINATIONS = 10 };               // sweeps: at first; as many as so many eliminations take
static const double first_rho = 0.1, least_rho = 1e-9, most_rho = 1e3;
static const double near_rho = 1e-4;         // from impulses that may be close to a solution
static const double least_newton_rho = 1e-7; // 1e-16 / rho is lost in velocities
static const double least_path_rho = 1e-5;   // by bodies: 1e-16 / rho^2 is lost in impulses
static const double most_path_rho = 1;       // beyond it, Newton's method does
static const double softer = 3;
enum { LONG_PATHS = 4 };
static const double soft_rho = 1e-6, soft_factor = 30;  // of the first long path; from one to the next
static const double draw_size = 0.1, draw_spread = 2.5; // of velocities at which contacts part: factors to e^2.5
static const double apart = 1e-3; // least velocity at which contacts part on the long path: b has the length 1

static double natural_map(srs_fallback *l)
{
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_cone_residual(&l->cone, l->x, l->w);
}

// z of x.
static void begin(srs_fallback *l)
{
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int i = 0; i < l->cone.n; i++) l->z[i] = l->w[i] - l->x[i];
}

// ---- proximal points ----

// By which part of rho the next point is harder: after so many changes of modes on a path, after so many of Newton's
// steps.
static double by_changes(int n, int changes)
{
  return changes == 0 ? 0.1 : changes < n / FEW_SHARE ? 0.35 : changes < n / SOME_SHARE ? 0.7 : 0.85;
}

static double by_steps(int steps, bool is_fast)
{
  if (is_fast) return steps <= 1 ? 0.1 : steps <= 3 ? 0.3 : 0.6;
  return steps <= 1 ? 0.3 : steps <= 3 ? 0.7 : 0.9;
}

// From x to the next proximal point.  @return the part of rho that is next; above 1 where there was none
static double follow(srs_fallback *l, const srs_planar_newton *newton, double rho, bool is_fast)
{
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  const srs_mode_solver *solver = newton != NULL && rho >= least_path_rho ? &newton->solver : NULL;
  const int before = l->iterations, n = l->cone.n, few = n / NEWTON_SHARE + 10;
  const int most = newton == NULL ? n / SHARE + 10 : few < MOST_BETWEEN ? few : MOST_BETWEEN;
  begin(l);
  if (!srs_mode_path(&proximal, solver, rho, most, l->z, &l->iterations)) return softer;
  const double part = by_changes(n, l->iterations - before);
  return newton == NULL ? part : is_fast ? srs_clamp(part, 0.3, 0.6) : fmax(part, 0.7);
}

static double step(srs_fallback *l, const srs_planar_newton *newton, double rho, double goal, bool is_fast)
{
  const int before = l->iterations;
  begin(l);
  memcpy(l->centre, l->x, sizeof *l->x * (size_t)l->cone.n);
  return newton->solve(newton->data, rho, goal, l->z, &l->iterations) ? by_steps(l->iterations - before, is_fast)
                                                                      : softer;
}

static void sweep(srs_fallback *l, const srs_planar_newton *newton, int sweeps)
{
  if (srs_spend(&l->left, (sweeps + 2) * newton->sweep_work)) newton->sweep(newton->data, sweeps, l->x);
}

// Proximal points from x, at one of two paces.
static bool settle(srs_fallback *l, const srs_planar_newton *newton, double rho, int most, bool is_fast)
{
  const double least = newton != NULL ? least_newton_rho : least_rho;
  const int sweeps = newton == NULL ? 0 : (int)(ELIMINATIONS * newton->solver.factor_work / newton->sweep_work);
  for (int k = 0; k < most && l->left > 0; k++) {
    const double residual = natural_map(l);
    if (residual <= l->answer) return true;
    double part = softer;
    if (newton != NULL) part = step(l, newton, rho, fmax(0.1 * l->answer, 1e-3 * residual), is_fast);
    if (part > 1 && (newton == NULL || rho < most_path_rho)) part = follow(l, newton, rho, is_fast);
    rho = fmax(part * rho, least);
    if (part <= 1)
      srs_mncp_impulse(&l->cone, l->z, l->x);
    else if (newton != NULL)
      sweep(l, newton, sweeps);
    if (rho > most_rho) return false;
  }
  return natural_map(l) <= l->answer;
}

// By turns at either pace; half of the turns go on from x, the others from another start.
static bool settle_by_bodies(srs_fallback *l, const srs_planar_newton *newton, srs_planar_start *start, void *data)
{
  double rho = first_rho;
  for (int k = 0; k < STARTS && l->left > 0; k++) {
    if (k == STARTS / 2 && !start(data, l->x)) return false;
    if (k == 0 || k == STARTS / 2) sweep(l, newton, FIRST_SWEEPS);
    if (settle(l, newton, rho, POINTS_A_START, k % 2 == 0)) return true;
    rho *= 0.5;
  }
  return false;
}

bool srs_planar_try(srs_fallback *l, const srs_planar_newton *newton, int most)
{
  double rho = near_rho;
  const int end = l->iterations + most;
  while (l->iterations < end && l->left > 0) {
    const double residual = natural_map(l);
    if (residual <= l->answer) return true;
    const double part = step(l, newton, rho, fmax(0.1 * l->answer, 1e-3 * residual), true);
    rho = fmax(part * rho, least_newton_rho);
    if (part <= 1) srs_mncp_impulse(&l->cone, l->z, l->x);
  }
  return natural_map(l) <= l->answer;
}

// ---- the long path ----

// Parts a contact: by as little as there is to do, or by chance.
static void pull_apart(double *z, bool has_tangent, double mu, uint64_t *state)
{
  if (state != NULL && has_tangent) z[1] += draw_size * exp(draw_spread * srs_random(state)) * srs_random(state);
  const double least = has_tangent ? mu * fabs(z[1]) : 0;
  z[0] = state == NULL ? fmax(z[0], least + apart) : least + draw_size * exp(draw_spread * srs_random(state));
}

// @param state  of velocities drawn; NULL: none are
static bool insert_all(srs_fallback *l, double rho, uint64_t *state)
{
  const srs_cone_problem *cone = &l->cone;
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  memcpy(l->z, cone->b, sizeof *l->z * (size_t)cone->n);
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c);
    pull_apart(l->z + i, srs_cone_tangents(cone, c) > 0, cone->friction[c], state);
  }
  for (int i = scalars; i < boxes; i++) pull_apart(l->z + i, false, 0, state);
  for (int i = boxes; i < cone->n; i++) l->z[i] = 0;
  if (!srs_mode_path(&proximal, NULL, rho, MOST_CHANGES * cone->n, l->z, &l->iterations)) return false;
  srs_mncp_impulse(cone, l->z, l->x);
  return true;
}

// What is left of a search that the budget ended.
static bool keep(srs_fallback *l)
{
  const double residual = natural_map(l);
  if (!(residual < l->best_residual)) return false;
  l->best_residual = residual;
  l->stage = SRS_STAGE_INTERIOR;
  memcpy(l->best, l->x, sizeof *l->x * (size_t)l->cone.n);
  return false;
}

bool srs_planar_search(srs_fallback *l, srs_planar_start *start, void *data, const srs_planar_newton *newton)
{
  if (newton != NULL && settle_by_bodies(l, newton, start, data)) return true;
  if (newton != NULL || start(data, l->x)) {
    if (l->left > 0 && settle(l, NULL, first_rho, POINTS, false)) return true;
    (void)keep(l);
  }
  uint64_t state = 1;
  for (int k = 0; k < LONG_PATHS && l->left > 0; k++) {
    const double rho = soft_rho * pow(soft_factor, k);
    if (insert_all(l, rho, k == 0 ? NULL : &state) && settle(l, NULL, rho, LAST_POINTS, false)) return true;
    (void)keep(l);
  }
  return false;
}
