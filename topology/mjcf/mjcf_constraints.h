// <contact> and <equality> of MJCF, and which geoms may touch with what friction. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Checks the names in <contact>, and marks geoms that <pair> names; before geoms become shapes.
srs_status srs_mjcf_read_contact(srs_mjcf *mjcf);

/// Groups and masks by contype and conaffinity, and the material of each geom, for the shapes that they become.
/// @param groups, masks  n_geoms each, out
srs_status srs_mjcf_find_contact_groups(srs_mjcf *mjcf, unsigned *groups, unsigned *masks);

/// Adds pairs, materials, closures and couplings to the builder; after bodies and geoms.
srs_status srs_mjcf_add_constraints(srs_mjcf *mjcf);
