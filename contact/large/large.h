// Solver of large problems, given by blocks. Internal.
#pragma once
#include "contact/algebra/budget.h"
#include "contact/large/body_newton.h"
#include "contact/large/interior_point.h"
#include "contact/large/large_dense.h"
#include "contact/large/large_polyhedral.h"

typedef struct srs_large {
  srs_interior interior; // its scale and velocity serve every method
  srs_large_cone cone;
  srs_large_dense dense;
  srs_large_polyhedral polyhedral;
  srs_body_newton body_newton; // of planar problems
  srs_allowance allowance;     // of the problem at hand
} srs_large;

/// Memory. Kept where it is enough; room for fill-in is doubled where the last problem ran out of it.
/// @return false when there is none
bool srs_large_reserve(srs_large *large, const srs_contact_sizes *sizes);
bool srs_large_has_room(const srs_large *large, const srs_contact_sizes *sizes);
void srs_large_release(srs_large *large);

/// Solves and certifies.
/// @param velocity  n, out; may be NULL
/// @return SRS_ERROR_CAPACITY where there is no room
srs_status srs_large_solve(srs_large *large, const srs_contact_problem *problem, const srs_contact_form *form,
                           const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                           srs_contact_report *report);
