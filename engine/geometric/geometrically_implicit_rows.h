// The residual of a geometrically implicit step's equations. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

// Evaluates a contact at its x with the links where they are placed: the motions of its path, slip and spin with
// v_next, the normal and the tangents.
void srs_smooth_motions(const struct srs_geometric *geometric, smooth_contact *contact);
v3 srs_smooth_normal(const struct srs_geometric *geometric, const smooth_contact *contact, const double *multipliers);
void srs_smooth_tangents(const struct srs_geometric *geometric, smooth_contact *contact);

/// The point that the friction rows project: impulse less velocity.
/// @param velocity  n_friction, out: of the rows, scaled   @param target  n_friction, out: impulse less velocity
/// @return the target's length
double srs_friction_target(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z,
                           double *velocity, double *target);

/// The residual as a callback of srs_mcp; data is the srs_geometric.
void srs_geometric_function(void *data, const double *z, double *F);
