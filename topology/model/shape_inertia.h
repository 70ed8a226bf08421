// Volumes and inertias of homogeneous solids. Internal.
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/topology.h>

/// The volume of a sphere, box, cylinder, capsule or ellipsoid, and its inertia about its centre, of unit mass, along
/// its own axes. @param size  as in srs_shape_def  @return false for other kinds
bool srs_solid_of_shape(srs_shape_kind kind, const double size[3], double *volume, sym3 *inertia);

/// The same of the surface alone, of even thickness (of ellipsoids: even along each axis): its area, which is an
/// approximation of ellipsoids.
bool srs_shell_of_shape(srs_shape_kind kind, const double size[3], double *area, sym3 *inertia);
