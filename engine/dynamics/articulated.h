// Articulated-body inertias P = [J K^T; K M] about a link's origin in world axes, [torque; force] = P [alpha; a]:
// products, elimination of joint coordinates, and moves to the parent's origin. Internal.
//
// Moved to the origin that lies r behind (torque + r x force there; a = a' + alpha x r): M' = M,  K' = K - M [r],
// J' = J + S + S^T with S = [r] (K + K') / 2.
//
// A hinge is eliminated where its parent is: P - U U^T / D, moved, is P moved less U' U'^T / D with U' moved likewise,
// so that the move does not wait for 1 / D.
#pragma once
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/workspace.h"

SRS_INLINE void add_own(articulated *P, const body *b)
{
  const v3 three = {1, 1, 1, 0}, h = b->moment;
  P->J = s33_add(P->J, b->inertia);
  P->K.d1 += cycle_back(h);
  P->K.d2 -= cycle(h);
  P->M.d += b->mass * three;
}

SRS_INLINE articulated articulated_from_body(const body *b)
{
  articulated P = {s33_zero, s33_zero, {v3_zero, v3_zero, v3_zero}};
  add_own(&P, b);
  return P;
}

// P s: the force that a unit acceleration along s takes.
SRS_INLINE v6 articulated_times(const articulated *P, v6 s)
{
  return (v6){s33_times(P->J, s.ang) + d33_times_back(P->K, s.lin), d33_times(P->K, s.ang) + s33_times(P->M, s.lin)};
}

// P + U G^T, G a multiple of U.
SRS_INLINE articulated with_square(const articulated *P, v6 U, v6 G)
{
  const v3 next = cycle(U.ang);
  return (articulated){{P->J.d + G.ang * U.ang, P->J.e + G.ang * next},
                       {P->M.d + G.lin * U.lin, P->M.e + G.lin * cycle(U.lin)},
                       {P->K.d0 + G.lin * U.ang, P->K.d1 + G.lin * next, P->K.d2 + G.lin * cycle_back(U.ang)}};
}

// P - U U^T / D
SRS_INLINE void project_out(articulated *P, v6 U, double D_inverse) { *P = with_square(P, U, v6_scale(-D_inverse, U)); }

SRS_INLINE double trace(s33 s) { return s.d[0] + s.d[1] + s.d[2]; }

SRS_INLINE bool resists(double D, double size) { return D > SRS_SINGULAR_SHARE * size; }

SRS_INLINE bool finish_pivot(articulated *P, v6 U, double D, double size, pivot *out)
{
  if (!resists(D, size)) return false;
  out->U = U;
  out->D_inverse = 1 / D;
  project_out(P, U, out->D_inverse);
  return true;
}

// s = [0; z]
SRS_INLINE bool eliminate_linear(articulated *P, v3 z, double extra, pivot *out)
{
  const v6 U = {d33_times_back(P->K, z), s33_times(P->M, z)};
  return finish_pivot(P, U, dot(z, U.lin) + extra, trace(P->M), out);
}

SRS_INLINE bool eliminate(articulated *P, v6 s, double extra, pivot *out)
{
  const v6 U = articulated_times(P, s);
  const double size = trace(P->J) * dot(s.ang, s.ang) + trace(P->M) * dot(s.lin, s.lin);
  return finish_pivot(P, U, v6_dot(s, U) + extra, size, out);
}

// P moved to the origin that lies r behind.
SRS_INLINE articulated moved_articulated(const articulated *P, v3 r)
{
  const v3 r1 = cycle(r), r2 = cycle_back(r), M2 = cycle_back(P->M.e);
  const d33 K = {P->K.d0 + r1 * M2 - r2 * P->M.e, P->K.d1 + r2 * P->M.d - r * M2, P->K.d2 + r * P->M.e - r1 * P->M.d};
  const d33 X = d33_add(P->K, K);
  const v3 back = cycle_back(X.d1), s = r1 * cycle_back(X.d2) + r2 * (X.d0 - cycle(X.d0)) - r * back;
  return (articulated){{P->J.d + r1 * back - r2 * cycle(X.d2), P->J.e + 0.5 * s}, P->M, K};
}

SRS_INLINE articulated articulated_add(const articulated *a, const articulated *b)
{
  return (articulated){s33_add(a->J, b->J), s33_add(a->M, b->M), d33_add(a->K, b->K)};
}

// Stores and loads vector by vector: copies of a struct are made in other pieces, for which loads wait.
SRS_INLINE void store_articulated(articulated *to, const articulated *P)
{
  to->J.d = P->J.d, to->J.e = P->J.e, to->M.d = P->M.d, to->M.e = P->M.e;
  to->K.d0 = P->K.d0, to->K.d1 = P->K.d1, to->K.d2 = P->K.d2;
}

// to += P moved to the origin that lies r behind.
SRS_INLINE void carry_articulated(articulated *to, const articulated *P, v3 r)
{
  const articulated moved = moved_articulated(P, r), sum = articulated_add(to, &moved);
  store_articulated(to, &sum);
}

// Eliminates a hinge about z: of P, and of the force where one is given, it leaves what the parent must bear, at its
// origin, which lies r behind. Returns whether anything resists.
SRS_INLINE bool pass_hinge(articulated *P, v6 *force, v3 z, v3 r, double tau, double extra, bool has_parent, pivot *out)
{
  const v3 z1 = cycle(z), z2 = cycle_back(z);
  const v6 U = {P->J.d * z + P->J.e * z1 + cycle_back(P->J.e) * z2, P->K.d0 * z + P->K.d1 * z1 + P->K.d2 * z2};
  const double D = dot(z, U.ang) + extra;
  if (!resists(D, trace(P->J))) return false;
  const double D_inverse = 1 / D;
  const v6 moved_U = carry_force(U, r), G = v6_scale(-D_inverse, moved_U);
  out->U.ang = U.ang, out->U.lin = U.lin;
  out->G.ang = G.ang, out->G.lin = G.lin;
  out->D_inverse = D_inverse;
  if (force != NULL) {
    const double u = tau - dot(z, force->ang);
    out->u = u;
    *force = v6_add_scaled(carry_force(*force, r), -u, G);
  }
  if (!has_parent) return true;
  const articulated moved = moved_articulated(P, r);
  *P = with_square(&moved, moved_U, G);
  return true;
}

// Eliminates all coordinates of link k's joint from P, the last one first, and moves P to the parent's origin. Where a
// force is given, also eliminates their share u = tau - s . force, and the force becomes what the parent must bear, at
// its origin. Returns the coordinate that nothing resists, or -1, with P as it came.
SRS_INLINE int pass_joint(const srs_workspace *w, int k, articulated *P, v6 *force, const double *tau,
                          const double *extra)
{
  const srs_model *m = w->model;
  const v3 z = w->place[k].axes.z, arm = w->place[k].arm;
  const int first = m->v_index[k];
  const bool has_parent = m->parent[k] >= 0;
  if (turns_only(m, k))
    return pass_hinge(P, force, z, arm, force != NULL ? tau[first] : 0, m->armature[first] + extra[first], has_parent,
                      &w->pivots[first])
               ? -1
               : first;
  articulated left = *P;
  for (int i = m->v_index[k + 1] - 1; i >= first; i--) {
    pivot *out = &w->pivots[i];
    const bool slides = m->kind[k] == SRS_JOINT_PRISMATIC;
    const double resistance = m->armature[i] + extra[i];
    const v6 s = slides ? (v6){v3_zero, z} : joint_column(w, k, i);
    const double u = force != NULL ? tau[i] - v6_dot(s, *force) : 0;
    if (!(slides ? eliminate_linear(&left, z, resistance, out) : eliminate(&left, s, resistance, out))) return i;
    if (force == NULL) continue;
    out->u = u;
    *force = v6_add_scaled(*force, u * out->D_inverse, out->U);
  }
  if (force != NULL) *force = carry_force(*force, arm);
  *P = has_parent ? moved_articulated(&left, arm) : left;
  return -1;
}

static const articulated articulated_zero = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}, {0}}};

// Adds what links carry up, from the tips inward: `passed` is what link k + 1 has left, where link k carries it; of
// others the sum stands in w->articulated[k].
SRS_INLINE articulated gathered(const srs_workspace *w, bool is_far, int k, const articulated *passed, const body *own)
{
  if (w->model->subtree_end[k] == k + 1) return articulated_from_body(own);
  articulated P = *passed;
  const bool more = is_far ? branches_by_bits(w->model, k) : has_branches(w->model, k);
  if (is_far || more) P = articulated_add(&P, chosen(is_far, more, &w->articulated[k], &articulated_zero));
  add_own(&P, own);
  return P;
}

SRS_INLINE void fetch_articulated(const srs_workspace *w, int k)
{
  fetch(&w->articulated[parent_ahead(w->model, k, -AHEAD)], sizeof *w->articulated);
}

// Leaves what link k has passed on in w->articulated of its parent, unless the parent comes next. The last one that it
// carries comes first.
SRS_INLINE void leave_articulated(const srs_workspace *w, bool is_far, int k, const articulated *passed)
{
  const int p = w->model->parent[k];
  if (p < 0 || p == k - 1) return;
  articulated *to = &w->articulated[p];
  const bool is_first = w->model->subtree_end[k] == w->model->subtree_end[p];
  if (!is_far && is_first) {
    store_articulated(to, passed);
    return;
  }
  const articulated sum = articulated_add(chosen(is_far, is_first, &articulated_zero, to), passed);
  store_articulated(to, &sum);
}
