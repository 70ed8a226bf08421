// How an actuator with an effort or velocity limit acts in a step. Internal. Mathematics: joint_rows.c.
#pragma once
#include "engine/rows/constraints.h"

/// @param impulse  of the actuator over the step if v stays   @param change  how much less of it per velocity
actuator_plan srs_plan_actuator(const joint_coordinate *coordinate, double h, double v, double impulse, double change);

/// Whether an impulse of the actuator that leads to v_next is more than it may give.
bool srs_actuator_exceeds(const joint_coordinate *coordinate, double h, double impulse, double v_next);
