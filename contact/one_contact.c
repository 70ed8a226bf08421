// What impulse answers at one contact?
//
// It parts if b_n >= 0. It sticks if x = -W^-1 b lies in the cone. Else it slides: w_t = -g x_t with some g > 0, so
// that
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
#include "contact/one_contact.h"

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
  double g = sqrt(q1) / s->l2 - 0.5 * s->trace; // the root, were the contact isotropic and uncoupled
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

int srs_one_contact(const double W[9], const double b[3], double mu, double x[3])
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
    const double from = fabs(b[1]) + fabs(b[2]) + (fabs(f1) + fabs(f2)) * -b[0]; // what a was made of
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
