// From how many rows on do dense factors by blocks pay, and how do both compare with LAPACK? What do supernodes save in
// the sparse factor?
//
// For each kernel and size: our own loops, our blocks (products of 64 x 64 x 64 by BLAS), OpenBLAS's routine in one
// thread and in as many as it likes; the kernel that the library takes; what that is of the own loops, which served up
// to 768 rows before, and of OpenBLAS in one thread. Times are the least of some tries, of the processor for one
// thread, of the clock on the wall for more. `same`: whether the routine's bits are those of one thread in 2, 3 and 4.
#include "contact/algebra/dense.h"
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/dense_qr.h"
#include "contact/algebra/dense_small.h"
#include "contact/algebra/semidefinite.h"
#include "contact/algebra/sparse_symmetric.h"
#include "timing.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES = 11, MOST = 1024 };

static const int sizes[SIZES] = {16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768};
static const double shift = 1e-6; // of QR

typedef struct data {
  int n, stride;
  double *general, *positive; // stride x stride
  double *tall;               // columns of [A; sqrt(shift) I], as rows of 2 stride
  double *A, *B, *x, *y;      // worked on: 2 stride^2, 2 stride^2, 2 stride, 2 stride
  double *work;               // LAPACK's
  int n_work;
  int *pivot;
} data;

typedef void kernel(data *d);

static void own_gram(data *d) { srs_small_gram(d->n, d->general, d->stride, d->A); }
static void blocks_gram(data *d) { srs_blocks_gram(d->n, d->general, d->stride, d->A); }
static void blas_gram(data *d)
{
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, d->n, d->n, 1, d->general, d->stride, 0, d->A, d->stride);
}

static void own_cholesky(data *d) { (void)srs_small_cholesky(d->n, d->A, d->stride); }
static void blocks_cholesky(data *d) { (void)srs_blocks_cholesky(d->n, d->A, d->stride); }
static void blas_cholesky(data *d) { (void)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', d->n, d->A, d->stride); }

static void own_lu(data *d) { (void)srs_small_lu(d->n, d->A, d->stride, d->pivot, 0); }
static void blocks_lu(data *d) { (void)srs_blocks_lu(d->n, d->A, d->stride, d->pivot, 0); }
static void blas_lu(data *d) { (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, d->n, d->n, d->A, d->stride, d->pivot); }

static void own_qr(data *d) { srs_dense_qr(d->n, d->A, d->stride, d->n, d->x, d->y); }
static void blocks_qr(data *d) { srs_dense_qr(d->n, d->A, d->stride, 64, d->x, d->y); }
static void blas_qr(data *d)
{
  (void)LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, 2 * d->stride, d->n, d->A, 2 * d->stride, d->y, d->work, d->n_work);
}

static void own_semidefinite(data *d)
{
  (void)srs_semidefinite_factor_by(d->n, d->A, d->stride, d->pivot, 1e-12, false, d->x);
}
static void blocks_semidefinite(data *d)
{
  (void)srs_semidefinite_factor_by(d->n, d->A, d->stride, d->pivot, 1e-12, true, d->x);
}
static void blas_semidefinite(data *d)
{
  int rank;
  (void)LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', d->n, d->A, d->stride, d->pivot, &rank, 1e-12, d->work);
}

static void own_product(data *d) { srs_dense_multiply(d->n, d->n, d->general, d->stride, d->x, d->y); }
static void blas_product(data *d)
{
  cblas_dgemv(CblasRowMajor, CblasNoTrans, d->n, d->n, 1, d->general, d->stride, d->x, 1, 0, d->y, 1);
}

typedef struct row {
  const char *name;
  kernel *own, *blocks, *blas;
  int limit;      // rows up to which the library takes the own loops
  size_t input;   // offset in `data` of what is copied into A before each call
  int input_rows; // of 2 stride / 2
} row;

static const row rows[] = {
    {"Gram, dsyrk", own_gram, blocks_gram, blas_gram, SRS_DENSE_GRAM, 0, 0},
    {"Cholesky, dpotrf", own_cholesky, blocks_cholesky, blas_cholesky, SRS_DENSE_CHOLESKY, offsetof(data, positive), 1},
    {"LU, dgetrf", own_lu, blocks_lu, blas_lu, SRS_DENSE_LU, offsetof(data, general), 1},
    {"QR, dgeqrf", own_qr, blocks_qr, blas_qr, SRS_DENSE_QR, offsetof(data, tall), 2},
    {"pivoted Cholesky, dpstrf", own_semidefinite, blocks_semidefinite, blas_semidefinite, SRS_DENSE_SEMIDEFINITE,
     offsetof(data, positive), 1},
    {"A x, dgemv", own_product, NULL, blas_product, MOST, 0, 0},
};

static double *doubles(size_t count)
{
  double *made = aligned_alloc(64, (count * sizeof *made + 63) / 64 * 64);
  if (made == NULL) exit(1);
  memset(made, 0, count * sizeof *made);
  return made;
}

static void draw(data *d, int n)
{
  const int stride = srs_dense_stride(n);
  const size_t wide = (size_t)stride, square = wide * wide;
  uint64_t state = 7 + (uint64_t)n;
  *d = (data){n,
              stride,
              doubles(square),
              doubles(square),
              doubles(2 * square),
              doubles(2 * square),
              doubles(2 * square),
              doubles(2 * wide),
              doubles(2 * wide),
              doubles(128 * wide),
              128 * stride,
              calloc(wide, sizeof(int))};
  for (size_t i = 0; i < (size_t)n; i++)
    for (size_t j = 0; j < (size_t)n; j++) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      d->general[i * wide + j] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
      d->tall[j * 2 * wide + i] = d->general[i * wide + j];
    }
  for (size_t i = 0; i < (size_t)n; i++) d->x[i] = 1, d->tall[i * 2 * wide + wide + i] = sqrt(shift);
  srs_blocks_gram(n, d->general, stride, d->positive);
  for (size_t i = 0; i < (size_t)n; i++)
    for (size_t j = 0; j < i; j++) d->positive[i * wide + j] = d->positive[j * wide + i];
  for (size_t i = 0; i < (size_t)n; i++) d->positive[i * (wide + 1)] += 1e-3;
}

static void drop(data *d)
{
  double *pieces[] = {d->general, d->positive, d->tall, d->A, d->B, d->x, d->y, d->work};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) free(pieces[i]);
  free(d->pivot);
}

static void prepare(const row *r, data *d)
{
  const size_t square = (size_t)d->stride * (size_t)d->stride;
  if (r->input_rows == 0) return;
  double *from;
  memcpy(&from, (const char *)d + r->input, sizeof from);
  memcpy(d->A, from, sizeof *from * square * (size_t)r->input_rows);
}

static double wall(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double clock_of(bool is_threaded) { return is_threaded ? wall() : bench_cpu_time(); }

// What reading the clock takes, s.
static double clock_time(bool is_threaded)
{
  double best = INFINITY;
  for (int i = 0; i < 100; i++) {
    const double start = clock_of(is_threaded);
    best = fmin(best, clock_of(is_threaded) - start);
  }
  return best;
}

// The least of `tries`, each of enough calls for 20 µs, or of as many as 0.2 s allow; s.
static double time_of(const row *r, kernel *call, data *d, bool is_threaded, int tries)
{
  const double reading = clock_time(is_threaded);
  double best = INFINITY, all = 0;
  for (int t = 0, calls = 1; t < tries && (all < 0.2 || t < 2); t++) {
    double spent = 0;
    for (int c = 0; c < calls; c++) {
      prepare(r, d);
      const double start = clock_of(is_threaded);
      call(d);
      spent += clock_of(is_threaded) - start - reading;
    }
    all += spent;
    if (t == 0 && spent < 20e-6)
      calls = (int)fmin(50, 20e-6 / fmax(spent, 1e-7)) + 1;
    else
      best = fmin(best, spent / calls);
  }
  return best;
}

static uint64_t hash_of(const row *r, data *d)
{
  uint64_t hash = 14695981039346656037ULL;
  const double *results[] = {d->A, d->y};
  const size_t wide = (size_t)d->stride, counts[] = {wide * wide * (size_t)(r->input_rows == 2 ? 2 : 1), wide};
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < counts[k]; i++) {
      uint64_t bits;
      memcpy(&bits, results[k] + i, sizeof bits);
      hash = (hash ^ bits) * 1099511628211ULL;
    }
  return hash;
}

// Whether a kernel's bits in 2, 3 and 4 threads are those in one.
static bool is_same(const row *r, kernel *call, data *d)
{
  uint64_t first = 0;
  bool same = true;
  for (int threads = 1; threads <= 4; threads++) {
    openblas_set_num_threads(threads);
    prepare(r, d);
    call(d);
    const uint64_t hash = hash_of(r, d);
    if (threads == 1) first = hash;
    same = same && hash == first;
  }
  openblas_set_num_threads(1);
  return same;
}

// ---- the sparse factor ----

typedef struct grid {
  int size[3]; // nodes of three rows, each coupled to the 26 around it
  int fill;    // places that a place reaches, at most on average
} grid;

static const grid grids[] = {
    {{200, 1, 1}, 8}, {{30, 30, 1}, 60}, {{6, 6, 6}, 80}, {{10, 10, 10}, 160}, {{14, 14, 14}, 240}};

static void grid_block(const void *pattern, int node, int k, double *block)
{
  const srs_sparse *p = pattern;
  const int other = p->column[k];
  const unsigned from = node < other ? (unsigned)node : (unsigned)other, to = (unsigned)(node + other) - from;
  for (unsigned i = 0; i < SRS_NODE_MOST; i++)
    for (unsigned j = 0; j < SRS_NODE_MOST; j++) {
      const unsigned a = node < other || (node == other && i < j) ? i : j, b = i + j - a;
      const unsigned mixed = ((from * 7919 + to) * 31 + a * 4 + b) * 2654435761U;
      block[i * SRS_NODE_MOST + j] = (double)(mixed >> 8) / 16777216 - 0.5 + (node == other && i == j ? 60 : 0);
    }
}

static void draw_grid(const grid *g, srs_sparse *p)
{
  const int *s = g->size;
  int count = 0;
  p->n_nodes = s[0] * s[1] * s[2], p->n = 3 * p->n_nodes;
  for (int i = 0; i < p->n_nodes; i++) {
    const int at[3] = {i % s[0], i / s[0] % s[1], i / s[0] / s[1]};
    p->first[i + 1] = 3 * (i + 1);
    p->start[i] = count;
    for (int near = 0; near < 27; near++) {
      const int to[3] = {at[0] + near % 3 - 1, at[1] + near / 3 % 3 - 1, at[2] + near / 9 - 1};
      bool is_inside = true;
      for (int c = 0; c < 3; c++) is_inside = is_inside && to[c] >= 0 && to[c] < s[c];
      if (is_inside) p->column[count++] = (to[2] * s[1] + to[1]) * s[0] + to[0];
    }
  }
  p->start[p->n_nodes] = count;
}

static double time_of_factor(srs_symmetric *s, int together_from, int tries)
{
  double best = INFINITY;
  s->together_from = together_from;
  for (int t = 0; t < tries; t++) {
    const double start = bench_cpu_time();
    if (!srs_symmetric_factor(s, grid_block, s->pattern)) return NAN;
    best = fmin(best, bench_cpu_time() - start);
  }
  return best;
}

static void print_grid(const grid *g, int tries)
{
  const int nodes = g->size[0] * g->size[1] * g->size[2], n = 3 * nodes;
  const srs_sparse_room room = {nodes, (size_t)nodes * 28, (size_t)nodes * (size_t)g->fill};
  const size_t own = srs_sparse_integers(&room), values = 9 * room.n_fill;
  int *integers = calloc(own + srs_symmetric_integers(nodes, room.n_fill), sizeof *integers);
  size_t *begins = calloc((size_t)nodes, sizeof *begins);
  double *pattern_work = doubles((size_t)18 * ((size_t)n + 4)),
         *work = doubles(srs_symmetric_doubles(n, nodes, values));
  if (integers == NULL || begins == NULL) exit(1);
  srs_sparse p;
  srs_symmetric s;
  srs_sparse_lay_out(&p, &room, integers, pattern_work);
  srs_symmetric_lay_out(&s, n, nodes, values, integers + own, begins, work);
  s.pattern = &p;
  draw_grid(g, &p);
  if (srs_sparse_order(&p)) {
    const double fill = srs_sparse_fill(&p), usual = time_of_factor(&s, SRS_SUPERNODE_FROM, tries);
    const double before = time_of_factor(&s, SRS_SUPERNODE_MOST + 1, tries);
    printf("%3d x %2d x %2d %11d %9.0f %9.0f %9.0f %9.2f\n", g->size[0], g->size[1], g->size[2], n, fill, 1e6 * before,
           1e6 * usual, usual / before);
  }
  free(integers), free(begins), free(pattern_work), free(work);
}

static void print_grids(int tries)
{
  printf("\n%-13s %11s %9s %9s %9s %9s\n", "sparse factor", "rows", "fill", "by places", "supernodes", "ratio");
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) print_grid(&grids[i], tries);
}

int main(int n_arguments, char **arguments)
{
  const bool is_quick = n_arguments > 1 && strcmp(arguments[1], "--quick") == 0;
  const int threads = openblas_get_num_threads(), tries = is_quick ? 5 : 40;
  printf("OpenBLAS for %s, %d threads; times in µs\n", openblas_get_corename(), threads);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const row *r = &rows[k];
    printf("\n%-24s %9s %9s %9s %9s  %-7s %9s %9s  %s\n", r->name, "own", "blocks", "OpenBLAS", "threads", "taken",
           "of own", "of BLAS", "same: blocks, OpenBLAS");
    for (int s = 0; s < (is_quick ? SIZES - 2 : SIZES); s++) {
      data d;
      draw(&d, sizes[s]);
      openblas_set_num_threads(1);
      const double own = time_of(r, r->own, &d, false, tries);
      const double blocks = r->blocks == NULL ? NAN : time_of(r, r->blocks, &d, false, tries);
      const double one = time_of(r, r->blas, &d, false, tries);
      openblas_set_num_threads(threads);
      const double all = time_of(r, r->blas, &d, true, tries);
      const bool is_own = d.n <= r->limit;
      const double taken = is_own ? own : blocks;
      printf("%-24d %9.2f %9.2f %9.2f %9.2f  %-7s %9.2f %9.2f  %s, %s\n", d.n, 1e6 * own, 1e6 * blocks, 1e6 * one,
             1e6 * all, is_own ? "own" : "blocks", taken / own, taken / one,
             r->blocks == NULL           ? "-"
             : is_same(r, r->blocks, &d) ? "yes"
                                         : "no",
             is_same(r, r->blas, &d) ? "yes" : "no");
      drop(&d);
    }
  }
  openblas_set_num_threads(1);
  print_grids(tries);
  return 0;
}
