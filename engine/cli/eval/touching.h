// Contacts and overlaps as the command shows them.
#pragma once
#include "engine/cli/eval/quantity.h"

/// The quantity `contacts`: the key "value" and all below.
srs_status srs_touching_write(const srs_query *query, srs_json *json, srs_error *error);

/// Two shapes that overlap where a scene starts.
typedef struct srs_overlap {
  int shape_a, shape_b;
  double depth; // m
  bool acts;    // false: one joint joins their bodies, so they do not meet
} srs_overlap;

/// What there is to tell about the shapes of a scene.
typedef struct srs_touching {
  int n_visual, n_meshes;
  int n_pairs;           // that may meet, -1: `problem` tells why no collision is possible
  srs_overlap *overlaps; // n_overlaps, freed by srs_touching_free
  int n_overlaps;
  char problem[512]; // "" for none
} srs_touching;

/// @return false when out of memory
bool srs_touching_find(const srs_scene *scene, srs_touching *touching);
void srs_touching_free(srs_touching *touching);

/// How lists call a shape: its name, or "box of 'arm'" where it has none.
const char *srs_touching_title(const srs_model *model, int shape, char text[160]);
