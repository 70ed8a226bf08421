// A sim's own parameters, for the sim itself. Internal.
#pragma once
#include <sarrus/parameters.h>

/// Keeps those of the options, which srs_restore_parameters returns to.
void srs_keep_first_parameters(srs_sim *sim);

/// Returns to the parameters of model and options.
void srs_restore_parameters(srs_sim *sim);

/// Takes over those of another sim of the same model and options.
void srs_copy_parameters(const srs_sim *from, srs_sim *to);

/// A fingerprint of the model with these parameters and of the shapes' materials.
uint64_t srs_parameter_fingerprint(const srs_sim *sim);
