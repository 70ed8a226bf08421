// Derivatives of forward dynamics. From tau = ID(q, v, a) with a = FD(q, v, tau),
//
//   da/dtau = M^-1,   da/dq = -M^-1 dID/dq,   da/dv = -M^-1 dID/dv     (Carpentier & Mansard 2018, eq. 13)

#include "engine/derivatives/outward.h"
#include "engine/derivatives/sweep.h"
#include "engine/derivatives/tree_factor.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/forward_dynamics.h"
#include <sarrus/derivatives.h>

#include <string.h>

static void negate(double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) x[i] = -x[i];
}

// By the factor of M in d->square, from derivatives of inverse dynamics in place.
static srs_status solve(srs_workspace *w, double *da_dq, double *da_dv, double *da_dtau)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const int nv = w->model->nv;
  const size_t n = (size_t)nv;
  srs_tree_factor_solve(nv, d->parent_v, d->square, nv, da_dq);
  srs_tree_factor_solve(nv, d->parent_v, d->square, nv, da_dv);
  negate(da_dq, n * n);
  negate(da_dv, n * n);
  if (da_dtau != NULL) {
    memset(da_dtau, 0, n * n * sizeof *da_dtau);
    for (size_t i = 0; i < n; i++) da_dtau[i * (n + 1)] = 1;
    srs_tree_factor_solve(nv, d->parent_v, d->square, nv, da_dtau);
  }
  srs_status status = SRS_OK;
  for (size_t i = 0; i < n && status == SRS_OK; i++) {
    status = srs_check_coordinates(w, "the acceleration's derivative", da_dq + i * n);
    if (status == SRS_OK) status = srs_check_coordinates(w, "the acceleration's derivative", da_dv + i * n);
    if (status == SRS_OK && da_dtau != NULL)
      status = srs_check_coordinates(w, "the acceleration's derivative", da_dtau + i * n);
  }
  return status;
}

srs_status srs_forward_dynamics_derivatives(srs_workspace *w, const double *q, const double *v, const double *tau,
                                            const double *wrenches, double *a, double *da_dq, double *da_dv,
                                            double *da_dtau)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (da_dq == NULL || da_dv == NULL))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status != SRS_OK) return status;
  struct srs_derivative_memory *d = w->derivatives;
  status = srs_forward_dynamics(w, q, v, tau, wrenches, d->a);
  if (status != SRS_OK) return status;
  if (a != NULL) memcpy(a, d->a, (size_t)m->nv * sizeof *a);
  srs_derivative_prepare(w, q, v, d->a, wrenches);
  srs_derivative_sweep(w, SRS_SWEEP_DERIVATIVES, wrenches != NULL, da_dq, da_dv, d->square);
  for (int i = 0; i < m->nv; i++) d->square[(size_t)i * ((size_t)m->nv + 1)] += m->armature[i];
  const int bad = srs_tree_factor(m->nv, d->parent_v, d->square);
  if (bad >= 0)
    return srs_workspace_fail(w, SRS_ERROR_SINGULAR, m->v_names[bad],
                              "nothing resists %s in this configuration: give what it moves mass or inertia",
                              m->v_names[bad]);
  return solve(w, da_dq, da_dv, da_dtau);
}
