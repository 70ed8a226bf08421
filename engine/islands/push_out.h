// Push-out: moves positions out of penetration and passed limits. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Adds to the system's `push` what leads this island's contacts and limits back from where its answer leaves them;
/// does nothing where none of them is inside, or where the rows' velocities do that. Call it with the answer's
/// velocities in the island; overwrites its b2, phase and
/// velocity.
void srs_push_out(struct srs_constraints *constraints, const srs_step_context *step, const island *island);

/// Turns `push` into `moved`, the motion dq; afterwards positions move by h v+ + dq.
void srs_push_out_end(struct srs_constraints *constraints, const srs_step_context *step);

/// By how much each island's motion is shortened, 1 for not at all, from the links' motion in the workspace.
/// @return n_links shares, an island's at the root that stands for it; behind them, n_links, the islands' largest
///         pushes, which stay. A view of the constraints' scratch
double *srs_push_out_shares(struct srs_constraints *constraints, srs_workspace *workspace);
