// The factor of a mass matrix along its tree. Internal.
#pragma once
#include "engine/derivatives/memory.h"

/// M = L^T L in place, L lower triangular with entries only where a column's coordinate is on the way from the row's to
/// the root (Featherstone 2008, sec. 6.5). The diagonal keeps the inverses of L's.
/// @param parent  nv: the coordinate before each, -1 at a root
/// @return -1, or the coordinate whose pivot is not positive
int srs_tree_factor(int nv, const int *parent, double *M);

/// B <- M^-1 B, B of nv rows and n columns, rows first.
void srs_tree_factor_solve(int nv, const int *parent, const double *L, int n, double *B);
