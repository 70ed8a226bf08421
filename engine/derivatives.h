/// Analytic derivatives of kinematics and dynamics, the Coriolis matrix and the centroidal momentum matrix.
///
/// Derivatives with respect to the configuration are in tangent coordinates: column i is the rate of change when q
/// moves as srs_integrate(model, q, e_i, h, .) does in h, at h = 0. For a joint with numbers alone that is the ordinary
/// derivative; free and spherical joints turn about their link's axes. So every matrix has nv columns, and none is
/// singular where a parametrisation of rotations would be.
///
/// Matrices are rows first. Units are those of the result over those of the coordinate. Loops are open and contacts
/// absent: these are the tree's quantities, as in dynamics.h. Nothing is allocated but by
/// srs_workspace_reserve_derivatives, which must have been called once: the others return SRS_ERROR_ARGUMENT before it,
/// and say so in srs_workspace_error. Further common errors: SRS_ERROR_ARGUMENT (a null pointer, an index out of
/// range), SRS_ERROR_NOT_FINITE (the entry is named), SRS_ERROR_DIVERGED (a result exceeds the finite numbers).
///
/// Sources: Carpentier & Mansard, Analytical derivatives of rigid body dynamics algorithms, RSS 2018; Singh, Russell &
/// Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra, RA-L 2022; Echeandia
/// & Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols, J. Comput. Nonlinear Dyn. 2021.
#pragma once
#include <sarrus/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes the memory that the functions below work in: 70 numbers per coordinate and link, and one matrix of nv x nv.
/// Called again it does nothing. Allocates.
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _MEMORY
srs_status srs_workspace_reserve_derivatives(srs_workspace *workspace);

/// Derivatives of tau = srs_inverse_dynamics(q, v, a, wrenches), O(n * depth). The wrenches keep their components along
/// the world's axes and act at the links' origins, which move with q.
/// @param q, v, a   nq, nv, nv
/// @param wrenches  n_links x 6 as in srs_inverse_dynamics; NULL for none
/// @param dtau_dq   nv x nv, out: row i has the derivatives of tau_i
/// @param dtau_dv   nv x nv, out
/// @param dtau_da   nv x nv, out: the mass matrix, both triangles; may be NULL
srs_status srs_inverse_dynamics_derivatives(srs_workspace *workspace, const double *q, const double *v, const double *a,
                                            const double *wrenches, double *dtau_dq, double *dtau_dv, double *dtau_da);

/// Derivatives of a = srs_forward_dynamics(q, v, tau, wrenches), by those of inverse dynamics at a and the factor
/// M = L^T L of the mass matrix, which has no more entries than the tree has pairs of ancestors.
/// @param tau      nv
/// @param a        nv, out: the acceleration itself; may be NULL
/// @param da_dq    nv x nv, out
/// @param da_dv    nv x nv, out
/// @param da_dtau  nv x nv, out: the inverse of the mass matrix, symmetric; may be NULL
/// @return also SRS_ERROR_SINGULAR as srs_forward_dynamics; outputs are undefined then
srs_status srs_forward_dynamics_derivatives(srs_workspace *workspace, const double *q, const double *v,
                                            const double *tau, const double *wrenches, double *a, double *da_dq,
                                            double *da_dv, double *da_dtau);

/// Derivatives of a frame's velocity and classical acceleration, as srs_frame_velocity and srs_frame_acceleration give
/// them at (q, v, a), O(depth + n). By v the velocity's derivative is srs_frame_jacobian, and so is the acceleration's
/// by a.
/// @param frame            index of the frame
/// @param axes             of the velocity and acceleration; local ones turn with the frame, and that is counted
/// @param a                nv; may be NULL where dacceleration_dq is, for zeros
/// @param dvelocity_dq     6 x nv, out: angular rows first
/// @param dacceleration_dq 6 x nv, out; may be NULL
/// @param dacceleration_dv 6 x nv, out; may be NULL
srs_status srs_frame_derivatives(srs_workspace *workspace, const double *q, const double *v, const double *a, int frame,
                                 srs_axes axes, double *dvelocity_dq, double *dacceleration_dq,
                                 double *dacceleration_dv);

/// The Coriolis matrix of the Christoffel symbols: C v = srs_bias(q, v) without gravity, and dM/dt - 2 C is
/// skew-symmetric along v. O(n * depth).
/// @param coriolis  nv x nv, out, N m s or N s
srs_status srs_coriolis_matrix(srs_workspace *workspace, const double *q, const double *v, double *coriolis);

/// The centroidal momentum matrix A_G, with [angular momentum about the mass centre; linear momentum] = A_G v in world
/// axes, its rate along v, and the Jacobian of the mass centre. O(n). (Orin, Goswami & Lee, Auton. Robots 2013.)
/// @param v         nv; may be NULL where rate is
/// @param matrix    6 x nv, out, kg m^2 and kg m, kg: angular rows first
/// @param rate      6 x nv, out: dA_G/dt; may be NULL
/// @param jacobian  3 x nv, out: of the mass centre's position; its velocity is jacobian v; may be NULL
srs_status srs_centroidal_momentum_matrix(srs_workspace *workspace, const double *q, const double *v, double *matrix,
                                          double *rate, double *jacobian);

#ifdef __cplusplus
}
#endif
