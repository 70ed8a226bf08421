// The equations of a geometrically implicit step. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

// Of a contact at its x, with the links where they are placed: what its path does, and slip and spin with v_next; the
// normal; the tangents.
void srs_smooth_motions(const struct srs_geometric *geometric, smooth_contact *contact);
v3 srs_smooth_normal(const struct srs_geometric *geometric, const smooth_contact *contact, const double *multipliers);
void srs_smooth_tangents(const struct srs_geometric *geometric, smooth_contact *contact);

/// What the friction rows hold impulses against.
/// @param velocity  n_friction, out: of the rows, scaled   @param target  n_friction, out: impulse less velocity
/// @return the target's length
double srs_friction_target(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z,
                           double *velocity, double *target);

/// The system, as an srs_mcp has it; data is the srs_geometric.
void srs_geometric_function(void *data, const double *z, double *F);
