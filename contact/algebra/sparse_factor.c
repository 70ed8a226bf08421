// What does a sparse LU that was kept give for another right-hand side?
//
// With L and V of contact/algebra/sparse.c, place after place y_i <- A_ii^-1 (y_i - sum L_ik y_k), then back
// x_i = y_i - sum V_ij x_j. In memory: V of all places; then, for each place, its blocks of L and A_ii^-1.
#include "contact/algebra/sparse.h"

#include <string.h>

static size_t upper_doubles(const srs_sparse *s)
{
  size_t doubles = 0;
  for (int k = 0; k < s->n_nodes; k++) {
    size_t wide = 0;
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++) wide += (size_t)srs_sparse_size(s, s->panel[l]);
    doubles += (size_t)srs_sparse_size(s, k) * wide;
  }
  return doubles;
}

size_t srs_sparse_factor_doubles(const srs_sparse *s)
{
  return 2 * upper_doubles(s) + (size_t)SRS_NODE_MOST * (size_t)s->n;
}

// y -= A x: rows x columns
SRS_CONTACT_INLINE void subtract(int rows, int columns, const double *A, size_t step, const double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++) sum += A[(size_t)i * step + (size_t)j] * x[j];
    y[i] -= sum;
  }
}

SRS_CONTACT_KERNEL
static void eliminate(const srs_sparse *s, const double *kept, double *y)
{
  for (int k = 0; k < s->n_nodes; k++) {
    const int rows = srs_sparse_size(s, k);
    double *own = y + s->offset[k], right[SRS_NODE_MOST];
    for (int l = s->row_start[k]; l < s->row_start[k + 1]; l++) {
      const int columns = srs_sparse_size(s, s->row[l]);
      const double *x = y + s->offset[s->row[l]];
      if (rows == 2 && columns == 2)
        subtract(2, 2, kept, 2, x, own);
      else
        subtract(rows, columns, kept, (size_t)columns, x, own);
      kept += (ptrdiff_t)rows * columns;
    }
    for (int i = 0; i < rows; i++) right[i] = own[i];
    for (int i = 0; i < rows; i++, kept += rows) {
      own[i] = 0;
      for (int j = 0; j < rows; j++) own[i] += kept[j] * right[j];
    }
  }
}

SRS_CONTACT_KERNEL
static void substitute(const srs_sparse *s, const double *end, double *y)
{
  for (int k = s->n_nodes - 1; k >= 0; k--) {
    const int rows = srs_sparse_size(s, k);
    size_t wide = 0;
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++) wide += (size_t)srs_sparse_size(s, s->panel[l]);
    const double *V = end - (size_t)rows * wide;
    end = V;
    double *own = y + s->offset[k];
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++) {
      const int columns = srs_sparse_size(s, s->panel[l]);
      const double *x = y + s->offset[s->panel[l]];
      if (rows == 2 && columns == 2)
        subtract(2, 2, V, wide, x, own);
      else
        subtract(rows, columns, V, wide, x, own);
      V += columns;
    }
  }
}

void srs_sparse_apply(const srs_sparse *s, const double *memory, double *x)
{
  const double *kept = memory + upper_doubles(s);
  double *y = s->y;
  for (int k = 0; k < s->n_nodes; k++)
    memcpy(y + s->offset[k], x + s->first[s->order[k]], sizeof *x * (size_t)srs_sparse_size(s, k));
  eliminate(s, kept, y);
  substitute(s, kept, y);
  for (int k = 0; k < s->n_nodes; k++)
    memcpy(x + s->first[s->order[k]], y + s->offset[k], sizeof *x * (size_t)srs_sparse_size(s, k));
}
