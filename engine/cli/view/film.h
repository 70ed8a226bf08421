// A run as a page shows it: where each body is from time to time, how it moves, and what touches it. Internal.
#pragma once
#include "engine/cli/view/frames.h"

/// Takes every so-manieth row of a recording, the last one too. Allocates.
/// @param every  0: as many rows as a page carries well
/// @return SRS_OK; SRS_ERROR_NAME where the recording has no column for a coordinate of the model; SRS_ERROR_MEMORY
srs_status srs_film_make(const srs_model *model, const srs_recording *recording, int every, srs_film *film,
                         srs_error *error);
void srs_film_free(srs_film *film);
