// Which linear complementarity problem is a contact problem with a friction polyhedron?
//
// MJ 3: a contact's tangential impulse is a sum over directions d_k, k = 1 … n_f, with weights beta_k >= 0. Unknowns of
// a contact (beta_n, beta_1 … beta_nf, sigma), each complementary to
//
//   w_n >= 0        d_k . w_t + sigma >= 0        mu beta_n - sum_k beta_k >= 0
//
// with w = W x + b. The bilateral rows are already eliminated, so nothing here is free. A unilateral row is its own
// unknown. A box row lower <= x <= upper is x = lower + p with (p, sigma) complementary to
//
//   w + sigma >= 0        (upper - lower) - p >= 0
//
// where a bound that is infinite stands at 1e8 (scaled impulses are about 1).
//
// As equations: r_i = phi(z_i, f_i), f = M z + q (contact/ncp_function.h). Where z_i = f_i = 0 phi has a kink; there
// its B-subdifferential has (MJ eq. 45), with y the indicator of such rows and (a, b) = (1, (M y)_i) / |(1, (M y)_i)|:
// weight ((1 - a) e_i + (1 - b) M_i).
#include "contact/mlcp.h"
#include "contact/ncp_function.h"

#include <string.h>

static const double infinite = 1e8;

void srs_polyhedron_make(int n, double angle, srs_polyhedron *p)
{
  const double turn = 6.283185307179586476925287 / n;
  p->n = n;
  for (int k = 0; k < n / 2; k++) { // opposites are exactly opposite, and quarters exactly across
    const bool is_quarter = n % 4 == 0 && k >= n / 4;
    const double *before = is_quarter ? p->direction[k - n / 4] : NULL;
    p->direction[k][0] = is_quarter ? -before[1] : cos(angle + k * turn);
    p->direction[k][1] = is_quarter ? before[0] : sin(angle + k * turn);
    p->direction[k + n / 2][0] = -p->direction[k][0];
    p->direction[k + n / 2][1] = -p->direction[k][1];
  }
}

int srs_mlcp_unknowns(int n_contacts, int n_unilateral, int n_box, int n_directions)
{
  return n_contacts * (2 + n_directions) + n_unilateral + 2 * n_box;
}

// An unknown's part in x: up to three rows from `first`, with these coefficients; none for a sigma.
typedef struct share {
  int first, count;
  double c[3];
} share;

static share share_of(const srs_mlcp *m, int unknown)
{
  const srs_cone_problem *cone = m->cone;
  const int per = 2 + m->polyhedron.n, scalars = cone->n_contacts * per, boxes = scalars + cone->n_unilateral;
  if (unknown < scalars) {
    const int c = unknown / per, k = unknown % per;
    if (k == per - 1) return (share){0, 0, {0}};
    if (k == 0) return (share){3 * c, 1, {1}};
    const double *d = m->polyhedron.direction[k - 1], *turn = m->turn + 2 * (size_t)c;
    return (share){3 * c + 1, 2, {turn[0] * d[0] - turn[1] * d[1], turn[1] * d[0] + turn[0] * d[1]}};
  }
  if (unknown < boxes) return (share){3 * cone->n_contacts + unknown - scalars, 1, {1}};
  if (unknown < boxes + cone->n_box)
    return (share){3 * cone->n_contacts + cone->n_unilateral + unknown - boxes, 1, {1}};
  return (share){0, 0, {0}};
}

static double lower_of(const srs_cone_problem *cone, int i) { return fmax(cone->lower[i], -infinite); }
static double upper_of(const srs_cone_problem *cone, int i) { return fmin(cone->upper[i], infinite); }

void srs_mlcp_assemble(srs_mlcp *m)
{
  const srs_cone_problem *cone = m->cone;
  const int n_f = m->polyhedron.n, per = 2 + n_f;
  const int n = srs_mlcp_unknowns(cone->n_contacts, cone->n_unilateral, cone->n_box, n_f);
  const int boxes = n - 2 * cone->n_box, first_box = cone->n - cone->n_box;
  m->lcp.n = n, m->lcp.stride = srs_dense_stride(n);
  const size_t stride = (size_t)m->lcp.stride;
  double *M = m->lcp.M, *q = m->lcp.q;
  memset(M, 0, sizeof *M * (size_t)n * stride);
  memset(q, 0, sizeof *q * stride);
  for (int i = 0; i < n; i++) {
    const share a = share_of(m, i);
    for (int r = 0; r < a.count; r++) {
      const double *row = cone->W + (size_t)(a.first + r) * (size_t)cone->stride;
      q[i] += a.c[r] * cone->b[a.first + r];
      for (int k = 0; k < cone->n_box; k++) q[i] += a.c[r] * row[first_box + k] * lower_of(cone, k);
      for (int j = 0; j < n; j++) {
        const share b = share_of(m, j);
        for (int s = 0; s < b.count; s++) M[(size_t)i * stride + (size_t)j] += a.c[r] * row[b.first + s] * b.c[s];
      }
    }
  }
  for (int c = 0; c < cone->n_contacts; c++) {
    const size_t first = (size_t)c * (size_t)per, sigma = first + (size_t)n_f + 1;
    M[sigma * stride + first] = cone->friction[c];
    for (size_t k = first + 1; k < sigma; k++) M[k * stride + sigma] = 1, M[sigma * stride + k] = -1;
  }
  for (int k = 0; k < cone->n_box; k++) {
    const size_t p = (size_t)boxes + (size_t)k, sigma = p + (size_t)cone->n_box;
    M[p * stride + sigma] = 1, M[sigma * stride + p] = -1;
    q[sigma] = upper_of(cone, k) - lower_of(cone, k);
  }
}

void srs_mlcp_impulse(const srs_mlcp *m, const double *z, double *x)
{
  const srs_cone_problem *cone = m->cone;
  for (int i = 0; i < cone->n; i++) x[i] = 0;
  for (int k = 0; k < cone->n_box; k++) x[cone->n - cone->n_box + k] = lower_of(cone, k);
  for (int i = 0; i < m->lcp.n; i++) {
    const share a = share_of(m, i);
    for (int r = 0; r < a.count; r++) x[a.first + r] += a.c[r] * z[i];
  }
}

// A tangent vector as a sum of two neighbouring directions with weights >= 0.
static void spread(const srs_polyhedron *p, const double t[2], double *beta)
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

void srs_mlcp_unknowns_of(const srs_mlcp *m, const double *x, const double *w, double *z)
{
  const srs_cone_problem *cone = m->cone;
  const srs_polyhedron *p = &m->polyhedron;
  const int scalars = 3 * cone->n_contacts;
  for (int c = 0; c < cone->n_contacts; c++, z += 2 + p->n) {
    const double *xc = x + 3 * (size_t)c, *wc = w + 3 * (size_t)c;
    z[0] = fmax(xc[0], 0);
    spread(p, xc + 1, z + 1);
    z[p->n + 1] = 0;
    for (int k = 0; k < p->n; k++)
      z[p->n + 1] = fmax(z[p->n + 1], -(p->direction[k][0] * wc[1] + p->direction[k][1] * wc[2]));
  }
  for (int i = scalars; i < scalars + cone->n_unilateral; i++) *z++ = fmax(x[i], 0);
  for (int k = 0; k < cone->n_box; k++) {
    const int i = scalars + cone->n_unilateral + k;
    z[k] = fmax(0, fmin(x[i], upper_of(cone, k)) - lower_of(cone, k));
    z[cone->n_box + k] = fmax(0, -w[i]);
  }
}

void srs_mlcp_residual(const void *data, const double *z, double *f, double *r)
{
  const srs_mlcp *m = data;
  srs_dense_multiply(m->lcp.n, m->lcp.n, m->lcp.M, m->lcp.stride, z, f);
  for (int i = 0; i < m->lcp.n; i++) {
    f[i] += m->lcp.q[i];
    r[i] = srs_penalised_fb(m->weight, z[i], f[i]);
  }
}

void srs_mlcp_jacobian(const void *data, const double *z, double *J)
{
  const srs_mlcp *m = data;
  const int n = m->lcp.n;
  const size_t stride = (size_t)m->lcp.stride;
  for (int i = 0; i < n; i++) {
    const double *row = m->lcp.M + (size_t)i * stride;
    double f, by_z, by_f;
    srs_dense_multiply(1, n, row, m->lcp.stride, z, &f);
    f += m->lcp.q[i];
    if (z[i] == 0 && f == 0) {
      double slope = 0;
      for (int j = 0; j < n; j++) {
        double other;
        if (z[j] != 0) continue;
        srs_dense_multiply(1, n, m->lcp.M + (size_t)j * stride, m->lcp.stride, z, &other);
        if (other + m->lcp.q[j] == 0) slope += row[j];
      }
      const double inverse = 1 / sqrt(1 + slope * slope);
      by_z = m->weight * (1 - inverse), by_f = m->weight * (1 - slope * inverse);
    } else {
      srs_penalised_fb_slopes(m->weight, z[i], f, &by_z, &by_f);
    }
    double *to = J + (size_t)i * stride;
    for (int j = 0; j < m->lcp.stride; j++) to[j] = by_f * row[j];
    to[i] += by_z;
  }
}

double srs_polyhedron_defect(const srs_polyhedron *p, const double x[3], const double w[3], double mu)
{
  const double n = x[0] < w[0] ? x[0] : w[0], radius = x[0] > 0 ? mu * x[0] : 0;
  const double t[2] = {x[1] - w[1], x[2] - w[2]};
  double nearest = INFINITY, defect = w[1] * w[1] + w[2] * w[2]; // inside: x_t - (x_t - w_t)
  for (int k = 0; k < p->n; k++) {                               // the side from corner k to the next
    const double *a = p->direction[k], *b = p->direction[(k + 1) % p->n];
    const double side[2] = {radius * (b[0] - a[0]), radius * (b[1] - a[1])};
    const double from[2] = {t[0] - radius * a[0], t[1] - radius * a[1]};
    if (side[0] * from[1] - side[1] * from[0] >= 0 && radius > 0) continue; // on the inner side
    const double square = side[0] * side[0] + side[1] * side[1];
    const double along = square > 0 ? srs_clamp((side[0] * from[0] + side[1] * from[1]) / square, 0, 1) : 0;
    const double d[2] = {from[0] - along * side[0], from[1] - along * side[1]};
    const double distance = d[0] * d[0] + d[1] * d[1];
    if (!(distance < nearest)) continue;
    nearest = distance;
    const double e[2] = {x[1] - (t[0] - d[0]), x[2] - (t[1] - d[1])};
    defect = e[0] * e[0] + e[1] * e[1];
  }
  return n * n + defect;
}
