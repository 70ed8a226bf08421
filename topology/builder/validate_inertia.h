// Which inertias can a body have? The check of a plan. Internal.
#pragma once
#include "topology/builder/plan.h"

/// Checks the inertia of each set of links that fixed joints join. An impossible whole is an error, an impossible part
/// of a possible whole a warning. Where allowed, a moment above the sum of the others is a warning for the whole as
/// well. The plan must be lumped.
/// @return SRS_OK, SRS_ERROR_MODEL or _MEMORY
srs_status srs_plan_validate(srs_plan *plan, bool allow_impossible_inertia, srs_error *error);
