// Poses of the links from the placements of the workspace, for collision. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include <sarrus/topology.h>

/// Finds each link's own frame in the world from the placements of the workspace (srs_forward_kinematics or a call that
/// includes it).  @param links  n_links, out
void srs_link_poses(const srs_workspace *workspace, srs_pose *links);
