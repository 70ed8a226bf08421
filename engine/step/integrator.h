// The interface of integrators: one table of functions each, and one line in integrators.c. Internal.
#pragma once
#include "engine/state/integrator_traits.h"
#include <sarrus/engine.h>

/// The parts of a step from the simulation's state to q_next, v_next of its step memory, which srs_sim_step then
/// accepts. Functions return SRS_OK or the step's failure; bad_v: with SRS_ERROR_SINGULAR, the coordinate that nothing
/// resists.
typedef struct srs_integrator_table {
  srs_integrator_traits traits;
  srs_status (*begin)(srs_sim *sim, int *bad_v); // prepares the configuration of matrices and forces; NULL: the state's
  srs_status (*velocities)(srs_sim *sim, int *bad_v); // finds v_next, with all forces and constraints
  srs_status (*positions)(srs_sim *sim, int *bad_v);  // finds q_next, loops closed
  void (*accept)(srs_sim *sim); // keeps the integrator's own results of an accepted step; NULL: none
} srs_integrator_table;

extern const srs_integrator_table srs_semi_implicit_euler, srs_moreau_midpoint, srs_runge_kutta, srs_implicit_euler,
    srs_implicit_moreau, srs_geometrically_implicit;

/// The table of an integrator.
const srs_integrator_table *srs_integrator_of(srs_integrator integrator);
