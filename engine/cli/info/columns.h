// The columns that a trajectory of a scene can have.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/scene.h>

/// Prints a line for each: name, unit, axes.  @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_columns_print(const char *path, const srs_scene *scene);
