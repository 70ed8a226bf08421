// The cone problem that the methods solve: the contact problem scaled and without its bilateral rows. Internal.
//
//   w = W x + b        x = P(x - w)        P by rows: onto the ball of radius mu x_n for a contact's tangents, onto
//                                          x >= 0 for normals and unilateral rows, onto [lower, upper] for box rows
//
// A contact has d = 0 to 5 tangents: the ball is a point, a segment, a disc, a ball of d dimensions. Anisotropy is in
// the scaling already (with lambda_t = E x_t and w_t = E v_t, E = diag(e), an ellipsoid becomes the ball). Any z stands
// for a pair x = P(-z), w = x + z, which satisfies the laws by construction (Todorov's form).
#pragma once
#include "contact/algebra/sparse.h"
#include <sarrus/contact.h>

#include <math.h>

typedef struct srs_cone_problem {
  int n, stride; // rows: contacts', n_unilateral, n_box
  int n_contacts, n_unilateral, n_box;
  const int *first;         // n_contacts + 1: each contact's first row, and where the last ends; NULL: three rows each
  double *W;                // Delassus matrix, stride x stride, rows first, diagonal about 1; NULL where only packed
  const srs_sparse *sparse; // W's pattern: a block row for each contact, then single rows; NULL: dense
  double *packed;           // W packed (contact/algebra/sparse.h), where there is a pattern
  double *b;                // stride
  const double *friction;   // n_contacts
  double *lower, *upper;    // n_box
} srs_cone_problem;

SRS_CONTACT_INLINE double srs_clamp(double x, double lower, double upper)
{
  return x < lower ? lower : x > upper ? upper : x;
}

/// A contact's first row, and its tangents. Loops pass the usual two tangents as a constant.
SRS_CONTACT_INLINE int srs_cone_first(const srs_cone_problem *problem, int contact)
{
  return problem->first == NULL ? 3 * contact : problem->first[contact];
}

SRS_CONTACT_INLINE int srs_cone_tangents(const srs_cone_problem *problem, int contact)
{
  return problem->first == NULL ? 2 : problem->first[contact + 1] - problem->first[contact] - 1;
}

/// W_ii, in the form of W that is in use.
static inline double *srs_cone_diagonal(const srs_cone_problem *problem, int row)
{
  return problem->sparse != NULL ? srs_sparse_diagonal(problem->sparse, problem->packed, row)
                                 : problem->W + (size_t)row * (size_t)(problem->stride + 1);
}

/// How many numbers W is stored in.
static inline double srs_cone_numbers(const srs_cone_problem *problem)
{
  return problem->sparse != NULL ? (double)srs_sparse_numbers(problem->sparse) : (double)problem->n * problem->n;
}

/// The first row after the contacts'.
SRS_CONTACT_INLINE int srs_cone_scalars(const srs_cone_problem *problem)
{
  return problem->n - problem->n_unilateral - problem->n_box;
}

/// |t|^2
SRS_CONTACT_INLINE double srs_square(int d, const double *t)
{
  double sum = 0;
  for (int k = 0; k < d; k++) sum += t[k] * t[k];
  return sum;
}

/// |t|
SRS_CONTACT_INLINE double srs_length(int d, const double *t) { return d == 1 ? fabs(t[0]) : sqrt(srs_square(d, t)); }

/// The squared distance of a contact's x (n and d tangents) from P_K(x - w - mu |w_t| e_n): K is the cone
/// |x_t| <= mu x_n.
SRS_CONTACT_INLINE double srs_cone_defect(int d, const double *x, const double *w, double mu)
{
  const double away = w[0] + mu * srs_length(d, w + 1), n = x[0] - away;
  double t[SRS_CONTACT_TANGENTS_MOST], defect = 0;
  for (int k = 0; k < d; k++) t[k] = x[1 + k] - w[1 + k];
  const double size = srs_length(d, t);
  if (n >= 0 && size <= mu * n) return away * away + srs_square(d, w + 1); // also where w is lost in x
  if (mu * size <= -n) return srs_square(1 + d, x);
  // p = x_n - shorter is the normal part of the point, mu p t / |t| its tangents; x cancels, so that w is not lost in
  // it
  const double beyond = size - mu * x[0], shorter = (away - mu * beyond) / (1 + mu * mu);
  const double share = size > 0 ? (beyond + mu * shorter) / size : 0;
  for (int k = 0; k < d; k++) defect += (w[1 + k] + share * t[k]) * (w[1 + k] + share * t[k]);
  return shorter * shorter + defect;
}

/// Whether a contact has more than so many rows.
bool srs_cone_is_wide(const srs_cone_problem *problem, int rows);

/// |natural map| of x, w = W x + b given.
double srs_cone_residual(const srs_cone_problem *problem, const double *x, const double *w);

/// y = W x; x padded.
void srs_cone_multiply(const srs_cone_problem *problem, const double *x, double *y);

/// Impulses above it ran away: scaled problems whose data mean anything have no answer of that size.
static const double srs_cone_most = 1e10;

/// The rounding level of x's natural map; 0 for impulses that ran away.
double srs_cone_rounding(const srs_cone_problem *problem, const double *x);

/// w = W x + b.
void srs_cone_velocity(const srs_cone_problem *problem, const double *x, double *w);
