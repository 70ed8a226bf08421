// Which impulses solve a contact problem with a friction polyhedron? Internal.
#pragma once
#include "contact/methods/fallback.h"
#include "contact/methods/mlcp.h"

typedef struct srs_polyhedral {
  srs_mlcp mlcp;
  srs_lemke_memory lemke;
  srs_lm_memory lm;
  double *z, *start; // of the LCP: stride each
} srs_polyhedral;

/// Starts as srs_fallback_run has them (without softening), and Lemke's answer. `minimise` NULL: Lemke alone.
/// The fallback's settings are obeyed and its results filled; `residual` there is the polyhedron's.
void srs_polyhedral_climb(srs_polyhedral *polyhedral, srs_minimiser *minimise, srs_fallback *fallback,
                          const double *warm);

/// One more time from fallback->best.
void srs_polyhedral_again(srs_polyhedral *polyhedral, srs_minimiser *minimise, srs_fallback *fallback);

/// Lemke's answer for the fallback's cone problem into x, whatever it is worth.
/// @param towards  n: each contact's first direction is that of its tangential entries; NULL: t1
/// @return pivots
int srs_polyhedral_lemke(srs_polyhedral *polyhedral, srs_fallback *fallback, const double *towards, double *x);
