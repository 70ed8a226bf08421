// The Delassus matrix W = J M^-1 J^T of rows of constraints, without forming M (MJ sec. 3.2; Jain 2011): which velocity
// an impulse along one row gives to each row.
//
//   in    articulated-body sweep: U, D of every coordinate (forward_dynamics.c)
//   in    every row is a force f on a link; it starts at its link and meets each coordinate on the way to the root:
//           u = s . f,  f <- f - U u / D,  then [n + r x f; f] for the parent
//         A row that is a force on a coordinate starts as f = 0 and meets that coordinate with u = s . f + 1.
//
// From there on there are two ways, and each tree takes the cheaper one (shares_are_cheaper).
//
// By shares: W_ij is the sum of u_i u_j / D over the coordinates that both rows meet, W = (L^-1 J^T)^T D^-1 (L^-1 J^T)
// for M = L D L^T. Several coordinates of a chain are added in one pass over W. O(rows^2 * depth), nothing to prepare.
//
// By meeting points: rows that come together at link a (its own, and those of different children) have there
// W_ij = f_i . Upsilon_a f_j, where Upsilon is the motion of the link per force on it. It is found
//   out   from the base, on links that carry a row. With X the move from the parent's origin and, for each coordinate,
//         g = U / D:
//           Y = X Upsilon_p X^T;   Y <- (1 - s g^T) Y (1 - g s^T) + s s^T / D = Y - (s y^T + y s^T),
//           y = Y g - s (g . Y g + 1 / D) / 2
// A row on a coordinate of a's joint has with the rows of the subtree sum u_i u_j / D, and what they have at the
// parent. O(n) + O(rows * depth) + O(rows^2). Upsilon is kept as [J H; H^T M] with J = linear-linear, H =
// linear-angular, M = angular-angular, so that it is moved outward by the same formula as an articulated inertia
// inward, with the arm reversed.
//
// Rows are sorted by link; depth-first order makes those of a subtree neighbours. W is filled above the diagonal, in
// the order of the sorted rows, then mirrored, then brought to the caller's order. Rows on different trees give zero.

#include "engine/dynamics/delassus.h"
#include "engine/dynamics/articulated.h"
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/unit_forces.h"

#include <string.h>

SRS_INLINE int articulate_links(srs_workspace *w, bool is_far, const double *extra)
{
  const srs_model *m = w->model;
  articulated P = {s33_zero, s33_zero, {v3_zero, v3_zero, v3_zero}};
  for (int k = m->n_links - 1; k >= 0; k--) {
    const body own = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    if (is_far) fetch_articulated(w, k);
    P = gathered(w, is_far, k, &P, &own);
    const int bad = pass_joint(w, k, &P, NULL, NULL, extra);
    if (bad >= 0) {
      w->articulated[k] = P;
      return bad;
    }
    leave_articulated(w, is_far, k, &P);
  }
  return -1;
}
SRS_KERNEL static int articulate_near(srs_workspace *w, const double *extra)
{
  return articulate_links(w, false, extra);
}
SRS_KERNEL static int articulate_far(srs_workspace *w, const double *extra) { return articulate_links(w, true, extra); }
static int articulate(srs_workspace *w, const double *extra)
{
  return has_far_parents(w) ? articulate_far(w, extra) : articulate_near(w, extra);
}

// The motion that a force causes.
SRS_INLINE v6 upsilon_times(const articulated *Y, v6 f)
{
  return (v6){s33_times(Y->M, f.ang) + d33_times(Y->K, f.lin), d33_times_back(Y->K, f.ang) + s33_times(Y->J, f.lin)};
}

SRS_INLINE void free_coordinate(articulated *Y, v6 s, const pivot *p)
{
  const v6 g = v6_scale(p->D_inverse, p->U);
  v6 y = upsilon_times(Y, g);
  y = v6_add_scaled(y, -0.5 * (v6_dot(g, y) + p->D_inverse), s);
  Y->M = s33_less_pair(Y->M, s.ang, y.ang);
  Y->K = d33_add_outer(d33_add_outer(Y->K, -s.ang, y.lin), -y.ang, s.lin);
  Y->J = s33_less_pair(Y->J, s.lin, y.lin);
}

// s = [z; 0]: the linear block stays.
SRS_INLINE void free_angular_coordinate(articulated *Y, v3 z, const pivot *p)
{
  const v6 g = v6_scale(p->D_inverse, p->U);
  v6 y = upsilon_times(Y, g);
  y.ang -= 0.5 * (v6_dot(g, y) + p->D_inverse) * z;
  Y->M = s33_less_pair(Y->M, z, y.ang);
  Y->K = d33_add_outer(Y->K, -z, y.lin);
}

SRS_INLINE int rows_of_subtree(const srs_workspace *w, int k)
{
  return w->row_begin[w->model->subtree_end[k]] - w->row_begin[k];
}

SRS_KERNEL static void upsilon_out(srs_workspace *w, int from, int to)
{
  const srs_model *m = w->model;
  for (int k = from; k < to; k++) {
    if (rows_of_subtree(w, k) == 0) {
      k = m->subtree_end[k] - 1;
      continue;
    }
    articulated Y = {s33_zero, s33_zero, {v3_zero, v3_zero, v3_zero}};
    if (m->parent[k] >= 0) Y = moved_articulated(&w->upsilon[m->parent[k]], -w->place[k].arm);
    const int first = m->v_index[k], end = m->v_index[k + 1];
    if (turns_only(m, k))
      free_angular_coordinate(&Y, w->place[k].axes.z, &w->pivots[first]);
    else
      for (int i = first; i < end; i++) free_coordinate(&Y, joint_column(w, k, i), &w->pivots[i]);
    w->upsilon[k] = Y;
  }
}

// For one coordinate, with Y the links inward of it: (M^-1)_ii = 1/D + g . Y g.
SRS_KERNEL static void mobilities_out(srs_workspace *w, double *mobility)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    articulated Y = {s33_zero, s33_zero, {v3_zero, v3_zero, v3_zero}};
    if (m->parent[k] >= 0) Y = moved_articulated(&w->upsilon[m->parent[k]], -w->place[k].arm);
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
      const pivot *p = &w->pivots[i];
      const v6 g = v6_scale(p->D_inverse, p->U);
      mobility[i] = p->D_inverse + v6_dot(g, upsilon_times(&Y, g));
      if (turns_only(m, k))
        free_angular_coordinate(&Y, w->place[k].axes.z, p);
      else
        free_coordinate(&Y, joint_column(w, k, i), p);
    }
    w->upsilon[k] = Y;
  }
}

void srs_find_mobilities(srs_workspace *w, double *mobility) { mobilities_out(w, mobility); }

double srs_link_mobility(const srs_workspace *w, int link, const v6 *force)
{
  return v6_dot(*force, upsilon_times(&w->upsilon[link], *force));
}

SRS_INLINE lanes square_by(const s33 *A, lanes x, lanes y, lanes z)
{
  return A->d[0] * x * x + A->d[1] * y * y + A->d[2] * z * z +
         2 * (A->e[0] * x * y + A->e[1] * y * z + A->e[2] * z * x);
}

SRS_KERNEL void srs_add_link_mobilities(const srs_workspace *w, int link, const v6 *forces, int n, double *sum)
{
  const articulated *Y = &w->upsilon[link];
  const d33 *K = &Y->K;
  for (int i = 0; i < n; i += LANES) {
    lanes a[LANES], f[LANES];
    for (int k = 0; k < LANES; k++) {
      a[k] = i + k < n ? forces[i + k].ang : v3_zero;
      f[k] = i + k < n ? forces[i + k].lin : v3_zero;
    }
    quads_transpose(&a[0], &a[1], &a[2], &a[3]);
    quads_transpose(&f[0], &f[1], &f[2], &f[3]);
    const lanes both = a[0] * (K->d0[0] * f[0] + K->d1[0] * f[1] + K->d2[0] * f[2]) +
                       a[1] * (K->d0[1] * f[1] + K->d1[1] * f[2] + K->d2[1] * f[0]) +
                       a[2] * (K->d0[2] * f[2] + K->d1[2] * f[0] + K->d2[2] * f[1]);
    const lanes own = square_by(&Y->M, a[0], a[1], a[2]) + square_by(&Y->J, f[0], f[1], f[2]) + 2 * both;
    for (int k = 0; k < LANES && i + k < n; k++) sum[i + k] += own[k];
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows on their way to the root
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE row_block block_of(const srs_workspace *w) { return row_block_at(w->node_force, w->row_stride); }

static bool has_coordinate(const srs_workspace *w, int k, const srs_row *rows)
{
  if (!w->rows_on_coordinates) return false;
  for (int j = w->row_begin[k]; j < w->row_begin[k + 1]; j++)
    if (rows[w->node_order[j]].coordinate >= 0) return true;
  return false;
}

// What the rows on a coordinate of link k add to u.
static void start_shares(const srs_workspace *w, int k, int coordinate, int end, const srs_row *rows, double *u)
{
  for (int j = w->row_begin[k]; j < end; j++) u[j] = 0;
  for (int j = w->row_begin[k]; j < w->row_begin[k + 1]; j++) {
    const srs_row *row = &rows[w->node_order[j]];
    if (row->coordinate == coordinate) u[j] = row->coefficient;
  }
}

// All rows of the subtree of link k meet the coordinates of its joint, the last one first, which leaves their shares in
// u: an array for each coordinate, in that order.
SRS_KERNEL static void meet_joint(const srs_workspace *w, int k, const srs_row *rows, double *u)
{
  const srs_model *m = w->model;
  const row_block f = block_of(w);
  const int begin = w->row_begin[k], end = w->row_begin[m->subtree_end[k]];
  const bool starts = has_coordinate(w, k, rows);
  const v3 z = w->place[k].axes.z, arm = w->place[k].arm;
  const int first = m->v_index[k];
  if (turns_only(m, k) && !starts) {
    meet_hinge(f, begin, end, z, arm, &w->pivots[first], u);
    return;
  }
  if (m->kind[k] == SRS_JOINT_FREE && !starts && m->parent[k] < 0) {
    meet_free(w, f, begin, end, first, u);
    return;
  }
  for (int i = m->v_index[k + 1] - 1; i >= first; i--, u += w->row_stride) {
    if (starts) start_shares(w, k, i, end, rows, u);
    meet_coordinate(f, begin, end, joint_column(w, k, i), &w->pivots[i], starts, u);
  }
  if (m->parent[k] >= 0) carry_rows_in(f, begin, end, arm);
}

// ---------------------------------------------------------------------------------------------------------------------
// By shares
// ---------------------------------------------------------------------------------------------------------------------

// One of up to four shares each.
typedef struct four {
  lanes s0, s1, s2, s3;
} four;

SRS_INLINE lanes lanes_of(double x) { return (lanes){x, x, x, x}; }

SRS_INLINE four shares_at(const double *u, size_t stride, int n, int j)
{
  const double *at = u + j;
  return (four){lanes_load(at), n > 1 ? lanes_load(at + stride) : v3_zero,
                n > 2 ? lanes_load(at + 2 * stride) : v3_zero, n > 3 ? lanes_load(at + 3 * stride) : v3_zero};
}

SRS_INLINE four scaled_shares(const double *u, size_t stride, const double *D_inverse, int n, int i)
{
  const double *at = u + i;
  return (four){lanes_of(D_inverse[0] * at[0]), n > 1 ? lanes_of(D_inverse[1] * at[stride]) : v3_zero,
                n > 2 ? lanes_of(D_inverse[2] * at[2 * stride]) : v3_zero,
                n > 3 ? lanes_of(D_inverse[3] * at[3 * stride]) : v3_zero};
}

SRS_INLINE lanes sum_of(const four *a, const four *b, int n, lanes sum)
{
  sum += a->s0 * b->s0;
  if (n > 1) sum += a->s1 * b->s1;
  if (n > 2) sum += a->s2 * b->s2;
  if (n > 3) sum += a->s3 * b->s3;
  return sum;
}

// Adds sum_s u_si u_sj / D_s to rows i and, where there are two, i + 1 of W, from the diagonal of row i to column
// end - 1, for n shares. The last four columns end at `end`; what the first four have left of the diagonal is mirrored
// over later.
SRS_INLINE void add_to_rows(const double *u, size_t stride, const double *D_inverse, int n, int i, int rows, int end,
                            size_t size, double *W)
{
  double *row = W + (size_t)i * size, *next = row + size;
  const four a = scaled_shares(u, stride, D_inverse, n, i);
  const four b = rows > 1 ? scaled_shares(u, stride, D_inverse, n, i + 1) : a;
  int j = end - (end - i + LANES - 1) / LANES * LANES;
  if (j < 0) { // too few columns stand left of them
    const four x = shares_at(u, stride, n, j);
    const lanes sum = sum_of(&a, &x, n, v3_zero), sum_next = sum_of(&b, &x, n, v3_zero);
    for (int l = i; l < j + LANES; l++) {
      row[l] += sum[l - j];
      if (rows > 1) next[l] += sum_next[l - j];
    }
    j += LANES;
  }
  for (; j < end; j += LANES) {
    const four x = shares_at(u, stride, n, j);
    lanes_store(row + j, sum_of(&a, &x, n, lanes_load(row + j)));
    if (rows > 1) lanes_store(next + j, sum_of(&b, &x, n, lanes_load(next + j)));
  }
}

SRS_INLINE void add_products(const double *u, size_t stride, const double *D_inverse, int n, int begin, int end,
                             size_t size, double *W)
{
  int i = begin;
  for (; i + 2 <= end; i += 2) add_to_rows(u, stride, D_inverse, n, i, 2, end, size, W);
  if (i < end) add_to_rows(u, stride, D_inverse, n, i, 1, end, size, W);
}

SRS_KERNEL static void add_shares(const double *u, size_t stride, const double *D_inverse, int n, int begin, int end,
                                  size_t size, double *W)
{
  for (; n >= LANES; n -= LANES, u += LANES * stride, D_inverse += LANES)
    add_products(u, stride, D_inverse, LANES, begin, end, size, W);
  switch (n) {
  case 1: add_products(u, stride, D_inverse, 1, begin, end, size, W); break;
  case 2: add_products(u, stride, D_inverse, 2, begin, end, size, W); break;
  case 3: add_products(u, stride, D_inverse, 3, begin, end, size, W); break;
  default: break;
  }
}

// Links k that carry only each other share a pass, up to so many coordinates.
static bool continues(const srs_model *m, int k, int n)
{
  return m->parent[k] == k - 1 && m->subtree_end[k - 1] == m->subtree_end[k] &&
         n + m->v_index[k] - m->v_index[k - 1] <= LANES;
}

static void shares_in(const srs_workspace *w, int from, int to, const srs_row *rows, size_t size, double *W)
{
  const srs_model *m = w->model;
  double D_inverse[SRS_ROW_SHARES];
  int n = 0;
  for (int k = to - 1; k >= from; k--) {
    const int begin = w->row_begin[k], end = w->row_begin[m->subtree_end[k]];
    if (begin == end) continue;
    meet_joint(w, k, rows, w->node_share + (size_t)n * w->row_stride);
    for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--) D_inverse[n++] = w->pivots[i].D_inverse;
    if (k > from && continues(m, k, n)) { // the next link's own rows do not meet these coordinates
      for (int s = 0; s < n; s++) {
        double *share = w->node_share + (size_t)s * w->row_stride; // four lanes fit before each array, too
        for (int j = begin; j > w->row_begin[k - 1]; j -= LANES) lanes_store(share + j - LANES, v3_zero);
      }
      continue;
    }
    add_shares(w->node_share, w->row_stride, D_inverse, n, begin, end, size, W);
    n = 0;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// By meeting points
// ---------------------------------------------------------------------------------------------------------------------

// Entries from … to - 1 of a row of W: f_j . y.
SRS_INLINE void products(row_block f, int from, int to, v6 y, double *restrict row)
{
  const double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  const double ax = y.ang[0], ay = y.ang[1], az = y.ang[2], lx = y.lin[0], ly = y.lin[1], lz = y.lin[2];
  SRS_INDEPENDENT
  for (int i = from; i < to; i++) row[i] = ax * nx[i] + ay * ny[i] + az * nz[i] + lx * fx[i] + ly * fy[i] + lz * fz[i];
}

// Entries of rows that come together at link k: each of its own with those behind it, each of a child with those of
// later children.
SRS_KERNEL static void meet_at(const srs_workspace *w, int k, size_t size, double *W)
{
  const srs_model *m = w->model;
  const row_block f = block_of(w);
  const articulated Y = w->upsilon[k];
  const int end = w->row_begin[m->subtree_end[k]];
  int i = w->row_begin[k];
  for (; i < w->row_begin[k + 1]; i++) products(f, i, end, upsilon_times(&Y, row_at(f, i)), W + (size_t)i * size);
  for (int c = k + 1; c < m->subtree_end[k]; c = m->subtree_end[c]) {
    const int next = w->row_begin[m->subtree_end[c]];
    if (next == end) break;
    for (; i < next; i++) products(f, next, end, upsilon_times(&Y, row_at(f, i)), W + (size_t)i * size);
  }
}

static void add_entry(int i, int j, size_t size, double value, double *W)
{
  W[(size_t)(i < j ? i : j) * size + (size_t)(i < j ? j : i)] += value;
}

// Rows j of link k on coordinates of its joint, with all rows of the subtree: what they have at the parent, after
// meet_joint has left the shares.
SRS_KERNEL static void meet_coordinate_rows(const srs_workspace *w, int k, const srs_row *rows, size_t size, double *W)
{
  const srs_model *m = w->model;
  const row_block f = block_of(w);
  const int begin = w->row_begin[k], own_end = w->row_begin[k + 1], end = w->row_begin[m->subtree_end[k]];
  for (int j = begin; j < own_end; j++) {
    if (rows[w->node_order[j]].coordinate < 0) continue;
    const double *u = w->node_share;
    double *sum = w->node_product;
    for (int l = begin; l < end; l++) sum[l] = 0;
    if (m->parent[k] >= 0) products(f, begin, end, upsilon_times(&w->upsilon[m->parent[k]], row_at(f, j)), sum);
    for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--, u += w->row_stride)
      for (int l = begin; l < end; l++) sum[l] += u[j] * u[l] * w->pivots[i].D_inverse;
    for (int l = begin; l < end; l++)
      if (l >= j || rows[w->node_order[l]].coordinate < 0) add_entry(j, l, size, sum[l], W);
  }
}

static void meetings_in(const srs_workspace *w, int from, int to, const srs_row *rows, size_t size, double *W)
{
  const srs_model *m = w->model;
  for (int k = to - 1; k >= from; k--) {
    const int n = rows_of_subtree(w, k);
    if (n == 0) continue;
    meet_at(w, k, size, W);
    const bool on_coordinates = has_coordinate(w, k, rows);
    if (!on_coordinates && (m->parent[k] < 0 || rows_of_subtree(w, from) == n)) continue;
    meet_joint(w, k, rows, w->node_share);
    if (on_coordinates) meet_coordinate_rows(w, k, rows, size, W);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole matrix
// ---------------------------------------------------------------------------------------------------------------------

// Rows that are in order already, four at a time.
SRS_INLINE void take_rows(row_block f, const srs_row *rows, int n_rows, int *order)
{
  for (int i = 0; i < n_rows; i++) order[i] = i;
  for (int i = 0; i < n_rows; i += LANES) {
    lanes ang[LANES], lin[LANES];
    for (int l = 0; l < LANES; l++) {
      ang[l] = i + l < n_rows ? rows[i + l].force.ang : v3_zero;
      lin[l] = i + l < n_rows ? rows[i + l].force.lin : v3_zero;
    }
    quads_transpose(&ang[0], &ang[1], &ang[2], &ang[3]);
    quads_transpose(&lin[0], &lin[1], &lin[2], &lin[3]);
    lanes_store(f.nx + i, ang[0]), lanes_store(f.ny + i, ang[1]), lanes_store(f.nz + i, ang[2]);
    lanes_store(f.fx + i, lin[0]), lanes_store(f.fy + i, lin[1]), lanes_store(f.fz + i, lin[2]);
  }
}

// Sorts the rows by link, stably; rows on the world come last. Returns whether they were in order already.
SRS_KERNEL static bool sort_rows(srs_workspace *w, int from, int to, const srs_row *rows, int n_rows)
{
  const row_block f = block_of(w);
  for (int k = from; k <= to; k++) w->row_begin[k] = 0;
  bool in_order = true, on_coordinates = false;
  for (int i = 0, last = 0; i < n_rows; i++) {
    const int link = rows[i].link;
    if (link >= 0) w->row_begin[link + 1]++;
    in_order &= link >= last;
    last = link;
    on_coordinates |= rows[i].coordinate >= 0;
  }
  w->rows_on_coordinates = on_coordinates;
  for (int k = from; k < to; k++) w->row_begin[k + 1] += w->row_begin[k];
  if (in_order) {
    take_rows(f, rows, n_rows, w->node_order);
  } else {
    int on_world = w->row_begin[to];
    for (int i = 0; i < n_rows; i++) {
      const int link = rows[i].link;
      const int at = link < 0 ? on_world++ : w->row_begin[link] + w->node_fill[link]++;
      w->node_order[at] = i;
      set_row(f, at, rows[i].force);
    }
    for (int k = from; k < to; k++) w->node_fill[k] = 0;
  }
  for (int i = n_rows; i < n_rows + LANES; i++) set_row(f, i, v6_zero); // lanes that are computed and not used
  return in_order;
}

// Instructions on a processor with four lanes, roughly: a pass over W and over the rows for each coordinate, against
// Upsilon of each link, a product with it for each row, and one pass over W.
static bool shares_are_cheaper(const srs_workspace *w, int root)
{
  const srs_model *m = w->model;
  const double n = rows_of_subtree(w, root);
  double shares = 0, meetings = 50 * n + n * n;
  for (int k = root; k < m->subtree_end[root]; k++) {
    const double r = rows_of_subtree(w, k), coordinates = m->v_index[k + 1] - m->v_index[k];
    if (r == 0) continue;
    shares += coordinates * r * (2 + 0.19 * r);
    meetings += 150 + 100 * coordinates;
  }
  return shares < meetings;
}

// Brings rows and columns to where the caller has them: entry i, j goes to order_i, order_j.
static void restore_order(const srs_workspace *w, size_t n, double *W)
{
  int *order = w->node_order;
  double *kept = w->node_product;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) kept[order[j]] = W[i * n + j];
    memcpy(W + i * n, kept, n * sizeof *W);
  }
  for (size_t i = 0; i < n; i++) { // rows go round in cycles; those that are where they belong are marked by ~
    if (order[i] < 0) continue;
    memcpy(kept, W + i * n, n * sizeof *W);
    for (size_t at = i; order[at] >= 0;) {
      double *to = W + (size_t)order[at] * n;
      for (size_t j = 0; j < n; j++) {
        const double was = to[j];
        to[j] = kept[j];
        kept[j] = was;
      }
      const size_t next = (size_t)order[at];
      order[at] = ~order[at];
      at = next;
    }
  }
  for (size_t i = 0; i < n; i++) order[i] = ~order[i];
}

// Zeros on and above the diagonal, and some left of it.
SRS_KERNEL static void clear_above(double *W, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double *row = W + i * n;
    size_t j = i;
    if (n >= LANES && j + LANES > n) j = n - LANES;
    for (; j + LANES <= n; j += LANES) lanes_store(row + j, v3_zero);
    if (n >= LANES)
      lanes_store(row + n - LANES, v3_zero);
    else
      for (; j < n; j++) row[j] = 0;
  }
}

SRS_KERNEL static void mirror(double *W, size_t n) { mirror_rows(W, n, 0, n); }

// W by the pivots at hand, of rows on links from … to - 1, which are whole trees.
static void delassus_by_pivots(srs_workspace *w, int from, int to, const srs_row *rows, int n_rows, double *W)
{
  const size_t n = (size_t)n_rows;
  if (n == 0) return;
  const bool in_order = sort_rows(w, from, to, rows, n_rows);
  clear_above(W, n);
  for (int root = from; root < to; root = w->model->subtree_end[root]) {
    const int end = w->model->subtree_end[root];
    if (rows_of_subtree(w, root) == 0) continue;
    if (shares_are_cheaper(w, root)) {
      shares_in(w, root, end, rows, n, W);
    } else {
      upsilon_out(w, root, end);
      meetings_in(w, root, end, rows, n, W);
    }
  }
  mirror(W, n);
  if (!in_order) restore_order(w, n, W);
}

void srs_find_upsilon(srs_workspace *w) { upsilon_out(w, 0, w->model->n_links); }

void srs_tree_delassus(srs_workspace *w, int root, const srs_row *rows, int n_rows, double *W)
{
  delassus_by_pivots(w, root, w->model->subtree_end[root], rows, n_rows, W);
}

srs_status srs_find_pivots(srs_workspace *w, const double *extra, int *bad_v)
{
  *bad_v = articulate(w, extra != NULL ? extra : w->zero_v);
  return *bad_v >= 0 ? SRS_ERROR_SINGULAR : SRS_OK;
}

srs_status srs_delassus_of_rows(srs_workspace *w, const srs_row *rows, int n_rows, const double *extra, double *W,
                                int *bad_v)
{
  const srs_status status = srs_find_pivots(w, extra, bad_v);
  if (status != SRS_OK) return status;
  delassus_by_pivots(w, 0, w->model->n_links, rows, n_rows, W);
  return SRS_OK;
}
