// What torques and servos give in a step. Internal.
#pragma once
#include <stdbool.h>

typedef struct srs_actuation {
  double *force;             // nv: applied torques and servos, as they are if v stays
  double *change;            // nv: impulse that servos lose per velocity gained in the step
  double *effort;            // nv: what was given in the last step that was accepted
  double *loop_joint_effort; // n_closures: likewise, of loop joints
  bool are_rows;             // in the step under way: actuators with limits are in the problem, not in the mass matrix
} srs_actuation;
