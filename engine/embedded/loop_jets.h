// Mixed second and third derivatives of embedded loops' gaps. Internal.
#pragma once
#include "engine/derivatives/memory.h"
#include "engine/loops/compound.h"

/// A motion of the coordinates in t and its change in s, nv each; NULL stands for zeros.
typedef struct srs_jet_rates {
  const double *v, *a;               // rates and accelerations, in t
  const double *direction;           // how the configuration moves in s, tangent coordinates
  const double *v_change, *a_change; // how v and a change in s
} srs_jet_rates;

/// Moves the links of compound `index`, its base at rest, and gives for each of its rows
///   second = d^2 gap / ds dt,   third = d^3 gap / ds dt^2
/// at a configuration that closes the loops, where the links are placed, for motions that keep them closed.
/// @param second, third  n_rows of the compound, out; either may be NULL
void srs_compound_jets(srs_workspace *w, int index, const srs_jet_rates *rates, double *second, double *third);
