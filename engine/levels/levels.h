// The links of a wide tree in an order in which passes take four at a time, side by side. Internal.
//
// Link by link a pass waits for each result before the next link begins, and at each link the processor has to guess
// whether the next one hangs on it. In this order, by distance from the root, the four links of a group do not carry
// each other: one instruction serves four, and nothing is guessed. Parents come in earlier groups, and where one link
// follows another here, its parent is the same or a later one, so that a pass reads in order, too.
//
// A group has four slots. Those that no link fills have no mass, and what is written for them is read by nobody. Links
// whose joints are not hinges, slides or fixed have a group to themselves.
#pragma once
#include "topology/model/model.h"

enum {
  SRS_LEVEL_LANES = 4,
  SRS_MOTION_NUMBERS = 12, // of a link in the ring: w, alpha, a, and three unused
  SRS_WRENCH_NUMBERS = 6   // of a link: torque, force
};

// Constants of four links, a lane each.
typedef struct srs_level_joints {
  double turn[9][SRS_LEVEL_LANES]; // columns
  double offset[3][SRS_LEVEL_LANES];
  double armature[SRS_LEVEL_LANES];
  double hinge[SRS_LEVEL_LANES], slide[SRS_LEVEL_LANES]; // 1 where the joint is one, else 0
} srs_level_joints;

typedef struct srs_level_bodies {
  double inertia[10][SRS_LEVEL_LANES]; // as the model has it
} srs_level_bodies;

typedef struct srs_levels {
  int n_groups, n_slots;
  int ring_mask; // slot & ring_mask is a link's place in the ring
  bool has_slides;

  // n_slots each. Of empty slots and fixed joints the indices are those of any coordinate.
  int *link;    // -1: empty
  int *parent;  // slot of the parent; n_slots for the world
  int *from;    // place of the parent in the ring; ring_mask + 1 for the world
  int *q_index; // of slides
  int *v_index;
  int *tau_index; // v_index; nv where there is no coordinate of a hinge or slide
  int *angle;
  bool *is_single; // n_groups: one link, whose joint has columns

  srs_level_joints *joints; // n_groups
  srs_level_bodies *bodies; // n_groups
  int *slot;                // n_links: where each link is

  double *ring;   // (ring_mask + 2) x SRS_MOTION_NUMBERS: motions, as long as later links need them; last, the world's
  double *wrench; // (n_slots + 1) x SRS_WRENCH_NUMBERS: each link's, in its own axes; last, what the world bears

  void *memory;
} srs_levels;

/// Orders the links of a model. Allocates.
/// @param levels  out; NULL for trees that are short or not wide enough, where passes go link by link
srs_status srs_levels_create(const srs_model *model, srs_levels **levels);
void srs_levels_destroy(srs_levels *levels);
