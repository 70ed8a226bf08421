// Checks of one link, joint or shape by itself. Internal.
#pragma once
#include "topology/base/errors.h"
#include <sarrus/topology.h>

/// What they clean (unit axes, exact rotations, unit quaternions) is written back.
srs_status srs_check_link(srs_link_def *def, srs_place place, srs_error *error);
srs_status srs_check_joint(srs_joint_def *def, srs_place place, srs_error *error);
srs_status srs_check_shape(srs_shape_def *def, srs_place place, srs_error *error);

/// Whether a placement is finite and its rotation one, to 1e-6; it is then made exact.
/// @param name  NULL where `what` names it already
srs_status srs_check_pose(srs_pose *pose, const char *what, const char *name, srs_place place, srs_error *error);

/// Unit length, exactly where the axis is a coordinate axis. @return false, untouched, when it is shorter than 1e-9
bool srs_clean_axis(double axis[3]);

/// Unit length, untouched where it is that to rounding. @return false, untouched, when it is shorter than 1e-9
bool srs_clean_quaternion(double wxyz[4]);
