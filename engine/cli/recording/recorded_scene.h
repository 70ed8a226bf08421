// The scene that a recording is of.
#pragma once
#include "engine/cli/recording/recording.h"
#include "engine/cli/shared/loading.h"

/// Opens the scene that the recording names, as its text was then, or another one.
/// @param given  its path; NULL: the recording's
/// @return SRS_EXIT_OK, SRS_EXIT_USAGE or SRS_EXIT_FAILED, reported
int srs_recording_open_scene(const srs_command *command, srs_loading *loading, const srs_recording *recording,
                             const char *given, srs_scene **scene);
