// Mass matrices of several states: M_ij = s_i . F_j, with F_j the momentum of what coordinate j carries at its unit
// rate (composite rigid bodies, CRBA; Featherstone 2008, ch. 6).
//
//   in     composite bodies, in the links' axes
//   each   s and F of all coordinates, in the world's axes about the origin of the tree's first link: there they need
//          not be moved, and the rows below are all that grows with the square of nv (of most robots climb.c is faster)
//   rows   four at a time; a row has entries up to the last coordinate that its link carries
//
// Four rows of four states fit the first cache; they are turned into the states' matrices from there, both triangles.

#include "engine/batch/batch.h"
#include "engine/batch/bodies.h"
#include "engine/batch/climb.h"
#include "engine/batch/kernels.h"
#include "engine/batch/states.h"
#include "engine/batch/world.h"

// Composite bodies on the way in, axes and origins on the way out: neither needs the other, and what one waits for the
// other fills.
SRS_KERNEL static void compose_and_place(srs_batch *b)
{
  const int n = b->model->n_links;
  for (int k = 0; k < n; k++)
    if (b->fixed[k].way == WAY_ANY) wide_place(b, k);
  lane_mask large = {0};
  for (int place = 0; place < n; place++) {
    const int out = b->order[place], in = b->order[n - 1 - place];
    large |= srs_batch_turn_ahead(b, place);
    switch (b->fixed[out].way) {
    case WAY_ANY: wide_place_in_world(b, out, WAY_ANY, true); break;
    case WAY_HINGE: wide_place_in_world(b, out, WAY_HINGE, true); break;
    case WAY_CORNER: wide_place_in_world(b, out, WAY_CORNER, true); break;
    case WAY_SHORT: wide_place_in_world(b, out, WAY_SHORT, true); break;
    case WAY_SQUARE: wide_place_in_world(b, out, WAY_SQUARE, true); break;
    case WAY_PARALLEL: wide_place_in_world(b, out, WAY_PARALLEL, true); break;
    }
    switch (b->fixed[in].way) {
    case WAY_ANY: compose(b, in, WAY_ANY); break;
    case WAY_HINGE: compose(b, in, WAY_HINGE); break;
    case WAY_CORNER: compose(b, in, WAY_CORNER); break;
    case WAY_SHORT: compose(b, in, WAY_SHORT); break;
    case WAY_SQUARE: compose(b, in, WAY_SQUARE); break;
    case WAY_PARALLEL: compose(b, in, WAY_PARALLEL); break;
    }
  }
  srs_batch_turn_rest(b, n, large);
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

// Motion and momentum of coordinate i in the world's axes, about a point d from the root's origin.
SRS_INLINE void keep(const srs_batch *b, int i, wide3 d, wide6 motion, wide6 momentum)
{
  wide_store6(&b->motions[i], motion.ang, wide_add_cross(motion.lin, d, motion.ang));
  wide_store6(&b->forces[i], wide_add_cross(momentum.ang, d, momentum.lin), momentum.lin);
}

SRS_INLINE void keep_hinge(const srs_batch *b, int k)
{
  const int i = b->model->v_index[k];
  const wide33 *R = &b->axes[k];
  const wide_body *c = &b->bodies[k];
  const wide3 d = wide_load3(&b->origin[k]), z = wide_load3(&R->z);
  const wide3 f = wide_add_scaled(wide_scale(-c->h.y, R->x), c->h.x, R->y);
  const wide3 n = wide_rotate(R, (wide3){c->I.xz, c->I.yz, c->I.zz});
  keep(b, i, d, (wide6){z, wide3_zero}, (wide6){n, f});
}

SRS_INLINE wide3 column_of(const wide_sym *I, int axis)
{
  if (axis == 0) return (wide3){I->xx, I->xy, I->xz};
  if (axis == 1) return (wide3){I->xy, I->yy, I->yz};
  return (wide3){I->xz, I->yz, I->zz};
}

// The columns of any joint.
SRS_INLINE void keep_any(const srs_batch *b, int k)
{
  const srs_model *m = b->model;
  const srs_joint_kind kind = (srs_joint_kind)m->kind[k];
  const wide33 *R = &b->axes[k];
  const wide_body c = load_body(&b->bodies[k]);
  const wide3 d = wide_load3(&b->origin[k]), h = wide_rotate(R, c.h);
  const lanes mass = wide_number(b->fixed[k].carried);
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    const wide6 s = own_column(b, k, i);
    const int axis = i - (m->v_index[k + 1] - 3); // about which a free or spherical joint turns
    if (kind == SRS_JOINT_PRISMATIC || (kind == SRS_JOINT_FREE && axis < 0)) {
      const wide3 u = wide_rotate(R, s.lin);
      keep(b, i, d, (wide6){wide3_zero, u}, (wide6){wide_cross(h, u), wide_scale(mass, u)});
    } else if (kind == SRS_JOINT_SPHERICAL || kind == SRS_JOINT_FREE) {
      const wide3 w = wide_load3(axis == 0 ? &R->x : axis == 1 ? &R->y : &R->z);
      keep(b, i, d, (wide6){w, wide3_zero}, (wide6){wide_rotate(R, column_of(&c.I, axis)), wide_cross(w, h)});
    } else {
      const wide3 w = wide_rotate(R, s.ang), u = wide_rotate(R, s.lin);
      const wide3 n = wide_add_cross(wide_rotate(R, wide_sym_times(&c.I, s.ang)), h, u);
      keep(b, i, d, (wide6){w, u}, (wide6){n, wide_add_cross(wide_scale(mass, u), w, h)});
    }
  }
}

SRS_KERNEL static void keep_columns(const srs_batch *b)
{
  for (int k = 0; k < b->model->n_links; k++)
    if (b->fixed[k].way != WAY_ANY)
      keep_hinge(b, k);
    else
      keep_any(b, k);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

#ifndef SRS_EIGHT_LANES // which leave many coordinates to four
// s_i . F_j
SRS_INLINE lanes entry_of(const wide6 *s, const wide6 *F)
{
  return wide_dot(s->ang, F->ang) + wide_dot(s->lin, F->lin);
}

// Entries of row i from j on, then zeros up to `end`.  @return zeros where they are finite
SRS_INLINE lanes fill_row(const srs_batch *b, int i, int j, int end, lanes *row)
{
  lanes zero = wide_number(0);
  for (; j < b->row_end[i]; j++) {
    row[j] = entry_of(&b->motions[i], &b->forces[j]);
    zero += 0 * row[j];
  }
  for (; j < end; j++) row[j] = wide_number(0);
  return zero;
}

SRS_INLINE void put_zeros(double *const *to, size_t at)
{
  for (int l = 0; l < LANES; l++) lanes_store(to[l] + at, wide_number(0));
}

// Four rows from row `first` on, of all states.  @param end  where they, and their mirror image, are zero
SRS_INLINE void put_rows(const lanes *rows, size_t n, size_t first, size_t end, double *const *to)
{
  for (size_t i = 0; i < LANES; i++) {
    const lanes *row = rows + i * n;
    const size_t line = (first + i) * n;
    size_t j = first;
    for (; j + LANES <= end; j += LANES) wide_put4(to, line + j, row[j], row[j + 1], row[j + 2], row[j + 3]);
    for (; j + LANES <= n; j += LANES) put_zeros(to, line + j);
    const size_t last = n - LANES; // the last four once more
    if (j < n && end == n) wide_put4(to, line + last, row[last], row[last + 1], row[last + 2], row[last + 3]);
    for (; j < n && end < n; j++)
      for (int l = 0; l < LANES; l++) to[l][line + j] = 0;
  }
  for (size_t j = end; j < n; j++) put_zeros(to, j * n + first);
}

// Four by four entries at the diagonal, both halves.
SRS_INLINE lanes fill_corner(const srs_batch *b, int first, lanes *rows)
{
  const int n = b->model->nv;
  lanes zero = wide_number(0);
  for (int i = 0; i < LANES; i++)
    for (int j = i; j < LANES; j++) {
      const bool is_zero = first + j >= b->row_end[first + i];
      lanes entry = is_zero ? wide_number(0) : entry_of(&b->motions[first + i], &b->forces[first + j]);
      if (i == j) entry += b->model->armature[first + i];
      rows[i * n + first + j] = rows[j * n + first + i] = entry;
      zero += entry;
    }
  return 0 * zero;
}

// The entries to the right of that, and their mirror image below it: first where all four rows have entries.
SRS_INLINE lanes fill_rows(const srs_batch *b, int first, int end, lanes *rows, double *const *to)
{
  const int n = b->model->nv;
  const wide6 *s = b->motions + first;
  int j = first + LANES, common = end;
  for (int i = first; i < first + LANES; i++) common = b->row_end[i] < common ? b->row_end[i] : common;
  lanes zero = wide_number(0);
  for (; j < common; j++) {
    const wide3 ang = wide_load3(&b->forces[j].ang), lin = wide_load3(&b->forces[j].lin);
    const wide6 F = {ang, lin};
    const lanes p = entry_of(&s[0], &F), q = entry_of(&s[1], &F), r = entry_of(&s[2], &F), t = entry_of(&s[3], &F);
    rows[j] = p, rows[n + j] = q, rows[2 * n + j] = r, rows[3 * n + j] = t;
    zero += 0 * ((p + q) + (r + t));
    wide_put4(to, (size_t)j * (size_t)n + (size_t)first, p, q, r, t);
  }
  if (j >= end) return zero;
  for (int i = 0; i < LANES; i++) zero += fill_row(b, first + i, j, end, rows + (size_t)i * (size_t)n);
  for (; j < end; j++)
    wide_put4(to, (size_t)j * (size_t)n + (size_t)first, rows[j], rows[n + j], rows[2 * n + j], rows[3 * n + j]);
  return zero;
}

// The matrices of states from first_state on.  @return whether all numbers are finite
SRS_KERNEL static bool put_matrices(const srs_batch *b, int states, int first_state, double *matrices)
{
  const int n = b->model->nv;
  double *to[LANES];
  for (int l = 0; l < LANES; l++)
    to[l] = first_state + l < states ? matrices + (size_t)(first_state + l) * (size_t)n * (size_t)n : b->spare;
  lanes *rows = b->matrix, zero = wide_number(0);
  for (int next = 0; next < n; next += LANES) {
    const int first = next + LANES <= n ? next : n - LANES;
    int end = first + LANES;
    for (int i = first; i < first + LANES; i++) end = b->row_end[i] > end ? b->row_end[i] : end;
    end = first + (end - first + LANES - 1) / LANES * LANES;
    if (end > n) end = n;
    zero += fill_corner(b, first, rows);
    zero += fill_rows(b, first, end, rows, to);
    put_rows(rows, (size_t)n, (size_t)first, (size_t)end, to);
  }
  return lanes_sum(zero) == 0;
}

#endif

// A row of it and its column, from the diagonal on. turns, slides: what the coordinate moves.
SRS_INLINE void fill_line(const srs_batch *b, size_t i, bool turns, bool slides)
{
  const size_t n = (size_t)b->model->nv, end = (size_t)b->row_end[i];
  const wide3 w = wide_load3(&b->motions[i].ang), u = wide_load3(&b->motions[i].lin);
  lanes *row = b->matrix + i * n, *column = b->matrix + i;
  for (size_t j = i; j < end; j++) {
    const wide6 *F = &b->forces[j];
    if (turns && slides)
      row[j] = column[j * n] = wide_dot(w, F->ang) + wide_dot(u, F->lin);
    else
      row[j] = column[j * n] = turns ? wide_dot(w, F->ang) : wide_dot(u, F->lin);
  }
  row[i] += b->model->armature[i];
}

// The whole matrix in lanes, both triangles; between branches it stays zero.
SRS_KERNEL static void fill_matrix(const srs_batch *b)
{
  const srs_model *m = b->model;
  for (int i = 0; i < m->nv; i++) {
    const int k = m->link_of_v[i];
    const bool is_free = m->kind[k] == SRS_JOINT_FREE && m->parent[k] < 0; // three slide, three turn about the root
    if (is_free && i < m->v_index[k] + 3)
      fill_line(b, (size_t)i, false, true);
    else if (is_free)
      fill_line(b, (size_t)i, true, false);
    else
      fill_line(b, (size_t)i, true, true);
  }
}

srs_status srs_batch_matrices(srs_batch *b, int n, const double *q, double *matrices)
{
  const size_t nv = (size_t)b->model->nv;
  bool finite = true;
  srs_batch_load_q(b, n, 0, q);
  for (int first = 0; first < n; first += LANES) {
    srs_batch_look_ahead(b, n, first + LANES, q);
    if (b->climbs) {
      srs_batch_climb(b);
    } else {
      compose_and_place(b);
      keep_columns(b);
    }
    srs_batch_take_ahead(b);
#ifndef SRS_EIGHT_LANES
    if (b->model->nv > SRS_BATCH_WHOLE) {
      finite &= put_matrices(b, n, first, matrices);
      continue;
    }
#endif
    if (!b->climbs) fill_matrix(b);
    finite &= srs_batch_store_matrix(b, n, first, matrices);
  }
  return finite ? SRS_OK : srs_batch_check_result(b, n, "the inertia", matrices, (int)(nv * nv));
}
