// From how many rows on do dense factors by blocks pay, and how do both compare with LAPACK?
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
  return 0;
}
