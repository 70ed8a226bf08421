// Solver of mixed complementarity problems, given by callbacks (mcp.h).
//
//   l <= z <= u,   F_i >= 0 where z_i = l_i,   F_i <= 0 where z_i = u_i,   F_i = 0 between
//
// As equations, with phi of contact/algebra/ncp_function.h, whose zeros are a >= 0, b >= 0, a b = 0:
//
//   no bound    r = F                            lower bound   r = phi(z - l, F)
//   upper       r = -phi(u - z, -F)              both          r = phi(z - l, -phi(u - z, -F))      (Billups 1995)
//   l = u       r = z - l
//
// Row i of dr/dz is A e_i + B dF_i/dz, with A and B from the slopes of phi. Where phi has its kink, at (0, 0), its
// B-subdifferential has the slopes along a direction: y = 1 in the rows at their kinks, 0 in others (MJ eq. 45).
// A search can end at a stationary point, usually with the wrong rows at their bounds. Then phi is smoothed, which
// relaxes that choice: a + b - sqrt(a^2 + b^2 + 2 m^2), whose zeros are a b = m^2, a, b > 0, for m that falls by steps
// (Kanzow 1996).
//
// contact/algebra/levenberg_marquardt.c solves the equations; the certificate is the natural map z - mid(l, u, z - F).
#include "contact/algebra/dense.h"
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/algebra/ncp_function.h"
#include "contact/problem/problem.h"
#include <sarrus/mcp.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 10000 }; // unknowns

struct srs_mcp_solver {
  int capacity;
  srs_lm_memory lm;
  double *F, *start, *other; // stride each
  unsigned char *at_kink;    // capacity
  double *memory;
};

// The problem as the equations see it.
typedef struct reformulation {
  const srs_mcp *problem;
  srs_mcp_solver *solver;
  double weight; // 1: Fischer-Burmeister without penalty
  int stride;
  double smoothing; // m; 0: none
} reformulation;

// ---------------------------------------------------------------------------------------------------------------------
// The equations
// ---------------------------------------------------------------------------------------------------------------------

static double phi(const reformulation *e, double a, double b)
{
  return e->smoothing > 0 ? a + b - sqrt(a * a + b * b + 2 * e->smoothing * e->smoothing)
                          : srs_penalised_fb(e->weight, a, b);
}

static double equation(const reformulation *e, double lower, double upper, double z, double F)
{
  if (lower == upper) return z - lower;
  if (isinf(lower)) return isinf(upper) ? F : -phi(e, upper - z, -F);
  return phi(e, z - lower, isinf(upper) ? F : -phi(e, upper - z, -F));
}

static void residual(const void *data, const double *z, double *x, double *r)
{
  const reformulation *e = data;
  const srs_mcp *p = e->problem;
  (void)x;
  p->function(p->data, z, e->solver->F);
  for (int i = 0; i < p->n; i++) r[i] = equation(e, p->lower[i], p->upper[i], z[i], e->solver->F[i]);
}

// Slopes of phi; at its kink along (along_a, along_b).
static void slopes(const reformulation *e, double a, double b, double along_a, double along_b, double *by_a,
                   double *by_b)
{
  if (e->smoothing > 0) {
    const double inverse = 1 / sqrt(a * a + b * b + 2 * e->smoothing * e->smoothing);
    *by_a = 1 - a * inverse, *by_b = 1 - b * inverse;
  } else if (a != 0 || b != 0) {
    srs_penalised_fb_slopes(e->weight, a, b, by_a, by_b);
  } else {
    srs_penalised_fb_slopes(e->weight, along_a, along_b, by_a, by_b);
  }
}

static bool is_at_kink(double lower, double upper, double z, double F)
{
  return F == 0 && lower != upper && (z == lower || z == upper);
}

// A and B of a row whose F grows by `along` in the direction that counts at kinks.
static void row_slopes(const reformulation *e, double lower, double upper, double z, double F, double along, double *A,
                       double *B)
{
  *A = 0, *B = 1;
  if (lower == upper) {
    *A = 1, *B = 0;
    return;
  }
  double inner = F; // -phi(u - z, -F) where there is an upper bound
  if (!isinf(upper)) {
    inner = -phi(e, upper - z, -F);
    slopes(e, upper - z, -F, -1, -along, A, B);
  }
  if (isinf(lower)) return;
  const double inner_A = *A, inner_B = *B;
  double by_a, by_b;
  slopes(e, z - lower, inner, 1, inner_A + inner_B * along, &by_a, &by_b);
  *A = by_a + by_b * inner_A, *B = by_b * inner_B;
}

static void jacobian(const void *data, const double *z, double *J)
{
  const reformulation *e = data;
  const srs_mcp *p = e->problem;
  const double *F = e->solver->F;
  const size_t stride = (size_t)e->stride;
  p->function(p->data, z, e->solver->F);
  memset(J, 0, sizeof *J * (size_t)p->n * stride);
  p->jacobian(p->data, z, J, e->stride);
  for (int i = 0; i < p->n; i++) e->solver->at_kink[i] = is_at_kink(p->lower[i], p->upper[i], z[i], F[i]);
  for (int i = 0; i < p->n; i++) {
    double *row = J + (size_t)i * stride, along = 0, A, B;
    if (isinf(p->lower[i]) && isinf(p->upper[i])) continue;
    for (int j = 0; e->solver->at_kink[i] && j < p->n; j++) along += e->solver->at_kink[j] ? row[j] : 0;
    row_slopes(e, p->lower[i], p->upper[i], z[i], F[i], along, &A, &B);
    for (int j = 0; j < p->n; j++) row[j] *= B;
    row[i] += A;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

static double *take(double **next, size_t count)
{
  double *at = *next;
  *next += count;
  return at;
}

static void lay_out(srs_mcp_solver *s, int n)
{
  const size_t stride = (size_t)srs_dense_stride(n), square = stride * stride;
  double *next = s->memory;
  s->lm.J = take(&next, square);
  s->lm.gram = take(&next, square);
  s->lm.factor = take(&next, square); // right behind gram
  double **const vectors[] = {&s->lm.x,    &s->lm.r,    &s->lm.trial, &s->lm.trial_r, &s->lm.gradient,
                              &s->lm.step, &s->lm.best, &s->F,        &s->start,      &s->other};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) *vectors[i] = take(&next, stride);
  s->lm.tall = take(&next, 2 * stride);
}

srs_status srs_mcp_solver_create(int n, srs_mcp_solver **solver, srs_error *error)
{
  if (solver == NULL) return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "nowhere to put the solver");
  *solver = NULL;
  if (n < 0 || n > MOST)
    return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "a complementarity problem of %d unknowns: 0 to %d are possible",
                            n, MOST);
  const size_t stride = (size_t)srs_dense_stride(n), count = 3 * stride * stride + 12 * stride + 8;
  srs_mcp_solver *s = calloc(1, sizeof *s);
  if (s != NULL) {
    s->memory = calloc(count, sizeof(double));
    s->at_kink = calloc(stride + 1, 1);
    s->lm.pivot = calloc(stride + 1, sizeof(int));
  }
  if (s == NULL || s->memory == NULL || s->at_kink == NULL || s->lm.pivot == NULL || !srs_dense_warm_up(n)) {
    srs_mcp_solver_destroy(s);
    return srs_contact_fail(error, SRS_ERROR_MEMORY, "no memory for a complementarity problem of %d unknowns", n);
  }
  s->capacity = n;
  lay_out(s, n);
  *solver = s;
  return SRS_OK;
}

void srs_mcp_solver_destroy(srs_mcp_solver *solver)
{
  if (solver == NULL) return;
  free(solver->memory);
  free(solver->at_kink);
  free(solver->lm.pivot);
  free(solver);
}

// ---------------------------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------------------------

srs_mcp_options srs_default_mcp_options(void)
{
  return (srs_mcp_options){.function = SRS_MCP_FB,
                           .method = SRS_MCP_RLM,
                           .penalty_weight = 0.7,
                           .tolerance = 1e-10,
                           .goal = 1e-13,
                           .max_iterations = 100,
                           .most_iterations = 10000,
                           .recovers = true};
}

const char *srs_mcp_status_name(srs_mcp_status status)
{
  switch (status) {
  case SRS_MCP_SOLVED: return "solved";
  case SRS_MCP_UNSOLVED: return "unsolved";
  case SRS_MCP_STATIONARY: return "stationary";
  case SRS_MCP_NOT_FINITE: return "not-finite";
  }
  return "";
}

// |z - mid(l, u, z - F)| at z, whose F is in s->F.
static double natural_map(const srs_mcp *p, const double *z, const double *F)
{
  double sum = 0;
  for (int i = 0; i < p->n; i++) {
    if (!isfinite(F[i])) return NAN;
    const double step = z[i] - F[i];
    const double defect = z[i] - fmin(fmax(step, p->lower[i]), p->upper[i]);
    sum += defect * defect;
  }
  return sqrt(sum);
}

// |J^T r| over |J| |r|: 0 at a stationary point. Overwrites J, r and x.
static double relative_slope(const reformulation *e, const double *z)
{
  const srs_lm_memory *m = &e->solver->lm;
  const int n = e->problem->n;
  residual(e, z, m->x, m->r);
  jacobian(e, z, m->J);
  srs_dense_multiply_transposed(n, n, m->J, e->stride, m->r, m->gradient);
  double size = 0;
  for (int i = 0; i < n; i++) {
    const double *row = m->J + (size_t)i * (size_t)e->stride;
    size += srs_dot(n, row, row);
  }
  const double r = sqrt(srs_dot(n, m->r, m->r)), gradient = sqrt(srs_dot(n, m->gradient, m->gradient));
  return gradient > 0 ? gradient / (sqrt(size) * r) : 0;
}

// From z; the point found goes to z.  @return its natural map
static double try_from(const reformulation *e, srs_mcp_method method, const srs_mcp_options *o, double *z,
                       int *iterations)
{
  const srs_equations equations = {e->problem->n, e->stride, e, residual, jacobian};
  const srs_lm_memory *m = &e->solver->lm;
  srs_minimiser *const minimise = method == SRS_MCP_PLM ? srs_plm : srs_rlm;
  const int left = o->most_iterations - *iterations, most = o->max_iterations < left ? o->max_iterations : left;
  if (most > 0) *iterations += minimise(&equations, m, o->goal, o->tolerance, most, z).iterations;
  e->problem->function(e->problem->data, z, e->solver->F);
  return natural_map(e->problem, z, e->solver->F);
}

static bool is_known(const srs_mcp_options *o)
{
  return (o->function == SRS_MCP_FB || o->function == SRS_MCP_PFB) &&
         (o->method == SRS_MCP_RLM || o->method == SRS_MCP_PLM) && o->penalty_weight > 0 && o->penalty_weight <= 1 &&
         o->tolerance > 0 && o->goal >= 0 && o->max_iterations > 0 && o->most_iterations > 0;
}

static srs_status check_call(const srs_mcp_solver *s, const srs_mcp *p, const srs_mcp_options *o, const double *z,
                             const srs_mcp_report *report)
{
  if (s == NULL || p == NULL || report == NULL || p->n < 0 || p->function == NULL || p->jacobian == NULL)
    return SRS_ERROR_ARGUMENT;
  if (p->n > 0 && (z == NULL || p->lower == NULL || p->upper == NULL)) return SRS_ERROR_ARGUMENT;
  if (p->n > s->capacity) return SRS_ERROR_CAPACITY;
  if (!is_known(o)) return SRS_ERROR_ARGUMENT;
  for (int i = 0; i < p->n; i++) {
    if (!isfinite(z[i])) return SRS_ERROR_NOT_FINITE;
    if (!(p->lower[i] <= p->upper[i]) || p->lower[i] == INFINITY || p->upper[i] == -INFINITY) return SRS_ERROR_ARGUMENT;
  }
  return SRS_OK;
}

// By continuation: `count` smoothed problems, m falling by the factor `pace`.
static double try_smoothly(reformulation *e, srs_mcp_method method, const srs_mcp_options *o, double from, double pace,
                           int count, double *z, int *iterations)
{
  srs_mcp_options coarse = *o;
  coarse.max_iterations = 15;
  e->smoothing = from;
  for (int k = 0; k < count; k++) {
    coarse.goal = coarse.tolerance = 0.1 * e->smoothing;
    (void)try_from(e, method, &coarse, z, iterations);
    e->smoothing *= pace;
  }
  e->smoothing = 0;
  return try_from(e, method, o, z, iterations);
}

typedef enum way { AS_ASKED, SMOOTHLY, SLOWLY, OTHER_METHOD, OTHER_FUNCTION, OTHER_BOTH } way;

enum { WAYS = OTHER_BOTH + 1, STARTS = 2 };

// The method and function asked for; then smoothed problems, then the other methods and functions, from the start and
// from the feasible point nearest 0, until one reaches the tolerance. The best is in z.
static double search(srs_mcp_solver *s, const srs_mcp *p, const srs_mcp_options *o, double *z, int *iterations)
{
  const size_t bytes = sizeof *z * (size_t)p->n;
  reformulation e = {p, s, o->function == SRS_MCP_FB ? 1 : o->penalty_weight, srs_dense_stride(p->n), 0};
  memcpy(s->start, z, bytes);
  double best = try_from(&e, o->method, o, z, iterations);
  for (int attempt = 1; attempt < WAYS * STARTS && o->recovers && !(best <= o->tolerance); attempt++) {
    if (*iterations >= o->most_iterations) break;
    const way by = (way)(attempt % WAYS);
    const bool is_penalised = (o->function == SRS_MCP_PFB) != (by == OTHER_FUNCTION || by == OTHER_BOTH);
    const srs_mcp_method other = o->method == SRS_MCP_PLM ? SRS_MCP_RLM : SRS_MCP_PLM;
    const srs_mcp_method method = by == OTHER_METHOD || by == OTHER_BOTH ? other : o->method;
    e.weight = is_penalised ? o->penalty_weight : 1;
    memcpy(s->other, s->start, bytes);
    for (int i = 0; i < p->n && attempt >= WAYS; i++) s->other[i] = fmin(fmax(0, p->lower[i]), p->upper[i]);
    const double found = by == SMOOTHLY ? try_smoothly(&e, method, o, 0.3, 0.2, 8, s->other, iterations)
                         : by == SLOWLY ? try_smoothly(&e, method, o, 1, 0.5, 20, s->other, iterations)
                                        : try_from(&e, method, o, s->other, iterations);
    if (!(found < best || isnan(best))) continue;
    best = found;
    memcpy(z, s->other, bytes);
  }
  return best;
}

srs_status srs_mcp_solve(srs_mcp_solver *s, const srs_mcp *p, const srs_mcp_options *options, double *z,
                         srs_mcp_report *report)
{
  const srs_mcp_options standard = srs_default_mcp_options();
  const srs_mcp_options *o = options != NULL ? options : &standard;
  const srs_status status = check_call(s, p, o, z, report);
  if (status != SRS_OK) return status;
  *report = (srs_mcp_report){.status = SRS_MCP_SOLVED};
  report->residual = search(s, p, o, z, &report->iterations);
  if (report->residual <= o->tolerance) return SRS_OK;
  report->status = SRS_MCP_NOT_FINITE;
  if (!isfinite(report->residual)) return SRS_OK;
  const reformulation e = {p, s, o->function == SRS_MCP_FB ? 1 : o->penalty_weight, srs_dense_stride(p->n), 0};
  report->slope = relative_slope(&e, z);
  report->status = report->slope <= 1e-6 ? SRS_MCP_STATIONARY : SRS_MCP_UNSOLVED;
  return SRS_OK;
}

double srs_mcp_residual(srs_mcp_solver *s, const srs_mcp *p, const double *z)
{
  if (s == NULL || p == NULL || p->n > s->capacity) return NAN;
  p->function(p->data, z, s->F);
  return natural_map(p, z, s->F);
}
