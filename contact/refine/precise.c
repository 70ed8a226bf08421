// Answers that rounding hides: continuation and proximal points in long double.
//
// A light body that carries a heavy one holds it by impulses of 1e3 to 1e6 |b|, and its own velocity is what these
// leave over. In double that is lost in the rounding of W x, and with it which contacts slide: searches then end at
// points of |r| = 1e-9 to 1e-3 although an answer is on the path of softened problems. With 11 bits more the path can
// be followed,
//
//   w = (W + rho E) x - rho E c + b      c = 0, rho from 0.1 to 1e-12
//
// E = I, or drawn for each contact: where one path turns back (solutions can vanish in pairs) another need not. Then
// proximal points, c = x, as in contact/iterate/proximal.c, by the same piecewise Newton's method on the same
// equations (contact/iterate/mncp.c):
//
//   z = w - x      J = (W + rho E) D + I - D      D = -dx/dz
//
// A parted contact's columns of J are those of I, and cost elimination nothing. Where long double is double, these are
// one more start.
#include "contact/refine/precise.h"
#include "contact/algebra/random.h"

#include <math.h>
#include <string.h>

typedef long double real;

enum { MOST = 1 + SRS_CONTACT_TANGENTS_MOST };

static const real path_start = 0.1L, path_end = 1e-12L, path_factor = 0.1L, most_factor = 0.8L, path_goal = 1e-2L;
static const real rho_least = 1e-13L, rho_most = 1e-2L, rho_size = 1e-3L, point_goal = 1e-2L;
static const real turn_most = 0.3L, spread = 2;
static const double cost_of_precision = 4; // multiplications of double for one
enum { LEAST_STEPS = 20 };                 // and one for two rows

// In J: n each.
enum { Z, X, R, STEP, TRIAL, TRIAL_R, GOOD, CENTRE, WEIGHT }; // weight: the diagonal of E

static real *vector(const srs_precise *p, int which)
{
  return (real *)p->lm->J + (size_t)which * (size_t)p->problem->n;
}

static void copy(const srs_precise *p, int from, int to)
{
  memcpy(vector(p, to), vector(p, from), sizeof(real) * (size_t)p->problem->n);
}

static real square_of(int n, const real *a)
{
  real sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sum;
}

static real norm(const srs_precise *p, int which) { return sqrtl(square_of(p->problem->n, vector(p, which))); }

// ---- equations ----

static void impulse(const srs_cone_problem *p, const real *z, real *x)
{
  const int scalars = srs_cone_scalars(p), boxes = p->n - p->n_box;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    const real normal = z[i] < 0 ? -z[i] : 0, radius = p->friction[c] * normal, square = square_of(d, z + i + 1);
    const real s = square <= radius * radius ? 1 : radius / sqrtl(square);
    x[i] = normal;
    for (int k = 1; k <= d; k++) x[i + k] = normal > 0 ? -s * z[i + k] : 0;
  }
  for (int i = scalars; i < boxes; i++) x[i] = z[i] < 0 ? -z[i] : 0;
  for (int i = boxes; i < p->n; i++) x[i] = fminl(fmaxl(-z[i], p->lower[i - boxes]), p->upper[i - boxes]);
}

// |r| of the softened problem around the centre; x and r out.
static real residual(const srs_precise *p, real rho, int at, int x_at, int r_at)
{
  const srs_cone_problem *cone = p->problem;
  const real *z = vector(p, at), *centre = vector(p, CENTRE), *weight = vector(p, WEIGHT);
  real *x = vector(p, x_at), *r = vector(p, r_at);
  impulse(cone, z, x);
  for (int i = 0; i < cone->n; i++) {
    const double *row = cone->W + (size_t)i * (size_t)cone->stride;
    real w = cone->b[i] + rho * weight[i] * (x[i] - centre[i]);
    for (int j = 0; j < cone->n; j++) w += row[j] * x[j];
    r[i] = x[i] + z[i] - w;
  }
  return norm(p, r_at);
}

// D of a contact, (1 + d) x (1 + d).
static void contact_slope(int d, const real *z, real mu, real D[MOST][MOST])
{
  const real radius = -mu * z[0], square = square_of(d, z + 1);
  const bool sticks = z[0] < 0 && square <= radius * radius, slides = z[0] < 0 && !sticks;
  const real inverse = slides ? 1 / sqrtl(square) : 0, s = radius * inverse;
  for (int i = 0; i <= d; i++)
    for (int k = 0; k <= d; k++) D[i][k] = sticks && i == k ? 1 : 0;
  if (!slides) return;
  D[0][0] = 1;
  for (int i = 1; i <= d; i++) {
    const real t = z[i] * inverse;
    D[i][0] = -mu * t;
    for (int k = 1; k <= d; k++) D[i][k] = s * ((i == k ? 1 : 0) - t * z[k] * inverse);
  }
}

// Columns i to i + d of J, given D. soft: added to W's diagonal there.
static void fill_columns(const srs_cone_problem *p, real soft, int i, int d, real D[MOST][MOST], real *J)
{
  for (int row = 0; row < p->n; row++) {
    const double *W = p->W + (size_t)row * (size_t)p->stride + i;
    for (int k = 0; k <= d; k++) {
      real sum = row == i + k ? 1 : 0;
      for (int j = 0; j <= d; j++) sum += (W[j] + (row == i + j ? soft - 1 : 0)) * D[j][k];
      J[(size_t)row * (size_t)p->n + (size_t)(i + k)] = sum;
    }
  }
}

static void jacobian(const srs_precise *p, real rho, real *J)
{
  const srs_cone_problem *cone = p->problem;
  const real *z = vector(p, Z), *weight = vector(p, WEIGHT);
  real D[MOST][MOST];
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c), d = srs_cone_tangents(cone, c);
    contact_slope(d, z + i, cone->friction[c], D);
    fill_columns(cone, rho * weight[i], i, d, D, J);
  }
  for (int i = srs_cone_scalars(cone); i < cone->n; i++) {
    const int box = i - (cone->n - cone->n_box);
    const bool is_held = box < 0 ? z[i] < 0 : -z[i] > cone->lower[box] && -z[i] < cone->upper[box];
    D[0][0] = is_held ? 1 : 0;
    fill_columns(cone, rho * weight[i], i, 0, D, J);
  }
}

// y <- J^-1 y by Gauss's elimination; false where J is singular.
static bool divide(int n, real *J, real *y)
{
  const size_t wide = (size_t)n;
  for (int k = 0; k < n; k++) {
    int most = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(J[(size_t)i * wide + (size_t)k]) > fabsl(J[(size_t)most * wide + (size_t)k])) most = i;
    real *pivot = J + (size_t)k * wide, *other = J + (size_t)most * wide;
    if (!(fabsl(other[k]) > 0)) return false;
    for (int j = k; j < n && most != k; j++) {
      const real held = pivot[j];
      pivot[j] = other[j], other[j] = held;
    }
    const real held = y[k];
    y[k] = y[most], y[most] = held;
    for (int i = k + 1; i < n; i++) {
      real *row = J + (size_t)i * wide;
      const real part = row[k] / pivot[k];
      for (int j = k + 1; j < n && part != 0; j++) row[j] -= part * pivot[j];
      y[i] -= part * y[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    const real *row = J + (size_t)i * wide;
    for (int j = i + 1; j < n; j++) y[i] -= row[j] * y[j];
    y[i] /= row[i];
  }
  return true;
}

// ---- how far the branches hold: as srs_mncp_share ----

static real first_of(real t, real before) { return t > 0 && t < before ? t : before; }

// The first t at which a contact begins to slide or to stick: |z_t - t s_t|^2 = mu^2 (z_n - t s_n)^2.
static real slipping(int d, const real *z, const real *step, real mu, real first)
{
  const real k = mu * mu, a = square_of(d, step + 1) - k * step[0] * step[0];
  real h = -k * z[0] * step[0];
  for (int i = 1; i <= d; i++) h += z[i] * step[i];
  const real c = square_of(d, z + 1) - k * z[0] * z[0], square = h * h - a * c;
  if (!(square >= 0)) return first;
  const real q = h + copysignl(sqrtl(square), h), roots[2] = {q / a, c / q};
  for (int i = 0; i < 2; i++)
    if (z[0] - roots[i] * step[0] < 0) first = first_of(roots[i], first);
  return first;
}

// How far a sliding contact may go before its direction has turned too far.
static real turning(int d, const real *z, const real *step, real mu)
{
  const real square = square_of(d, z + 1);
  if (!(z[0] < 0) || square <= mu * mu * z[0] * z[0]) return 1;
  const real length = sqrtl(square);
  real along = 0;
  for (int i = 1; i <= d; i++) along += z[i] * step[i] / length;
  const real across = sqrtl(fmaxl(0, square_of(d, step + 1) - along * along));
  return turn_most * length / (across + turn_most * fmaxl(along, 0));
}

// The part of the step that ends just beyond the first kink, or where a slip has turned.
static real share(const srs_precise *p)
{
  const srs_cone_problem *cone = p->problem;
  const real *z = vector(p, Z), *step = vector(p, STEP);
  const int scalars = srs_cone_scalars(cone), boxes = cone->n - cone->n_box;
  real kink = 1, turn = 1;
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c), d = srs_cone_tangents(cone, c);
    kink = slipping(d, z + i, step + i, cone->friction[c], first_of(z[i] / step[i], kink));
    turn = fminl(turn, turning(d, z + i, step + i, cone->friction[c]));
  }
  for (int i = scalars; i < boxes; i++) kink = first_of(z[i] / step[i], kink);
  for (int i = boxes; i < cone->n; i++) {
    kink = first_of((z[i] + cone->lower[i - boxes]) / step[i], kink);
    kink = first_of((z[i] + cone->upper[i - boxes]) / step[i], kink);
  }
  return kink < turn ? kink + 1e-9L * kink + 1e-12L : turn;
}

// ---- the path ----

// Goes to z - t step if |r| there is at most `most`.
static bool go(const srs_precise *p, real rho, real t, real most, real *size)
{
  const real *z = vector(p, Z), *step = vector(p, STEP);
  real *trial = vector(p, TRIAL);
  for (int i = 0; i < p->problem->n; i++) trial[i] = z[i] - t * step[i];
  const real there = residual(p, rho, TRIAL, X, TRIAL_R);
  if (!(there <= most)) return false;
  copy(p, TRIAL, Z);
  copy(p, TRIAL_R, R);
  *size = there;
  return true;
}

// The softened problem, from z, until |r| <= goal. Returns |r|.
static real newton(srs_precise *p, real rho, real goal)
{
  const int n = p->problem->n;
  const double cost = cost_of_precision * (srs_cube(n) / 3 + 12.0 * n * n);
  real *J = (real *)p->lm->gram;
  if (!srs_lm_spend(p->lm, cost_of_precision * n * n)) return INFINITY;
  real size = residual(p, rho, Z, X, R);
  for (int k = 0; k < LEAST_STEPS + n / 2 && size > goal && p->left > 0 && srs_lm_spend(p->lm, cost); k++) {
    p->left--;
    jacobian(p, rho, J);
    copy(p, R, STEP);
    if (!divide(n, J, vector(p, STEP))) break;
    if (go(p, rho, 1, 0.5L * size, &size)) continue;
    if (!go(p, rho, share(p), INFINITY, &size)) break;
  }
  return size;
}

void srs_precise_start(srs_precise *p, const double *x)
{
  real *z = vector(p, Z), *weight = vector(p, WEIGHT);
  for (int i = 0; i < p->problem->n; i++) {
    const double *row = p->problem->W + (size_t)i * (size_t)p->problem->stride;
    z[i] = p->problem->b[i] - (real)x[i];
    for (int j = 0; j < p->problem->n; j++) z[i] += (real)row[j] * x[j];
    weight[i] = 1;
  }
}

// E: a contact's own, from 1e-2 to 1e2.
static void draw_weights(const srs_precise *p, uint64_t *state)
{
  const srs_cone_problem *cone = p->problem;
  real *weight = vector(p, WEIGHT);
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c);
    const real drawn = powl(10, spread * srs_random(state));
    for (int k = 0; k <= srs_cone_tangents(cone, c); k++) weight[i + k] = drawn;
  }
}

void srs_precise_follow(srs_precise *p, uint64_t *state)
{
  const int n = p->problem->n;
  real rho = path_start, last = 1, factor = path_factor, *z = vector(p, Z), *weight = vector(p, WEIGHT);
  for (int i = 0; i < n; i++) z[i] = p->problem->b[i], weight[i] = 1;
  if (state != NULL) draw_weights(p, state);
  memset(vector(p, CENTRE), 0, sizeof(real) * (size_t)n);
  copy(p, Z, GOOD);
  while (rho > path_end && factor < most_factor && p->left > 0) {
    const real goal = path_goal * rho;
    if (newton(p, rho, goal) <= goal) {
      copy(p, Z, GOOD);
      last = rho;
      factor = fmaxl(factor * factor, path_factor);
    } else {
      copy(p, GOOD, Z);
      factor = sqrtl(factor);
    }
    rho = last * factor;
  }
  copy(p, GOOD, Z);
  for (int i = 0; i < n; i++) weight[i] = 1; // else rounding grows by how much they differ
}

double srs_precise_next(srs_precise *p, double *x)
{
  const int n = p->problem->n;
  if (p->left <= 0 || !srs_lm_spend(p->lm, 2 * cost_of_precision * n * n)) return INFINITY;
  const real before = residual(p, 0, Z, CENTRE, R);
  const real rho = fminl(fmaxl(before / fmaxl(norm(p, CENTRE), rho_size), rho_least), rho_most);
  (void)newton(p, rho, point_goal * before);
  const real size = residual(p, 0, Z, X, R);
  for (int i = 0; i < n; i++) x[i] = (double)vector(p, X)[i];
  return (double)size;
}
