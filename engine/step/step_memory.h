// Memory of the step under way. Internal.
#pragma once

typedef struct srs_step_memory {
  double *q_next, *v_next; // nq, nv: where the step comes to
  double *q_mid;           // nq
  double *force, *extra;   // nv: what acts on the coordinates, and its linear change beside the mass matrix
  double *a;               // nv
  double *error_v;         // nv: distance from a reference
  double *mean_v;          // nv
  double *embedded_v;      // nv: v at the matrices' configuration, where loops are embedded
  double *lifted_bias;     // nv: as embedded_v, of the velocity that c takes
  double *stage[8];        // nv each: of Runge and Kutta's, the rates of q and v
  double *link_wrench;     // n_links x 6
  double *mean_a;          // nv: what the step changes v by, over dt
  const double *bias_v;    // nv: the velocity whose terms c the step took
} srs_step_memory;
