// A plan becomes a model. Internal.
#pragma once
#include "topology/builder/plan.h"

/// The model with all its memory. The plan may be lumped or split.
/// @return SRS_OK, SRS_ERROR_NAME (two coordinates of one name) or _MEMORY
srs_status srs_plan_compile(const srs_plan *plan, srs_model **model, srs_error *error);
