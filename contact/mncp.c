// Which equations say that a contact problem with the exact cone is solved?
//
// Todorov's form (MJ 4.1, eqs. 49-51): an unconstrained z of three numbers for each contact holds impulse and velocity,
//
//   F_n = max(0, -z_n)    s = min(1, mu F_n / |z_t|)    F_t = -s z_t    v = F + z
//
// and every z obeys Signorini and Coulomb; what is left to ask is that v is the velocity that F causes:
// r(z) = v - (W F + b) = 0. With D = -dF/dz the derivative is W D + I - D, and D by branches is
//
//   parted    0
//   sticking  I
//   sliding   D_nn = 1   D_tn = -mu t   D_tt = s (I - t t^T)    t = z_t / |z_t|
//
// so a column block of W D needs W_t t and W_t u only, u across t. At kinks the branch that the formulas give is taken.
// Unilateral rows are normals without tangents, box rows are clamped: x = clamp(-z), D = 1 inside, 0 outside.
#include "contact/mncp.h"

#include <string.h>

typedef enum branch { PARTED, STICKING, SLIDING } branch;

// The branch, and for a sliding contact t and s.
SRS_CONTACT_INLINE branch branch_of(const double z[3], double mu, double t[2], double *s)
{
  if (!(z[0] < 0)) return PARTED;
  const double radius = -mu * z[0], square = z[1] * z[1] + z[2] * z[2];
  if (square <= radius * radius) return STICKING;
  const double inverse = 1 / sqrt(square);
  t[0] = z[1] * inverse, t[1] = z[2] * inverse, *s = radius * inverse;
  return SLIDING;
}

SRS_CONTACT_INLINE void contact_impulse(const double z[3], double mu, double x[3])
{
  double t[2], s = 1;
  const branch where = branch_of(z, mu, t, &s);
  x[0] = where == PARTED ? 0 : -z[0];
  x[1] = where == PARTED ? 0 : -s * z[1];
  x[2] = where == PARTED ? 0 : -s * z[2];
}

void srs_mncp_impulse(const srs_cone_problem *problem, const double *z, double *x)
{
  const int n_contacts = problem->n_contacts, scalars = 3 * n_contacts, boxes = scalars + problem->n_unilateral;
  for (int c = 0; c < n_contacts; c++) contact_impulse(z + 3 * (size_t)c, problem->friction[c], x + 3 * (size_t)c);
  for (int i = scalars; i < boxes; i++) x[i] = z[i] < 0 ? -z[i] : 0;
  for (int i = 0; i < problem->n_box; i++)
    x[boxes + i] = srs_clamp(-z[boxes + i], problem->lower[i], problem->upper[i]);
}

void srs_mncp_residual(const void *data, const double *z, double *x, double *r)
{
  const srs_cone_problem *problem = data;
  srs_mncp_impulse(problem, z, x);
  srs_dense_multiply(problem->n, problem->n, problem->W, problem->stride, x, r);
  for (int i = 0; i < problem->n; i++) r[i] = x[i] + z[i] - r[i] - problem->b[i];
}

// One contact's three columns of W D + I - D.
SRS_CONTACT_INLINE void contact_columns(const srs_cone_problem *problem, const double *z, int c, double *J)
{
  const size_t first = 3 * (size_t)c, stride = (size_t)problem->stride;
  const double mu = problem->friction[c];
  const double *W = problem->W + first;
  double t[2] = {0, 0}, s = 0;
  const branch where = branch_of(z + first, mu, t, &s);
  J += first;
  const int n = problem->n;
  if (where == PARTED) {
    for (int i = 0; i < n; i++, J += stride) J[0] = J[1] = J[2] = 0;
  } else if (where == STICKING) {
    for (int i = 0; i < n; i++, J += stride, W += stride) J[0] = W[0], J[1] = W[1], J[2] = W[2];
  } else {
    const double m1 = -mu * t[0], m2 = -mu * t[1], u1 = -t[1], u2 = t[0], s1 = s * u1, s2 = s * u2;
    for (int i = 0; i < n; i++, J += stride, W += stride) {
      const double across = u1 * W[1] + u2 * W[2];
      J[0] = W[0] + m1 * W[1] + m2 * W[2], J[1] = s1 * across, J[2] = s2 * across;
    }
  }
  J += first * stride - (size_t)n * stride; // the contact's own rows: + I - D
  if (where == PARTED) {
    J[0] += 1, J[stride + 1] += 1, J[2 * stride + 2] += 1;
  } else if (where == SLIDING) {
    J[stride] += mu * t[0], J[2 * stride] += mu * t[1];
    J[stride + 1] += 1 - s * t[1] * t[1], J[2 * stride + 2] += 1 - s * t[0] * t[0];
    J[stride + 2] += s * t[0] * t[1], J[2 * stride + 1] += s * t[0] * t[1];
  }
}

SRS_CONTACT_INLINE void scalar_column(const srs_cone_problem *problem, int i, bool is_held, double *J)
{
  const size_t stride = (size_t)problem->stride;
  const double *W = problem->W + i;
  double *column = J + i;
  for (int k = 0; k < problem->n; k++, column += stride, W += stride) *column = is_held ? *W : 0;
  if (!is_held) J[(size_t)i * (stride + 1)] += 1;
}

SRS_CONTACT_KERNEL
void srs_mncp_jacobian(const void *data, const double *z, double *J)
{
  const srs_cone_problem *problem = data;
  const int n = problem->n, scalars = 3 * problem->n_contacts, boxes = scalars + problem->n_unilateral;
  for (int c = 0; c < problem->n_contacts; c++) contact_columns(problem, z, c, J);
  for (int i = scalars; i < boxes; i++) scalar_column(problem, i, z[i] < 0, J);
  for (int i = boxes; i < n; i++)
    scalar_column(problem, i, -z[i] > problem->lower[i - boxes] && -z[i] < problem->upper[i - boxes], J);
  for (int k = 0; k < n; k++)
    for (int i = n; i < problem->stride; i++) J[(size_t)k * (size_t)problem->stride + (size_t)i] = 0;
}
