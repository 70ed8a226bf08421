// Which impulses are handed back where no answer was found? Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/problem/polyhedron.h"

/// The residual of the whole problem's certificate for impulses x of the cone problem.
typedef double srs_admissible_measure(void *data, const double *x);

typedef struct srs_admissible {
  srs_fallback *fallback;           // its cone problem and x, w; the result goes to best, best_residual
  const srs_polyhedron *polyhedron; // of the friction; NULL: the exact cone
  srs_admissible_measure *measure;
  void *data;
  double work;  // multiplications of `measure`
  double none;  // residual of no impulses
  double merit; // of the best: less is better
  double usual; // size of impulses that the data can mean
} srs_admissible;

/// Which size of impulses, over |b|, both scaled, the data can mean: a body of a thousandth of the others' mass needs a
/// thousand times the impulse. That is 1 over the least pivot of W, at least 1. Needs lm.gram and z.
double srs_admissible_size(srs_fallback *fallback);

/// No impulses are the best so far.
void srs_admissible_begin(srs_admissible *admissible);

/// Keeps x, n of the cone problem, moved to where it is admissible, if it is the best; x may be the fallback's x, not
/// its best.
void srs_admissible_offer(srs_admissible *admissible, const double *x);

/// Offers a few sweeps over the contacts.
void srs_admissible_sweep(srs_admissible *admissible);

/// Offers what is near the best, until that is nearly the best of its surroundings; needs good, swept and z.
void srs_admissible_descend(srs_admissible *admissible);

/// Offers the answers of softened problems; needs the whole memory of the fallback.
void srs_admissible_soften(srs_admissible *admissible);
