// Placements, velocities and accelerations of all links, without checks. Internal.
#pragma once
#include "engine/dynamics/workspace.h"
#include <sarrus/dynamics.h>
#include <sarrus/topology.h>

/// Fills the workspace with the sines and cosines of the configuration's angles.
void srs_workspace_angles(srs_workspace *w, const double *q);

/// Says that they are those of q: they are not found anew until they are asked for elsewhere.
void srs_keep_angles(srs_workspace *w, const double *q);

/// Kinematics without checks, for callers inside the engine. Each includes the one before it.
void srs_place_links(srs_workspace *w, const double *q);
void srs_move_links(srs_workspace *w, const double *v);
void srs_accelerate_links(srs_workspace *w, const double *v, const double *a);

/// Placements at q that are found when the first getter asks: the getters call srs_place_late before they read any.
void srs_place_later(srs_workspace *w, const double *q);
void srs_place_late(const srs_workspace *w);

/// energy.c: the energies where srs_place_links and srs_move_links have put the links, without checks.
/// @param v  NULL: at rest
void srs_energy_of_moving_links(const srs_workspace *w, const double *q, const double *v, srs_energies *energy);

/// Each link's own frame in the world, for collision, where srs_place_links or a call that includes it
/// has put the links.  @param links  n_links, out
void srs_link_poses(const srs_workspace *workspace, srs_pose *links);
