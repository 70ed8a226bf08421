// Trees that can move in a plane only. Internal. Mathematics: planar_motion.c.
#pragma once
#include "engine/dynamics/workspace.h"

typedef enum srs_tree_motion_kind {
  SRS_TREE_SPATIAL,
  SRS_TREE_PLANAR,  // at right angles to `normal`
  SRS_TREE_SLIDING, // along `slide`, without turning; 0 where nothing moves
} srs_tree_motion_kind;

typedef struct srs_tree_motion {
  srs_tree_motion_kind kind;
  v3 normal, slide; // unit vectors in the world
} srs_tree_motion;

/// Finds how each tree of a model can move, at any configuration. Moves the links of the workspace.
/// @param motion  n_links, out: at each tree's root
void srs_find_tree_motions(srs_workspace *workspace, srs_tree_motion *motion);

/// Whether two trees can move in one common plane only; NULL: the world.
/// @param normal  out: of that plane
bool srs_share_plane(const srs_tree_motion *a, const srs_tree_motion *b, v3 *normal);
