/// One model at many states: the recursions of dynamics.h for several states at a time, side by side in vector lanes.
///
/// Arrays of states are as a caller has them: n x nq and n x nv, a state after the other; n is any number. Results are
/// those of dynamics.h to rounding (1e-13 of the largest entry), not to the bit: the recursions run in the links' axes,
/// where a state alone takes the world's. They do not depend on which states stand beside each other.
///
/// A batch serves one thread at a time; threads that share a model have a batch each. Only srs_batch_create allocates.
/// Common errors: SRS_ERROR_ARGUMENT (a null pointer, a negative count), SRS_ERROR_NOT_FINITE (the state and the entry
/// are named), SRS_ERROR_DIVERGED (a result of a state exceeds the finite numbers). srs_batch_error has the message.
/// Loops are open, contacts absent.
#pragma once
#include <sarrus/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct srs_batch srs_batch;

/// Allocates.
/// @param model  must outlive the batch
/// @param batch  out, freed by srs_batch_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _MEMORY
srs_status srs_batch_create(const srs_model *model, srs_batch **batch, srs_error *error);
void srs_batch_destroy(srs_batch *batch);
const srs_model *srs_batch_model(const srs_batch *batch);

/// Details of the last failed call on this batch.
const srs_error *srs_batch_error(const srs_batch *batch);

/// How many states are computed at a time: eight where the processor has AVX-512 and the library has copies of code to
/// choose from (docs/build.md), else four.
int srs_batch_width(const srs_batch *batch);

/// Sets gravity.  @param gravity  3, m/s^2, world axes. Default (0, 0, -9.81)
srs_status srs_batch_set_gravity(srs_batch *batch, const double gravity[3]);

/// Places of frames.
/// @param q          n x nq
/// @param frames     n_frames indices of frames
/// @param positions  n x n_frames x 3, out, m, world axes; may be NULL
/// @param rotations  n x n_frames x 9, out, rows first: the frame's axes are the columns; may be NULL
srs_status srs_batch_forward_kinematics(srs_batch *batch, int n, const double *q, const int *frames, int n_frames,
                                        double *positions, double *rotations);

/// tau = M(q) a + c(q, v), as srs_inverse_dynamics without wrenches.
/// @param q, v, a  n x nq, n x nv, n x nv; a may be NULL for zeros (the bias)
/// @param tau      n x nv, out, N m or N
srs_status srs_batch_inverse_dynamics(srs_batch *batch, int n, const double *q, const double *v, const double *a,
                                      double *tau);

/// a = M(q)^-1 (tau - c(q, v)), as srs_forward_dynamics without wrenches.
/// @param tau  n x nv; NULL for zeros
/// @param a    n x nv, out
/// @return also SRS_ERROR_SINGULAR where nothing resists a joint at some state; outputs are undefined then
srs_status srs_batch_forward_dynamics(srs_batch *batch, int n, const double *q, const double *v, const double *tau,
                                      double *a);

/// The mass matrices, armature included.  @param matrices  n x nv x nv, out, both triangles
srs_status srs_batch_mass_matrix(srs_batch *batch, int n, const double *q, double *matrices);

/// One step of semi-implicit Euler without contacts, limits and loops, its velocity terms at the step's start:
///
///   (M + h D) (v+ - v) = h (tau - c(q, v) - D v),   q+ = integrate(q, v+, h)
///
/// with D the joints' damping. That is a simulation's step with the options velocity_terms = start and keep_momentum =
/// false, where no joint has springs, dry friction or limits that are met.
/// @param h     s, positive
/// @param q, v  n x nq, n x nv, in and out
/// @param tau   n x nv; NULL for zeros
/// @return as srs_batch_forward_dynamics; states are undefined on failure
srs_status srs_batch_step(srs_batch *batch, int n, double h, double *q, double *v, const double *tau);

#ifdef __cplusplus
}
#endif
