// Placements, velocities and accelerations of all links, without checks. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// Fills the workspace with the sines and cosines of the configuration's angles.
void srs_workspace_angles(srs_workspace *w, const double *q);

/// Placements and bodies (inertias in world axes), for callers that come to the same configuration again: nothing is
/// done where they are those of q already. Where w->keeps_bodies is set, all that places links at a configuration of
/// the simulation goes through here, so that what is kept and what is made anew have the same bits.
void srs_place_bodies(srs_workspace *w, const double *q);

/// Its two parts, after srs_workspace_angles. First all but the origins, of the links begin to end - 1; then the
/// origins of all links, which follow from the positions of the roots in q. Between the two, only these positions may
/// change.
void srs_turn_bodies(srs_workspace *w, const double *q, int begin, int end);
void srs_place_origins(srs_workspace *w, const double *q);

/// Whether placements and bodies are those of q.
bool srs_has_bodies(const srs_workspace *w, const double *q);

/// Kinematics without checks, for callers inside the engine. Each includes the one before it.
void srs_place_links(srs_workspace *w, const double *q);
void srs_move_links(srs_workspace *w, const double *v);
void srs_accelerate_links(srs_workspace *w, const double *v, const double *a);
