// What of a model there is to see, as JSON: bodies, shapes, joints, loops, sticks, frames. Internal.
#pragma once
#include "engine/cli/shared/json.h"
#include <sarrus/engine.h>

/// Adds `bodies`, `shapes`, `joints`, `closures`, `sticks`, `knobs` and `frames` to an open object. Indices of bodies
/// are those of links, -1 is the world; poses are seen from the body. Solids that are not balls, boxes, cylinders and
/// the like come as triangles. Meshes for the eye that cannot be read are left out.
/// @param n_missing  out: how many   @param missing  out: why the first was, where there is one
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_scenery_write(srs_json *json, const srs_model *model, int *n_missing, srs_error *missing);
