/// Analytic derivatives of kinematics and dynamics, the Coriolis matrix and the centroidal momentum matrix.
///
/// Derivatives with respect to the configuration are in tangent coordinates: column i is the rate of change when q
/// moves as srs_integrate(model, q, e_i, h, .) does in h, at h = 0. For a joint with numbers alone that is the ordinary
/// derivative; free and spherical joints turn about their link's axes. So every matrix has nv columns, and none is
/// singular where a parametrisation of rotations would be.
///
/// Matrices are rows first. Units are those of the result over those of the coordinate. Contacts are absent and loops
/// open: these are the tree's quantities, as in dynamics.h, but for the last section, which follows embedded loops.
/// Nothing is allocated but by srs_workspace_reserve_derivatives, which must have been called once: the others return
/// SRS_ERROR_ARGUMENT before it, and say so in srs_workspace_error. Further common errors: SRS_ERROR_ARGUMENT (a null
/// pointer, an index out of range), SRS_ERROR_NOT_FINITE (the entry is named), SRS_ERROR_DIVERGED (a result exceeds the
/// finite numbers).
///
/// Sources: Carpentier & Mansard, Analytical derivatives of rigid body dynamics algorithms, RSS 2018; Singh, Russell &
/// Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra, RA-L 2022; Echeandia
/// & Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols, J. Comput. Nonlinear Dyn. 2021.
#pragma once
#include <sarrus/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes the memory that the functions below work in: 70 numbers per coordinate and link, and one matrix of nv x nv;
/// six where the model embeds loops.
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

// ---------------------------------------------------------------------------------------------------------------------
// Through embedded loops: derivatives with respect to the independent coordinates, which carry the dependent ones along
//
// Common to these: q closes the embedded loops (srs_assemble); of v and a the entries of dependent coordinates are
// computed, not read. Column i is the rate of change when the independent coordinate i moves and the dependent ones
// follow; columns of dependent coordinates are zero. Loops that are not embedded stay open. Also SRS_ERROR_UNREACHABLE
// and _MODEL as srs_embedded_acceleration. Without embedded loops they are the functions above.
// ---------------------------------------------------------------------------------------------------------------------

/// How all coordinates move with the independent ones: their rates v = X y, their accelerations
/// a = X dy/dt + dX/dt y, and how these change. dX/dt along v is da_dv - dv_dq. By the loops' equations differentiated
/// twice more (docs/theory.md, section 17). O(n) for each independent coordinate of a loop.
/// @param a      nv; NULL for zeros
/// @param map    nv x nv, out: X, how coordinates move with the independent ones; may be NULL, as the others
/// @param dv_dq  nv x nv, out: of rows of dependent coordinates alone, as the next two
/// @param da_dq  nv x nv, out
/// @param da_dv  nv x nv, out
srs_status srs_embedded_motion_derivatives(srs_workspace *workspace, const double *q, const double *v, const double *a,
                                           double *map, double *dv_dq, double *da_dq, double *da_dv);

/// Inverse dynamics over the independent coordinates, tau = X^T srs_inverse_dynamics(q, v, a, wrenches), and its
/// derivatives. Rows of dependent coordinates are zero.
/// @param wrenches  n_links x 6 as in srs_inverse_dynamics; NULL for none
/// @param tau       nv, out: what the independent coordinates need while nothing acts on the dependent ones; may be
/// NULL
/// @param dtau_dq   nv x nv, out
/// @param dtau_dv   nv x nv, out
/// @param dtau_da   nv x nv, out: X^T M X, symmetric; may be NULL
srs_status srs_embedded_inverse_dynamics_derivatives(srs_workspace *workspace, const double *q, const double *v,
                                                     const double *a, const double *wrenches, double *tau,
                                                     double *dtau_dq, double *dtau_dv, double *dtau_da);

/// Derivatives of a = srs_embedded_acceleration(q, v, tau, wrenches). Rows are those of all coordinates; tau may act on
/// dependent ones, and da_dtau has their columns.
/// @param a        nv, out: the acceleration itself; may be NULL
/// @param da_dq    nv x nv, out
/// @param da_dv    nv x nv, out
/// @param da_dtau  nv x nv, out: X (X^T M X)^-1 X^T, symmetric; may be NULL
/// @return also SRS_ERROR_SINGULAR as srs_embedded_acceleration; outputs are undefined then
srs_status srs_embedded_acceleration_derivatives(srs_workspace *workspace, const double *q, const double *v,
                                                 const double *tau, const double *wrenches, double *a, double *da_dq,
                                                 double *da_dv, double *da_dtau);

/// As srs_frame_derivatives, and the velocity's derivative by v, which is the acceleration's by a.
/// @param a                 nv; NULL for zeros
/// @param dvelocity_dq      6 x nv, out: angular rows first
/// @param dvelocity_dv      6 x nv, out: the frame's Jacobian over the independent coordinates
/// @param dacceleration_dq  6 x nv, out; may be NULL
/// @param dacceleration_dv  6 x nv, out; may be NULL
srs_status srs_embedded_frame_derivatives(srs_workspace *workspace, const double *q, const double *v, const double *a,
                                          int frame, srs_axes axes, double *dvelocity_dq, double *dvelocity_dv,
                                          double *dacceleration_dq, double *dacceleration_dv);

/// The Coriolis matrix over the independent coordinates, C_y = X^T (C X + M dX/dt): dD/dt - 2 C_y is skew-symmetric
/// along v with D = X^T M X, and C_y v is tau at a = 0 without gravity.
/// @param coriolis  nv x nv, out, N m s or N s; rows and columns of dependent coordinates are zero
srs_status srs_embedded_coriolis_matrix(srs_workspace *workspace, const double *q, const double *v, double *coriolis);

/// As srs_centroidal_momentum_matrix, over the independent coordinates: A_G X, its rate along v, and the Jacobian of
/// the mass centre.
srs_status srs_embedded_centroidal_momentum_matrix(srs_workspace *workspace, const double *q, const double *v,
                                                   double *matrix, double *rate, double *jacobian);

#ifdef __cplusplus
}
#endif
