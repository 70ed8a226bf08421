// Which impulses solve a large problem, given by blocks? Internal.
#pragma once
#include "contact/interior_point.h"
#include "contact/problem.h"

/// Solvers `relaxed` and `relaxed-fixed-point`; certified as every answer is.
/// @param velocity  n, out; may be NULL
/// @return SRS_ERROR_CAPACITY where there is no room, SRS_ERROR_UNSUPPORTED for other solvers
srs_status srs_large_solve(srs_interior *interior, const srs_contact_problem *problem, const srs_contact_form *form,
                           const srs_contact_options *options, double *impulse, double *velocity,
                           srs_contact_report *report);
