// Writes a model as a scene. Internal.
#pragma once
#include "topology/save/save_text.h"

/// Adds the whole file to the text; notes what a scene cannot say.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED (a motion that is a function of the program) or _MEMORY
srs_status srs_save_scene(srs_save *save);
