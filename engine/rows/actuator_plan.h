// Plan of an actuator with an effort or velocity limit over a step. Internal. Mathematics: joint_rows.c.
#pragma once
#include "engine/rows/constraints.h"

/// Plans an actuator over a step of h.
/// @param impulse  of the actuator over the step if v stays   @param change  impulse lost per velocity gained
actuator_plan srs_plan_actuator(const joint_coordinate *coordinate, double h, double v, double impulse, double change);

/// Whether an impulse of the actuator that leads to v_next exceeds its limits.
bool srs_actuator_exceeds(const joint_coordinate *coordinate, double h, double impulse, double v_next);
