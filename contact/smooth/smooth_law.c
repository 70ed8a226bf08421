// The laws of contact smoothed: which impulses x and velocities w does a vector y stand for?
//
// With x_n and w_n > 0, |x_t| < mu x_n,
//
//   w_n x_n = t^2,    w_t = -t^2 x_t / ((mu x_n)^2 - |x_t|^2)
//
// which are Signorini's and Coulomb's laws for t -> 0: barriers of x_n and of the disc. Newton's method needs numbers
// that may be anything. In (mu x_n, x_t) and u = (u_n, w_t) the cone is |a_t| <= a_n, whose vectors have eigenvalues
// a_n +- |a_t| with eigenvectors (1, +-d) / 2, d = a_t / |a_t|. Any y is x - u of x = p(y), u = p(-y), with
//
//   p(a) = (a + sqrt(a^2 + 4 t^2)) / 2,    p(a) p(-a) = t^2        (Chen & Harker, Kanzow, Smale)
//
// of its eigenvalues: with those of x, a and b, u has t^2 / a and t^2 / b, and w_t is as above. Only w_n is not u_n: it
// is t^2 / x_n, mu times the harmonic mean of u's eigenvalues (De Saxce has u_n = w_n / mu + |w_t|, which is the same
// at t = 0 and has a kink where w_t changes its sign). Derivatives: du = -q, dx = Q q, dy = (1 + Q) q, where
//
//   Q has the eigenvalues a^2 / t^2 and b^2 / t^2, and a b / t^2 across d
//
// and dw = -(z_n mu, q_t), z_n = k q_n + h d . q_t, k = 2 (a^2 + b^2) / (a + b)^2, h = 2 (a - b) / (a + b). So where
// velocities miss r - W dx: with z = (r - W dx)_n / mu, q_n = (z_n - h d . q_t) / k. That is dx = B (r - W dx).
//
// Unilateral rows are contacts without tangents. Box rows: w = p(lower - y) - p(y - upper), x = y + w.
#include "contact/smooth/smooth_law.h"

static double upper_of(double a, double t)
{
  const double root = sqrt(a * a + 4 * t * t);
  return a > 0 ? 0.5 * (a + root) : 2 * t * t / (root - a);
}

static double slope_of(double a, double t)
{
  const double root = sqrt(a * a + 4 * t * t);
  return upper_of(a, t) / root;
}

// A contact's x = p(y) and its eigenvectors.
typedef struct law {
  int d;
  double mu, a, b, along[SRS_CONTACT_TANGENTS_MOST]; // eigenvalues of y; d
  double k, h;
} law;

// d: tangents that have friction.
SRS_CONTACT_INLINE law law_of(int d, double mu, double t, const double *y)
{
  law l = {d, d > 0 ? mu : 1, y[0], y[0], {0}, 1, 0};
  if (d == 0) return l;
  const double length = srs_length(d, y + 1);
  l.a = y[0] + length, l.b = y[0] - length;
  if (!(length > 0)) return l;
  for (int k = 0; k < d; k++) l.along[k] = y[1 + k] / length;
  const double a = upper_of(l.a, t), b = upper_of(l.b, t), sum = a + b;
  l.k = 2 * (a * a + b * b) / (sum * sum);
  l.h = 2 * (a - b) / sum;
  return l;
}

// The vector of two eigenvalues.
SRS_CONTACT_INLINE void compose(const law *l, double a, double b, double *out)
{
  out[0] = 0.5 * (a + b);
  for (int k = 0; k < l->d; k++) out[1 + k] = 0.5 * (a - b) * l->along[k];
}

// Q
typedef struct quotient {
  double a, b, across;
} quotient;

SRS_CONTACT_INLINE quotient quotient_of(const law *l, double t)
{
  const double a = upper_of(l->a, t) / t, b = l->d > 0 ? upper_of(l->b, t) / t : a;
  return (quotient){a * a, b * b, a * b};
}

// q of r.
SRS_CONTACT_INLINE void turn(const law *l, const double *r, double *q)
{
  double along = 0;
  for (int k = 0; k < l->d; k++) along += l->along[k] * r[1 + k];
  q[0] = (r[0] / l->mu - l->h * along) / l->k;
  for (int k = 0; k < l->d; k++) q[1 + k] = r[1 + k];
}

// z = (Q + shift) q.
SRS_CONTACT_INLINE void multiply(const law *l, const quotient *Q, double shift, const double *q, double *z)
{
  double along = 0;
  for (int k = 0; k < l->d; k++) along += l->along[k] * q[1 + k];
  const double a = (Q->a + shift) * (q[0] + along), b = (Q->b + shift) * (q[0] - along), across = Q->across + shift;
  double out[1 + SRS_CONTACT_TANGENTS_MOST];
  compose(l, a, b, out);
  for (int k = 0; k < l->d; k++) out[1 + k] += across * (q[1 + k] - along * l->along[k]);
  for (int k = 0; k <= l->d; k++) z[k] = out[k];
}

// Tangents of a contact without friction have no impulse.
SRS_CONTACT_INLINE int tangents_of(const srs_cone_problem *problem, int c)
{
  return problem->friction[c] > 0 ? srs_cone_tangents(problem, c) : 0;
}

static void clear(const srs_cone_problem *problem, int c, double *x)
{
  for (int k = 1 + tangents_of(problem, c); k <= srs_cone_tangents(problem, c); k++) x[k] = 0;
}

// ---- scalar rows ----

typedef struct bounds {
  double lower, upper;
} bounds;

static bounds bounds_of(const srs_cone_problem *problem, int i)
{
  const int box = i - (problem->n - problem->n_box);
  return box < 0 ? (bounds){0, INFINITY} : (bounds){problem->lower[box], problem->upper[box]};
}

static double scalar_velocity(bounds l, double t, double y)
{
  const double below = isfinite(l.lower) ? upper_of(l.lower - y, t) : 0;
  return below - (isfinite(l.upper) ? upper_of(y - l.upper, t) : 0);
}

// I - D, never quite zero.
static double scalar_slope(bounds l, double t, double y)
{
  const double least = 1e-15, below = isfinite(l.lower) ? slope_of(l.lower - y, t) : 0;
  return fmax(least, below + (isfinite(l.upper) ? slope_of(y - l.upper, t) : 0));
}

// ---- all rows ----

void srs_smooth_pair(const srs_cone_problem *problem, double t, const double *y, double *x, double *w)
{
  for (int c = 0; c < problem->n_contacts; c++) {
    const int i = srs_cone_first(problem, c), d = tangents_of(problem, c);
    const law l = law_of(d, problem->friction[c], t, y + i);
    compose(&l, upper_of(l.a, t), upper_of(l.b, t), x + i);
    compose(&l, upper_of(-l.a, t), upper_of(-l.b, t), w + i);
    x[i] /= l.mu;
    w[i] = t * t / x[i];
    clear(problem, c, x + i);
    clear(problem, c, w + i);
  }
  for (int i = srs_cone_scalars(problem); i < problem->n; i++) {
    const bounds b = bounds_of(problem, i);
    w[i] = scalar_velocity(b, t, y[i]);
    x[i] = b.lower == 0 && b.upper == INFINITY ? upper_of(y[i], t) : srs_clamp(y[i] + w[i], b.lower, b.upper);
  }
}

void srs_smooth_impulses(const srs_cone_problem *problem, double t, const double *y, int n_columns,
                         const double *columns, double *out)
{
  const size_t stride = (size_t)problem->stride;
  for (int c = 0; c < problem->n_contacts; c++) {
    const size_t i = (size_t)srs_cone_first(problem, c);
    const law l = law_of(tangents_of(problem, c), problem->friction[c], t, y + i);
    const quotient Q = quotient_of(&l, t);
    for (size_t k = 0; k < (size_t)n_columns; k++) {
      double *x = out + k * stride + i, q[1 + SRS_CONTACT_TANGENTS_MOST];
      turn(&l, columns + k * stride + i, q);
      multiply(&l, &Q, 0, q, x);
      x[0] /= l.mu;
      clear(problem, c, x);
    }
  }
  for (int i = srs_cone_scalars(problem); i < problem->n; i++) {
    const double slope = scalar_slope(bounds_of(problem, i), t, y[i]), ratio = (1 - slope) / slope;
    for (size_t k = 0; k < (size_t)n_columns; k++)
      out[k * stride + (size_t)i] = ratio * columns[k * stride + (size_t)i];
  }
}

void srs_smooth_step(const srs_cone_problem *problem, double t, const double *y, const double *r, double *step)
{
  for (int c = 0; c < problem->n_contacts; c++) {
    const int i = srs_cone_first(problem, c);
    const law l = law_of(tangents_of(problem, c), problem->friction[c], t, y + i);
    const quotient Q = quotient_of(&l, t);
    double q[1 + SRS_CONTACT_TANGENTS_MOST];
    turn(&l, r + i, q);
    multiply(&l, &Q, 1, q, step + i);
    clear(problem, c, step + i);
  }
  for (int i = srs_cone_scalars(problem); i < problem->n; i++)
    step[i] = r[i] / scalar_slope(bounds_of(problem, i), t, y[i]);
}

void srs_smooth_blocks(const srs_cone_problem *problem, double t, const double *y, double *B)
{
  enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };
  for (int c = 0; c < problem->n_contacts; c++, B += SQUARE) {
    const int i = srs_cone_first(problem, c), d = tangents_of(problem, c);
    const law l = law_of(d, problem->friction[c], t, y + i);
    const quotient Q = quotient_of(&l, t);
    for (int k = 0; k <= d; k++) {
      double unit[MOST] = {0}, q[MOST], x[MOST];
      unit[k] = 1;
      turn(&l, unit, q);
      multiply(&l, &Q, 0, q, x);
      x[0] /= l.mu;
      for (int j = 0; j <= d; j++) B[j * MOST + k] = x[j];
    }
  }
  for (int i = srs_cone_scalars(problem); i < problem->n; i++, B += SQUARE) {
    const double slope = scalar_slope(bounds_of(problem, i), t, y[i]);
    B[0] = (1 - slope) / slope;
  }
}
