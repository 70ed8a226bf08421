// Names of scalar rows in messages. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// The name of the loop or the coordinate that a row acts on.
const char *srs_scalar_owner(const srs_model *model, const scalar_row *scalar);

/// "upper limit of 'elbow'".  @return text
const char *srs_scalar_title(const srs_model *model, const scalar_row *scalar, char text[96]);
