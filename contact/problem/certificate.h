// How well do impulses solve a contact problem? The certificate. Internal.
#pragma once
#include "contact/problem/polyhedron.h"
#include "contact/problem/problem.h"

/// Fills the report's residuals and violations; status, stage, iterations and rank are left alone.
/// @param size  |S b|_2, not 0
/// @param polyhedron  for `residual`; NULL: the exact cone
/// @param w     n, out: W impulse + b
void srs_contact_measure(const srs_contact_problem *problem, const srs_contact_form *form, const double *scale,
                         double size, const srs_polyhedron *polyhedron, const double *impulse, double *w,
                         srs_contact_report *report);

/// The same where w is known: W, or its blocks, may be left out.
void srs_contact_measure_velocities(const srs_contact_problem *problem, const srs_contact_form *form,
                                    const double *scale, double size, const srs_polyhedron *polyhedron,
                                    const double *impulse, const double *w, srs_contact_report *report);

/// Whether impulses, velocities and the residual that were measured are finite.
bool srs_contact_is_finite(int n, const double *impulse, const double *w, const srs_contact_report *report);

/// False only where they are: the energy sums up their products.
static inline bool srs_contact_may_overflow(const srs_contact_report *report)
{
  return report->status == SRS_CONTACT_UNSOLVED || 0 * report->energy != 0;
}

/// The residual that rounding alone causes with impulses of this size, at most 1e-6; 0 where impulses are so large that
/// they ran away.
double srs_contact_rounding(const srs_contact_problem *problem, const double *scale, double size,
                            const double *impulse);

/// Nothing measured yet.
void srs_contact_report_clear(srs_contact_report *report);

/// The report's status, from its residual.
void srs_contact_set_status(const srs_contact_problem *problem, const double *scale, double size, double tolerance,
                            const double *impulse, srs_contact_report *report);
