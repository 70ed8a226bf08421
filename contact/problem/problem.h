// Is it a contact problem, and how large and how is it scaled? Internal.
#pragma once
#include <sarrus/contact.h>

/// A contact's tangent rows, and e of one of them.
static inline int srs_contact_tangents(const srs_contact_problem *problem, int contact)
{
  return problem->tangents == NULL ? 2 : problem->tangents[contact];
}

static inline double srs_contact_anisotropy(const srs_contact_problem *problem, int contact, int tangent)
{
  if (tangent >= 3) return problem->rolling == NULL ? 1 : problem->rolling[contact];
  return problem->anisotropy == NULL ? 1 : problem->anisotropy[3 * (size_t)contact + (size_t)tangent];
}

/// e of all of a contact's d tangent rows; NULL: 1 each.  @param e  room for them
static inline const double *srs_contact_anisotropies(const srs_contact_problem *problem, int contact, int d, double *e)
{
  if (d <= 3) return problem->anisotropy == NULL ? NULL : problem->anisotropy + 3 * (size_t)contact;
  for (int k = 0; k < d; k++) e[k] = srs_contact_anisotropy(problem, contact, k);
  return e;
}

/// The form of a problem, found by one pass over it.
typedef struct srs_contact_form {
  int n;         // rows
  int tangents;  // of every contact, without anisotropy; -1: they differ, or have some
  bool is_apart; // all rows are contacts', and contacts are decoupled in W
} srs_contact_form;

/// Checks a problem: SRS_ERROR_ARGUMENT for sizes, null pointers, negative friction, too many tangents,
/// anisotropy that is not above 0, bounds that exclude zero; SRS_ERROR_NOT_FINITE for a NaN anywhere or an
/// infinity elsewhere than in bounds.
/// @param form  out
srs_status srs_contact_problem_check(const srs_contact_problem *problem, srs_contact_form *form);

/// The form that holds for every problem of so many rows.
static inline srs_contact_form srs_contact_any_form(const srs_contact_problem *problem)
{
  return (srs_contact_form){.n = srs_contact_problem_rows(problem), .tangents = -1};
}

/// s of contact.h, for tangent rows times e: n.
void srs_contact_scales(const srs_contact_problem *problem, const srs_contact_form *form, double *scale);

/// The same for W's diagonal alone.
/// @param diagonal  n entries, `step` apart; with a step of 1 it may be `scale` itself
void srs_contact_scales_of(const srs_contact_problem *problem, const srs_contact_form *form, const double *diagonal,
                           size_t step, double *scale);

/// Where each contact's rows begin after the bilateral ones.
/// @param first  out: 1 + contacts
/// @return `first`, or NULL where all have three rows
const int *srs_contact_first_rows(const srs_contact_problem *problem, int *first);

/// |S b|_2, without overflow or underflow; 0 below 1e-290.
double srs_contact_size(int n, const double *b, const double *scale);

/// Fills the error unless it is NULL.  @return status
srs_status srs_contact_fail(srs_error *error, srs_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/// Of certifying impulses once, those of the bilateral rows being found from the others.
static inline double srs_measure_work(double n_rows, double n_bilateral, double rank)
{
  return 6 * n_rows * n_rows + 20 * n_bilateral * n_rows + 3 * n_bilateral * n_bilateral * (n_bilateral - rank);
}

/// The fixed part of a dense problem, a few times each: it is read, certified, its bilateral rows eliminated. Counted
/// by the time that this takes, of which multiplications are the lesser part in small problems.
/// @param unknowns  of the complementarity problem with a friction polyhedron; 0: without
static inline double srs_fixed_work(double n_rows, double n_bilateral, double unknowns)
{
  const double n = n_rows, k = n_bilateral;
  return 4e4 + 2000 * n + 60 * n * n + 4 * k * n * n + 6 * k * k * k + 4 * unknowns * unknowns;
}
