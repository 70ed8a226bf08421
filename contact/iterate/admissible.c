// Which impulses are handed back where no answer was found? The best of those that are no worse than none.
//
// Impulses x are admissible if they are inside their cones and bounds, if they add no energy,
//
//   E(x) = x . W x / 2 + b . x <= 0
//
// and if their residual is at most that of no impulses, which are always admissible. Candidates are the solver's best
// iterate, a few sweeps over the contacts, and the answers of softened problems, W + rho I, as rho goes down: these
// exist for large rho whatever b is, and with x . w <= 0, w = (W + rho I) x + b, they satisfy
//
//   E(x) = x . w - x . W x / 2 - rho |x|^2 <= 0       and       |x| <= |b| / rho
//
// A candidate that adds energy is shortened to the least energy along its ray. Among admissible candidates the residual
// decides; but in a problem without an answer impulses grow without end, for less and less: beyond the
// sizes that the data can mean, ten times the size have to be worth four tenths of the residual.
//
// The residual has kinks, and its gradient none of the bounds: from the best candidate on a pattern search (Hooke &
// Jeeves 1961) descends, row by row with steps that grow and shrink, and along what a round of them changed. Opposed
// contacts have to move together, which no row does alone: so a contact's rows, and all of them, are changed at random
// too.
#include "contact/iterate/admissible.h"
#include "contact/algebra/budget.h"
#include "contact/algebra/random.h"
#include "contact/algebra/semidefinite.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/homotopy.h"
#include "contact/iterate/mncp.h"
#include "contact/iterate/proximal.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

// Sizes are |x| over |b|, both scaled. A candidate's merit: residual (1 + size / usual)^price.
static const double usual_size = 100, price = 0.25, most_sizes = 2500; // the last over usual
static const double least_pivot = 1e-7;                                // of W: smaller ones mean nothing
enum { MOST_SWEEPS = 32, SOFT_FACTORISATIONS = 100, DESCENT_FACTORISATIONS = 20 };
static const double soft_start = 10, soft_end = 5e-7, soft_factor = 0.1, soft_goal = 1e-2;

// |t|, also where the squares vanish.
static double length(int d, const double *t)
{
  static const double unit = 0x1p+512, little = 0x1p-448; // products with unit are exact
  double larger[SRS_CONTACT_TANGENTS_MOST];
  const double size = srs_length(d, t);
  if (size > little) return size;
  for (int k = 0; k < d; k++) larger[k] = unit * t[k];
  return srs_length(d, larger) / unit;
}

// The part of a contact's tangential impulse that its friction allows.
static double allowed(const srs_polyhedron *p, int d, double most, const double *t)
{
  double size = 0, beta[SRS_POLYHEDRON_SETS_MOST];
  if (p == NULL) {
    size = length(d, t);
  } else if (d > 0) {
    srs_polyhedron_spread(p, d, t, beta);
    for (int k = 0; k < srs_polyhedron_directions(p, d); k++) size += beta[k];
  }
  return size > most ? most / size * (1 - 4 * DBL_EPSILON) : 1;
}

static void move_inside(const srs_admissible *a, double *x)
{
  const srs_cone_problem *cone = &a->fallback->cone;
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c), d = srs_cone_tangents(cone, c);
    x[i] = fmax(x[i], 0);
    const double part = allowed(a->polyhedron, d, cone->friction[c] * x[i], x + i + 1);
    for (int k = 1; k <= d; k++) x[i + k] *= part;
  }
  for (int i = scalars; i < boxes; i++) x[i] = fmax(x[i], 0);
  for (int i = boxes; i < cone->n; i++) x[i] = srs_clamp(x[i], cone->lower[i - boxes], cone->upper[i - boxes]);
}

// How much of x adds no energy: all of it, or as much as has the least; 0 if none does.
static double harmless_part(srs_fallback *l, const double *x)
{
  double square = 0, slope = 0;
  srs_cone_multiply(&l->cone, x, l->w);
  for (int i = 0; i < l->cone.n; i++) square += x[i] * l->w[i], slope += x[i] * l->cone.b[i];
  if (!(slope < 0)) return 0;
  return 0.5 * square + slope <= 0 ? 1 : -slope / square;
}

double srs_admissible_size(srs_fallback *l)
{
  const int n = l->cone.n, stride = l->cone.stride;
  if (l->cone.W == NULL || l->lm.gram == NULL || !srs_spend(&l->left, srs_cube(n) / 3)) return 1;
  memcpy(l->lm.gram, l->cone.W, sizeof *l->cone.W * (size_t)n * (size_t)stride);
  const int rank = srs_semidefinite_factor(n, l->lm.gram, stride, l->lm.pivot, least_pivot, l->z);
  double least = 1;
  for (int k = 0; k < rank; k++) least = fmin(least, srs_semidefinite_pivot(l->lm.gram, stride, l->lm.pivot, k));
  return 1 / least;
}

void srs_admissible_begin(srs_admissible *a)
{
  srs_fallback *l = a->fallback;
  a->usual = fmax(usual_size, srs_admissible_size(l));
  memset(l->best, 0, sizeof *l->best * (size_t)l->cone.n);
  a->merit = a->none = l->best_residual = a->measure(a->data, l->best);
}

void srs_admissible_offer(srs_admissible *a, const double *x)
{
  srs_fallback *l = a->fallback;
  const size_t n = (size_t)l->cone.n;
  double size = 0;
  if (!srs_spend(&l->left, a->work + 2 * srs_cone_numbers(&l->cone) + 100.0 * l->cone.n)) return;
  if (x != l->x) memcpy(l->x, x, sizeof *x * n);
  move_inside(a, l->x);
  const double part = harmless_part(l, l->x);
  for (size_t i = 0; i < n; i++) l->x[i] *= part, size += l->x[i] * l->x[i];
  size = sqrt(size);
  if (!(size > 0) || !(size <= most_sizes * a->usual)) return; // not finite, too
  const double residual = a->measure(a->data, l->x), merit = residual * pow(1 + size / a->usual, price);
  if (!(residual <= a->none) || !(merit < a->merit)) return;
  a->merit = merit;
  l->best_residual = residual;
  memcpy(l->best, l->x, sizeof *l->x * n);
}

void srs_admissible_sweep(srs_admissible *a)
{
  srs_fallback *l = a->fallback;
  memset(l->swept, 0, sizeof *l->swept * (size_t)l->cone.n);
  for (int sweeps = 1; sweeps <= MOST_SWEEPS; sweeps *= 2) {
    if (!srs_sweep_within(l, sweeps, l->swept)) return;
    srs_admissible_offer(a, l->swept);
  }
}

void srs_admissible_soften(srs_admissible *a)
{
  srs_fallback *l = a->fallback;
  const int n = l->cone.n, most = 60 + n;
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  memcpy(l->z, l->cone.b, sizeof *l->z * (size_t)n);
  const double unused = fmax(l->left - SOFT_FACTORISATIONS * srs_lm_cost(&l->lm, n), 0);
  l->left -= unused;
  double rho = soft_start, norm = 0;
  while (rho > soft_end && norm <= soft_goal * fmax(rho, 1e-2)) { // one answer leads to the next
    l->iterations += srs_proximal_soft(&proximal, rho, soft_goal * rho, most, l->z, &norm);
    srs_mncp_impulse(&l->cone, l->z, l->x);
    srs_admissible_offer(a, l->x);
    rho *= soft_factor;
  }
  l->left += unused;
}

// ---- descent ----

enum { MOST_ROUNDS = 100, MOST_TIMES = 30 };
static const double first_step = 0.5, last_step = 1e-3, wider = 1.5, narrower = 0.5; // over the impulses' mean size

// Where the search is: swept is the next to be offered.
typedef struct descent {
  srs_admissible *a;
  double *step, *from; // n each: of each row; the best before the round
  uint64_t state;      // of pseudo-random numbers
} descent;

static void begin_offer(const descent *d)
{
  const srs_fallback *l = d->a->fallback;
  memcpy(l->swept, l->best, sizeof *l->best * (size_t)l->cone.n);
}

// Whether swept is better.
static bool offer(const descent *d)
{
  const double before = d->a->merit;
  srs_admissible_offer(d->a, d->a->fallback->swept);
  return d->a->merit < before;
}

// One row one way or the other.
static void try_row(const descent *d, int i)
{
  double *swept = d->a->fallback->swept;
  for (int sign = 1; sign >= -1; sign -= 2) {
    begin_offer(d);
    swept[i] += sign * d->step[i];
    if (!offer(d)) continue;
    d->step[i] *= sign * wider;
    return;
  }
  d->step[i] *= narrower;
}

// Several rows at once, any way.
static void try_rows(descent *d, int first, int end)
{
  begin_offer(d);
  for (int i = first; i < end; i++) d->a->fallback->swept[i] += d->step[i] * srs_random(&d->state);
  (void)offer(d);
}

// On in the direction of the round.
static void try_further(const descent *d)
{
  srs_fallback *l = d->a->fallback;
  for (int times = 0; times < MOST_TIMES; times++) {
    for (int i = 0; i < l->cone.n; i++) {
      const double change = l->best[i] - d->from[i];
      d->from[i] = l->best[i];
      l->swept[i] = l->best[i] + change;
    }
    if (!offer(d)) break;
  }
}

void srs_admissible_descend(srs_admissible *a)
{
  srs_fallback *l = a->fallback;
  const int n = l->cone.n;
  double square = 0;
  descent d = {a, l->good, l->z, 1};
  for (int i = 0; i < n; i++) square += l->best[i] * l->best[i];
  const double size = square > 0 ? sqrt(square / n) : 1;
  const double most = fmax(DESCENT_FACTORISATIONS * srs_lm_cost(&l->lm, n), srs_descent_work),
               unused = fmax(l->left - most, 0);
  l->left -= unused;
  for (int i = 0; i < n; i++) d.step[i] = first_step * size;
  for (int round = 0; round < MOST_ROUNDS && l->left > 0; round++) {
    double largest = 0;
    memcpy(d.from, l->best, sizeof *l->best * (size_t)n);
    for (int c = 0; c < l->cone.n_contacts; c++) {
      const int first = srs_cone_first(&l->cone, c), end = first + 1 + srs_cone_tangents(&l->cone, c);
      try_rows(&d, first, end);
      try_rows(&d, first, end);
    }
    for (int i = 0; i < n; i++) {
      try_row(&d, i);
      try_rows(&d, 0, n);
      largest = fmax(largest, fabs(d.step[i]));
    }
    try_further(&d);
    if (largest < last_step * size) break;
  }
  l->left += unused;
}
