// Selection of a step's active contacts and the directions of their rows. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Fills `active` with the contacts that enter the step's problem, for links with velocity_before at the start and the
/// workspace's velocities without contact.  @param n  out: how many
srs_status srs_select_contacts(struct srs_constraints *constraints, const srs_step_context *step, int *n);
