// Placements of MJCF: positions, the five ways to write a rotation, segments. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// The pose of b seen from where a is seen from; b is given in a.
srs_pose srs_mjcf_compose(const srs_pose *a, const srs_pose *b);

/// `pos` and one of quat, axisangle, xyaxes, zaxis, euler.
srs_status srs_mjcf_pose(srs_mjcf *mjcf, const srs_mjcf_item *item, srs_pose *pose);

/// The rotation alone; the identity where none is given.
srs_status srs_mjcf_rotation(srs_mjcf *mjcf, const srs_mjcf_item *item, double rotation[9]);

/// The same of a geom or site that may have `fromto`: half its length goes to *half, -1 where there is none.
srs_status srs_mjcf_pose_of_segment(srs_mjcf *mjcf, const srs_mjcf_item *item, srs_pose *pose, double *half);

/// An angle of the file in radians.
static inline double srs_mjcf_angle(const srs_mjcf *mjcf, double angle)
{
  return mjcf->compiler.is_degree ? angle * (3.14159265358979323846 / 180) : angle;
}
