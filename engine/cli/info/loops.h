// The loops of a mechanism, and its degrees of freedom.
#pragma once
#include <sarrus/engine.h>

typedef struct srs_loops {
  int n;          // of the model
  int *ranks;     // n: independent rows of each by itself
  double *gaps;   // n: how far from closed each is as the scene is written, m or rad
  int rank;       // of all rows together
  bool is_closed; // the ranks are those of the assembled configuration; else of the scene's own, as the loops stay open
  char problem[512]; // why, "" where it is closed
} srs_loops;

/// At the scene's start.  @return false when out of memory
bool srs_loops_find(const srs_scene *scene, srs_loops *loops);
void srs_loops_free(srs_loops *loops);

/// Joints that have coordinates.
int srs_loops_joints(const srs_model *model);

/// Prints a paragraph; nothing where there are no loops.
void srs_loops_print(const srs_model *model, const srs_loops *loops);
