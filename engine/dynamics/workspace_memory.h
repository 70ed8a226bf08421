// Where the memory of a workspace comes from. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// Memory for a model without embedded loops, which srs_workspace_create (engine/loops/mechanism.c) adds. Allocates.
srs_status srs_workspace_take(const srs_model *model, srs_workspace **workspace, srs_error *error);
void srs_workspace_release(srs_workspace *workspace);
