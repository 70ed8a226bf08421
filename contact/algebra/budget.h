// How much work may a problem take, and how much is left? Internal.
//
// Work is counted in multiplications. Whoever does a piece (a factorisation, a sweep, a pivot) knows what it costs and
// takes that from the budget before: so nothing ever does more than its budget, on any machine. A problem's is divided:
//
//   fixed    what every problem takes: reading, scaling, eliminating, certifying
//   search   stages that look for an answer
//   held     kept for the impulses that are handed back where there is none (contact/iterate/admissible.h)
//
// Together at most what is allowed, unless that is less than the fixed part.
#pragma once
#include <math.h>
#include <stdbool.h>

/// Takes a piece from what is left. A piece larger than that ends the budget: nothing is left for smaller ones either.
/// @return whether the piece may be done
static inline bool srs_spend(double *left, double multiplications)
{
  const bool has_room = *left > multiplications;
  *left = has_room ? *left - multiplications : 0;
  return has_room;
}

static const double srs_usual_work = 1.2e10,
                    srs_descent_work = 3e7; // of a search; of the descent to impulses handed back

typedef struct srs_allowance {
  double most, fixed, held; // most: all of it
} srs_allowance;

enum { SRS_USUAL_FACTORISATIONS = 300, SRS_HELD_FACTORISATIONS = 200 };

/// @param most_work      of the options: INFINITY where these set no bound
/// @param factorisation  multiplications of one, of the Delassus matrix
/// @param usual          search where there is no bound, if 300 factorisations are less
static inline srs_allowance srs_allow(double most_work, double fixed, double factorisation, double usual)
{
  srs_allowance a = {.fixed = fixed, .held = SRS_HELD_FACTORISATIONS * factorisation + srs_descent_work};
  if (isfinite(most_work)) {
    a.most = most_work > fixed ? most_work : fixed;
    const double tenth = 0.1 * (a.most - fixed);
    if (a.held > tenth) a.held = tenth;
  } else {
    const double search = SRS_USUAL_FACTORISATIONS * factorisation;
    a.most = fixed + (usual > search ? usual : search) + a.held;
  }
  return a;
}

/// What the search may take.
static inline double srs_allowance_search(const srs_allowance *a)
{
  const double left = a->most - a->fixed - a->held;
  return left > 0 ? left : 0;
}
