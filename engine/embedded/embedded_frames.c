// Derivatives of motions through embedded loops: of all coordinates, of frames, of the centroidal momentum.
//
// A quantity z(q, v, a) of the tree changes with the independent coordinates by the chain rule (motion.h):
//
//   dz/dq = z_q X + z_v dv_q + z_a da_q,   dz/dv = z_v X + z_a da_v,   dz/da = z_a X

#include "engine/dynamics/checks.h"
#include "engine/embedded/motion.h"
#include <sarrus/derivatives.h>

#include <string.h>

static srs_status check(srs_workspace *w, bool has_all, const double *q, const double *v, const double *a)
{
  const srs_model *m = w->model;
  if (m->nv > 0 && !has_all) return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status == SRS_OK) status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK && v != NULL) status = srs_check_finite(w, "v", v, m->nv);
  if (status == SRS_OK && a != NULL) status = srs_check_finite(w, "a", a, m->nv);
  return status;
}

srs_status srs_embedded_motion_derivatives(srs_workspace *w, const double *q, const double *v, const double *a,
                                           double *map, double *dv_dq, double *da_dq, double *da_dv)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  srs_status status = check(w, q != NULL && v != NULL, q, v, a);
  if (status != SRS_OK) return status;
  const size_t nv = (size_t)w->model->nv;
  double *const outputs[] = {map, dv_dq, da_dq, da_dv};
  if (w->embedding == NULL) {
    for (size_t i = 0; i < 4; i++)
      if (outputs[i] != NULL && nv > 0) memset(outputs[i], 0, nv * nv * sizeof *outputs[i]);
    for (size_t i = 0; map != NULL && i < nv; i++) map[i * (nv + 1)] = 1;
    return SRS_OK;
  }
  status = srs_embedded_move(w, q, v, a);
  const srs_embedded_memory *e = &w->derivatives->embedded;
  const double *const inputs[] = {e->X, e->dv_q, e->da_q, e->da_v};
  for (size_t i = 0; i < 4 && status == SRS_OK; i++) {
    if (outputs[i] == NULL) continue;
    memcpy(outputs[i], inputs[i], nv * nv * sizeof *outputs[i]);
    status = srs_check_whole(w, "the loops' derivative", outputs[i], (int)(nv * nv));
  }
  return status;
}

srs_status srs_embedded_frame_derivatives(srs_workspace *w, const double *q, const double *v, const double *a,
                                          int frame, srs_axes axes, double *dvelocity_dq, double *dvelocity_dv,
                                          double *dacceleration_dq, double *dacceleration_dv)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_model *m = w->model;
  if (frame < 0 || frame >= m->n_frames)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "frame %d: there are %d", frame, m->n_frames);
  srs_status status = check(w, q != NULL && v != NULL && dvelocity_dq != NULL && dvelocity_dv != NULL, q, v, a);
  if (status != SRS_OK) return status;
  const bool is_embedded = w->embedding != NULL;
  if (is_embedded) status = srs_embedded_move(w, q, v, a);
  if (status != SRS_OK) return status;
  srs_embedded_memory *e = &w->derivatives->embedded;
  const size_t size = 6 * (size_t)m->nv;
  double *of_q = dacceleration_dq, *of_v = is_embedded ? e->rows : dacceleration_dv;
  status = srs_frame_derivatives(w, q, is_embedded ? e->v : v, is_embedded ? e->a : a, frame, axes, dvelocity_dq, of_q,
                                 of_v);
  if (status == SRS_OK) status = srs_forward_kinematics(w, q);
  if (status == SRS_OK) status = srs_frame_jacobian(w, frame, axes, dvelocity_dv);
  if (status != SRS_OK || !is_embedded) return status;
  srs_times_map(w, 6, dvelocity_dq);
  srs_add_times(w, 6, dvelocity_dv, e->dv_q, 1, dvelocity_dq);
  if (of_q != NULL) {
    srs_times_map(w, 6, of_q);
    srs_add_times(w, 6, of_v, e->dv_q, 1, of_q);
    srs_add_times(w, 6, dvelocity_dv, e->da_q, 1, of_q);
  }
  if (dacceleration_dv != NULL) {
    memcpy(dacceleration_dv, of_v, size * sizeof *of_v);
    srs_times_map(w, 6, dacceleration_dv);
    srs_add_times(w, 6, dvelocity_dv, e->da_v, 1, dacceleration_dv);
  }
  srs_times_map(w, 6, dvelocity_dv);
  double *const results[] = {dvelocity_dq, dvelocity_dv, dacceleration_dq, dacceleration_dv};
  for (size_t i = 0; i < 4 && status == SRS_OK; i++)
    if (results[i] != NULL)
      status = srs_check_named(w, "the motion's derivative", m->frames[frame].name, results[i], (int)size);
  return status;
}

srs_status srs_embedded_centroidal_momentum_matrix(srs_workspace *w, const double *q, const double *v, double *matrix,
                                                   double *rate, double *jacobian)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  if (w->embedding == NULL) return srs_centroidal_momentum_matrix(w, q, v, matrix, rate, jacobian);
  srs_status status = check(w, q != NULL && matrix != NULL && (v != NULL || rate == NULL), q, v, NULL);
  if (status == SRS_OK) status = srs_embedded_move(w, q, v != NULL ? v : w->zero_v, NULL);
  if (status != SRS_OK) return status;
  const srs_embedded_memory *e = &w->derivatives->embedded;
  const int n = 6 * w->model->nv;
  status = srs_centroidal_momentum_matrix(w, q, e->v, matrix, rate, jacobian);
  if (status != SRS_OK) return status;
  if (rate != NULL) {
    srs_times_map(w, 6, rate);
    srs_add_times(w, 6, matrix, e->da_v, 1, rate); // dX/dt = da_v - dv_q
    srs_add_times(w, 6, matrix, e->dv_q, -1, rate);
  }
  srs_times_map(w, 6, matrix);
  if (jacobian != NULL) srs_times_map(w, 3, jacobian);
  status = srs_check_whole(w, "the momentum matrix", matrix, n);
  if (status == SRS_OK && rate != NULL) status = srs_check_whole(w, "the momentum matrix's rate", rate, n);
  if (status == SRS_OK && jacobian != NULL) status = srs_check_whole(w, "the mass centre's Jacobian", jacobian, n / 2);
  return status;
}
