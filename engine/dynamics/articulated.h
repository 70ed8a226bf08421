// Articulated-body inertias P = [J K^T; K M] about a link's origin in world axes, [torque; force] = P [alpha; a]:
// products, elimination of joint coordinates, and moves to the parent's origin. Internal.
//
// Moved to the origin that lies r behind (torque + r x force there; a = a' + alpha x r): M' = M,  K' = K - M [r],
// J' = J + S + S^T with S = [r] (K + K') / 2.
#pragma once
#include "engine/dynamics/recursion.h"
#include "engine/dynamics/workspace.h"

// A coordinate counts as unresisted when D is below this share of P's diagonal, about fifty roundings. Here joint axes
// point in any direction, so a smaller D is rounding, even where building accepted the joint
// (topology/checks/mobility.h tests it in the joint's own axes).
#define SRS_SINGULAR_SHARE 1e-14

SRS_INLINE articulated articulated_from_body(const body *b)
{
  const v3 h = b->moment;
  const double m = b->mass;
  return (articulated){b->inertia,
                       {{0, -h[2], h[1], 0}, {h[2], 0, -h[0], 0}, {-h[1], h[0], 0, 0}},
                       {{m, 0, 0, 0}, {0, m, 0, 0}, {0, 0, m, 0}}};
}

// P s: the force that a unit acceleration along s takes.
SRS_INLINE v6 articulated_times(const articulated *P, v6 s)
{
  return (v6){m3_times(P->J, s.ang) + m3_times_back(P->K, s.lin), m3_times(P->K, s.ang) + m3_times(P->M, s.lin)};
}

// P - U U^T / D
SRS_INLINE void project_out(articulated *P, v6 U, double D_inverse)
{
  const v3 n = -D_inverse * U.ang, f = -D_inverse * U.lin;
  const lanes n_x = spread_x(n), n_y = spread_y(n), n_z = spread_z(n);
  P->J = (m3){P->J.x + n_x * U.ang, P->J.y + n_y * U.ang, P->J.z + n_z * U.ang};
  P->K = (m3){P->K.x + n_x * U.lin, P->K.y + n_y * U.lin, P->K.z + n_z * U.lin};
  P->M = (m3){P->M.x + spread_x(f) * U.lin, P->M.y + spread_y(f) * U.lin, P->M.z + spread_z(f) * U.lin};
}

SRS_INLINE bool finish_pivot(articulated *P, v6 U, double D, double size, pivot *out)
{
  if (!(D > SRS_SINGULAR_SHARE * size)) return false;
  out->U = U;
  out->D_inverse = 1 / D;
  project_out(P, U, out->D_inverse);
  return true;
}

SRS_INLINE double trace(m3 s) { return s.x[0] + s.y[1] + s.z[2]; }

// s = [z; 0]
SRS_INLINE bool eliminate_angular(articulated *P, v3 z, double extra, pivot *out)
{
  const v6 U = {m3_times(P->J, z), m3_times(P->K, z)};
  return finish_pivot(P, U, dot(z, U.ang) + extra, trace(P->J), out);
}

// s = [0; z]
SRS_INLINE bool eliminate_linear(articulated *P, v3 z, double extra, pivot *out)
{
  const v6 U = {m3_times_back(P->K, z), m3_times(P->M, z)};
  return finish_pivot(P, U, dot(z, U.lin) + extra, trace(P->M), out);
}

SRS_INLINE bool eliminate(articulated *P, v6 s, double extra, pivot *out)
{
  const v6 U = articulated_times(P, s);
  const double size = trace(P->J) * dot(s.ang, s.ang) + trace(P->M) * dot(s.lin, s.lin);
  return finish_pivot(P, U, v6_dot(s, U) + extra, size, out);
}

// to += P moved to the origin that lies r behind.
SRS_INLINE void carry_articulated(articulated *to, const articulated *P, v3 r)
{
  const lanes x = spread_x(r), y = spread_y(r), z = spread_z(r);
  const m3 K = {P->K.x - z * P->M.y + y * P->M.z, P->K.y + z * P->M.x - x * P->M.z, P->K.z - y * P->M.x + x * P->M.y};
  const v3 half = 0.5 * r;
  const m3 S = {cross(half, P->K.x + K.x), cross(half, P->K.y + K.y), cross(half, P->K.z + K.z)};
  to->J = m3_add(to->J, m3_add(P->J, m3_add(S, m3_transpose(S))));
  to->K = m3_add(to->K, K);
  to->M = m3_add(to->M, P->M);
}

// Eliminates all coordinates of link k's joint from P, the last one first. Where a force is given, also eliminates
// their share u = tau - s . force, so that force becomes what the parent must bear. Returns the coordinate that nothing
// resists, or -1.
SRS_INLINE int eliminate_joint(const srs_workspace *w, int k, articulated *P, v6 *force, const double *tau,
                               const double *extra)
{
  const srs_model *m = w->model;
  const v3 z = w->place[k].axes.z;
  const int first = m->v_index[k];
  for (int i = m->v_index[k + 1] - 1; i >= first; i--) {
    pivot *out = &w->pivots[i];
    const double resistance = m->armature[i] + extra[i];
    double u = 0;
    bool resists;
    switch ((srs_joint_kind)m->kind[k]) {
    case SRS_JOINT_REVOLUTE:
    case SRS_JOINT_CONTINUOUS:
      if (force != NULL) u = tau[i] - dot(z, force->ang);
      resists = eliminate_angular(P, z, resistance, out);
      break;
    case SRS_JOINT_PRISMATIC:
      if (force != NULL) u = tau[i] - dot(z, force->lin);
      resists = eliminate_linear(P, z, resistance, out);
      break;
    default: {
      const v6 s = joint_column(w, k, i);
      if (force != NULL) u = tau[i] - v6_dot(s, *force);
      resists = eliminate(P, s, resistance, out);
      break;
    }
    }
    if (!resists) return i;
    if (force == NULL) continue;
    out->u = u;
    *force = v6_add_scaled(*force, u * out->D_inverse, out->U);
  }
  return -1;
}

// Adds P of link k, its joint eliminated, to its parent's sum. The parent's children come from the last one, which
// finds `own`, the parent's own inertia, to the first one, the link behind the parent, which leaves the sum in `next`:
// the parent's turn is then. Until that the sum waits in w->articulated.
SRS_INLINE void add_to_parent(const srs_workspace *w, int k, const articulated *P, const body *own, articulated *next)
{
  const srs_model *m = w->model;
  const int p = m->parent[k];
  const bool is_last = m->subtree_end[k] == m->subtree_end[p];
  articulated sum = is_last ? articulated_from_body(own) : w->articulated[p];
  carry_articulated(&sum, P, w->place[k].arm);
  *(p == k - 1 ? next : &w->articulated[p]) = sum;
}
