// One solution of a step's velocities, differentiated. With E the implicit dampers and springs, c at the velocity
// v_c = v + h/2 (x + r) of mean_velocity.c, and a column's dq, dv, dtau:
//
//   (M + E) da = df - D_q(a) dq - C dv_c           D_q(a), C: derivatives of inverse dynamics at (q, v_c, a)
//   dv_free    = dv + h da
//   dv_c       = dv + h/2 (dx + dr)                x, r as the solution took them: of those before it; x = a where a
//                                                  tree's velocity terms are iterated
//   (M + E) (dv+ - dv_free) = J^T dlambda + dload - h (D_q(a + r') - D_q(a)) dq,   h r' = v+ - v_free
//
// The last equation and the active rows give dv+ and dlambda (solve_lines.c). The next solution's x and r are this
// one's a and r'. Parameters have what they change of M + E and c in place of D_q dq.

#include "contact/algebra/dense.h"
#include "engine/dynamics/checks.h"
#include "engine/linearise/linearisation.h"
#include "topology/base/errors.h"
#include "topology/model/model.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// The dynamics
// ---------------------------------------------------------------------------------------------------------------------

static srs_status dynamics_failed(srs_linearisation *l, srs_status status)
{
  if (status != SRS_OK) l->error = l->dynamics->error;
  return status;
}

// Fills by_q, by_v, by_q_rows and the factor of M + E.
static srs_status find_dynamics(srs_linearisation *l)
{
  srs_sim *sim = l->twin;
  const size_t nv = (size_t)l->nv, stride = (size_t)l->stride;
  const double h = sim->options.dt, *v_c = sim->step.bias_v;
  srs_status status =
      srs_inverse_dynamics_derivatives(l->dynamics, l->q, v_c, l->a, NULL, l->by_q, l->by_v, l->by_q_rows);
  if (status != SRS_OK) return dynamics_failed(l, status);
  memset(l->mass, 0, stride * stride * sizeof *l->mass);
  for (size_t i = 0; i < nv; i++) {
    memcpy(l->mass + i * stride, l->by_q_rows + i * nv, nv * sizeof *l->mass);
    l->mass[i * (stride + 1)] += sim->step.extra[i];
  }
  memcpy(l->factor, l->mass, stride * stride * sizeof *l->mass);
  if (!srs_dense_cholesky(l->nv, l->factor, l->stride, 0))
    return srs_first_not_finite(l->mass, l->nv * l->stride) < 0 ? SRS_ERROR_SINGULAR : SRS_ERROR_DIVERGED;
  if (l->n_lines == 0) return SRS_OK;
  double *spare = l->iterated; // at least nv x nv
  for (size_t i = 0; i < nv; i++) l->force_up[i] = l->a[i] + (l->v_plus[i] - l->v_free[i]) / h;
  status = srs_inverse_dynamics_derivatives(l->dynamics, l->q, v_c, l->force_up, NULL, l->by_q_rows, spare, NULL);
  for (size_t i = 0; i < nv * nv; i++) l->by_q_rows[i] -= l->by_q[i];
  if (!l->has_push || status != SRS_OK) return dynamics_failed(l, status);
  for (size_t i = 0; i < nv; i++) l->force_up[i] = l->a[i] + l->moved[i] / (h * h);
  status = srs_inverse_dynamics_derivatives(l->dynamics, l->q, v_c, l->force_up, NULL, l->by_q_push, spare, NULL);
  for (size_t i = 0; i < nv * nv; i++) l->by_q_push[i] = h * h * (l->by_q_push[i] - l->by_q[i]);
  return dynamics_failed(l, status);
}

// out <- out - share * A x.
static void subtract(int nv, const double *A, double share, const double *x, double *out)
{
  for (int i = 0; i < nv; i++) out[i] -= share * srs_dot(nv, A + (size_t)i * (size_t)nv, x);
}

// ---------------------------------------------------------------------------------------------------------------------
// Free motion
// ---------------------------------------------------------------------------------------------------------------------

// Marks the coordinates of trees whose solution is at the mean of its own velocities.
static bool mark_solved(srs_linearisation *l)
{
  const srs_sim *sim = l->twin;
  const srs_model *m = sim->model;
  const srs_mean_velocity *mean = &sim->mean_velocity;
  const bool is_at_mean = sim->step.bias_v == mean->v;
  bool any = false;
  for (int k = 0, end; k < m->n_links; k = end) {
    end = m->subtree_end[k];
    const bool is_solved = is_at_mean && (end == k + 1 || mean->turn[k] > 0);
    for (int i = m->v_index[k]; i < m->v_index[end]; i++) l->is_solved[i] = is_solved;
    any = any || (is_solved && m->v_index[end] > m->v_index[k]);
  }
  return any;
}

// M + E + h/2 C for what is iterated.
static bool factor_iterated(srs_linearisation *l)
{
  const size_t nv = (size_t)l->nv, stride = (size_t)l->stride;
  const double half = 0.5 * l->twin->options.dt;
  memcpy(l->iterated, l->mass, stride * stride * sizeof *l->mass);
  for (size_t i = 0; i < nv; i++)
    for (size_t j = 0; j < nv; j++)
      if (l->is_solved[j]) l->iterated[i * stride + j] += half * l->by_v[i * nv + j];
  return srs_dense_lu(l->nv, l->iterated, l->stride, l->pivot) > 0;
}

static void take_direction(const srs_linearisation *l, int column, double *dq, double *dv)
{
  memset(dq, 0, (size_t)l->stride * sizeof *dq);
  memset(dv, 0, (size_t)l->stride * sizeof *dv);
  if (column < l->nv)
    dq[column] = 1;
  else if (column < 2 * l->nv)
    dv[column - l->nv] = 1;
}

// Fills dfree_a and dfree.
static srs_status move_free(srs_linearisation *l, int k)
{
  const size_t nv = (size_t)l->nv;
  const double h = l->twin->options.dt;
  const bool is_at_mean = l->twin->step.bias_v == l->twin->mean_velocity.v, any = mark_solved(l);
  if (any && !factor_iterated(l)) return SRS_ERROR_SINGULAR;
  double *dq = l->force_up, *dv = l->load_up, *dv_c = l->load, *right = l->force;
  for (int column = 0; column < l->n_columns; column++) {
    const size_t at = (size_t)column * nv;
    take_direction(l, column, dq, dv);
    for (size_t i = 0; i < nv; i++) {
      dv_c[i] = dv[i];
      if (is_at_mean && k > 0) dv_c[i] += 0.5 * h * ((l->is_solved[i] ? 0 : l->dfirst[at + i]) + l->drows[at + i]);
      right[i] = l->dforce[at + i];
    }
    for (size_t i = nv; i < (size_t)l->stride; i++) right[i] = 0;
    if (column < l->nv) subtract(l->nv, l->by_q, 1, dq, right);
    for (size_t i = 0; i < nv && column >= 3 * l->nv; i++) right[i] -= l->dneed[at - 3 * nv * nv + i];
    subtract(l->nv, l->by_v, 1, dv_c, right);
    if (any)
      srs_dense_lu_solve(l->nv, l->iterated, l->stride, l->pivot, right);
    else
      srs_dense_cholesky_solve(l->nv, l->factor, l->stride, right);
    for (size_t i = 0; i < nv; i++) {
      l->dfree_a[at + i] = right[i];
      l->dfree[at + i] = dv[i] + h * right[i];
    }
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

// Adds to a motion what turning rows and the changing inertia do while impulses stay.
static void move_with_impulses(srs_linearisation *l, const double *dload, const double *by_q, const double *dneed,
                               double share, double *motion)
{
  const size_t nv = (size_t)l->nv;
  double *dq = l->force_up, *dv = l->load_up, *right = l->force;
  for (int column = 0; column < l->n_columns; column++) {
    if (column == l->nv) column = 3 * l->nv; // impulses do not turn as v and torques move
    if (column >= l->n_columns) break;
    const size_t at = (size_t)column * nv;
    take_direction(l, column, dq, dv);
    memset(right, 0, (size_t)l->stride * sizeof *right);
    memcpy(right, dload + at, nv * sizeof *right);
    if (column < l->nv) subtract(l->nv, by_q, share, dq, right);
    for (size_t i = 0; i < nv && column >= 3 * l->nv; i++) right[i] -= share * dneed[at - 3 * nv * nv + i];
    srs_dense_cholesky_solve(l->nv, l->factor, l->stride, right);
    for (size_t i = 0; i < nv; i++) motion[at + i] += right[i];
  }
}

// Each line's J, and (M + E)^-1 J^T.
static srs_status find_jacobian(srs_linearisation *l)
{
  const size_t nv = (size_t)l->nv;
  srs_status status = SRS_OK;
  for (int i = 0; i < l->n_lines && status == SRS_OK; i++) {
    const srs_line *line = &l->lines[i];
    double *J = l->jacobian + (size_t)i * nv, *wrench = l->wrench;
    memset(wrench, 0, 6 * (size_t)l->twin->model->n_links * sizeof *wrench);
    if (line->contact >= 0) {
      const active_contact *a = &l->active[line->contact];
      for (int side = 0; side < 2; side++)
        if (a->link[side] >= 0) {
          double *on = wrench + 6 * (size_t)a->link[side];
          v6_store(on, v6_add_scaled(v6_load(on), 1, a->wrench[side][line->component]));
        }
      status = srs_generalise(l, l->q, wrench, J);
    } else {
      const srs_step_row *row = &l->scalars[line->scalar].row;
      for (int side = 0; side < row->n_sides; side++)
        if (!row->is_coordinate[side]) {
          double *on = wrench + 6 * (size_t)row->link[side];
          v6_store(on, v6_add_scaled(v6_load(on), 1, row->wrench[side]));
        }
      status = srs_generalise(l, l->q, wrench, J);
      for (int side = 0; side < row->n_sides; side++)
        if (row->is_coordinate[side]) J[row->coordinate[side]] += row->coefficient[side];
    }
    memset(l->force, 0, (size_t)l->stride * sizeof *l->force);
    memcpy(l->force, J, nv * sizeof *J);
    srs_dense_cholesky_solve(l->nv, l->factor, l->stride, l->force);
    memcpy(l->response + (size_t)i * nv, l->force, nv * sizeof *J);
  }
  return status;
}

// What the next solution takes as known: of trees on which rows act, as srs_rows_are_known decides.
static void keep_known(srs_linearisation *l, int k)
{
  const srs_sim *sim = l->twin;
  const srs_model *m = sim->model;
  const srs_mean_velocity *mean = &sim->mean_velocity;
  const size_t nv = (size_t)l->nv, bytes = (size_t)l->n_columns * nv * sizeof *l->dfirst;
  if (k == 0) memset(l->dfirst, 0, bytes);
  if (k == 0) memset(l->drows, 0, bytes);
  if (sim->step.bias_v != mean->v || mean->all_free) return;
  for (int link = 0, end; link < m->n_links; link = end) {
    end = m->subtree_end[link];
    const bool is_known = mean->is_free[link] || (mean->is_known[link] != 0 && !(mean->turn[link] > 0));
    for (int i = m->v_index[link]; i < m->v_index[end] && !is_known; i++)
      for (size_t at = (size_t)i; at < (size_t)l->n_columns * nv; at += nv) {
        l->dfirst[at] = l->dfree_a[at];
        l->drows[at] = (l->dplus[at] - l->dfree[at]) / sim->options.dt;
      }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The pass
// ---------------------------------------------------------------------------------------------------------------------

static void keep_solution(srs_linearisation *l)
{
  const srs_sim *sim = l->twin;
  const struct srs_constraints *c = sim->constraints;
  const size_t bytes = (size_t)l->nv * sizeof(double);
  memcpy(l->a, sim->step.a, bytes);
  memcpy(l->v_plus, sim->step.v_next, bytes);
  for (int i = 0; i < l->nv; i++) l->v_free[i] = sim->state.v[i] + sim->options.dt * sim->step.a[i];
  memset(l->moved, 0, bytes);
  l->has_push = c != NULL && c->has_push;
  if (l->has_push) memcpy(l->moved, c->moved, bytes);
  if (l->has_push) srs_lengthen_push(l);
}

static srs_status refuse_bounces(srs_linearisation *l)
{
  const struct srs_constraints *c = l->twin->constraints;
  bool bounces = c->has_blows;
  for (int i = 0; i < c->n_next; i++) bounces = bounces || c->active[i].bounces;
  if (!bounces) return SRS_OK;
  return srs_fail(&l->error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "restitution",
                  "contacts bounce in this step, which linearisation does not offer: linearise before or after it, or "
                  "with restitution 0");
}

// The step goes on as if nothing had been evaluated beside it.
static srs_status restore(srs_linearisation *l)
{
  srs_sim *sim = l->twin;
  struct srs_constraints *c = sim->constraints;
  srs_set_arguments(l, 0, 0);
  const srs_evaluation here = {l->force, l->load, l->push_load, l->up};
  const srs_status status = srs_evaluate_lines(l, &here);
  if (c != NULL) {
    c->n_scalars = l->n_lines;
    for (int i = 0; i < l->n_lines; i++) c->n_scalars -= l->lines[i].contact >= 0;
    if (c->n_scalars > 0) memcpy(c->scalars, l->scalars, (size_t)c->n_scalars * sizeof *c->scalars);
  }
  memcpy(sim->step.a, l->a, (size_t)l->nv * sizeof *l->a);
  return status;
}

static srs_status constrain(srs_linearisation *l)
{
  memcpy(l->dplus, l->dfree, (size_t)l->n_columns * (size_t)l->nv * sizeof *l->dplus);
  memset(l->dmoved, 0, (size_t)l->n_columns * (size_t)l->nv * sizeof *l->dmoved);
  if (l->n_lines == 0) return SRS_OK;
  move_with_impulses(l, l->dload, l->by_q_rows, l->dneed_rows, l->twin->options.dt, l->dplus);
  if (l->has_push) move_with_impulses(l, l->dpush, l->by_q_push, l->dneed_push, 1, l->dmoved);
  return srs_solve_lines(l);
}

srs_status srs_linearise_pass(void *linearisation, int k)
{
  srs_linearisation *l = linearisation;
  struct srs_constraints *c = l->twin->constraints;
  l->report = (srs_linearisation_report){.weak = l->weak};
  keep_solution(l);
  srs_status status = c != NULL ? refuse_bounces(l) : SRS_OK;
  if (status == SRS_OK) status = srs_list_lines(l);
  if (status == SRS_OK) status = find_dynamics(l);
  if (status == SRS_OK) status = find_jacobian(l);
  const srs_evaluation here = {l->force, l->load, l->push_load, l->up};
  if (status == SRS_OK) status = srs_evaluate_lines(l, &here);
  if (status == SRS_OK) srs_judge_lines(l);
  if (status == SRS_OK) status = srs_find_differences(l);
  if (status == SRS_OK) status = move_free(l, k);
  if (status == SRS_OK) status = constrain(l);
  if (status == SRS_OK) keep_known(l, k);
  return status == SRS_OK ? restore(l) : status;
}
