// Inverse dynamics of several states by the recursive Newton-Euler algorithm (RNEA), in the links' axes (relative.h):
// out with motions and the force of each link's least body (frames.c), in with sums of forces. The angles of the next
// states are turned on the way in, where each link waits for the one before.

#include "engine/batch/batch.h"
#include "engine/batch/kernels.h"
#include "engine/batch/relative.h"
#include "engine/batch/states.h"

// Motion and force of link k; of its least body, or of the whole one.
SRS_INLINE void move_out(const srs_batch *b, int k, batch_way kind, bool is_least, const lanes *v, const lanes *a)
{
  const srs_model *m = b->model;
  const int p = m->parent[k], i = m->v_index[k];
  wide_link *l = &b->links[k];
  if (kind == WAY_ANY) wide_place(b, k);
  const wide_way way = wide_way_of(b, k, kind);
  wide_link moved = {.w = wide3_zero, .alpha = wide3_zero};
  if (p < 0) {
    moved.a = wide_outward(&way, wide_vector((vec3){-b->gravity.x, -b->gravity.y, -b->gravity.z}));
  } else {
    const wide_link *from = &b->links[p];
    const wide3 w = wide_load3(&from->w), alpha = wide_load3(&from->alpha);
    const wide3 swing = wide_add_swing(wide3_zero, w, &way);
    const wide3 arm = wide_add_cross(wide_add_swing(wide3_zero, alpha, &way), w, swing);
    moved.w = wide_outward(&way, w);
    moved.alpha = wide_outward(&way, alpha);
    moved.a = wide_outward(&way, wide_add(wide_load3(&from->a), arm)); // a last: the next link waits for it
  }
  if (kind == WAY_ANY) {
    wide_joint_motion(b, k, v, a, &moved);
  } else {
    moved.alpha.x += moved.w.y * v[i];
    moved.alpha.y -= moved.w.x * v[i];
    moved.w.z += v[i];
    if (a != NULL) moved.alpha.z += a[i];
  }
  const batch_link *f = &b->fixed[k];
  const wide6 force = is_least && kind != WAY_ANY
                          ? wide_least_force(f->least, moved.w, moved.alpha, moved.a)
                          : wide_body_force(is_least ? f->least : f->inertia, moved.w, moved.alpha, moved.a);
  wide_store3(&l->w, moved.w);
  wide_store3(&l->alpha, moved.alpha);
  wide_store3(&l->a, moved.a);
  wide_store6(&l->force, force.ang, force.lin);
}

SRS_INLINE void forces_out(const srs_batch *b, bool is_least, const lanes *v, const lanes *a)
{
  for (int place = 0; place < b->model->n_links; place++) {
    const int k = b->order[place];
    switch (b->fixed[k].way) {
    case WAY_ANY: move_out(b, k, WAY_ANY, is_least, v, a); break;
    case WAY_HINGE: move_out(b, k, WAY_HINGE, is_least, v, a); break;
    case WAY_CORNER: move_out(b, k, WAY_CORNER, is_least, v, a); break;
    case WAY_SHORT: move_out(b, k, WAY_SHORT, is_least, v, a); break;
    case WAY_SQUARE: move_out(b, k, WAY_SQUARE, is_least, v, a); break;
    case WAY_PARALLEL: move_out(b, k, WAY_PARALLEL, is_least, v, a); break;
    }
  }
}

SRS_KERNEL void srs_batch_forces_out(srs_batch *b, const lanes *v) { forces_out(b, false, v, NULL); }

SRS_KERNEL static void least_forces_out(srs_batch *b, const lanes *v, const lanes *a) { forces_out(b, true, v, a); }

// The force of coordinate i: what turns with the joint itself resists too.
SRS_INLINE void keep_force(const srs_batch *b, int i, lanes force, const lanes *a)
{
  b->tau[i] = a != NULL ? force + b->model->armature[i] * a[i] : force;
}

SRS_INLINE void carry_in(const srs_batch *b, int k, batch_way kind, const lanes *a)
{
  const srs_model *m = b->model;
  const wide_link *l = &b->links[k];
  const wide6 force = {wide_load3(&l->force.ang), wide_load3(&l->force.lin)};
  if (kind == WAY_ANY)
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) keep_force(b, i, wide_project(b, k, i, &force), a);
  else
    keep_force(b, m->v_index[k], force.ang.z, a);
  const int p = m->parent[k];
  if (p < 0) return;
  const wide_way way = wide_way_of(b, k, kind);
  wide_carry_force(&way, force.ang, force.lin, &b->links[p].force);
}

SRS_KERNEL static void forces_in(srs_batch *b, const lanes *a)
{
  const int n = b->model->n_links;
  lane_mask large = {0};
  for (int i = 0; i < n; i++) {
    const int k = b->order[n - 1 - i];
    large |= srs_batch_turn_ahead(b, i);
    switch (b->fixed[k].way) {
    case WAY_ANY: carry_in(b, k, WAY_ANY, a); break;
    case WAY_HINGE: carry_in(b, k, WAY_HINGE, a); break;
    case WAY_CORNER: carry_in(b, k, WAY_CORNER, a); break;
    case WAY_SHORT: carry_in(b, k, WAY_SHORT, a); break;
    case WAY_SQUARE: carry_in(b, k, WAY_SQUARE, a); break;
    case WAY_PARALLEL: carry_in(b, k, WAY_PARALLEL, a); break;
    }
  }
  srs_batch_turn_rest(b, n, large);
}

srs_status srs_batch_forces(srs_batch *b, int n, const double *q, const double *v, const double *a, double *tau)
{
  const srs_model *m = b->model;
  bool finite = true;
  srs_batch_load_q(b, n, 0, q);
  for (int first = 0; first < n; first += LANES) {
    srs_batch_look_ahead(b, n, first + LANES, q);
    srs_batch_load(n, first, m->nv, v, b->v);
    if (a != NULL) srs_batch_load(n, first, m->nv, a, b->a);
    least_forces_out(b, b->v, a != NULL ? b->a : NULL);
    forces_in(b, a != NULL ? b->a : NULL);
    srs_batch_take_ahead(b);
    finite &= srs_batch_store(n, first, m->nv, b->tau, tau);
  }
  return finite ? SRS_OK : srs_batch_check_result(b, n, "the force", tau, m->nv);
}
