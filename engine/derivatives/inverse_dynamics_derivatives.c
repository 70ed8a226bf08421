// Derivatives of inverse dynamics, and the Coriolis matrix: two readings of one sweep (sweep.h).

#include "engine/derivatives/outward.h"
#include "engine/derivatives/sweep.h"
#include "engine/dynamics/checks.h"
#include <sarrus/derivatives.h>

srs_status srs_inverse_dynamics_derivatives(srs_workspace *w, const double *q, const double *v, const double *a,
                                            const double *wrenches, double *dtau_dq, double *dtau_dv, double *dtau_da)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || a == NULL || dtau_dq == NULL || dtau_dv == NULL))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status == SRS_OK) status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  if (status == SRS_OK) status = srs_check_finite(w, "a", a, m->nv);
  if (status == SRS_OK && wrenches != NULL) status = srs_check_finite(w, "wrenches", wrenches, 6 * m->n_links);
  if (status != SRS_OK) return status;
  srs_derivative_prepare(w, q, v, a, wrenches);
  srs_derivative_sweep(w, SRS_SWEEP_DERIVATIVES, wrenches != NULL, dtau_dq, dtau_dv, dtau_da);
  for (int i = 0; dtau_da != NULL && i < m->nv; i++) dtau_da[(size_t)i * ((size_t)m->nv + 1)] += m->armature[i];
  status = srs_check_rows(w, "the force's derivative", dtau_dq);
  if (status == SRS_OK) status = srs_check_rows(w, "the force's derivative", dtau_dv);
  return status == SRS_OK && dtau_da != NULL ? srs_check_rows(w, "the inertia", dtau_da) : status;
}

srs_status srs_coriolis_matrix(srs_workspace *w, const double *q, const double *v, double *coriolis)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (m->nv > 0 && (q == NULL || v == NULL || coriolis == NULL))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status == SRS_OK) status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  if (status != SRS_OK) return status;
  srs_derivative_prepare(w, q, v, NULL, NULL);
  struct srs_derivative_memory *d = w->derivatives;
  for (int i = 0; i < m->nv; i++) d->rate[i] = v6_add_scaled(d->rate[i], -1, d->psi[i]);
  srs_derivative_sweep(w, SRS_SWEEP_CORIOLIS, false, NULL, coriolis, NULL);
  return srs_check_rows(w, "the Coriolis matrix", coriolis);
}
