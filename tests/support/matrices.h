// Matrices of a mechanism by explicit algebra (LAPACK), to compare with.
#pragma once
#include "support/testing.h"

/// J M^-1 J^T from srs_frame_jacobian and the Cholesky factors of srs_mass_matrix.
/// @param delassus  n_rows x n_rows, out
void testing_delassus(srs_workspace *workspace, const double *q, const srs_constraint_frame *frames, int n_frames,
                      int n_rows, double *delassus);

/// C = A B of n x n matrices, rows first.
void testing_product(int n, const double *A, const double *B, double *C);
