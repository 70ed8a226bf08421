// How does the force on every joint change with the coordinate of every other one?
//
// With sums over all that is carried at i (outward.c) each coordinate i has four forces, about its link's origin:
//
//   mass   I S                      speed  2 B S + I rate           place  2 B psi + I psi2 + S x* f
//   left   2 B^T S, which is a torque alone: the same about every point
//
// Moved inward they give, for j on the way from i to the root, i itself included (Singh, Russell & Wensing 2022, eq. 39
// and after):
//
//   M_ji = S_j . mass                             (and M_ij)
//   d tau_j / d q_i = S_j . place                 d tau_i / d q_j = left . psi_j + mass . psi2_j
//   d tau_j / d v_i = S_j . speed                 d tau_i / d v_j = left . S_j + mass . rate_j
//
// Of coordinates that turn one body together the rule on the right holds in either order. The Coriolis matrix has the
// same form with B S + I V x S for speed, half of left, and V x S for rate (Echeandia & Wensing 2021).
//
// A wrench of components that the world fixes, at a point of the body: where i moves, its force moves and does not
// turn, and the torque about i's origin changes by (v + w x r) x F, [w; v] = S. Where j moves instead, only the turn
// counts that the wrench does not join in. R = sum r F^T has both.
//
// In world axes a force stays the same on its way inward but for its torque, and depth-first order makes the
// coordinates of a subtree neighbours: a row is a loop over contiguous memory, four columns at a time. Up to four
// coordinates on one path, a run, take their rows together, about the origin of the last one's link: the forces are
// loaded and moved once for all of them. Four entries below the diagonal, of one row i and a run's columns j, are a
// vector too.

#include "engine/derivatives/sweep.h"
#include "engine/derivatives/outward.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

// The columns of a run's coordinates about its origin, a component of all four at a time; zeros where there are fewer.
typedef struct run_columns {
  lanes S[6], psi[3], psi2[6], rate[6];
} run_columns;

// ---------------------------------------------------------------------------------------------------------------------
// The forces of one coordinate
// ---------------------------------------------------------------------------------------------------------------------

// The first n of four numbers.
SRS_INLINE void store_some(double *to, lanes x, int n)
{
  if (n == LANES) {
    lanes_store(to, x);
    return;
  }
  for (int c = 0; c < LANES - 1; c++)
    if (c < n) to[c] = x[c];
}

// Four vectors' components in three rows.
SRS_INLINE void store_vectors(double *row, size_t stride, v3 a, v3 b, v3 c, v3 d, int n)
{
  quads_transpose(&a, &b, &c, &d);
  store_some(row, a, n), store_some(row + stride, b, n), store_some(row + 2 * stride, c, n);
}

SRS_INLINE void store_forces(double *row, size_t stride, const v6 *f, int n)
{
  store_vectors(row, stride, f[0].ang, f[1].ang, f[2].ang, f[3].ang, n);
  store_vectors(row + 3 * stride, stride, f[0].lin, f[1].lin, f[2].lin, f[3].lin, n);
}

// B m
SRS_INLINE v6 velocity_force(const carried *c, v6 m) { return (v6){m3_times(c->N, m.ang), cross(m.ang, c->p)}; }

// How wrenches on what is carried change where the coordinate of column S moves: they move and do not turn.
SRS_INLINE v6 moved_wrench(const carried *c, v6 S)
{
  const double trace = c->R.x[0] + c->R.y[1] + c->R.z[2];
  return (v6){cross(S.lin, c->wrench.lin) + m3_times(c->R, S.ang) - trace * S.ang, v3_zero};
}

// S . (what wrenches do not turn) where a coordinate moves whose angular column is w: this vector times w.
SRS_INLINE v3 unturned_wrench(const carried *c, v6 S)
{
  const m3 R = c->R;
  const double trace = R.x[0] + R.y[1] + R.z[2];
  const v3 moment = {R.z[1] - R.y[2], R.x[2] - R.z[0], R.y[0] - R.x[1], 0}; // sum of r x F
  return cross(c->wrench.ang - moment, S.ang) + trace * S.ang - m3_times(R, S.ang) + cross(c->wrench.lin, S.lin);
}

// The part of `place` that only turns forces.
SRS_INLINE v6 turned_force(const carried *c, v6 S, bool has_wrenches)
{
  const v6 turned = force_cross(S, c->f);
  return has_wrenches ? v6_add_scaled(turned, -1, moved_wrench(c, S)) : turned;
}

// How far the origin of link `to` is from that of `from`, which carries it.
SRS_INLINE v3 arm_between(const srs_workspace *w, int from, int to)
{
  v3 arm = v3_zero;
  for (; to > from; to = w->model->parent[to]) arm += w->place[to].arm;
  return arm;
}

SRS_INLINE void components(const v6 *x, lanes *out)
{
  v3 a = x[0].ang, b = x[1].ang, c = x[2].ang, d = x[3].ang;
  quads_transpose(&a, &b, &c, &d);
  out[0] = a, out[1] = b, out[2] = c;
  a = x[0].lin, b = x[1].lin, c = x[2].lin, d = x[3].lin;
  quads_transpose(&a, &b, &c, &d);
  out[3] = a, out[4] = b, out[5] = c;
}

// What a run's coordinates have, a vector for each.
typedef struct run_vectors {
  v6 S[SRS_RUN], psi2[SRS_RUN], rate[SRS_RUN]; // about the run's origin, as the next three
  v6 mass[SRS_RUN], speed[SRS_RUN], place[SRS_RUN];
  v3 psi[SRS_RUN], left[SRS_RUN];
} run_vectors;

SRS_INLINE void clear_vectors(run_vectors *x, int a)
{
  store_v6(&x->S[a], v6_zero), store_v6(&x->psi2[a], v6_zero), store_v6(&x->rate[a], v6_zero);
  store_v6(&x->mass[a], v6_zero), store_v6(&x->speed[a], v6_zero), store_v6(&x->place[a], v6_zero);
  x->psi[a] = v3_zero, x->left[a] = v3_zero;
}

// Coordinate i of link k, whose origin is `arm` before the run's, as the a-th of the run.
SRS_INLINE void one_coordinate(const srs_workspace *w, int k, int i, v3 arm, srs_sweep_kind kind, bool has_wrenches,
                               run_vectors *x, int a)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const carried *c = &d->carried[k];
  const double share = kind == SRS_SWEEP_CORIOLIS ? 1 : 2;
  const v6 S = {d->S[i].ang, d->S[i].lin}, rate = {d->rate[i].ang, d->rate[i].lin};
  store_v6(&x->S[a], carry_motion(S, arm));
  store_v6(&x->rate[a], carry_motion(rate, arm));
  x->left[a] = share * (m3_times_back(c->N, S.ang) + cross(c->p, S.lin));
  store_v6(&x->mass[a], carry_force(body_momentum(&c->body, S), -arm));
  const v6 speed = v6_add_scaled(body_momentum(&c->body, rate), share, velocity_force(c, S));
  store_v6(&x->speed[a], carry_force(speed, -arm));
  if (kind == SRS_SWEEP_CORIOLIS) return;
  const v6 psi = {d->psi[i].ang, d->psi[i].lin}, psi2 = {d->psi2[i].ang, d->psi2[i].lin};
  x->psi[a] = psi.ang;
  store_v6(&x->psi2[a], carry_motion(psi2, arm));
  const v6 place = v6_add_scaled(body_momentum(&c->body, psi2), 2, velocity_force(c, psi));
  store_v6(&x->place[a], carry_force(v6_add(place, turned_force(c, S, has_wrenches)), -arm));
}

// The columns of a run, and its forces in their rows.
SRS_INLINE void start_run(const srs_workspace *w, const srs_run *run, srs_sweep_kind kind, bool has_wrenches, int n,
                          run_columns *out)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t stride = d->row_stride;
  double *rows = d->rows + SRS_ROW_FRONT + run->first;
  run_vectors x;
  v3 arm = v3_zero;
  for (int a = n; a < SRS_RUN; a++) clear_vectors(&x, a);
  for (int a = n - 1, link = run->link; a >= 0; a--) {
    const int i = run->first + a, k = w->model->link_of_v[i];
    for (; link > k; link = w->model->parent[link]) arm += w->place[link].arm;
    one_coordinate(w, k, i, arm, kind, has_wrenches, &x, a);
  }
  components(x.S, out->S);
  components(x.rate, out->rate);
  store_forces(rows + T_MASS * stride, stride, x.mass, n);
  store_forces(rows + T_SPEED * stride, stride, x.speed, n);
  store_vectors(rows + T_LEFT * stride, stride, x.left[0], x.left[1], x.left[2], x.left[3], n);
  if (kind == SRS_SWEEP_CORIOLIS) {
    for (int c = 0; c < 6; c++) out->psi2[c] = v3_zero;
    for (int c = 0; c < 3; c++) out->psi[c] = v3_zero;
    return;
  }
  components(x.psi2, out->psi2);
  quads_transpose(&x.psi[0], &x.psi[1], &x.psi[2], &x.psi[3]);
  out->psi[0] = x.psi[0], out->psi[1] = x.psi[1], out->psi[2] = x.psi[2];
  store_forces(rows + T_PLACE * stride, stride, x.place, n);
}

// ---------------------------------------------------------------------------------------------------------------------
// The rows of a run over the coordinates that it carries, its own first
// ---------------------------------------------------------------------------------------------------------------------

// Entries i … i + 3 of the n rows from row `first` on: S . f. Then f is moved to the parent run's origin.
SRS_INLINE void four_columns(const lanes *S, double *f, size_t stride, const v3 *arm, double *entry, size_t nv, int i,
                             int first, int n)
{
  const lanes nx = lanes_load(f), ny = lanes_load(f + stride), nz = lanes_load(f + 2 * stride);
  const lanes fx = lanes_load(f + 3 * stride), fy = lanes_load(f + 4 * stride), fz = lanes_load(f + 5 * stride);
  for (int a = n - 1; entry != NULL && a >= 0; a--) {
    const lanes x = (S[0][a] * nx + S[1][a] * ny + S[2][a] * nz) + (S[3][a] * fx + S[4][a] * fy + S[5][a] * fz);
    if (i >= 0 || first + a > 0)
      lanes_store(entry + (size_t)a * nv, x);
    else // left of the matrix
      for (int c = -i; c < LANES; c++) entry[c] = x[c];
  }
  const double rx = (*arm)[0], ry = (*arm)[1], rz = (*arm)[2];
  lanes_store(f, nx + (ry * fz - rz * fy));
  lanes_store(f + stride, ny + (rz * fx - rx * fz));
  lanes_store(f + 2 * stride, nz + (rx * fy - ry * fx));
}

// What lies left of the run's first coordinate is of no use: it is written again by the runs before.
SRS_INLINE void rows_of_run(const struct srs_derivative_memory *d, const srs_run *run, const lanes *S, int which,
                            const v3 *arm, double *matrix, size_t nv, int n)
{
  const int first = run->first, end = run->end;
  double *f = d->rows + (size_t)which * d->row_stride + SRS_ROW_FRONT;
  for (int i = end - (end - first + LANES - 1) / LANES * LANES; i < end; i += LANES) {
    double *entry = matrix == NULL ? NULL : matrix + (ptrdiff_t)(first * (ptrdiff_t)nv + i);
    four_columns(S, f + i, d->row_stride, arm, entry, nv, i, first, n);
  }
}

// Entries of row i in the run's n columns: left . x + mass . y.
SRS_INLINE void row_below(const double *left, size_t stride, const lanes *x, const lanes *y, double *to, int n)
{
  const double *mass = left - (T_LEFT - T_MASS) * stride;
  const lanes torque = left[0] * x[0] + left[stride] * x[1] + left[2 * stride] * x[2] + mass[0] * y[0];
  const lanes rest = mass[stride] * y[1] + mass[2 * stride] * y[2] + mass[3 * stride] * y[3] + mass[4 * stride] * y[4] +
                     mass[5 * stride] * y[5];
  store_some(to, torque + rest, n);
}

// Below the diagonal, after the rows.
SRS_INLINE void columns_below(const struct srs_derivative_memory *d, const srs_run *run, const lanes *x, const lanes *y,
                              double *matrix, size_t nv, int n)
{
  const size_t stride = d->row_stride;
  const double *left = d->rows + T_LEFT * stride + SRS_ROW_FRONT + run->first;
  double *to = matrix + (size_t)run->first * (nv + 1);
  if (n > 1) row_below(left + 1, stride, x, y, to + nv, 1);
  if (n > 2) row_below(left + 2, stride, x, y, to + 2 * nv, 2);
  if (n > 3) row_below(left + 3, stride, x, y, to + 3 * nv, 3);
  const lanes own_x[3] = {x[0], x[1], x[2]}, own_y[6] = {y[0], y[1], y[2], y[3], y[4], y[5]};
  for (int i = n; i < run->end - run->first; i++) row_below(left + i, stride, own_x, own_y, to + (size_t)i * nv, n);
}

SRS_INLINE void one_run(const srs_workspace *w, const srs_run *run, srs_sweep_kind kind, bool has_wrenches, double *dq,
                        double *dv, double *M, int n)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t nv = (size_t)w->model->nv;
  const v3 arm = run->parent >= 0 ? arm_between(w, run->parent, run->link) : v3_zero;
  run_columns c;
  start_run(w, run, kind, has_wrenches, n, &c);
  rows_of_run(d, run, c.S, T_SPEED, &arm, dv, nv, n);
  columns_below(d, run, c.S, c.rate, dv, nv, n);
  if (dq != NULL) {
    rows_of_run(d, run, c.S, T_PLACE, &arm, dq, nv, n);
    columns_below(d, run, c.psi, c.psi2, dq, nv, n);
  }
  rows_of_run(d, run, c.S, T_MASS, &arm, M, nv, n);
}

#define RUN_KERNEL(n)                                                                                                  \
  SRS_KERNEL static void run_of_##n(const srs_workspace *w, const srs_run *run, srs_sweep_kind kind,                   \
                                    bool has_wrenches, double *dq, double *dv, double *M)                              \
  {                                                                                                                    \
    one_run(w, run, kind, has_wrenches, dq, dv, M, n);                                                                 \
  }
RUN_KERNEL(1)
RUN_KERNEL(2)
RUN_KERNEL(3)
RUN_KERNEL(4)

// Coordinates that turn one body together: the columns of the later ones in the rows of the earlier ones.
SRS_KERNEL static void mend_triples(const srs_workspace *w, int k, bool has_wrenches, double *dq)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const carried *c = &d->carried[k];
  const size_t nv = (size_t)w->model->nv;
  for (int i = w->model->v_index[k]; i < w->model->v_index[k + 1]; i++)
    for (int j = i - d->triple[i] + 1; d->triple[i] > 0 && j < i; j++) {
      double *entry = dq + (size_t)j * nv + (size_t)i;
      *entry -= v6_dot(d->S[j], turned_force(c, d->S[i], has_wrenches));
      if (has_wrenches) *entry += dot(unturned_wrench(c, d->S[j]), d->S[i].ang);
    }
}

// Wrenches in the rows of link k's coordinates, for the coordinates before them.
static void add_wrenches(const srs_workspace *w, int k, double *dq)
{
  const struct srs_derivative_memory *d = w->derivatives;
  for (int i = w->model->v_index[k]; i < w->model->v_index[k + 1]; i++) {
    const v3 turn = unturned_wrench(&d->carried[k], d->S[i]);
    for (int j = d->parent_v[i]; j >= 0; j = d->parent_v[j])
      dq[(size_t)i * (size_t)w->model->nv + (size_t)j] += dot(turn, d->S[j].ang);
  }
}

SRS_INLINE void clear(double *x, int n)
{
  for (int i = 0; i + LANES < n; i += LANES) lanes_store(x + i, v3_zero);
  if (n >= LANES) {
    lanes_store(x + n - LANES, v3_zero); // some of them once more
    return;
  }
  if (n > 0) x[0] = 0;
  if (n > 1) x[1] = 0;
  if (n > 2) x[2] = 0;
}

// Zeros where neither coordinate is on the other's way to the root.
SRS_KERNEL static void clear_rest(const srs_workspace *w, double *const *matrices, int n_matrices)
{
  const srs_model *m = w->model;
  const struct srs_derivative_memory *d = w->derivatives;
  for (int i = 0; i < m->nv; i++) {
    const int end = m->v_index[m->subtree_end[m->link_of_v[i]]];
    const size_t row = (size_t)i * (size_t)m->nv;
    for (int k = 0; k < n_matrices; k++) clear(matrices[k] + row + end, m->nv - end);
    for (int from = d->path_first[i]; from > 0;) {
      const int before = d->parent_v[from];
      for (int k = 0; k < n_matrices; k++) clear(matrices[k] + row + before + 1, from - before - 1);
      from = before < 0 ? 0 : d->path_first[before];
    }
  }
}

SRS_KERNEL static void mirror(double *matrix, size_t n) { mirror_rows(matrix, n, 0, n); }

void srs_derivative_sweep(srs_workspace *w, srs_sweep_kind kind, bool has_wrenches, double *dq, double *dv, double *M)
{
  const srs_model *m = w->model;
  struct srs_derivative_memory *d = w->derivatives;
  for (int r = 0; r < d->n_runs; r++) {
    const srs_run *run = &d->runs[r];
    switch (run->count) {
    case 1: run_of_1(w, run, kind, has_wrenches, dq, dv, M); break;
    case 2: run_of_2(w, run, kind, has_wrenches, dq, dv, M); break;
    case 3: run_of_3(w, run, kind, has_wrenches, dq, dv, M); break;
    default: run_of_4(w, run, kind, has_wrenches, dq, dv, M); break;
    }
  }
  double *matrices[3];
  int n = 0;
  matrices[n++] = dv;
  if (dq != NULL) matrices[n++] = dq;
  if (M != NULL) matrices[n++] = M;
  clear_rest(w, matrices, n);
  if (M != NULL) mirror(M, (size_t)m->nv);
  for (int i = 0; i < m->nv && dq != NULL; i++)
    if (d->triple[i] == 3) mend_triples(w, m->link_of_v[i], has_wrenches, dq);
  for (int k = 0; k < m->n_links && has_wrenches && dq != NULL; k++) add_wrenches(w, k, dq);
}
