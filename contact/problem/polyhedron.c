// The friction polyhedron: directions, slip, projection.
//
// A plane's directions d_k are the corners of a regular polygon; its sides are at h = cos(pi / n) from the origin. With
// torsional friction the set is the double pyramid over it, |spin| + (largest m_k . t / h) <= r, m_k the sides'
// normals: its faces are triangles of a side and an apex, and the nearest point to one outside lies on one of them, on
// the same side of the plane.
//
// With rolling friction it is the set of gauge g(t) = (largest m_k . t / h) + sum |t_k| <= r over the further tangents.
// The nearest point to one outside is that of least |q - t|^2 / 2 + s g(q), for the s at which g(q) = r: further
// tangents are shortened by s, and the plane's part by its nearest point of s times the polygon's polar, whose side k
// is at distance s along d_k and tan(pi / n) s long to either end. g(q) falls as s grows.
#include "contact/problem/polyhedron.h"

#include <float.h>
#include <math.h>

enum { MOST = SRS_CONTACT_TANGENTS_MOST };

static double clamp(double x, double lower, double upper) { return x < lower ? lower : x > upper ? upper : x; }

void srs_polyhedron_make(int n, double angle, srs_polyhedron *p)
{
  const double turn = 6.283185307179586476925287 / n;
  p->n = n;
  p->is_relaxed = false;
  for (int k = 0; k < n / 2; k++) { // opposites are exactly opposite, and quarters exactly across
    const bool is_quarter = n % 4 == 0 && k >= n / 4;
    const double *before = is_quarter ? p->direction[k - n / 4] : NULL;
    p->direction[k][0] = is_quarter ? -before[1] : cos(angle + k * turn);
    p->direction[k][1] = is_quarter ? before[0] : sin(angle + k * turn);
    p->direction[k + n / 2][0] = -p->direction[k][0];
    p->direction[k + n / 2][1] = -p->direction[k][1];
  }
}

int srs_polyhedron_directions(const srs_polyhedron *p, int d) { return d < 2 ? 2 * d : p->n + 2 * (d - 2); }

// In the plane: two neighbours carry t.
static void spread_in_plane(const srs_polyhedron *p, const double t[2], double *beta)
{
  for (int k = 0; k < p->n; k++) {
    const double *a = p->direction[k], *b = p->direction[(k + 1) % p->n];
    const double across = a[0] * b[1] - a[1] * b[0];
    const double u = (t[0] * b[1] - t[1] * b[0]) / across, v = (a[0] * t[1] - a[1] * t[0]) / across;
    const double rounding = -1e-12 * (fabs(u) + fabs(v));
    beta[k] = 0;
    if (u < rounding || v < rounding) continue;
    for (int j = k; j < p->n; j++) beta[j] = 0;
    beta[k] = fmax(u, 0), beta[(k + 1) % p->n] = fmax(v, 0);
    return;
  }
}

void srs_polyhedron_spread(const srs_polyhedron *p, int d, const double *t, double *beta)
{
  if (d >= 2) spread_in_plane(p, t, beta), beta += p->n;
  for (int k = srs_polyhedron_single(d); k < d; k++, beta += 2) beta[0] = fmax(t[k], 0), beta[1] = fmax(-t[k], 0);
}

// ---- nearest points ----

static double square3(const double a[3]) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

// From the polygon with corners radius d_k; t may be inside.
static void nearest_in_plane(const srs_polyhedron *p, double radius, const double t[2], double nearest[2])
{
  double least = INFINITY;
  nearest[0] = t[0], nearest[1] = t[1];
  for (int k = 0; k < p->n; k++) { // the side from corner k to the next
    const double *a = p->direction[k], *b = p->direction[(k + 1) % p->n];
    const double side[2] = {radius * (b[0] - a[0]), radius * (b[1] - a[1])};
    const double from[2] = {t[0] - radius * a[0], t[1] - radius * a[1]};
    if (side[0] * from[1] - side[1] * from[0] >= 0 && radius > 0) continue; // on the inner side
    const double square = side[0] * side[0] + side[1] * side[1];
    const double along = square > 0 ? clamp((side[0] * from[0] + side[1] * from[1]) / square, 0, 1) : 0;
    const double d[2] = {from[0] - along * side[0], from[1] - along * side[1]};
    const double distance = d[0] * d[0] + d[1] * d[1];
    if (!(distance < least)) continue;
    least = distance;
    nearest[0] = t[0] - d[0], nearest[1] = t[1] - d[1];
  }
}

// Keeps the point of the segment a b that is nearest to t, if it is nearer than what is kept.
static void offer_segment(const double t[3], const double a[3], const double b[3], double *least, double nearest[3])
{
  double along = 0, square = 0, q[3], away[3];
  for (int i = 0; i < 3; i++) along += (t[i] - a[i]) * (b[i] - a[i]), square += (b[i] - a[i]) * (b[i] - a[i]);
  along = square > 0 ? clamp(along / square, 0, 1) : 0;
  for (int i = 0; i < 3; i++) q[i] = a[i] + along * (b[i] - a[i]), away[i] = t[i] - q[i];
  if (!(square3(away) < *least)) return;
  *least = square3(away);
  for (int i = 0; i < 3; i++) nearest[i] = q[i];
}

// The same of the face over the side from corner a to corner b, with the apex (0, 0, radius).
static void offer_face(const double t[3], const double a[2], const double b[2], double radius, double *least,
                       double nearest[3])
{
  const double A[3] = {radius * a[0], radius * a[1], 0}, B[3] = {radius * b[0], radius * b[1], 0};
  const double apex[3] = {0, 0, radius};
  const double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])}; // at h, along m
  const double square = middle[0] * middle[0] + middle[1] * middle[1]; // h^2
  const double normal[3] = {middle[0] / square, middle[1] / square, 1};
  const double f = (normal[0] * t[0] + normal[1] * t[1] + t[2] - radius) / square3(normal);
  if (f < 0) return; // on the inner side
  double q[3];
  for (int i = 0; i < 3; i++) q[i] = t[i] - f * normal[i];
  const double across = a[0] * b[1] - a[1] * b[0];
  const double u = q[0] * b[1] - q[1] * b[0], v = a[0] * q[1] - a[1] * q[0]; // of q = (u A + v B) / across + …
  if (u * across >= 0 && v * across >= 0 && q[2] >= 0) {
    if (!(f * f * square3(normal) < *least)) return;
    *least = f * f * square3(normal);
    for (int i = 0; i < 3; i++) nearest[i] = q[i];
    return;
  }
  offer_segment(t, A, B, least, nearest);
  offer_segment(t, A, apex, least, nearest);
  offer_segment(t, B, apex, least, nearest);
}

static void nearest_with_spin(const srs_polyhedron *p, double radius, const double t[3], double nearest[3])
{
  const double upper[3] = {t[0], t[1], fabs(t[2])};
  double least = INFINITY;
  for (int i = 0; i < 3; i++) nearest[i] = upper[i];
  for (int k = 0; k < p->n; k++)
    offer_face(upper, p->direction[k], p->direction[(k + 1) % p->n], radius, &least, nearest);
  nearest[2] = copysign(nearest[2], t[2]);
}

// q for s, and g(q).
static double shorten(const srs_polyhedron *p, int d, double s, const double *t, double *q)
{
  double most = -INFINITY, gauge = 0;
  int k = 0;
  for (int i = 0; i < p->n; i++) {
    const double along = p->direction[i][0] * t[0] + p->direction[i][1] * t[1];
    if (along > most) most = along, k = i;
  }
  const double *c = p->direction[k], *next = p->direction[(k + 1) % p->n];
  const double tangent = (1 - (c[0] * next[0] + c[1] * next[1])) / fabs(c[0] * next[1] - c[1] * next[0]); // tan(pi / n)
  const double ahead = fmax(most - s, 0), across = c[0] * t[1] - c[1] * t[0];
  const double beside = across - clamp(across, -s * tangent, s * tangent);
  q[0] = ahead * c[0] - beside * c[1], q[1] = ahead * c[1] + beside * c[0];
  for (int i = 0; i < p->n; i++) {
    const double *a = p->direction[i], *b = p->direction[(i + 1) % p->n];
    const double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    gauge = fmax(gauge, (middle[0] * q[0] + middle[1] * q[1]) / (middle[0] * middle[0] + middle[1] * middle[1]));
  }
  for (int i = 2; i < d; i++) {
    q[i] = copysign(fmax(fabs(t[i]) - s, 0), t[i]);
    gauge += fabs(q[i]);
  }
  return gauge;
}

static void nearest_with_rolling(const srs_polyhedron *p, int d, double radius, const double *t, double *nearest)
{
  double low = 0, high = srs_polyhedron_slip(p, d, t); // of opposite directions: the largest d_k . t
  if (shorten(p, d, 0, t, nearest) <= radius) return;
  while (high - low > DBL_EPSILON * high) {
    const double s = 0.5 * (low + high);
    if (!(s > low && s < high)) break;
    if (shorten(p, d, s, t, nearest) > radius)
      low = s;
    else
      high = s;
  }
  (void)shorten(p, d, high, t, nearest);
}

double srs_polyhedron_slip(const srs_polyhedron *p, int d, const double *w)
{
  double most = 0;
  for (int k = 0; k < p->n && d >= 2; k++) most = fmax(most, -(p->direction[k][0] * w[0] + p->direction[k][1] * w[1]));
  for (int k = srs_polyhedron_single(d); k < d; k++) most = fmax(most, fabs(w[k]));
  return most;
}

double srs_polyhedron_defect(const srs_polyhedron *p, int d, const double *x, const double *w, double mu)
{
  const double w_n = p->is_relaxed ? w[0] - mu * srs_polyhedron_slip(p, d, w + 1) : w[0];
  const double n = x[0] < w_n ? x[0] : w_n, radius = x[0] > 0 ? mu * x[0] : 0;
  double t[MOST] = {0}, nearest[MOST] = {0}, sum = n * n;
  for (int k = 0; k < d; k++) t[k] = x[1 + k] - w[1 + k];
  if (d == 1) nearest[0] = clamp(t[0], -radius, radius);
  if (d == 2) nearest_in_plane(p, radius, t, nearest);
  if (d == 3) nearest_with_spin(p, radius, t, nearest);
  if (d > 3) nearest_with_rolling(p, d, radius, t, nearest);
  for (int k = 0; k < d; k++) sum += (x[1 + k] - nearest[k]) * (x[1 + k] - nearest[k]);
  return sum;
}
