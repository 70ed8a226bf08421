// Constraint projection: the nearest configuration and velocity that close the loops.
//
// Newton's method on Theta(q) = 0 with the least correction in the metric of kinetic energy,
//
//   q <- integrate(q, -M^-1 G^T x),   (G M^-1 G^T) x = Theta
//
// rows scaled to a diagonal of 1. A step leaves gaps of order h^2, and its M and G are those of one step before. With
// these the gaps shrink by a factor of order h per iteration; with M and G of the present configuration, by |Theta|.
// The matrix is kept while the gaps shrink fast, for the velocities too, and made anew where they do not. Rows that
// depend on each other, or nearly, do so only as well as the loops are closed. Where there are such rows, the matrix is
// that of the present configuration and every correction uses rows made anew.
//
// Away from a closed configuration, rows that depend on each other there (Bennett's linkage, parallel joints) are only
// nearly dependent: their pivots are of order |Theta|^2, and dividing by them would cause huge corrections. So pivots
// below rank_share * |Theta|^2 count as zero; where that reduces no gap, fewer of them do.

#include "engine/loops/projection.h"
#include "contact/algebra/semidefinite.h"
#include "engine/dynamics/block.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/mechanism.h"
#include "topology/base/errors.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 30 };

static const double closed = 1e-12; // m, rad

// Thresholds of pivots, the diagonal being 1: pivots below the first never count, pivots above the second always do.
// rank_share is per m^2 or rad^2.
static const double least_pivot = 1e-12, most_pivot = 1e-4, rank_share = 1e3; // pivots above most_pivot always count

struct srs_projector {
  srs_workspace *w;
  int n, stride, n_sides;   // rows, and their sides
  size_t row_sides;         // the model's most_row_sides
  srs_closure_row *rows;    // n: at the configuration of the matrix
  const srs_closure_row *G; // n: the rows that corrections go along: these, or a step's
  double *gaps;             // n: at the configuration in the workspace
  int *loop_of_row;         // n
  srs_row *sides;           // n_sides, sorted by link once
  int *slot;                // n x row_sides: each row's sides among them
  v6 *impulse;              // n_links
  double *lambda;           // 2 n x 2 n
  double *U;                // n, with the stride of dense.h: the factor
  int *order;               // n: its pivoting order
  double *scale, *x, *work; // stride each
  double *moved;            // n: what a response moves the rows by
  double *tau, *dv;         // nv each
  double *q[2];             // nq each: the best so far, the next
  bool is_eliminated;       // the factor is w->elimination's
  bool is_taken;            // the factor of a step is present and is used next
  bool has_factor;          // there is a factor, made since the last call began
  bool is_well_conditioned; // no row depends on others or nearly so, and none hardly moves anything
  int rank;
  double gap;
  int loop, evaluations;
  void *memory;
  void *matrices; // rarely used where there is an elimination
};

// The sides of all rows.
static size_t count_sides(const srs_model *m)
{
  size_t n = 0;
  for (int i = 0; i < srs_model_n_loops(m); i++) {
    const srs_loop_shape shape = srs_shape_of_loop(m, i);
    n += (size_t)shape.n_rows * (size_t)shape.n_sides;
  }
  return n;
}

static size_t lay_out_matrices(srs_projector *p, char *base)
{
  const size_t n = (size_t)p->n, sides = count_sides(p->w->model);
  size_t used = 0;
  p->lambda = srs_block_take(base, &used, sides * sides, sizeof *p->lambda);
  p->U = srs_block_take(base, &used, n * (size_t)p->stride, sizeof *p->U);
  return used;
}

static size_t lay_out(srs_projector *p, char *base)
{
  const srs_model *m = p->w->model;
  const size_t n = (size_t)p->n, nv = (size_t)m->nv, sides = count_sides(m);
  size_t used = 0;
  p->rows = srs_block_take(base, &used, n, sizeof *p->rows);
  p->sides = srs_block_take(base, &used, sides, sizeof *p->sides);
  p->impulse = srs_block_take(base, &used, (size_t)m->n_links, sizeof *p->impulse);
  p->gaps = srs_block_take(base, &used, n, sizeof *p->gaps);
  p->scale = srs_block_take(base, &used, (size_t)p->stride, sizeof *p->scale);
  p->x = srs_block_take(base, &used, (size_t)p->stride, sizeof *p->x);
  p->work = srs_block_take(base, &used, (size_t)p->stride, sizeof *p->work);
  p->moved = srs_block_take(base, &used, n, sizeof *p->moved);
  p->tau = srs_block_take(base, &used, nv, sizeof *p->tau);
  p->dv = srs_block_take(base, &used, nv, sizeof *p->dv);
  p->q[0] = srs_block_take(base, &used, (size_t)m->nq, sizeof *p->q[0]);
  p->q[1] = srs_block_take(base, &used, (size_t)m->nq, sizeof *p->q[1]);
  p->order = srs_block_take(base, &used, n, sizeof *p->order);
  p->slot = srs_block_take(base, &used, p->row_sides * n, sizeof *p->slot);
  p->loop_of_row = srs_block_take(base, &used, n, sizeof *p->loop_of_row);
  return used;
}

static void number_loops(srs_projector *p)
{
  const srs_model *m = p->w->model;
  for (int i = 0, row = 0; i < srs_model_n_loops(m); i++)
    for (const int end = row + srs_model_loop_rows(m, i); row < end; row++) p->loop_of_row[row] = i;
}

// Assigns places to all sides: link by link, rows in their order. A counting sort; `begin` is zero, n_links + 1.
static void place_sides(srs_projector *p, int *begin)
{
  const srs_model *m = p->w->model;
  for (int i = 0; i < srs_model_n_loops(m); i++) {
    const srs_loop_shape shape = srs_shape_of_loop(m, i);
    for (int side = 0; side < shape.n_sides; side++) begin[shape.link[side] + 1] += shape.n_rows;
  }
  for (int k = 0; k < m->n_links; k++) begin[k + 1] += begin[k];
  p->n_sides = begin[m->n_links];
  for (int i = 0, row = 0; i < srs_model_n_loops(m); i++) {
    const srs_loop_shape shape = srs_shape_of_loop(m, i);
    for (const int end = row + shape.n_rows; row < end; row++)
      for (int side = 0; side < shape.n_sides; side++)
        p->slot[p->row_sides * (size_t)row + (size_t)side] = begin[shape.link[side]]++;
  }
}

srs_status srs_projector_create(srs_workspace *w, srs_projector **projector)
{
  *projector = NULL;
  const int n = w->model->n_loop_rows;
  if (n == 0) return SRS_OK;
  srs_status status = srs_workspace_reserve_rows(w, (int)count_sides(w->model));
  if (status != SRS_OK) return status;
  srs_projector *p = calloc(1, sizeof *p);
  if (p != NULL) {
    p->w = w;
    p->n = n;
    p->row_sides = (size_t)w->model->most_row_sides;
    p->stride = srs_dense_stride(n);
    const size_t size = lay_out(p, NULL);
    p->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size);
    p->matrices = w->elimination != NULL ? srs_reserve_unused(1, lay_out_matrices(p, NULL))
                                         : srs_reserve(1, lay_out_matrices(p, NULL));
    int *begin = calloc((size_t)w->model->n_links + 1, sizeof *begin);
    const bool has_memory = p->memory != NULL && p->matrices != NULL && begin != NULL && srs_dense_warm_up(n);
    if (has_memory) {
      memset(p->memory, 0, size);
      lay_out(p, p->memory);
      lay_out_matrices(p, p->matrices);
      place_sides(p, begin);
      number_loops(p);
    }
    free(begin);
    if (has_memory) {
      *projector = p;
      return SRS_OK;
    }
  }
  srs_projector_destroy(p);
  return srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory to close loops of %d rows", n);
}

void srs_projector_destroy(srs_projector *p)
{
  if (p == NULL) return;
  srs_release(p->matrices);
  free(p->memory);
  free(p);
}

bool srs_loops_are_well_conditioned(const srs_loop_diagonal *d, int rank, double least)
{
  return rank == d->n && least > most_pivot && !(d->least[0] < most_pivot * d->most[0]) &&
         !(d->least[1] < most_pivot * d->most[1]);
}

double srs_projection_gap(const srs_projector *p) { return p->gap; }
int srs_projection_loop(const srs_projector *p) { return p->loop; }
int srs_projection_evaluations(const srs_projector *p) { return p->evaluations; }

// ---------------------------------------------------------------------------------------------------------------------
// Newton's method
// ---------------------------------------------------------------------------------------------------------------------

// Finds the gaps at a configuration; returns the largest.
static double evaluate(srs_projector *p, double time, const double *q)
{
  double largest = 0;
  srs_place_links(p->w, q);
  srs_closure_gaps(p->w, q, time, p->gaps);
  p->evaluations++;
  for (int i = 0; i < p->n; i++)
    if (!(fabs(p->gaps[i]) <= largest)) largest = fabs(p->gaps[i]); // NaN counts as the largest
  return largest;
}

// W_ij: the sum of the Delassus entries between the sides of row i and those of row j.
static double entry(const srs_projector *p, size_t i, size_t j)
{
  const size_t n = (size_t)p->n_sides;
  const int *a = p->slot + p->row_sides * i, *b = p->slot + p->row_sides * j;
  double sum = 0;
  for (int k = 0; k < p->rows[i].row.n_sides; k++)
    for (int l = 0; l < p->rows[j].row.n_sides; l++) sum += p->lambda[(size_t)a[k] * n + (size_t)b[l]];
  return sum;
}

void srs_projector_forget(srs_projector *p) { p->is_taken = false; }

void srs_projector_take(srs_projector *p, const srs_closure_row *rows, const srs_bilateral *factor)
{
  const size_t n = (size_t)p->n;
  p->G = rows;
  p->rank = factor->rank;
  memcpy(p->U, factor->U, n * (size_t)p->stride * sizeof *p->U);
  memcpy(p->order, factor->row, n * sizeof *p->order);
  memcpy(p->scale, factor->scale, n * sizeof *p->scale);
  p->is_taken = true;
  p->is_eliminated = false;
}

static void find_rows(srs_projector *p, double time, const double *q)
{
  srs_closure_rows(p->w, q, time, p->rows);
  p->G = p->rows;
}

// Makes rows and matrix at the links' placements, q.
static srs_status fill(srs_projector *p, double time, const double *q, int *bad_v)
{
  const size_t n = (size_t)p->n, stride = (size_t)p->stride;
  find_rows(p, time, q);
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < p->rows[i].row.n_sides; k++)
      p->sides[p->slot[p->row_sides * (size_t)i + (size_t)k]] = srs_row_side(&p->rows[i].row, k);
  const srs_status status = srs_delassus_of_rows(p->w, p->sides, p->n_sides, NULL, p->lambda, bad_v);
  if (status != SRS_OK) return status;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < stride; j++) p->U[i * stride + j] = j < n ? entry(p, i, j) : 0;
  return SRS_OK;
}

// Factors by elimination, if there is one, and if all pivots count or none does whatever the tolerance.
static bool eliminate(srs_projector *p, double time, const double *q)
{
  if (p->w->elimination == NULL) return false;
  srs_elimination_report report;
  find_rows(p, time, q);
  p->is_eliminated = srs_elimination_factor(p->w->elimination, p->rows, sizeof *p->rows, false, &report) &&
                     report.least_pivot > most_pivot;
  if (!p->is_eliminated) return false;
  srs_loop_diagonal diagonal = srs_no_diagonal();
  for (int i = 0; i < p->n; i++) srs_note_diagonal(&diagonal, p->rows[i].is_angular, report.mobility[i]);
  p->rank = report.rank;
  p->is_well_conditioned = srs_loops_are_well_conditioned(&diagonal, report.rank, report.least_pivot);
  p->is_taken = false;
  p->has_factor = true;
  return true;
}

// Makes rows, matrix and factor at the links' placements, q.
static srs_status factor(srs_projector *p, double time, const double *q, double tolerance, int *bad_v)
{
  const size_t n = (size_t)p->n, stride = (size_t)p->stride;
  if (eliminate(p, time, q)) return SRS_OK;
  const srs_status status = fill(p, time, q, bad_v);
  if (status != SRS_OK) return status;
  srs_loop_diagonal diagonal = srs_no_diagonal();
  for (size_t i = 0; i < n; i++) {
    const double own = p->U[i * (stride + 1)];
    srs_note_diagonal(&diagonal, p->rows[i].is_angular, own);
    p->scale[i] = own > 0 ? 1 / sqrt(own) : 0;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) p->U[i * stride + j] *= p->scale[i] * p->scale[j];
  p->rank = srs_semidefinite_factor(p->n, p->U, p->stride, p->order, tolerance, p->work);
  const double least = p->rank > 0 ? srs_semidefinite_pivot(p->U, p->stride, p->order, p->rank - 1) : 1;
  p->is_well_conditioned = srs_loops_are_well_conditioned(&diagonal, p->rank, least);
  p->is_taken = false;
  p->has_factor = true;
  return SRS_OK;
}

// Applies the rows' impulses to the links: -x, scaled back.
SRS_KERNEL static void push_rows(const srs_projector *p)
{
  const srs_model *m = p->w->model;
  for (int k = 0; k < m->n_links; k++) p->impulse[k] = v6_zero;
  for (int i = 0; i < m->nv; i++) p->tau[i] = 0;
  for (int i = 0; i < p->n; i++) srs_row_push(&p->G[i].row, -p->scale[i] * p->x[i], p->impulse, p->tau);
}

// dv = -M^-1 G^T (G M^-1 G^T)^+ x, x in p->x, unscaled.
static void respond(srs_projector *p)
{
  if (p->is_eliminated) {
    srs_elimination_solve(p->w->elimination, p->x, p->work, p->dv, p->moved);
    return;
  }
  for (int i = 0; i < p->n; i++) p->x[i] *= p->scale[i];
  srs_semidefinite_solve(p->n, p->rank, p->U, p->stride, p->order, p->x, p->work);
  push_rows(p);
  srs_respond(p->w, p->impulse, p->tau, p->dv);
}

// to = integrate(from, -M^-1 G^T (G M^-1 G^T)^+ Theta), the gaps being those at `from`.
static void correct(srs_projector *p, const double *from, double *to)
{
  for (int i = 0; i < p->n; i++) p->x[i] = p->gaps[i];
  respond(p);
  srs_integrate(p->w->model, from, p->dv, 1, to);
}

// The rounding of the gaps: a few roundings of the positions whose differences they are.
static double rounding_of(const srs_workspace *w)
{
  double size = 1;
  for (int k = 0; k < w->model->n_links; k++) {
    const double square = dot(w->place[k].origin, w->place[k].origin);
    if (square > size * size) size = sqrt(square);
  }
  return 1e-15 * size;
}

static void keep_worst(srs_projector *p)
{
  p->gap = 0;
  p->loop = -1;
  for (int i = 0; i < p->n; i++)
    if (!(fabs(p->gaps[i]) <= p->gap)) {
      p->gap = fabs(p->gaps[i]);
      p->loop = p->loop_of_row[i];
    }
}

static double tolerance_for(double gap) { return fmin(fmax(rank_share * gap * gap, least_pivot), most_pivot); }

static void begin_with_step(srs_projector *p)
{
  p->is_taken = false;
  p->is_well_conditioned = p->has_factor = true;
}

// Iterates from q[0], whose largest gap is given, and returns the result in q[0], its largest gap in *gap.
static srs_status iterate(srs_projector *p, double time, double target, double *gap, int *bad_v)
{
  const size_t size = (size_t)p->w->model->nq * sizeof *p->q[0];
  double tolerance = tolerance_for(*gap);
  bool is_stale = true;
  for (int i = 0; i<MOST_ITERATIONS && * gap> target; i++) {
    const bool is_fresh = is_stale && !p->is_taken; // made at this very configuration
    srs_status status = SRS_OK;
    if (is_fresh)
      status = factor(p, time, p->q[0], tolerance, bad_v);
    else if (is_stale)
      begin_with_step(p);
    if (status != SRS_OK) return status;
    correct(p, p->q[0], p->q[1]);
    const double next = evaluate(p, time, p->q[1]);
    is_stale = !(next < 0.1 * *gap);
    if (next < *gap) {
      memcpy(p->q[0], p->q[1], size);
      tolerance = is_fresh && next > 0.5 * *gap ? least_pivot : tolerance_for(next);
      *gap = next;
      if (!p->is_well_conditioned) find_rows(p, time, p->q[0]);
      continue;
    }
    evaluate(p, time, p->q[0]);
    if (!is_fresh) continue;
    if (tolerance <= least_pivot) break;
    tolerance = fmax(1e-3 * tolerance, least_pivot);
  }
  return SRS_OK;
}

srs_status srs_project_closures(srs_projector *p, double time, double *q, int *bad_v)
{
  const size_t size = (size_t)p->w->model->nq * sizeof *q;
  p->evaluations = 0;
  p->has_factor = false;
  double gap = evaluate(p, time, q);
  if (gap > closed) {
    const double target = fmax(closed, rounding_of(p->w));
    memcpy(p->q[0], q, size);
    const srs_status status = iterate(p, time, target, &gap, bad_v);
    if (status != SRS_OK) return status;
    keep_worst(p);
    if (!(gap <= 1e3 * target)) return SRS_ERROR_UNREACHABLE;
    memcpy(q, p->q[0], size);
    return SRS_OK;
  }
  keep_worst(p);
  return SRS_OK;
}

// Puts the errors of the rows' velocities into p->x and returns the largest.
static double velocity_errors(srs_projector *p, const double *v)
{
  double largest = 0;
  srs_move_links(p->w, v);
  for (int i = 0; i < p->n; i++) {
    p->x[i] = srs_row_velocity(&p->rows[i].row, p->w->velocity, v) - p->rows[i].rate;
    if (!(fabs(p->x[i]) <= largest)) largest = fabs(p->x[i]);
  }
  return largest;
}

srs_status srs_project_velocities(srs_projector *p, double time, const double *q, double *v, int *bad_v)
{
  const double gap = evaluate(p, time, q);
  bool is_fresh = !p->has_factor;
  srs_status status = is_fresh ? factor(p, time, q, tolerance_for(gap), bad_v) : SRS_OK;
  if (!is_fresh) find_rows(p, time, q);
  double off = velocity_errors(p, v);
  for (int pass = 0; status == SRS_OK && pass < 8 && off > 0; pass++) {
    respond(p);
    for (int i = 0; i < p->w->model->nv; i++) v[i] += p->dv[i];
    const double before = off;
    off = velocity_errors(p, v);
    if (off < 0.01 * before) continue; // goes on until only rounding is left
    if (is_fresh || off < 1e-13) break;
    is_fresh = true;
    status = factor(p, time, q, tolerance_for(gap), bad_v);
  }
  return status;
}
