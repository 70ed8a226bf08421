// Solver of contact problems with a friction polyhedron. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/iterate/mlcp.h"

typedef struct srs_polyhedral {
  srs_mlcp mlcp;
  srs_lemke_memory lemke;
  srs_lm_memory lm;
  double *z; // stride of the LCP
} srs_polyhedral;

/// Tries the starts of srs_fallback_run (without softening), then Lemke's pivoting. `minimise` NULL: Lemke alone.
/// Uses the fallback's settings and fills its results; `best_residual` there is the polyhedron's.
void srs_polyhedral_run(srs_polyhedral *polyhedral, srs_minimiser *minimise, srs_fallback *fallback,
                        const double *warm);

/// Once more from fallback->best.
void srs_polyhedral_again(srs_polyhedral *polyhedral, srs_minimiser *minimise, srs_fallback *fallback);

/// Lemke's solution of the fallback's cone problem into x, unchecked.
/// @param towards  n: each contact's first direction is that of its tangential entries; NULL: t1
/// @return pivots
int srs_polyhedral_lemke(srs_polyhedral *polyhedral, srs_fallback *fallback, const double *towards, double *x);
