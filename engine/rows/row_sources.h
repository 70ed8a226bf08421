// The sources of a step's scalar rows, in one table. Internal.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"

/// How many scalar rows, slots and coordinates with rows the mechanism can have, from every source.
srs_status srs_count_rows(struct srs_constraints *constraints, const srs_model *model, const srs_sim_options *options,
                          srs_error *error);

/// Appends the scalar rows of a step that would reach v_free without them, source by source.
void srs_fill_rows(struct srs_constraints *constraints, const srs_step_context *step, const double *v_free);
