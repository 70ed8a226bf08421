// The outward pass of derivatives: columns and their rates, motions, and what each link needs by itself. Internal.
#pragma once
#include "engine/derivatives/memory.h"

/// Fills S, psi, psi2 and rate of all columns, and the links' spatial velocities and accelerations. The links must be
/// placed.
/// @param ground  3, acceleration of the world: minus gravity in dynamics, zero in kinematics
/// @param a       nv, NULL for zeros
void srs_derivative_columns(srs_workspace *w, const double ground[3], const double *v, const double *a);

/// After it: fills `carried` of each link with the sums over all that it carries.
/// @param wrenches  n_links x 6, NULL for none
void srs_derivative_sums(srs_workspace *w, const double *wrenches);

/// Places the links and does both, with gravity.
void srs_derivative_prepare(srs_workspace *w, const double *q, const double *v, const double *a,
                            const double *wrenches);

/// The same where the links are placed already.
void srs_derivative_prepare_placed(srs_workspace *w, const double *v, const double *a, const double *wrenches);

/// A spatial motion crossed with another: the rate of b where its bearer moves at a.
SRS_INLINE v6 motion_cross(v6 a, v6 b) { return (v6){cross(a.ang, b.ang), cross(a.ang, b.lin) + cross(a.lin, b.ang)}; }

/// The rate of a force f whose bearer moves at a.
SRS_INLINE v6 force_cross(v6 a, v6 f) { return (v6){cross(a.ang, f.ang) + cross(a.lin, f.lin), cross(a.ang, f.lin)}; }
