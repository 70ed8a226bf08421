// Mass matrices whose columns go from link to link: F_j = I s_j of what a link carries, in the link's axes, is
// projected on the coordinates of that link, seen from its parent, projected on its parent's, and so on to the root
// (Featherstone 2008, ch. 6). A hinge's projection is a component, and a step takes twelve multiplications where axes
// are parallel or at right angles: less than what the world's axes take (mass_matrix.c) unless links stand in long
// chains.
//
// Columns that pass a link do it one after the other, so that none waits for itself; two links at once where the first
// carries nothing but the second, since loads and stores take as long as the multiplications.

#include "engine/batch/climb.h"
#include "engine/batch/bodies.h"
#include "engine/batch/kernels.h"
#include "engine/batch/states.h"

// An entry of the matrix in lanes, and its mirror image.
SRS_INLINE void put_entry(const srs_batch *b, int i, int j, lanes entry)
{
  const size_t n = (size_t)b->model->nv;
  b->matrix[(size_t)i * n + (size_t)j] = b->matrix[(size_t)j * n + (size_t)i] = entry;
}

SRS_INLINE wide6 load_force(const srs_batch *b, int j)
{
  return (wide6){wide_load3(&b->forces[j].ang), wide_load3(&b->forces[j].lin)};
}

SRS_INLINE void store_force(const srs_batch *b, int j, wide6 F) { wide_store6(&b->forces[j], F.ang, F.lin); }

// A column seen from a link, seen from its parent.
SRS_INLINE wide6 climb(const wide_way *way, wide6 F)
{
  const wide3 f = wide_inward(way, F.lin);
  return (wide6){wide_add_inward(way, wide_less_swing(wide3_zero, f, way), F.ang), f};
}

// Column of hinge k itself.
SRS_INLINE wide6 hinge_column(const srs_batch *b, int k)
{
  const wide_body *c = &b->bodies[k];
  return (wide6){{c->I.xz, c->I.yz, c->I.zz}, {-c->h.y, c->h.x, wide_number(0)}};
}

// Row of hinge k.
SRS_INLINE void climb_hinge(const srs_batch *b, int k, batch_way kind)
{
  const srs_model *m = b->model;
  const int i = m->v_index[k], end = b->row_end[i];
  const bool is_root = m->parent[k] < 0;
  const wide_way way = wide_way_of(b, k, kind);
  const wide6 own = hinge_column(b, k);
  put_entry(b, i, i, own.ang.z + m->armature[i]);
  if (!is_root) store_force(b, i, climb(&way, own));
  for (int j = i + 1; j < end; j++) {
    const wide6 F = load_force(b, j);
    put_entry(b, i, j, F.ang.z);
    if (!is_root) store_force(b, j, climb(&way, F));
  }
}

// Rows of hinge k and of its parent k - 1, of kind `before`.
SRS_INLINE void climb_pair(const srs_batch *b, int k, batch_way kind, batch_way before)
{
  const srs_model *m = b->model;
  const int i = m->v_index[k], end = b->row_end[i];
  const bool is_root = m->parent[k - 1] < 0;
  const wide_way way = wide_way_of(b, k, kind), next = wide_way_of(b, k - 1, before);
  const wide6 first = hinge_column(b, k), second = hinge_column(b, k - 1);
  put_entry(b, i, i, first.ang.z + m->armature[i]);
  put_entry(b, i - 1, i - 1, second.ang.z + m->armature[i - 1]);
  const wide6 moved = climb(&way, first);
  put_entry(b, i - 1, i, moved.ang.z);
  if (!is_root) store_force(b, i, climb(&next, moved)), store_force(b, i - 1, climb(&next, second));
  for (int j = i + 1; j < end; j++) {
    wide6 F = load_force(b, j);
    put_entry(b, i, j, F.ang.z);
    F = climb(&way, F);
    put_entry(b, i - 1, j, F.ang.z);
    if (!is_root) store_force(b, j, climb(&next, F));
  }
}

SRS_INLINE void climb_two(const srs_batch *b, int k)
{
  const bool is_square = b->fixed[k].way == WAY_SQUARE, was_square = b->fixed[k - 1].way == WAY_SQUARE;
  if (is_square && was_square)
    climb_pair(b, k, WAY_SQUARE, WAY_SQUARE);
  else if (is_square)
    climb_pair(b, k, WAY_SQUARE, WAY_PARALLEL);
  else if (was_square)
    climb_pair(b, k, WAY_PARALLEL, WAY_SQUARE);
  else
    climb_pair(b, k, WAY_PARALLEL, WAY_PARALLEL);
}

// I s of coordinate i of any joint, in the link's axes.
SRS_INLINE wide6 own_force(const srs_batch *b, int k, const wide_body *c, wide6 s)
{
  const wide3 n = wide_add_cross(wide_sym_times(&c->I, s.ang), c->h, s.lin);
  return (wide6){n, wide_add_cross(wide_scale(wide_number(b->fixed[k].carried), s.lin), s.ang, c->h)};
}

// Rows of link k up to column `end`.
SRS_INLINE void project_on_any(const srs_batch *b, int k, int end)
{
  const srs_model *m = b->model;
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
    for (int j = i; j < end; j++) {
      const wide6 F = load_force(b, j);
      put_entry(b, i, j, wide_project(b, k, i, &F));
    }
}

// Those of a free joint: three slide, three turn about the link's axes.
SRS_INLINE void project_on_free(const srs_batch *b, int first, int end)
{
  const wide3 x = wide_load3(&b->column[first].lin), y = wide_load3(&b->column[first + 1].lin),
              z = wide_load3(&b->column[first + 2].lin);
  for (int j = first; j < end; j++) {
    const wide6 F = load_force(b, j);
    put_entry(b, first, j, wide_dot(x, F.lin));
    put_entry(b, first + 1, j, wide_dot(y, F.lin));
    put_entry(b, first + 2, j, wide_dot(z, F.lin));
    if (j < first + 3) continue;
    put_entry(b, first + 3, j, F.ang.x);
    put_entry(b, first + 4, j, F.ang.y);
    put_entry(b, first + 5, j, F.ang.z);
  }
}

SRS_INLINE void climb_any(const srs_batch *b, int k)
{
  const srs_model *m = b->model;
  const int first = m->v_index[k], end = m->v_index[m->subtree_end[k]];
  const wide_body c = load_body(&b->bodies[k]);
  const wide_way way = wide_way_of(b, k, WAY_ANY);
  for (int i = first; i < m->v_index[k + 1]; i++) {
    const wide6 own = own_force(b, k, &c, own_column(b, k, i));
    store_force(b, i, own);
  }
  if (m->kind[k] == SRS_JOINT_FREE)
    project_on_free(b, first, end);
  else
    project_on_any(b, k, end);
  for (int i = first; i < m->v_index[k + 1]; i++) b->matrix[(size_t)i * ((size_t)m->nv + 1)] += m->armature[i];
  for (int j = first; m->parent[k] >= 0 && j < end; j++) store_force(b, j, climb(&way, load_force(b, j)));
}

SRS_KERNEL static void compose_all(srs_batch *b)
{
  const int n = b->model->n_links;
  lane_mask large = {0};
  for (int k = 0; k < n; k++)
    if (b->fixed[k].way == WAY_ANY) wide_place(b, k);
  for (int i = 0; i < n; i++) {
    const int k = b->order[n - 1 - i];
    large |= srs_batch_turn_ahead(b, i);
    switch (b->fixed[k].way) {
    case WAY_ANY: compose(b, k, WAY_ANY); break;
    case WAY_HINGE: compose(b, k, WAY_HINGE); break;
    case WAY_CORNER: compose(b, k, WAY_CORNER); break;
    case WAY_SHORT: compose(b, k, WAY_SHORT); break;
    case WAY_SQUARE: compose(b, k, WAY_SQUARE); break;
    case WAY_PARALLEL: compose(b, k, WAY_PARALLEL); break;
    }
  }
  srs_batch_turn_rest(b, n, large);
}

SRS_KERNEL static void climb_all(const srs_batch *b)
{
  for (int place = b->model->n_links - 1; place >= 0; place--) {
    const int k = b->order[place];
    if (b->fixed[k].stride == 0) continue;
    if (b->fixed[k].stride == 2) {
      climb_two(b, k);
      continue;
    }
    switch (b->fixed[k].way) {
    case WAY_ANY: climb_any(b, k); break;
    case WAY_HINGE: climb_hinge(b, k, WAY_HINGE); break;
    case WAY_CORNER: climb_hinge(b, k, WAY_CORNER); break;
    case WAY_SHORT: climb_hinge(b, k, WAY_SHORT); break;
    case WAY_SQUARE: climb_hinge(b, k, WAY_SQUARE); break;
    case WAY_PARALLEL: climb_hinge(b, k, WAY_PARALLEL); break;
    }
  }
}

void srs_batch_climb(srs_batch *b)
{
  compose_all(b);
  climb_all(b);
}
