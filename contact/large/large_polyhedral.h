// Large problems with a friction polyhedron: an interior point, and Newton's method. Internal.
#pragma once
#include "contact/large/large_cone.h"
#include "contact/problem/polyhedron.h"

typedef struct srs_large_polyhedral {
  int most_rows, most_nodes, n_directions, n;
  srs_large_cone *cone;
  srs_polyhedron polyhedron;
  int *first;                                               // nodes + 1: each node's first unknown
  double *share;                                            // n x 4: of an unknown in the rows of its node
  double *offset;                                           // rows: x where all unknowns are zero
  double *z, *f;                                            // unknowns and their complements
  double *y, *dz, *dy, *by_z, *by_f, *right, *trial, *best; // n each
  double *u, *v;                                            // rows each
  const double *towards;
  double own_work; // multiplications of the nodes' own elimination
  double weight;   // of Fischer-Burmeister in the penalised function
  bool is_monotone;
  int iterations; // out: adds up
  int *integers;
  double *doubles;
} srs_large_polyhedral;

/// Memory; kept where it is enough.  @return false when there is none
bool srs_large_polyhedral_reserve(srs_large_polyhedral *polyhedral, int n_rows, int n_nodes, int n_directions);
void srs_large_polyhedral_release(srs_large_polyhedral *polyhedral);

/// Takes over the cone problem of `cone`.
/// @param towards  NULL; or impulses, with which each contact's polygon is aligned
/// @return false where there is no room
bool srs_large_polyhedral_begin(srs_large_polyhedral *polyhedral, srs_large_cone *cone,
                                const srs_polyhedron *polyhedron, const double *towards);

/// By an interior point, from z = f = weight. Impulses go to cone->fallback.x.
/// @return |Fischer-Burmeister| there
double srs_large_polyhedral_interior(srs_large_polyhedral *polyhedral, bool is_near, double weight, double goal,
                                     int max_iterations);

/// By Newton's method on (penalised) Fischer-Burmeister equations, from and to the impulses in
/// cone->fallback.x.
/// @return |r| there
double srs_large_polyhedral_newton(srs_large_polyhedral *polyhedral, double goal, double enough, int max_iterations);
