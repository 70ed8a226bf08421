// Derivatives of inverse and forward dynamics through embedded loops, and the Coriolis matrix over independent
// coordinates.
//
// With v = X y, a = X dy/dt + drift (motion.c) and r = ID(q, v, a) - tau, the forces that the tree would need beyond
// tau, the independent coordinates need X^T r:
//
//   d X^T r / dq      = (dX/dq)^T r + X^T (ID_q X + ID_v dv_q + M da_q)
//   d X^T r / dy      = X^T (ID_v X + M da_v),      d X^T r / d(dy/dt) = X^T M X = D
//
// Forward dynamics make it zero: d(dy/dt) = -D^-1 of these, da = X d(dy/dt) + da_q or da_v, da/dtau = X D^-1 X^T.
// C_y = X^T (C X + M dX/dt) leaves dD/dt - 2 C_y skew, as C leaves dM/dt - 2 C.

#include "engine/dynamics/checks.h"
#include "engine/embedded/motion.h"
#include <sarrus/derivatives.h>

#include <math.h>
#include <string.h>

static srs_status check(srs_workspace *w, bool has_all, const double *q, const double *v, const double *x,
                        const char *name)
{
  const srs_model *m = w->model;
  if (m->nv > 0 && !has_all) return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status == SRS_OK) status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  if (status == SRS_OK && x != NULL) status = srs_check_finite(w, name, x, m->nv);
  return status;
}

// The derivatives of X^T (ID - tau) at the motion of srs_embedded_move, D into the memory's M; ID itself into `force`.
static srs_status differentiate(srs_workspace *w, const double *q, const double *tau, const double *wrenches,
                                double *dq, double *dv)
{
  srs_embedded_memory *e = &w->derivatives->embedded;
  const int nv = w->model->nv;
  srs_status status = srs_inverse_dynamics_derivatives(w, q, e->v, e->a, wrenches, dq, dv, e->M);
  if (status == SRS_OK) status = srs_inverse_dynamics(w, q, e->v, e->a, wrenches, e->force);
  if (status != SRS_OK) return status;
  srs_times_map(w, nv, dq);
  srs_add_times(w, nv, dv, e->dv_q, 1, dq);
  srs_add_times(w, nv, e->M, e->da_q, 1, dq);
  srs_times_map(w, nv, dv);
  srs_add_times(w, nv, e->M, e->da_v, 1, dv);
  srs_times_map(w, nv, e->M);
  srs_map_times(w, dq);
  srs_map_times(w, dv);
  srs_map_times(w, e->M);
  if (tau != NULL)
    for (int i = 0; i < nv; i++) e->force[i] -= tau[i];
  srs_add_turned_map(w, e->force, dq);
  return SRS_OK;
}

srs_status srs_embedded_inverse_dynamics_derivatives(srs_workspace *w, const double *q, const double *v,
                                                     const double *a, const double *wrenches, double *tau,
                                                     double *dtau_dq, double *dtau_dv, double *dtau_da)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const bool has_all = q != NULL && v != NULL && a != NULL && dtau_dq != NULL && dtau_dv != NULL;
  srs_status status = check(w, has_all, q, v, a, "a");
  if (status == SRS_OK && wrenches != NULL) status = srs_check_finite(w, "wrenches", wrenches, 6 * w->model->n_links);
  if (status != SRS_OK) return status;
  if (w->embedding == NULL) {
    status = srs_inverse_dynamics_derivatives(w, q, v, a, wrenches, dtau_dq, dtau_dv, dtau_da);
    return status == SRS_OK && tau != NULL ? srs_inverse_dynamics(w, q, v, a, wrenches, tau) : status;
  }
  srs_embedded_memory *e = &w->derivatives->embedded;
  const size_t nv = (size_t)w->model->nv;
  status = srs_embedded_move(w, q, v, a);
  if (status == SRS_OK) status = differentiate(w, q, NULL, wrenches, dtau_dq, dtau_dv);
  if (status != SRS_OK) return status;
  for (size_t i = 0; tau != NULL && i < nv; i++) {
    tau[i] = 0;
    for (size_t j = 0; j < nv; j++) tau[i] += e->X[j * nv + i] * e->force[j];
  }
  if (dtau_da != NULL) memcpy(dtau_da, e->M, nv * nv * sizeof *dtau_da);
  status = srs_check_rows(w, "the force's derivative", dtau_dq);
  if (status == SRS_OK) status = srs_check_rows(w, "the force's derivative", dtau_dv);
  return status == SRS_OK && dtau_da != NULL ? srs_check_rows(w, "the inertia", dtau_da) : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Forward dynamics
// ---------------------------------------------------------------------------------------------------------------------

// Cholesky's factor of D, rows first, lower; rows of dependent coordinates are those of the identity.
// @return -1, or the coordinate that nothing resists
static int factor(const srs_workspace *w, double *D)
{
  const int nv = w->model->nv;
  for (int i = 0; i < nv; i++) {
    double *row = D + (size_t)i * (size_t)nv;
    if (!srs_is_independent(w, i)) row[i] = 1;
    for (int j = 0; j <= i; j++) {
      const double *other = D + (size_t)j * (size_t)nv;
      double sum = row[j];
      for (int k = 0; k < j; k++) sum -= row[k] * other[k];
      if (j == i && !(sum > 0)) return i;
      row[j] = j == i ? sqrt(sum) : sum / other[j];
    }
  }
  return -1;
}

static void subtract_row(double *restrict y, double s, const double *restrict x, size_t n)
{
  for (size_t c = 0; c < n; c++) y[c] -= s * x[c];
}

// Z <- factor D^-1 Z, Z of nv x nv.
static void solve(size_t nv, const double *L, double factor, double *Z)
{
  for (size_t i = 0; i < nv; i++) {
    for (size_t k = 0; k < i; k++) subtract_row(Z + i * nv, L[i * nv + k], Z + k * nv, nv);
    for (size_t c = 0; c < nv; c++) Z[i * nv + c] /= L[i * (nv + 1)];
  }
  for (size_t i = nv; i-- > 0;) {
    for (size_t k = i + 1; k < nv; k++) subtract_row(Z + i * nv, L[k * nv + i], Z + k * nv, nv);
    for (size_t c = 0; c < nv; c++) Z[i * nv + c] /= L[i * (nv + 1)];
  }
  for (size_t i = 0; i < nv * nv; i++) Z[i] *= factor;
}

static void add(size_t n, const double *x, double *to)
{
  for (size_t i = 0; i < n; i++) to[i] += x[i];
}

static srs_status accelerate(srs_workspace *w, const double *q, const double *tau, const double *wrenches,
                             double *da_dq, double *da_dv, double *da_dtau)
{
  srs_embedded_memory *e = &w->derivatives->embedded;
  const size_t nv = (size_t)w->model->nv;
  srs_status status = differentiate(w, q, tau, wrenches, da_dq, da_dv);
  if (status != SRS_OK) return status;
  const int bad = factor(w, e->M);
  if (bad >= 0) return srs_workspace_singular(w, bad);
  double *const matrices[] = {da_dq, da_dv};
  for (int i = 0; i < 2; i++) {
    solve(nv, e->M, -1, matrices[i]);
    srs_lift_rows(w, matrices[i]);
    add(nv * nv, i == 0 ? e->da_q : e->da_v, matrices[i]);
  }
  for (size_t i = 0; da_dtau != NULL && i < nv; i++)
    for (size_t j = 0; j < nv; j++) da_dtau[i * nv + j] = e->X[j * nv + i];
  if (da_dtau != NULL) solve(nv, e->M, 1, da_dtau), srs_lift_rows(w, da_dtau);
  return SRS_OK;
}

srs_status srs_embedded_acceleration_derivatives(srs_workspace *w, const double *q, const double *v, const double *tau,
                                                 const double *wrenches, double *a, double *da_dq, double *da_dv,
                                                 double *da_dtau)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  if (w->embedding == NULL) return srs_forward_dynamics_derivatives(w, q, v, tau, wrenches, a, da_dq, da_dv, da_dtau);
  const bool has_all = q != NULL && v != NULL && tau != NULL && da_dq != NULL && da_dv != NULL;
  srs_status status = check(w, has_all, q, v, tau, "tau");
  struct srs_derivative_memory *d = w->derivatives;
  if (status == SRS_OK) status = srs_embedded_acceleration(w, q, v, tau, wrenches, d->a);
  if (status == SRS_OK) status = srs_embedded_move(w, q, v, d->a);
  if (status == SRS_OK) status = accelerate(w, q, tau, wrenches, da_dq, da_dv, da_dtau);
  if (status != SRS_OK) return status;
  if (a != NULL) memcpy(a, d->a, (size_t)w->model->nv * sizeof *a);
  status = srs_check_rows(w, "the acceleration's derivative", da_dq);
  if (status == SRS_OK) status = srs_check_rows(w, "the acceleration's derivative", da_dv);
  return status == SRS_OK && da_dtau != NULL ? srs_check_rows(w, "the acceleration's derivative", da_dtau) : status;
}

srs_status srs_embedded_coriolis_matrix(srs_workspace *w, const double *q, const double *v, double *coriolis)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  if (w->embedding == NULL) return srs_coriolis_matrix(w, q, v, coriolis);
  srs_status status = check(w, q != NULL && v != NULL && coriolis != NULL, q, v, NULL, "");
  if (status == SRS_OK) status = srs_embedded_move(w, q, v, NULL);
  if (status != SRS_OK) return status;
  srs_embedded_memory *e = &w->derivatives->embedded;
  const int nv = w->model->nv;
  status = srs_coriolis_matrix(w, q, e->v, coriolis);
  if (status == SRS_OK) status = srs_mass_matrix(w, q, e->M);
  if (status != SRS_OK) return status;
  srs_times_map(w, nv, coriolis);
  srs_add_times(w, nv, e->M, e->da_v, 1, coriolis); // dX/dt = da_v - dv_q
  srs_add_times(w, nv, e->M, e->dv_q, -1, coriolis);
  srs_map_times(w, coriolis);
  return srs_check_rows(w, "the Coriolis matrix", coriolis);
}
