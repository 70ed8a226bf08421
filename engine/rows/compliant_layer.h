// Check of a material's compliant layer. Internal. Its mechanics: engine/geometric/quasi_rigid.c.
#pragma once
#include <sarrus/engine.h>

static inline bool srs_layer_exists(const srs_compliant_layer *layer) { return layer->thickness > 0; }

/// Refuses a layer without stiffness along the normal, with entries that are not finite, or with negative damping.
srs_status srs_layer_check(const srs_compliant_layer *layer, const char *material, srs_error *error);
