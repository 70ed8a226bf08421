// Model-specific C: the recursions of one model as straight-line C99 that needs only <math.h>. Internal; the command
// `sarrus generate` calls it. docs/generate.md is for users.
#pragma once
#include "engine/generate/options.h"

/// Writes FOLDER/PREFIX_dynamics.h, .c and PREFIX_dynamics_test.c, each whole or not at all; makes the folder. Loops
/// of couplings are left open, as everywhere in dynamics.h. Allocates.
/// @param costs  SRS_GENERATED_FUNCTIONS, out; zeros for functions that were not asked for
/// @return SRS_OK; SRS_ERROR_UNSUPPORTED: the model has loop closures (the first is named) or nothing moves;
///         SRS_ERROR_SINGULAR: forward dynamics is asked for where nothing resists a joint; SRS_ERROR_ARGUMENT: the
///         prefix; SRS_ERROR_FILE; SRS_ERROR_MEMORY
srs_status srs_generate(const srs_model *model, const char *folder, const srs_generate_options *options,
                        srs_generated_cost *costs, srs_error *error);

/// The functions that a model has, a bit each: all, or all but forward dynamics where nothing resists a joint in any
/// configuration.
unsigned srs_functions_of(const srs_model *model);
