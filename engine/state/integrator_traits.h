// What an integrator offers, as rows, messages and results ask for it. Internal. Each integrator states its own beside
// its functions (engine/simulation/integrator.h).
#pragma once
#include <stdbool.h>

typedef struct srs_integrator_traits {
  const char *name;    // the word that scene files use
  bool is_mean;        // rows are held, and springs taken, at the mean of both ends
  bool is_implicit;    // matrices and rows are those of the step's end or mean, found by iteration
  bool takes_rows;     // contacts, loops, limits and dry friction; else they are refused by name
  bool takes_surfaces; // smooth shapes, callers' surfaces and compliant layers
  bool keeps_wrenches; // the last step's accelerations say what joints carry
} srs_integrator_traits;
