// Creation and release of a workspace's memory. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// Takes the memory for a model. srs_workspace_create (engine/loops/mechanism.c) adds what embedded loops need.
/// Allocates.
srs_status srs_workspace_take(const srs_model *model, srs_workspace **workspace, srs_error *error);
void srs_workspace_release(srs_workspace *workspace);
