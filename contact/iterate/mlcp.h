// The linear complementarity problem (LCP) of a contact problem with a friction polyhedron. Internal.
#pragma once
#include "contact/direct/lemke.h"
#include "contact/problem/cone.h"
#include "contact/problem/polyhedron.h"

/// An unknown's part in x: up to two rows from `first`, with these coefficients; none for a sigma.
typedef struct srs_share {
  int first, count;
  double c[2];
} srs_share;

typedef struct srs_mlcp {
  const srs_cone_problem *cone;
  srs_polyhedron polyhedron;
  double
      *turn; // cone->n: at a contact's rows t1 and t2: cosine and sine of the angle by which its directions are turned
  srs_share *shares; // of each unknown
  srs_lcp lcp;
  double *offset; // stride of the LCP: an unknown z is >= offset
  double *q;      // stride: of the LCP in z - offset
  double weight;  // of Fischer-Burmeister in the penalised function
} srs_mlcp;

/// Unknowns of a contact with d tangents, for n directions in the plane.
int srs_mlcp_contact_unknowns(int d, int n_directions);

/// Fills mlcp->lcp (its arrays are given), the shares, offset and q from the cone problem.
void srs_mlcp_assemble(srs_mlcp *mlcp);

/// x of the unknowns, and unknowns of x (w = W x + b given).
void srs_mlcp_impulse(const srs_mlcp *mlcp, const double *z, double *x);
void srs_mlcp_unknowns_of(const srs_mlcp *mlcp, const double *x, const double *w, double *z);

/// The same LCP in z' >= 0, z = z' + offset.
srs_lcp srs_mlcp_pure(const srs_mlcp *mlcp);

/// (Penalised) Fischer-Burmeister equations of the LCP; data is a srs_mlcp. f = M z + q goes out in x.
void srs_mlcp_residual(const void *data, const double *z, double *f, double *r);
void srs_mlcp_jacobian(const void *data, const double *z, double *J);
