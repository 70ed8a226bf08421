// The memory of derivatives, which hangs on a workspace. Internal.
//
// A column S is the unit motion of one coordinate, [ang; lin] about its link's origin, world axes. Joints with several
// coordinates count as chains of joints with one (spherical: with three) between massless bodies. For column j, whose
// joint of that kind turns a body of spatial velocity V and acceleration A into one of V' and A':
//
//   psi = V x S,   psi2 = A x S + V x psi,   rate = psi + V' x S
//
// Spatial accelerations are those of the point that is at the origin, [alpha; a - w x v].
#pragma once
#include "engine/dynamics/workspace.h"

// A link and all that it carries, about the link's origin. B, the derivative of the velocity terms with respect to the
// velocity, is half of 2 [N 0; -p x 0] (outward.c).
typedef struct carried {
  body body;
  m3 N;      // see above
  v3 p;      // momentum
  v6 f;      // force that its motion needs, wrenches left out
  v6 wrench; // of external wrenches
  m3 R;      // of their forces: sum of (point of action) force^T
} carried;

struct srs_derivative_memory {
  v6 *S, *psi, *psi2, *rate;   // nv
  v6 *velocity, *acceleration; // n_links: spatial, about the origins
  carried *carried;            // n_links
  unsigned char *triple;       // nv: 1 + the coordinate's place among the three that turn together, 0 where alone
  int *parent_v;               // nv: the coordinate before it on the way to the root, -1
  double *rows;                // FORCE_ROWS + RESULT_ROWS, v_stride each
  double *square;              // nv x nv
  double *a;                   // nv: accelerations
  void *memory;
};

// Rows of forces of unit motions, and of results (sweep.c); each has v_stride numbers.
enum { T_MASS = 0, T_SPEED = 6, T_PLACE = 12, T_LEFT = 18, FORCE_ROWS = 21, RESULT_ROWS = 5 };

void srs_derivative_memory_destroy(struct srs_derivative_memory *memory);

/// Refuses, with the cure, where srs_workspace_reserve_derivatives has not been called.
srs_status srs_check_derivative_memory(srs_workspace *w);
