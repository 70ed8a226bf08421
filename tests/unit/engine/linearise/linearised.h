// A linearised step beside central differences of srs_sim_set_state and srs_sim_step, of second order over the width:
// 1e-11 of truncation at 2e-6, and rounding of 1e-16 over the width and, where a gap counts, over dt.
#pragma once
#include "support/world.h"
#include <sarrus/linearisation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stepped {
  srs_sim *sim;
  const srs_model *model;
  int nq, nv;
  double time;
  double *q, *v, *tau, *moved, *other, *q_up, *v_up; // the state, and scratch
} stepped;

static inline double *numbers(int n)
{
  double *x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static inline double *copied(const double *x, int n)
{
  double *y = numbers(n);
  if (n > 0) memcpy(y, x, (size_t)n * sizeof *y);
  return y;
}

static inline stepped at_state(srs_sim *sim)
{
  const srs_model *m = srs_sim_model(sim);
  const int nq = srs_model_nq(m), nv = srs_model_nv(m);
  return (stepped){sim,
                   m,
                   nq,
                   nv,
                   srs_sim_time(sim),
                   copied(srs_sim_q(sim), nq),
                   copied(srs_sim_v(sim), nv),
                   copied(srs_sim_torque(sim), nv),
                   numbers(nq),
                   numbers(nv),
                   numbers(nq),
                   numbers(nv)};
}

static inline void put_back(stepped *s)
{
  assert_int_equal(srs_sim_set_state(s->sim, s->time, s->q, s->v, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_torque(s->sim, s->tau, NULL), SRS_OK);
  free(s->q), free(s->v), free(s->tau), free(s->moved), free(s->other), free(s->q_up), free(s->v_up);
}

static inline void step_beside(stepped *s, int column, double by)
{
  const int nv = s->nv;
  memset(s->other, 0, (size_t)nv * sizeof *s->other);
  if (column < nv) s->other[column] = by;
  srs_integrate(s->model, s->q, s->other, 1, s->moved);
  memcpy(s->other, s->v, (size_t)nv * sizeof *s->v);
  if (column >= nv && column < 2 * nv) s->other[column - nv] += by;
  assert_int_equal(srs_sim_set_state(s->sim, s->time, s->moved, s->other, NULL), SRS_OK);
  memcpy(s->other, s->tau, (size_t)nv * sizeof *s->tau);
  if (column >= 2 * nv) s->other[column - 2 * nv] += by;
  assert_int_equal(srs_sim_set_torque(s->sim, s->other, NULL), SRS_OK);
  step(s->sim, 1);
}

// The column by differences between the step with the argument at `to` and at `from`, 2 nv.
static inline void difference(stepped *s, int column, double from, double to, double *out)
{
  const double share = 1 / (to - from);
  step_beside(s, column, to);
  memcpy(s->q_up, srs_sim_q(s->sim), (size_t)s->nq * sizeof *s->q_up);
  memcpy(s->v_up, srs_sim_v(s->sim), (size_t)s->nv * sizeof *s->v_up);
  step_beside(s, column, from);
  srs_difference(s->model, s->q_up, srs_sim_q(s->sim), out);
  for (int i = 0; i < s->nv; i++) {
    out[i] *= share;
    out[s->nv + i] = share * (s->v_up[i] - srs_sim_v(s->sim)[i]);
  }
}

// How far a column of A and B is from differences, as a share of its largest entry, or of 1.
static inline double column_error(stepped *s, int j, const double *A, const double *B, double from, double to)
{
  const int nv = s->nv;
  double most = 1, apart = 0, *column = numbers(2 * nv);
  difference(s, j, from, to, column);
  for (int i = 0; i < 2 * nv; i++) {
    const double own = j < 2 * nv ? A[i * 2 * nv + j] : B[i * nv + j - 2 * nv];
    most = fmax(most, fabs(column[i]));
    apart = isnan(own) ? INFINITY : fmax(apart, fabs(own - column[i]));
  }
  free(column);
  return apart / most;
}

// Keeps the weak rows of a report beyond the linearisation that they belong to, until the next call.
static inline void keep_weak(srs_linearisation_report *report)
{
  enum { MOST = 64 };
  static srs_weak_row kept[MOST];
  assert_in_range(report->n_weak, 0, MOST);
  if (report->n_weak > 0) memcpy(kept, report->weak, (size_t)report->n_weak * sizeof *kept);
  report->weak = kept;
}

// The largest of all columns: of central differences, or where the derivative is one-sided of those of one side.
static inline double largest_error(srs_sim *sim, double width, srs_linearisation_report *report)
{
  srs_linearisation *l = NULL;
  srs_error error = {0};
  if (srs_linearisation_create(sim, &l, &error) != SRS_OK) fail_msg("%s", error.message);
  stepped s = at_state(sim);
  const int nv = s.nv;
  double *A = numbers(4 * nv * nv), *B = numbers(2 * nv * nv), worst = 0;
  if (srs_sim_linearise(sim, l, A, B, report, &error) != SRS_OK) fail_msg("%s", error.message);
  char text[256];
  for (int i = 0; i < report->n_weak; i++)
    printf("  weak: %s\n", srs_weak_row_text(s.model, &report->weak[i], text, sizeof text));
  for (int j = 0; j < 3 * nv; j++) {
    double own = column_error(&s, j, A, B, -width, width);
    if (report->status == SRS_LINEARISATION_ONE_SIDED) {
      const double small = 0.01 * width;
      own = fmin(own, fmin(column_error(&s, j, A, B, 0, small), column_error(&s, j, A, B, -small, 0)));
    }
    worst = fmax(worst, own);
  }
  free(A), free(B);
  put_back(&s);
  keep_weak(report);
  srs_linearisation_destroy(l);
  return worst;
}
