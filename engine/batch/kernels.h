// A batch's recursions, compiled for four states at a time and for eight. Internal.
//
// Each is called with what has been checked; errors are of results.
#pragma once
#include "topology/base/kernel.h"
#include <sarrus/batch.h>

// Eight need the registers of AVX-512, and a compiler that chooses copies of code (topology/base/kernel.h).
#if defined(SRS_KERNEL_COPIES) || defined(__AVX512F__)
#define SRS_HAS_EIGHT_LANES
#endif

typedef struct srs_batch_kernels {
  int width;            // states at a time
  int most_coordinates; // of mass matrices; those of more are left to four states at a time

  /// Lays out what the batch works in, which is of vectors of that width.  @return bytes, from base or NULL on
  size_t (*lay_out)(srs_batch *batch, char *base);

  srs_status (*forward_kinematics)(srs_batch *batch, int n, const double *q, const int *frames, int n_frames,
                                   double *positions, double *rotations);
  srs_status (*inverse_dynamics)(srs_batch *batch, int n, const double *q, const double *v, const double *a,
                                 double *tau);
  srs_status (*forward_dynamics)(srs_batch *batch, int n, const double *q, const double *v, const double *tau,
                                 double *a);
  srs_status (*mass_matrix)(srs_batch *batch, int n, const double *q, double *matrices);
  srs_status (*step)(srs_batch *batch, int n, double h, double *q, double *v, const double *tau);
} srs_batch_kernels;

extern const srs_batch_kernels srs_batch_four;
#ifdef SRS_HAS_EIGHT_LANES
extern const srs_batch_kernels srs_batch_eight;
#endif

/// As srs_batch_create, of a width that is asked for.
srs_status srs_batch_create_of(const srs_model *model, const srs_batch_kernels *kernels, srs_batch **batch,
                               srs_error *error);

/// The widest for this processor.
const srs_batch_kernels *srs_batch_widest(void);

srs_status srs_batch_places(srs_batch *batch, int n, const double *q, const int *frames, int n_frames,
                            double *positions, double *rotations);
srs_status srs_batch_forces(srs_batch *batch, int n, const double *q, const double *v, const double *a, double *tau);
srs_status srs_batch_accelerations(srs_batch *batch, int n, const double *q, const double *v, const double *tau,
                                   double *a);
srs_status srs_batch_matrices(srs_batch *batch, int n, const double *q, double *matrices);
srs_status srs_batch_steps(srs_batch *batch, int n, double h, double *q, double *v, const double *tau);
