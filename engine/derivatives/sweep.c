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
// coordinates of a subtree neighbours: a row is a loop over contiguous memory, four columns at a time.

#include "engine/derivatives/sweep.h"
#include "engine/derivatives/outward.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

enum { OUT_MASS, OUT_PLACE, OUT_SPEED, OUT_LEFT_PLACE, OUT_LEFT_SPEED, OUTS };

// ---------------------------------------------------------------------------------------------------------------------
// The forces of one coordinate
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE void store_column(double *rows, size_t stride, int first, int i, v6 f)
{
  for (int c = 0; c < 3; c++) {
    rows[(size_t)(first + c) * stride + (size_t)i] = f.ang[c];
    rows[(size_t)(first + 3 + c) * stride + (size_t)i] = f.lin[c];
  }
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

SRS_KERNEL static void own_columns(srs_workspace *w, int k, srs_sweep_kind kind, bool has_wrenches)
{
  struct srs_derivative_memory *d = w->derivatives;
  const carried *c = &d->carried[k];
  const size_t stride = w->v_stride;
  const double share = kind == SRS_SWEEP_CORIOLIS ? 1 : 2;
  for (int i = w->model->v_index[k]; i < w->model->v_index[k + 1]; i++) {
    const v6 S = d->S[i];
    const v3 left = share * (m3_times_back(c->N, S.ang) + cross(c->p, S.lin));
    store_column(d->rows, stride, T_MASS, i, body_momentum(&c->body, S));
    store_column(d->rows, stride, T_SPEED, i,
                 v6_add_scaled(body_momentum(&c->body, d->rate[i]), share, velocity_force(c, S)));
    for (int r = 0; r < 3; r++) d->rows[(size_t)(T_LEFT + r) * stride + (size_t)i] = left[r];
    if (kind == SRS_SWEEP_CORIOLIS) continue;
    const v6 place = v6_add_scaled(body_momentum(&c->body, d->psi2[i]), 2, velocity_force(c, d->psi[i]));
    store_column(d->rows, stride, T_PLACE, i, v6_add(place, turned_force(c, S, has_wrenches)));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// One coordinate's row over the coordinates from … end - 1, its own first
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE lanes dot3_rows(const double *row, size_t stride, v3 s)
{
  return spread_x(s) * lanes_load(row) + spread_y(s) * lanes_load(row + stride) +
         spread_z(s) * lanes_load(row + 2 * stride);
}

// `turns`: the column's linear part is zero. Whole lanes: what lies left of `from` and right of `end` is of no use.
SRS_INLINE void row_over(const struct srs_derivative_memory *d, size_t stride, int j, int end, bool turns, double *out)
{
  const v6 S = d->S[j], psi = d->psi[j], psi2 = d->psi2[j], rate = d->rate[j];
  for (int i = j / LANES * LANES; i < end; i += LANES) {
    const double *t = d->rows + i;
    const double *mass = t + T_MASS * stride, *speed = t + T_SPEED * stride, *place = t + T_PLACE * stride,
                 *left = t + T_LEFT * stride;
    lanes m = dot3_rows(mass, stride, S.ang), p = dot3_rows(place, stride, S.ang), s = dot3_rows(speed, stride, S.ang);
    if (!turns) {
      m = m + dot3_rows(mass + 3 * stride, stride, S.lin);
      p = p + dot3_rows(place + 3 * stride, stride, S.lin);
      s = s + dot3_rows(speed + 3 * stride, stride, S.lin);
    }
    lanes_store(out + OUT_MASS * stride + i, m);
    lanes_store(out + OUT_PLACE * stride + i, p);
    lanes_store(out + OUT_SPEED * stride + i, s);
    lanes_store(out + OUT_LEFT_PLACE * stride + i, dot3_rows(left, stride, psi.ang) +
                                                       dot3_rows(mass, stride, psi2.ang) +
                                                       dot3_rows(mass + 3 * stride, stride, psi2.lin));
    lanes_store(out + OUT_LEFT_SPEED * stride + i, dot3_rows(left, stride, S.ang) + dot3_rows(mass, stride, rate.ang) +
                                                       dot3_rows(mass + 3 * stride, stride, rate.lin));
  }
}

SRS_KERNEL static void row_turning(const struct srs_derivative_memory *d, size_t stride, int j, int end, double *out)
{
  row_over(d, stride, j, end, true, out);
}

SRS_KERNEL static void row_moving(const struct srs_derivative_memory *d, size_t stride, int j, int end, double *out)
{
  row_over(d, stride, j, end, false, out);
}

// From `from` to `end`: the row j of `matrix` from `up`, its column j below the diagonal from `low`.
SRS_INLINE void put(double *matrix, size_t nv, int j, int end, const double *up, const double *low)
{
  memcpy(matrix + (size_t)j * nv + (size_t)j, up + j, (size_t)(end - j) * sizeof *up);
  double *column = matrix + (size_t)j;
  for (int i = j + 1; i < end; i++) column[(size_t)i * nv] = low[i];
}

// ---------------------------------------------------------------------------------------------------------------------
// The sweep
// ---------------------------------------------------------------------------------------------------------------------

// Moves the torques of three forces of each column from … end - 1 to the parent's origin.
SRS_KERNEL static void carry_columns(double *rows, size_t stride, int from, int end, const v3 *arm)
{
  const vec3 r = {(*arm)[0], (*arm)[1], (*arm)[2]};
  for (int which = T_MASS; which <= T_PLACE; which += 6) {
    double *restrict nx = rows + (size_t)which * stride, *restrict ny = nx + stride, *restrict nz = ny + stride;
    const double *restrict fx = nz + stride, *restrict fy = fx + stride, *restrict fz = fy + stride;
    SRS_INDEPENDENT
    for (int i = from; i < end; i++) {
      nx[i] += r.y * fz[i] - r.z * fy[i];
      ny[i] += r.z * fx[i] - r.x * fz[i];
      nz[i] += r.x * fy[i] - r.y * fx[i];
    }
  }
}

// Coordinates that turn one body together: the columns of the later ones in the rows of the earlier ones.
static void mend_triples(const srs_workspace *w, int k, bool has_wrenches, double *dq)
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

void srs_derivative_sweep(srs_workspace *w, srs_sweep_kind kind, bool has_wrenches, double *dq, double *dv, double *M)
{
  const srs_model *m = w->model;
  struct srs_derivative_memory *d = w->derivatives;
  const size_t nv = (size_t)m->nv, stride = w->v_stride;
  double *out = d->rows + FORCE_ROWS * stride;
  if (dq != NULL) memset(dq, 0, nv * nv * sizeof *dq);
  if (M != NULL) memset(M, 0, nv * nv * sizeof *M);
  memset(dv, 0, nv * nv * sizeof *dv);
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int begin = m->v_index[k], end = m->v_index[m->subtree_end[k]];
    own_columns(w, k, kind, has_wrenches);
    for (int j = begin; j < m->v_index[k + 1]; j++) {
      if (turns_only(m, k))
        row_turning(d, stride, j, end, out);
      else
        row_moving(d, stride, j, end, out);
      if (dq != NULL) put(dq, nv, j, end, out + OUT_PLACE * stride, out + OUT_LEFT_PLACE * stride);
      if (M != NULL) put(M, nv, j, end, out + OUT_MASS * stride, out + OUT_MASS * stride);
      put(dv, nv, j, end, out + OUT_SPEED * stride, out + OUT_LEFT_SPEED * stride);
    }
    if (dq != NULL) mend_triples(w, k, has_wrenches, dq);
    if (m->parent[k] >= 0) carry_columns(d->rows, stride, begin, end, &w->place[k].arm);
  }
  for (int k = 0; k < m->n_links && has_wrenches && dq != NULL; k++) add_wrenches(w, k, dq);
}
