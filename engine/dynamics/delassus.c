// The Delassus matrix W = J M^-1 J^T of rows of constraints, without forming M (MJ sec. 3.2; Jain 2011): which velocity
// an impulse along one row gives to each row.
//
//   in    articulated-body sweep: U, D of every coordinate (forward_dynamics.c)
//   out   Upsilon of every link that carries a row, from the base: the motion of the link per force on it. With X the
//         move from the parent's origin and, for each coordinate, g = U / D:
//           Y = X Upsilon_p X^T;   Y <- (1 - s g^T) Y (1 - g s^T) + s s^T / D = Y - (s y^T + y s^T),
//           y = Y g - s (g . Y g + 1 / D) / 2
//   in    every row is a force f on a link. Rows that come together at link a (its own, and those of different
//         children) have there W_ij = f_i . Upsilon_a f_j;
//         on the way to the parent f <- f - g (s . f), then [n + r x f; f].
//         A row that is a force on a coordinate of a's joint starts as f = 0 and passes that coordinate with
//         u = s . f + 1. With the rows of the subtree it has sum u_i u_j / D, and what they have at the parent.
//
// Rows are sorted by link; depth-first order makes those of a subtree neighbours. Rows on different trees give zero.
// O(n) + O(rows * depth) + O(rows^2), and the second only below the last link where rows come together.
//
// Upsilon is kept as [J H; H^T M] with J = linear-linear, H = linear-angular, M = angular-angular, so that it is moved
// outward by the same formula as an articulated inertia inward, with the arm reversed.

#include "engine/dynamics/delassus.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"

#include "engine/dynamics/articulated.h"
#include "engine/dynamics/step_row.h"
#include <string.h>

SRS_KERNEL static int articulate(srs_workspace *w, const double *extra)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    const body b = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    w->articulated[k] = articulated_from_body(&b);
  }
  for (int k = m->n_links - 1; k >= 0; k--) {
    articulated P = w->articulated[k];
    const int bad = eliminate_joint(w, k, &P, NULL, NULL, extra);
    if (bad >= 0) return bad;
    if (m->parent[k] >= 0) carry_articulated(&w->articulated[m->parent[k]], &P, w->place[k].arm);
  }
  return -1;
}

// The motion that a force causes.
SRS_INLINE v6 upsilon_times(const articulated *Y, v6 f)
{
  return (v6){m3_times(Y->M, f.ang) + m3_times(Y->K, f.lin), m3_times_back(Y->K, f.ang) + m3_times(Y->J, f.lin)};
}

// S - (a b^T + b a^T)
SRS_INLINE m3 m3_less_pair(m3 s, v3 a, v3 b)
{
  return (m3){s.x - spread_x(a) * b - spread_x(b) * a, s.y - spread_y(a) * b - spread_y(b) * a,
              s.z - spread_z(a) * b - spread_z(b) * a};
}

// S - a b^T
SRS_INLINE m3 m3_less_outer(m3 s, v3 a, v3 b)
{
  return (m3){s.x - spread_x(b) * a, s.y - spread_y(b) * a, s.z - spread_z(b) * a};
}

SRS_INLINE void free_coordinate(articulated *Y, v6 s, const pivot *p)
{
  const v6 g = v6_scale(p->D_inverse, p->U);
  v6 y = upsilon_times(Y, g);
  y = v6_add_scaled(y, -0.5 * (v6_dot(g, y) + p->D_inverse), s);
  Y->M = m3_less_pair(Y->M, s.ang, y.ang);
  Y->K = m3_less_outer(m3_less_outer(Y->K, s.ang, y.lin), y.ang, s.lin);
  Y->J = m3_less_pair(Y->J, s.lin, y.lin);
}

// s = [z; 0]: the linear block stays.
SRS_INLINE void free_angular_coordinate(articulated *Y, v3 z, const pivot *p)
{
  const v6 g = v6_scale(p->D_inverse, p->U);
  v6 y = upsilon_times(Y, g);
  y.ang -= 0.5 * (v6_dot(g, y) + p->D_inverse) * z;
  Y->M = m3_less_pair(Y->M, z, y.ang);
  Y->K = m3_less_outer(Y->K, z, y.lin);
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
    articulated Y = {m3_zero, m3_zero, m3_zero};
    if (m->parent[k] >= 0) carry_articulated(&Y, &w->upsilon[m->parent[k]], -w->place[k].arm);
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
    articulated Y = {m3_zero, m3_zero, m3_zero};
    if (m->parent[k] >= 0) carry_articulated(&Y, &w->upsilon[m->parent[k]], -w->place[k].arm);
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

// The six components of the sorted rows' forces: one array a component, so that loops over rows take several at a time.
typedef struct row_block {
  double *nx, *ny, *nz, *fx, *fy, *fz;
} row_block;

SRS_INLINE row_block block_of(double *start, int capacity)
{
  const size_t n = (size_t)capacity;
  return (row_block){start, start + n, start + 2 * n, start + 3 * n, start + 4 * n, start + 5 * n};
}

SRS_INLINE v6 row_at(row_block b, int i)
{
  return (v6){{b.nx[i], b.ny[i], b.nz[i], 0}, {b.fx[i], b.fy[i], b.fz[i], 0}};
}

SRS_INLINE void set_row(row_block b, int i, v6 f)
{
  b.nx[i] = f.ang[0], b.ny[i] = f.ang[1], b.nz[i] = f.ang[2];
  b.fx[i] = f.lin[0], b.fy[i] = f.lin[1], b.fz[i] = f.lin[2];
}

// Row j of the sorted W, columns from … to - 1: f_i . y.
SRS_INLINE void products(row_block f, int from, int to, v6 y, double *restrict out)
{
  const double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  const double ax = y.ang[0], ay = y.ang[1], az = y.ang[2], lx = y.lin[0], ly = y.lin[1], lz = y.lin[2];
  SRS_INDEPENDENT
  for (int i = from; i < to; i++) out[i] = ax * nx[i] + ay * ny[i] + az * nz[i] + lx * fx[i] + ly * fy[i] + lz * fz[i];
}

// W_ij for rows i of [from, j_from) and j of [j_from, j_to), and among the latter where they are the link's own.
// Rows that came in order go straight below the diagonal, others to where the caller has them.
SRS_INLINE void meet(const srs_workspace *w, int k, int from, int j_from, int j_to, bool own, bool in_order, size_t n,
                     double *W)
{
  const row_block f = block_of(w->node_force, w->row_capacity);
  const articulated Y = w->upsilon[k];
  const int *order = w->node_order;
  for (int j = j_from; j < j_to; j++) {
    const int to = own ? j + 1 : j_from;
    double *out = in_order ? W + (size_t)j * n : w->node_product;
    products(f, from, to, upsilon_times(&Y, row_at(f, j)), out);
    if (in_order) continue;
    for (int i = from; i < to; i++)
      W[(size_t)order[j] * n + (size_t)order[i]] = W[(size_t)order[i] * n + (size_t)order[j]] = out[i];
  }
}

// f <- f - g (s . f), for one coordinate.
SRS_INLINE void pass_rows(row_block f, int from, int to, v6 s, const pivot *p)
{
  double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  const v6 g = v6_scale(-p->D_inverse, p->U);
  const double sax = s.ang[0], say = s.ang[1], saz = s.ang[2], slx = s.lin[0], sly = s.lin[1], slz = s.lin[2];
  const double gax = g.ang[0], gay = g.ang[1], gaz = g.ang[2], glx = g.lin[0], gly = g.lin[1], glz = g.lin[2];
  SRS_INDEPENDENT
  for (int i = from; i < to; i++) {
    const double share = sax * nx[i] + say * ny[i] + saz * nz[i] + slx * fx[i] + sly * fy[i] + slz * fz[i];
    nx[i] += share * gax, ny[i] += share * gay, nz[i] += share * gaz;
    fx[i] += share * glx, fy[i] += share * gly, fz[i] += share * glz;
  }
}

SRS_INLINE void carry_rows_in(row_block f, int from, int to, v3 arm)
{
  double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  const double x = arm[0], y = arm[1], z = arm[2];
  SRS_INDEPENDENT
  for (int i = from; i < to; i++) {
    nx[i] += y * fz[i] - z * fy[i];
    ny[i] += z * fx[i] - x * fz[i];
    nz[i] += x * fy[i] - y * fx[i];
  }
}

SRS_INLINE void add_entry(const srs_workspace *w, int i, int j, size_t n, double value, double *W)
{
  const int a = w->node_order[i], b = w->node_order[j];
  W[(size_t)a * n + (size_t)b] += value;
  if (a != b) W[(size_t)b * n + (size_t)a] += value;
}

// Takes the rows of k's subtree through its joint where some of them, of [begin, own_end), are forces on coordinates.
static void pass_coordinate_rows(const srs_workspace *w, int k, int begin, int own_end, int end, const srs_row *rows,
                                 size_t n, double *W)
{
  const srs_model *m = w->model;
  const row_block f = block_of(w->node_force, w->row_capacity);
  double *u = w->node_product;
  for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--) {
    const v6 s = joint_column(w, k, i), g = v6_scale(w->pivots[i].D_inverse, w->pivots[i].U);
    for (int j = begin; j < end; j++) {
      const srs_row *row = &rows[w->node_order[j]];
      const v6 force = row_at(f, j);
      u[j] = v6_dot(s, force) + (row->coordinate == i ? row->coefficient : 0);
      set_row(f, j, v6_add_scaled(force, -u[j], g));
    }
    for (int j = begin; j < own_end; j++)
      for (int l = begin; l < end && rows[w->node_order[j]].coordinate >= 0; l++)
        if (l >= j || rows[w->node_order[l]].coordinate < 0)
          add_entry(w, j, l, n, u[j] * u[l] * w->pivots[i].D_inverse, W);
  }
  if (m->parent[k] < 0) return;
  carry_rows_in(f, begin, end, w->place[k].arm);
  const articulated Y = w->upsilon[m->parent[k]];
  for (int j = begin; j < own_end; j++) {
    if (rows[w->node_order[j]].coordinate < 0) continue;
    products(f, begin, end, upsilon_times(&Y, row_at(f, j)), u);
    for (int l = begin; l < end; l++)
      if (l >= j || rows[w->node_order[l]].coordinate < 0) add_entry(w, j, l, n, u[l], W);
  }
}

static bool has_coordinate(const srs_workspace *w, int begin, int own_end, const srs_row *rows)
{
  for (int j = begin; j < own_end; j++)
    if (rows[w->node_order[j]].coordinate >= 0) return true;
  return false;
}

SRS_KERNEL static void meetings_in(const srs_workspace *w, int from, int to, bool in_order, const srs_row *rows,
                                   size_t n_rows, double *W)
{
  const srs_model *m = w->model;
  const row_block f = block_of(w->node_force, w->row_capacity);
  for (int k = to - 1; k >= from; k--) {
    const int begin = w->row_begin[k], end = w->row_begin[m->subtree_end[k]];
    if (begin == end) continue;
    int done = w->row_begin[k + 1];
    meet(w, k, begin, begin, done, true, in_order, n_rows, W);
    for (int c = k + 1; c < m->subtree_end[k]; c = m->subtree_end[c]) {
      const int next = w->row_begin[m->subtree_end[c]];
      if (done > begin && next > done) meet(w, k, begin, done, next, false, in_order, n_rows, W);
      done = next;
    }
    if (has_coordinate(w, begin, w->row_begin[k + 1], rows)) {
      pass_coordinate_rows(w, k, begin, w->row_begin[k + 1], end, rows, n_rows, W);
      continue;
    }
    if (m->parent[k] < 0 || rows_of_subtree(w, w->root[k]) == end - begin) continue;
    for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--)
      pass_rows(f, begin, end, joint_column(w, k, i), &w->pivots[i]);
    carry_rows_in(f, begin, end, w->place[k].arm);
  }
}

// Sorts the rows by link, stably; rows on the world come last. Returns whether they were in order already.
static bool sort_rows(srs_workspace *w, int from, int to, const srs_row *rows, int n_rows)
{
  const row_block f = block_of(w->node_force, w->row_capacity);
  for (int k = from; k <= to; k++) w->row_begin[k] = 0;
  for (int i = 0; i < n_rows; i++)
    if (rows[i].link >= 0) w->row_begin[rows[i].link + 1]++;
  for (int k = from; k < to; k++) w->row_begin[k + 1] += w->row_begin[k];
  bool in_order = true;
  int on_world = w->row_begin[to];
  for (int i = 0; i < n_rows; i++) {
    const int link = rows[i].link;
    const int at = link < 0 ? on_world++ : w->row_begin[link] + w->node_fill[link]++;
    w->node_order[at] = i;
    in_order = in_order && at == i;
    set_row(f, at, rows[i].force);
  }
  for (int k = from; k < to; k++) w->node_fill[k] = 0;
  return in_order;
}

// W by the pivots at hand, of rows on links from … to - 1, which are whole trees.
static void delassus_by_pivots(srs_workspace *w, int from, int to, const srs_row *rows, int n_rows, double *W)
{
  const size_t n = (size_t)n_rows;
  if (n == 0) return;
  const bool in_order = sort_rows(w, from, to, rows, n_rows);
  memset(W, 0, n * n * sizeof *W);
  upsilon_out(w, from, to);
  meetings_in(w, from, to, in_order, rows, n, W);
  for (size_t j = 0; in_order && j < n; j++)
    for (size_t i = 0; i < j; i++) W[i * n + j] = W[j * n + i];
}

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

// ---------------------------------------------------------------------------------------------------------------------
// The public form: rows of frames
// ---------------------------------------------------------------------------------------------------------------------

// Unit forces of a frame's selected rows; returns how many.
static int rows_of_frame(const srs_workspace *w, const srs_constraint_frame *frame, srs_row *rows)
{
  const srs_model *m = w->model;
  const int link = m->frame_link[frame->frame];
  const placement *p = link < 0 ? &world_placement : &w->place[link];
  const v3 arm = m3_times_packed(p->axes, &m->frame_offset[frame->frame]);
  const m3 axes = frame->axes == SRS_AXES_LOCAL ? m3_times_matrix(p->axes, &m->frame_axes[frame->frame]) : m3_identity;
  const v3 direction[3] = {axes.x, axes.y, axes.z};
  int n = 0;
  for (unsigned row = 0; row < 6; row++) {
    if ((frame->rows >> row & 1u) == 0) continue;
    const v6 force = row < 3 ? (v6){direction[row], v3_zero} : (v6){v3_zero, direction[row - 3]};
    rows[n++] = (srs_row){link, -1, 0, carry_force(force, arm)};
  }
  return n;
}

static int count_rows(const srs_constraint_frame *frames, int n_frames)
{
  int n = 0;
  for (int i = 0; i < n_frames; i++)
    for (unsigned bits = frames[i].rows; bits != 0; bits &= bits - 1) n++;
  return n;
}

static srs_status check_frame(srs_workspace *w, const srs_constraint_frame *frame, int i)
{
  if (frame->frame < 0 || frame->frame >= w->model->n_frames)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "frames[%d]: there is no frame %d", i, frame->frame);
  if (!srs_axes_known(frame->axes))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "frames[%d]: there are no axes %d", i, (int)frame->axes);
  if ((frame->rows & ~(unsigned)SRS_ROWS_ALL) != 0)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "frames[%d]: rows 0x%x has bits beyond 0x%x", i, frame->rows,
                              (unsigned)SRS_ROWS_ALL);
  return SRS_OK;
}

srs_status srs_delassus(srs_workspace *w, const double *q, const srs_constraint_frame *frames, int n_frames,
                        int capacity, double *W)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (n_frames < 0 || (n_frames > 0 && (frames == NULL || W == NULL)) || (q == NULL && m->nq > 0))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "",
                              "q, frames and the matrix must be given, and n_frames not negative");
  srs_status status = srs_check_finite(w, "q", q, m->nq);
  if (status != SRS_OK) return status;
  for (int i = 0; i < n_frames && status == SRS_OK; i++) status = check_frame(w, &frames[i], i);
  if (status != SRS_OK) return status;
  const int n_rows = count_rows(frames, n_frames);
  if (n_rows > capacity || n_rows > w->row_capacity)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "%d rows are selected, there is room for %d", n_rows,
                              capacity < w->row_capacity ? capacity : w->row_capacity);
  srs_place_links(w, q);
  int n = 0;
  for (int i = 0; i < n_frames; i++) n += rows_of_frame(w, &frames[i], w->node_rows + n);
  int bad = -1;
  status = srs_delassus_of_rows(w, w->node_rows, n, NULL, W, &bad);
  if (status != SRS_OK) return srs_workspace_singular(w, bad);
  double sum = 0; // W is semi-definite: nothing is larger than its diagonal
  for (size_t i = 0; i < (size_t)n; i++) sum += 0 * W[i * ((size_t)n + 1)];
  return srs_check_whole(w, "the Delassus matrix", &sum, 1);
}
