// The configuration manifold beyond srs_integrate and srs_difference: rates and springs. Internal.
#pragma once
#include "topology/model/joint_kind.h"
#include "topology/model/model.h"

/// srs_integrate of one joint, on its own coordinates.
void srs_integrate_joint(srs_joint_kind kind, const double *q, const double *v, double h, double *q_out);

/// c of the formula below, for theta^2 given.
double srs_logarithm_factor(double square);

/// How a displacement grows: with q(t) = srs_integrate(q0, u(t), 1) moving at the velocity v, du = d/dt u.
///
/// Coordinates that are numbers: du = v. Quaternions, theta = |u|:
///   du = w + u x w / 2 + c u x (u x w),   c = (1 - (theta / 2) cot(theta / 2)) / theta^2
/// Regular for theta < 2 pi. Allocates nothing.
/// @param u, v, du  nv each; du may be v
void srs_tangent_rate(const srs_model *model, const double *u, const double *v, double *du);

/// The force of springs whose energy is sum k_i d_i^2 / 2, with d = srs_difference(q, reference): the negative
/// gradient.
///
/// Coordinates that are numbers: -k d. Quaternions: d is a rotation vector, whose rate is that of srs_tangent_rate, so
/// the torque is the transpose of it applied to -K d: with p = -K d, p - d x p / 2 + c d x (d x p). A torque of -K d
/// alone would create or lose energy wherever the three stiffnesses differ.
/// @param d, stiffness, tau  nv each; tau may be d
void srs_spring_forces(const srs_model *model, const double *d, const double *stiffness, double *tau);

/// tau = stiffness (reference - q) - damping v.  @param tau  nv
void srs_spring_damper_forces(const srs_model *model, const double *q, const double *v, double *tau);
