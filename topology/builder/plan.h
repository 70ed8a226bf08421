// The tree that a model will be, found from what the builder gathered. Internal.
#pragma once
#include "topology/base/spatial.h"
#include "topology/builder/builder.h"

typedef struct srs_plan {
  const srs_builder *builder;
  int n;                        // links that the builder has
  int n_links;                  // links that the model will have
  int *carrier;                 // n: the joint whose child the link is
  int *parent;                  // n: the parent link of this joint, -1 the world
  int *order;                   // n: depth first, siblings in the order of their joints
  int *owner;                   // n: the model's link that the link is part of, -1 the world
  vec3 *offset;                 // n: the link's frame seen from its owner's
  mat3 *axes;                   // n
  int *first;                   // n_links: the link that gives the model's link its name, frame and joint
  int *shape_link, *frame_link; // n_shapes, n_frames: the link that each belongs to, -1 the world
  int *excluded;                // n_excluded x 2: links

  srs_builder_warning *warnings; // n_warnings: met while building
  int n_warnings;
  bool has_impossible_inertia; // was taken nonetheless, of a body and not of a part of one
  srs_arena memory;            // everything above
} srs_plan;

/// Looks up all names, checks the tree and lumps what fixed joints join. Must be released even after a failure.
/// @return SRS_OK, SRS_ERROR_NAME, _MODEL or _MEMORY
srs_status srs_plan_make(const srs_builder *builder, srs_plan *plan, srs_error *error);

/// Undoes the lumping: every link becomes a link of the model.
void srs_plan_split(srs_plan *plan);

void srs_plan_release(srs_plan *plan);
