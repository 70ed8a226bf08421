// Where does one see a mechanism that shapes do not show: sticks and knobs. Internal.
#pragma once
#include <sarrus/engine.h>

typedef struct srs_stick {
  int body;
  double from[3], to[3]; // m, seen from the body
} srs_stick;

typedef struct srs_knob {
  int body; // link, -1: the world
  double at[3];
  bool is_pivot; // else the mass of a link without shapes
} srs_knob;

typedef struct srs_sticks {
  srs_stick *sticks; // n_sticks
  srs_knob *knobs;   // n_knobs
  int n_sticks, n_knobs;
} srs_sticks;

/// From a body's origin to the joints, loops and shapes that it carries, to its centre of mass where it carries none;
/// those that its shapes cover are left out. Knobs at pivots, and at the mass of a link without shapes.
/// @return false: out of memory. To be freed in either case
bool srs_sticks_make(const srs_model *model, srs_sticks *sticks);
void srs_sticks_free(srs_sticks *sticks);
