// What the functions of a contact method work in. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/iterate/polyhedral.h"
#include "contact/iterate/relaxation.h"

/// The problem and the settings are in the fallback's state, and the answer goes there.
typedef struct srs_method_parts {
  srs_fallback *fallback;
  srs_polyhedral *polyhedral;
  srs_relaxation *relaxation;
} srs_method_parts;
