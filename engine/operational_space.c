// What does a push at one place do to the motion at another? Lambda = J M^-1 J^T without forming M (MJ sec. 3.2; Jain
// 2011).
//
//   in    articulated-body sweep: U, D of every coordinate (forward_dynamics.c)
//   out   Upsilon of every link above a node, from the base: with X the move from the parent's origin and, for each
//   coordinate,
//         g = U / D:   Y = X Upsilon_p X^T;   Y <- (1 - s g^T) Y (1 - g s^T) + s s^T / D = Y - (s y^T + y s^T),
//         y = Y g - s (g . Y g + 1 / D) / 2
//   in    every row is a force f on a link. Rows that meet at link a (its own, and those of different children) have
//   there
//         Lambda_ij = f_i . Upsilon_a f_j;   on the way to the parent f <- f - g (s . f), then [n + r x f; f]
//
// Rows are sorted by link; depth-first order makes those of a subtree neighbours. Nodes on different trees never meet:
// zero. O(n) + O(rows * depth) + O(rows^2), and the second only below the last meeting.
//
// Upsilon maps forces to motions; kept as [J H; H^T M] with J = linear-linear, H = linear-angular, M = angular-angular,
// it is moved outward by the same formula as an articulated inertia is moved inward, with the arm reversed.

#include "engine/operational_space.h"
#include "engine/articulated.h"

SRS_KERNEL static int articulate(srs_workspace *w, const double *extra)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    const body b = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    w->articulated[k] = articulated_from_body(&b);
  }
  for (int k = m->n_links - 1; k >= 0; k--) {
    articulated P = w->articulated[k];
    const int bad = eliminate_hinge(w, k, &P, NULL, NULL, extra);
    if (bad >= 0) return bad;
    if (m->parent[k] >= 0) carry_articulated(&w->articulated[m->parent[k]], &P, w->place[k].arm);
  }
  return -1;
}

// The motion that a force causes.
SRS_INLINE spatial upsilon_times(const articulated *Y, spatial f)
{
  return (spatial){add3(sym3_times(Y->M, f.ang), rotate_back(Y->H, f.lin)),
                   add3(rotate(Y->H, f.ang), sym3_times(Y->J, f.lin))};
}

// s - (a b^T + b a^T)
SRS_INLINE sym3 sym3_less_pair(sym3 s, vec3 a, vec3 b)
{
  return (sym3){s.xx - 2 * a.x * b.x,         s.yy - 2 * a.y * b.y,         s.zz - 2 * a.z * b.z,
                s.xy - a.x * b.y - b.x * a.y, s.xz - a.x * b.z - b.x * a.z, s.yz - a.y * b.z - b.y * a.z};
}

// H - a b^T
SRS_INLINE mat3 mat3_less_outer(mat3 h, vec3 a, vec3 b)
{
  return (mat3){add_scaled3(h.x, -b.x, a), add_scaled3(h.y, -b.y, a), add_scaled3(h.z, -b.z, a)};
}

SRS_INLINE void free_coordinate(articulated *Y, spatial s, const pivot *p)
{
  const spatial g = {scale3(p->D_inverse, p->U.ang), scale3(p->D_inverse, p->U.lin)};
  spatial y = upsilon_times(Y, g);
  y = add_scaled6(y, -0.5 * (dot6(g, y) + p->D_inverse), s);
  Y->M = sym3_less_pair(Y->M, s.ang, y.ang);
  Y->H = mat3_less_outer(mat3_less_outer(Y->H, s.lin, y.ang), y.lin, s.ang);
  Y->J = sym3_less_pair(Y->J, s.lin, y.lin);
}

// s = [z; 0]: the linear block stays.
SRS_INLINE void free_angular_coordinate(articulated *Y, vec3 z, const pivot *p)
{
  const spatial g = {scale3(p->D_inverse, p->U.ang), scale3(p->D_inverse, p->U.lin)};
  spatial y = upsilon_times(Y, g);
  y.ang = add_scaled3(y.ang, -0.5 * (dot6(g, y) + p->D_inverse), z);
  Y->M = sym3_less_pair(Y->M, z, y.ang);
  Y->H = mat3_less_outer(Y->H, y.lin, z);
}

static const articulated articulated_zero = {{0, 0, 0, 0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0, 0, 0, 0}};

SRS_INLINE int rows_of_subtree(const srs_workspace *w, int k)
{
  return w->row_begin[w->model->subtree_end[k]] - w->row_begin[k];
}

SRS_KERNEL static void upsilon_out(srs_workspace *w)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    if (rows_of_subtree(w, k) == 0) {
      k = m->subtree_end[k] - 1;
      continue;
    }
    articulated Y = articulated_zero;
    if (m->parent[k] >= 0) carry_articulated(&Y, &w->upsilon[m->parent[k]], scale3(-1, w->place[k].arm));
    const int first = m->v_index[k], end = m->v_index[k + 1];
    if (m->kind[k] == SRS_HINGE_REVOLUTE || m->kind[k] == SRS_HINGE_CONTINUOUS)
      free_angular_coordinate(&Y, w->place[k].axes.z, &w->pivots[first]);
    else
      for (int i = first; i < end; i++) free_coordinate(&Y, hinge_column(w, k, i), &w->pivots[i]);
    w->upsilon[k] = Y;
  }
}

// The six components of the sorted rows' forces, or of their images under Upsilon.
typedef struct row_block {
  double *nx, *ny, *nz, *fx, *fy, *fz;
} row_block;

SRS_INLINE row_block block_of(double *start, int capacity)
{
  const size_t n = (size_t)capacity;
  return (row_block){start, start + n, start + 2 * n, start + 3 * n, start + 4 * n, start + 5 * n};
}

SRS_INLINE spatial row_at(row_block b, int i)
{
  return (spatial){{b.nx[i], b.ny[i], b.nz[i]}, {b.fx[i], b.fy[i], b.fz[i]}};
}

SRS_INLINE void set_row(row_block b, int i, spatial f)
{
  b.nx[i] = f.ang.x, b.ny[i] = f.ang.y, b.nz[i] = f.ang.z;
  b.fx[i] = f.lin.x, b.fy[i] = f.lin.y, b.fz[i] = f.lin.z;
}

// Lambda_ij for rows i of [from, j_from) and j of [j_from, j_to), and among the latter where they are the link's own.
SRS_INLINE void meet(srs_workspace *w, int k, int from, int j_from, int j_to, bool own, int n_rows, double *lambda)
{
  const row_block f = block_of(w->node_force, w->row_capacity);
  const articulated Y = w->upsilon[k];
  for (int j = j_from; j < j_to; j++) {
    const spatial y = upsilon_times(&Y, row_at(f, j));
    const size_t at_j = (size_t)w->node_order[j];
    for (int i = from; i < (own ? j + 1 : j_from); i++) {
      const size_t at_i = (size_t)w->node_order[i];
      const double value = dot6(row_at(f, i), y);
      lambda[at_i * (size_t)n_rows + at_j] = value;
      lambda[at_j * (size_t)n_rows + at_i] = value;
    }
  }
}

SRS_INLINE void pass_rows(row_block f, int from, int to, spatial s, const pivot *p)
{
  const spatial g = {scale3(p->D_inverse, p->U.ang), scale3(p->D_inverse, p->U.lin)};
  for (int i = from; i < to; i++) {
    const spatial force = row_at(f, i);
    set_row(f, i, add_scaled6(force, -dot6(s, force), g));
  }
}

SRS_INLINE void carry_rows_in(row_block f, int from, int to, vec3 r)
{
  for (int i = from; i < to; i++) set_row(f, i, carry_force(row_at(f, i), r));
}

SRS_KERNEL static void meetings_in(srs_workspace *w, const int *root, int n_rows, double *lambda)
{
  const srs_model *m = w->model;
  const row_block f = block_of(w->node_force, w->row_capacity);
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int begin = w->row_begin[k], end = w->row_begin[m->subtree_end[k]];
    if (begin == end) continue;
    int done = w->row_begin[k + 1];
    meet(w, k, begin, begin, done, true, n_rows, lambda);
    for (int c = k + 1; c < m->subtree_end[k]; c = m->subtree_end[c]) {
      const int next = w->row_begin[m->subtree_end[c]];
      if (done > begin && next > done) meet(w, k, begin, done, next, false, n_rows, lambda);
      done = next;
    }
    if (m->parent[k] < 0 || rows_of_subtree(w, root[k]) == end - begin) continue;
    for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--)
      pass_rows(f, begin, end, hinge_column(w, k, i), &w->pivots[i]);
    carry_rows_in(f, begin, end, w->place[k].arm);
  }
}

srs_status srs_lambda(srs_workspace *w, const srs_row *rows, int n_rows, const double *extra, double *lambda,
                      int *bad_v)
{
  const srs_model *m = w->model;
  for (int k = 0; k <= m->n_links; k++) w->row_begin[k] = 0;
  for (int i = 0; i < n_rows; i++)
    if (rows[i].link >= 0) w->row_begin[rows[i].link + 1]++;
  for (int k = 0; k < m->n_links; k++) w->row_begin[k + 1] += w->row_begin[k];
  const row_block f = block_of(w->node_force, w->row_capacity);
  for (int i = 0; i < n_rows; i++) {
    const int link = rows[i].link;
    if (link < 0) continue;
    const int at = w->row_begin[link] + w->node_fill[link]++;
    w->node_order[at] = i;
    set_row(f, at, rows[i].force);
  }
  for (int k = 0; k < m->n_links; k++) w->node_fill[k] = 0;
  for (size_t i = 0; i < (size_t)n_rows * (size_t)n_rows; i++) lambda[i] = 0;
  *bad_v = articulate(w, extra != NULL ? extra : w->zero_v);
  if (*bad_v >= 0) return SRS_ERROR_SINGULAR;
  upsilon_out(w);
  meetings_in(w, w->root, n_rows, lambda);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// The public form: rows of frames
// ---------------------------------------------------------------------------------------------------------------------

// Unit forces of one node's selected rows; returns how many.
static int rows_of_node(const srs_workspace *w, const srs_node *node, srs_row *rows)
{
  const srs_model *m = w->model;
  const int link = m->frame_link[node->frame];
  const placement *p = link < 0 ? &world_placement : &w->place[link];
  const vec3 arm = rotate(p->axes, m->frame_offset[node->frame]);
  const mat3 axes = node->axes == SRS_AXES_LOCAL ? mul3(p->axes, m->frame_axes[node->frame]) : mat3_identity;
  const vec3 direction[3] = {axes.x, axes.y, axes.z};
  int n = 0;
  for (unsigned row = 0; row < 6; row++) {
    if ((node->rows >> row & 1u) == 0) continue;
    const spatial force = row < 3 ? (spatial){direction[row], vec3_zero} : (spatial){vec3_zero, direction[row - 3]};
    rows[n++] = (srs_row){link, carry_force(force, arm)};
  }
  return n;
}

static int count_rows(const srs_node *nodes, int n_nodes)
{
  int n = 0;
  for (int i = 0; i < n_nodes; i++)
    for (unsigned bits = nodes[i].rows & SRS_ROWS_ALL; bits != 0; bits &= bits - 1) n++;
  return n;
}

srs_status srs_operational_space_inertia(srs_workspace *w, const double *q, const srs_node *nodes, int n_nodes,
                                         int capacity, double *lambda)
{
  if (w == NULL || n_nodes < 0 || (n_nodes > 0 && (nodes == NULL || lambda == NULL))) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (q == NULL && m->nq > 0) return SRS_ERROR_ARGUMENT;
  srs_status status = srs_check_finite(w, "q", q, m->nq);
  if (status != SRS_OK) return status;
  for (int i = 0; i < n_nodes; i++)
    if (nodes[i].frame < 0 || nodes[i].frame >= m->n_frames)
      return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "node %d: there is no frame %d", i, nodes[i].frame);
  const int n_rows = count_rows(nodes, n_nodes);
  if (n_rows > capacity || n_rows > w->row_capacity)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "%d rows are selected, there is room for %d", n_rows,
                              capacity < w->row_capacity ? capacity : w->row_capacity);
  srs_place_links(w, q);
  int n = 0;
  for (int i = 0; i < n_nodes; i++) n += rows_of_node(w, &nodes[i], w->node_rows + n);
  int bad = -1;
  status = srs_lambda(w, w->node_rows, n, NULL, lambda, &bad);
  return status == SRS_OK ? SRS_OK : srs_workspace_singular(w, bad);
}
