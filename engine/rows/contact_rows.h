// Selection of a step's active contacts and the directions of their rows. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// Fills the error of a step whose numbers have overflowed; it names the link that moves fastest in the workspace.
/// @return SRS_ERROR_DIVERGED
srs_status srs_fail_overflowed(struct srs_constraints *c, const srs_workspace *workspace);

/// Records the contact points of an implicit midpoint step's start, and how they move there.
void srs_record_start(struct srs_constraints *c, const srs_step_context *step);

/// Fills `active` with the contacts that enter the step's problem, for links with velocity_before at the start and the
/// workspace's velocities without contact.  @param n  out: how many
srs_status srs_select_contacts(struct srs_constraints *constraints, const srs_step_context *step, int *n);

/// Adds to the n active contacts those candidates whose gap would be negative at the end of a step with the workspace's
/// velocities. Corners' sides are left alone.
/// @return how many are active now
int srs_take_left_out(struct srs_constraints *constraints, const srs_step_context *step, int n);

/// Moves an active contact's directions and rows to another configuration, where the links have been placed.
/// @param contact  the contact there
void srs_move_contact(const srs_workspace *workspace, const srs_contact_point *contact, active_contact *active);

/// Whether penetration is undone by moving positions; otherwise, and at corners, it is by the rows' velocities, and
/// impacts follow the papers' rules.
static inline bool srs_is_projected(const srs_contact_settings *o)
{
  return o->normal == SRS_NORMAL_GAP && o->projection && o->corners == SRS_CORNERS_CONVEX;
}
