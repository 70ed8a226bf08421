// Implicit integrators: the velocity v+ of a step whose matrices, velocity terms and rows are those of the
// configuration that v+ leads to.
//
// A guess u of v+ gives the configuration of the matrices (step_velocity.c): q^m = integrate(q, h u), or the mean of
// both ends. One problem there, with contacts and loops, gives g(u). The solution is the fixed point g(u) = u. Springs,
// dampers and servos are linearised about the guess and so need no iteration of their own; the rest of g's slope is of
// order h times the rate of change of M and c.
//
//   Anderson acceleration of depth 3: of r_k = g_k - u_k and its last changes R = [r_k - r_(k-1), …], those of g
//     likewise G: u_(k+1) = g_k - G y, y the least squares solution of R y = r_k. Where |r| has more than doubled, the
//     history is dropped: a contact has begun or ended.
//
// Where the residual no longer becomes smaller in 50 iterations, rounding is all that is left of it, or the step ends
// without convergence. A step that does not converge is divided into smaller ones (simulation/advance.c).
//
// (Mylapilli & Jain sec. 2.7.2; Anderson 1965; Walker & Ni, SIAM J. Numer. Anal. 49 (2011).)

#include "engine/dynamics/checks.h"
#include "engine/rows/constraints.h"
#include "engine/step/integrator.h"
#include "engine/step/simulation.h"
#include "engine/step/step_position.h"
#include "engine/step/step_velocity.h"
#include "engine/step/theta.h"

#include <math.h>
#include <string.h>

enum { DEPTH = SRS_IMPLICIT_DEPTH, MOST_IDLE = 50 };
static const double huge = 1e100;     // speed after an explicit step from which numbers overflow, not the iteration
static const double rounding = 1e-13; // of a residual that no longer becomes smaller, relative to 1 + the largest |v|

static double largest(const double *x, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static double inner(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// One problem
// ---------------------------------------------------------------------------------------------------------------------

// Finds g(guess) in v_next. The first iteration of implicit Euler uses the matrices of the start, where overlaps are
// measured directly.
static srs_status solve_at_guess(srs_sim *sim, bool is_first, int *bad_v)
{
  const srs_model *m = sim->model;
  const double h = sim->options.dt;
  const bool is_mean = sim->integrator->traits.is_mean;
  srs_scheme scheme = {.q = sim->step.q_mid,
                       .q_force = sim->step.q_mid,
                       .v_bias = sim->fixed_point.guess,
                       .h_q = h * h,
                       .h_v = h,
                       .guess_per_bias = 1,
                       .predicted_per_bias = h};
  if (is_mean) { // the explicit midpoint is integrate(q, h/2 v)
    for (int i = 0; i < m->nv; i++) sim->step.mean_v[i] = 0.5 * (sim->state.v[i] + sim->fixed_point.guess[i]);
    scheme.v_bias = sim->step.mean_v;
    scheme.h_q = 0.25 * h * h, scheme.h_v = 0.5 * h;
    scheme.guess_per_bias = 2;
    scheme.predicted_per_bias = 0.5 * h, scheme.predicted_per_v = -0.5 * h;
  }
  srs_integrate(m, sim->state.q, scheme.v_bias, is_mean ? 0.5 * h : h, sim->step.q_mid);
  const srs_status placed = srs_close_q_mid(sim, is_mean ? 0.5 * h : h, bad_v);
  if (placed != SRS_OK) return placed;
  if (sim->constraints != NULL) sim->constraints->is_at_start = is_first;
  if (is_first && !is_mean) scheme.q = sim->state.q, scheme.predicted_per_bias = 0;
  return srs_find_velocities(sim, &scheme, bad_v);
}

// ---------------------------------------------------------------------------------------------------------------------
// The fixed point
// ---------------------------------------------------------------------------------------------------------------------

// Solves R y = r by least squares, with the regularised Cholesky factor of R'R.  @return false: R is unusable
static bool solve_least_squares(const double *const *R, const double *r, int n, int depth, double *y)
{
  double A[DEPTH][DEPTH];
  double trace = 0;
  for (int i = 0; i < depth; i++) {
    for (int j = 0; j <= i; j++) A[i][j] = inner(R[i], R[j], n);
    trace += A[i][i];
    y[i] = inner(R[i], r, n);
  }
  for (int i = 0; i < depth; i++) {
    A[i][i] += 1e-14 * trace;
    for (int j = 0; j <= i; j++) {
      double sum = A[i][j];
      for (int k = 0; k < j; k++) sum -= A[i][k] * A[j][k];
      if (i == j && !(sum > 0)) return false;
      A[i][j] = i == j ? sqrt(sum) : sum / A[j][j];
    }
    for (int k = 0; k < i; k++) y[i] -= A[i][k] * y[k];
    y[i] /= A[i][i];
  }
  for (int i = depth - 1; i >= 0; i--) {
    for (int k = i + 1; k < depth; k++) y[i] -= A[k][i] * y[k];
    y[i] /= A[i][i];
  }
  return true;
}

// Makes the next guess from residual, v_next and the known changes.
static void move_guess(srs_sim *sim, int depth)
{
  const int nv = sim->model->nv;
  double y[DEPTH];
  const double *R[DEPTH];
  for (int i = 0; i < depth; i++) R[i] = sim->fixed_point.changes[i];
  memcpy(sim->fixed_point.guess, sim->step.v_next, (size_t)nv * sizeof *sim->fixed_point.guess);
  if (depth == 0 || !solve_least_squares(R, sim->fixed_point.residual, nv, depth, y)) return;
  for (int k = 0; k < depth; k++)
    for (int i = 0; i < nv; i++) sim->fixed_point.guess[i] -= y[k] * sim->fixed_point.changes[DEPTH + k][i];
}

// Completes the change in a slot, which holds the last iteration's residual and v_next: subtracts these from the
// present ones.
static void complete_change(srs_sim *sim, int slot)
{
  double *residual = sim->fixed_point.changes[slot], *end = sim->fixed_point.changes[DEPTH + slot];
  for (int i = 0; i < sim->model->nv; i++) {
    residual[i] = sim->fixed_point.residual[i] - residual[i];
    end[i] = sim->step.v_next[i] - end[i];
  }
}

// Begins the next change in the slot of the oldest one: stores the present residual and v_next.
static void begin_change(srs_sim *sim, int slot)
{
  const size_t bytes = (size_t)sim->model->nv * sizeof *sim->fixed_point.residual;
  memcpy(sim->fixed_point.changes[slot], sim->fixed_point.residual, bytes);
  memcpy(sim->fixed_point.changes[DEPTH + slot], sim->step.v_next, bytes);
}

static void count_iterations(srs_implicit_statistics *s, int k)
{
  s->solves++;
  s->iterations += k;
  if (k > s->iterations_max) s->iterations_max = k;
}

// Whether the step, with all its parts, still has iterations and work for the k-th iteration of this part.
static bool may_iterate(srs_sim *sim, int k)
{
  const struct srs_constraints *c = sim->constraints;
  if (c != NULL && k > 1 && c->next.step_work > 10 * c->much_work) return false;
  return sim->fixed_point.left-- > 0;
}

static srs_status find_fixed_point(srs_sim *sim, int *bad_v)
{
  const srs_implicit_settings *o = &sim->options.implicit;
  const int nv = sim->model->nv;
  double last = INFINITY, least = INFINITY;
  int known = 0, slot = 0, idle = 0; // number of known changes, slot of the next one, iterations without progress
  bool is_huge = false;
  *bad_v = -1;
  memcpy(sim->fixed_point.guess, sim->state.v, (size_t)nv * sizeof *sim->fixed_point.guess);
  if (sim->integrator->traits.is_mean) srs_find_theta(sim, sim->state.q);
  for (int k = 1; k <= o->iterations && may_iterate(sim, k); k++) {
    const srs_status status = solve_at_guess(sim, k == 1, bad_v);
    if (status == SRS_ERROR_SINGULAR && k > 1) { // the guess is unusable
      if (!is_huge) *bad_v = -1;
      return SRS_ERROR_DIVERGED;
    }
    if (status != SRS_OK) return status;
    const int bad = srs_first_not_finite(sim->step.v_next, nv);
    if (k == 1) is_huge = bad >= 0 || largest(sim->step.v_next, nv) > huge;
    if (bad >= 0) *bad_v = is_huge ? bad : -1;
    if (bad >= 0) return SRS_ERROR_DIVERGED;
    for (int i = 0; i < nv; i++) sim->fixed_point.residual[i] = sim->step.v_next[i] - sim->fixed_point.guess[i];
    const double size = largest(sim->fixed_point.residual, nv);
    const bool is_there =
        k > 1 || sim->integrator->traits.is_mean || largest(sim->fixed_point.guess, nv) <= o->tolerance;
    idle = size < least ? 0 : idle + 1;
    least = fmin(least, size);
    if (idle > 2 * MOST_IDLE) return SRS_ERROR_DIVERGED;
    const double tolerance = idle < MOST_IDLE ? o->tolerance : fmax(o->tolerance, rounding);
    if (is_there && size <= tolerance * (1 + largest(sim->step.v_next, nv))) {
      count_iterations(&sim->fixed_point.statistics, k);
      return SRS_OK;
    }
    if (k > 1 && size <= 2 * last) {
      complete_change(sim, slot);
      slot = (slot + 1) % DEPTH;
      known++;
    } else {
      known = slot = 0;
    }
    last = size;
    move_guess(sim, known);
    begin_change(sim, slot);
    if (known == DEPTH) known = DEPTH - 1; // the oldest has just been overwritten
  }
  return SRS_ERROR_DIVERGED;
}

const srs_integrator_table srs_implicit_euler = {
    .traits = {.name = "implicit-euler",
               .is_implicit = true,
               .takes_rows = true,
               .sets_momentum = true,
               .keeps_wrenches = true},
    .velocities = find_fixed_point,
    .positions = srs_end_at_velocity,
};

const srs_integrator_table srs_implicit_moreau = {
    .traits = {.name = "implicit-moreau",
               .is_mean = true,
               .is_implicit = true,
               .takes_rows = true,
               .sets_momentum = true,
               .keeps_wrenches = true},
    .velocities = find_fixed_point,
    .positions = srs_end_at_mean,
};
