// How do columns change, and what does each link and all that it carries need?
//
// Outward, with V, A of the body before the column's joint, both about the link's origin (memory.h):
//
//   psi = V x S,  psi2 = A x S + V x psi,  V' = V + S v,  A' = A + S a + psi v,  rate = psi + V' x S
//
// Inward, sums over a link and all that it carries, moved by the arm to the parent's origin: inertia I, momentum p,
// force f = I A + V x* I V, and B, the derivative of a body's velocity terms: with momentum [L; p] = I V and
//
//   2 B m = V x* (I m) - I (V x m) + m x* (I V)
//
// Jacobi's identity leaves of it, with J the moment of inertia, h = mass * centre and S = tr(J) / 2 - J,
//
//   2 B [w'; v'] = 2 [N w'; w' x p],   N w' = -w x S w' + (h . v) w' - v (h . w')
//
// (Echeandia & Wensing 2021 have B; that its columns of translations vanish is why one 3 x 3 matrix and one vector are
// enough.) Moved: N += (arm . p) 1 - p arm^T.

#include "engine/derivatives/outward.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"

// The columns i … i + n - 1, which turn one body together: from the motion before it to the one after it.
SRS_INLINE void one_joint(struct srs_derivative_memory *d, int i, int n, const double *v, const double *a, v6 *V, v6 *A)
{
  v6 V_after = *V, A_after = *A;
  for (int j = i; j < i + n; j++) {
    const v6 S = d->S[j], psi = motion_cross(*V, S);
    d->psi[j] = psi;
    d->psi2[j] = v6_add(motion_cross(*A, S), motion_cross(*V, psi));
    V_after = v6_add_scaled(V_after, v[j], S);
    A_after = v6_add_scaled(A_after, v[j], psi);
    if (a != NULL) A_after = v6_add_scaled(A_after, a[j], S);
  }
  for (int j = i; j < i + n; j++) d->rate[j] = v6_add(d->psi[j], motion_cross(V_after, d->S[j]));
  *V = V_after;
  *A = A_after;
}

SRS_KERNEL static void columns_out(srs_workspace *w, const v3 *ground, const double *v, const double *a)
{
  const srs_model *m = w->model;
  struct srs_derivative_memory *d = w->derivatives;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k], end = m->v_index[k + 1];
    const v3 arm = w->place[k].arm;
    v6 V = p < 0 ? v6_zero : carry_motion(d->velocity[p], arm);
    v6 A = p < 0 ? (v6){v3_zero, *ground} : carry_motion(d->acceleration[p], arm);
    for (int i = m->v_index[k]; i < end; i++) d->S[i] = joint_column(w, k, i);
    for (int i = m->v_index[k]; i < end;) {
      const int n = d->triple[i] ? 3 : 1;
      if (n == 3)
        one_joint(d, i, 3, v, a, &V, &A);
      else
        one_joint(d, i, 1, v, a, &V, &A);
      i += n;
    }
    d->velocity[k] = V;
    d->acceleration[k] = A;
  }
}

// What sums are taken of (memory.h).
typedef struct link_sums {
  body body;
  m3 N;
  v3 p;
  v6 f;
} link_sums;

// N of one body, whose velocity is V.
SRS_INLINE m3 velocity_matrix(const body *b, v6 V)
{
  const m3 I = m3_from_s3(b->inertia);
  const double half = 0.5 * (I.x[0] + I.y[1] + I.z[2]), hv = dot(b->moment, V.lin);
  const v3 x = half * m3_identity.x - I.x, y = half * m3_identity.y - I.y, z = half * m3_identity.z - I.z;
  return (m3){hv * m3_identity.x - cross(V.ang, x) - spread_x(b->moment) * V.lin,
              hv * m3_identity.y - cross(V.ang, y) - spread_y(b->moment) * V.lin,
              hv * m3_identity.z - cross(V.ang, z) - spread_z(b->moment) * V.lin};
}

// Of one link by itself.
SRS_INLINE link_sums own_sums(const srs_workspace *w, int k)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const v6 V = d->velocity[k];
  link_sums s;
  s.body = body_in_world(w->model->inertia + 10 * (size_t)k, w->place[k].axes);
  const v6 momentum = body_momentum(&s.body, V);
  s.N = velocity_matrix(&s.body, V);
  s.p = momentum.lin;
  s.f = v6_add(body_momentum(&s.body, d->acceleration[k]), force_cross(V, momentum));
  return s;
}

SRS_INLINE link_sums sums_moved(const link_sums *s, v3 r)
{
  const double rp = dot(r, s->p);
  const m3 N = {s->N.x + rp * m3_identity.x - spread_x(r) * s->p, s->N.y + rp * m3_identity.y - spread_y(r) * s->p,
                s->N.z + rp * m3_identity.z - spread_z(r) * s->p};
  return (link_sums){moved_body(s->body, r), N, s->p, carry_force(s->f, r)};
}

SRS_INLINE link_sums sums_added(const link_sums *a, const link_sums *b)
{
  body both = a->body;
  add_body(&both, &b->body);
  return (link_sums){both, m3_add(a->N, b->N), a->p + b->p, v6_add(a->f, b->f)};
}

SRS_INLINE link_sums sums_of(const carried *c) { return (link_sums){c->body, c->N, c->p, c->f}; }

// Vector by vector (recursion.h).
SRS_INLINE void store_sums(carried *to, const link_sums *s)
{
  store_body(&to->body, &s->body);
  to->N.x = s->N.x, to->N.y = s->N.y, to->N.z = s->N.z;
  to->p = s->p;
  store_v6(&to->f, s->f);
}

// What a link has moved to its parent stays in the registers where the parent comes next; else it waits there.
SRS_KERNEL static void sums_in(srs_workspace *w)
{
  const srs_model *m = w->model;
  struct srs_derivative_memory *d = w->derivatives;
  link_sums passed = {{s33_zero, v3_zero, 0}, m3_zero, v3_zero, v6_zero};
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int p = m->parent[k];
    link_sums s = own_sums(w, k);
    if (m->subtree_end[k] > k + 1) s = sums_added(&s, &passed);
    if (d->forks[k]) {
      const link_sums others = sums_of(&d->carried[k]);
      s = sums_added(&s, &others);
    }
    store_sums(&d->carried[k], &s);
    if (p < 0) continue;
    passed = sums_moved(&s, w->place[k].arm);
    if (p == k - 1) continue;
    carried *to = &d->carried[p];
    if (m->subtree_end[k] < m->subtree_end[p]) { // not the first of its children
      const link_sums before = sums_of(to);
      passed = sums_added(&passed, &before);
    }
    store_sums(to, &passed);
  }
}

// Sums of external wrenches, and of the lever arms of their forces.
static void wrenches_in(srs_workspace *w, const double *wrenches)
{
  const srs_model *m = w->model;
  struct srs_derivative_memory *d = w->derivatives;
  for (int k = 0; k < m->n_links; k++) {
    d->carried[k].wrench = v6_load(wrenches + 6 * (size_t)k);
    d->carried[k].R = m3_zero;
  }
  for (int k = m->n_links - 1; k >= 0; k--) {
    if (m->parent[k] < 0) continue;
    const carried *c = &d->carried[k];
    carried *to = &d->carried[m->parent[k]];
    const v3 r = w->place[k].arm, F = c->wrench.lin;
    to->R.x += c->R.x + spread_x(F) * r;
    to->R.y += c->R.y + spread_y(F) * r;
    to->R.z += c->R.z + spread_z(F) * r;
    to->wrench = v6_add(to->wrench, carry_force(c->wrench, r));
  }
}

void srs_derivative_columns(srs_workspace *w, const double ground[3], const double *v, const double *a)
{
  const v3 acceleration = v3_load(ground);
  columns_out(w, &acceleration, v, a);
}

void srs_derivative_sums(srs_workspace *w, const double *wrenches)
{
  sums_in(w);
  if (wrenches != NULL) wrenches_in(w, wrenches);
}

void srs_derivative_prepare_placed(srs_workspace *w, const double *v, const double *a, const double *wrenches)
{
  const double ground[3] = {-w->gravity[0], -w->gravity[1], -w->gravity[2]};
  srs_derivative_columns(w, ground, v, a);
  srs_derivative_sums(w, wrenches);
}

void srs_derivative_prepare(srs_workspace *w, const double *q, const double *v, const double *a, const double *wrenches)
{
  srs_place_links(w, q);
  srs_derivative_prepare_placed(w, v, a, wrenches);
}
