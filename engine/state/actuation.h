// Forces of the actuators (torques and servos) over a step. Internal.
#pragma once
#include <stdbool.h>

typedef struct srs_actuation {
  double *force;             // nv: applied torques and servos, if v stays
  double *change;            // nv: impulse that servos lose per velocity gained in the step
  double *effort;            // nv: effort exerted in the last accepted step
  double *loop_joint_effort; // n_closures: likewise, of loop joints
  bool are_rows; // in the step under way, actuators with limits are constraint rows and not in the mass matrix
} srs_actuation;
