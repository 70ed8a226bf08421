// Assembly: finds the configuration next to a given one in which the loops are closed, and the nearest velocity that
// keeps them closed.
//
// Followers of couplings first take the values that their leaders prescribe. Then Levenberg-Marquardt
// (closure_newton.c) finds a closed configuration q. With d = difference(q, q0), the change is least where d has no
// part in the motions that keep the loops closed. So q moves by minus that part and is closed again until the part
// vanishes: gradient descent of |d|^2 / 2 on the closed configurations, whose step of 1 is Newton's step where they are
// flat.
//
// If the search from the start fails, it is repeated from other starts, displaced further and further, in a sequence
// that is the same each time. If all of them fail within limits but one succeeds without, the limit exceeded most there
// is reported.

#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure_newton.h"
#include "engine/loops/passed_limits.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SLIDES = 100 };

static const double row_share = 0.5; // three rows, each within this share, are within the tolerance together

srs_assembly_options srs_default_assembly_options(void)
{
  return (srs_assembly_options){.tolerance = 1e-12, .max_iterations = 200, .max_restarts = 20, .respect_limits = true};
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows of the selected loops
// ---------------------------------------------------------------------------------------------------------------------

typedef struct assembly {
  srs_workspace *w;
  const srs_assembly_options *options;
  srs_closure_newton *fit;
  double *q, *q0, *q_next, *d, *part; // nq, nq, nq, nv, nv; d: the change from q0, part: of it in the null space
  double *gaps, *square;              // n_loops, 2 n_loops: linear, angular
  bool *is_angular;                   // n_loops
  bool *ignored;                      // srs_n_further_limits, after is_angular: limits that are not imposed
  bool has_limits;                    // these limits are imposed, except those ignored
} assembly;

static bool is_wanted(const srs_assembly_options *options, int loop)
{
  return options->loops == NULL || options->loops[loop];
}

static int evaluate(void *context, const double *q, srs_closure_row *rows)
{
  const assembly *a = context;
  srs_place_links(a->w, q);
  const int n = srs_closure_rows(a->w, q, a->options->time, rows);
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (is_wanted(a->options, rows[i].closure)) rows[kept++] = rows[i];
  return a->has_limits ? kept + srs_passed_limits(a->w, q, a->ignored, rows + kept) : kept;
}

static void release(assembly *a)
{
  srs_closure_newton_destroy(a->fit);
  free(a->q);
  free(a->is_angular);
}

static srs_status prepare(assembly *a, srs_workspace *w, const srs_assembly_options *options, const double *q)
{
  const srs_model *m = w->model;
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, n = (size_t)srs_model_n_loops(m);
  *a = (assembly){.w = w, .options = options};
  srs_status status = srs_closure_newton_create(w, m->n_loop_rows + srs_count_further_limits(m), &a->fit);
  if (status != SRS_OK) return status;
  a->q = calloc(3 * nq + 2 * nv + 3 * n + 1, sizeof *a->q);
  a->is_angular = calloc(n + (size_t)srs_n_further_limits(m) + 1, sizeof *a->is_angular);
  if (a->q == NULL || a->is_angular == NULL) {
    release(a);
    return srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory to assemble");
  }
  a->ignored = a->is_angular + n;
  a->q0 = a->q + nq;
  a->q_next = a->q0 + nq;
  a->d = a->q_next + nq;
  a->part = a->d + nv;
  a->gaps = a->part + nv;
  a->square = a->gaps + n;
  memcpy(a->q, q, nq * sizeof *q);
  memcpy(a->q0, q, nq * sizeof *q);
  a->fit->frozen = options->frozen;
  for (int i = 0; options->respect_limits && i < m->nv; i++) {
    const int at = a->fit->q_of_v[i];
    if (at < 0 || q[at] < m->lower[i] || q[at] > m->upper[i]) continue;
    a->fit->lower[i] = m->lower[i];
    a->fit->upper[i] = m->upper[i];
  }
  return SRS_OK;
}

static void place_followers(assembly *a)
{
  const srs_model *m = a->w->model;
  for (int i = 0; i < m->n_couplings; i++) {
    const srs_coupling *c = &m->couplings[i];
    if (!is_wanted(a->options, m->n_closures + i)) continue;
    if (a->options->frozen != NULL && a->options->frozen[c->follower_v]) continue;
    double slope, rate;
    const double value = srs_coupling_value(c, a->q, a->options->time, &slope, &rate);
    a->q[c->follower_q] = fmin(fmax(value, a->fit->lower[c->follower_v]), a->fit->upper[c->follower_v]);
  }
}

static double norm(const double *x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

// Finds each loop's gap from the present rows: the norm of its linear gaps or of its angular ones, the larger. Returns
// the largest; worst: its loop, may be NULL.
static double gather_gaps(assembly *a, int *worst)
{
  const int n = srs_model_n_loops(a->w->model);
  double largest = 0;
  if (worst != NULL) *worst = -1;
  for (int i = 0; i < 2 * n; i++) a->square[i] = 0;
  for (int i = 0; i < a->fit->n; i++) {
    const srs_closure_row *row = &a->fit->rows[i];
    if (row->closure < 0) continue; // a limit
    (row->is_angular ? a->square + n : a->square)[row->closure] += row->gap * row->gap;
  }
  for (int i = 0; i < n; i++) {
    a->is_angular[i] = !(a->square[i] >= a->square[n + i]);
    a->gaps[i] = sqrt(fmax(a->square[i], a->square[n + i]));
    if (a->gaps[i] <= largest) continue;
    largest = a->gaps[i];
    if (worst != NULL) *worst = i;
  }
  return largest;
}

// Sets the file, line and column of a loop in the error.
static void set_error_place(const srs_model *m, int loop, srs_error *error)
{
  const srs_closure *closure = loop < m->n_closures ? &m->closures[loop] : NULL;
  const srs_coupling *coupling = closure == NULL ? &m->couplings[loop - m->n_closures] : NULL;
  const char *file = closure != NULL ? closure->file : coupling->file;
  if (file == NULL) return;
  srs_print(error->file, sizeof error->file, "%s", file);
  error->line = closure != NULL ? closure->line : coupling->line;
  error->column = closure != NULL ? closure->column : coupling->column;
}

// Suggests a cure: to free the first of the frozen coordinates.
static void print_cure(const assembly *a, bool is_velocity, char *cure, size_t size)
{
  const srs_model *m = a->w->model;
  int first = 0, n = 0;
  for (int i = m->nv - 1; i >= 0 && a->options->frozen != NULL; i--)
    if (a->options->frozen[i]) first = i, n++;
  const char *them = n > 1 ? " and others are" : " is", *how = n > 1 ? "free some" : "free it";
  if (n > 0)
    srs_print(cure, size, "; '%.60s'%s frozen: %s, %s", m->v_names[first], them, how,
              is_velocity ? "or give a velocity that the loops allow" : "start elsewhere, or check lengths and poses");
  else
    srs_print(cure, size,
              is_velocity ? "; no velocity does what their motions say: leave one out, or start elsewhere"
                          : "; start nearer to where they close, or check lengths, axes and poses");
}

// Reports all loops that stay open with the present rows, a few by name: "loop 'a': residual 0.03 m, …".
// @param per  "" or "/s"   @param why  what follows
static srs_status fail_open(assembly *a, const char *per, const char *why)
{
  const srs_model *m = a->w->model;
  char list[400] = "";
  int used = 0, n_open = 0, worst;
  gather_gaps(a, &worst);
  for (int i = 0; i < srs_model_n_loops(m); i++) {
    if (!(a->gaps[i] > a->options->tolerance)) continue;
    if (n_open++ < 4)
      used +=
          srs_print(list + used, sizeof list - (size_t)used, "%sloop '%.40s': residual %.3g %s%s",
                    n_open > 1 ? ", " : "", srs_model_loop_name(m, i), a->gaps[i], a->is_angular[i] ? "rad" : "m", per);
  }
  char cure[160];
  print_cure(a, per[0] != '\0', cure, sizeof cure);
  if (n_open > 4) srs_print(list + used, sizeof list - (size_t)used, " and %d more", n_open - 4);
  const char *what = per[0] == '\0'               ? "the loops cannot be closed"
                     : a->options->frozen != NULL ? "the loops cannot stay closed with the velocities that are frozen"
                                                  : "the loops cannot stay closed";
  (void)srs_workspace_fail(a->w, SRS_ERROR_UNREACHABLE, worst >= 0 ? srs_model_loop_name(m, worst) : "", "%s: %s%s",
                           what, list, why[0] != '\0' ? why : cure);
  if (worst >= 0) set_error_place(m, worst, &a->w->error);
  return SRS_ERROR_UNREACHABLE;
}

// Whether the gaps at hand are finite.  @param what  "the gap"
static srs_status check_gaps(assembly *a, const char *what)
{
  const srs_model *m = a->w->model;
  const int bad = srs_first_not_finite(a->gaps, srs_model_n_loops(m));
  return bad < 0 ? SRS_OK : srs_check_named(a->w, what, srs_model_loop_name(m, bad), &a->gaps[bad], 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Configurations
// ---------------------------------------------------------------------------------------------------------------------

// Moves along the closed configurations from a->q to where the change from a->q0 is least.
static void minimise_change(assembly *a)
{
  const srs_model *m = a->w->model;
  const double tolerance = row_share * a->options->tolerance;
  double share = 1;
  srs_difference(m, a->q, a->q0, a->d);
  double before = norm(a->d, m->nv);
  for (int i = 0; i < MOST_SLIDES && share > 1e-3; i++) {
    a->fit->n = evaluate(a, a->q, a->fit->rows);
    srs_closure_newton_null_part(a->fit, a->q, a->d, a->part);
    if (norm(a->part, m->nv) <= 1e-12 * (1 + before)) return;
    srs_integrate(m, a->q, a->part, -share, a->q_next);
    srs_closure_newton_clamp(a->fit, a->q_next);
    int iterations = a->options->max_iterations;
    double gap;
    const bool is_closed = srs_closure_newton_solve(a->fit, evaluate, a, tolerance, a->q_next, &gap, &iterations);
    srs_difference(m, a->q_next, a->q0, a->d);
    const double after = norm(a->d, m->nv);
    if (is_closed && after < before) {
      memcpy(a->q, a->q_next, (size_t)m->nq * sizeof *a->q);
      share = fmin(2 * share, 1);
      before = after;
    } else {
      share *= 0.25;
      srs_difference(m, a->q, a->q0, a->d);
    }
  }
}

// Start i of the restarts: displaced by a few tenths at first, by up to half a turn at last.
static void displaced_start(assembly *a, int i, double *q)
{
  const srs_model *m = a->w->model;
  const double reach = 3.2 * (i + 1) / a->options->max_restarts;
  for (int c = 0; c < m->nv; c++) {
    const double x = 0.6180339887498949 * (c + 1) * (i + 1) + 0.7548776662466927 * (i + 1); // quasi-random
    const double share = 2 * (x - floor(x)) - 1;
    const bool stays = a->options->frozen != NULL && a->options->frozen[c];
    const double length = a->fit->q_of_v[c] >= 0 && srs_model_v_unit(m, c)[0] == 'm' ? 0.3 : 1;
    a->d[c] = stays ? 0 : reach * length * share;
  }
  srs_integrate(m, a->q0, a->d, 1, q);
  for (int c = 0; c < m->nv; c++) {
    const int at = a->fit->q_of_v[c];
    if (at >= 0 && a->d[c] != 0) q[at] = fmin(fmax(q[at], a->fit->lower[c]), a->fit->upper[c]);
  }
}

// Searches from a->q, then from other starts; leaves the best configuration in a->q.
static bool find_closed(assembly *a, srs_assembly_report *report)
{
  const double tolerance = row_share * a->options->tolerance;
  const size_t size = (size_t)a->w->model->nq * sizeof *a->q;
  int iterations = a->options->max_iterations;
  double gap;
  bool is_closed = srs_closure_newton_solve(a->fit, evaluate, a, tolerance, a->q, &report->after, &iterations);
  report->iterations = iterations;
  for (int i = 0; i < a->options->max_restarts && !is_closed; i++) {
    displaced_start(a, i, a->q_next);
    iterations = a->options->max_iterations;
    is_closed = srs_closure_newton_solve(a->fit, evaluate, a, tolerance, a->q_next, &gap, &iterations);
    report->iterations += iterations;
    report->restarts++;
    if (!(gap < report->after)) continue;
    report->after = gap;
    memcpy(a->q, a->q_next, size);
  }
  return is_closed;
}

// As find_closed, with cone, twist and loop-joint limits imposed. Where that fails, those that the start exceeds are
// ignored.
static bool find_closed_within_limits(assembly *a, srs_assembly_report *report)
{
  a->has_limits = a->options->respect_limits;
  if (find_closed(a, report)) return true;
  srs_place_links(a->w, a->q0);
  const int n = a->has_limits ? srs_passed_limits(a->w, a->q0, NULL, a->fit->rows) : 0;
  for (int i = 0; i < n; i++) a->ignored[srs_further_limit(&a->fit->rows[i])] = true;
  if (n > 0) memcpy(a->q, a->q0, (size_t)a->w->model->nq * sizeof *a->q);
  return n > 0 && find_closed(a, report);
}

// Finds the limit that prevents closing: whether the loops close without these limits, and which of them is then
// exceeded most. "" where the loops do not close either.
static void find_preventing_limit(assembly *a, char *why, size_t size)
{
  const srs_model *m = a->w->model;
  double outside = 0, gap;
  int at = -1, iterations = a->options->max_iterations;
  why[0] = '\0';
  if (!a->options->respect_limits) return;
  for (int i = 0; i < m->nv; i++) a->fit->lower[i] = -INFINITY, a->fit->upper[i] = INFINITY;
  a->has_limits = false;
  memcpy(a->q_next, a->q0, (size_t)m->nq * sizeof *a->q_next);
  if (!srs_closure_newton_solve(a->fit, evaluate, a, row_share * a->options->tolerance, a->q_next, &gap, &iterations))
    return;
  for (int i = 0; i < m->nv; i++) {
    if (a->fit->q_of_v[i] < 0) continue;
    const double q = a->q_next[a->fit->q_of_v[i]], by = fmax(m->lower[i] - q, q - m->upper[i]);
    if (by > outside) outside = by, at = i;
  }
  if (at < 0) { // none of these is exceeded, or closing needs another start
    if (srs_passed_limits(a->w, a->q_next, a->ignored, a->fit->rows) > 0)
      srs_print(why, size, "; they would close beyond the limits of '%.60s'",
                srs_further_limit_name(m, srs_further_limit(&a->fit->rows[0])));
    return;
  }
  const double q = a->q_next[a->fit->q_of_v[at]];
  srs_print(why, size, "; they would close with '%.60s' at %.6g %s, beyond its limit of %.6g", m->v_names[at], q,
            srs_model_v_unit(m, at)[0] == 'm' ? "m" : "rad", q < m->lower[at] ? m->lower[at] : m->upper[at]);
}

static srs_status check_call(srs_workspace *w, const srs_assembly_options *options, const double *q)
{
  if (w == NULL || (q == NULL && w->model->nq > 0)) return SRS_ERROR_ARGUMENT;
  if (!(options->tolerance > 0) || options->max_iterations < 0 || options->max_restarts < 0 || !isfinite(options->time))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "an option of assembly makes no sense");
  return srs_check_finite(w, "q", q, w->model->nq);
}

srs_status srs_assemble(srs_workspace *w, const srs_assembly_options *options, double *q, srs_assembly_report *report)
{
  const srs_assembly_options standard = srs_default_assembly_options();
  if (options == NULL) options = &standard;
  srs_assembly_report own;
  if (report == NULL) report = &own;
  *report = (srs_assembly_report){.worst = -1};
  srs_status status = check_call(w, options, q);
  if (status != SRS_OK || w->model->n_loop_rows == 0) return status;
  assembly a;
  status = prepare(&a, w, options, q);
  if (status != SRS_OK) return status;
  a.fit->n = evaluate(&a, a.q, a.fit->rows);
  report->before = gather_gaps(&a, NULL);
  status = check_gaps(&a, "the gap");
  if (report->before <= options->tolerance) {
    report->after = report->before;
  } else if (status == SRS_OK) {
    place_followers(&a);
    memcpy(a.q0, a.q, (size_t)w->model->nq * sizeof *a.q); // their change is prescribed, not minimised
    const bool is_closed = find_closed_within_limits(&a, report);
    if (is_closed) minimise_change(&a);
    char why[160] = "";
    if (!is_closed) find_preventing_limit(&a, why, sizeof why);
    a.has_limits = false;
    a.fit->n = evaluate(&a, a.q, a.fit->rows);
    report->after = gather_gaps(&a, &report->worst);
    srs_difference(w->model, a.q, q, a.d);
    report->change = norm(a.d, w->model->nv);
    if (is_closed) memcpy(q, a.q, (size_t)w->model->nq * sizeof *q);
    if (!is_closed) status = fail_open(&a, "", why);
  }
  release(&a);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Velocities
// ---------------------------------------------------------------------------------------------------------------------

// Replaces the gaps of the present rows by the errors of their velocities.
static double velocity_gaps(assembly *a, const double *v)
{
  srs_move_links(a->w, v);
  for (int i = 0; i < a->fit->n; i++)
    a->fit->rows[i].gap = srs_row_velocity(&a->fit->rows[i].row, a->w->velocity, v) - a->fit->rows[i].rate;
  return gather_gaps(a, NULL);
}

srs_status srs_assemble_velocity(srs_workspace *w, const srs_assembly_options *options, const double *q, double *v,
                                 srs_assembly_report *report)
{
  const srs_assembly_options standard = srs_default_assembly_options();
  if (options == NULL) options = &standard;
  srs_assembly_report own;
  if (report == NULL) report = &own;
  *report = (srs_assembly_report){.worst = -1};
  srs_status status = check_call(w, options, q);
  if (status == SRS_OK && v == NULL && w->model->nv > 0) status = SRS_ERROR_ARGUMENT;
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, w->model->nv);
  if (status != SRS_OK || w->model->n_loop_rows == 0) return status;
  assembly a;
  status = prepare(&a, w, options, q);
  if (status != SRS_OK) return status;
  const int nv = w->model->nv;
  double *next = calloc((size_t)nv + 1, sizeof *next), *x = calloc((size_t)w->model->n_loop_rows + 1, sizeof *x);
  if (next != NULL && x != NULL) {
    memcpy(next, v, (size_t)nv * sizeof *v);
    a.fit->n = evaluate(&a, q, a.fit->rows);
    report->before = report->after = velocity_gaps(&a, next);
    status = check_gaps(&a, "the velocity");
    for (; status == SRS_OK && report->iterations < 3 && report->after > options->tolerance;
         report->iterations++) { // later: rounding
      for (int i = 0; i < a.fit->n; i++) x[i] = a.fit->rows[i].gap;
      srs_closure_newton_least_norm(a.fit, x, a.d);
      for (int i = 0; i < nv; i++) next[i] -= a.d[i];
      report->after = velocity_gaps(&a, next);
    }
    gather_gaps(&a, &report->worst);
    for (int i = 0; i < nv; i++) a.d[i] = next[i] - v[i];
    report->change = norm(a.d, nv);
    if (status == SRS_OK && report->after <= fmax(options->tolerance, 1e-9))
      memcpy(v, next, (size_t)nv * sizeof *v);
    else if (status == SRS_OK)
      status = fail_open(&a, "/s", "");
  } else {
    status = srs_workspace_fail(w, SRS_ERROR_MEMORY, "", "no memory to assemble");
  }
  free(next);
  free(x);
  release(&a);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Which coordinates loops determine
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_loop_gaps(srs_workspace *w, const double *q, double time, double *gaps)
{
  srs_assembly_options options = srs_default_assembly_options();
  options.time = time;
  srs_status status = check_call(w, &options, q);
  if (status != SRS_OK || srs_model_n_loops(w->model) == 0) return status;
  if (gaps == NULL) return SRS_ERROR_ARGUMENT;
  assembly a;
  status = prepare(&a, w, &options, q);
  if (status != SRS_OK) return status;
  a.fit->n = evaluate(&a, q, a.fit->rows);
  gather_gaps(&a, NULL);
  memcpy(gaps, a.gaps, (size_t)srs_model_n_loops(w->model) * sizeof *gaps);
  status = check_gaps(&a, "the gap");
  release(&a);
  return status;
}

srs_status srs_loop_ranks(srs_workspace *w, const double *q, double time, int *loop_ranks, int *rank)
{
  srs_assembly_options options = srs_default_assembly_options();
  options.time = time;
  srs_status status = check_call(w, &options, q);
  if (status != SRS_OK) return status;
  if (rank == NULL) return SRS_ERROR_ARGUMENT;
  const int n_loops = srs_model_n_loops(w->model);
  *rank = 0;
  if (n_loops == 0) return SRS_OK;
  bool *only = calloc((size_t)n_loops, sizeof *only);
  assembly a;
  status = only == NULL ? SRS_ERROR_MEMORY : prepare(&a, w, &options, q);
  if (status == SRS_OK) {
    a.fit->n = evaluate(&a, q, a.fit->rows);
    gather_gaps(&a, NULL);
    status = check_gaps(&a, "the gap");
    for (int i = 0; i < a.fit->n; i++) a.fit->x[i] = 0;
    srs_closure_newton_least_norm(a.fit, a.fit->x, a.d);
    *rank = a.fit->rank;
    for (int i = 0; loop_ranks != NULL && i < n_loops; i++) {
      only[i] = true;
      options.loops = only;
      a.fit->n = evaluate(&a, q, a.fit->rows);
      srs_closure_newton_least_norm(a.fit, a.fit->x, a.d);
      loop_ranks[i] = a.fit->rank;
      only[i] = false;
    }
    release(&a);
  }
  free(only);
  return status;
}
