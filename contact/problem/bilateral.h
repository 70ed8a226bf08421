// What remains of a contact problem when the bilateral rows are eliminated? Internal.
#pragma once
#include "contact/problem/cone.h"
#include "contact/problem/problem.h"

typedef struct srs_bilateral {
  int n, rank, stride; // bilateral rows, the independent ones among them
  double *U;           // stride x stride: the factor (semidefinite.h)
  int *row;            // n: rows in pivot order, the first `rank` independent
  const double *scale; // of the rows
  double *impulse;     // stride: scaled
  double *y, *w, *c;   // stride of as many as the problem has rows: scratch
  double least_pivot;  // of the independent ones, the diagonal being 1; 1 where there are none
  double least_own;    // likewise in the rows' own units, and the row that has it, -1 where there is none
  int weakest;
} srs_bilateral;

/// The scaled problem without its bilateral rows. scale, size: of problem.h. work: n_bilateral x cone stride.
void srs_bilateral_eliminate(const srs_contact_problem *problem, const double *scale, double size,
                             srs_bilateral *bilateral, srs_cone_problem *cone, double *work);

/// The bilateral rows' impulses for the other rows' x, of least norm (unscaled). N, square: bilateral stride squared.
void srs_bilateral_recover(const srs_contact_problem *problem, const double *scale, double size,
                           srs_bilateral *bilateral, const double *x, double *N, double *square);
