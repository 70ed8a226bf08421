// Friction, restitution and anisotropy of shapes and pairs, and how far shapes reach from their links. Internal.
#pragma once
#include "engine/rows/constraints.h"

double srs_combine(srs_combination rule, double a, double b);

/// Friction and restitution of shapes and pairs, the order of their names, how far shapes reach.
srs_status srs_contact_materials_create(struct srs_constraints *constraints, const srs_model *model,
                                        const srs_contact_settings *settings, srs_error *error);

/// What is said about a pair of shapes, shape_a < shape_b; NULL for nothing.
const pair_override *srs_override_of(const struct srs_constraints *constraints, int shape_a, int shape_b);

/// Friction, restitution, anisotropy and the number of rows of a contact between two shapes.
void srs_find_material(const struct srs_constraints *constraints, const srs_contact_settings *settings,
                       active_contact *contact, int shape_a, int shape_b);

/// The anisotropy that friction between two shapes goes by: that of the shape whose factors differ more by ratio, of
/// equals the first.
/// @param is_second  out: whether it is the second's
/// @return NULL: neither shape is anisotropic
const shape_anisotropy *srs_anisotropy_of(const struct srs_constraints *constraints, int first, int second,
                                          bool *is_second);
