// Checks of one closure or coupling by itself. Internal.
#pragma once
#include "topology/base/errors.h"
#include <sarrus/topology.h>

/// What it cleans (unit axes, exact rotations) is written back.
srs_status srs_check_closure(srs_closure_def *def, srs_place place, srs_error *error);
srs_status srs_check_coupling(const srs_coupling_def *def, srs_place place, srs_error *error);
