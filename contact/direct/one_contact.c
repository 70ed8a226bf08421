// The exact impulse of a single contact.
//
// It separates if b_n >= 0. It sticks if x = -W^-1 b lies in the cone. Otherwise it slides: w_t = -g x_t with some
// g > 0, so that
//
//   (W + g diag(0, 1, 1)) x = -b      and      |x_t| = mu x_n
//
// one equation in g. With the normal row eliminated, A = W_tt - W_tn W_nt / W_nn and a = b_t - W_tn b_n / W_nn:
//
//   x_t = -q(g) / d(g),   q = adj(A) a + g a,   d = g^2 + g tr A + det A
//   x_n = L(g) / (W_nn d),   L = -b_n d + W_nt q
//
// and h(g) = mu L / (W_nn |q|) - 1 goes from below zero (it does not stick) to infinity as g grows, so there is a root,
// and at the largest one x_n > 0. h is a straight line when normal and tangents are not coupled and A is isotropic:
// Newton takes two or three steps, inside a bracket.
//
// That is for two tangents. With one, or more than two, the same root is found with x_t = -(A + g I)^-1 a for each g.
#include "contact/direct/one_contact.h"
#include <sarrus/contact.h>

#include <float.h>
#include <math.h>

typedef struct slip {
  double q0[2], q1[2]; // q = q0 + g q1
  double l0, l1, l2;   // L = l0 + g l1 + g^2 l2, times mu / W_nn
  double trace, determinant;
} slip;

static double slip_root(const slip *s, int *iterations)
{
  const double q1 = s->q1[0] * s->q1[0] + s->q1[1] * s->q1[1];
  const double q01 = s->q0[0] * s->q1[0] + s->q0[1] * s->q1[1];
  const double q0 = s->q0[0] * s->q0[0] + s->q0[1] * s->q0[1];
  double low = 0, high = INFINITY;
  double g = sqrt(q1) / s->l2 - 0.5 * s->trace; // the root of an isotropic, uncoupled contact
  if (!(g > 0)) g = 0.1 * s->trace + DBL_MIN;
  for (*iterations = 1; *iterations < 100; ++*iterations) {
    const double size = sqrt(q0 + g * (2 * q01 + g * q1));
    const double L = s->l0 + g * (s->l1 + g * s->l2);
    const double h = L - size; // times |q|, so that q = 0 harms nothing
    if (h < 0)
      low = g;
    else
      high = g;
    if (h == 0 || (high < INFINITY && high - low <= DBL_EPSILON * high)) break;
    // (L / |q| - 1)' |q| = L' - L |q|' / |q|
    const double slope = (s->l1 + 2 * g * s->l2) - L * (q01 + g * q1) / (size * size);
    double next = g - h / slope;
    if (fabs(next - g) <= 0.5 * DBL_EPSILON * g) break;
    if (!(next > low && next < high)) next = high < INFINITY ? 0.5 * (low + high) : 4 * g;
    g = next;
  }
  return g;
}

static int two_tangents(const double W[9], const double b[3], double mu, double x[3])
{
  x[0] = x[1] = x[2] = 0;
  if (b[0] >= 0) return 0;
  if (!(W[0] > 0)) return -1;
  const double inverse = 1 / W[0], W_n1 = W[1], W_n2 = W[2];
  const double f1 = W[3] * inverse, f2 = W[6] * inverse;
  const double A11 = W[4] - f1 * W_n1, A12 = W[5] - f1 * W_n2, A21 = W[7] - f2 * W_n1, A22 = W[8] - f2 * W_n2;
  const double a1 = b[1] - f1 * b[0], a2 = b[2] - f2 * b[0];
  x[0] = -b[0] * inverse;
  if (mu == 0) return 0;

  slip s = {.q0 = {A22 * a1 - A12 * a2, A11 * a2 - A21 * a1},
            .q1 = {a1, a2},
            .trace = A11 + A22,
            .determinant = A11 * A22 - A12 * A21};
  const double size = fabs(W[4]) + fabs(W[8]), rounding = 64 * DBL_EPSILON * size; // of A
  double d = s.determinant, q1 = s.q0[0], q2 = s.q0[1];
  if (fabs(d) <= rounding * s.trace) { // A has rank one, or none: the smallest x_t, if a is in its range
    const double from = fabs(b[1]) + fabs(b[2]) + (fabs(f1) + fabs(f2)) * -b[0]; // the terms of a
    const bool is_consistent = fabs(q1) + fabs(q2) <= rounding * (fabs(a1) + fabs(a2) + from);
    d = s.trace > rounding ? s.trace : 1;
    q1 = a1, q2 = a2;
    if (!is_consistent || (s.trace <= rounding && (a1 != 0 || a2 != 0))) d = 0;
  }
  if (d > 0) {
    const double t1 = -q1 / d, t2 = -q2 / d, n = -(b[0] + W_n1 * t1 + W_n2 * t2) * inverse;
    if (n >= 0 && t1 * t1 + t2 * t2 <= mu * mu * n * n) {
      x[0] = n, x[1] = t1, x[2] = t2;
      return 0;
    }
  }
  const double k = mu * inverse;
  s.l0 = k * (-b[0] * s.determinant + W_n1 * s.q0[0] + W_n2 * s.q0[1]);
  s.l1 = k * (-b[0] * s.trace + W_n1 * a1 + W_n2 * a2);
  s.l2 = k * -b[0];
  int iterations;
  const double g = slip_root(&s, &iterations);
  d = s.determinant + g * (s.trace + g);
  q1 = s.q0[0] + g * a1, q2 = s.q0[1] + g * a2;
  const double n = (-b[0] * d + W_n1 * q1 + W_n2 * q2) * inverse / d, length = sqrt(q1 * q1 + q2 * q2);
  if (!(n >= 0) || !(d > 0) || !(length > 0) || !isfinite(n)) return -1;
  x[0] = n, x[1] = -mu * n * q1 / length, x[2] = -mu * n * q2 / length;
  return iterations;
}

// ---- any number of tangents ----

enum { MOST = SRS_CONTACT_TANGENTS_MOST };

typedef struct tangents {
  int d;
  double A[MOST * MOST], a[MOST], push, pull[MOST]; // x_n = push - pull . x_t
} tangents;

// y <- (A + g I)^-1 y; false where that is singular.
static bool solve(const tangents *s, double g, double *y)
{
  const int d = s->d;
  double M[MOST * MOST];
  for (int i = 0; i < d * d; i++) M[i] = s->A[i] + (i % (d + 1) == 0 ? g : 0);
  for (int k = 0; k < d; k++) {
    int best = k;
    for (int i = k + 1; i < d; i++)
      if (fabs(M[d * i + k]) > fabs(M[d * best + k])) best = i;
    if (!(fabs(M[d * best + k]) > 64 * DBL_EPSILON * (fabs(s->A[d * k + k]) + g))) return false;
    for (int j = 0; j < d; j++) {
      const double t = M[d * k + j];
      M[d * k + j] = M[d * best + j], M[d * best + j] = t;
    }
    const double t = y[k];
    y[k] = y[best], y[best] = t;
    for (int i = k + 1; i < d; i++) {
      const double f = M[d * i + k] / M[d * k + k];
      for (int j = k; j < d; j++) M[d * i + j] -= f * M[d * k + j];
      y[i] -= f * y[k];
    }
  }
  for (int k = d - 1; k >= 0; k--) {
    for (int j = k + 1; j < d; j++) y[k] -= M[d * k + j] * y[j];
    y[k] /= M[d * k + k];
  }
  return true;
}

// The impulse for a g; the slope of x_n / |x_t| by g.
static bool slip_impulse(const tangents *s, double g, double *x, double *slope)
{
  double by_g[MOST], n = s->push, n_by_g = 0, along = 0, square = 0;
  for (int k = 0; k < s->d; k++) x[1 + k] = -s->a[k];
  if (!solve(s, g, x + 1)) return false;
  for (int k = 0; k < s->d; k++) by_g[k] = -x[1 + k];
  if (!solve(s, g, by_g)) return false;
  for (int k = 0; k < s->d; k++) {
    n -= s->pull[k] * x[1 + k], n_by_g -= s->pull[k] * by_g[k];
    along += x[1 + k] * by_g[k], square += x[1 + k] * x[1 + k];
  }
  x[0] = n;
  *slope = (n_by_g - n * along / square) / sqrt(square);
  return true;
}

static double length(const tangents *s, const double *x)
{
  double square = 0;
  for (int k = 0; k < s->d; k++) square += x[k] * x[k];
  return sqrt(square);
}

// Newton within a bracket on mu x_n / |x_t| = 1.
static int slide(const tangents *s, double mu, double *x)
{
  double low = 0, high = INFINITY, trace = 0, slope;
  for (int k = 0; k < s->d; k++) trace += s->A[s->d * k + k] / s->d;
  double g = length(s, s->a) / (mu * s->push) - trace;
  if (!(g > 0)) g = 0.1 * trace + DBL_MIN;
  int iterations = 1;
  for (; iterations < 100; iterations++) {
    if (!slip_impulse(s, g, x, &slope)) return -1;
    const double h = mu * x[0] / length(s, x + 1) - 1;
    if (h < 0)
      low = g;
    else
      high = g;
    double next = g - h / (mu * slope);
    if (fabs(next - g) <= DBL_EPSILON * g || (high < INFINITY && high - low <= DBL_EPSILON * high)) break;
    if (!(next > low && next < high)) next = high < INFINITY ? 0.5 * (low + high) : 4 * g;
    g = next;
  }
  const double size = length(s, x + 1);
  if (!(x[0] >= 0) || !(size > 0) || !isfinite(x[0])) return -1;
  for (int k = 1; k <= s->d; k++) x[k] *= mu * x[0] / size;
  return iterations;
}

static int any_tangents(int d, const double *W, const double *b, double mu, double *x)
{
  const int rows = 1 + d;
  tangents s = {.d = d, .push = -b[0] / W[0]};
  for (int i = 0; i < d; i++) {
    const double *row = W + (size_t)(i + 1) * (size_t)rows, f = row[0] / W[0];
    s.pull[i] = W[i + 1] / W[0];
    s.a[i] = b[i + 1] - f * b[0];
    for (int j = 0; j < d; j++) s.A[d * i + j] = row[j + 1] - f * W[j + 1];
  }
  double slope;
  if (length(&s, s.a) == 0) return 0;
  if (slip_impulse(&s, 0, x, &slope) && x[0] >= 0 && length(&s, x + 1) <= mu * x[0]) return 0;
  return slide(&s, mu, x);
}

// x = push - pull x_t with x_t = -a / A where that sticks, else x_t = -sign(a) mu x_n. Returns 0 or
// 1, -1 for neither.
static int one_tangent(const double *W, size_t stride, const double *b, double mu, double *x)
{
  const double inverse = 1 / W[0], f = W[stride] * inverse, pull = W[1] * inverse, push = -b[0] * inverse;
  const double A = W[stride + 1] - f * W[1], a = b[1] - f * b[0];
  if (!(A > 64 * DBL_EPSILON * W[stride + 1]) || a == 0) return -1;
  const double stuck = -a / A, held = push - pull * stuck;
  if (fabs(stuck) <= mu * held) {
    x[0] = held, x[1] = stuck;
    return 0;
  }
  const double drag = a > 0 ? -mu : mu, n = push / (1 + pull * drag);
  if (!(n >= 0) || !isfinite(n) || !(fabs(stuck) > mu * n)) return -1;
  x[0] = n, x[1] = drag * n;
  return 1;
}

int srs_planar_contact(const double *W, size_t stride, const double *b, double mu, double *x)
{
  x[0] = x[1] = 0;
  if (b[0] >= 0) return 0;
  if (!(W[0] > 0)) return -1;
  const int iterations = mu > 0 ? one_tangent(W, stride, b, mu, x) : -1;
  if (iterations >= 0) return iterations;
  x[0] = -b[0] / W[0];
  if (mu == 0) return 0;
  const double own[4] = {W[0], W[1], W[stride], W[stride + 1]};
  return any_tangents(1, own, b, mu, x);
}

int srs_one_contact(int d, const double *W, const double *b, double mu, double *x)
{
  if (d == 2) return two_tangents(W, b, mu, x);
  if (d == 1) return srs_planar_contact(W, 2, b, mu, x);
  for (int k = 0; k <= d; k++) x[k] = 0;
  if (b[0] >= 0) return 0;
  if (!(W[0] > 0)) return -1;
  x[0] = -b[0] / W[0];
  return d == 0 || mu == 0 ? 0 : any_tangents(d, W, b, mu, x);
}
