// How fast is the sparse factor of interior points, with supernodes and without, and beside CHOLMOD's?
//
// Grids of nodes of three rows, each coupled to the 26 around it: a row of bodies, a layer, heaps. Both factor A in the
// same order (AMD's of the nodes), in one thread; then CHOLMOD, supernodal, in as many as OpenBLAS likes. Its order and
// patterns are made before, as ours are. Then what a supernode is made of, beside LAPACK and BLAS: its own factor
// (dpotrf), the rows beside it (dtrsm), and an earlier one's product (dgemm as we call it, dsyrk of its own columns).
//
// Times in µs, the least of some tries: processor time in one thread, the clock on the wall for more. CHOLMOD is a
// comparison only: its supernodal part is under the GPL, and nothing of it is in the library.
#include "contact/algebra/dense_blocks.h"
#include "contact/algebra/dense_small.h"
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
#ifdef BENCH_WITH_CHOLMOD
#include <cholmod.h>
#endif

typedef struct grid {
  int size[3]; // nodes of three rows, each coupled to the 26 around it
  int fill;    // places that a place reaches, at most on average
} grid;

static const grid grids[] = {{{200, 1, 1}, 8},    {{30, 30, 1}, 60},   {{6, 6, 6}, 80},
                             {{10, 10, 10}, 160}, {{14, 14, 14}, 240}, {{18, 18, 18}, 360}};

static const double ENOUGH = 2; // s, for all tries

static double wall(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *doubles(size_t count)
{
  double *made = aligned_alloc(64, (count * sizeof *made + 63) / 64 * 64);
  if (made == NULL) exit(1);
  memset(made, 0, count * sizeof *made);
  return made;
}

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

// ---------------------------------------------------------------------------------------------------------------------
// Ours
// ---------------------------------------------------------------------------------------------------------------------

typedef struct times {
  double factor, solve; // s
} times;

static times time_of_ours(srs_symmetric *s, int together_from, int tries, double *x)
{
  times best = {INFINITY, INFINITY};
  s->together_from = together_from;
  const double first = bench_cpu_time();
  for (int t = 0; t < 2 || (t < tries && bench_cpu_time() - first < ENOUGH); t++) {
    const double start = bench_cpu_time();
    if (!srs_symmetric_factor(s, grid_block, s->pattern)) return (times){NAN, NAN};
    const double factored = bench_cpu_time();
    for (int i = 0; i < s->pattern->n; i++) x[i] = sin(i);
    const double begin = bench_cpu_time();
    srs_symmetric_solve(s, x);
    best.factor = fmin(best.factor, factored - start);
    best.solve = fmin(best.solve, bench_cpu_time() - begin);
  }
  return best;
}

// ---------------------------------------------------------------------------------------------------------------------
// CHOLMOD
// ---------------------------------------------------------------------------------------------------------------------

#ifdef BENCH_WITH_CHOLMOD

// The lower triangle by columns: A is symmetric.
static cholmod_sparse *matrix_of(const srs_sparse *p, cholmod_common *common)
{
  const size_t n = (size_t)p->n, entries = 9 * (size_t)p->start[p->n_nodes];
  cholmod_sparse *A = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, common);
  if (A == NULL) exit(1);
  int *begin = A->p, *row = A->i, count = 0;
  double *value = A->x, block[SRS_NODE_MOST * SRS_NODE_MOST];
  for (int node = 0; node < p->n_nodes; node++)
    for (int c = 0; c < 3; c++) {
      begin[3 * node + c] = count;
      for (int k = p->start[node]; k < p->start[node + 1]; k++) {
        grid_block(p, node, k, block);
        for (int r = 0; r < 3; r++)
          if (3 * p->column[k] + r >= 3 * node + c)
            row[count] = 3 * p->column[k] + r, value[count++] = block[c * SRS_NODE_MOST + r];
      }
    }
  begin[n] = count;
  return A;
}

// x: ours; worst: how far it is from CHOLMOD's, over its largest entry.
static times time_of_cholmod(const srs_sparse *p, int tries, bool is_threaded, const double *x, double *worst)
{
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.nmethods = 1, common.method[0].ordering = CHOLMOD_GIVEN;
  cholmod_sparse *A = matrix_of(p, &common);
  int *order = calloc((size_t)p->n, sizeof *order);
  if (order == NULL) exit(1);
  for (int place = 0, count = 0; place < p->n_nodes; place++)
    for (int k = 0; k < 3; k++) order[count++] = 3 * p->order[place] + k;
  cholmod_factor *L = cholmod_analyze_p(A, order, NULL, 0, &common);
  cholmod_dense *b = cholmod_zeros((size_t)p->n, 1, CHOLMOD_REAL, &common), *found = NULL, *Y = NULL, *E = NULL;
  for (int i = 0; i < p->n; i++) ((double *)b->x)[i] = sin(i);
  double (*now)(void) = is_threaded ? wall : bench_cpu_time;
  times best = {INFINITY, INFINITY};
  const double first = now();
  for (int t = 0; t < 2 || (t < tries && now() - first < ENOUGH); t++) {
    const double start = now();
    if (!cholmod_factorize(A, L, &common) || common.status != CHOLMOD_OK) exit(1);
    const double factored = now();
    cholmod_solve2(CHOLMOD_A, L, b, NULL, &found, NULL, &Y, &E, &common);
    best.factor = fmin(best.factor, factored - start);
    best.solve = fmin(best.solve, now() - factored);
  }
  double size = 0;
  *worst = 0;
  for (int i = 0; i < p->n; i++) {
    const double other = ((const double *)found->x)[i];
    *worst = fmax(*worst, fabs(x[i] - other)), size = fmax(size, fabs(other));
  }
  *worst /= size;
  cholmod_free_dense(&b, &common), cholmod_free_dense(&found, &common), cholmod_free_dense(&Y, &common);
  cholmod_free_dense(&E, &common), cholmod_free_factor(&L, &common), cholmod_free_sparse(&A, &common);
  cholmod_finish(&common);
  free(order);
  return best;
}

#else

static times time_of_cholmod(const srs_sparse *p, int tries, bool is_threaded, const double *x, double *worst)
{
  (void)p, (void)tries, (void)is_threaded, (void)x;
  *worst = NAN;
  return (times){NAN, NAN};
}

#endif

static void print_grid(const grid *g, int threads, int tries)
{
  const int nodes = g->size[0] * g->size[1] * g->size[2], n = 3 * nodes;
  const srs_sparse_room room = {nodes, (size_t)nodes * 28, (size_t)nodes * (size_t)g->fill};
  const size_t own = srs_sparse_integers(&room), values = 9 * room.n_fill;
  int *integers = calloc(own + srs_symmetric_integers(nodes, room.n_fill), sizeof *integers);
  size_t *begins = calloc((size_t)nodes, sizeof *begins);
  double *pattern_work = doubles((size_t)18 * ((size_t)n + 4)), *x = doubles((size_t)n),
         *work = doubles(srs_symmetric_doubles(n, nodes, values)), worst;
  if (integers == NULL || begins == NULL) exit(1);
  srs_sparse p;
  srs_symmetric s;
  srs_sparse_lay_out(&p, &room, integers, pattern_work);
  srs_symmetric_lay_out(&s, n, nodes, values, integers + own, begins, work);
  s.pattern = &p;
  draw_grid(g, &p);
  if (srs_sparse_order(&p)) {
    const double fill = srs_sparse_fill(&p);
    const times before = time_of_ours(&s, SRS_SUPERNODE_MOST + 1, tries, x);
    const times usual = time_of_ours(&s, SRS_SUPERNODE_FROM, tries, x);
    const times other = time_of_cholmod(&p, tries, false, x, &worst);
    openblas_set_num_threads(threads);
    const times shared = time_of_cholmod(&p, tries, true, x, &worst);
    openblas_set_num_threads(1);
    printf("%3d x %2d x %2d %6d %9.0f %9.0f %9.0f %6.2f %9.0f %9.0f %6.2f %8.0f %8.0f %9.1g\n", g->size[0], g->size[1],
           g->size[2], n, fill, 1e6 * before.factor, 1e6 * usual.factor, usual.factor / before.factor,
           1e6 * other.factor, 1e6 * shared.factor, usual.factor / other.factor, 1e6 * usual.solve, 1e6 * other.solve,
           worst);
  }
  free(integers), free(begins), free(pattern_work), free(work), free(x);
}

// ---------------------------------------------------------------------------------------------------------------------
// What a supernode is made of
// ---------------------------------------------------------------------------------------------------------------------

enum { ROWS = SRS_SUPERNODE_MOST, WIDE = 512 };

typedef struct piece {
  int rows, wide;
  double *A, *X, *to; // ROWS x ROWS, ROWS x WIDE, ROWS x WIDE
  double *A_drawn, *X_drawn;
} piece;

typedef void call(piece *p);

static void own_factor(piece *p) { (void)srs_small_cholesky(p->rows, p->A, ROWS); }
static void lapack_factor(piece *p) { (void)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', p->rows, p->A, ROWS); }
static void own_division(piece *p) { srs_blocks_divide(p->rows, p->A, p->wide, p->X, WIDE); }
static void blas_division(piece *p)
{
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, p->rows, p->wide, 1, p->A, ROWS, p->X,
              WIDE);
}
static void own_square(piece *p)
{
  srs_blocks_multiply(true, false, p->rows, p->rows, p->rows, -1, p->X, WIDE, p->X, WIDE, p->to, WIDE);
}
static void blas_square(piece *p)
{
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, p->rows, p->rows, -1, p->X, WIDE, 1, p->to, WIDE);
}

static double time_of_call(call *c, piece *p, int tries)
{
  double best = INFINITY;
  for (int t = 0; t < tries; t++) {
    double spent = 0;
    for (int k = 0; k < 20; k++) {
      memcpy(p->A, p->A_drawn, sizeof *p->A * ROWS * ROWS);
      memcpy(p->X, p->X_drawn, sizeof *p->X * ROWS * WIDE);
      const double start = bench_cpu_time();
      c(p);
      spent += bench_cpu_time() - start;
    }
    best = fmin(best, spent / 20);
  }
  return best;
}

static void print_pieces(int tries)
{
  static const int rows[] = {16, 32, 48, 64};
  const size_t square = (size_t)ROWS * ROWS, all = (size_t)ROWS * WIDE;
  piece p = {0, WIDE, doubles(square), doubles(all), doubles(all), doubles(square), doubles(all)};
  for (size_t i = 0; i < square; i++) p.A_drawn[i] = sin((double)(i % ROWS)) + (i % (ROWS + 1) ? 0 : 90);
  for (size_t i = 0; i < all; i++) p.X_drawn[i] = cos((double)i);
  printf("\n%-10s %20s %20s %20s\n", "supernode", "own / dpotrf", "beside 512 / dtrsm", "square / dsyrk");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    p.rows = rows[i];
    static call *const calls[] = {own_factor, lapack_factor, own_division, blas_division, own_square, blas_square};
    printf("%-10d", p.rows);
    for (size_t k = 0; k < 6; k += 2)
      printf("    %7.2f / %7.2f", 1e6 * time_of_call(calls[k], &p, tries), 1e6 * time_of_call(calls[k + 1], &p, tries));
    printf("\n");
  }
  double *pieces[] = {p.A, p.X, p.to, p.A_drawn, p.X_drawn};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) free(pieces[i]);
}

int main(int n_arguments, char **arguments)
{
  const bool is_quick = n_arguments > 1 && strcmp(arguments[1], "--quick") == 0;
  const int threads = openblas_get_num_threads(), tries = is_quick ? 5 : 30;
  printf("OpenBLAS for %s, %d threads; times in µs\n\n", openblas_get_corename(), threads);
  openblas_set_num_threads(1);
  printf("%-12s %7s %9s %9s %9s %6s %9s %9s %6s %8s %8s %9s\n", "grid", "rows", "fill", "by places", "supernodes",
         "ratio", "CHOLMOD", "threads", "ratio", "solve", "CHOLMOD", "differ by");
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) print_grid(&grids[i], threads, tries);
  print_pieces(tries);
  return 0;
}
