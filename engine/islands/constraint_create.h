// Creation of the constraint system. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/integrator_traits.h"

/// Creates the constraint system; the workspace gets room for the rows. *constraints is NULL when there is nothing to
/// solve for: no two shapes that can meet, or contact is off, and no joint has limits or friction that act.
/// @return also SRS_ERROR_UNSUPPORTED where the mechanism has rows and the integrator takes none, by name
srs_status srs_constraints_create(srs_workspace *workspace, const srs_sim_options *options,
                                  const srs_integrator_traits *traits, struct srs_constraints **constraints,
                                  srs_error *error);
void srs_constraints_destroy(struct srs_constraints *constraints);
