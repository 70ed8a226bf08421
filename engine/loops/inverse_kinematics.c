// Inverse kinematics: the configuration that brings frames to target poses, with loops closed and limits kept.
//
// A target is a closure between the frame and the world. Levenberg-Marquardt (closure_newton.c) closes targets and
// loops together within limits. When it gets stuck, it starts again from the next configuration of a sequence that
// fills the box of limits evenly: coordinate c of start i at the fractional part of i / g^(c + 1), where g^(n + 1) = g
// + 1.

#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure_newton.h"
#include "engine/loops/passed_limits.h"
#include "topology/base/errors.h"
#include "topology/checks/check.h"
#include "topology/model/configuration.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct srs_ik {
  srs_workspace *w;
  srs_closure_newton *fit;
  int max_targets;
  double *start, *trial, *best, *ratio; // nq, nq, nq, nv
  const srs_ik_target *targets;         // n_targets, of the call under way
  int n_targets;
  double least_weight;
  const srs_ik_options *options;
};

srs_ik_target srs_default_ik_target(int frame, const srs_pose *pose)
{
  return (srs_ik_target){.frame = frame, .pose = *pose, .rows = SRS_ROWS_ALL, .weight = 1};
}

srs_ik_options srs_default_ik_options(void)
{
  return (srs_ik_options){.tolerance = 1e-10, .max_iterations = 100, .max_restarts = 100, .respect_limits = true};
}

void srs_ik_destroy(srs_ik *ik)
{
  if (ik == NULL) return;
  srs_closure_newton_destroy(ik->fit);
  srs_workspace_destroy(ik->w);
  free(ik->start);
  free(ik);
}

// Fills ratio with 1 / g, 1 / g^2, …
static void fill_ratios(double *ratio, int n)
{
  double g = 1.5, power = 1;
  for (int i = 0; i < 60; i++) g = pow(1 + g, 1.0 / (n + 1));
  for (int i = 0; i < n; i++) ratio[i] = power /= g;
}

srs_status srs_ik_create(const srs_model *model, int max_targets, srs_ik **ik, srs_error *error)
{
  if (ik != NULL) *ik = NULL;
  if (model == NULL || ik == NULL || max_targets < 1)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL,
                    "inverse kinematics needs a model, a place to be put and room for a target");
  const int other_rows = model->n_loop_rows + srs_count_further_limits(model), most = (INT_MAX - other_rows) / 6;
  if (max_targets > most)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL,
                    "inverse kinematics of %d targets: at most %d can be counted", max_targets, most);
  srs_ik *made = calloc(1, sizeof *made);
  srs_status status = made != NULL ? srs_workspace_create(model, &made->w, error) : SRS_ERROR_MEMORY;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  if (status == SRS_OK) status = srs_closure_newton_create(made->w, other_rows + 6 * max_targets, &made->fit);
  if (status == SRS_OK) made->start = calloc(3 * nq + nv + 1, sizeof *made->start);
  if (status != SRS_OK || made->start == NULL) {
    srs_ik_destroy(made);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for inverse kinematics of %d links",
                    model->n_links);
  }
  made->trial = made->start + nq;
  made->best = made->trial + nq;
  made->ratio = made->best + nq;
  made->max_targets = max_targets;
  fill_ratios(made->ratio, model->nv);
  memcpy(made->best, model->neutral, nq * sizeof *made->best);
  *ik = made;
  return SRS_OK;
}

const double *srs_ik_best(const srs_ik *ik) { return ik != NULL ? ik->best : NULL; }
const srs_error *srs_ik_error(const srs_ik *ik) { return ik != NULL ? &ik->w->error : NULL; }

// ---------------------------------------------------------------------------------------------------------------------
// Rows and errors
// ---------------------------------------------------------------------------------------------------------------------

static void weigh(srs_closure_row *row, double weight)
{
  row->gap *= weight;
  for (int s = 0; s < row->row.n_sides; s++) row->row.wrench[s] = v6_scale(weight, row->row.wrench[s]);
}

static int evaluate(void *context, const double *q, srs_closure_row *rows)
{
  const srs_ik *ik = context;
  srs_place_links(ik->w, q);
  int n = srs_closure_rows(ik->w, q, ik->options->time, rows);
  for (int t = 0; t < ik->n_targets; t++) {
    const srs_ik_target *target = &ik->targets[t];
    const int end = n + srs_target_rows(ik->w, target->frame, &target->pose, target->rows, rows + n);
    // At least 1, so that a small weighted gap is small without the weight, too.
    const double weight = target->weight / ik->least_weight;
    for (; n < end; n++) weigh(&rows[n], weight);
  }
  if (ik->options->respect_limits) n += srs_passed_limits(ik->w, q, NULL, rows + n);
  return n;
}

// Measures the errors at q, without weights.
static void measure(srs_ik *ik, const double *q, srs_ik_report *report)
{
  srs_closure_row *rows = ik->fit->trial;
  srs_place_links(ik->w, q);
  report->loop_error = srs_largest_gap(rows, srs_closure_rows(ik->w, q, ik->options->time, rows));
  report->position_error = report->orientation_error = 0;
  report->target = -1;
  double worst = 0;
  for (int t = 0; t < ik->n_targets; t++) {
    const srs_ik_target *target = &ik->targets[t];
    const int n = srs_target_rows(ik->w, target->frame, &target->pose, target->rows, rows);
    double square[2] = {0, 0};
    for (int i = 0; i < n; i++) square[rows[i].is_angular] += rows[i].gap * rows[i].gap;
    report->position_error = fmax(report->position_error, sqrt(square[0]));
    report->orientation_error = fmax(report->orientation_error, sqrt(square[1]));
    if (square[0] + square[1] <= worst) continue;
    worst = square[0] + square[1];
    report->target = t;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Starts
// ---------------------------------------------------------------------------------------------------------------------

static double share(const srs_ik *ik, int start, int c)
{
  const double x = 0.5 + start * ik->ratio[c];
  return x - floor(x);
}

// A uniformly distributed rotation from three numbers that are uniform in [0, 1) (Shoemake 1992).
static void uniform_quaternion(double a, double b, double c, double *q)
{
  const double full = 2 * 3.14159265358979323846, low = sqrt(1 - a), high = sqrt(a);
  q[0] = high * cos(full * c);
  q[1] = low * sin(full * b);
  q[2] = low * cos(full * b);
  q[3] = high * sin(full * c);
}

static void fill_start(const srs_ik *ik, int start, double *q)
{
  const srs_model *m = ik->w->model;
  const bool *frozen = ik->options->frozen;
  memcpy(q, ik->start, (size_t)m->nq * sizeof *q);
  for (int k = 0; k < m->n_links; k++) {
    const srs_joint_kind kind = (srs_joint_kind)m->kind[k];
    const int quaternion = srs_joint_kind_quaternion(kind), first = m->v_index[k];
    for (int c = first; c < m->v_index[k + 1]; c++) {
      const int at = ik->fit->q_of_v[c];
      if (at < 0 || (frozen != NULL && frozen[c])) continue;
      const double reach = srs_joint_kind_v_type(kind, c - first) == 'a' ? 3.14159265358979323846 : 1;
      double low = ik->fit->lower[c], high = ik->fit->upper[c];
      if (!isfinite(low)) low = isfinite(high) ? high - 2 * reach : ik->start[at] - reach;
      if (!isfinite(high)) high = low + 2 * reach;
      q[at] = low + share(ik, start, c) * (high - low);
    }
    if (quaternion < 0 || (frozen != NULL && frozen[first + quaternion])) continue;
    const int c = first + quaternion;
    uniform_quaternion(share(ik, start, c), share(ik, start, c + 1), share(ik, start, c + 2),
                       q + m->q_index[k] + quaternion);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The call
// ---------------------------------------------------------------------------------------------------------------------

static srs_status check_target(srs_ik *ik, const srs_ik_target *t, int i)
{
  srs_workspace *w = ik->w;
  if (t->frame < 0 || t->frame >= w->model->n_frames)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "target %d: there is no frame %d", i, t->frame);
  const char *name = w->model->frames[t->frame].name;
  if (t->rows == 0 || (t->rows & ~(unsigned)SRS_ROWS_ALL) != 0)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, name, "target %d: rows 0x%x names none, or has bits beyond 0x3f",
                              i, t->rows);
  if (!(t->weight > 0) || !isfinite(t->weight))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, name, "target %d: the weight %g is not above 0", i, t->weight);
  if (srs_first_not_finite(t->pose.position, 3) >= 0 || srs_first_not_finite(t->pose.rotation, 9) >= 0)
    return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, name, "target %d: the pose of '%s' is not finite", i, name);
  srs_pose pose = t->pose;
  srs_error error;
  if (srs_check_pose(&pose, "target", name, (srs_place){NULL, 0, 0}, &error) == SRS_OK) return SRS_OK;
  return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, name, "%s", error.message);
}

static srs_status prepare(srs_ik *ik, const srs_ik_target *targets, int n, const srs_ik_options *o, const double *q)
{
  const srs_model *m = ik->w->model;
  if (n < 1 || n > ik->max_targets || targets == NULL || (q == NULL && m->nq > 0))
    return srs_workspace_fail(ik->w, SRS_ERROR_ARGUMENT, "", "%d targets: there is room for 1 to %d", n,
                              ik->max_targets);
  if (!(o->tolerance > 0) || o->max_iterations < 0 || o->max_restarts < 0 || !isfinite(o->time))
    return srs_workspace_fail(ik->w, SRS_ERROR_ARGUMENT, "", "an option of inverse kinematics makes no sense");
  srs_status status = srs_check_finite(ik->w, "q", q, m->nq);
  for (int i = 0; i < n && status == SRS_OK; i++) status = check_target(ik, &targets[i], i);
  if (status != SRS_OK) return status;
  ik->targets = targets, ik->n_targets = n, ik->options = o;
  ik->least_weight = targets[0].weight;
  for (int i = 1; i < n; i++) ik->least_weight = fmin(ik->least_weight, targets[i].weight);
  ik->fit->frozen = o->frozen;
  for (int c = 0; c < m->nv; c++) {
    ik->fit->lower[c] = o->respect_limits ? m->lower[c] : -INFINITY;
    ik->fit->upper[c] = o->respect_limits ? m->upper[c] : INFINITY;
  }
  memcpy(ik->start, q, (size_t)m->nq * sizeof *q);
  srs_closure_newton_clamp(ik->fit, ik->start);
  return SRS_OK;
}

// Searches from all starts; leaves the best configuration in ik->best.
static bool search(srs_ik *ik, srs_ik_report *report)
{
  const size_t size = (size_t)ik->w->model->nq * sizeof(double);
  double least = INFINITY;
  bool is_reached = false;
  for (int i = 0; i <= ik->options->max_restarts && !is_reached; i++) {
    if (i == 0)
      memcpy(ik->trial, ik->start, size);
    else
      fill_start(ik, i, ik->trial);
    int iterations = ik->options->max_iterations;
    double gap;
    is_reached =
        srs_closure_newton_solve(ik->fit, evaluate, ik, 0.5 * ik->options->tolerance, ik->trial, &gap, &iterations);
    report->iterations += iterations;
    report->restarts = i;
    if (!is_reached && !(gap < least)) continue;
    least = gap;
    memcpy(ik->best, ik->trial, size);
  }
  return is_reached;
}

srs_status srs_inverse_kinematics(srs_ik *ik, const srs_ik_target *targets, int n_targets,
                                  const srs_ik_options *options, double *q, srs_ik_report *report)
{
  const srs_ik_options standard = srs_default_ik_options();
  srs_ik_report own;
  if (report == NULL) report = &own;
  *report = (srs_ik_report){.target = -1};
  if (ik == NULL) return SRS_ERROR_ARGUMENT;
  const srs_status status = prepare(ik, targets, n_targets, options != NULL ? options : &standard, q);
  if (status != SRS_OK) return status;
  const bool is_reached = search(ik, report);
  measure(ik, ik->best, report);
  if (is_reached) {
    memcpy(q, ik->best, (size_t)ik->w->model->nq * sizeof *q);
    return SRS_OK;
  }
  const char *name = ik->w->model->frames[targets[report->target >= 0 ? report->target : 0].frame].name;
  const double errors[3] = {report->position_error, report->orientation_error, report->loop_error};
  const srs_status finite = srs_check_named(ik->w, "the distance to the target", name, errors, 3);
  if (finite != SRS_OK) return finite;
  return srs_workspace_fail(ik->w, SRS_ERROR_UNREACHABLE, name,
                            "'%s' was not brought to its target from %d starts: the best came within %.3g m and %.3g "
                            "rad, loops within %.3g",
                            name, report->restarts + 1, report->position_error, report->orientation_error,
                            report->loop_error);
}
