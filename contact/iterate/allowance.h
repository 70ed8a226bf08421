// How much work may a problem take, and for what? Internal.
//
//   fixed    what every problem takes: reading, scaling, eliminating, certifying
//   search   stages that look for an answer
//   held     kept for the impulses that are handed back where there is none (contact/iterate/admissible.h)
//
// Together at most options->most_work, unless that is less than the fixed part.
#pragma once
#include "contact/algebra/budget.h"
#include <sarrus/contact.h>

#include <math.h>

typedef struct srs_allowance {
  double most, fixed, held; // most: all of it
} srs_allowance;

/// The fixed part of a dense problem, a few times each: it is read, certified, its bilateral rows eliminated. Counted
/// by the time that this takes, of which multiplications are the lesser part in small problems.
/// @param unknowns  of the complementarity problem with a friction polyhedron; 0: without
static inline double srs_fixed_work(double n_rows, double n_bilateral, double unknowns)
{
  const double n = n_rows, k = n_bilateral;
  return 4e4 + 2000 * n + 60 * n * n + 4 * k * n * n + 6 * k * k * k + 4 * unknowns * unknowns;
}

static const double srs_usual_work = 1e10,
                    srs_descent_work = 3e7; // of a search; of the descent to impulses handed back

enum { SRS_USUAL_FACTORISATIONS = 300, SRS_HELD_FACTORISATIONS = 200 };

/// @param most_work      of the options: INFINITY where these set no bound
/// @param factorisation  multiplications of one, of the Delassus matrix
/// @param usual          search where there is no bound, if 300 factorisations are less
static inline srs_allowance srs_allow(double most_work, double fixed, double factorisation, double usual)
{
  srs_allowance a = {.fixed = fixed, .held = SRS_HELD_FACTORISATIONS * factorisation + srs_descent_work};
  if (isfinite(most_work)) {
    a.most = fmax(most_work, fixed);
    a.held = fmin(a.held, 0.1 * (a.most - fixed));
  } else {
    a.most = fixed + fmax(usual, SRS_USUAL_FACTORISATIONS * factorisation) + a.held;
  }
  return a;
}

/// What the search may take.
static inline double srs_allowance_search(const srs_allowance *a) { return fmax(a->most - a->fixed - a->held, 0); }
