// Writes a model as URDF. Internal.
#pragma once
#include "topology/save/save_text.h"

/// Adds the whole file to the text; notes what URDF cannot say.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED (a kind of joint that URDF does not have) or _MEMORY
srs_status srs_save_urdf(srs_save *save);
