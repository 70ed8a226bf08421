// How fast is the sparse LU of Newton's steps in heaps, and what do its fronts hold?
//
// bench_lu [MOST [SEED]]: discs in rows that lie on each other, three unknowns each, as many wide as high; most of
// those side by side touch. `multiplications` of one LU in AMD's order; `filled` is how many times that its fronts
// take; `factor` keeps the factors, `apply` solves by them, `squares` is least squares; the least of some tries,
// processor time in one thread. `exponent` is that of factor's time between a line and the one above it.
#include "contact/algebra/sparse.h"
#include "timing.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, NEAR = 7, FILL = 120 };

static uint64_t state;

static double uniform(void)
{
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (double)(state >> 11) * 0x1p-53;
}

typedef struct heap {
  srs_sparse sparse;
  int *integers, *near, *count;
  double *doubles, *A, *b, *x, *memory;
} heap;

static void *some(size_t count, size_t size)
{
  void *made = calloc(count + 1, size);
  if (made == NULL) exit(1);
  return made;
}

static void couple(heap *h, int i, int j)
{
  h->near[i * NEAR + h->count[i]++] = j;
  if (j != i) h->near[j * NEAR + h->count[j]++] = i;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void make(heap *h, int n)
{
  srs_sparse *s = &h->sparse;
  const int wide = (int)lround(sqrt(n));
  const srs_sparse_room room = {ROWS * n, (size_t)NEAR * (size_t)n, (size_t)FILL * (size_t)n};
  h->integers = some(srs_sparse_integers(&room), sizeof *h->integers);
  h->doubles = some(srs_sparse_doubles(&room), sizeof *h->doubles);
  h->near = some((size_t)NEAR * (size_t)n, sizeof *h->near);
  h->count = some((size_t)n, sizeof *h->count);
  srs_sparse_lay_out(s, &room, h->integers, h->doubles);
  for (int i = 0; i < n; i++) {
    const int row = i / wide, column = i % wide, beside = row % 2 == 0 ? column - 1 : column + 1;
    couple(h, i, i);
    if (column + 1 < wide && i + 1 < n && uniform() < 0.97) couple(h, i, i + 1);
    if (i + wide < n && uniform() < 0.97) couple(h, i, i + wide);
    const int other = (row + 1) * wide + beside;
    if (beside >= 0 && beside < wide && other < n && uniform() < 0.97) couple(h, i, other);
  }
  s->n_nodes = n;
  for (int i = 0; i < n; i++) {
    s->first[i + 1] = ROWS * (i + 1);
    qsort(h->near + (ptrdiff_t)i * NEAR, (size_t)h->count[i], sizeof *h->near, compare);
    memcpy(s->column + s->start[i], h->near + (ptrdiff_t)i * NEAR, sizeof *h->near * (size_t)h->count[i]);
    s->start[i + 1] = s->start[i] + h->count[i];
  }
  if (!srs_sparse_set_up(s) || !srs_sparse_order(s)) exit(1);
  (void)srs_sparse_fill(s);
  h->A = some(srs_sparse_numbers(s), sizeof *h->A);
  h->b = some((size_t)s->n, sizeof *h->b);
  h->x = some((size_t)s->n, sizeof *h->x);
  const size_t most = srs_sparse_most_doubles(s), kept = srs_sparse_factor_doubles(s);
  h->memory = some(most > kept ? most : kept, sizeof *h->memory);
  for (size_t i = 0; i < srs_sparse_numbers(s); i++) h->A[i] = 2 * uniform() - 1;
  for (int i = 0; i < s->n; i++) *srs_sparse_diagonal(s, h->A, i) += 8;
  for (int i = 0; i < s->n; i++) h->b[i] = 2 * uniform() - 1;
}

static void end(heap *h)
{
  void *const all[] = {h->integers, h->near, h->count, h->doubles, h->A, h->b, h->x, h->memory};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

typedef enum task { FACTOR, APPLY, SQUARES } task;

static void once(heap *h, task what)
{
  bool done = true;
  if (what == FACTOR) done = srs_sparse_factor(&h->sparse, h->A, 1e-14, h->memory);
  if (what == APPLY) srs_sparse_apply(&h->sparse, h->memory, h->x);
  if (what == SQUARES) done = srs_sparse_least_squares(&h->sparse, h->A, 1e-6, h->memory, h->x);
  if (!done) exit(1);
}

// The least of some tries, s.
static double time_of(heap *h, task what)
{
  double least = INFINITY, sum = 0;
  for (int k = 0; k < 5 || (sum < 0.5 && k < 2000); k++) {
    memcpy(h->x, h->b, sizeof *h->x * (size_t)h->sparse.n);
    const double start = bench_cpu_time();
    once(h, what);
    const double time = bench_cpu_time() - start;
    least = fmin(least, time), sum += time;
  }
  return least;
}

// |A x - b| of the solution by kept factors.
static double residual(heap *h)
{
  const srs_sparse *s = &h->sparse;
  double most = 0;
  memcpy(h->x, h->b, sizeof *h->x * (size_t)s->n);
  once(h, FACTOR);
  once(h, APPLY);
  for (int node = 0; node < s->n_nodes; node++) {
    double own[SRS_NODE_MOST];
    srs_sparse_multiply(s, node, h->A, h->x, own);
    for (int i = 0; i < ROWS; i++) most = fmax(most, fabs(own[i] - h->b[s->first[node] + i]));
  }
  return most;
}

// Multiplications of all fronts.
static double work_of(const srs_sparse *s)
{
  double sum = 0;
  for (int f = 0; f < s->n_fronts; f++) {
    const double own = s->offset[s->front[f + 1]] - s->offset[s->front[f]], wide = s->reach[s->front[f + 1] - 1];
    sum += own * own * own / 3 + own * own * wide + own * wide * wide;
  }
  return sum;
}

int main(int argc, char **argv)
{
  const int sizes[] = {24, 50, 100, 200, 500, 1000, 2000, 5000};
  const long most = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  double last = 0;
  printf("%7s %16s %7s %7s %10s %9s %10s %11s %9s %9s\n", "bodies", "multiplications", "fronts", "filled", "factor us",
         "apply us", "squares us", "a ns", "exponent", "residual");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++) {
    heap h = {0};
    state = seed * 77777 + (unsigned)sizes[i];
    make(&h, sizes[i]);
    const double off = residual(&h), squares = time_of(&h, SQUARES), factor = time_of(&h, FACTOR),
                 apply = time_of(&h, APPLY);
    printf("%7d %16.3g %7d %7.2f %10.1f %9.1f %10.1f %11.2f %9.2f %9.1e\n", sizes[i], h.sparse.multiplications,
           h.sparse.n_fronts, work_of(&h.sparse) / h.sparse.multiplications, 1e6 * factor, 1e6 * apply, 1e6 * squares,
           1e-9 * h.sparse.multiplications / factor,
           last > 0 ? log(factor / last) / log((double)sizes[i] / sizes[i - 1]) : NAN, off);
    last = factor;
    end(&h);
  }
  return 0;
}
