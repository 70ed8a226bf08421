// An integrator: one table of functions, one line in the list of integrators.c. Internal.
#pragma once
#include "engine/state/integrator_traits.h"
#include <sarrus/engine.h>

/// A step from the sim's state to q_next, v_next of its step memory, which srs_sim_step then accepts. Functions return
/// SRS_OK or the step's failure; bad_v: with SRS_ERROR_SINGULAR, the coordinate that nothing resists.
typedef struct srs_integrator_table {
  srs_integrator_traits traits;
  srs_status (*begin)(srs_sim *sim, int *bad_v);      // where matrices and forces are taken; NULL: at the state
  srs_status (*velocities)(srs_sim *sim, int *bad_v); // v_next, with all that acts and holds
  srs_status (*positions)(srs_sim *sim, int *bad_v);  // q_next, loops closed
  void (*accept)(srs_sim *sim); // what the integrator itself keeps of a step that is taken; NULL: nothing
} srs_integrator_table;

extern const srs_integrator_table srs_semi_implicit_euler, srs_moreau_midpoint, srs_runge_kutta, srs_implicit_euler,
    srs_implicit_moreau, srs_geometrically_implicit;

/// The table of an integrator.
const srs_integrator_table *srs_integrator_of(srs_integrator integrator);
