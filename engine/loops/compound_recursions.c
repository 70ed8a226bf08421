// Forward dynamics with embedded loops: the articulated-body algorithm with compound links.
//
// A compound's links are visited at their joints' places in the sweeps, but none of them is eliminated by itself. With
// S the joints' columns moved to all links that they carry within the compound and P the links' inertias (articulated
// where other links hang on them):
//
//   in    M = S^T P S + armature + extra,  U = A^T P S (A: the move from the base),  V = U X,  D = X^T M X
//         u = X^T (tau - S^T F - M drift);  then on the base  P -= V D^-1 V^T,  F += U drift + V D^-1 u
//   out   dy/dt = D^-1 (u - V^T A_base),  a = X dy/dt + drift, and the links' motions one after the other
//
// So a compound is a joint of n_independent coordinates whose link has several bodies. M costs O(n * depth) within it.
// (MJ sec. 2.4.3; Jain 2011, ch. 15.)

#include "engine/loops/compound_recursions.h"
#include "engine/dynamics/articulated.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

// D = L L^T in place; false where it is singular.
static bool cholesky(size_t n, double *D)
{
  for (size_t j = 0; j < n; j++) {
    double own = D[j * n + j];
    const double size = own;
    for (size_t k = 0; k < j; k++) own -= D[j * n + k] * D[j * n + k];
    if (!(own > SRS_SINGULAR_SHARE * size)) return false;
    D[j * n + j] = sqrt(own);
    for (size_t i = j + 1; i < n; i++) {
      double sum = D[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= D[i * n + k] * D[j * n + k];
      D[i * n + j] = sum / D[j * n + j];
    }
  }
  return true;
}

// x <- (L L^T)^-1 x
static void solve(size_t n, const double *L, double *x)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

// Adds link k to the compound: row and column of M of each of its coordinates, and their forces on the base. P:
// articulated inertia of k and all beyond.
static void enter_link(srs_workspace *w, srs_compound *c, int k, const articulated *P, const double *extra)
{
  const srs_model *m = w->model;
  const int *place = w->embedding->place;
  const size_t n = (size_t)c->n;
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
    const size_t at = (size_t)place[i];
    v6 force = articulated_times(P, joint_column(w, k, i));
    for (int l = k; l != c->base; l = m->parent[l]) {
      for (int j = m->v_index[l]; j < m->v_index[l + 1]; j++) {
        const size_t other = (size_t)place[j];
        c->M[at * n + other] = c->M[other * n + at] = v6_dot(joint_column(w, l, j), force);
      }
      force = carry_force(force, w->place[l].arm);
    }
    c->U[at] = force;
    c->M[at * n + at] += m->armature[i] + extra[i];
  }
}

static void find_shares(const srs_workspace *w, srs_compound *c, int k, v6 force, double sign, const double *tau)
{
  const srs_model *m = w->model;
  for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
    c->share[w->embedding->place[i]] = (tau != NULL ? tau[i] : 0) + sign * v6_dot(joint_column(w, k, i), force);
}

// u = X^T share
static void gather_shares(srs_compound *c)
{
  for (int f = 0; f < c->n_independent; f++) {
    c->u[f] = 0;
    for (int i = 0; i < c->n; i++) c->u[f] += c->X[(size_t)i * (size_t)c->n_independent + (size_t)f] * c->share[i];
  }
}

// V and the factor of D = X^T M X.
static bool reduce(srs_compound *c)
{
  const size_t n = (size_t)c->n, n_independent = (size_t)c->n_independent;
  for (size_t f = 0; f < n_independent; f++) {
    c->V[f] = v6_zero;
    for (size_t i = 0; i < n; i++) c->V[f] = v6_add_scaled(c->V[f], c->X[i * n_independent + f], c->U[i]);
    for (size_t g = 0; g <= f; g++) {
      double sum = 0;
      for (size_t i = 0; i < n; i++) {
        double line = 0;
        for (size_t j = 0; j < n; j++) line += c->M[i * n + j] * c->X[j * n_independent + g];
        sum += c->X[i * n_independent + f] * line;
      }
      c->D[f * n_independent + g] = c->D[g * n_independent + f] = sum;
    }
  }
  return cholesky(n_independent, c->D);
}

// P -= V D^-1 V^T, one column of V L^-T after the other; V becomes V L^-T and is then restored.
static void project_base(const srs_compound *c, articulated *P)
{
  const size_t n = (size_t)c->n_independent;
  for (size_t j = 0; j < n; j++) {
    v6 column = c->V[j];
    for (size_t k = 0; k < j; k++) column = v6_add_scaled(column, -c->D[j * n + k], c->U[k]);
    c->U[j] = v6_scale(1 / c->D[j * n + j], column); // U is no longer needed, and n_independent <= n
    project_out(P, c->U[j], 1);
  }
}

// Called when all links of the compound have been entered: adds the compound's inertia and force to its base.
static bool close_compound(srs_workspace *w, srs_compound *c)
{
  const size_t n = (size_t)c->n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) c->share[i] -= c->M[i * n + j] * c->drift[j];
  gather_shares(c);
  if (!reduce(c)) return false;
  if (c->base < 0) return true;
  v6 *force = &w->force[c->base];
  double *rate = w->embedding->step;
  memcpy(rate, c->u, (size_t)c->n_independent * sizeof *rate);
  solve((size_t)c->n_independent, c->D, rate);
  for (size_t i = 0; i < n; i++) *force = v6_add_scaled(*force, c->drift[i], c->U[i]);
  for (int f = 0; f < c->n_independent; f++) *force = v6_add_scaled(*force, rate[f], c->V[f]);
  project_base(c, &w->articulated[c->base]);
  return true;
}

// Inward pass. Returns the coordinate that nothing resists, or -1.
static int pivots_in(srs_workspace *w, const double *tau, const double *extra)
{
  const srs_model *m = w->model;
  struct srs_embedding *e = w->embedding;
  for (int i = 0; i < e->n_compounds; i++)
    memset(e->compounds[i].M, 0, (size_t)e->compounds[i].n * (size_t)e->compounds[i].n * sizeof(double));
  for (int k = 0; k < m->n_links; k++) w->articulated[k] = articulated_from_body(&w->bodies[k]);
  for (int k = m->n_links - 1; k >= 0; k--) {
    articulated P = w->articulated[k];
    v6 force = w->force[k];
    srs_compound *c = e->of_link[k] < 0 ? NULL : &e->compounds[e->of_link[k]];
    if (c == NULL) {
      const int bad = eliminate_joint(w, k, &P, &force, tau, extra);
      if (bad >= 0) return bad;
    } else {
      enter_link(w, c, k, &P, extra);
      find_shares(w, c, k, force, -1, tau);
    }
    if (m->parent[k] >= 0) {
      carry_articulated(&w->articulated[m->parent[k]], &P, w->place[k].arm);
      w->force[m->parent[k]] = v6_add(w->force[m->parent[k]], carry_force(force, w->place[k].arm));
    }
    if (c != NULL && k == c->first && !close_compound(w, c)) return c->v[c->n_independent > 0 ? c->independent[0] : 0];
  }
  return -1;
}

// Accelerations of the compound's joints into a.
static void move_compound(const srs_workspace *w, srs_compound *c, bool drifts, double *a)
{
  const v6 A = c->base < 0 ? v6_zero : w->acceleration[c->base];
  for (int f = 0; f < c->n_independent; f++) c->u[f] -= v6_dot(c->V[f], A);
  solve((size_t)c->n_independent, c->D, c->u);
  for (int i = 0; i < c->n; i++) {
    double sum = drifts ? c->drift[i] : 0;
    for (int f = 0; f < c->n_independent; f++) sum += c->X[(size_t)i * (size_t)c->n_independent + (size_t)f] * c->u[f];
    a[c->v[i]] = sum;
  }
}

// Outward pass of one tree; tree -1: all.
static void accelerations_out(srs_workspace *w, int tree, bool drifts, double *a)
{
  const srs_model *m = w->model;
  const struct srs_embedding *e = w->embedding;
  for (int k = 0; k < m->n_links; k++) {
    if (tree >= 0 && w->tree[k] != tree) continue;
    const int p = m->parent[k], compound = e->of_link[k];
    v6 A = p < 0 ? v6_zero : carry_motion(w->acceleration[p], w->place[k].arm);
    if (compound >= 0 && k == e->compounds[compound].first) move_compound(w, &e->compounds[compound], drifts, a);
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
      if (compound < 0) a[i] = (w->pivots[i].u - v6_dot(w->pivots[i].U, A)) * w->pivots[i].D_inverse;
      A = v6_add_scaled(A, a[i], joint_column(w, k, i));
    }
    w->acceleration[k] = A;
  }
}

srs_status srs_compound_solve(srs_workspace *w, const double *tau, const double *extra, double *a, int *bad_v)
{
  *bad_v = pivots_in(w, tau, extra);
  if (*bad_v >= 0) return SRS_ERROR_SINGULAR;
  accelerations_out(w, -1, true, a);
  return SRS_OK;
}

static void impulses_in(srs_workspace *w, int tree, v6 *impulse, const double *tau)
{
  const srs_model *m = w->model;
  const struct srs_embedding *e = w->embedding;
  for (int k = m->n_links - 1; k >= 0; k--) {
    if (tree >= 0 && w->tree[k] != tree) continue;
    v6 f = impulse[k];
    srs_compound *c = e->of_link[k] < 0 ? NULL : &e->compounds[e->of_link[k]];
    for (int i = m->v_index[k + 1] - 1; i >= m->v_index[k] && c == NULL; i--) {
      pivot *at = &w->pivots[i];
      at->u = v6_dot(joint_column(w, k, i), f) + (tau != NULL ? tau[i] : 0);
      f = v6_add_scaled(f, -at->u * at->D_inverse, at->U);
    }
    if (c != NULL) find_shares(w, c, k, f, 1, tau);
    if (m->parent[k] >= 0) impulse[m->parent[k]] = v6_add(impulse[m->parent[k]], carry_force(f, w->place[k].arm));
    if (c == NULL || k != c->first) continue;
    gather_shares(c);
    if (c->base < 0) continue;
    memcpy(e->step, c->u, (size_t)c->n_independent * sizeof *e->step);
    solve((size_t)c->n_independent, c->D, e->step);
    for (int g = 0; g < c->n_independent; g++) impulse[c->base] = v6_add_scaled(impulse[c->base], -e->step[g], c->V[g]);
  }
}

void srs_compound_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv)
{
  impulses_in(w, -1, impulse, tau);
  accelerations_out(w, -1, false, dv);
}

void srs_compound_delassus(srs_workspace *w, int tree, const srs_row *rows, int n_rows, double *lambda)
{
  const srs_model *m = w->model;
  struct srs_embedding *e = w->embedding;
  const size_t n = (size_t)n_rows;
  memset(e->v, 0, (size_t)m->nv * sizeof *e->v);
  for (size_t j = 0; j < n; j++) {
    const srs_row *own = &rows[j];
    for (int k = 0; k < m->n_links; k++) e->impulse[k] = v6_zero;
    if (own->link >= 0 && own->coordinate < 0) e->impulse[own->link] = own->force;
    if (own->coordinate >= 0) e->v[own->coordinate] = own->coefficient;
    impulses_in(w, tree, e->impulse, e->v);
    accelerations_out(w, tree, false, e->dv);
    if (own->coordinate >= 0) e->v[own->coordinate] = 0;
    for (size_t i = 0; i <= j; i++) {
      const srs_row *row = &rows[i];
      double entry = 0;
      if (own->link >= 0 && row->link >= 0)
        entry = row->coordinate >= 0 ? row->coefficient * e->dv[row->coordinate]
                                     : v6_dot(row->force, w->acceleration[row->link]);
      lambda[i * n + j] = lambda[j * n + i] = entry;
    }
  }
}
