// From the coordinates of a mechanism to the placements that collision asks for. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include <sarrus/topology.h>

/// Each link's own frame in the world, from the placements of the workspace (srs_forward_kinematics and what includes
/// it).  @param links  n_links, out
void srs_link_poses(const srs_workspace *workspace, srs_pose *links);
