// Derivatives of a frame's velocity and acceleration.
//
// With V, A the spatial velocity and acceleration of the frame's link, all about the frame's origin P (held fixed), and
// the columns of the coordinates on the way to it (memory.h):
//
//   dV/dq_j = S x V + psi,   dA/dq_j = S x A + psi x V + psi2,   dA/dv_j = S x V + rate
//
// P itself moves at u_j = lin S_j, and the classical acceleration is a = lin A + w x v, so that
//
//   dv/dq_j = lin dV + w x u,   da/dq_j = lin dA + alpha x u + dw x v + w x dv/dq_j
//   da/dv_j = lin dA/dv + ang S x v + w x u
//
// and in the frame's own axes, which turn with S, R^T (dx - ang S x x). (Singh, Russell & Wensing 2022.)

#include "engine/derivatives/outward.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include <sarrus/derivatives.h>

#include <string.h>

typedef struct frame_motion {
  m3 axes;
  v6 V, A;    // spatial, about the frame's origin
  v3 a;       // classical acceleration of the origin
  bool local; // whether results are in the frame's axes
} frame_motion;

// The derivative `change` of the value `x`, in the axes asked for, to column j.
SRS_INLINE void put(const frame_motion *f, v6 x, v6 change, v3 turn, size_t nv, int j, double *matrix)
{
  double entries[6];
  if (f->local) {
    const v6 moved = {change.ang - cross(turn, x.ang), change.lin - cross(turn, x.lin)};
    change = (v6){m3_times_back(f->axes, moved.ang), m3_times_back(f->axes, moved.lin)};
  }
  v6_store(entries, change);
  for (size_t r = 0; r < 6; r++) matrix[r * nv + (size_t)j] = entries[r];
}

// Column j, whose link's origin is `arm` behind the frame's.
SRS_INLINE void one_column(const srs_workspace *w, const frame_motion *f, int j, v3 arm, double *velocity_q,
                           double *acceleration_q, double *acceleration_v)
{
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t nv = (size_t)w->model->nv;
  const v6 S = carry_motion(d->S[j], arm), psi = carry_motion(d->psi[j], arm);
  const v3 spin = f->V.ang, v = f->V.lin, u = S.lin;
  v6 dV = v6_add(motion_cross(S, f->V), psi);
  v6 dA = v6_add(v6_add(motion_cross(S, f->A), motion_cross(psi, f->V)), carry_motion(d->psi2[j], arm));
  v6 dA_dv = v6_add(motion_cross(S, f->V), carry_motion(d->rate[j], arm));
  dV.lin += cross(spin, u);
  dA.lin += cross(f->A.ang, u) + cross(dV.ang, v) + cross(spin, dV.lin);
  dA_dv.lin += cross(S.ang, v) + cross(spin, u);
  const v6 a = {f->A.ang, f->a};
  put(f, f->V, dV, S.ang, nv, j, velocity_q);
  if (acceleration_q != NULL) put(f, a, dA, S.ang, nv, j, acceleration_q);
  if (acceleration_v != NULL) put(f, a, dA_dv, v3_zero, nv, j, acceleration_v);
}

static srs_status check(srs_workspace *w, const double *q, const double *v, const double *a, int frame, srs_axes axes,
                        const double *velocity_q)
{
  const srs_model *m = w->model;
  if (frame < 0 || frame >= m->n_frames)
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "frame %d: there are %d", frame, m->n_frames);
  if (!srs_axes_known(axes)) return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "unknown axes");
  if (m->nv > 0 && (q == NULL || v == NULL || velocity_q == NULL))
    return srs_workspace_fail(w, SRS_ERROR_ARGUMENT, "", "a null pointer");
  srs_status status = srs_check_derivative_memory(w);
  if (status == SRS_OK) status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  return status == SRS_OK && a != NULL ? srs_check_finite(w, "a", a, m->nv) : status;
}

static srs_status check_results(srs_workspace *w, int frame, const double *velocity_q, const double *acceleration_q,
                                const double *acceleration_v)
{
  const char *name = w->model->frames[frame].name, *acceleration = "the acceleration's derivative";
  const int n = 6 * w->model->nv;
  srs_status status = srs_check_named(w, "the velocity's derivative", name, velocity_q, n);
  if (status == SRS_OK && acceleration_q != NULL) status = srs_check_named(w, acceleration, name, acceleration_q, n);
  if (status == SRS_OK && acceleration_v != NULL) status = srs_check_named(w, acceleration, name, acceleration_v, n);
  return status;
}

srs_status srs_frame_derivatives(srs_workspace *w, const double *q, const double *v, const double *a, int frame,
                                 srs_axes axes, double *velocity_q, double *acceleration_q, double *acceleration_v)
{
  if (w == NULL) return SRS_ERROR_ARGUMENT;
  const srs_status status = check(w, q, v, a, frame, axes, velocity_q);
  if (status != SRS_OK) return status;
  const srs_model *m = w->model;
  const struct srs_derivative_memory *d = w->derivatives;
  const size_t size = 6 * (size_t)m->nv * sizeof *velocity_q;
  if (m->nv > 0) memset(velocity_q, 0, size);
  if (acceleration_q != NULL) memset(acceleration_q, 0, size);
  if (acceleration_v != NULL) memset(acceleration_v, 0, size);
  srs_place_links(w, q);
  srs_derivative_columns(w, (const double[3]){0, 0, 0}, v, a);
  const int link = m->frame_link[frame];
  if (link < 0) return SRS_OK;
  const m3 axes_of_link = w->place[link].axes;
  v3 arm = m3_times_packed(axes_of_link, &m->frame_offset[frame]);
  const v6 V = carry_motion(d->velocity[link], arm), A = carry_motion(d->acceleration[link], arm);
  const frame_motion f = {m3_times_matrix(axes_of_link, &m->frame_axes[frame]), V, A, A.lin + cross(V.ang, V.lin),
                          axes == SRS_AXES_LOCAL};
  for (int k = link; k >= 0; k = m->parent[k]) {
    for (int j = m->v_index[k]; j < m->v_index[k + 1]; j++)
      one_column(w, &f, j, arm, velocity_q, acceleration_q, acceleration_v);
    arm += w->place[k].arm;
  }
  return check_results(w, frame, velocity_q, acceleration_q, acceleration_v);
}
