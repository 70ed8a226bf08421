// The linear complementarity problem (LCP) of a contact problem with a friction polyhedron.
//
// MJ 3: a contact's tangential impulse is a sum over directions d_k (contact/problem/polyhedron.h), with weights beta_k
// >= 0. Unknowns of a contact (beta_n, beta_1 …, sigma), each complementary to
//
//   w_n >= 0        d_k . w_t + sigma >= 0        mu beta_n - sum_k beta_k >= 0
//
// with w = W x + b; without tangents beta_n alone. The bilateral rows are already eliminated, so no unknown here is
// free. A unilateral row is its own unknown. A box row lower <= x <= upper is x = lower + p with (p, sigma)
// complementary to
//
//   w + sigma >= 0        (upper - lower) - p >= 0
//
// where an infinite bound is replaced by 1e8 (scaled impulses are about 1).
//
// As equations: r_i = phi(z_i - offset_i, f_i), f = M z + q (contact/algebra/ncp_function.h). Where both are 0 phi has
// a kink; there its B-subdifferential has (MJ eq. 45), with y the indicator of such rows and (a, b) = (1, (M y)_i) /
// |(1, (M y)_i)|: weight ((1 - a) e_i + (1 - b) M_i).
#include "contact/iterate/mlcp.h"
#include "contact/algebra/ncp_function.h"

#include <string.h>

static const double infinite = 1e8;

int srs_mlcp_contact_unknowns(int d, int n_directions)
{
  const srs_polyhedron polyhedron = {.n = n_directions};
  return d == 0 ? 1 : 2 + srs_polyhedron_directions(&polyhedron, d);
}

// A contact's shares; returns how many.
static int share_contact(const srs_mlcp *m, int c, srs_share *shares)
{
  const int first = srs_cone_first(m->cone, c), d = srs_cone_tangents(m->cone, c);
  const double *turn = m->turn + first + 1;
  int n = 0;
  shares[n++] = (srs_share){first, 1, {1, 0}};
  if (d == 0) return n;
  for (int k = 0; k < m->polyhedron.n && d >= 2; k++) {
    const double *t = m->polyhedron.direction[k];
    shares[n++] = (srs_share){first + 1, 2, {turn[0] * t[0] - turn[1] * t[1], turn[1] * t[0] + turn[0] * t[1]}};
  }
  for (int k = srs_polyhedron_single(d); k < d; k++)
    for (int sign = 1; sign >= -1; sign -= 2) shares[n++] = (srs_share){first + 1 + k, 1, {sign, 0}};
  shares[n++] = (srs_share){0, 0, {0, 0}};
  return n;
}

static void share(srs_mlcp *m)
{
  const srs_cone_problem *cone = m->cone;
  int n = 0;
  for (int c = 0; c < cone->n_contacts; c++) n += share_contact(m, c, m->shares + n);
  for (int i = srs_cone_scalars(cone); i < cone->n; i++) m->shares[n++] = (srs_share){i, 1, {1, 0}};
  for (int k = 0; k < cone->n_box; k++) m->shares[n++] = (srs_share){0, 0, {0, 0}};
  m->lcp.n = n, m->lcp.stride = srs_dense_stride(n);
}

static double lower_of(const srs_cone_problem *cone, int i) { return fmax(cone->lower[i], -infinite); }
static double upper_of(const srs_cone_problem *cone, int i) { return fmin(cone->upper[i], infinite); }

void srs_mlcp_assemble(srs_mlcp *m)
{
  const srs_cone_problem *cone = m->cone;
  share(m);
  const int n = m->lcp.n, boxes = n - 2 * cone->n_box;
  const size_t stride = (size_t)m->lcp.stride;
  double *M = m->lcp.M, *q = m->lcp.q;
  memset(M, 0, sizeof *M * (size_t)n * stride);
  memset(q, 0, sizeof *q * stride);
  memset(m->offset, 0, sizeof *q * stride);
  for (int i = 0; i < n; i++) {
    const srs_share *a = &m->shares[i];
    for (int r = 0; r < a->count; r++) {
      const double *row = cone->W + (size_t)(a->first + r) * (size_t)cone->stride;
      q[i] += a->c[r] * cone->b[a->first + r];
      for (int j = 0; j < n; j++) {
        const srs_share *b = &m->shares[j];
        for (int s = 0; s < b->count; s++) M[(size_t)i * stride + (size_t)j] += a->c[r] * row[b->first + s] * b->c[s];
      }
    }
  }
  size_t first = 0;
  for (int c = 0; c < cone->n_contacts; c++) {
    const int d = srs_cone_tangents(cone, c);
    const size_t sigma = first + (size_t)srs_mlcp_contact_unknowns(d, m->polyhedron.n) - 1;
    if (d > 0) M[sigma * stride + first] = cone->friction[c];
    for (size_t k = first + 1; k < sigma; k++) M[k * stride + sigma] = 1, M[sigma * stride + k] = -1;
    first = sigma + 1;
  }
  for (int k = 0; k < cone->n_box; k++) {
    const size_t p = (size_t)boxes + (size_t)k, sigma = p + (size_t)cone->n_box;
    M[p * stride + sigma] = 1, M[sigma * stride + p] = -1;
    q[sigma] = upper_of(cone, k);
    m->offset[p] = lower_of(cone, k);
  }
}

srs_lcp srs_mlcp_pure(const srs_mlcp *m)
{
  srs_lcp pure = m->lcp;
  pure.q = m->q;
  srs_dense_multiply(m->lcp.n, m->lcp.n, m->lcp.M, m->lcp.stride, m->offset, m->q);
  for (int i = 0; i < m->lcp.n; i++) m->q[i] += m->lcp.q[i];
  return pure;
}

void srs_mlcp_impulse(const srs_mlcp *m, const double *z, double *x)
{
  const srs_cone_problem *cone = m->cone;
  for (int i = 0; i < cone->n; i++) x[i] = 0;
  for (int i = 0; i < m->lcp.n; i++) {
    const srs_share *a = &m->shares[i];
    for (int r = 0; r < a->count; r++) x[a->first + r] += a->c[r] * z[i];
  }
}

void srs_mlcp_unknowns_of(const srs_mlcp *m, const double *x, const double *w, double *z)
{
  const srs_cone_problem *cone = m->cone;
  const srs_polyhedron *p = &m->polyhedron;
  for (int c = 0; c < cone->n_contacts; c++) {
    const int first = srs_cone_first(cone, c), d = srs_cone_tangents(cone, c), n = srs_polyhedron_directions(p, d);
    *z++ = fmax(x[first], 0);
    if (d == 0) continue;
    srs_polyhedron_spread(p, d, x + first + 1, z);
    z[n] = srs_polyhedron_slip(p, d, w + first + 1);
    z += n + 1;
  }
  const int scalars = srs_cone_scalars(cone);
  for (int i = scalars; i < scalars + cone->n_unilateral; i++) *z++ = fmax(x[i], 0);
  for (int k = 0; k < cone->n_box; k++) {
    const int i = scalars + cone->n_unilateral + k;
    z[k] = srs_clamp(x[i], lower_of(cone, k), upper_of(cone, k));
    z[cone->n_box + k] = fmax(0, -w[i]);
  }
}

void srs_mlcp_residual(const void *data, const double *z, double *f, double *r)
{
  const srs_mlcp *m = data;
  srs_dense_multiply(m->lcp.n, m->lcp.n, m->lcp.M, m->lcp.stride, z, f);
  for (int i = 0; i < m->lcp.n; i++) {
    f[i] += m->lcp.q[i];
    r[i] = srs_penalised_fb(m->weight, z[i] - m->offset[i], f[i]);
  }
}

void srs_mlcp_jacobian(const void *data, const double *z, double *J)
{
  const srs_mlcp *m = data;
  const int n = m->lcp.n;
  const size_t stride = (size_t)m->lcp.stride;
  for (int i = 0; i < n; i++) {
    const double *row = m->lcp.M + (size_t)i * stride;
    const double above = z[i] - m->offset[i];
    double f, by_z, by_f;
    srs_dense_multiply(1, n, row, m->lcp.stride, z, &f);
    f += m->lcp.q[i];
    if (above == 0 && f == 0) {
      double slope = 0;
      for (int j = 0; j < n; j++) {
        double other;
        if (z[j] != m->offset[j]) continue;
        srs_dense_multiply(1, n, m->lcp.M + (size_t)j * stride, m->lcp.stride, z, &other);
        if (other + m->lcp.q[j] == 0) slope += row[j];
      }
      const double inverse = 1 / sqrt(1 + slope * slope);
      by_z = m->weight * (1 - inverse), by_f = m->weight * (1 - slope * inverse);
    } else {
      srs_penalised_fb_slopes(m->weight, above, f, &by_z, &by_f);
    }
    double *to = J + (size_t)i * stride;
    for (int j = 0; j < m->lcp.stride; j++) to[j] = by_f * row[j];
    to[i] += by_z;
  }
}
