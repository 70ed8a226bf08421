// Gauss-Seidel sweeps over planar contacts, in velocities of bodies. Internal. Mathematics: body_sweeps.c.
#pragma once
#include "contact/large/interior_groups.h"
#include "contact/large/large_cone.h"

/// A problem, and memory that is someone else's.
typedef struct srs_body_sweeps {
  const srs_groups *groups; // begun with the problem's factor
  const srs_large_cone *cone;
  const int *at;      // of each row in the problem's order, which it is in the cone problem
  double *block;      // of each node in the problem's order, SRS_NODE_MOST^2: scratch
  double *x, *change; // rows, columns: scratch
} srs_body_sweeps;

/// Multiplications of a sweep.
double srs_body_sweep_work(const srs_body_sweeps *problem);

/// Solves for one contact (limit, dry friction) after another, the others fixed, forwards and backwards in turn.
/// @param x  rows in the cone problem's order, in and out: inside its cones afterwards
void srs_body_sweep(const srs_body_sweeps *problem, int sweeps, double *x);
