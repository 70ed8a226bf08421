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

// How a link of a compound moves, and how that changes in a direction s; all about its origin (embedded/loop_jets.c).
typedef struct srs_link_jet {
  v6 D;      // its motion along s
  v6 V, A;   // velocity and acceleration
  v6 Vs, As; // their rates along s
} srs_link_jet;

// Derivatives through embedded loops (embedded/motion.h); only where there are any.
typedef struct srs_embedded_memory {
  srs_link_jet *jets;             // n_links
  double *X, *dv_q, *da_q, *da_v; // nv x nv
  double *M;                      // nv x nv
  double *rows;                   // 18 x nv: matrices of frames
  double *v, *a, *force;          // nv: all coordinates' rates and accelerations, and forces on them
  double *direction, *change;     // nv
  double *right;                  // n_loop_rows x 2
} srs_embedded_memory;

// Coordinates one after the other on a path, at most four, with the same subtree.
typedef struct srs_run {
  int first, count;
  int end;    // of the coordinates that they carry
  int link;   // of the last one
  int parent; // link of the last coordinate before them, -1 for none
} srs_run;

enum { SRS_RUN = LANES, SRS_SOLVE_COLUMNS = 2 * LANES, SRS_LAST_COLUMNS = 2 * SRS_SOLVE_COLUMNS };

struct srs_derivative_memory {
  v6 *S, *psi, *psi2, *rate;   // nv
  v6 *velocity, *acceleration; // n_links: spatial, about the origins
  carried *carried;            // n_links
  unsigned char *triple;       // nv: 1 + the coordinate's place among the three that turn together, 0 where alone
  int *parent_v;               // nv: the coordinate before it on the way to the root, -1
  int *path_first;             // nv: the first of those that come one after the other on the way to it
  int n_runs;
  double *rows; // FORCE_ROWS of row_stride; coordinate 0 is at place SRS_ROW_FRONT
  size_t row_stride;
  srs_run *runs;         // n_runs
  double *last;          // nv x SRS_LAST_COLUMNS: columns of matrices, whole blocks
  double *at_forks;      // n_links x 6 x SRS_SOLVE_COLUMNS: forces or motions of links that carry several
  bool *forks;           // n_links: whether that is so
  unsigned char *active; // n_links: articulated_solve.c
  double *a;             // nv: accelerations
  srs_embedded_memory embedded;
  void *memory;
};

// Rows of forces of unit motions (sweep.c). Whole lanes end at a subtree's end, and may begin before coordinate 0.
enum { T_MASS = 0, T_SPEED = 6, T_PLACE = 12, T_LEFT = 18, FORCE_ROWS = 21, SRS_ROW_FRONT = LANES };

void srs_derivative_memory_destroy(struct srs_derivative_memory *memory);

/// Refuses, with the cure, where srs_workspace_reserve_derivatives has not been called.
srs_status srs_check_derivative_memory(srs_workspace *w);
