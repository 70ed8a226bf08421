// A sim's own copy of the parameters of its model. Internal.
#pragma once
#include "topology/model/model.h"

/// The sim's model: that of the caller, but for these arrays.
typedef struct srs_own_model {
  const srs_model *source;
  srs_model model;
  double *inertia, *part_inertia; // n_links x 10, n_parts x 10
  double *coordinates[8]; // nv each: armature, damping, stiffness, friction, lower, upper, max_effort, max_velocity
  vec3 *offset;           // n_links
  srs_shape *shapes;      // n_shapes: their sizes are its own
  srs_closure *closures;  // n_closures, n_couplings: their motions are its own (srs_set_targets)
  srs_coupling *couplings;
  double *materials; // n_shapes x 2: friction and restitution that the options give
  double gravity[3]; // m/s^2: of the options
  bool is_changed;   // some value was set since the last restoration
  void *memory;
} srs_own_model;

/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_own_model_create(const srs_model *source, srs_own_model *own);
void srs_own_model_release(srs_own_model *own);

/// Takes over the values of another copy of the same model, or of the model itself.
void srs_own_model_copy(const srs_model *from, srs_own_model *own);

/// Finds the inertia of a link from those of its parts, and the whole mass.
void srs_own_model_weld(srs_own_model *own, int link);
