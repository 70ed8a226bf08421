// Large problems of crowded contacts as a whole matrix, where W is not given as a sum over bodies.
//
// Where contacts of a wall slide and hold each other, damped steps end far from an answer; smoothed contacts
// (contact/smooth/smooth_path.h) lead on, by steps of n rank^2 multiplications, rank being the bodies' freedoms at
// most: dense ones, which up to some hundreds of rows are few enough. So W is written out, beside the packed one, and
// all else is the packed problem's: vectors, tolerances, the best impulses so far.
//
// Heaps in a plane have starts of their own (contact/planar/). Bilateral rows are not eliminated here, and have no
// smoothed law: problems with any are left out.
#include "contact/large/large_dense.h"
#include "contact/iterate/fallback.h"
#include "contact/planar/mode_path.h"
#include "topology/base/reserve.h"

#include <string.h>

enum { LEAST_ROWS = 60, MOST_ROWS = 600, MATRICES = 4 };

bool srs_large_dense_reserve(srs_large_dense *s, int n_rows)
{
  const int rows = n_rows < MOST_ROWS ? n_rows : MOST_ROWS;
  if (rows <= s->most_rows || rows < LEAST_ROWS) return true;
  const size_t stride = (size_t)srs_dense_stride(rows);
  double *matrices = srs_reserve_unused(MATRICES * stride * stride, sizeof *matrices);
  int *pivot = srs_reserve_unused(stride, sizeof *pivot);
  if (matrices == NULL || pivot == NULL) {
    srs_release(matrices);
    srs_release(pivot);
    return false;
  }
  srs_large_dense_release(s);
  *s = (srs_large_dense){rows, matrices, pivot};
  return true;
}

void srs_large_dense_release(srs_large_dense *s)
{
  srs_release(s->matrices);
  srs_release(s->pivot);
}

bool srs_large_dense_fits(const srs_large_dense *s, const srs_large_cone *large)
{
  const srs_cone_problem *cone = &large->fallback.cone;
  return cone->n <= s->most_rows && cone->n >= LEAST_ROWS && large->problem->n_bilateral == 0 && !srs_is_planar(cone) &&
         srs_large_cone_has_planes(large);
}

static void write_out(const srs_cone_problem *cone, double *W)
{
  const srs_sparse *s = cone->sparse;
  memset(W, 0, sizeof *W * (size_t)cone->n * (size_t)cone->stride);
  for (int i = 0; i < cone->n; i++) {
    const int node = s->node[i];
    const double *from = srs_sparse_row(s, cone->packed, node, i);
    for (int k = s->run_start[node]; k < s->run_start[node + 1]; k++) {
      const int first = s->run[k].from, count = s->run[k].to - first;
      memcpy(W + (size_t)i * (size_t)cone->stride + first, from, sizeof *W * (size_t)count);
      from += count;
    }
  }
}

bool srs_large_dense_search(const srs_large_dense *s, srs_large_cone *large, double slower)
{
  srs_fallback *packed = &large->fallback, whole = *packed;
  const size_t n = (size_t)whole.cone.n, stride = (size_t)whole.cone.stride;
  if (!srs_spend(&packed->left, 2 * (double)(n * stride) / slower)) return false;
  double **const matrices[MATRICES] = {&whole.cone.W, &whole.lm.J, &whole.lm.gram, &whole.lm.factor};
  for (size_t i = 0; i < MATRICES; i++) *matrices[i] = s->matrices + i * stride * stride;
  write_out(&packed->cone, whole.cone.W);
  whole.cone.sparse = whole.lm.sparse = NULL;
  whole.lm.pivot = s->pivot;
  whole.left = slower * packed->left;
  whole.lm.left = &whole.left;
  double *const padded[] = {whole.x, whole.swept, whole.lm.x, whole.lm.step, whole.lm.gradient};
  for (size_t i = 0; i < sizeof padded / sizeof *padded; i++) memset(padded[i] + n, 0, sizeof **padded * (stride - n));
  const bool is_done = srs_fallback_crowd(&whole, NULL);
  packed->best_residual = whole.best_residual;
  packed->stage = whole.stage;
  packed->iterations = whole.iterations;
  packed->left = whole.left / slower;
  return is_done;
}
