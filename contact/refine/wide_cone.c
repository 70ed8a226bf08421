// The equations of the exact cone (contact/iterate/mncp.c) in long double, in any units.
//
// With T = diag(scale), one number for each contact, the problem
//
//   w' = T W T x' + T b      x = T x'    w' = T w
//
// has the same answers, but z' = w' - x' measures impulses and velocities by other units. Every iteration on z' depends
// on them: they say what a small change of a contact is. Where every impulse is large beside the velocities that
// tell sticking from sliding (contacts that hold each other, a light body under a heavy one), units in which both are
// alike keep those velocities from being lost. Long double, because the condition number of J = W' D + I - D grows
// with them.
#include "contact/refine/wide_cone.h"

#include <string.h>

// -dx/dz of a contact: d + 1 rows and columns; x as well.
static void contact_law(int d, const srs_wide *z, srs_wide mu, srs_wide *x, srs_wide D[4][4])
{
  memset(D, 0, 16 * sizeof D[0][0]);
  for (int k = 0; k <= d; k++) x[k] = 0;
  if (!(z[0] < 0)) return; // parted
  srs_wide square = 0, s = 1;
  for (int k = 1; k <= d; k++) square += z[k] * z[k];
  const srs_wide radius = -mu * z[0], length = sqrtl(square);
  const bool slides = square > radius * radius;
  if (slides) s = radius / length;
  x[0] = -z[0], D[0][0] = 1;
  for (int k = 1; k <= d; k++) {
    x[k] = -s * z[k];
    D[k][k] = s;
    if (!slides) continue;
    D[k][0] = -mu * z[k] / length;
    for (int j = 1; j <= d; j++) D[k][j] -= s * z[k] / length * (z[j] / length);
  }
}

// The same of any other row; bounds in the units of x.
static void row_law(srs_wide z, srs_wide lower, srs_wide upper, srs_wide *x, srs_wide *D)
{
  *D = -z > lower && -z < upper;
  *x = -z < lower ? lower : -z > upper ? upper : -z;
}

static void other_row(const srs_wide_cone *c, int i, srs_wide z, srs_wide *x, srs_wide *D)
{
  const srs_cone_problem *p = c->problem;
  const int box = i - srs_cone_scalars(p) - p->n_unilateral;
  const srs_wide lower = box < 0 ? 0 : p->lower[box], upper = box < 0 ? (srs_wide)INFINITY : p->upper[box];
  row_law(z, lower / c->scale[i], upper / c->scale[i], x, D);
}

void srs_wide_impulse(const srs_wide_cone *c, const srs_wide *z, srs_wide *x)
{
  const srs_cone_problem *p = c->problem;
  srs_wide D[4][4];
  for (int k = 0; k < p->n_contacts; k++) {
    const int i = srs_cone_first(p, k);
    contact_law(srs_cone_tangents(p, k), z + i, p->friction[k], x + i, D);
  }
  for (int i = srs_cone_scalars(p); i < p->n; i++) other_row(c, i, z[i], x + i, &D[0][0]);
}

srs_wide srs_wide_residual(const srs_wide_cone *c, const srs_wide *z, srs_wide *x, srs_wide *r)
{
  const srs_cone_problem *p = c->problem;
  srs_wide square = 0;
  srs_wide_impulse(c, z, x);
  for (int j = 0; j < p->n; j++) r[j] = c->scale[j] * x[j]; // the impulses in the problem's units, for now in r
  for (int i = 0; i < p->n; i++) {
    const double *row = p->W + (size_t)i * (size_t)p->stride;
    srs_wide w = p->b[i];
    for (int j = 0; j < p->n; j++) w += row[j] * (c->scale[j] * x[j]);
    w = c->scale[i] * w + c->softness * (x[i] - (c->centre == NULL ? 0 : c->centre[i]));
    r[i] = x[i] + z[i] - w;
    square += r[i] * r[i];
  }
  return sqrtl(square);
}

// The columns of one contact or row, from `first`: (W' + softness) D + I - D.
static void columns(const srs_wide_cone *c, int first, int width, srs_wide D[4][4], srs_wide *J)
{
  const srs_cone_problem *p = c->problem;
  const size_t n = (size_t)p->n;
  for (int i = 0; i < p->n; i++) {
    const double *row = p->W + (size_t)i * (size_t)p->stride + first;
    srs_wide *at = J + (size_t)i * n + first;
    for (int k = 0; k < width; k++) {
      srs_wide sum = 0;
      for (int m = 0; m < width; m++) sum += row[m] * D[m][k];
      at[k] = c->scale[i] * c->scale[first] * sum;
    }
  }
  for (int m = 0; m < width; m++)
    for (int k = 0; k < width; k++)
      J[(size_t)(first + m) * n + (size_t)(first + k)] += (m == k) - (1 - (srs_wide)c->softness) * D[m][k];
}

void srs_wide_jacobian(const srs_wide_cone *c, const srs_wide *z, srs_wide *J)
{
  const srs_cone_problem *p = c->problem;
  srs_wide D[4][4], x[4];
  for (int k = 0; k < p->n_contacts; k++) {
    const int i = srs_cone_first(p, k), d = srs_cone_tangents(p, k);
    contact_law(d, z + i, p->friction[k], x, D);
    columns(c, i, d + 1, D, J);
  }
  for (int i = srs_cone_scalars(p); i < p->n; i++) {
    other_row(c, i, z[i], x, &D[0][0]);
    columns(c, i, 1, D, J);
  }
}

bool srs_wide_divide(int n, srs_wide *J, srs_wide *step)
{
  const size_t stride = (size_t)n;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabsl(J[(size_t)i * stride + (size_t)k]) > fabsl(J[(size_t)best * stride + (size_t)k])) best = i;
    srs_wide *row = J + (size_t)k * stride, *other = J + (size_t)best * stride;
    for (int j = k; j < n && best != k; j++) {
      const srs_wide kept = row[j];
      row[j] = other[j], other[j] = kept;
    }
    const srs_wide kept = step[k];
    step[k] = step[best], step[best] = kept;
    if (!(fabsl(row[k]) > 0)) return false;
    for (int i = k + 1; i < n; i++) {
      srs_wide *below = J + (size_t)i * stride;
      const srs_wide factor = below[k] / row[k];
      if (factor == 0) continue;
      for (int j = k + 1; j < n; j++) below[j] -= factor * row[j];
      step[i] -= factor * step[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    const srs_wide *row = J + (size_t)i * stride;
    for (int j = i + 1; j < n; j++) step[i] -= row[j] * step[j];
    step[i] /= row[i];
  }
  return true;
}

static srs_wide row_velocity(const srs_cone_problem *p, int i, const double *x)
{
  srs_wide w = p->b[i];
  for (int j = 0; j < p->n; j++) w += (srs_wide)p->W[(size_t)i * (size_t)p->stride + (size_t)j] * x[j];
  return w;
}

double srs_wide_defect(const srs_cone_problem *p, const double *x)
{
  double square = 0;
  for (int k = 0; k < p->n_contacts; k++) {
    const int first = srs_cone_first(p, k), d = srs_cone_tangents(p, k);
    double w[4];
    for (int i = 0; i <= d; i++) w[i] = (double)row_velocity(p, first + i, x);
    square += srs_cone_defect(d, x + first, w, p->friction[k]);
  }
  for (int i = srs_cone_scalars(p); i < p->n; i++) {
    const int box = i - srs_cone_scalars(p) - p->n_unilateral;
    const double lower = box < 0 ? 0 : p->lower[box], upper = box < 0 ? INFINITY : p->upper[box];
    const double defect = srs_clamp((double)row_velocity(p, i, x), x[i] - upper, x[i] - lower);
    square += defect * defect;
  }
  return sqrt(square);
}
