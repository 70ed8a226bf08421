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
#include "engine/batch/kernels.h"
#include "engine/batch/relative.h"
#include "engine/batch/solve.h"
#include "engine/batch/states.h"

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

// What a hinge's elimination leaves when nothing but P resisted it is flat: P [z; 0] = 0, so that J has neither row nor
// column z and K no column z. Turned about z it stays so.
SRS_INLINE void turn_flat_about_z(wide_articulated *P, lanes c, lanes s)
{
  const wide_sym *J = &P->J;
  const wide3 x = P->K.x, y = P->K.y;
  const lanes w = s * (J->xx - J->yy) + c * (J->xy + J->xy), k = s * (x.x - y.y) + c * (x.y + y.x),
              zero = wide_number(0);
  P->J = (wide_sym){J->xx - s * w, J->yy + s * w, zero, c * w - J->xy, zero, zero};
  P->K.x = (wide3){x.x - s * k, c * k - y.x, c * x.z - s * y.z};
  P->K.y = (wide3){c * k - x.y, y.y + s * k, s * x.z + c * y.z};
  P->K.z = wide3_zero;
}

SRS_INLINE void turn_flat_about_x(wide_articulated *P, lanes c, lanes s)
{
  const wide_sym *J = &P->J;
  const wide3 y = P->K.y;
  const lanes w = s * J->yy, u = s * y.y + c * y.z;
  P->J = (wide_sym){J->xx, J->yy - s * w, s * w, c * J->xy, s * J->xy, c * w};
  P->K = (wide33){wide_about_x(P->K.x, c, s), {c * y.x, y.y - s * u, c * u}, {s * y.x, c * u - y.z, s * u}};
}

SRS_INLINE void turn_any(wide_articulated *P, const wide33 *R)
{
  P->M = wide_sym_rotate(R, &P->M);
  P->J = wide_sym_rotate(R, &P->J);
  const wide33 RK = {wide_rotate(R, P->K.x), wide_rotate(R, P->K.y), wide_rotate(R, P->K.z)};
  const wide33 rows = {{R->x.x, R->y.x, R->z.x}, {R->x.y, R->y.y, R->z.y}, {R->x.z, R->y.z, R->z.z}};
  P->K = (wide33){wide_rotate(&RK, rows.x), wide_rotate(&RK, rows.y), wide_rotate(&RK, rows.z)};
}

SRS_INLINE void articulated_about_z(wide_articulated *P, lanes c, lanes s)
{
  P->M = wide_sym_about_z(&P->M, c, s);
  P->J = wide_sym_about_z(&P->J, c, s);
  P->K = wide_matrix_about_z(&P->K, c, s);
}

// P in the parent's axes, still at the link's origin.
SRS_INLINE void turn_inward(wide_articulated *P, const wide_way *way, bool is_flat)
{
  if (way->kind == WAY_ANY) {
    turn_any(P, way->R);
    return;
  }
  if (is_flat) {
    P->M = wide_sym_about_z(&P->M, way->c, way->s);
    turn_flat_about_z(P, way->c, way->s);
  } else {
    articulated_about_z(P, way->c, way->s);
  }
  if (way->kind == WAY_PARALLEL) return;
  if (wide_is_right(way->kind)) {
    P->M = wide_sym_square(&P->M);
    P->J = wide_sym_square(&P->J);
    P->K = wide_matrix_square(&P->K);
  } else {
    P->M = wide_sym_about_x(&P->M, way->cb, way->sb);
    if (is_flat) {
      turn_flat_about_x(P, way->cb, way->sb);
    } else {
      P->J = wide_sym_about_x(&P->J, way->cb, way->sb);
      P->K = wide_matrix_about_x(&P->K, way->cb, way->sb);
    }
  }
  if (wide_has_third(way->kind)) articulated_about_z(P, way->ca, way->sa);
}

// Moves P by r, to the parent's origin. With column j of [r]x K = r x K_j, J' = J + [r]x K' + ([r]x K)^T.
SRS_INLINE void move_inward(wide_articulated *P, const wide_way *way)
{
  const wide_sym M = P->M;
  const wide33 K = P->K;
  const wide3 r = way->r, x = {M.xx, M.xy, M.xz}, y = {M.xy, M.yy, M.yz}, z = {M.xz, M.yz, M.zz};
  const bool is_short = wide_is_short(way->kind); // r.y = 0
  wide33 to = {wide_add_scaled(K.x, -r.z, y), wide_add_scaled(wide_add_scaled(K.y, r.z, x), -r.x, z),
               wide_add_scaled(K.z, r.x, y)};
  if (!is_short) to.x = wide_add_scaled(to.x, r.y, z), to.z = wide_add_scaled(to.z, -r.y, x);
  wide_sym *J = &P->J;
  J->xx = J->xx - r.z * to.x.y - r.z * K.x.y;
  J->yy = J->yy + r.z * to.y.x - r.x * to.y.z + r.z * K.y.x - r.x * K.y.z;
  J->zz = J->zz + r.x * to.z.y + r.x * K.z.y;
  J->xy = J->xy - r.z * to.y.y + r.z * K.x.x - r.x * K.x.z;
  J->xz = J->xz - r.z * to.z.y + r.x * K.x.y;
  J->yz = J->yz + r.z * to.z.x - r.x * to.z.z + r.x * K.y.y;
  if (!is_short) {
    J->xx = J->xx + r.y * to.x.z + r.y * K.x.z;
    J->zz = J->zz - r.y * to.z.x - r.y * K.z.x;
    J->xy = J->xy + r.y * to.y.z;
    J->xz = J->xz + r.y * to.z.z - r.y * K.x.x;
    J->yz = J->yz - r.y * K.y.x;
  }
  P->K = to;
}

// Adds a body to P.
SRS_INLINE void add_constant(wide_articulated *P, const double *inertia)
{
  const double *I = inertia + 4;
  const lanes x = wide_number(inertia[1]), y = wide_number(inertia[2]), z = wide_number(inertia[3]);
  const lanes m = wide_number(inertia[0]);
  P->J.xx += I[0], P->J.yy += I[1], P->J.zz += I[2], P->J.xy += I[3], P->J.xz += I[4], P->J.yz += I[5];
  P->M.xx += m, P->M.yy += m, P->M.zz += m;
  P->K.x.y -= z, P->K.x.z += y, P->K.y.x += z, P->K.y.z -= x, P->K.z.x -= y, P->K.z.y += x;
}

SRS_INLINE void add_articulated(wide_articulated *P, const wide_articulated *more)
{
  add_sym(&P->J, &more->J);
  add_sym(&P->M, &more->M);
  P->K = (wide33){wide_add(P->K.x, more->K.x), wide_add(P->K.y, more->K.y), wide_add(P->K.z, more->K.z)};
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

// Keeps the least of what D exceeds rounding by; NaN stays.
SRS_INLINE void note_margin(lanes *least, lanes D, lanes size)
{
  const lanes margin = D - SRS_SINGULAR_SHARE * size;
  *least = lanes_choose(margin > *least, *least, margin);
}

SRS_INLINE lanes trace_of(const wide_sym *S) { return S->xx + S->yy + S->zz; }

// What D would be of P's own size.
SRS_INLINE lanes size_of(const srs_batch *b, const wide_articulated *P, int k, int i)
{
  if (wide_has_columns(b->model, k)) {
    const wide6 *s = &b->column[i];
    return trace_of(&P->J) * wide_dot(s->ang, s->ang) + trace_of(&P->M) * wide_dot(s->lin, s->lin);
  }
  const vec3 screw = wide_screw(b->model, k);
  return screw.x * screw.x * trace_of(&P->J) + screw.y * screw.y * trace_of(&P->M);
}

// One coordinate of link k.
SRS_INLINE void eliminate_coordinate(srs_batch *b, int k, int i, wide_articulated *P, double extra, lanes *least)
{
  wide6 *F = &b->links[k].force;
  wide_pivot *pivot = &b->pivots[i];
  pivot->U = unit_force(b, P, k, i);
  const lanes D = wide_project(b, k, i, &pivot->U) + extra;
  note_margin(least, D, size_of(b, P, k, i));
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
  note_margin(least, D, trace_of(&P->J));
  wide_store6(&pivot->U, a, f);
  pivot->D_inverse = D_inverse, pivot->u = u;
  const lanes x = D_inverse * a.x, y = D_inverse * a.y;
  P->J.xx -= x * a.x, P->J.xy -= x * a.y, P->J.yy -= y * a.y;
  P->K.x = wide_add_scaled(P->K.x, -x, f);
  P->K.y = wide_add_scaled(P->K.y, -y, f);
  subtract_square(&P->M, f, D_inverse);
  wide_store6(F, wide_add_scaled(wide_load3(&F->ang), share, a), wide_add_scaled(wide_load3(&F->lin), share, f));
}

// What link k leaves of P goes to its parent.
SRS_INLINE void carry_in(srs_batch *b, int k, batch_way kind, wide_articulated *P, bool is_flat)
{
  const srs_model *m = b->model;
  const int p = m->parent[k];
  if (p < 0) return;
  const wide_way way = wide_way_of(b, k, kind);
  const wide_link *l = &b->links[k];
  turn_inward(P, &way, is_flat);
  move_inward(P, &way);
  if (m->subtree_end[p] == m->subtree_end[k]) // the first of those that the parent carries
    add_constant(P, b->fixed[p].inertia);
  else
    add_articulated(P, &b->articulated[p]);
  store_articulated(&b->articulated[p], P);
  wide_carry_force(&way, wide_load3(&l->force.ang), wide_load3(&l->force.lin), &b->links[p].force);
}

SRS_INLINE double resistance_of(const srs_model *m, int i, const double *extra)
{
  return m->armature[i] + (extra != NULL ? extra[i] : 0);
}

SRS_INLINE void articulate(srs_batch *b, int k, batch_way kind, const double *extra, lanes *least)
{
  const srs_model *m = b->model;
  const bool carries = m->subtree_end[k] > k + 1;
  wide_articulated P = carries ? load_articulated(&b->articulated[k]) : articulated_of(b->fixed[k].inertia);
  const int i = m->v_index[k];
  if (kind != WAY_ANY && resistance_of(m, i, extra) == 0) {
    eliminate_hinge(b, k, &P, least);
    carry_in(b, k, kind, &P, true);
    return;
  }
  for (int j = m->v_index[k + 1] - 1; j >= i; j--) eliminate_coordinate(b, k, j, &P, resistance_of(m, j, extra), least);
  carry_in(b, k, kind, &P, false);
}

// @return bit l where nothing resists a joint in state l
SRS_KERNEL static unsigned articulate_in(srs_batch *b, const double *extra)
{
  lanes least = wide_number(INFINITY);
  for (int place = b->model->n_links - 1; place >= 0; place--) {
    const int k = b->order[place];
    switch (b->fixed[k].way) {
    case WAY_ANY: articulate(b, k, WAY_ANY, extra, &least); break;
    case WAY_HINGE: articulate(b, k, WAY_HINGE, extra, &least); break;
    case WAY_CORNER: articulate(b, k, WAY_CORNER, extra, &least); break;
    case WAY_SHORT: articulate(b, k, WAY_SHORT, extra, &least); break;
    case WAY_SQUARE: articulate(b, k, WAY_SQUARE, extra, &least); break;
    case WAY_PARALLEL: articulate(b, k, WAY_PARALLEL, extra, &least); break;
    }
  }
  unsigned singular = 0;
  for (int l = 0; l < LANES; l++) singular |= (unsigned)!(least[l] > 0) << l;
  return singular;
}

// Forces alone, with U and 1 / D as they are.
SRS_INLINE void sweep(srs_batch *b, int k, batch_way kind)
{
  const srs_model *m = b->model;
  wide_link *l = &b->links[k];
  wide6 F = {wide_load3(&l->force.ang), wide_load3(&l->force.lin)};
  for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k]; i--) {
    wide_pivot *pivot = &b->pivots[i];
    pivot->u = b->tau[i] - (kind != WAY_ANY ? F.ang.z : wide_project(b, k, i, &F));
    const lanes share = pivot->u * pivot->D_inverse;
    F.ang = wide_add_scaled(F.ang, share, wide_load3(&pivot->U.ang));
    F.lin = wide_add_scaled(F.lin, share, wide_load3(&pivot->U.lin));
  }
  const int p = m->parent[k];
  if (p < 0) return;
  const wide_way way = wide_way_of(b, k, kind);
  wide_carry_force(&way, F.ang, F.lin, &b->links[p].force);
}

SRS_KERNEL static void sweep_in(srs_batch *b)
{
  for (int place = b->model->n_links - 1; place >= 0; place--) {
    const int k = b->order[place];
    switch (b->fixed[k].way) {
    case WAY_ANY: sweep(b, k, WAY_ANY); break;
    case WAY_HINGE: sweep(b, k, WAY_HINGE); break;
    case WAY_CORNER: sweep(b, k, WAY_CORNER); break;
    case WAY_SHORT: sweep(b, k, WAY_SHORT); break;
    case WAY_SQUARE: sweep(b, k, WAY_SQUARE); break;
    case WAY_PARALLEL: sweep(b, k, WAY_PARALLEL); break;
    }
  }
}

// delta A of link k, kept in its alpha and a.
SRS_INLINE void accelerate(srs_batch *b, int k, batch_way kind)
{
  const srs_model *m = b->model;
  const int p = m->parent[k];
  wide_link *l = &b->links[k];
  wide6 A = {wide3_zero, wide3_zero};
  if (p >= 0) {
    const wide_way way = wide_way_of(b, k, kind);
    const wide3 alpha = wide_load3(&b->links[p].alpha);
    A.ang = wide_outward(&way, alpha);
    A.lin = wide_outward(&way, wide_add_swing(wide_load3(&b->links[p].a), alpha, &way));
  }
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    const wide_pivot *pivot = &b->pivots[i];
    const lanes a = (pivot->u - wide_dot(pivot->U.ang, A.ang) - wide_dot(pivot->U.lin, A.lin)) * pivot->D_inverse;
    b->a[i] = a;
    if (kind != WAY_ANY) {
      A.ang.z += a;
      break;
    }
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

SRS_KERNEL static void accelerate_out(srs_batch *b)
{
  for (int place = 0; place < b->model->n_links; place++) {
    const int k = b->order[place];
    switch (b->fixed[k].way) {
    case WAY_ANY: accelerate(b, k, WAY_ANY); break;
    case WAY_HINGE: accelerate(b, k, WAY_HINGE); break;
    case WAY_CORNER: accelerate(b, k, WAY_CORNER); break;
    case WAY_SHORT: accelerate(b, k, WAY_SHORT); break;
    case WAY_SQUARE: accelerate(b, k, WAY_SQUARE); break;
    case WAY_PARALLEL: accelerate(b, k, WAY_PARALLEL); break;
    }
  }
}

// As of one state: there D is rounding.
static bool is_bare(const srs_model *m, const double *extra)
{
  double all = 0;
  for (int i = m->v_index[m->bare_link]; m->is_bare && extra != NULL && i < m->v_index[m->bare_link + 1]; i++)
    all += extra[i];
  return m->is_bare && all == 0;
}

unsigned srs_batch_solve(srs_batch *b, const lanes *v, const double *extra)
{
  if (is_bare(b->model, extra)) return (1U << LANES) - 1;
  srs_batch_forces_out(b, v);
  const unsigned singular = articulate_in(b, extra);
  accelerate_out(b);
  return singular;
}

void srs_batch_solve_again(srs_batch *b, const lanes *v)
{
  srs_batch_forces_out(b, v);
  sweep_in(b);
  accelerate_out(b);
}

// Which state and joint: by the recursions for one state, which name it.
srs_status srs_batch_singular(srs_batch *b, int first)
{
  return srs_batch_fail(b, SRS_ERROR_SINGULAR, "",
                        "nothing resists a joint in one of the states %d to %d: srs_forward_dynamics names it", first,
                        first + LANES - 1);
}

srs_status srs_batch_accelerations(srs_batch *b, int n, const double *q, const double *v, const double *tau, double *a)
{
  const srs_model *m = b->model;
  bool finite = true;
  for (int first = 0; first < n; first += LANES) {
    srs_batch_load_q(b, n, first, q);
    srs_batch_load(n, first, m->nv, v, b->v);
    if (tau != NULL) srs_batch_load(n, first, m->nv, tau, b->tau);
    for (int i = 0; tau == NULL && i < m->nv; i++) b->tau[i] = wide_number(0);
    if (srs_batch_solve(b, b->v, NULL) != 0) return srs_batch_singular(b, first);
    finite &= srs_batch_store(n, first, m->nv, b->a, a);
  }
  return finite ? SRS_OK : srs_batch_check_result(b, n, "the acceleration", a, m->nv);
}
