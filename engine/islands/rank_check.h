// Bilateral rows that depend on each other. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// A speed that no row is asked about, in its own unit a second.
#define SRS_CERTAIN_SPEED 1e-7

/// What a row's sides move at by themselves, before they cancel.
double srs_own_speed(const struct srs_constraints *constraints, const srs_sim_state *state, const srs_step_row *row);

/// Whether bilateral row i of the island is a loop's.
bool srs_holds_loop(const struct srs_constraints *constraints, const island *island, int i);

/// Notes the rank and the least pivot of the island that was solved last, for change points.
void srs_record_pivot(struct srs_constraints *constraints, const island *island);

/// Asked where no certificate says that all bilateral rows hold.
/// @return SRS_ERROR_MODEL, the row named, where one of them cannot be held beside the others
srs_status srs_check_bilateral(struct srs_constraints *constraints, const srs_step_context *step, const island *island);
