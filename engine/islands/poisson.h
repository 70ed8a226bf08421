// The second phase of an impact by Poisson's law of restitution. Internal.
#pragma once
#include <sarrus/contact.h>

/// The second phase's problem, in the caller's memory: its row i stands for row source[i] of the first phase.
typedef struct srs_poisson {
  srs_contact_problem problem;
  double *W, *b, *friction, *anisotropy, *rolling, *lower, *upper; // of `problem`
  double *given;              // rows of the first phase: given normal impulse, N s; 0: none
  double *impulse, *velocity; // of `problem`: for the solver
  int *source;
  unsigned char *tangents; // of `problem`
} srs_poisson;

/// Finds the given impulses, and lays out the memory.
/// @param first        the first phase's problem, solved with e = 0
/// @param impulse      its answer, n; velocity: W impulse + b, n
/// @param restitution  n_contacts: e of the contacts that bounce, 0 of others
/// @return false when no impulse is given: then there is no second phase
bool srs_poisson_begin(const srs_contact_problem *first, const double *impulse, const double *velocity,
                       const double *restitution, double *doubles, int *ints, srs_poisson *poisson);

/// Makes the problem.  @param may_push  contacts with a given impulse may push more than that (then each of their rows
/// is in the problem twice)
void srs_poisson_make(const srs_contact_problem *first, const double *impulse, const double *velocity, bool may_push,
                      srs_poisson *poisson);

/// Adds the second phase's answer to the impulses of the first phase's rows.
void srs_poisson_add(const srs_poisson *poisson, double *impulse);

/// Whether a contact with a given impulse still closes: velocity W impulse + b is negative beyond rounding.
bool srs_poisson_is_pressed(const srs_contact_problem *first, const srs_poisson *poisson, const double *impulse);
