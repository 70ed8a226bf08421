// Traits of an integrator: what it offers, for rows, messages and results. Internal. Each integrator states its own
// beside its functions (engine/step/integrator.h).
#pragma once
#include <stdbool.h>

typedef struct srs_integrator_traits {
  const char *name;    // the word that scene files use
  bool is_mean;        // rows hold, and springs act, at the mean of both ends
  bool is_implicit;    // matrices and rows are those of the step's end or mean, found by iteration
  bool takes_rows;     // contacts, loops, limits and dry friction; otherwise these are refused by name
  bool takes_surfaces; // smooth shapes, callers' surfaces and compliant layers
  bool sets_momentum;  // of floating trees, to what the outside impulses say
  bool keeps_wrenches; // the last step's accelerations determine the wrenches in joints
} srs_integrator_traits;
