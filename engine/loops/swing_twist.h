// How far is a ball joint swung, and how far twisted? Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// The angle in [0, pi] between an axis as the parent holds it and as the child does.
/// @param q     the joint's quaternion: of the child in the joint's frame, w first
/// @param axis  unit, the same numbers in both frames
/// @param row   out: the angle's rate is row . w, w the child's angular velocity in its own axes. Where the angle is 0
///              or pi, its rate one way of all: there is no derivative
double srs_joint_swing(const double *q, v3 axis, v3 *row);

/// The turn about that axis which is left when the shortest swing is taken back, likewise.
/// @param near  of all angles that differ by whole turns, the nearest to this
double srs_joint_twist(const double *q, v3 axis, double near, v3 *row);
