// Which rows of loops a geometrically implicit step closes. Internal.
#pragma once
#include "engine/geometric/smooth_contact.h"

/// m or rad: a row with a larger gap is open.
static const double srs_closed_by_rows = 1e-10;

/// Gives the rows of loops that depend on others no impulse.
void srs_drop_dependent_rows(struct srs_geometric *geometric);

/// Whether a row that was dropped is open where the step ends; if so and the step has not been tried too often, the
/// next srs_drop_dependent_rows keeps the one that is open most.
bool srs_prefer_open_row(struct srs_geometric *geometric);
