// Shapes that overlap where a scene starts, for `sarrus info` and the warnings of `sarrus run`.
#pragma once
#include <sarrus/engine.h>

/// Two shapes that overlap.
typedef struct srs_overlap {
  int shape_a, shape_b;
  double depth; // m
  bool acts;    // false: they do not collide, because
  bool is_self; // self_collision keeps them apart; else their bodies are joined by one joint
} srs_overlap;

/// The shapes of a scene and how they start.
typedef struct srs_shape_overlaps {
  int n_visual, n_meshes;
  int n_pairs;           // that may collide, -1: no collision is possible, `problem` says why
  srs_overlap *overlaps; // n_overlaps, freed by srs_shape_overlaps_free
  int n_overlaps;
  char problem[512]; // "" for none
} srs_shape_overlaps;

/// @param alike  a collider that a sim of the scene has, or NULL: then what overlaps in the neutral configuration is
///               found out anew
/// @return false when out of memory
bool srs_shape_overlaps_find(const srs_scene *scene, const srs_collider *alike, srs_shape_overlaps *found);
void srs_shape_overlaps_free(srs_shape_overlaps *found);

/// " (self_collision: they do not collide)", " (parent and child: they do not collide)"; "" where they do.
const char *srs_overlap_reason(const srs_overlap *overlap);

/// The filter that keeps the two apart, for lists: "none", "self-collision", "parent-child".
const char *srs_overlap_filter(const srs_overlap *overlap);

/// The overlaps deeper than 1 um, among pairs that may collide, in the present state of a sim that has a collider.
/// @param overlaps  out: n, freed by the caller   @return false when out of memory
bool srs_acting_overlaps(srs_sim *sim, srs_overlap **overlaps, int *n);

/// Pairs that `self_collision: auto` leaves out: they overlap in the neutral configuration.
typedef struct srs_left_out {
  int n;
  srs_overlap deepest;
} srs_left_out;

/// @return false when out of memory; where no collider can be made there are none
bool srs_left_out_find(srs_sim *sim, srs_left_out *found);

/// What lists call a shape: its name in quotation marks, or "box of 'arm'" where it has none.
const char *srs_shape_label(const srs_model *model, int shape, char text[160]);
