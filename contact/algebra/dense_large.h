// How are large dense systems factored? Called by contact/algebra/dense.c beyond SRS_DENSE_OWN rows. Internal.
#pragma once
#include <stdbool.h>

void srs_large_gram(int n, const double *A, int stride, double *G);
bool srs_large_cholesky(int n, double *G, int stride);
double srs_large_lu(int n, double *A, int stride, int *pivot);

/// Column k of a 2 stride x n matrix is row k of QR. Reflections are applied to `tall` too; R's diagonal goes into x,
/// the rest of R stays in the upper halves of the rows.
/// @param work  128 stride doubles
void srs_large_qr(int n, double *QR, int stride, double *tall, double *x, double *work);
