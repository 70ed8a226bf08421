// The contacts of a film. Internal.
#pragma once
#include "engine/cli/view/frames.h"

/// Finds pairs and contacts of the film's frames.  @return false: out of memory
bool srs_film_add_contacts(srs_film *film);
