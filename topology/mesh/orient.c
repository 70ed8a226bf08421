// The orientation predicate: on which side of the plane a b c is d? The sign of a 3 x 3 determinant, exactly.
//
// First in floating point with a bound on its error: with u, v, w = b - a, c - a, d - a, each difference off by half an
// ulp, the result of u x v . w is off by less than 8 eps times the same sum of absolute products (a generous bound).
// Where that does not decide, the determinant of the four points themselves (24 products of three coordinates) is
// summed as a list of doubles that do not overlap, to which an addition is exact: a + b = s + e with s rounded and e
// the rounding error, itself a double; likewise a * b = p + e by a fused multiply-add. The last entry that is not zero
// outweighs the rest together: it has the sign.
#include "topology/mesh/orient.h"

enum { SUM_TERMS = 24 * 4 + 1 };

typedef struct exact_sum {
  double terms[SUM_TERMS]; // growing magnitude, no overlap
  int n;
} exact_sum;

static void sum_add(exact_sum *sum, double x)
{
  int kept = 0;
  for (int i = 0; i < sum->n; i++) {
    const double y = sum->terms[i], s = x + y, part = s - x, error = (x - (s - part)) + (y - part);
    if (error != 0) sum->terms[kept++] = error;
    x = s;
  }
  if (x != 0) sum->terms[kept++] = x;
  sum->n = kept;
}

static void sum_add_product(exact_sum *sum, double a, double b, double c)
{
  const double high = a * b, low = fma(a, b, -high);
  const double first = high * c, second = low * c;
  sum_add(sum, fma(low, c, -second));
  sum_add(sum, second);
  sum_add(sum, fma(high, c, -first));
  sum_add(sum, first);
}

// Adds sign * (a x b . c).
static void sum_add_determinant(exact_sum *sum, double sign, vec3 a, vec3 b, vec3 c)
{
  sum_add_product(sum, sign * a.y, b.z, c.x);
  sum_add_product(sum, -sign * a.z, b.y, c.x);
  sum_add_product(sum, sign * a.z, b.x, c.y);
  sum_add_product(sum, -sign * a.x, b.z, c.y);
  sum_add_product(sum, sign * a.x, b.y, c.z);
  sum_add_product(sum, -sign * a.y, b.x, c.z);
}

static int exact_orient(vec3 a, vec3 b, vec3 c, vec3 d)
{
  exact_sum sum;
  sum.n = 0;
  sum_add_determinant(&sum, 1, b, c, d);
  sum_add_determinant(&sum, -1, a, c, d);
  sum_add_determinant(&sum, 1, a, b, d);
  sum_add_determinant(&sum, -1, a, b, c);
  if (sum.n == 0) return 0;
  return sum.terms[sum.n - 1] > 0 ? 1 : -1;
}

int srs_orient(vec3 a, vec3 b, vec3 c, vec3 d)
{
  const vec3 u = sub3(b, a), v = sub3(c, a), w = sub3(d, a);
  const double det = dot3(cross3(u, v), w);
  const vec3 size = {fabs(u.y * v.z) + fabs(u.z * v.y), fabs(u.z * v.x) + fabs(u.x * v.z),
                     fabs(u.x * v.y) + fabs(u.y * v.x)};
  const double bound = 0x1p-49 * (size.x * fabs(w.x) + size.y * fabs(w.y) + size.z * fabs(w.z));
  if (det > bound) return 1;
  if (det < -bound) return -1;
  return exact_orient(a, b, c, d);
}
