// Materials of shapes and pairs, and the reach of shapes from their links. Internal.
#pragma once
#include "engine/rows/constraints.h"

double srs_combine(srs_combination rule, double a, double b);

/// Finds friction and restitution of shapes and pairs, the order of the shapes' names, and the shapes' reach.
srs_status srs_contact_materials_create(struct srs_constraints *constraints, const srs_model *model,
                                        const srs_contact_settings *settings, srs_error *error);

/// The override for a pair of shapes, shape_a < shape_b; NULL for none.
const pair_override *srs_override_of(const struct srs_constraints *constraints, int shape_a, int shape_b);

/// Finds friction, restitution, anisotropy and the number of rows of a contact between two shapes.
void srs_find_material(const struct srs_constraints *constraints, const srs_contact_settings *settings,
                       active_contact *contact, int shape_a, int shape_b);

/// The anisotropy that applies to friction between two shapes: that of the shape whose factors have the larger ratio,
/// of equals the first shape's.
/// @param is_second  out: whether it is the second's
/// @return NULL: neither shape is anisotropic
const shape_anisotropy *srs_anisotropy_of(const struct srs_constraints *constraints, int first, int second,
                                          bool *is_second);

/// Fills the constraints' `reach` from the model's shapes.
void srs_measure_reach(struct srs_constraints *constraints, const srs_model *model);

static inline bool srs_layer_exists(const srs_compliant_layer *layer) { return layer->thickness > 0; }

/// Refuses a layer without stiffness along the normal, with entries that are not finite, or with negative damping.
srs_status srs_layer_check(const srs_compliant_layer *layer, const char *material, srs_error *error);
