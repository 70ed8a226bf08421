// The factor: strands and articulated inertias on their way in.
//
//   strand  at each coordinate with column s, the share u = s . f, and f <- f - U u / D, as any force; two strands move
//           each other by K_ij += u_i u_j / D
//   block   rows R that end at a link of acceleration A, strands Q that pass by:
//             F_R^T A + K_RR lambda_R + K_RQ lambda_Q + c_R = 0
//           K_RR = U^T D U, G = U^-T F_R^T, Y = U^-T K_RQ; without lambda_R the link is stiffer by G^T D^-1 G, and the
//           strands are F_Q - G^T D^-1 Y and K_QQ - Y^T D^-1 Y
//
// Impulses of a loop that move nothing stay within the loop: where K_RR z = 0, F_R z = 0 and K_QR z = 0. So rows that
// depend on others of their own loop drop out of everything, and W's null space is that of all the K_RR, unless rows of
// different loops depend on each other.

#include "contact/algebra/semidefinite.h"
#include "engine/dynamics/articulated.h"
#include "engine/elimination/memory.h"

#include <string.h>

// Of what a row would move if no lever were zero: below the first share it moves nothing, between the two it is not
// certain. Pivots, the diagonal being 1: at most the first counts as zero, from the second on as none.
static const double no_lever = 1e-24, some_lever = 1e-10, no_pivot = 1e-12, some_pivot = 1e-6;

// What the rows' own coupling to rows before must be less than, where some of them depend on others.
static const double least_coupling = 1e-9;

static double *line_of(const srs_elimination *e, int slot) { return e->K + (size_t)slot * (size_t)e->n_slots; }

static void clear_slot(srs_elimination *e, int slot)
{
  memset(line_of(e, slot), 0, (size_t)e->n_slots * sizeof *e->K);
  for (int i = 0; i < e->n_slots; i++) line_of(e, i)[slot] = 0;
}

static void merge(srs_elimination *e, int to, int from)
{
  e->strand[to] = v6_add(e->strand[to], e->strand[from]);
  e->size[to] += e->size[from];
  e->is_coupled[to] = e->is_coupled[to] || e->is_coupled[from];
  double *a = line_of(e, to);
  const double *b = line_of(e, from);
  a[to] += b[from];
  for (int i = 0; i < e->n_slots; i++)
    if (i != to && i != from) line_of(e, i)[to] = a[i] += b[i];
  clear_slot(e, from);
}

// Takes up the sides on a link: wrenches, or only places where strands on coordinates start.
static void start_strands(srs_elimination *e, int k, bool coordinates)
{
  for (int i = e->side_begin[k]; i < e->side_begin[k + 1]; i++) {
    const srs_row *side = &e->sides[i];
    if ((side->coordinate >= 0) != coordinates) continue;
    const bool starts = e->side_slot[i] < 0;
    const int slot = starts ? -e->side_slot[i] - 1 : e->side_slot[i];
    if (starts) e->strand[slot] = v6_zero, e->size[slot] = 0, e->is_coupled[slot] = false;
    if (!coordinates) e->strand[slot] = v6_add(e->strand[slot], side->force);
  }
}

// What the sides of link k on one coordinate add to the shares of the strands.
static void add_coordinate_sides(const srs_elimination *e, int k, int coordinate, double *share)
{
  const int begin = e->live_end[k + 1], end = e->live_end[k];
  for (int i = e->side_begin[k]; i < e->side_begin[k + 1]; i++) {
    if (e->sides[i].coordinate != coordinate) continue;
    for (int j = begin; j < end; j++)
      if (e->live_row[j] == e->side_row[i]) share[j - begin] += e->sides[i].coefficient;
  }
}

SRS_INLINE double square(v3 a) { return dot(a, a); }

// The strands' shares of one coordinate, and what they move there.
SRS_INLINE void share_out(srs_elimination *e, int k, int i, v6 s, const int *slot, int n, double *share)
{
  const double D_inverse = e->pivots[i].D_inverse;
  for (int j = 0; j < n; j++) share[j] = v6_dot(s, e->strand[slot[j]]);
  add_coordinate_sides(e, k, i, share);
  for (int j = 0; j < n; j++) {
    const v6 f = e->strand[slot[j]];
    double *line = line_of(e, slot[j]);
    const double size = square(s.ang) * square(f.ang) + square(s.lin) * square(f.lin);
    e->size[slot[j]] += D_inverse * fmax(size, share[j] * share[j]);
    for (int l = 0; l < n; l++) line[slot[l]] += D_inverse * share[j] * share[l];
  }
}

// Takes the strands through link k's joint to the parent's origin.
SRS_INLINE void pass_strands(srs_elimination *e, int k)
{
  const srs_workspace *w = e->w;
  const srs_model *m = w->model;
  const int *slot = e->live_slot + e->live_end[k + 1];
  const int n = e->live_end[k] - e->live_end[k + 1], first = m->v_index[k], end = m->v_index[k + 1];
  const v3 arm = w->place[k].arm;
  for (int i = end - 1; i >= first; i--) {
    double *share = e->share + e->share_end[k + 1] + (size_t)(i - first) * (size_t)n;
    const pivot *p = &e->pivots[i];
    share_out(e, k, i, joint_column(w, k, i), slot, n, share);
    for (int j = 0; j < n; j++) e->strand[slot[j]] = v6_add_scaled(e->strand[slot[j]], -share[j] * p->D_inverse, p->U);
  }
  for (int j = 0; j < n; j++) e->strand[slot[j]] = carry_force(e->strand[slot[j]], arm);
}

// What resists a coordinate beside the links' inertia: of the tree's pivot, D - s . U.
SRS_INLINE double resistance(const srs_elimination *e, int k, int i, bool with_tree)
{
  const pivot *p = &e->w->pivots[i];
  return with_tree ? 1 / p->D_inverse - v6_dot(joint_column(e->w, k, i), p->U) : e->w->model->armature[i];
}

// Takes the inertia through link k's joint; returns whether all its coordinates are resisted.
SRS_INLINE bool pass_inertia(srs_elimination *e, int k, bool with_tree, articulated *P)
{
  const srs_workspace *w = e->w;
  const srs_model *m = w->model;
  const v3 z = w->place[k].axes.z, arm = w->place[k].arm;
  const int first = m->v_index[k];
  const bool has_parent = m->parent[k] >= 0;
  if (turns_only(m, k))
    return pass_hinge(P, NULL, z, arm, 0, resistance(e, k, first, with_tree), has_parent, &e->pivots[first]);
  for (int i = m->v_index[k + 1] - 1; i >= first; i--)
    if (!eliminate(P, joint_column(w, k, i), resistance(e, k, i, with_tree), &e->pivots[i])) return false;
  if (has_parent) *P = moved_articulated(P, arm);
  return true;
}

// Scales the rows of a block and factors them. Returns whether it is certain which of them are independent.
static bool factor_block(srs_elimination *e, loop_block *b, srs_elimination_report *report)
{
  const size_t n = (size_t)b->n, stride = (size_t)b->stride;
  const int *slot = e->block_slot + b->first, *row = e->block_row + b->first;
  int *order = e->order + b->first;
  double *A = e->numbers + b->at, *scale = A + n * stride, *left = scale + stride;
  int moving = 0;
  bool is_coupled = false;
  for (size_t i = 0; i < n; i++) {
    const double own = line_of(e, slot[i])[slot[i]], size = e->size[slot[i]];
    const bool is_idle = own <= no_lever * size;
    if (!is_idle && !(own > some_lever * size)) return false;
    e->mobility[row[i]] = is_idle ? 0 : own;
    scale[i] = is_idle ? 0 : 1 / sqrt(own);
    moving += !is_idle;
    is_coupled = is_coupled || (!is_idle && e->is_coupled[slot[i]]);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < stride; j++)
      A[i * stride + j] = j < n ? scale[i] * scale[j] * line_of(e, slot[i])[slot[j]] : 0;
  b->rank = srs_semidefinite_factor(b->n, A, b->stride, order, no_pivot, left);
  b->n_null = moving - b->rank;
  report->rank += b->rank, report->n_moving += moving;
  for (int k = 0; k < b->rank; k++) {
    const int at = order[k];
    const double own = srs_semidefinite_pivot(A, b->stride, order, k), unscaled = own / (scale[at] * scale[at]);
    report->least_pivot = fmin(report->least_pivot, own);
    if (report->weakest < 0 || unscaled < report->least_own) report->least_own = unscaled, report->weakest = row[at];
  }
  return report->least_pivot >= some_pivot && (b->n_null == 0 || !is_coupled);
}

// The impulses that move nothing, of unit length and at right angles, one line each.
static void find_null_space(srs_elimination *e, const loop_block *b)
{
  const size_t n = (size_t)b->n, stride = (size_t)b->stride;
  const int *order = e->order + b->first;
  const double *A = e->numbers + b->at, *scale = A + n * stride;
  double *forward = e->numbers + b->at + (n + 1) * stride, *x = forward + stride,
         *N = x + stride + n * (size_t)b->n_others;
  for (int d = 0, found = 0; found < b->n_null; d++) {
    const int dependent = order[b->rank + d];
    if (!(scale[dependent] > 0)) continue; // it moves nothing itself: its impulse is zero
    double *line = N + (size_t)found * n;
    for (int k = 0; k < b->rank; k++) forward[k] = srs_semidefinite_row(A, b->stride, order, k)[dependent];
    srs_semidefinite_back(b->n, b->rank, A, b->stride, order, forward, x);
    x[dependent] = -1;
    for (size_t i = 0; i < n; i++) line[i] = scale[i] * x[i];
    for (int other = 0; other <= found; other++) { // the last one: itself, to unit length
      const double *unit = N + (size_t)other * n;
      double product = 0;
      for (size_t i = 0; i < n; i++) product += unit[i] * line[i];
      const double share = other < found ? -product : 1 / sqrt(product);
      for (size_t i = 0; i < n; i++) line[i] = other < found ? line[i] + share * unit[i] : share * line[i];
    }
    found++;
  }
}

// G, and what it adds to the link's inertia.
static void pull_link(srs_elimination *e, const loop_block *b, articulated *P)
{
  const size_t n = (size_t)b->n, stride = (size_t)b->stride;
  const int *slot = e->block_slot + b->first, *order = e->order + b->first;
  const double *A = e->numbers + b->at, *scale = A + n * stride;
  double *forward = e->numbers + b->at + (n + 1) * stride, *x = forward + stride;
  v6 *G = e->pull + b->first;
  for (int k = 0; k < b->rank; k++) G[k] = v6_zero;
  for (int c = 0; c < 6; c++) {
    memset(x, 0, stride * sizeof *x);
    for (size_t i = 0; i < n; i++)
      x[i] = scale[i] * (c < 3 ? e->strand[slot[i]].ang[c] : e->strand[slot[i]].lin[c - 3]);
    srs_semidefinite_forward(b->n, b->rank, A, b->stride, order, x, forward);
    for (int k = 0; k < b->rank; k++) {
      if (c < 3)
        G[k].ang[c] = forward[k];
      else
        G[k].lin[c - 3] = forward[k];
    }
  }
  for (int k = 0; k < b->rank; k++)
    *P = with_square(P, G[k], v6_scale(srs_semidefinite_row(A, b->stride, order, k)[order[k]], G[k]));
}

// Y, and what it leaves of the strands that pass by.
static void pull_others(srs_elimination *e, const loop_block *b)
{
  const size_t n = (size_t)b->n, stride = (size_t)b->stride, n_others = (size_t)b->n_others;
  const int *slot = e->block_slot + b->first, *other = e->other_slot + b->other, *order = e->order + b->first;
  const double *A = e->numbers + b->at, *scale = A + n * stride;
  double *forward = e->numbers + b->at + (n + 1) * stride, *x = forward + stride, *Y = x + stride;
  for (size_t q = 0; q < n_others; q++) {
    memset(x, 0, stride * sizeof *x);
    const double own = sqrt(line_of(e, other[q])[other[q]]);
    for (size_t i = 0; i < n; i++) {
      x[i] = scale[i] * line_of(e, slot[i])[other[q]];
      if (fabs(x[i]) > least_coupling * own) e->is_coupled[other[q]] = true;
    }
    srs_semidefinite_forward(b->n, b->rank, A, b->stride, order, x, forward);
    for (int k = 0; k < b->rank; k++) Y[(size_t)k * n_others + q] = forward[k];
  }
  for (int k = 0; k < b->rank; k++) {
    const double D_inverse = srs_semidefinite_row(A, b->stride, order, k)[order[k]], *y = Y + (size_t)k * n_others;
    for (size_t q = 0; q < n_others; q++) {
      double *line = line_of(e, other[q]);
      e->strand[other[q]] = v6_add_scaled(e->strand[other[q]], -D_inverse * y[q], e->pull[b->first + k]);
      for (size_t r = 0; r < n_others; r++) line[other[r]] -= D_inverse * y[q] * y[r];
    }
  }
}

static bool eliminate_block(srs_elimination *e, loop_block *b, articulated *P, srs_elimination_report *report)
{
  if (!factor_block(e, b, report)) return false;
  if (b->n_null > 0) find_null_space(e, b);
  pull_link(e, b, P);
  if (b->n_others > 0) pull_others(e, b);
  for (int i = 0; i < b->n; i++) clear_slot(e, e->block_slot[b->first + i]);
  return true;
}

// Does what the plan says for link k before its joint; -1: for the world.
static bool meet_link(srs_elimination *e, int k, int *merge_at, int *block_at, articulated *P,
                      srs_elimination_report *report)
{
  for (; *merge_at < e->n_merges && e->merges[*merge_at].link == k; ++*merge_at)
    merge(e, e->merges[*merge_at].to, e->merges[*merge_at].from);
  if (k >= 0 && e->side_begin[k] < e->side_begin[k + 1]) start_strands(e, k, false);
  if (*block_at < e->n_blocks && e->blocks[*block_at].link == k &&
      !eliminate_block(e, &e->blocks[(*block_at)++], P, report))
    return false;
  if (k >= 0 && e->side_begin[k] < e->side_begin[k + 1]) start_strands(e, k, true);
  return true;
}

SRS_KERNEL static bool factor_in(srs_elimination *e, bool with_tree, srs_elimination_report *report)
{
  const srs_workspace *w = e->w;
  const srs_model *m = w->model;
  articulated P = {s33_zero, s33_zero, {v3_zero, v3_zero, v3_zero}};
  int merge_at = 0, block_at = 0;
  for (int k = m->n_links - 1; k >= 0; k--) {
    const body own = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    P = gathered(w, false, k, &P, &own);
    if (!meet_link(e, k, &merge_at, &block_at, &P, report) || !pass_inertia(e, k, with_tree, &P)) return false;
    if (e->live_end[k] > e->live_end[k + 1]) pass_strands(e, k);
    leave_articulated(w, false, k, &P);
  }
  return meet_link(e, -1, &merge_at, &block_at, &P, report);
}

bool srs_elimination_factor(srs_elimination *e, const void *rows, size_t stride, bool with_tree,
                            srs_elimination_report *report)
{
  for (int i = 0; i < e->n_sides; i++) {
    const srs_step_row *row = (const void *)((const char *)rows + (size_t)e->side_row[i] * stride);
    e->sides[i] = srs_row_side(row, e->side_of_row[i]);
  }
  *report = (srs_elimination_report){.least_pivot = 1, .weakest = -1, .mobility = e->mobility};
  memset(e->K, 0, (size_t)e->n_slots * (size_t)e->n_slots * sizeof *e->K);
  memset(e->mobility, 0, (size_t)e->n_rows * sizeof *e->mobility);
  return factor_in(e, with_tree, report);
}
