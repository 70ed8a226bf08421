// The nonlinear complementarity equations of a contact problem with the exact cone.
//
// Todorov's form (MJ 4.1, eqs. 49-51): an unconstrained z, for each contact a normal and d = 0 … 5 tangential numbers,
// holds impulse and velocity,
//
//   F_n = max(0, -z_n)    s = min(1, mu F_n / |z_t|)    F_t = -s z_t    v = F + z
//
// so that every z satisfies Signorini and Coulomb; the equations say that v is the velocity that F causes:
// r(z) = v - (W F + b) = 0. With D = -dF/dz the derivative is W D + I - D, and D by branches is
//
//   parted    0
//   sticking  I
//   sliding   D_nn = 1   D_tn = -mu t   D_tt = s (I - t t^T)    t = z_t / |z_t|
//
// so a column block of W D needs W_t t and with two tangents W_t u only, u across t. At kinks the formulas' branch is
// taken. Unilateral rows are normals without tangents, box rows are clamped: x = clamp(-z), D = 1
// inside, 0 outside.
#include "contact/iterate/mncp.h"

#include <string.h>

typedef enum branch { PARTED, STICKING, SLIDING } branch;

// The branch, and for a sliding contact t and s.
SRS_CONTACT_INLINE branch branch_of(int d, const double *z, double mu, double *t, double *s)
{
  if (!(z[0] < 0)) return PARTED;
  const double radius = -mu * z[0], square = srs_square(d, z + 1);
  if (square <= radius * radius) return STICKING;
  const double inverse = 1 / sqrt(square);
  for (int k = 0; k < d; k++) t[k] = z[1 + k] * inverse;
  *s = radius * inverse;
  return SLIDING;
}

SRS_CONTACT_INLINE void contact_impulse(int d, const double *z, double mu, double *x)
{
  double t[SRS_CONTACT_TANGENTS_MOST], s = 1;
  const branch where = branch_of(d, z, mu, t, &s);
  x[0] = where == PARTED ? 0 : -z[0];
  for (int k = 1; k <= d; k++) x[k] = where == PARTED ? 0 : -s * z[k];
}

void srs_mncp_impulse(const srs_cone_problem *problem, const double *z, double *x)
{
  const int scalars = srs_cone_scalars(problem), boxes = scalars + problem->n_unilateral;
  const int *first = problem->first;
  for (int c = 0; c < problem->n_contacts && first == NULL; c++)
    contact_impulse(2, z + 3 * (size_t)c, problem->friction[c], x + 3 * (size_t)c);
  for (int c = 0; c < problem->n_contacts && first != NULL; c++)
    contact_impulse(first[c + 1] - first[c] - 1, z + first[c], problem->friction[c], x + first[c]);
  for (int i = scalars; i < boxes; i++) x[i] = z[i] < 0 ? -z[i] : 0;
  for (int i = 0; i < problem->n_box; i++)
    x[boxes + i] = srs_clamp(-z[boxes + i], problem->lower[i], problem->upper[i]);
}

void srs_mncp_residual(const void *data, const double *z, double *x, double *r)
{
  const srs_cone_problem *problem = data;
  srs_mncp_impulse(problem, z, x);
  srs_cone_multiply(problem, x, r);
  for (int i = 0; i < problem->n; i++) r[i] = x[i] + z[i] - r[i] - problem->b[i];
}

// One row of W times a sliding contact's D.
SRS_CONTACT_INLINE void sliding_row(int d, const double *W, double mu, const double *t, double s, double *J)
{
  if (d == 2) {
    const double u1 = -t[1], u2 = t[0], across = s * (u1 * W[1] + u2 * W[2]);
    J[0] = W[0] - mu * t[0] * W[1] - mu * t[1] * W[2], J[1] = u1 * across, J[2] = u2 * across;
    return;
  }
  double along = 0;
  for (int k = 0; k < d; k++) along += t[k] * W[1 + k];
  J[0] = W[0] - mu * along;
  for (int k = 0; k < d; k++) J[1 + k] = s * (W[1 + k] - t[k] * along);
}

// A contact's columns of W D, `rows` of them.
SRS_CONTACT_INLINE void column_rows(int d, branch where, double mu, const double *t, double s, size_t stride, int rows,
                                    const double *W, double *J)
{
  const size_t end = 1 + (size_t)d;
  for (int i = 0; i < rows; i++, J += stride, W += stride) {
    if (where == SLIDING)
      sliding_row(d, W, mu, t, s, J);
    else
      for (size_t k = 0; k < end; k++) J[k] = where == PARTED ? 0 : W[k];
  }
}

// + I - D, on the contact's own block.
SRS_CONTACT_INLINE void add_own(int d, branch where, double mu, const double *t, double s, size_t stride, double *own)
{
  const size_t end = 1 + (size_t)d;
  if (where == PARTED) {
    for (size_t k = 0; k < end; k++) own[k * (stride + 1)] += 1;
  } else if (where == SLIDING) {
    for (size_t k = 1; k < end; k++) {
      own[k * stride] += mu * t[k - 1];
      for (size_t j = 1; j < end; j++) own[k * stride + j] += s * t[k - 1] * t[j - 1];
      own[k * (stride + 1)] += 1 - s;
    }
  }
}

// A contact's columns of W D + I - D.
SRS_CONTACT_INLINE void contact_columns(const srs_cone_problem *problem, int d, const double *z, int c, double *J)
{
  const size_t first = (size_t)srs_cone_first(problem, c), stride = (size_t)problem->stride;
  const double mu = problem->friction[c];
  double t[SRS_CONTACT_TANGENTS_MOST] = {0}, s = 0;
  const branch where = branch_of(d, z + first, mu, t, &s);
  const srs_sparse *sparse = problem->sparse;
  if (sparse == NULL) {
    column_rows(d, where, mu, t, s, stride, problem->n, problem->W + first, J + first);
    add_own(d, where, mu, t, s, stride, J + first * (stride + 1));
    return;
  }
  for (int k = sparse->start[c]; k < sparse->start[c + 1]; k++) {
    const int node = sparse->column[k], wide = sparse->wide[node];
    const size_t at = (size_t)sparse->begin[node] + (size_t)sparse->at[sparse->across[k]];
    column_rows(d, where, mu, t, s, (size_t)wide, sparse->first[node + 1] - sparse->first[node], problem->packed + at,
                J + at);
    if (node == c) add_own(d, where, mu, t, s, (size_t)wide, J + at);
  }
}

SRS_CONTACT_INLINE void scalar_column(const srs_cone_problem *problem, int i, bool is_held, double *J)
{
  const size_t stride = (size_t)problem->stride;
  const srs_sparse *s = problem->sparse;
  if (s == NULL) {
    for (size_t k = 0; k < (size_t)problem->n; k++)
      J[k * stride + (size_t)i] = is_held ? problem->W[k * stride + (size_t)i] : 0;
    if (!is_held) J[(size_t)i * (stride + 1)] += 1;
    return;
  }
  const int node = s->node[i];
  for (int k = s->start[node]; k < s->start[node + 1]; k++) {
    const int other = s->column[k], wide = s->wide[other];
    int at = s->begin[other] + s->at[s->across[k]];
    for (int row = s->first[other]; row < s->first[other + 1]; row++, at += wide)
      J[at] = is_held ? problem->packed[at] : 0;
    if (other == node && !is_held) J[at - wide] += 1;
  }
}

SRS_CONTACT_KERNEL
void srs_mncp_jacobian(const void *data, const double *z, double *J)
{
  const srs_cone_problem *problem = data;
  const int n = problem->n, scalars = srs_cone_scalars(problem), boxes = scalars + problem->n_unilateral;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int d = srs_cone_tangents(problem, c);
    if (d == 2)
      contact_columns(problem, 2, z, c, J);
    else
      contact_columns(problem, d, z, c, J);
  }
  for (int i = scalars; i < boxes; i++) scalar_column(problem, i, z[i] < 0, J);
  for (int i = boxes; i < n; i++)
    scalar_column(problem, i, -z[i] > problem->lower[i - boxes] && -z[i] < problem->upper[i - boxes], J);
  for (int k = 0; k < n && problem->sparse == NULL; k++)
    for (int i = n; i < problem->stride; i++) J[(size_t)k * (size_t)problem->stride + (size_t)i] = 0;
}

// ---- how far the branches hold ----

static const double turn_most = 0.3;

static double inner(int d, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < d; k++) sum += a[k] * b[k];
  return sum;
}

// The t in [0, 1) at which a contact's z - t step opens or closes; 1 if none.
static double opening(double z, double step) { return (z < 0) != (z - step < 0) ? fmin(z / step, 1) : 1; }

// Where it begins to slide or to stick: |z_t - t s_t|^2 = mu^2 (z_n - t s_n)^2, a t^2 - 2 h t + c = 0.
static double slipping(int d, const double *z, const double *step, double mu)
{
  const double k = mu * mu, a = srs_square(d, step + 1) - k * step[0] * step[0];
  const double h = inner(d, z + 1, step + 1) - k * z[0] * step[0], c = srs_square(d, z + 1) - k * z[0] * z[0];
  const double square = h * h - a * c;
  if (!(square >= 0)) return 1;
  const double q = h + copysign(sqrt(square), h), roots[2] = {q / a, c / q};
  double first = 1;
  for (int i = 0; i < 2; i++)
    if (roots[i] > 0 && roots[i] < first && z[0] - roots[i] * step[0] < 0) first = roots[i];
  return first;
}

// How far a sliding contact may go before its direction has turned too far.
static double turning(int d, const double *z, const double *step, double mu)
{
  const double square = srs_square(d, z + 1);
  if (!(z[0] < 0) || square <= mu * mu * z[0] * z[0]) return 1;
  const double length = sqrt(square), along = inner(d, z + 1, step + 1) / length;
  const double across = sqrt(fmax(0, srs_square(d, step + 1) - along * along));
  return turn_most * length / (across + turn_most * fmax(along, 0));
}

static double bounding(double z, double step, double bound)
{
  const double t = (z + bound) / step;
  return t > 0 && t < 1 ? t : 1;
}

double srs_mncp_share(const srs_cone_problem *cone, const double *z, const double *step)
{
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  double kink = 1, turn = 1;
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c), d = srs_cone_tangents(cone, c);
    kink = fmin(kink, fmin(opening(z[i], step[i]), slipping(d, z + i, step + i, cone->friction[c])));
    turn = fmin(turn, turning(d, z + i, step + i, cone->friction[c]));
  }
  for (int i = scalars; i < boxes; i++) kink = fmin(kink, opening(z[i], step[i]));
  for (int i = boxes; i < cone->n; i++) {
    kink = fmin(kink, bounding(z[i], step[i], cone->lower[i - boxes]));
    kink = fmin(kink, bounding(z[i], step[i], cone->upper[i - boxes]));
  }
  return kink < turn ? kink + 1e-9 * kink + 1e-12 : turn;
}
