// Trees that float, and which of them move together. Internal.
#pragma once
#include "engine/conservation/tree_sums.h"

struct srs_constraints;

/// The trees of a model that may float, and memory for their momentum.
typedef struct srs_floating_trees {
  const srs_model *model;
  int n;                         // trees whose root is on a free joint to the world
  int *root;                     // n: links
  int *tree_of;                  // n_links: -1 for links of other trees
  int *fixed_leader, *leader;    // n: of the group: by closures, and in the step under way. A leader leads itself, and
                                 // has the lowest index
  bool *is_fixed_held, *is_held; // n: of leaders: likewise
  bool *is_alone;                // n: the tree is a group of its own and floats
  bool any;                      // a tree floats in the step under way
  bool has_impulses;             // from outside, besides gravity

  srs_tree_frames frames;
  v6 *force;             // n_links: scratch
  srs_root_axes *axes;   // n: of roots, where the sums were found last
  mass_sum *start, *end; // n
  mass_sum *impulse;     // n: impulses from outside without gravity, in place of momentum; world axes
  double *next;          // n x SRS_TREE_MOMENTUM: as in the state, at the end of the step
  void *memory;
} srs_floating_trees;

/// Finds which trees may float. Allocates.  @param trees  out; NULL where none may
srs_status srs_floating_trees_create(const srs_model *model, srs_floating_trees **trees);
void srs_floating_trees_destroy(srs_floating_trees *trees);

/// Finds which trees float in the step under way, whose velocities are found.
/// @param constraints     NULL for none
/// @param joins_contacts  trees that touch each other move as one; false: they are left out
void srs_find_floating_trees(srs_floating_trees *trees, const struct srs_constraints *constraints, bool joins_contacts);

static inline bool srs_tree_floats(const srs_floating_trees *trees, int tree)
{
  return !trees->is_held[trees->leader[tree]];
}
