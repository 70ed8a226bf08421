// Data of the last accepted step, for the wrenches in joints (engine/simulation/wrenches.c). Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/integrator_traits.h"
#include "engine/state/sim_state.h"
#include "engine/step/step_memory.h"

typedef struct srs_last_step {
  double *q, *v, *a;       // nq, nv, nv: of the last accepted step, at the configuration of its matrices
  double *second_v;        // nv: v of its second half, where it has_halves
  double *wrench;          // n_frames x SRS_WRENCH_SIZE: applied wrenches, where has_wrench
  double *part_wrench;     // n_parts x 6: wrenches in joints, where has_part_wrench
  double *load;            // nv: forces along the joints' axes, where loops are embedded
  double *embedded_wrench; // n_closures x 6: wrenches of embedded loops, where has_part_wrench
  bool exists, has_halves, has_wrench, has_part_wrench;
} srs_last_step;

/// Keeps what srs_sim_joint_wrench needs of the step that is being accepted, but `load`.
void srs_last_step_keep(srs_last_step *last, const srs_integrator_traits *traits, const srs_model *model,
                        const srs_sim_state *state, const srs_step_memory *step);

/// Finds the forces along the joints' axes: f = force - (extra + armature) a + impulses of rows on coordinates / dt.
/// @param extra        nv, NULL for zeros
/// @param constraints  NULL: without rows
/// @param load         nv, out
void srs_find_loads(const srs_model *model, double dt, const double *force, const double *extra, const double *a,
                    const struct srs_constraints *constraints, double *load);
