// Checks of bilateral rows that depend on each other. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Rows with smaller errors than this speed are not checked; in the row's own unit per second.
#define SRS_CERTAIN_SPEED 1e-7

/// The speeds of a row's sides, before they cancel.
double srs_own_speed(const struct srs_constraints *constraints, const srs_sim_state *state, const srs_step_row *row);

/// How far bilateral rows that count as dependent may disagree: a row at the angle a to the others leaves
/// a |r| |v| <= a sqrt(W_ii) |v| of its velocity, with |v| in the metric of kinetic energy. In a row's own unit per
/// second.
double srs_dependent_speed(const struct srs_constraints *constraints, const srs_step_context *step,
                           const island *island);

/// Whether bilateral row i of the island is a loop's.
bool srs_holds_loop(const struct srs_constraints *constraints, const island *island, int i);

/// Records the rank and the least pivot of the island solved last, to detect change points.
void srs_record_pivot(struct srs_constraints *constraints, const island *island);

/// Checks that all bilateral rows hold. Call it where no certificate says so.
/// @return SRS_ERROR_MODEL, the row named, where one of them cannot hold together with the others
srs_status srs_check_bilateral(struct srs_constraints *constraints, const srs_step_context *step, const island *island);
