// Smooth solids of shapes, the pairs of them that may collide, and the memory of the geometrically implicit step.
// Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

/// Finds the smooth solids of the model's shapes and the pairs that may collide. *geometric is NULL where there is
/// nothing to solve for. @return also SRS_ERROR_UNSUPPORTED, by name, for shapes that are not smooth, restitution and
/// embedded loops
srs_status srs_geometric_create(srs_workspace *workspace, struct srs_constraints *constraints,
                                const srs_sim_options *options, struct srs_geometric **geometric, srs_error *error);
void srs_geometric_destroy(struct srs_geometric *geometric);

/// Makes room for so many contacts in one step.
srs_status srs_geometric_reserve(struct srs_geometric *geometric, int n_contacts);
