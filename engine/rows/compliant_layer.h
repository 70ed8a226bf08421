// The compliant layer of a material. Internal. How it acts in a step: engine/geometric/quasi_rigid.c.
#pragma once
#include <sarrus/engine.h>

static inline bool srs_layer_exists(const srs_compliant_layer *layer) { return layer->thickness > 0; }

/// Refuses a layer that cannot hold: no stiffness along the normal, entries that are not finite, negative dampings.
srs_status srs_layer_check(const srs_compliant_layer *layer, const char *material, srs_error *error);
