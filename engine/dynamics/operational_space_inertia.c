// Operational-space inertia: which inertia do frames show to forces that act on them? (Khatib 1987) And its inverse:
// the Delassus matrix of frames.
//
//   Lambda = W^-1,  W = J M^-1 J^T the Delassus matrix (delassus.c)
//
// W is inverted in place, by exchanges. An exchange at row p solves equation p of y = W x for x_p and puts the result
// into the other equations, so that x_p and y_p change sides:
//
//   w_pp <- 1 / w_pp,   w_ip <- w_ip / w_pp,   w_pj <- -w_pj / w_pp,   w_ij <- w_ij - w_ip w_pj / w_pp
//
// Once all rows are exchanged the array holds W^-1. The next row is the one with the largest diagonal entry left, so
// that no entry of C below exceeds 1. The exchanges end where no row has more left than a share `independent` of its
// size: the sum of the magnitudes of the terms in its diagonal entry, whose rounding errors are what is left of a
// dependent row. The r rows exchanged so far are independent then, the others depend on them: W = B W_r B^T with B =
// [1; C], and the array holds W_r^-1 and C. The pseudo-inverse is
//
//   W^+ = B S W_r^-1 S B^T,   S = (B^T B)^-1 = 1 - C^T T C,   T = (1 + C C^T)^-1
//
// and is found in place too: T in the block of the dependent rows, where the exchanges have left rounding errors.

#include "engine/dynamics/checks.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// The Delassus matrix of frames
// ---------------------------------------------------------------------------------------------------------------------

// Unit forces of the frames' selected rows; returns how many.
SRS_KERNEL static int rows_of_frames(const srs_workspace *w, const srs_constraint_frame *frames, int n_frames,
                                     srs_row *rows)
{
  const srs_model *m = w->model;
  srs_row *next = rows;
  for (int i = 0; i < n_frames; i++) {
    const int frame = frames[i].frame, link = m->frame_link[frame];
    const placement *p = link < 0 ? &world_placement : &w->place[link];
    const v3 arm = m3_times_packed(p->axes, &m->frame_offset[frame]);
    m3 axes = m3_identity;
    if (frames[i].axes == SRS_AXES_LOCAL) axes = m3_times_matrix(p->axes, &m->frame_axes[frame]);
    for (unsigned row = 0; row < 6; row++) {
      if ((frames[i].rows >> row & 1u) == 0) continue;
      const v3 direction = row % 3 == 0 ? axes.x : row % 3 == 1 ? axes.y : axes.z;
      next->link = link, next->coordinate = -1, next->coefficient = 0;
      next->force.ang = row < 3 ? direction : cross(arm, direction);
      next->force.lin = row < 3 ? v3_zero : direction;
      next++;
    }
  }
  return (int)(next - rows);
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
  const int n = rows_of_frames(w, frames, n_frames, w->node_rows);
  int bad = -1;
  status = srs_delassus_of_rows(w, w->node_rows, n, NULL, W, &bad);
  if (status != SRS_OK) return srs_workspace_singular(w, bad);
  double sum = 0; // W is semi-definite: nothing is larger than its diagonal
  for (size_t i = 0; i < (size_t)n; i++) sum += 0 * W[i * ((size_t)n + 1)];
  return srs_check_whole(w, "the Delassus matrix", &sum, 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Its inverse
// ---------------------------------------------------------------------------------------------------------------------

static const double independent = 1e-12; // rounding errors come to 1e-14 of a row's size

typedef struct inverse {
  int n;         // rows
  int rank;      // of them exchanged, which are independent
  double *a;     // n x n
  double *size;  // n: what a diagonal entry could be, see find_sizes
  int *order;    // n: the rows, those exchanged first
  double *x, *y; // n each: scratch
} inverse;

// Row and entry of the array by their places in `order`.
static double *row_at(const inverse *s, int k) { return s->a + (size_t)s->order[k] * (size_t)s->n; }
static double *entry(const inverse *s, int k, int l) { return row_at(s, k) + s->order[l]; }

// Exchanges the row at place p within the block of the places from … to - 1.
static void exchange(const inverse *s, int p, int from, int to)
{
  const double diagonal = *entry(s, p, p);
  for (int k = from; k < to; k++) {
    if (k == p) continue;
    const double share = *entry(s, k, p) / diagonal;
    for (int l = from; l < to; l++)
      if (l != p) *entry(s, k, l) -= share * *entry(s, p, l);
    *entry(s, k, p) = share;
  }
  for (int l = from; l < to; l++) *entry(s, p, l) /= -diagonal;
  *entry(s, p, p) = 1 / diagonal;
}

static void exchange_independent_rows(inverse *s)
{
  for (int i = 0; i < s->n; i++) s->order[i] = i;
  for (s->rank = 0; s->rank < s->n; s->rank++) {
    int best = -1;
    double most = 0;
    for (int k = s->rank; k < s->n; k++) {
      const double left = *entry(s, k, k);
      if (left > independent * s->size[s->order[k]] && left > most) most = left, best = k;
    }
    if (best < 0) return;
    const int row = s->order[best];
    s->order[best] = s->order[s->rank];
    s->order[s->rank] = row;
    exchange(s, s->rank, 0, s->n);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The pseudo-inverse
// ---------------------------------------------------------------------------------------------------------------------

// Sum over the independent rows of the entries at (k, .) times those at (d, .), the latter being of C.
static double product_with_c(const inverse *s, int k, int d)
{
  double sum = 0;
  for (int l = 0; l < s->rank; l++) sum += *entry(s, k, l) * *entry(s, d, l);
  return sum;
}

// T = (1 + C C^T)^-1; no diagonal falls below 1.
static void find_t(const inverse *s)
{
  for (int d = s->rank; d < s->n; d++)
    for (int e = s->rank; e < s->n; e++) *entry(s, d, e) = (d == e ? 1 : 0) + product_with_c(s, d, e);
  for (int d = s->rank; d < s->n; d++) exchange(s, d, s->rank, s->n);
}

// x <- S x = x - C^T T C x, in the order of `order`.
static void apply_s(const inverse *s, double *x)
{
  for (int d = s->rank; d < s->n; d++) {
    s->y[d] = 0;
    for (int k = 0; k < s->rank; k++) s->y[d] += *entry(s, d, k) * x[k];
  }
  for (int d = s->rank; d < s->n; d++) {
    double t = 0;
    for (int e = s->rank; e < s->n; e++) t += *entry(s, d, e) * s->y[e];
    for (int k = 0; k < s->rank; k++) x[k] -= *entry(s, d, k) * t;
  }
}

// W_r^-1 <- S W_r^-1 S: its columns, then its rows.
static void surround_with_s(const inverse *s)
{
  for (int j = 0; j < s->rank; j++) {
    for (int k = 0; k < s->rank; k++) s->x[k] = *entry(s, k, j);
    apply_s(s, s->x);
    for (int k = 0; k < s->rank; k++) *entry(s, k, j) = s->x[k];
  }
  for (int k = 0; k < s->rank; k++) {
    for (int j = 0; j < s->rank; j++) s->x[j] = *entry(s, k, j);
    apply_s(s, s->x);
    for (int j = 0; j < s->rank; j++) *entry(s, k, j) = s->x[j];
  }
}

// Z = S W_r^-1 S becomes B Z B^T: Z C^T to its right, C Z C^T at its corner, and last C Z in the place of C.
static void spread_to_dependent_rows(const inverse *s)
{
  for (int k = 0; k < s->rank; k++)
    for (int d = s->rank; d < s->n; d++) *entry(s, k, d) = product_with_c(s, k, d);
  for (int d = s->rank; d < s->n; d++)
    for (int e = s->rank; e < s->n; e++) {
      double sum = 0;
      for (int k = 0; k < s->rank; k++) sum += *entry(s, d, k) * *entry(s, k, e);
      *entry(s, d, e) = sum;
    }
  for (int d = s->rank; d < s->n; d++)
    for (int k = 0; k < s->rank; k++) *entry(s, d, k) = *entry(s, k, d);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

static double largest_of(v3 a) { return fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2]))); }
static double largest_of_symmetric(s33 s) { return fmax(largest_of(s.d), largest_of(s.e)); }
static double largest_entry(d33 m) { return fmax(largest_of(m.d0), fmax(largest_of(m.d1), largest_of(m.d2))); }

// How far a row's diagonal entry f . Upsilon f could come in any direction. A row that moves less has rounding errors
// of that size; one of a frame that moves less than others has those of the others' arms.
static void find_sizes(srs_workspace *w, const inverse *s)
{
  srs_find_upsilon(w);
  double largest[2] = {0, 0}; // of angular and of linear rows
  for (int i = 0; i < s->n; i++) {
    const srs_row *row = &w->node_rows[i];
    s->size[i] = 0;
    if (row->link < 0) continue;
    const articulated *Y = &w->upsilon[row->link];
    const double ang = sqrt(dot(row->force.ang, row->force.ang)), lin = sqrt(dot(row->force.lin, row->force.lin));
    s->size[i] = ang * ang * largest_of_symmetric(Y->M) + 2 * ang * lin * largest_entry(Y->K) +
                 lin * lin * largest_of_symmetric(Y->J);
    largest[lin > 0] = fmax(largest[lin > 0], s->size[i]);
  }
  for (int i = 0; i < s->n; i++) {
    const v3 lin = w->node_rows[i].force.lin;
    s->size[i] = sqrt(s->size[i] * largest[dot(lin, lin) > 0]);
  }
}

// Of the first dependent row and those that it depends on, the last: it follows from rows that the caller gave before.
// *moves: whether it depends on any.
static int dependent_row(const inverse *s, bool *moves)
{
  int d = s->rank;
  for (int k = s->rank; k < s->n; k++)
    if (s->order[k] < s->order[d]) d = k;
  int last = s->order[d];
  *moves = false;
  for (int k = 0; k < s->rank; k++) {
    if (fabs(*entry(s, d, k)) <= 1e-6) continue;
    *moves = true;
    if (s->order[k] > last) last = s->order[k];
  }
  return last;
}

static srs_status refuse(srs_workspace *w, const inverse *s, const srs_constraint_frame *frames)
{
  static const char *const components[6] = {"angular x", "angular y", "angular z", "linear x", "linear y", "linear z"};
  bool moves;
  const int row = dependent_row(s, &moves);
  int at = -1, frame = 0;
  unsigned component = 0;
  for (int i = 0; at < row; i++)
    for (component = 0, frame = frames[i].frame; component < 6; component++)
      if ((frames[i].rows >> component & 1u) != 0 && ++at == row) break;
  const char *name = srs_model_frame(w->model, frame)->name;
  return srs_workspace_fail(
      w, SRS_ERROR_SINGULAR, name,
      "the row %s of frame '%s' %s in this configuration (%d of %d rows are independent); leave out "
      "dependent rows, or ask for the pseudo-inverse (--pseudo-inverse)",
      components[component], name, moves ? "depends on the other rows" : "cannot move", s->rank, s->n);
}

srs_status srs_operational_space_inertia(srs_workspace *w, const double *q, const srs_constraint_frame *frames,
                                         int n_frames, int capacity, bool pseudo_inverse, double *lambda)
{
  const srs_status status = srs_delassus(w, q, frames, n_frames, capacity, lambda);
  if (status != SRS_OK) return status;
  inverse s = {.a = lambda, .order = w->node_order, .size = w->node_force};
  s.x = s.size + w->row_capacity;
  s.y = s.x + w->row_capacity;
  for (int i = 0; i < n_frames; i++)
    for (unsigned bits = frames[i].rows; bits != 0; bits &= bits - 1) s.n++;
  find_sizes(w, &s);
  exchange_independent_rows(&s);
  if (s.rank < s.n && !pseudo_inverse) return refuse(w, &s, frames);
  if (s.rank < s.n) {
    find_t(&s);
    surround_with_s(&s);
    spread_to_dependent_rows(&s);
  }
  for (int i = 0; i < s.n; i++)
    for (int j = 0; j < i; j++) {
      double *below = &lambda[(size_t)i * (size_t)s.n + (size_t)j],
             *above = &lambda[(size_t)j * (size_t)s.n + (size_t)i];
      *below = *above = 0.5 * (*below + *above);
    }
  return SRS_OK;
}
