// From what the builder gathered to the tree that the model will be. Internal.
#pragma once
#include "topology/base/spatial.h"
#include "topology/model/builder.h"

typedef struct srs_plan {
  const srs_builder *builder;
  int n;                        // links that the builder has
  int n_links;                  // links that the model will have
  int *carrier;                 // n: the joint whose child the link is
  int *parent;                  // n: the link that this joint hangs on, -1 the world
  int *order;                   // n: depth first, siblings in the order of their joints
  int *owner;                   // n: the model's link that the link is part of, -1 the world
  vec3 *offset;                 // n: the link's frame seen from its owner's
  mat3 *axes;                   // n
  int *first;                   // n_links: the link that gives the model's link its name, frame and joint
  int *shape_link, *frame_link; // n_shapes, n_frames: the link that each belongs to, -1 the world

  srs_builder_warning *warnings; // n_warnings: met while building
  int n_warnings;
  srs_arena memory; // everything above
} srs_plan;

/// Looks up all names, checks the tree and lumps what fixed joints join. To be released in any case.
/// @return SRS_OK, SRS_ERROR_NAME, _MODEL or _MEMORY
srs_status srs_plan_make(const srs_builder *builder, srs_plan *plan, srs_error *error);

/// Undoes the lumping: every link becomes a link of the model.
void srs_plan_split(srs_plan *plan);

void srs_plan_release(srs_plan *plan);

/// Checks the inertia of all that fixed joints join: an impossible whole is an error, an impossible part of a possible
/// whole a warning. Where allowed, moments above the sum of the others are a warning for the whole as well. Needs the
/// plan lumped.
/// @return SRS_OK, SRS_ERROR_MODEL or _MEMORY
srs_status srs_plan_validate(srs_plan *plan, bool allow_impossible_inertia, srs_error *error);

/// The model, its memory and all. The plan lumped or split.
/// @return SRS_OK, SRS_ERROR_NAME (two coordinates of one name) or _MEMORY
srs_status srs_plan_compile(const srs_plan *plan, srs_model **model, srs_error *error);

/// The builder's closures and couplings into a model that has its frames, coordinates and orders by name.
/// @param arena  of the model
/// @return SRS_OK, SRS_ERROR_NAME, _MODEL or _MEMORY
srs_status srs_compile_loops(const srs_builder *builder, srs_model *model, srs_arena *arena, srs_error *error);
