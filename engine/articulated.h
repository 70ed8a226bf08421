// Articulated-body inertias: P = [J H; H^T M] about a link's origin in world axes, [torque; force] = P [alpha; a].
// Internal.
#pragma once
#include "engine/workspace.h"

// A coordinate counts as unresisted when D is below this share of P's diagonal: some fifty roundings.
#define SRS_SINGULAR_SHARE 1e-14

SRS_INLINE articulated articulated_from_body(const body *b)
{
  const vec3 h = b->moment;
  return (articulated){
      b->inertia, {{0, h.z, -h.y}, {-h.z, 0, h.x}, {h.y, -h.x, 0}}, {b->mass, b->mass, b->mass, 0, 0, 0}};
}

// The force that moving with s takes: P s.
SRS_INLINE spatial articulated_times(const articulated *P, spatial s)
{
  return (spatial){add3(sym3_times(P->J, s.ang), rotate(P->H, s.lin)),
                   add3(rotate_back(P->H, s.ang), sym3_times(P->M, s.lin))};
}

SRS_INLINE sym3 sym3_less_outer(sym3 s, double scale, vec3 a)
{
  const vec3 b = scale3(scale, a);
  return (sym3){s.xx - a.x * b.x, s.yy - a.y * b.y, s.zz - a.z * b.z,
                s.xy - a.x * b.y, s.xz - a.x * b.z, s.yz - a.y * b.z};
}

// P - U U^T / D
SRS_INLINE void project_out(articulated *P, spatial U, double D_inverse)
{
  const vec3 l = scale3(-D_inverse, U.lin);
  P->J = sym3_less_outer(P->J, D_inverse, U.ang);
  P->H.x = add_scaled3(P->H.x, l.x, U.ang);
  P->H.y = add_scaled3(P->H.y, l.y, U.ang);
  P->H.z = add_scaled3(P->H.z, l.z, U.ang);
  P->M = sym3_less_outer(P->M, D_inverse, U.lin);
}

SRS_INLINE bool finish_pivot(articulated *P, spatial U, double D, double size, pivot *out)
{
  if (!(D > SRS_SINGULAR_SHARE * size)) return false;
  out->U = U;
  out->D_inverse = 1 / D;
  project_out(P, U, out->D_inverse);
  return true;
}

SRS_INLINE double trace3(sym3 s) { return s.xx + s.yy + s.zz; }

// s = [z; 0]
SRS_INLINE bool eliminate_angular(articulated *P, vec3 z, double extra, pivot *out)
{
  const spatial U = {sym3_times(P->J, z), rotate_back(P->H, z)};
  return finish_pivot(P, U, dot3(z, U.ang) + extra, trace3(P->J), out);
}

// s = [0; z]
SRS_INLINE bool eliminate_linear(articulated *P, vec3 z, double extra, pivot *out)
{
  const spatial U = {rotate(P->H, z), sym3_times(P->M, z)};
  return finish_pivot(P, U, dot3(z, U.lin) + extra, trace3(P->M), out);
}

SRS_INLINE bool eliminate(articulated *P, spatial s, double extra, pivot *out)
{
  const spatial U = articulated_times(P, s);
  const double size = trace3(P->J) * dot3(s.ang, s.ang) + trace3(P->M) * dot3(s.lin, s.lin);
  return finish_pivot(P, U, dot6(s, U) + extra, size, out);
}

// to += P moved to the origin that lies r behind.
SRS_INLINE void carry_articulated(articulated *to, const articulated *P, vec3 r)
{
  // G = H + [r] M; its columns are those of H plus r x the columns of M.
  const sym3 M = P->M;
  const mat3 H = P->H;
  const mat3 G = {add3(H.x, cross3(r, (vec3){M.xx, M.xy, M.xz})), add3(H.y, cross3(r, (vec3){M.xy, M.yy, M.yz})),
                  add3(H.z, cross3(r, (vec3){M.xz, M.yz, M.zz}))};
  // [r] G^T + ([r] H^T)^T; entry ij of [r] X^T is (r x row j of X)_i, so the row vectors of G and H are needed.
  const vec3 gx = {G.x.x, G.y.x, G.z.x}, gy = {G.x.y, G.y.y, G.z.y}, gz = {G.x.z, G.y.z, G.z.z};
  const vec3 hx = {H.x.x, H.y.x, H.z.x}, hy = {H.x.y, H.y.y, H.z.y};
  to->J.xx += P->J.xx + (r.y * gx.z - r.z * gx.y) + (r.y * hx.z - r.z * hx.y);
  to->J.xy += P->J.xy + (r.y * gy.z - r.z * gy.y) + (r.z * hx.x - r.x * hx.z);
  to->J.xz += P->J.xz + (r.y * gz.z - r.z * gz.y) + (r.x * hx.y - r.y * hx.x);
  to->J.yy += P->J.yy + (r.z * gy.x - r.x * gy.z) + (r.z * hy.x - r.x * hy.z);
  to->J.yz += P->J.yz + (r.z * gz.x - r.x * gz.z) + (r.x * hy.y - r.y * hy.x);
  to->J.zz += P->J.zz + (r.x * gz.y - r.y * gz.x) + (r.x * H.y.z - r.y * H.x.z);
  to->H = (mat3){add3(to->H.x, G.x), add3(to->H.y, G.y), add3(to->H.z, G.z)};
  to->M = sym3_add(to->M, M);
}

// Takes all coordinates of link k's hinge out of P, the last one first; where force is given, also their share u of
// tau - s . force, so that force becomes what the parent must still bear. Returns the coordinate that nothing resists,
// or -1.
SRS_INLINE int eliminate_hinge(const srs_workspace *w, int k, articulated *P, spatial *force, const double *tau,
                               const double *extra)
{
  const srs_model *m = w->model;
  const vec3 z = w->place[k].axes.z;
  const int first = m->v_index[k];
  for (int i = m->v_index[k + 1] - 1; i >= first; i--) {
    pivot *out = &w->pivots[i];
    const double resistance = m->armature[i] + extra[i];
    double u = 0;
    bool resists;
    switch ((srs_hinge_kind)m->kind[k]) {
    case SRS_HINGE_REVOLUTE:
    case SRS_HINGE_CONTINUOUS:
      if (force != NULL) u = tau[i] - dot3(z, force->ang);
      resists = eliminate_angular(P, z, resistance, out);
      break;
    case SRS_HINGE_PRISMATIC:
      if (force != NULL) u = tau[i] - dot3(z, force->lin);
      resists = eliminate_linear(P, z, resistance, out);
      break;
    case SRS_HINGE_HELICAL:
    case SRS_HINGE_CYLINDRICAL:
    case SRS_HINGE_UNIVERSAL:
    case SRS_HINGE_SPHERICAL:
    case SRS_HINGE_PLANAR:
    case SRS_HINGE_FREE:
    case SRS_HINGE_FIXED:
    default: {
      const spatial s = hinge_column(w, k, i);
      if (force != NULL) u = tau[i] - dot6(s, *force);
      resists = eliminate(P, s, resistance, out);
      break;
    }
    }
    if (!resists) return i;
    if (force == NULL) continue;
    out->u = u;
    *force = add_scaled6(*force, u * out->D_inverse, out->U);
  }
  return -1;
}
