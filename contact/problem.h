// How large is a contact problem, and how well do impulses solve it? Internal.
#pragma once
#include "contact/mlcp.h"
#include <sarrus/contact.h>

/// Is it a problem at all? SRS_ERROR_ARGUMENT for sizes, null pointers, negative friction, bounds that do not hold
/// zero; SRS_ERROR_NOT_FINITE for a NaN anywhere or an infinity elsewhere than in bounds.
srs_status srs_contact_problem_check(const srs_contact_problem *problem);

/// s of contact.h: n.
void srs_contact_scales(const srs_contact_problem *problem, double *scale);

/// |S b|_2, without overflow or underflow.
double srs_contact_size(const srs_contact_problem *problem, const double *scale);

/// Fills the report's figures of merit (status, rung, iterations and rank are left alone).
/// @param size  |S b|_2, not 0
/// @param polyhedron  that `residual` is judged with; NULL: the exact cone
/// @param w     n, out: W impulse + b
void srs_contact_measure(const srs_contact_problem *problem, const double *scale, double size,
                         const srs_polyhedron *polyhedron, const double *impulse, double *w,
                         srs_contact_report *report);

/// The residual that rounding alone makes of impulses as large as these.
double srs_contact_rounding(const srs_contact_problem *problem, const double *scale, double size,
                            const double *impulse);
