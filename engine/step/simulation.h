// The parts that a simulation owns. Internal: for files that need the whole simulation; all others take the parts that
// they work on.
//
// Everything that the next step reads besides model and options is in `state`. The other parts are memory of the step
// under way, and results of the last one.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/actuation.h"
#include "engine/state/decimal_step.h"
#include "engine/state/own_model.h"
#include "engine/state/repeat.h"
#include "engine/state/sim_state.h"
#include "engine/step/fixed_point.h"
#include "engine/step/integrator.h"
#include "engine/step/last_step.h"
#include "engine/step/mean_velocity.h"
#include "engine/step/step_memory.h"
#include "topology/base/arena.h"

struct srs_constraints;    // engine/rows/constraints.h
struct srs_geometric;      // engine/geometric/smooth_contact.h
struct srs_projector;      // engine/loops/projection.h
struct srs_floating_trees; // engine/conservation/floating_trees.h

/// Sees each solution of a step's velocities, the k-th with the velocity terms that those before it led to.
typedef srs_status (*srs_step_watch)(void *watcher, int k);

struct srs_sim {
  srs_own_model own;
  const srs_model *model;  // that with the sim's own parameters: own.model
  srs_sim_options options; // its lists and names lie in options_memory
  srs_arena options_memory;
  srs_decimal_step clock; // of the options' dt
  const srs_integrator_table *integrator;
  uint64_t fingerprint; // of the model, for snapshots
  uint64_t *pieces;     // likewise, piece by piece, before any parameter was set
  srs_workspace *workspace;
  bool workspace_is_current; // it is at the present state
  bool knows_start_energy;
  srs_energies start_energy; // of the state in which the energy balance starts

  srs_sim_state state;
  srs_actuation actuation;
  srs_step_memory step;
  srs_fixed_point fixed_point;     // of implicit integrators
  srs_mean_velocity mean_velocity; // of explicit ones
  srs_last_step last;
  srs_repeat repeat;
  srs_step_watch watch; // NULL for none: of linearisation
  void *watcher;

  struct srs_constraints *constraints; // NULL where there is nothing to solve for
  struct srs_geometric *geometric;     // NULL for other integrators, and where there is nothing to solve for
  struct srs_projector *projector;     // NULL where there are no loops
  struct srs_floating_trees *floating; // NULL unless keep_momentum, for rk4, and where no tree can float
  void *memory;
};
