// Swing and twist of a ball joint, for its cone and twist limits. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// The swing: the angle in [0, pi] between the axis fixed in the parent and the axis fixed in the child.
/// @param q     the joint's quaternion: of the child in the joint's frame, w first
/// @param axis  unit, the same numbers in both frames; zero: the angle of the whole rotation
/// @param row   out: the angle's rate is row . w, w the child's angular velocity in its own axes. Where the angle is 0
///             or pi there is no derivative: then its rate in one of all directions
double srs_joint_swing(const double *q, v3 axis, v3 *row);

/// The twist: the rotation about that axis that remains after the shortest swing is undone, likewise.
/// @param near  of all angles that differ by whole turns, returns the one nearest to this
double srs_joint_twist(const double *q, v3 axis, double near, v3 *row);
