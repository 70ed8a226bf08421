// Newton's method on softened problems, and steps for smoothed contacts, by bodies. Internal. Mathematics:
// body_newton.c.
#pragma once
#include "contact/large/body_sweeps.h"
#include "contact/large/interior_groups.h"
#include "contact/large/large_cone.h"
#include "contact/planar/planar.h"
#include "contact/smooth/smooth_newton.h"

typedef struct srs_body_newton {
  int most_rows, most_nodes, most_columns;
  srs_large_cone *cone;
  srs_groups *groups;
  // In the problem's order: each node's first row of those that are kept; of each row, which it is in the problem, and
  // in the cone problem. In the cone problem's: the mode, at the first row of each node.
  int *row, *kept, *at, *mode;
  double *H;                // of each node
  double *law;              // of each node of the cone problem
  double *r, *dx, *own;     // rows
  double *velocity;         // columns
  srs_planar_newton planar; // solve, sweeps, and factors for paths
  srs_smooth_solver smooth; // of problems without bilateral rows, in space too
  srs_body_sweeps sweeps;   // in the memory of steps
  double rho;               // of the factored matrix
  double work;              // multiplications of a step
  int *integers;
  double *doubles;
} srs_body_newton;

bool srs_body_newton_reserve(srs_body_newton *newton, int n_rows, int n_nodes, int n_columns);
void srs_body_newton_release(srs_body_newton *newton);

/// Takes over the problem of a cone.
/// @param groups  its memory; the problem's factor is in it from here on
/// @return false where the matrix has no factor or there is no room
bool srs_body_newton_begin(srs_body_newton *newton, srs_groups *groups, srs_large_cone *cone);

/// A step dz, from z to z - dz, by the last factors.
/// @param r  rows of the cone problem, in: r(z); out: dz
void srs_body_newton_divide(const srs_body_newton *newton, double *r);

/// The factors at z of a problem softened by rho, in space too. Mathematics: body_points.c.
bool srs_body_points_factor(srs_body_newton *newton, double rho, const double *z);

/// Proximal points from impulses, which are kept as the cone's fallback keeps its best.
/// @param data   a srs_body_newton
/// @param begun  rho of the first
/// @return whether they lead to an answer
bool srs_body_points_search(void *data, double begun, const double *impulses);
