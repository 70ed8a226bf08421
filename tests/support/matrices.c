// Matrices of a mechanism by explicit algebra.
#include "support/matrices.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

void testing_delassus(srs_workspace *workspace, const double *q, const srs_constraint_frame *frames, int n_frames,
                      int n_rows, double *delassus)
{
  const size_t nv = (size_t)srs_model_nv(srs_workspace_model(workspace));
  double *M = numbers(nv * nv), *J = numbers((size_t)n_rows * nv), *X = numbers((size_t)n_rows * nv);
  double *frame = numbers(6 * nv);
  assert_int_equal(srs_mass_matrix(workspace, q, M), SRS_OK);
  size_t row = 0;
  for (int i = 0; i < n_frames; i++) {
    assert_int_equal(srs_frame_jacobian(workspace, frames[i].frame, frames[i].axes, frame), SRS_OK);
    for (size_t r = 0; r < 6; r++)
      if (frames[i].rows >> r & 1u) memcpy(J + row++ * nv, frame + r * nv, nv * sizeof *J);
  }
  assert_int_equal(row, n_rows);
  memcpy(X, J, (size_t)n_rows * nv * sizeof *X); // column-major: J^T, one column a row
  const lapack_int n = (lapack_int)nv;
  assert_int_equal(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, n_rows, M, n, X, n), 0);
  for (size_t i = 0; i < (size_t)n_rows; i++)
    for (size_t j = 0; j < (size_t)n_rows; j++) {
      double sum = 0;
      for (size_t k = 0; k < nv; k++) sum += J[i * nv + k] * X[j * nv + k];
      delassus[i * (size_t)n_rows + j] = sum;
    }
  free(M), free(J), free(X), free(frame);
}

void testing_product(int n, const double *A, const double *B, double *C)
{
  const size_t stride = (size_t)n;
  for (size_t i = 0; i < stride; i++)
    for (size_t j = 0; j < stride; j++) {
      double sum = 0;
      for (size_t k = 0; k < stride; k++) sum += A[i * stride + k] * B[k * stride + j];
      C[i * stride + j] = sum;
    }
}
