// Which contact impulses solve the step? srs_contact_solve: scale, eliminate, solve, recover, certify.
//
//   scale          contacts and rows to a diagonal of about 1, b to length 1
//   eliminate      the bilateral rows
//   solve          by the method asked for (contact/iterate/method.c)
//   recover        the bilateral rows' impulses
//   certify        on the original problem. Where elimination cost accuracy, the error is added to b and the problem is
//                  solved again.
//
// Where none of this leads to an answer, the best impulses are handed back that are no worse than none
// (contact/iterate/admissible.h).
//
// Duplicate contacts are merged first. Problems that need no iteration go to contact/direct/direct.c, problems by
// blocks to contact/large/large.c.
#include "contact/solve/solve.h"
#include "contact/algebra/budget.h"
#include "contact/direct/direct.h"
#include "contact/iterate/admissible.h"
#include "contact/iterate/fallback.h"
#include "contact/iterate/method.h"
#include "contact/iterate/polyhedral.h"
#include "contact/iterate/relaxation.h"
#include "contact/iterate/stages.h"
#include "contact/large/large.h"
#include "contact/problem/certificate.h"
#include "contact/problem/duplicates.h"
#include "contact/problem/scaling.h"
#include "topology/base/reserve.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct srs_contact_solver {
  int capacity, most_unknowns; // rows; unknowns of an LCP
  double *memory;
  int *indices;
  srs_share *shares;
  double *scale, *velocity; // rows of the whole problem
  double *unit, unit_size;  // scale and |S b| rounded to powers of two, so that scaling is exact
  double *warm;             // rows of the cone problem
  int *first;               // where each contact's rows begin there
  srs_fallback fallback;
  srs_polyhedral polyhedral;
  srs_relaxation relaxation; // in the memory of the others
  srs_bilateral bilateral;
  srs_duplicates duplicates;
  srs_sparse sparse;
  srs_large large;       // memory of its own: of problems by blocks
  srs_contact_form form; // of the problem at hand
  srs_allowance allowance;
};

// Matrices and vectors of rows, and of an LCP's unknowns (those of Levenberg-Marquardt serve both).
enum { ROW_MATRICES = 4, ROW_VECTORS = 27, MATRICES = 4, VECTORS = 14 };

// ---- memory ----

static size_t doubles(size_t rows, size_t unknowns)
{
  return ROW_MATRICES * rows * rows + ROW_VECTORS * rows + MATRICES * unknowns * unknowns + VECTORS * unknowns;
}

static void lay_out(srs_contact_solver *s)
{
  const size_t rows = (size_t)srs_dense_stride(s->capacity), unknowns = (size_t)srs_dense_stride(s->most_unknowns);
  double *m = s->memory;
  srs_fallback *l = &s->fallback;
  srs_bilateral *b = &s->bilateral;
  srs_polyhedral *p = &s->polyhedral;
  double **row_matrices[ROW_MATRICES] = {&l->cone.W, &b->U, &s->duplicates.W, &l->cone.packed};
  double **matrices[MATRICES] = {&p->mlcp.lcp.M, &l->lm.J, &l->lm.gram, &l->lm.factor};
  double **row_vectors[ROW_VECTORS - 2] = {&s->scale,
                                           &s->velocity,
                                           &s->warm,
                                           &b->impulse,
                                           &b->y,
                                           &b->w,
                                           &b->c,
                                           &l->x,
                                           &l->w,
                                           &l->z,
                                           &l->swept,
                                           &l->good,
                                           &l->diagonal,
                                           &l->centre,
                                           &l->best,
                                           &l->cone.b,
                                           &l->cone.lower,
                                           &l->cone.upper,
                                           &p->mlcp.turn,
                                           &s->unit,
                                           &s->duplicates.b,
                                           &s->duplicates.friction,
                                           &s->duplicates.impulse,
                                           &s->duplicates.rolling,
                                           &s->duplicates.anisotropy}; // anisotropy: three
  double **vectors[VECTORS - 1] = {&l->lm.x,        &l->lm.r,    &l->lm.trial,   &l->lm.trial_r, &l->lm.gradient,
                                   &l->lm.step,     &l->lm.best, &p->mlcp.lcp.q, &p->z,          &p->lemke.column,
                                   &p->mlcp.offset, &p->mlcp.q,  &l->lm.tall}; // tall: two
  for (int i = 0; i < ROW_MATRICES; i++, m += rows * rows) *row_matrices[i] = m;
  for (int i = 0; i < MATRICES; i++, m += unknowns * unknowns) *matrices[i] = m;
  for (int i = 0; i < ROW_VECTORS - 2; i++, m += rows) *row_vectors[i] = m;
  m += 2 * rows;
  for (int i = 0; i < VECTORS - 1; i++, m += unknowns) *vectors[i] = m;
  b->row = s->indices;
  s->duplicates.place = s->indices + rows;
  s->duplicates.count = s->indices + 2 * rows;
  s->duplicates.row = s->indices + 3 * rows;
  s->duplicates.tangents = (unsigned char *)(s->indices + 4 * rows);
  s->first = s->indices + 5 * rows;
  l->lm.pivot = s->first + rows + 1;
  p->lemke.row = l->lm.pivot + unknowns;
  p->lemke.place = p->lemke.row + unknowns;
  p->lemke.pivot = l->lm.pivot;
  p->lemke.tableau = l->lm.J; // a few columns wider than a matrix: it reaches into gram, which Lemke does not use
  p->lemke.factor = l->lm.factor;
  const srs_sparse_room room = srs_sparse_usual_room(s->capacity);
  srs_sparse_lay_out(&s->sparse, &room, p->lemke.place + 2 * unknowns + 1, m);
  l->lm.left = &l->left;
  l->lm.sparse = NULL;
  p->lm = l->lm;
  p->mlcp.shares = s->shares;
  l->polyhedral = p;
  s->relaxation = (srs_relaxation){.polyhedron = &p->mlcp.polyhedron,
                                   .normal = p->lemke.row,
                                   .tangent = s->shares,
                                   .free = l->lm.pivot,
                                   .place = p->lemke.place,
                                   .z = p->z,
                                   .L = l->lm.factor,
                                   .u = l->lm.x,
                                   .step = l->lm.step,
                                   .y = l->swept,
                                   .x = l->x,
                                   .w = l->w,
                                   .ahead = l->z};
  l->relaxation = &s->relaxation;
}

srs_status srs_contact_solver_reserve_directions(srs_contact_solver *s, int n_rows, int n_directions, srs_error *error)
{
  if (s == NULL) return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "no solver: create one first");
  if (n_rows < 0 || n_rows > SRS_CONTACT_MOST_ROWS)
    return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "a contact problem of %d rows: 0 to %d are possible", n_rows,
                            SRS_CONTACT_MOST_ROWS);
  if (n_directions < 4 || n_directions > SRS_CONTACT_DIRECTIONS_MOST || n_directions % 2 != 0)
    return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "%d friction directions: take an even number from 4 to %d",
                            n_directions, SRS_CONTACT_DIRECTIONS_MOST);
  const int rows = n_rows > s->capacity ? n_rows : s->capacity;
  const int needed = (n_rows + 2) / 3 * (n_directions + 2); // at least two unknowns a row: box rows need that many
  const int unknowns = needed > s->most_unknowns ? needed : s->most_unknowns;
  if (rows == s->capacity && unknowns == s->most_unknowns) return SRS_OK;
  const size_t row_stride = (size_t)srs_dense_stride(rows), stride = (size_t)srs_dense_stride(unknowns) + 8;
  const srs_sparse_room room = srs_sparse_usual_room(rows);
  double *memory = srs_reserve_unused(doubles(row_stride, stride) + srs_sparse_doubles(&room), sizeof *memory);
  int *indices = srs_reserve_unused(6 * row_stride + 5 * stride + 2 + srs_sparse_integers(&room), sizeof *indices);
  srs_share *shares = srs_reserve_unused(stride, sizeof *shares);
  if (memory == NULL || indices == NULL || shares == NULL || !srs_dense_warm_up(unknowns)) {
    srs_release(memory);
    srs_release(indices);
    srs_release(shares);
    return srs_contact_fail(error, SRS_ERROR_MEMORY, "no memory for contact problems of %d rows", n_rows);
  }
  srs_release(s->memory);
  srs_release(s->indices);
  srs_release(s->shares);
  s->memory = memory, s->indices = indices, s->shares = shares, s->capacity = rows, s->most_unknowns = unknowns;
  lay_out(s);
  return SRS_OK;
}

srs_status srs_contact_solver_reserve(srs_contact_solver *s, int n_rows, srs_error *error)
{
  return srs_contact_solver_reserve_directions(s, n_rows, 4, error);
}

srs_status srs_contact_solver_reserve_blocks(srs_contact_solver *s, const srs_contact_sizes *sizes, srs_error *error)
{
  if (s == NULL || sizes == NULL) return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "no solver, or no sizes");
  if (srs_dense_warm_up(sizes->n_rows) && srs_large_reserve(&s->large, sizes)) return SRS_OK;
  return srs_contact_fail(error, SRS_ERROR_MEMORY, "no memory for contact problems of %d rows", sizes->n_rows);
}

bool srs_contact_solver_has_room(const srs_contact_solver *s, const srs_contact_sizes *sizes)
{
  return srs_large_has_room(&s->large, sizes);
}

srs_status srs_contact_solver_create(int n_rows, srs_contact_solver **solver, srs_error *error)
{
  if (solver == NULL) return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "nowhere to put the solver");
  srs_contact_solver *s = calloc(1, sizeof *s);
  if (s == NULL) return srs_contact_fail(error, SRS_ERROR_MEMORY, "no memory for a contact solver");
  s->capacity = s->most_unknowns = -1;
  const srs_status status = srs_contact_solver_reserve(s, n_rows, error);
  if (status != SRS_OK) {
    srs_contact_solver_destroy(s);
    return status;
  }
  *solver = s;
  return SRS_OK;
}

void srs_contact_solver_destroy(srs_contact_solver *solver)
{
  if (solver == NULL) return;
  srs_release(solver->memory);
  srs_release(solver->indices);
  srs_release(solver->shares);
  srs_large_release(&solver->large);
  free(solver);
}

// ---- options ----

static bool is_polyhedral(const srs_contact_options *options)
{
  return srs_methods[options->method].family != SRS_FAMILY_CONE;
}

static srs_status check_options(const srs_contact_options *o)
{
  const bool is_fine = o->tolerance > 0 && o->max_iterations > 0 && o->most_work > 0 && (int)o->method >= 0 &&
                       (int)o->method < SRS_CONTACT_METHODS && o->n_directions >= 4 &&
                       o->n_directions <= SRS_CONTACT_DIRECTIONS_MOST && o->n_directions % 2 == 0 &&
                       isfinite(o->direction_angle) && o->penalty_weight > 0 && o->penalty_weight <= 1;
  return is_fine ? SRS_OK : SRS_ERROR_ARGUMENT;
}

// ---- the whole problem ----

static int unknowns_of(const srs_contact_problem *p, int n_directions)
{
  int n = p->n_unilateral + 2 * p->n_box;
  for (int c = 0; c < p->n_contacts; c++) n += srs_mlcp_contact_unknowns(srs_contact_tangents(p, c), n_directions);
  return n;
}

const srs_bilateral *srs_contact_bilateral(const srs_contact_solver *solver) { return &solver->bilateral; }

static void report_rank(const srs_contact_solver *s, srs_contact_report *report)
{
  report->bilateral_rank = s->bilateral.rank;
  report->bilateral_weakest = s->bilateral.weakest;
  report->bilateral_pivot = s->bilateral.weakest >= 0 ? s->bilateral.least_own : INFINITY;
}

// Sizes of the parts for this problem; zeroes vectors' padding, which may be left from a larger problem.
static void begin(srs_contact_solver *s, const srs_contact_problem *p)
{
  srs_fallback *l = &s->fallback;
  const int n = srs_contact_problem_rows(p) - p->n_bilateral;
  l->cone.n = n, l->cone.stride = srs_dense_stride(n);
  l->cone.n_contacts = p->n_contacts, l->cone.n_unilateral = p->n_unilateral, l->cone.n_box = p->n_box;
  l->cone.friction = p->friction;
  l->cone.first = p->tangents == NULL ? NULL : srs_contact_first_rows(p, s->first);
  s->bilateral.n = p->n_bilateral, s->bilateral.stride = srs_dense_stride(p->n_bilateral);
  double *padded[] = {l->x, l->swept, l->lm.x, l->lm.step, l->lm.gradient};
  for (size_t i = 0; i < sizeof padded / sizeof *padded; i++)
    for (int j = n; j < l->cone.stride; j++) padded[i][j] = 0;
}

static void set_units(srs_contact_solver *s, const srs_contact_problem *p, double tolerance, double size)
{
  srs_fallback *l = &s->fallback;
  srs_scaling_make(p, s->scale, size, s->unit, &s->unit_size);
  const srs_scaling_tolerances t = srs_scaling_find_tolerances(p, s->scale, size, s->unit, s->unit_size, tolerance);
  l->answer = t.answer, l->enough = t.enough, l->goal = t.goal;
}

static const srs_polyhedron *polyhedron_of(const srs_contact_solver *s, const srs_contact_options *options)
{
  return is_polyhedral(options) ? &s->polyhedral.mlcp.polyhedron : NULL;
}

// The cone problem's x back to the problem's units, and measured.
static void finish(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options, double size,
                   const double *x, double *impulse, srs_contact_report *report)
{
  srs_fallback *l = &s->fallback;
  const int first = p->n_bilateral;
  if (first > 0) srs_bilateral_recover(p, s->unit, s->unit_size, &s->bilateral, x, l->lm.J, l->lm.gram);
  for (int i = 0; i < first; i++) impulse[i] = s->unit[i] * s->unit_size * s->bilateral.impulse[i];
  for (int i = 0; i < l->cone.n; i++) impulse[first + i] = s->unit[first + i] * s->unit_size * x[i];
  srs_contact_measure(p, &s->form, s->scale, size, polyhedron_of(s, options), impulse, s->velocity, report);
}

static srs_method_parts parts_of(srs_contact_solver *s)
{
  return (srs_method_parts){&s->fallback, &s->polyhedral, &s->relaxation};
}

// Elimination cost accuracy: adds to b the difference of the actual velocities from the cone problem's.
static void correct(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options,
                    double size, double *impulse, srs_contact_report *report)
{
  srs_fallback *l = &s->fallback;
  const srs_method_parts parts = parts_of(s);
  const int first = p->n_bilateral;
  for (int pass = 0; pass < 3 && report->residual > options->tolerance; pass++) {
    const double before = report->residual;
    memcpy(l->x, l->best, sizeof *l->x * (size_t)l->cone.n);
    srs_cone_velocity(&l->cone, l->x, l->w);
    for (int i = 0; i < l->cone.n; i++)
      l->cone.b[i] += s->unit[first + i] * s->velocity[first + i] / s->unit_size - l->w[i];
    srs_methods[options->method].again(&parts);
    finish(s, p, options, size, l->best, impulse, report);
    if (report->residual > 0.5 * before) break;
  }
}

// Large sparse problems are solved by sparse elimination.
static void find_pattern(srs_contact_solver *s)
{
  srs_fallback *l = &s->fallback;
  l->cone.sparse = l->lm.sparse = NULL;
  if (l->cone.n < SRS_SPARSE_FROM || s->sparse.capacity == 0 || srs_cone_is_wide(&l->cone, SRS_NODE_MOST)) return;
  const int n_nodes = l->cone.n_contacts + l->cone.n_unilateral + l->cone.n_box;
  for (int c = 0; c < l->cone.n_contacts; c++) s->sparse.first[c] = srs_cone_first(&l->cone, c);
  for (int i = l->cone.n_contacts, row = srs_cone_scalars(&l->cone); i <= n_nodes; i++) s->sparse.first[i] = row++;
  const size_t room = 2 * (size_t)l->cone.stride * (size_t)l->cone.stride;
  if (!srs_sparse_analyse(&s->sparse, n_nodes, l->cone.W, l->cone.stride, room)) return;
  srs_sparse_pack(&s->sparse, l->cone.W, l->cone.stride, l->cone.packed);
  l->cone.sparse = l->lm.sparse = &s->sparse;
}

// Near misses at which the search stopped as its own units say that rounding is the obstacle, and the certificate's do
// not: goes on, with some of what is left. Where rounding is the obstacle, other impulses are searched for, unless
// those handed in were as large: then bodies under heavy ones mean them.
static void go_on(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options, bool is_warm,
                  double size, double *impulse, srs_contact_report *report)
{
  srs_fallback *l = &s->fallback;
  const srs_method *method = &srs_methods[options->method];
  const srs_method_parts parts = parts_of(s);
  const double before = report->residual, most = 1e9, near = 1e-9, unused = fmax(l->left - most, 0);
  srs_contact_set_status(p, s->scale, size, options->tolerance, impulse, report);
  if (report->status == SRS_CONTACT_SOLVED || !(before <= near) || !(l->left > 0)) return;
  const bool is_rounding = report->status == SRS_CONTACT_STAGNATED;
  if (is_rounding && (method->family != SRS_FAMILY_CONE || l->last_stage < SRS_STAGE_SOFTENED ||
                      !srs_stage_is_large(l, l->best) || (is_warm && srs_stage_is_large(l, s->warm))))
    return;
  memcpy(s->warm, l->best, sizeof *l->best * (size_t)l->cone.n);
  l->is_strict = true;
  if (is_rounding) {
    srs_fallback_avoid_large(l);
  } else {
    l->left -= unused;
    method->solve(&parts, s->warm);
    l->left += unused;
  }
  finish(s, p, options, size, l->best, impulse, report);
  if (!(report->residual > before)) return;
  memcpy(l->best, s->warm, sizeof *l->best * (size_t)l->cone.n);
  finish(s, p, options, size, l->best, impulse, report);
}

static void solve_general(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options,
                          bool is_warm, double size, double *impulse, srs_contact_report *report)
{
  const srs_method *method = &srs_methods[options->method];
  const srs_method_parts parts = parts_of(s);
  srs_fallback *l = &s->fallback;
  const int first = p->n_bilateral;
  begin(s, p);
  l->max_iterations = options->max_iterations;
  l->last_stage = options->last_stage;
  l->minimise = method->minimise;
  s->polyhedral.mlcp.weight = method->is_penalised ? options->penalty_weight : 1;
  srs_polyhedron_make(4, 0, &s->polyhedral.mlcp.polyhedron);
  l->stage = SRS_STAGE_COLD;
  l->is_strict = l->avoids_large = false;
  l->iterations = 0;
  set_units(s, p, options->tolerance, size);
  srs_bilateral_eliminate(p, s->unit, s->unit_size, &s->bilateral, &l->cone, l->lm.J);
  find_pattern(s);
  for (int i = 0; is_warm && i < l->cone.n; i++) s->warm[i] = impulse[first + i] / (s->unit[first + i] * s->unit_size);
  if (l->cone.n > 0 && is_polyhedral(options))
    srs_polyhedron_make(options->n_directions, options->direction_angle, &s->polyhedral.mlcp.polyhedron);
  if (l->cone.n > 0) method->solve(&parts, is_warm ? s->warm : NULL);
  finish(s, p, options, size, l->best, impulse, report);
  if (l->cone.n > 0) go_on(s, p, options, is_warm, size, impulse, report);
  if (first > 0 && l->cone.n > 0) correct(s, p, options, size, impulse, report);
  report_rank(s, report);
  report->contraction = method->family == SRS_FAMILY_FIXED_POINT ? s->relaxation.contraction : 0;
  report->stage = l->stage;
  report->iterations = l->iterations;
}

static srs_status check_call(srs_contact_solver *solver, const srs_contact_problem *problem, const double *impulse,
                             srs_contact_report *report)
{
  if (solver == NULL || problem == NULL || report == NULL) return SRS_ERROR_ARGUMENT;
  srs_contact_report_clear(report);
  const srs_status status = srs_contact_problem_check(problem, &solver->form);
  if (status != SRS_OK) return status;
  const int n = solver->form.n;
  if (n > (problem->blocks == NULL ? solver->capacity : solver->large.interior.most_rows)) return SRS_ERROR_CAPACITY;
  return n > 0 && impulse == NULL ? SRS_ERROR_ARGUMENT : SRS_OK;
}

static bool is_finite(const double *x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0 * x[i];
  return sum == 0;
}

// The certificate of `impulse`, from the problem alone.
static void certify(srs_contact_solver *s, const srs_contact_problem *problem, const srs_contact_options *options,
                    const double *impulse, srs_contact_report *report)
{
  double *scale = problem->blocks == NULL ? s->scale : s->large.interior.scale;
  double *velocity = problem->blocks == NULL ? s->velocity : s->large.interior.velocity;
  srs_contact_scales(problem, &s->form, scale);
  double size = srs_contact_size(s->form.n, problem->b, scale);
  if (size == 0) size = 1; // then only zero is an answer
  srs_contact_measure(problem, &s->form, scale, size, polyhedron_of(s, options), impulse, velocity, report);
  srs_contact_set_status(problem, scale, size, options->tolerance, impulse, report);
}

// ---- work ----

static void begin_work(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options)
{
  const double unknowns = is_polyhedral(options) ? unknowns_of(p, options->n_directions) : 0;
  const double fixed = srs_fixed_work(s->form.n, p->n_bilateral, unknowns);
  s->allowance = srs_allow(options->most_work, fixed, srs_cube(s->form.n - p->n_bilateral) / 3, srs_usual_work);
  s->fallback.left = srs_allowance_search(&s->allowance);
}

static void end_work(const srs_contact_solver *s, srs_contact_report *report)
{
  report->work = s->allowance.most - s->allowance.held - s->fallback.left;
  report->most_work = s->allowance.most;
}

// True where that is a solution.
static bool solve_directly(srs_contact_solver *s, const srs_contact_problem *problem,
                           const srs_contact_options *options, double *impulse, srs_contact_report *report)
{
  const srs_contact_form *form = &s->form;
  if (is_polyhedral(options) || problem->n_bilateral + problem->n_unilateral + problem->n_box > 0) return false;
  srs_contact_scales(problem, form, s->scale);
  const double size = srs_contact_size(form->n, problem->b, s->scale);
  if (size == 0) return false;
  const int iterations = srs_contact_direct(problem, form, s->scale, size, s->warm);
  if (iterations < 0) return false;
  srs_contact_measure(problem, form, s->scale, size, NULL, s->warm, s->velocity, report);
  if (!(report->residual <= options->tolerance)) return false;
  memcpy(impulse, s->warm, sizeof *impulse * (size_t)form->n);
  report->iterations = iterations;
  report->stage = SRS_STAGE_COLD;
  return true;
}

static void solve_problem(srs_contact_solver *s, const srs_contact_problem *problem, const srs_contact_options *options,
                          bool is_warm, double *impulse, srs_contact_report *report)
{
  const int n = s->form.n;
  srs_contact_scales(problem, &s->form, s->scale);
  const double size = srs_contact_size(n, problem->b, s->scale);
  if (size == 0) {
    for (int i = 0; i < n; i++) impulse[i] = s->velocity[i] = 0;
    begin(s, problem);
    srs_bilateral_eliminate(problem, s->scale, 1, &s->bilateral, &s->fallback.cone, s->fallback.lm.J);
    report_rank(s, report);
    return;
  }
  solve_general(s, problem, options, is_warm, size, impulse, report);
  srs_contact_set_status(problem, s->scale, size, options->tolerance, impulse, report);
}

// ---- no answer ----

typedef struct trial {
  srs_contact_solver *solver;
  const srs_contact_problem *problem;
  const srs_contact_options *options;
  double size;
  double *impulse;
  srs_contact_report *report; // what it measures
} trial;

// The residual of the other rows than the bilateral: what these contradict each other by, no impulses change.
static double measure_trial(void *data, const double *x)
{
  const trial *t = data;
  const srs_contact_solver *s = t->solver;
  finish(t->solver, t->problem, t->options, t->size, x, t->impulse, t->report);
  double square = t->report->residual * t->report->residual;
  for (int i = 0; i < t->problem->n_bilateral; i++) {
    const double defect = s->scale[i] * s->velocity[i] / t->size;
    square -= defect * defect;
  }
  return sqrt(fmax(square, 0));
}

// The best impulses that are no worse than none in place of those that a method ended with.
static void hold_back(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options,
                      double *impulse, srs_contact_report *report)
{
  srs_fallback *l = &s->fallback;
  const int first = p->n_bilateral;
  srs_contact_scales(p, &s->form, s->scale);
  const double size = srs_contact_size(s->form.n, p->b, s->scale);
  trial t = {s, p, options, size, impulse, report};
  srs_admissible admissible = {
      .fallback = l, .polyhedron = polyhedron_of(s, options), .measure = measure_trial, .data = &t};
  admissible.work = srs_measure_work(s->form.n, p->n_bilateral, s->bilateral.rank);
  begin(s, p);
  set_units(s, p, options->tolerance, size);
  srs_bilateral_eliminate(p, s->unit, s->unit_size, &s->bilateral, &l->cone, l->lm.J);
  find_pattern(s);
  for (int i = 0; i < l->cone.n; i++) s->warm[i] = impulse[first + i] / (s->unit[first + i] * s->unit_size);
  l->iterations = report->iterations;
  l->left += s->allowance.held;
  s->allowance.held = 0;
  srs_admissible_begin(&admissible);
  srs_admissible_offer(&admissible, s->warm);
  srs_admissible_sweep(&admissible);
  srs_admissible_soften(&admissible);
  srs_admissible_descend(&admissible);
  finish(s, p, options, size, l->best, impulse, report);
  srs_contact_set_status(p, s->scale, size, options->tolerance, impulse, report);
  report->iterations = l->iterations;
}

// Where what was found cannot be measured, none are handed back, in bilateral rows either: true where these cannot be
// measured, too.
static bool overflows(srs_contact_solver *s, const srs_contact_problem *p, const srs_contact_options *options,
                      double *impulse, srs_contact_report *report)
{
  const int n = s->form.n;
  if (srs_contact_is_finite(n, impulse, s->velocity, report)) return false;
  memset(impulse, 0, sizeof *impulse * (size_t)n);
  certify(s, p, options, impulse, report);
  return !srs_contact_is_finite(n, impulse, s->velocity, report);
}

srs_status srs_contact_solve(srs_contact_solver *s, const srs_contact_problem *problem,
                             const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                             srs_contact_report *report)
{
  srs_contact_options standard;
  if (options == NULL) standard = srs_default_contact_options(), options = &standard;
  const srs_status status = check_call(s, problem, impulse, report);
  if (status != SRS_OK) return status;
  if (check_options(options) != SRS_OK) return SRS_ERROR_ARGUMENT;
  if (is_warm && !is_finite(impulse, s->form.n)) return SRS_ERROR_NOT_FINITE;
  if (problem->blocks != NULL)
    return srs_large_solve(&s->large, problem, &s->form, options, is_warm, impulse, velocity, report);
  if (is_polyhedral(options) && unknowns_of(problem, options->n_directions) > s->most_unknowns)
    return SRS_ERROR_CAPACITY;
  const int n = s->form.n;
  report->status = SRS_CONTACT_SOLVED;
  if (n == 0) return SRS_OK;

  begin_work(s, problem, options);
  if (solve_directly(s, problem, options, impulse, report)) {
    // certified already
  } else if (problem->n_contacts < 2 || !srs_duplicates_find(problem, &s->duplicates)) {
    solve_problem(s, problem, options, is_warm, impulse, report);
  } else {
    const srs_contact_problem merged = srs_duplicates_merge(problem, &s->duplicates);
    const srs_contact_form whole = s->form;
    s->form.n = srs_contact_problem_rows(&merged);
    if (is_warm) srs_duplicates_gather(problem, &s->duplicates, impulse);
    solve_problem(s, &merged, options, is_warm, s->duplicates.impulse, report);
    const bool is_solved = report->status == SRS_CONTACT_SOLVED;
    srs_duplicates_spread(problem, &s->duplicates, impulse);
    s->form = whole;
    certify(s, problem, options, impulse, report);
    if (is_solved && report->status != SRS_CONTACT_SOLVED) // duplicates differed by rounding, and that matters
      solve_problem(s, problem, options, true, impulse, report);
  }
  if (report->status == SRS_CONTACT_UNSOLVED) hold_back(s, problem, options, impulse, report);
  const bool is_overflow = srs_contact_may_overflow(report) && overflows(s, problem, options, impulse, report);
  if (is_overflow) report->status = SRS_CONTACT_NOT_FINITE;
  end_work(s, report);
  if (velocity != NULL) memcpy(velocity, s->velocity, sizeof *velocity * (size_t)n);
  return is_overflow ? SRS_ERROR_DIVERGED : SRS_OK;
}

srs_status srs_contact_certify(srs_contact_solver *s, const srs_contact_problem *problem, const double *impulse,
                               srs_contact_report *report)
{
  const srs_status status = check_call(s, problem, impulse, report);
  if (status != SRS_OK) return status;
  const int n = s->form.n;
  if (!is_finite(impulse, n)) return SRS_ERROR_NOT_FINITE;
  report->status = SRS_CONTACT_SOLVED;
  if (n == 0) return SRS_OK;
  const srs_contact_options standard = srs_default_contact_options();
  certify(s, problem, &standard, impulse, report);
  return SRS_OK;
}
