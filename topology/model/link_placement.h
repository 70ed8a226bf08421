// Where links are at given coordinates, for what needs no velocities. Internal.
#pragma once
#include "topology/model/model.h"

typedef struct srs_link_placement {
  vec3 offset;
  mat3 axes;
  mat3 inner; // universal: the second axis' frame seen from the first's, Rz(angle1) left out
} srs_link_placement;

/// A link's turned frame seen from its parent's.  @param q  of the link's joint
srs_link_placement srs_place_link(const srs_model *model, int link, const double *q);

/// Each link's own frame in the world, as srs_frame_placement gives it.  @param q  nq   @param links  n_links, out
void srs_pose_links(const srs_model *model, const double *q, srs_pose *links);
