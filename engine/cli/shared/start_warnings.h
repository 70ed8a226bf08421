// What a scene's start should make its author look at, each in one line: for `sarrus run` and `sarrus info`.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/engine.h>

typedef struct srs_start_warnings {
  srs_arena memory;
  const char *texts[9]; // n
  int n;
  const char *left_out; // a note: which pairs `self_collision: auto` leaves out; NULL for none
} srs_start_warnings;

/// Looks at the present state of the sim, the scene's own: bodies that nothing can touch, meshes that do not collide,
/// shapes that overlap, a coordinate outside its limits, servo targets outside theirs.
/// @param input  whose references are looked at too; NULL for none   @return false when out of memory
bool srs_start_warnings_find(srs_sim *sim, const srs_scene_settings *settings, const srs_input *input,
                             srs_start_warnings *found);
void srs_start_warnings_free(srs_start_warnings *found);
