// In which units is a problem solved? The scaling. Internal.
#pragma once
#include "contact/problem/problem.h"

/// Units of impulses and velocities: powers of two near scale and size (problem.h), so that scaling
/// is exact; tangent rows times their anisotropy.
/// @param unit  n, out
void srs_scaling_make(const srs_contact_problem *problem, const double *scale, double size, double *unit,
                      double *unit_size);

/// In these units: the natural map that meets `tolerance`; |r| of contact/iterate/mncp.h that is enough for it; |r| at
/// which iterations stop at once.
typedef struct srs_scaling_tolerances {
  double answer, enough, goal;
} srs_scaling_tolerances;

srs_scaling_tolerances srs_scaling_find_tolerances(const srs_contact_problem *problem, const double *scale, double size,
                                                   const double *unit, double unit_size, double tolerance);
