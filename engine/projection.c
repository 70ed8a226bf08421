// Which configuration next to this one closes the loops?
//
// Newton's method on Theta(q) = 0 with the correction that is least in the metric of kinetic energy,
//
//   q <- integrate(q, -M^-1 G^T x),   (G M^-1 G^T) x = Theta
//
// rows scaled to a diagonal of 1. A step leaves gaps of h^2, so the matrix of the first iteration serves the later ones
// too (their gaps shrink by a factor of order |Theta|); it is made anew only where gaps stop shrinking fast.
//
// Away from a closed configuration rows that depend on each other there (Bennett's linkage, parallel hinges) depend
// only nearly: their pivots are of the order of |Theta|^2, and dividing by them would throw the mechanism about. So
// pivots below rank_share * |Theta|^2 count as zero, and where that shrinks no gap, fewer do.

#include "engine/projection.h"
#include "engine/operational_space.h"
#include "engine/semidefinite.h"
#include "topology/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 30, ALIGNMENT = 64 };

static const double closed = 1e-12; // m, rad

// Of pivots, the diagonal being 1: the least that counts, the most that does not, and rank_share per m^2 or rad^2.
static const double least_pivot = 1e-12, most_pivot = 1e-4, rank_share = 1e3;

struct srs_projector {
  srs_workspace *w;
  int n;                    // rows
  srs_closure_row *rows;    // n
  srs_step_row *step;       // n
  srs_row *sides;           // 2 n
  v6 *impulse;              // n_links
  double *lambda;           // 2 n x 2 n
  double *W;                // n x n
  double *scale, *x, *work; // n each
  double *tau, *dv;         // nv each
  double *q[2];             // nq each: the best so far, the next
  int *order;               // n
  int rank;
  double gap;
  int loop, evaluations;
  void *memory;
};

static void *take(char *base, size_t *used, size_t count, size_t size)
{
  void *at = base != NULL ? base + *used : NULL;
  *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return at;
}

static size_t lay_out(srs_projector *p, char *base)
{
  const srs_model *m = p->w->model;
  const size_t n = (size_t)p->n, nv = (size_t)m->nv, sides = 2 * n; // a loop's rows have two at most
  size_t used = 0;
  p->rows = take(base, &used, n, sizeof *p->rows);
  p->step = take(base, &used, n, sizeof *p->step);
  p->sides = take(base, &used, sides, sizeof *p->sides);
  p->impulse = take(base, &used, (size_t)m->n_links, sizeof *p->impulse);
  p->lambda = take(base, &used, sides * sides, sizeof *p->lambda);
  p->W = take(base, &used, n * n, sizeof *p->W);
  p->scale = take(base, &used, n, sizeof *p->scale);
  p->x = take(base, &used, n, sizeof *p->x);
  p->work = take(base, &used, n, sizeof *p->work);
  p->tau = take(base, &used, nv, sizeof *p->tau);
  p->dv = take(base, &used, nv, sizeof *p->dv);
  p->q[0] = take(base, &used, (size_t)m->nq, sizeof *p->q[0]);
  p->q[1] = take(base, &used, (size_t)m->nq, sizeof *p->q[1]);
  p->order = take(base, &used, n, sizeof *p->order);
  return used;
}

srs_status srs_projector_create(srs_workspace *w, srs_projector **projector)
{
  *projector = NULL;
  const int n = w->model->n_loop_rows;
  if (n == 0) return SRS_OK;
  srs_status status = srs_workspace_reserve_rows(w, 2 * n);
  if (status != SRS_OK) return status;
  srs_projector *p = calloc(1, sizeof *p);
  if (p != NULL) {
    p->w = w;
    p->n = n;
    const size_t size = lay_out(p, NULL);
    p->memory = aligned_alloc(ALIGNMENT, size);
    if (p->memory != NULL) {
      memset(p->memory, 0, size);
      lay_out(p, p->memory);
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
  free(p->memory);
  free(p);
}

double srs_projection_gap(const srs_projector *p) { return p->gap; }
int srs_projection_loop(const srs_projector *p) { return p->loop; }
int srs_projection_evaluations(const srs_projector *p) { return p->evaluations; }

// ---------------------------------------------------------------------------------------------------------------------
// Newton's method
// ---------------------------------------------------------------------------------------------------------------------

// Gaps at a configuration; returns the largest.
static double evaluate(srs_projector *p, double time, const double *q)
{
  srs_place_links(p->w, q);
  srs_closure_rows(p->w, q, time, p->rows);
  p->evaluations++;
  return srs_largest_gap(p->rows, p->n);
}

// The matrix at the links' places and its factor.
static srs_status factor(srs_projector *p, double tolerance, int *bad_v)
{
  const size_t n = (size_t)p->n;
  double none;
  const srs_status status = srs_lambda(p->w, NULL, 0, NULL, &none, bad_v); // the pivots alone
  if (status != SRS_OK) return status;
  for (int i = 0; i < p->n; i++) p->step[i] = p->rows[i].row;
  srs_rows_matrix(p->w, p->step, p->n, p->sides, p->lambda, p->W);
  for (size_t i = 0; i < n; i++) p->scale[i] = p->W[i * (n + 1)] > 0 ? 1 / sqrt(p->W[i * (n + 1)]) : 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) p->W[i * n + j] *= p->scale[i] * p->scale[j];
  p->rank = srs_semidefinite_factor(p->n, p->W, p->order, tolerance);
  return SRS_OK;
}

// to = integrate(from, -M^-1 G^T x), the rows' gaps being those at `from`.
static void correct(srs_projector *p, const double *from, double *to)
{
  const srs_model *m = p->w->model;
  for (int i = 0; i < p->n; i++) p->x[i] = p->scale[i] * p->rows[i].gap;
  srs_semidefinite_solve(p->n, p->rank, p->W, p->order, p->x, p->work);
  for (int k = 0; k < m->n_links; k++) p->impulse[k] = v6_zero;
  for (int i = 0; i < m->nv; i++) p->tau[i] = 0;
  for (int i = 0; i < p->n; i++) srs_row_push(&p->rows[i].row, -p->scale[i] * p->x[i], p->impulse, p->tau);
  srs_respond(p->w, p->impulse, p->tau, p->dv);
  srs_integrate(m, from, p->dv, 1, to);
}

// Rounding of the gaps: some roundings of the places they are differences of.
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
    if (!(fabs(p->rows[i].gap) <= p->gap)) {
      p->gap = fabs(p->rows[i].gap);
      p->loop = p->rows[i].closure;
    }
}

static double tolerance_for(double gap) { return fmin(fmax(rank_share * gap * gap, least_pivot), most_pivot); }

// From q[0], whose largest gap is given, to q[0], whose gap is returned.
static srs_status iterate(srs_projector *p, double time, double target, double *gap, int *bad_v)
{
  const size_t size = (size_t)p->w->model->nq * sizeof *p->q[0];
  double tolerance = tolerance_for(*gap);
  bool is_stale = true;
  for (int i = 0; i<MOST_ITERATIONS && * gap> target; i++) {
    const bool is_fresh = is_stale;
    srs_status status = SRS_OK;
    if (is_stale) status = factor(p, tolerance, bad_v);
    if (status != SRS_OK) return status;
    correct(p, p->q[0], p->q[1]);
    const double next = evaluate(p, time, p->q[1]);
    is_stale = !(next < 0.1 * *gap);
    if (next < *gap) {
      memcpy(p->q[0], p->q[1], size);
      tolerance = is_fresh && next > 0.5 * *gap ? least_pivot : tolerance_for(next);
      *gap = next;
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
