// Products with a Delassus matrix in sparse block rows, its diagonal, and the same matrix dense.
#include "contact/problem/blocks.h"
#include "contact/algebra/dense.h"

#include <math.h>
#include <string.h>

void srs_contact_blocks_expand(const srs_contact_blocks *blocks, double *W)
{
  const size_t n = (size_t)blocks->first[blocks->n_block_rows];
  memset(W, 0, sizeof *W * n * n);
  for (int node = 0; node < blocks->n_block_rows; node++) {
    const double *value = blocks->value + blocks->begin[node];
    for (int i = blocks->first[node]; i < blocks->first[node + 1]; i++)
      for (int k = blocks->start[node]; k < blocks->start[node + 1]; k++)
        for (int j = blocks->first[blocks->column[k]]; j < blocks->first[blocks->column[k] + 1]; j++)
          W[(size_t)i * n + (size_t)j] = *value++;
  }
}

void srs_blocks_diagonal(const srs_contact_blocks *W, double *diagonal)
{
  for (int node = 0; node < W->n_block_rows; node++) {
    const double *row = W->value + W->begin[node];
    for (int i = W->first[node]; i < W->first[node + 1]; i++)
      for (int k = W->start[node]; k < W->start[node + 1]; k++) {
        const int other = W->column[k];
        if (other == node) diagonal[i] = row[i - W->first[node]];
        row += W->first[other + 1] - W->first[other];
      }
  }
}

SRS_CONTACT_KERNEL
void srs_blocks_velocity(const srs_contact_blocks *W, const double *b, const double *x, double *w)
{
  for (int node = 0; node < W->n_block_rows; node++) {
    const double *row = W->value + W->begin[node];
    for (int i = W->first[node]; i < W->first[node + 1]; i++) {
      double sum = 0;
      for (int k = W->start[node]; k < W->start[node + 1]; k++)
        for (int j = W->first[W->column[k]]; j < W->first[W->column[k] + 1]; j++) sum += *row++ * x[j];
      w[i] = sum + b[i];
    }
  }
}

double srs_blocks_terms(const srs_contact_blocks *W, const double *b, const double *x, const double *scale)
{
  double all = 0;
  for (int node = 0; node < W->n_block_rows; node++) {
    const double *row = W->value + W->begin[node];
    for (int i = W->first[node]; i < W->first[node + 1]; i++) {
      double sum = fabs(b[i]);
      for (int k = W->start[node]; k < W->start[node + 1]; k++)
        for (int j = W->first[W->column[k]]; j < W->first[W->column[k] + 1]; j++) sum += fabs(*row++ * x[j]);
      all += scale[i] * sum * scale[i] * sum;
    }
  }
  return all;
}
