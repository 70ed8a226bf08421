// Convex relaxation of a contact problem, by an active-set method, and its fixed point iteration.
//
// Hart & Anitescu (2.10) require w_n - mu sigma >= 0 of a contact's normal velocity instead of w_n >= 0, sigma being
// the slip against its friction. With x = sum_k z_k (e_n + mu d_k), z >= 0, over the directions d_k of the
// friction polyhedron, these are the optimality conditions of the convex quadratic program
//
//   min x . W x / 2 + b . x        z >= 0, box rows within their bounds                       H (5.6)
//
// The price: a sliding contact separates with w_n = mu sigma. The active-set method keeps the gradient of the free
// unknowns at zero and moves one more unknown down its gradient until that is zero too; unknowns that reach a bound
// stay there. Free unknowns are independent, so their matrix has a Cholesky factor; rows are added to it, and removed
// by Givens rotations.
//
// With Gamma added to b_n the condition is w_n + Gamma - mu sigma >= 0: where Gamma = mu sigma it is the original
// condition. H's fixed point iteration sets Gamma to the resulting mu sigma, or goes half of the way or less where that
// does not converge.
#include "contact/iterate/relaxation.h"

#include <float.h>
#include <string.h>

// ---- work ----

// Steps of a method: x and w, a column of the factor, a solve with it.
static bool can_step(const srs_relaxation *r)
{
  const double n = r->cone->n, free = r->n_free;
  return srs_spend(r->left, 3 * n * n + 3 * free * free + 10 * r->n);
}

static bool can_factor(const srs_relaxation *r)
{
  const double free = r->n_free;
  return srs_spend(r->left, free * free * free / 3 + 6 * free * r->cone->n);
}

// ---- unknowns ----

static void add_unknown(srs_relaxation *r, int normal, srs_share tangent)
{
  r->normal[r->n] = normal;
  r->tangent[r->n++] = tangent;
}

static void list_unknowns(srs_relaxation *r)
{
  const srs_polyhedron *p = r->polyhedron;
  r->n = 0;
  for (int c = 0; c < r->cone->n_contacts; c++) {
    const int i = srs_cone_first(r->cone, c), d = srs_cone_tangents(r->cone, c);
    const double mu = r->cone->friction[c];
    if (d == 0 || mu == 0) add_unknown(r, i, (srs_share){0, 0, {0, 0}});
    for (int k = 0; k < p->n && d >= 2 && mu > 0; k++)
      add_unknown(r, i, (srs_share){i + 1, 2, {mu * p->direction[k][0], mu * p->direction[k][1]}});
    for (int k = srs_polyhedron_single(d); k < d && mu > 0; k++)
      for (int sign = 1; sign >= -1; sign -= 2) add_unknown(r, i, (srs_share){i + 1 + k, 1, {sign * mu, 0}});
  }
  for (int i = srs_cone_scalars(r->cone); i < r->cone->n; i++) add_unknown(r, i, (srs_share){0, 0, {0, 0}});
}

static double lower_of(const srs_relaxation *r, int j)
{
  const int box = j - (r->n - r->cone->n_box);
  return box < 0 ? 0 : r->cone->lower[box];
}

static double upper_of(const srs_relaxation *r, int j)
{
  const int box = j - (r->n - r->cone->n_box);
  return box < 0 ? INFINITY : r->cone->upper[box];
}

// An unknown's column times a vector of rows, and its contribution to one.
static double seen_by(const srs_relaxation *r, int j, const double *rows)
{
  const srs_share *t = &r->tangent[j];
  double sum = rows[r->normal[j]];
  for (int k = 0; k < t->count; k++) sum += t->c[k] * rows[t->first + k];
  return sum;
}

static void add_to_rows(const srs_relaxation *r, int j, double size, double *rows)
{
  const srs_share *t = &r->tangent[j];
  rows[r->normal[j]] += size;
  for (int k = 0; k < t->count; k++) rows[t->first + k] += size * t->c[k];
}

// x and w of z.
static void update(srs_relaxation *r)
{
  memset(r->x, 0, sizeof *r->x * (size_t)r->cone->stride);
  for (int j = 0; j < r->n; j++)
    if (r->z[j] != 0) add_to_rows(r, j, r->z[j], r->x);
  srs_cone_velocity(r->cone, r->x, r->w);
}

// ---- the factor ----

static double *row_of(const srs_relaxation *r, int i) { return r->L + (size_t)i * (size_t)r->cone->stride; }

// u: L u = the column of unknown j.  @return the fraction of its curvature that is independent of the free ones
static double set_column(srs_relaxation *r, int j, double *own)
{
  const size_t stride = (size_t)r->cone->stride;
  memset(r->y, 0, sizeof *r->y * stride);
  const double *W = r->cone->W + (size_t)r->normal[j] * stride;
  const srs_share *t = &r->tangent[j];
  for (int i = 0; i < r->cone->n; i++) r->y[i] = W[i];
  for (int k = 0; k < t->count; k++) {
    const double *row = r->cone->W + (size_t)(t->first + k) * stride;
    for (int i = 0; i < r->cone->n; i++) r->y[i] += t->c[k] * row[i];
  }
  const double whole = seen_by(r, j, r->y);
  *own = whole;
  for (int i = 0; i < r->n_free; i++) {
    const double *row = row_of(r, i);
    r->u[i] = (seen_by(r, r->free[i], r->y) - srs_dot(i, row, r->u)) / row[i];
    *own -= r->u[i] * r->u[i];
  }
  return whole > 0 && r->n_free < r->cone->n ? *own / whole : 0;
}

// Below it a column depends on the free ones.
static const double independent = 1e-13;

static void append(srs_relaxation *r, int j, double own)
{
  double *row = row_of(r, r->n_free);
  memcpy(row, r->u, sizeof *row * (size_t)r->n_free);
  row[r->n_free] = sqrt(own);
  r->place[j] = r->n_free;
  r->free[r->n_free++] = j;
}

// The later rows move up and are rotated back into a triangle.
static void take_out(srs_relaxation *r, int at)
{
  r->place[r->free[at]] = -1;
  r->n_free--;
  for (int i = at; i < r->n_free; i++) {
    r->free[i] = r->free[i + 1];
    r->place[r->free[i]] = i;
    memcpy(row_of(r, i), row_of(r, i + 1), sizeof(double) * (size_t)(i + 2));
  }
  for (int k = at; k < r->n_free; k++) {
    const double a = row_of(r, k)[k], b = row_of(r, k)[k + 1], size = sqrt(a * a + b * b);
    const double c = a / size, s = b / size;
    for (int i = k; i < r->n_free; i++) {
      double *row = row_of(r, i);
      const double p = row[k], q = row[k + 1];
      row[k] = c * p + s * q;
      row[k + 1] = c * q - s * p;
    }
  }
}

// step <- L^-T step
static void back(srs_relaxation *r)
{
  for (int i = r->n_free - 1; i >= 0; i--) {
    const double *row = row_of(r, i);
    r->step[i] /= row[i];
    for (int k = 0; k < i; k++) r->step[k] -= row[k] * r->step[i];
  }
}

// Moves the free unknowns to where their gradient is zero; the others stay.
// @return false if that violates a bound: only x and w are changed
static bool solve_free(srs_relaxation *r)
{
  update(r);
  for (int i = 0; i < r->n_free; i++) {
    const double *row = row_of(r, i);
    r->step[i] = (-seen_by(r, r->free[i], r->w) - srs_dot(i, row, r->step)) / row[i];
  }
  back(r);
  for (int i = 0; i < r->n_free; i++) {
    const double to = r->z[r->free[i]] + r->step[i];
    if (to < lower_of(r, r->free[i]) || to > upper_of(r, r->free[i])) return false;
  }
  for (int i = 0; i < r->n_free; i++) r->z[r->free[i]] += r->step[i];
  update(r);
  return true;
}

static void factor_again(srs_relaxation *r)
{
  const int n = r->n_free;
  r->n_free = 0;
  for (int i = 0; i < n; i++) {
    const int j = r->free[i];
    double own;
    r->place[j] = -1;
    if (set_column(r, j, &own) > independent)
      append(r, j, own);
    else
      r->z[j] = srs_clamp(0, lower_of(r, j), upper_of(r, j));
  }
}

// ---- the quadratic program ----

// The gradient that pulls an unknown off its bound.
static double pull_on(const srs_relaxation *r, int j)
{
  const double g = seen_by(r, j, r->w);
  if (g < 0) return r->z[j] < upper_of(r, j) ? -g : 0;
  return r->z[j] > lower_of(r, j) ? g : 0;
}

static int most_pulled(const srs_relaxation *r, double least, bool first)
{
  int best = -1;
  for (int j = 0; j < r->n; j++) {
    if (r->place[j] >= 0) continue;
    const double pull = pull_on(r, j);
    if (!(pull > least)) continue;
    best = j, least = pull;
    if (first) break;
  }
  return best;
}

// How far z_j may change at `rate`.
static double room_of(const srs_relaxation *r, int j, double rate)
{
  if (rate == 0) return INFINITY;
  const double room = rate > 0 ? upper_of(r, j) - r->z[j] : r->z[j] - lower_of(r, j);
  return fmax(room, 0) / fabs(rate);
}

// Takes unknown j from its bound and moves it until its gradient is zero or it is at a bound again; the free unknowns
// follow, and those that reach a bound stay there.
// @return false if it can move without end, or the budget is spent
static bool release(srs_relaxation *r, int j)
{
  while (can_step(r)) {
    double own;
    const double g = seen_by(r, j, r->w), sign = g < 0 ? 1 : -1;
    const bool is_independent = set_column(r, j, &own) > independent;
    const double enough = is_independent ? fabs(g) / own : INFINITY;
    double length = room_of(r, j, sign);
    int at = -1;
    for (int i = 0; i < r->n_free; i++) r->step[i] = -sign * r->u[i];
    back(r);
    for (int i = 0; i < r->n_free; i++) {
      const double room = room_of(r, r->free[i], r->step[i]);
      if (room < length) length = room, at = i;
    }
    const bool is_done = enough <= length;
    if (is_done) length = enough;
    if (length == INFINITY) return false;
    for (int i = 0; i < r->n_free; i++) r->z[r->free[i]] += length * r->step[i];
    r->z[j] += sign * length;
    if (is_done) {
      append(r, j, own);
    } else if (at >= 0) {
      r->z[r->free[at]] = r->step[at] > 0 ? upper_of(r, r->free[at]) : lower_of(r, r->free[at]);
      take_out(r, at);
    } else {
      r->z[j] = sign > 0 ? upper_of(r, j) : lower_of(r, j);
    }
    update(r);
    if (is_done || at < 0) return true;
  }
  return false;
}

// From the free unknowns, all others at bounds: the worst violation goes to its bound, one after another.
// @return false where the budget is spent
static bool start_from_free(srs_relaxation *r)
{
  if (!can_factor(r)) return false;
  factor_again(r);
  while (r->n_free > 0) {
    if (!can_step(r)) return false;
    if (solve_free(r)) return true;
    int worst = 0;
    double by = -1;
    for (int i = 0; i < r->n_free; i++) {
      const int j = r->free[i];
      const double to = r->z[j] + r->step[i], over = fmax(lower_of(r, j) - to, to - upper_of(r, j));
      if (over > by) by = over, worst = i;
    }
    const int j = r->free[worst];
    r->z[j] = srs_clamp(r->z[j] + r->step[worst], lower_of(r, j), upper_of(r, j));
    take_out(r, worst);
  }
  update(r);
  return true;
}

// Iterative refinement; several rounds where the matrix is not quite symmetric (files).
static void refine(srs_relaxation *r)
{
  double last = INFINITY;
  if (!can_factor(r)) return;
  factor_again(r);
  for (int round = 0; round < 20 && r->n_free > 0 && can_step(r); round++) {
    double gradient = 0;
    if (!solve_free(r)) break;
    for (int i = 0; i < r->n_free; i++) gradient = fmax(gradient, fabs(seen_by(r, r->free[i], r->w)));
    if (gradient <= 2 * DBL_EPSILON || gradient > 0.5 * last) break;
    last = gradient;
  }
}

// From the free unknowns.  @return false if there is no solution, or after too many steps or too much work
static bool minimise(srs_relaxation *r, int *iterations)
{
  if (!start_from_free(r)) {
    update(r);
    return false;
  }
  const int usual = 4 * r->n + 20; // more steps than these cycle in rounding: then the tolerance is relaxed
  double least = 1e-14;
  for (int i = 0; i < 5 * usual; i++) {
    double size = 1;
    if (i > 0 && i % usual == 0) least *= 10;
    for (int k = 0; k < r->cone->n; k++) size = fmax(size, fabs(r->x[k]));
    const int j = most_pulled(r, least * size, i > usual);
    if (j < 0) {
      refine(r);
      return true;
    }
    ++*iterations;
    if (!release(r, j)) return false;
  }
  return false;
}

static void begin(srs_relaxation *r, srs_fallback *l, const double *warm)
{
  r->cone = &l->cone;
  r->left = &l->left;
  list_unknowns(r);
  r->n_free = 0;
  for (int j = 0; j < r->n; j++) r->place[j] = -1, r->z[j] = 0;
  if (warm == NULL) return;
  int j = 0;
  for (int c = 0; c < r->cone->n_contacts; c++) {
    const int i = srs_cone_first(r->cone, c), d = srs_cone_tangents(r->cone, c);
    double beta[SRS_POLYHEDRON_SETS_MOST];
    const int n = d == 0 || r->cone->friction[c] == 0 ? 1 : srs_polyhedron_directions(r->polyhedron, d);
    if (n > 1) srs_polyhedron_spread(r->polyhedron, d, warm + i + 1, beta);
    for (int k = 0; k < n && warm[i] > 0; k++)
      if (n == 1 || beta[k] > 0) r->free[r->n_free++] = j + k;
    j += n;
  }
  for (int i = srs_cone_scalars(r->cone); i < r->cone->n; i++, j++)
    if (warm[i] > lower_of(r, j) && warm[i] < upper_of(r, j)) r->free[r->n_free++] = j;
}

// ---- judging ----

// The natural map with the polyhedron for the cone, of the problem whose normal velocities are w less `ahead`.
static double map_of(srs_relaxation *r, const double *ahead, bool is_relaxed)
{
  const int scalars = srs_cone_scalars(r->cone);
  double sum = 0;
  r->polyhedron->is_relaxed = is_relaxed;
  for (int c = 0; c < r->cone->n_contacts; c++) {
    const int i = srs_cone_first(r->cone, c), d = srs_cone_tangents(r->cone, c);
    double w[1 + SRS_CONTACT_TANGENTS_MOST];
    for (int k = 0; k <= d; k++) w[k] = r->w[i + k];
    if (ahead != NULL) w[0] -= ahead[c];
    sum += srs_polyhedron_defect(r->polyhedron, d, r->x + i, w, r->cone->friction[c]);
  }
  for (int i = scalars; i < r->cone->n; i++) {
    const int j = r->n - (r->cone->n - i);
    const double defect = r->x[i] - srs_clamp(r->x[i] - r->w[i], lower_of(r, j), upper_of(r, j));
    sum += defect * defect;
  }
  return sqrt(sum);
}

static void keep(srs_fallback *l, const srs_relaxation *r, double residual)
{
  if (!(residual < l->best_residual)) return;
  l->best_residual = residual;
  memcpy(l->best, r->x, sizeof *l->best * (size_t)l->cone.n);
}

static void clear(srs_fallback *l, const double *warm)
{
  l->best_residual = INFINITY;
  l->stage = warm != NULL ? SRS_STAGE_WARM : SRS_STAGE_COLD;
  memset(l->best, 0, sizeof *l->best * (size_t)l->cone.n);
}

void srs_relaxation_solve(srs_relaxation *r, srs_fallback *l, const double *warm)
{
  begin(r, l, warm);
  clear(l, warm);
  r->contraction = 0;
  (void)minimise(r, &l->iterations);
  keep(l, r, map_of(r, NULL, true));
}

// ---- the fixed point ----

// |mu sigma - Gamma|, and `part` of that added to Gamma.
static double go_on(srs_relaxation *r, srs_fallback *l, double part)
{
  double sum = 0;
  for (int c = 0; c < r->cone->n_contacts; c++) {
    const int i = srs_cone_first(r->cone, c);
    const double slip = srs_polyhedron_slip(r->polyhedron, srs_cone_tangents(r->cone, c), r->w + i + 1);
    const double off = r->cone->friction[c] * slip - r->ahead[c];
    sum += off * off;
    r->ahead[c] += part * off;
    l->cone.b[i] += part * off;
  }
  return sqrt(sum);
}

// Gamma = 0; b is kept, since Gamma may be so much larger that it could not be subtracted again.
static void begin_rounds(srs_relaxation *r, srs_fallback *l)
{
  memcpy(l->centre, l->cone.b, sizeof *l->centre * (size_t)l->cone.n);
  memset(r->ahead, 0, sizeof *r->ahead * (size_t)l->cone.n_contacts);
}

static void give_back(srs_relaxation *r, srs_fallback *l)
{
  memcpy(l->cone.b, l->centre, sizeof *l->centre * (size_t)l->cone.n);
  r->polyhedron->is_relaxed = false;
}

bool srs_relaxation_start(srs_relaxation *r, srs_fallback *l, double *x)
{
  enum { ROUNDS = 8 };
  const double near = 1e-3;
  const size_t bytes = sizeof *x * (size_t)l->cone.n;
  double best = INFINITY, last = INFINITY, part = 1;
  srs_polyhedron_make(4, 0, r->polyhedron);
  begin(r, l, NULL);
  begin_rounds(r, l);
  for (int i = 0; i < ROUNDS && best > near && minimise(r, &l->iterations); i++) {
    const double residual = map_of(r, r->ahead, false);
    if (residual < best) memcpy(x, r->x, bytes);
    best = fmin(best, residual);
    const double length = go_on(r, l, part);
    if (length > 0.9 * last) part *= 0.5;
    last = length;
  }
  give_back(r, l);
  return best < INFINITY;
}

void srs_relaxation_iterate(srs_relaxation *r, srs_fallback *l, const double *warm)
{
  enum { PATIENCE = 20 };
  const int most = 20 * l->max_iterations;
  double last = INFINITY, mark = INFINITY, part = 1;
  int waited = 0;
  begin(r, l, warm);
  clear(l, warm);
  r->contraction = 0;
  begin_rounds(r, l);
  for (int i = 0; i < most; i++) {
    if (!minimise(r, &l->iterations)) break;
    keep(l, r, map_of(r, r->ahead, false));
    if (l->best_residual <= l->enough) break;
    const double length = go_on(r, l, part);
    if (last > 1e-9 && last < INFINITY) r->contraction = length / last;
    if (length < 0.9 * mark) mark = length, waited = -1;
    waited++;
    last = length;
    l->iterations++;
    if (waited < PATIENCE) continue;
    if (part < 0.2) break;
    part *= 0.5, waited = 0, mark = INFINITY;
  }
  give_back(r, l);
}
