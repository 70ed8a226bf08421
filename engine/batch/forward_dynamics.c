// Forward dynamics of several states by the articulated-body algorithm (ABA), in the links' axes.
//
//   out   motions at zero joint accelerations, gravity as an acceleration of the world, and the forces F they need
//   in    P = I + sum of what is carried, F likewise; for each coordinate, the last first: U = P s, D = s . U + e,
//         u = tau - s . F, then P -= U U^T / D, F += U u / D; both go to the parent
//   out   from the root: delta A = that of the parent, a_i = (u - U . delta A) / D, delta A += s a_i
//
// e is armature and h times damping in a step. About the parent's origin, with everything turned into its axes and r
// the link's origin, [J K^T; K M] becomes
//
//   K' = K - M [r]x,   J' = J - K^T [r]x + [r]x K'
//
// (Featherstone 2008, ch. 7.)

#include "engine/batch/batch.h"
#include "engine/batch/relative.h"
#include "engine/batch/solve.h"
#include "engine/batch/states.h"
#include "engine/dynamics/sincos.h"

// ---------------------------------------------------------------------------------------------------------------------
// Articulated bodies
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE wide_articulated articulated_of(const double *inertia)
{
  const double *h = inertia + 1, *I = inertia + 4;
  const lanes m = wide_number(inertia[0]), zero = wide_number(0);
  const wide_sym J = {wide_number(I[0]), wide_number(I[1]), wide_number(I[2]),
                      wide_number(I[3]), wide_number(I[4]), wide_number(I[5])};
  const wide_sym M = {m, m, m, zero, zero, zero};
  // f = alpha x h: columns e_i x h
  const wide33 K = {{zero, wide_number(-h[2]), wide_number(h[1])},
                    {wide_number(h[2]), zero, wide_number(-h[0])},
                    {wide_number(-h[1]), wide_number(h[0]), zero}};
  return (wide_articulated){J, M, K};
}

SRS_INLINE void add_sym(wide_sym *to, const wide_sym *s)
{
  to->xx += s->xx, to->yy += s->yy, to->zz += s->zz;
  to->xy += s->xy, to->xz += s->xz, to->yz += s->yz;
}

// a x r, as M [r]x is taken by columns: column i is M (r x e_i).
SRS_INLINE wide33 times_cross(const wide_sym *M, wide3 r)
{
  const wide3 x = {M->xx, M->xy, M->xz}, y = {M->xy, M->yy, M->yz}, z = {M->xz, M->yz, M->zz};
  return (wide33){wide_sub(wide_scale(r.z, y), wide_scale(r.y, z)), wide_sub(wide_scale(r.x, z), wide_scale(r.z, x)),
                  wide_sub(wide_scale(r.y, x), wide_scale(r.x, y))};
}

// Number by number: what copies memory waits for what was stored in other pieces.
SRS_INLINE void store_sym(wide_sym *to, const wide_sym *s)
{
  to->xx = s->xx, to->yy = s->yy, to->zz = s->zz;
  to->xy = s->xy, to->xz = s->xz, to->yz = s->yz;
}

SRS_INLINE void store_articulated(wide_articulated *to, const wide_articulated *P)
{
  store_sym(&to->J, &P->J);
  store_sym(&to->M, &P->M);
  wide_store33(&to->K, P->K);
}

SRS_INLINE wide_sym load_sym(const wide_sym *s) { return (wide_sym){s->xx, s->yy, s->zz, s->xy, s->xz, s->yz}; }

SRS_INLINE wide_articulated load_articulated(const wide_articulated *P)
{
  return (wide_articulated){
      load_sym(&P->J), load_sym(&P->M), {wide_load3(&P->K.x), wide_load3(&P->K.y), wide_load3(&P->K.z)}};
}

// R S R^T where nothing of S is on z.
SRS_INLINE wide_sym flat_rotate(const wide33 *R, const wide_sym *s)
{
  const wide3 a = wide_add_scaled(wide_scale(s->xx, R->x), s->xy, R->y);
  const wide3 b = wide_add_scaled(wide_scale(s->xy, R->x), s->yy, R->y);
  return (wide_sym){a.x * R->x.x + b.x * R->y.x, a.y * R->x.y + b.y * R->y.y, a.z * R->x.z + b.z * R->y.z,
                    a.x * R->x.y + b.x * R->y.y, a.x * R->x.z + b.x * R->y.z, a.y * R->x.z + b.y * R->y.z};
}

// The columns of A R^T, A given by columns.
SRS_INLINE wide33 times_back(wide3 a, wide3 b, wide3 c, const wide33 *R, bool is_flat)
{
  const wide33 flat = {wide_add_scaled(wide_scale(R->x.x, a), R->y.x, b),
                       wide_add_scaled(wide_scale(R->x.y, a), R->y.y, b),
                       wide_add_scaled(wide_scale(R->x.z, a), R->y.z, b)};
  if (is_flat) return flat;
  return (wide33){wide_add_scaled(flat.x, R->z.x, c), wide_add_scaled(flat.y, R->z.y, c),
                  wide_add_scaled(flat.z, R->z.z, c)};
}

// Adds the body P of link l, moved and turned to its parent, to `from`: that is `to`. After the elimination of a hinge
// without armature or damping, whose axis is z, P is flat: P [z; 0] = 0, so that J has neither row nor column z and K
// no column z.
SRS_INLINE void add_to_parent(wide_articulated *to, wide_articulated from, const wide_articulated *P,
                              const wide_link *l, bool is_flat)
{
  const wide33 *R = &l->R;
  const wide3 r = wide_load3(&l->r);
  const wide_sym M = wide_sym_rotate(R, &P->M), J = is_flat ? flat_rotate(R, &P->J) : wide_sym_rotate(R, &P->J);
  const wide33 K = times_back(wide_rotate(R, P->K.x), wide_rotate(R, P->K.y),
                              is_flat ? wide3_zero : wide_rotate(R, P->K.z), R, is_flat);
  const wide33 shift = times_cross(&M, r);
  const wide33 moved = {wide_sub(K.x, shift.x), wide_sub(K.y, shift.y), wide_sub(K.z, shift.z)};
  // K^T [r]x, entry (i, j): K_i . (r x e_j); r x e_x = (0, r_z, -r_y), ...
  const wide3 rx = {wide_number(0), r.z, -r.y}, ry = {-r.z, wide_number(0), r.x}, rz = {r.y, -r.x, wide_number(0)};
  const wide3 cx = wide_cross(r, moved.x), cy = wide_cross(r, moved.y), cz = wide_cross(r, moved.z); // of [r]x K'
  const wide_sym more = {cx.x - wide_dot(K.x, rx), cy.y - wide_dot(K.y, ry), cz.z - wide_dot(K.z, rz),
                         cy.x - wide_dot(K.x, ry), cz.x - wide_dot(K.x, rz), cz.y - wide_dot(K.y, rz)};
  add_sym(&from.J, &J);
  add_sym(&from.J, &more);
  add_sym(&from.M, &M);
  from.K = (wide33){wide_add(from.K.x, moved.x), wide_add(from.K.y, moved.y), wide_add(from.K.z, moved.z)};
  store_articulated(to, &from);
}

// P s
SRS_INLINE wide6 times_column(const wide_articulated *P, const wide6 *s)
{
  return (wide6){wide_add(wide_sym_times(&P->J, s->ang), wide_rotate_back(&P->K, s->lin)),
                 wide_add(wide_rotate(&P->K, s->ang), wide_sym_times(&P->M, s->lin))};
}

// P s for the unit of a joint with one coordinate along z.
SRS_INLINE wide6 times_screw(const wide_articulated *P, vec3 screw)
{
  wide6 U = {wide3_zero, wide3_zero};
  if (screw.x != 0) U = (wide6){{P->J.xz, P->J.yz, P->J.zz}, P->K.z};
  if (screw.y != 0) {
    const wide3 row = {P->K.x.z, P->K.y.z, P->K.z.z};
    U.ang = wide_add_scaled(U.ang, wide_number(screw.y), row);
    U.lin = wide_add_scaled(U.lin, wide_number(screw.y), (wide3){P->M.xz, P->M.yz, P->M.zz});
  }
  return U;
}

// P s where s turns about an axis of the link.
SRS_INLINE wide6 times_axis(const wide_articulated *P, int axis)
{
  if (axis == 0) return (wide6){{P->J.xx, P->J.xy, P->J.xz}, P->K.x};
  if (axis == 1) return (wide6){{P->J.xy, P->J.yy, P->J.yz}, P->K.y};
  return (wide6){{P->J.xz, P->J.yz, P->J.zz}, P->K.z};
}

SRS_INLINE wide6 unit_force(const srs_batch *b, const wide_articulated *P, int k, int i)
{
  const srs_model *m = b->model;
  if (!wide_has_columns(m, k)) return times_screw(P, wide_screw(m, k));
  const bool turns_freely = m->kind[k] == SRS_JOINT_SPHERICAL || m->kind[k] == SRS_JOINT_FREE;
  const int axis = i - (m->v_index[k + 1] - 3);
  return turns_freely && axis >= 0 ? times_axis(P, axis) : times_column(P, &b->column[i]);
}

SRS_INLINE void subtract_square(wide_sym *s, wide3 a, lanes share)
{
  const wide3 b = wide_scale(share, a);
  s->xx -= a.x * b.x, s->yy -= a.y * b.y, s->zz -= a.z * b.z;
  s->xy -= a.x * b.y, s->xz -= a.x * b.z, s->yz -= a.y * b.z;
}

// P -= U U^T / D
SRS_INLINE void eliminate(wide_articulated *P, const wide_pivot *pivot)
{
  const wide3 a = pivot->U.ang, f = wide_scale(pivot->D_inverse, pivot->U.lin);
  subtract_square(&P->J, a, pivot->D_inverse);
  subtract_square(&P->M, pivot->U.lin, pivot->D_inverse);
  P->K.x = wide_add_scaled(P->K.x, -a.x, f);
  P->K.y = wide_add_scaled(P->K.y, -a.y, f);
  P->K.z = wide_add_scaled(P->K.z, -a.z, f);
}

// ---------------------------------------------------------------------------------------------------------------------
// The passes
// ---------------------------------------------------------------------------------------------------------------------

// One coordinate of link k.
SRS_INLINE void eliminate_coordinate(srs_batch *b, int k, int i, wide_articulated *P, double extra, lanes *least)
{
  wide6 *F = &b->links[k].force;
  wide_pivot *pivot = &b->pivots[i];
  pivot->U = unit_force(b, P, k, i);
  const lanes D = wide_project(b, k, i, &pivot->U) + extra;
  *least = lanes_choose(D > *least, *least, D); // the smallest; NaN stays
  pivot->D_inverse = 1 / D;
  pivot->u = b->tau[i] - wide_project(b, k, i, F);
  eliminate(P, pivot);
  const lanes share = pivot->u * pivot->D_inverse;
  F->ang = wide_add_scaled(F->ang, share, pivot->U.ang);
  F->lin = wide_add_scaled(F->lin, share, pivot->U.lin);
}

// A hinge that nothing but P resists: what is left is flat.
SRS_INLINE void eliminate_hinge(srs_batch *b, int k, wide_articulated *P, lanes *least)
{
  const int i = b->model->v_index[k];
  wide6 *F = &b->links[k].force;
  wide_pivot *pivot = &b->pivots[i];
  const wide3 a = {P->J.xz, P->J.yz, P->J.zz}, f = P->K.z;
  const lanes D = a.z, D_inverse = 1 / D, u = b->tau[i] - F->ang.z, share = u * D_inverse;
  *least = lanes_choose(D > *least, *least, D); // the smallest; NaN stays
  wide_store6(&pivot->U, a, f);
  pivot->D_inverse = D_inverse, pivot->u = u;
  const lanes x = D_inverse * a.x, y = D_inverse * a.y;
  P->J.xx -= x * a.x, P->J.xy -= x * a.y, P->J.yy -= y * a.y;
  P->K.x = wide_add_scaled(P->K.x, -x, f);
  P->K.y = wide_add_scaled(P->K.y, -y, f);
  subtract_square(&P->M, f, D_inverse);
  wide_store6(F, wide_add_scaled(wide_load3(&F->ang), share, a), wide_add_scaled(wide_load3(&F->lin), share, f));
}

SRS_KERNEL static bool articulate_in(srs_batch *b, double h)
{
  const srs_model *m = b->model;
  lanes least = wide_number(INFINITY);
  for (int k = m->n_links - 1; k >= 0; k--) {
    const bool carries = m->subtree_end[k] > k + 1;
    const int p = m->parent[k];
    const bool is_hinge = m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS;
    const bool is_flat = is_hinge && m->armature[m->v_index[k]] + h * m->damping[m->v_index[k]] == 0;
    wide_articulated P = carries ? load_articulated(&b->articulated[k]) : articulated_of(m->inertia + 10 * (size_t)k);
    if (is_flat) {
      eliminate_hinge(b, k, &P, &least);
    } else {
      for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--)
        eliminate_coordinate(b, k, i, &P, m->armature[i] + h * m->damping[i], &least);
    }
    if (p < 0) continue;
    const wide_link *l = &b->links[k];
    const bool is_first = m->subtree_end[p] == m->subtree_end[k]; // of those that the parent carries
    const wide_articulated sum =
        is_first ? articulated_of(m->inertia + 10 * (size_t)p) : load_articulated(&b->articulated[p]);
    if (is_flat)
      add_to_parent(&b->articulated[p], sum, &P, l, true);
    else
      add_to_parent(&b->articulated[p], sum, &P, l, false);
    const wide6 force = wide_carry_force(l, (wide6){wide_load3(&l->force.ang), wide_load3(&l->force.lin)});
    wide6 *on = &b->links[p].force;
    wide_store6(on, wide_add(wide_load3(&on->ang), force.ang), wide_add(wide_load3(&on->lin), force.lin));
  }
  bool regular = true;
  for (int l = 0; l < LANES; l++) regular = regular && least[l] > 0;
  return regular;
}

SRS_KERNEL static void accelerate_out(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    wide_link *l = &b->links[k];
    wide6 A = {wide3_zero, wide3_zero}; // kept in alpha and a
    if (p >= 0) {
      const wide_link *from = &b->links[p];
      A.ang = wide_rotate_back(&l->R, from->alpha);
      A.lin = wide_rotate_back(&l->R, wide_add(from->a, wide_cross(from->alpha, l->r)));
    }
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
      const wide_pivot *pivot = &b->pivots[i];
      const lanes a = (pivot->u - wide_dot(pivot->U.ang, A.ang) - wide_dot(pivot->U.lin, A.lin)) * pivot->D_inverse;
      b->a[i] = a;
      if (wide_has_columns(m, k)) {
        A.ang = wide_add_scaled(A.ang, a, b->column[i].ang);
        A.lin = wide_add_scaled(A.lin, a, b->column[i].lin);
      } else {
        const vec3 screw = wide_screw(m, k);
        A.ang.z += screw.x * a;
        A.lin.z += screw.y * a;
      }
    }
    wide_store3(&l->alpha, A.ang);
    wide_store3(&l->a, A.lin);
  }
}

bool srs_batch_solve(srs_batch *b, double h)
{
  srs_batch_forces_out(b, b->v, NULL);
  if (!articulate_in(b, h)) return false;
  accelerate_out(b);
  return true;
}

// Which state and joint: by the recursions for one state, which name it.
srs_status srs_batch_singular(srs_batch *b, int first)
{
  return srs_batch_fail(b, SRS_ERROR_SINGULAR, "",
                        "nothing resists a joint in one of the states %d to %d: srs_forward_dynamics names it", first,
                        first + LANES - 1);
}

srs_status srs_batch_forward_dynamics(srs_batch *b, int n, const double *q, const double *v, const double *tau,
                                      double *a)
{
  if (b == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = b->model;
  srs_status status = srs_batch_check(b, n, q, v, v != NULL ? a : NULL);
  if (status == SRS_OK && tau != NULL) status = srs_batch_check_finite(b, n, "tau", tau, m->nv);
  if (status != SRS_OK) return status;
  bool finite = true;
  for (int first = 0; first < n; first += LANES) {
    srs_batch_load_q(b, n, first, q);
    srs_batch_load(n, first, m->nv, v, b->v);
    if (tau != NULL) srs_batch_load(n, first, m->nv, tau, b->tau);
    for (int i = 0; tau == NULL && i < m->nv; i++) b->tau[i] = wide_number(0);
    if (!srs_batch_solve(b, 0)) return srs_batch_singular(b, first);
    finite &= srs_batch_store(n, first, m->nv, b->a, a);
  }
  return finite ? SRS_OK : srs_batch_check_result(b, n, "the acceleration", a, m->nv);
}
