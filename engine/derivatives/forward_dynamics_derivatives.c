// Derivatives of forward dynamics. From tau = ID(q, v, a) with a = FD(q, v, tau),
//
//   da/dtau = M^-1,   da/dq = -M^-1 dID/dq,   da/dv = -M^-1 dID/dv     (Carpentier & Mansard 2018, eq. 13)
//
// by the pivots that forward dynamics leave (articulated_solve.c): M itself is not formed.

#include "engine/derivatives/articulated_solve.h"
#include "engine/derivatives/outward.h"
#include "engine/derivatives/sweep.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/forward_dynamics.h"
#include <sarrus/derivatives.h>

#include <string.h>

static srs_status check_all(srs_workspace *w, const double *da_dq, const double *da_dv, const double *da_dtau)
{
  static const char what[] = "the acceleration's derivative";
  srs_status status = srs_check_rows(w, what, da_dq);
  if (status == SRS_OK) status = srs_check_rows(w, what, da_dv);
  return status == SRS_OK && da_dtau != NULL ? srs_check_rows(w, what, da_dtau) : status;
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
  srs_derivative_prepare_placed(w, v, d->a, wrenches);
  srs_derivative_sweep(w, SRS_SWEEP_DERIVATIVES, wrenches != NULL, da_dq, da_dv, NULL);
  return srs_articulated_solve(w, da_dq, da_dv, da_dtau) ? SRS_OK : check_all(w, da_dq, da_dv, da_dtau);
}
