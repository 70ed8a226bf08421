// Solves with the factor: velocity errors on their way in, accelerations and impulses on their way out. See factor.c.
//
//   in    a force f that the blocks met so far exert: at each coordinate u = s . f, f <- f - U u / D, and rows whose
//         strands pass by are moved by it, c += (share of the strand) u / D
//         block: y = U^-T c_R;  f -= G^T D^-1 y,  c_Q -= Y^T D^-1 y
//   out   a_i = (u + sum over strands of share lambda - U . A) / D,  A += s a_i
//         block: lambda_R = -U^-1 D^-1 (y + G A + Y lambda_Q), less what of it moves nothing

#include "contact/algebra/semidefinite.h"
#include "engine/dynamics/articulated.h"
#include "engine/elimination/memory.h"

#include <string.h>

static void block_in(srs_elimination *e, const loop_block *b, double *c, v6 *force)
{
  const size_t n = (size_t)b->n, stride = (size_t)b->stride, n_others = (size_t)b->n_others;
  const int *row = e->block_row + b->first, *other = e->other_row + b->other, *order = e->order + b->first;
  const double *A = e->numbers + b->at, *scale = A + n * stride;
  double *y = e->numbers + b->at + (n + 1) * stride, *x = y + stride;
  const double *Y = x + stride;
  memset(x, 0, stride * sizeof *x);
  for (size_t i = 0; i < n; i++) x[i] = scale[i] * c[row[i]];
  srs_semidefinite_forward(b->n, b->rank, A, b->stride, order, x, y);
  for (int k = 0; k < b->rank; k++) {
    const double share = srs_semidefinite_row(A, b->stride, order, k)[order[k]] * y[k];
    *force = v6_add_scaled(*force, -share, e->pull[b->first + k]);
    for (size_t q = 0; q < n_others; q++) c[other[q]] -= share * Y[(size_t)k * n_others + q];
  }
}

static void block_out(srs_elimination *e, const loop_block *b, v6 A, double *lambda)
{
  const size_t n = (size_t)b->n, stride = (size_t)b->stride, n_others = (size_t)b->n_others;
  const int *row = e->block_row + b->first, *other = e->other_row + b->other, *order = e->order + b->first;
  const double *U = e->numbers + b->at, *scale = U + n * stride;
  double *y = e->numbers + b->at + (n + 1) * stride, *x = y + stride;
  const double *Y = x + stride, *N = Y + n * n_others;
  for (int k = 0; k < b->rank; k++) {
    y[k] += v6_dot(e->pull[b->first + k], A);
    for (size_t q = 0; q < n_others; q++) y[k] += Y[(size_t)k * n_others + q] * lambda[other[q]];
  }
  srs_semidefinite_back(b->n, b->rank, U, b->stride, order, y, x);
  for (size_t i = 0; i < n; i++) x[i] *= -scale[i];
  for (int d = 0; d < b->n_null; d++) {
    const double *unit = N + (size_t)d * n;
    double product = 0;
    for (size_t i = 0; i < n; i++) product += unit[i] * x[i];
    for (size_t i = 0; i < n; i++) x[i] -= product * unit[i];
  }
  for (size_t i = 0; i < n; i++) lambda[row[i]] = x[i];
}

// Takes a force through link k's joint to the parent's origin.
SRS_INLINE v6 pass_force(srs_elimination *e, int k, v6 f, double *c)
{
  const srs_workspace *w = e->w;
  const srs_model *m = w->model;
  const int *row = e->live_row + e->live_end[k + 1];
  const int n = e->live_end[k] - e->live_end[k + 1], first = m->v_index[k];
  const v3 arm = w->place[k].arm;
  for (int i = m->v_index[k + 1] - 1; i >= first; i--) {
    pivot *p = &e->pivots[i];
    const double *share = e->share + e->share_end[k + 1] + (size_t)(i - first) * (size_t)n;
    p->u = v6_dot(joint_column(w, k, i), f);
    const double moved = p->u * p->D_inverse;
    for (int j = 0; j < n; j++) c[row[j]] += share[j] * moved;
    if (turns_only(m, k)) return v6_add_scaled(carry_force(f, arm), p->u, p->G);
    f = v6_add_scaled(f, -moved, p->U);
  }
  return carry_force(f, arm);
}

SRS_KERNEL static void forces_in(srs_elimination *e, double *c)
{
  const srs_model *m = e->w->model;
  v6 f = v6_zero;
  int block_at = 0;
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int end = m->subtree_end[k], p = m->parent[k];
    if (end == k + 1)
      f = v6_zero;
    else if (m->subtree_end[k + 1] < end)
      f = v6_add(f, e->force[k]);
    if (block_at < e->n_blocks && e->blocks[block_at].link == k) block_in(e, &e->blocks[block_at++], c, &f);
    f = pass_force(e, k, f, c);
    if (p >= 0 && p != k - 1) store_v6(&e->force[p], end == m->subtree_end[p] ? f : v6_add(e->force[p], f));
  }
  v6 on_world = v6_zero;
  if (block_at < e->n_blocks) block_in(e, &e->blocks[block_at], c, &on_world);
}

// What the strands that pass coordinate i of link k add to its share.
SRS_INLINE double strands_share(const srs_elimination *e, int k, int i, const double *lambda)
{
  const int *row = e->live_row + e->live_end[k + 1];
  const int n = e->live_end[k] - e->live_end[k + 1];
  const double *share = e->share + e->share_end[k + 1] + (size_t)(i - e->w->model->v_index[k]) * (size_t)n;
  double sum = 0;
  for (int j = 0; j < n; j++) sum += share[j] * lambda[row[j]];
  return sum;
}

// Moves link k, given how its parent moves; returns how it moves.
SRS_INLINE v6 accelerate(const srs_elimination *e, int k, v6 parent, const double *lambda, double *dv)
{
  const srs_workspace *w = e->w;
  const srs_model *m = w->model;
  const int first = m->v_index[k], end = m->v_index[k + 1];
  v6 A = carry_motion(parent, w->place[k].arm);
  if (turns_only(m, k)) {
    const pivot *p = &e->pivots[first];
    dv[first] = (p->u + strands_share(e, k, first, lambda)) * p->D_inverse + v6_dot(p->G, parent);
    A.ang += dv[first] * w->place[k].axes.z;
    return A;
  }
  for (int i = first; i < end; i++) {
    const pivot *p = &e->pivots[i];
    dv[i] = (p->u + strands_share(e, k, i, lambda) - v6_dot(p->U, A)) * p->D_inverse;
    A = v6_add_scaled(A, dv[i], joint_column(w, k, i));
  }
  return A;
}

SRS_KERNEL static void accelerations_out(srs_elimination *e, double *lambda, double *dv, double *moved)
{
  const srs_workspace *w = e->w;
  const srs_model *m = w->model;
  int block_at = e->n_blocks - 1;
  if (block_at >= 0 && e->blocks[block_at].link < 0) block_out(e, &e->blocks[block_at--], v6_zero, lambda);
  v6 A = v6_zero;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    if (p != k - 1) A = p < 0 ? v6_zero : w->acceleration[p];
    A = accelerate(e, k, A, lambda, dv);
    if (has_branches(m, k)) store_v6(&w->acceleration[k], A);
    for (int i = e->side_begin[k]; i < e->side_begin[k + 1]; i++) {
      const srs_row *side = &e->sides[i];
      moved[e->side_row[i]] +=
          side->coordinate >= 0 ? side->coefficient * dv[side->coordinate] : v6_dot(side->force, A);
    }
    if (block_at >= 0 && e->blocks[block_at].link == k) block_out(e, &e->blocks[block_at--], A, lambda);
  }
}

void srs_elimination_solve(srs_elimination *e, const double *x, double *lambda, double *dv, double *moved)
{
  const size_t bytes = (size_t)e->n_rows * sizeof *x;
  memcpy(e->left, x, bytes);
  memset(lambda, 0, bytes);
  memset(moved, 0, bytes);
  forces_in(e, e->left);
  accelerations_out(e, lambda, dv, moved);
}
