// Which linear complementarity problem is a contact problem with a friction polyhedron? Internal.
#pragma once
#include "contact/cone.h"
#include "contact/lemke.h"

enum { SRS_POLYHEDRON_MOST = 64 };

/// Unit directions in the tangent plane, at equal angles, each with its opposite.
typedef struct srs_polyhedron {
  int n; // even
  double direction[SRS_POLYHEDRON_MOST][2];
} srs_polyhedron;

typedef struct srs_mlcp {
  const srs_cone_problem *cone;
  srs_polyhedron polyhedron;
  double *turn; // n_contacts x 2: cosine and sine of the angle by which a contact's directions are turned
  srs_lcp lcp;
  double weight; // of Fischer-Burmeister in the penalised function
} srs_mlcp;

/// n directions, the first `angle` counter-clockwise of t1.
void srs_polyhedron_make(int n, double angle, srs_polyhedron *polyhedron);

/// Unknowns for so many rows.
int srs_mlcp_unknowns(int n_contacts, int n_unilateral, int n_box, int n_directions);

/// Fills mlcp->lcp (its arrays are given) from the cone problem.
void srs_mlcp_assemble(srs_mlcp *mlcp);

/// x of the unknowns, and unknowns of x (w = W x + b given).
void srs_mlcp_impulse(const srs_mlcp *mlcp, const double *z, double *x);
void srs_mlcp_unknowns_of(const srs_mlcp *mlcp, const double *x, const double *w, double *z);

/// (Penalised) Fischer-Burmeister equations of the LCP; data is a srs_mlcp. f = M z + q goes out in x.
void srs_mlcp_residual(const void *data, const double *z, double *f, double *r);
void srs_mlcp_jacobian(const void *data, const double *z, double *J);

/// The squared distance of a contact's x from where the projections put it, with the polyhedron for a cone: x_n from
/// max(0, x_n - w_n), x_t from the nearest point to x_t - w_t of the polygon with corners mu x_n d_k.
double srs_polyhedron_defect(const srs_polyhedron *polyhedron, const double x[3], const double w[3], double mu);
