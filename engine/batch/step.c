// One step of semi-implicit Euler for several states (batch.h has the equations).

#include "engine/batch/batch.h"
#include "engine/batch/kernels.h"
#include "engine/batch/solve.h"
#include "engine/batch/states.h"

#include <math.h>

// v+ = v + h a, in lanes.
SRS_KERNEL static void end_velocities(srs_batch *b, double h)
{
  for (int i = 0; i < b->model->nv; i++) b->v[i] += h * b->a[i];
}

static void brake(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int i = 0; m->has_damping && i < m->nv; i++) b->tau[i] -= m->damping[i] * b->v[i];
}

srs_status srs_batch_steps(srs_batch *b, int n, double h, double *q, double *v, const double *tau)
{
  const srs_model *m = b->model;
  for (int i = 0; i < m->nv; i++) b->extra[i] = h * m->damping[i];
  bool finite = true;
  for (int first = 0; first < n; first += LANES) {
    srs_batch_load_q(b, n, first, q);
    srs_batch_load(n, first, m->nv, v, b->v);
    if (tau != NULL) srs_batch_load(n, first, m->nv, tau, b->tau);
    for (int i = 0; tau == NULL && i < m->nv; i++) b->tau[i] = (lanes){0};
    brake(b);
    if (srs_batch_solve(b, b->v, b->extra) != 0) return srs_batch_singular(b, first);
    end_velocities(b, h);
    finite &= srs_batch_store(n, first, m->nv, b->v, v);
  }
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
  for (size_t k = 0; k < (size_t)n; k++) srs_integrate(m, q + k * nq, v + k * nv, h, q + k * nq);
  const srs_status status = finite ? SRS_OK : srs_batch_check_result(b, n, "the velocity", v, m->nv);
  return status == SRS_OK ? srs_batch_check_result(b, n, "the position", q, m->nq) : status;
}
