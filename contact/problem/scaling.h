// In which units is a problem solved? Internal.
#pragma once
#include "contact/problem/problem.h"

/// Units of impulses and velocities: powers of two near scale and size (problem.h), so that what is solved is the
/// problem to the last bit; tangent rows times their anisotropy.
/// @param unit  n, out
void srs_scaling_make(const srs_contact_problem *problem, const double *scale, double size, double *unit,
                      double *unit_size);

/// The natural map in these units that makes an answer to `tolerance`, |r| of contact/methods/mncp.h that is good
/// enough for one, |r| where to stop at once.
typedef struct srs_scaling_goals {
  double answer, enough, goal;
} srs_scaling_goals;

srs_scaling_goals srs_scaling_find_goals(const srs_contact_problem *problem, const double *scale, double size,
                                         const double *unit, double unit_size, double tolerance);
