// The inside of a simulation, for tests that look at its parts.
#pragma once
#include "engine/geometric/smooth_contact.h"
#include "engine/rows/constraints.h"
#include "engine/step/simulation.h"
