// The page that `sarrus run --view` writes beside its trajectory.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

/// Refuses where pages cannot be written, and names the trajectory where nothing else does: as the scene, in the
/// working directory.
/// @param output  in and out: the trajectory's path, NULL for none   @param own  out: its memory where it is named here
/// @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_run_prepare_page(const char *scene, const char **output, char **own);

/// Writes the page of a finished trajectory, and opens it where there is a display.
/// @param is_aside  stdout belongs to another   @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_run_show(const srs_command *command, const srs_scene *scene, const char *output, bool is_aside);
