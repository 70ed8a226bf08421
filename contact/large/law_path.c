// A path from the relaxed law of contacts to the exact one, in a plane.
//
// With one tangent a contact's impulse is x = z+ d+ + z- d-, d+- = (1, +-mu), and Coulomb's law is
//
//   0 <= z+-   complementary to   y+- = w_n + mu (|w_t| +- w_t) >= 0
//
// (de Saxce & Feng 1998). Without |w_t| that is the relaxed law, whose problem is convex and has one w. Between the
// two, with complementarity and |w_t| smoothed,
//
//   z y = e     y+- = w_n + mu ((1 - theta) sqrt(w_t^2 + e) +- w_t)
//
// solutions are curves. One starts at theta = 1 and e of some size, where it is the only solution, which Newton's
// method finds. It does not end, nor can it run away as long as impulses are bounded, nor come back, as there is no
// other solution where it starts: so it leads to theta = 0 and e = 0, though t, of which both are functions, may rise
// for a while. (Alexander & Yorke 1978; Chow, Mallet-Paret & Yorke 1978.) That is what leaves the contacts behind that
// can neither stick nor slide, at which methods end that only go down. Its turns grow in number with the contacts that
// have to change, but many contacts change at once; where steps are too long to follow it, another curve may be met.
//
// A pair z, y is one unknown a = z - y: z = f(a) = (a + sqrt(a^2 + 4 e)) / 2. Rows with bounds are
// x = l + f(a - l) - f(a - u), w = x - a. Newton's step for F = y(a) - y(w) is, with c the derivatives of y(w),
//
//   dx = g - H dw     H = sum (z / y) d c^T     g = sum (z / y) d F     dw = L L^T dx
//
// so, as in contact/large/interior_groups.c, one solve for L^T dx, with a matrix that is not symmetric.
#include "contact/large/law_path.h"
#include "contact/large/interior_step.h"
#include "topology/base/reserve.h"

#include <math.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST, VECTORS = 13 };
enum { FIRST_ITERATIONS = 40, CORRECTIONS = 5, MOST_STEPS = 200 };

static const double last_share = 1e-7; // e at the end, times the rows: b has the length 1; below, rounding ends paths
static const double near_enough = 0.4; // t at which the modes of most contacts are known
static const double first_length = 0.3, longest = 0.5, shortest = 1e-6;
static const double stiffest = 1e9; // of rows whose velocity is given

bool srs_law_path_reserve(srs_law_path *s, int n_rows)
{
  if (n_rows <= s->most_rows) return true;
  double *fresh = srs_reserve(VECTORS * ((size_t)n_rows + 1), sizeof *fresh);
  if (fresh == NULL) return false;
  srs_release(s->doubles);
  s->doubles = fresh, s->most_rows = n_rows;
  double **const vectors[VECTORS] = {&s->a,     &s->trial,   &s->x,         &s->w,    &s->F,
                                     &s->g,     &s->change,  &s->stiffness, &s->turn, &s->by_smoothing,
                                     &s->along, &s->tangent, &s->reply};
  for (size_t i = 0; i < VECTORS; i++, fresh += n_rows + 1) *vectors[i] = fresh;
  return true;
}

void srs_law_path_release(srs_law_path *s) { srs_release(s->doubles); }

// ---- smoothed laws ----

// f, its derivatives by a and e, and 1 - f'.
typedef struct smooth {
  double z, by_a, by_e, left;
} smooth;

static smooth smooth_at(double a, double e)
{
  const double root = sqrt(a * a + 4 * e), z = a < 0 ? 2 * e / (root - a) : 0.5 * (a + root), y = e / z;
  return (smooth){z, z / root, 1 / root, y / root};
}

// x of a row with bounds.
static smooth bounded_at(double a, double lower, double upper, double e)
{
  smooth x = {a, 1, 0, 0};
  if (isfinite(lower)) {
    x = smooth_at(a - lower, e);
    x.z += lower;
  }
  if (!isfinite(upper)) return x;
  if (!isfinite(lower)) {
    x = smooth_at(upper - a, e);
    return (smooth){upper - x.z, x.by_a, -x.by_e, x.left};
  }
  const smooth over = smooth_at(a - upper, e);
  return (smooth){x.z - over.z, x.by_a - over.by_a, x.by_e - over.by_e, x.left + over.by_a};
}

static int size_of(const srs_law_path *s, int node) { return srs_interior_size(s->interior, node); }

static bool is_pair(const srs_law_path *s, int node)
{
  return size_of(s, node) == 2 && s->interior->kind[node] == SRS_INTERIOR_CONE;
}

static double friction_of(const srs_law_path *s, int node)
{
  const srs_contact_problem *p = s->interior->problem;
  return p->friction[node - p->n_bilateral];
}

static smooth scalar_at(const srs_law_path *s, int node, double a)
{
  const srs_interior *in = s->interior;
  const int box = node - (in->n_nodes - in->problem->n_box);
  switch ((srs_interior_kind)in->kind[node]) {
  case SRS_INTERIOR_FREE: break;
  case SRS_INTERIOR_CONE: return smooth_at(a, s->smoothing);
  case SRS_INTERIOR_BOX: return bounded_at(a, in->lower[box], in->upper[box], s->smoothing);
  }
  return (smooth){a, 1, 0, 0};
}

// theta and e at t: from 2 to 1 the law changes, from 1 to 0 the smoothing.
static void set_time(srs_law_path *s, double tau)
{
  const double rate = log(s->first_smoothing / s->last_smoothing);
  s->tau = tau;
  s->theta = fmin(fmax(tau - 1, 0), 1), s->theta_rate = tau > 1 ? 1 : 0;
  s->smoothing = s->first_smoothing * exp(rate * (fmin(tau, 1) - 1));
  s->smoothing_rate = tau < 1 ? rate * s->smoothing : 0;
}

// w = W x + b
static void find_velocities(const srs_law_path *s)
{
  const srs_interior *in = s->interior;
  srs_groups_gather(&in->groups, s->x, in->change);
  srs_groups_spread(&in->groups, in->change, s->w);
  for (int i = 0; i < in->pattern.n; i++) s->w[i] += in->b[in->kept[i]];
}

// Impulses, velocities and F at the unknowns a; the derivatives too.  @return |F|
static double evaluate(srs_law_path *s, const double *a)
{
  const srs_interior *in = s->interior;
  const int *first = in->pattern.first;
  const double e = s->smoothing;
  double sum = 0;
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = first[node], j = i + 1;
    if (is_pair(s, node)) {
      const smooth plus = smooth_at(a[i], e), minus = smooth_at(a[j], e);
      s->x[i] = plus.z + minus.z, s->x[j] = friction_of(s, node) * (plus.z - minus.z);
      s->F[i] = e / plus.z, s->F[j] = e / minus.z;
      s->stiffness[i] = plus.by_a / plus.left, s->stiffness[j] = minus.by_a / minus.left;
      s->by_smoothing[i] = plus.by_e, s->by_smoothing[j] = minus.by_e;
    } else if (size_of(s, node) > 0) {
      const smooth own = scalar_at(s, node, a[i]);
      s->x[i] = own.z, s->F[i] = own.z - a[i];
      if (in->kind[node] == SRS_INTERIOR_CONE) s->F[i] = e / own.z;
      s->stiffness[i] = own.by_a / fmax(own.left, 1 / stiffest);
      s->by_smoothing[i] = own.by_e;
    }
  }
  find_velocities(s);
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = first[node], j = i + 1;
    if (is_pair(s, node)) {
      const double mu = friction_of(s, node), slip = sqrt(s->w[j] * s->w[j] + e);
      s->turn[i] = s->w[j] / slip, s->turn[j] = slip;
      s->F[i] -= s->w[i] + mu * ((1 - s->theta) * slip + s->w[j]);
      s->F[j] -= s->w[i] + mu * ((1 - s->theta) * slip - s->w[j]);
      sum += s->F[i] * s->F[i] + s->F[j] * s->F[j];
    } else if (size_of(s, node) > 0) {
      s->F[i] -= s->w[i];
      sum += s->F[i] * s->F[i];
    }
  }
  return sqrt(sum);
}

// dF/dt at constant a.
static void find_drift(srs_law_path *s, double *drift)
{
  const srs_interior *in = s->interior;
  const int *first = in->pattern.first;
  double *dx = s->g, *dw = s->reply;
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = first[node], j = i + 1;
    for (int k = i; k < first[node + 1]; k++) dx[k] = drift[k] = s->by_smoothing[k] * s->smoothing_rate;
    if (!is_pair(s, node)) continue;
    const double plus = dx[i], minus = dx[j];
    dx[i] = plus + minus, dx[j] = friction_of(s, node) * (plus - minus);
  }
  srs_groups_gather(&in->groups, dx, in->change);
  srs_groups_spread(&in->groups, in->change, dw);
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = first[node], j = i + 1;
    if (!is_pair(s, node)) {
      if (size_of(s, node) > 0) drift[i] -= dw[i];
      continue;
    }
    const double mu = friction_of(s, node), part = 1 - s->theta;
    const double law = mu * (0.5 * part * s->smoothing_rate / s->turn[j] - s->theta_rate * s->turn[j]);
    drift[i] -= dw[i] + mu * (part * s->turn[i] + 1) * dw[j] + law;
    drift[j] -= dw[i] + mu * (part * s->turn[i] - 1) * dw[j] + law;
  }
}

// ---- steps ----

static bool factor(srs_law_path *s)
{
  const srs_interior *in = s->interior;
  if (!srs_spend(in->left, s->work)) return false;
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = in->pattern.first[node], j = i + 1;
    double *H = in->H + SQUARE * (size_t)node;
    if (!is_pair(s, node)) {
      if (size_of(s, node) > 0) H[0] = s->stiffness[i];
      continue;
    }
    const double mu = friction_of(s, node), turn = (1 - s->theta) * s->turn[i];
    const double plus = s->stiffness[i], minus = s->stiffness[j], with = mu * (turn + 1), against = mu * (turn - 1);
    H[0] = plus + minus, H[1] = plus * with + minus * against;
    H[MOST] = mu * (plus - minus), H[MOST + 1] = mu * (plus * with - minus * against);
  }
  return srs_groups_factor_general(&s->interior->groups, in->H);
}

// step = -J^-1 F, of the factored J.
static void solve(const srs_law_path *s, const double *F, double *step)
{
  const srs_interior *in = s->interior;
  const int *first = in->pattern.first;
  double *g = s->g, *dw = s->reply;
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = first[node], j = i + 1;
    if (is_pair(s, node)) {
      const double plus = s->stiffness[i] * F[i], minus = s->stiffness[j] * F[j];
      g[i] = plus + minus, g[j] = friction_of(s, node) * (plus - minus);
    } else if (size_of(s, node) > 0)
      g[i] = s->stiffness[i] * F[i];
  }
  srs_groups_gather(&in->groups, g, in->change);
  srs_groups_solve_general(&in->groups, in->change);
  srs_groups_spread(&in->groups, in->change, dw);
  for (int node = 0; node < in->n_nodes; node++) {
    const int i = first[node], j = i + 1;
    if (is_pair(s, node)) {
      const double mu = friction_of(s, node), turn = (1 - s->theta) * s->turn[i];
      step[i] = (F[i] - dw[i] - mu * (turn + 1) * dw[j]) * (1 + s->stiffness[i]);
      step[j] = (F[j] - dw[i] - mu * (turn - 1) * dw[j]) * (1 + s->stiffness[j]);
    } else if (size_of(s, node) > 0)
      step[i] = (F[i] - dw[i]) * (1 + s->stiffness[i]);
  }
}

static double product(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static double tolerance(const srs_law_path *s) { return s->within * sqrt(s->smoothing * s->interior->pattern.n); }

// Newton's method at the start, where the solution is the only one.
static bool start(srs_law_path *s, int *iterations)
{
  enum { HALVINGS = 12 };
  const int n = s->interior->pattern.n;
  memset(s->a, 0, sizeof *s->a * (size_t)n);
  double norm = evaluate(s, s->a);
  for (int k = 0; k < FIRST_ITERATIONS; k++) {
    if (!factor(s)) return false;
    if (norm <= tolerance(s)) return true;
    solve(s, s->F, s->change);
    ++*iterations;
    double there = INFINITY, part = 1;
    for (int half = 0; half <= HALVINGS && !(there <= (1 - 1e-4 * part) * norm); half++) {
      part = ldexp(1, -half);
      if (half > 0 && !srs_spend(s->interior->left, 100.0 * n)) return false;
      for (int i = 0; i < n; i++) s->trial[i] = s->a[i] + part * s->change[i];
      there = evaluate(s, s->trial);
    }
    if (!(there < norm)) return false;
    memcpy(s->a, s->trial, sizeof *s->a * (size_t)n);
    norm = there;
  }
  return false;
}

// The direction of the path, onwards: `tangent` and its part in t, of length 1 where unknowns count by their mean
// square. Along a path dt has the sign with which the determinant of J, or of the matrix that is factored for it,
// changes: however sharp a turn is, that tells.
static double find_tangent(srs_law_path *s)
{
  const int n = s->interior->pattern.n;
  find_drift(s, s->along);
  solve(s, s->along, s->tangent);
  const double length = sqrt(1 + product(n, s->tangent, s->tangent) / n);
  const double part = -srs_groups_determinant(&s->interior->groups) / length;
  for (int i = 0; i < n; i++) s->tangent[i] *= part;
  return part;
}

// From a + length tangent back to the path, across the tangent. The last point is at t = 0, where it is passed.
static bool correct(srs_law_path *s, double length, double rate, int *corrections, bool *is_last)
{
  const int n = s->interior->pattern.n;
  double tau = s->tau + length * rate, last = INFINITY;
  *is_last = tau <= 0;
  if (*is_last) length = -s->tau / rate, tau = 0;
  set_time(s, fmin(tau, 2));
  for (int i = 0; i < n; i++) s->trial[i] = s->a[i] + length * s->tangent[i];
  for (int k = 0; k <= CORRECTIONS; k++) {
    const double norm = evaluate(s, s->trial);
    *corrections = k;
    if (norm <= tolerance(s)) return true;
    if (!(norm <= 0.5 * last) || k == CORRECTIONS || !factor(s)) return false;
    last = norm;
    solve(s, s->F, s->change);
    double shift = 0;
    if (!*is_last) {
      find_drift(s, s->along);
      solve(s, s->along, s->along);
      shift = -product(n, s->tangent, s->change) / (n * rate + product(n, s->tangent, s->along));
      if (!(fabs(shift) < 1)) return false;
      set_time(s, fmin(s->tau + shift, 2));
    }
    for (int i = 0; i < n; i++) s->trial[i] += s->change[i] + shift * (*is_last ? 0 : s->along[i]);
  }
  return false;
}

static bool follow(srs_law_path *s, int *iterations)
{
  const size_t bytes = sizeof *s->a * (size_t)s->interior->pattern.n;
  double length = first_length, rate = -1;
  for (int k = 0; k < MOST_STEPS; k++) {
    const double from = s->tau;
    int corrections = 0;
    bool is_last = false, is_found = false;
    rate = find_tangent(s);
    while (length > shortest) {
      is_found = correct(s, length, rate, &corrections, &is_last);
      *iterations += corrections;
      if (is_found) break;
      if (!(*s->interior->left > 0)) return false;
      set_time(s, from);
      length *= 0.4;
    }
    if (!is_found) return false;
    memcpy(s->a, s->trial, bytes);
    if (is_last) return true;
    if (s->tau >= 2 && rate > 0) return false;
    if (!factor(s)) return false;
    if (corrections <= 2) length = fmin(1.8 * length, longest);
  }
  return false;
}

static bool is_planar(const srs_law_path *s)
{
  const srs_interior *in = s->interior;
  const srs_contact_problem *p = in->problem;
  for (int c = 0; c < p->n_contacts; c++) {
    const int node = p->n_bilateral + c, kept = size_of(s, node);
    if (kept > 2 || (kept > 0 && in->kept[in->pattern.first[node]] != p->blocks->first[node])) return false;
  }
  return in->has_groups && p->blocks->factor->own == NULL && in->pattern.n > 0;
}

// From smoothing of some size, as closely as asked.
typedef struct attempt {
  double smoothing, within; // e at the start, times the rows; |F| over that of z and y where both are sqrt(e)
} attempt;

static const attempt attempts[] = {{1, 1e-2}, {10, 1e-3}};

static bool try_path(srs_law_path *s, const attempt *a, int *iterations)
{
  const int n = s->interior->pattern.n;
  s->first_smoothing = a->smoothing / n, s->last_smoothing = last_share / n, s->within = a->within;
  set_time(s, 2);
  return start(s, iterations) && (follow(s, iterations) || s->tau < near_enough);
}

bool srs_law_path_follow(srs_law_path *s, srs_interior *in, int *iterations)
{
  s->interior = in;
  if (in->pattern.n > s->most_rows || !is_planar(s)) return false;
  const int n = in->pattern.n;
  s->work = srs_groups_work(&in->groups) + 3 * (double)srs_sparse_factor_doubles(&in->groups.pattern) + 300.0 * n;
  bool arrives = false;
  for (size_t k = 0; k < sizeof attempts / sizeof *attempts && !arrives; k++)
    arrives = try_path(s, &attempts[k], iterations);
  if (!arrives) return false;
  memset(in->best, 0, sizeof *in->best * (size_t)in->n_rows);
  evaluate(s, s->a);
  for (int i = 0; i < n; i++) in->best[in->kept[i]] = s->x[i];
  return true;
}
