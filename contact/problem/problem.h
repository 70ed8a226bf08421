// How large is a contact problem, and how well do impulses solve it? Internal.
#pragma once
#include "contact/methods/mlcp.h"
#include <sarrus/contact.h>

/// A contact's tangent rows, and e of one of them.
static inline int srs_contact_tangents(const srs_contact_problem *problem, int contact)
{
  return problem->tangents == NULL ? 2 : problem->tangents[contact];
}

static inline double srs_contact_anisotropy(const srs_contact_problem *problem, int contact, int tangent)
{
  return problem->anisotropy == NULL ? 1 : problem->anisotropy[3 * (size_t)contact + (size_t)tangent];
}

/// What a look over a problem shows.
typedef struct srs_contact_form {
  int n;         // rows
  int tangents;  // of every contact, without anisotropy; -1: they differ, or have some
  bool is_apart; // contacts are all there is, and W is zero between them
} srs_contact_form;

/// Is it a problem at all? SRS_ERROR_ARGUMENT for sizes, null pointers, negative friction, more tangents than 3,
/// anisotropy that are not above 0, bounds that do not hold zero; SRS_ERROR_NOT_FINITE for a NaN anywhere or an
/// infinity elsewhere than in bounds.
/// @param form  out: of a problem
srs_status srs_contact_problem_check(const srs_contact_problem *problem, srs_contact_form *form);

/// The form where nothing is known but the rows: true of every problem.
static inline srs_contact_form srs_contact_any_form(const srs_contact_problem *problem)
{
  return (srs_contact_form){.n = srs_contact_problem_rows(problem), .tangents = -1};
}

/// s of contact.h, for tangent rows times e: n.
void srs_contact_scales(const srs_contact_problem *problem, const srs_contact_form *form, double *scale);

/// |S b|_2, without overflow or underflow; 0 below 1e-290.
double srs_contact_size(int n, const double *b, const double *scale);

/// Fills the report's figures of merit (status, stage, iterations and rank are left alone).
/// @param size  |S b|_2, not 0
/// @param polyhedron  that `residual` is judged with; NULL: the exact cone
/// @param w     n, out: W impulse + b
void srs_contact_measure(const srs_contact_problem *problem, const srs_contact_form *form, const double *scale,
                         double size, const srs_polyhedron *polyhedron, const double *impulse, double *w,
                         srs_contact_report *report);

/// The residual that rounding alone makes of impulses as large as these.
double srs_contact_rounding(const srs_contact_problem *problem, const double *scale, double size,
                            const double *impulse);

/// The report's status, from its residual.
void srs_contact_judge(const srs_contact_problem *problem, const double *scale, double size, double tolerance,
                       const double *impulse, srs_contact_report *report);

/// Fills the error, where there is one.  @return status
srs_status srs_contact_complain(srs_error *error, srs_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
