// What does the solver itself see? The contact problem scaled and without its bilateral rows, and the laws of its rows.
// Internal.
//
//   w = W x + b        x = P(x - w)        P by rows: onto the disc of radius mu x_n for a contact's tangents, onto
//                                          x >= 0 for normals and unilateral rows, onto [lower, upper] for box rows
//
// Any z stands for a pair with x = P(-z), w = x + z, which obeys the laws by construction (Todorov's form).
#pragma once
#include "contact/dense.h"

#include <math.h>

typedef struct srs_cone_problem {
  int n, stride; // rows: 3 n_contacts + n_unilateral + n_box
  int n_contacts, n_unilateral, n_box;
  double *W;              // stride x stride, rows first, diagonal about 1
  double *b;              // stride
  const double *friction; // n_contacts
  double *lower, *upper;  // n_box
} srs_cone_problem;

SRS_CONTACT_INLINE double srs_clamp(double x, double lower, double upper)
{
  return x < lower ? lower : x > upper ? upper : x;
}

/// The squared distance of a contact's x from P_K(x - w - mu |w_t| e_n): K is the cone |x_t| <= mu x_n.
SRS_CONTACT_INLINE double srs_cone_defect(const double x[3], const double w[3], double mu)
{
  const double n = x[0] - w[0] - mu * sqrt(w[1] * w[1] + w[2] * w[2]);
  const double t1 = x[1] - w[1], t2 = x[2] - w[2], t = sqrt(t1 * t1 + t2 * t2);
  double dn, d1, d2;
  if (t <= mu * n) {
    dn = x[0] - n, d1 = w[1], d2 = w[2];
  } else if (mu * t <= -n) {
    dn = x[0], d1 = x[1], d2 = x[2];
  } else {
    const double p = (n + mu * t) / (1 + mu * mu), s = mu * p / t;
    dn = x[0] - p, d1 = x[1] - s * t1, d2 = x[2] - s * t2;
  }
  return dn * dn + d1 * d1 + d2 * d2;
}

/// |natural map| of x, w = W x + b given.
double srs_cone_residual(const srs_cone_problem *problem, const double *x, const double *w);

/// w = W x + b.
void srs_cone_velocity(const srs_cone_problem *problem, const double *x, double *w);
