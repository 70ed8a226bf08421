// The passes of the articulated-body algorithm for trees; engine/loops/mechanism.h combines them. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

/// The first outward pass: placements, velocities, and the forces that links need while no joint accelerates;
/// articulated inertias start as the links' own.
void srs_forward_start(srs_workspace *w, const double *q, const double *v, const double *wrenches);

/// The passes in and out: (M + diag(extra)) a = tau - c + J^T f.  @param tau  nv, NULL for zeros   @param extra  nv
/// @param bad_v  out, with SRS_ERROR_SINGULAR: the coordinate that nothing resists
srs_status srs_tree_solve(srs_workspace *w, const double *tau, const double *extra, double *a, int *bad_v);

/// As srs_respond (engine/loops/mechanism.h), by the pivots that srs_tree_solve left.
void srs_tree_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv);

/// srs_forward_start and srs_tree_solve at other velocities, for one tree: where its links are, by the pivots that are
/// there.
void srs_tree_solve_again(srs_workspace *w, int root, const double *v, const double *wrenches, const double *tau,
                          double *a);

/// Checks the arguments of srs_forward_dynamics.
srs_status srs_check_forward_call(srs_workspace *w, const double *q, const double *v, const double *tau,
                                  const double *wrenches, const double *a);

/// Copies the solution from scratch_v to a, or says in w->error why there is none.
srs_status srs_forward_answer(srs_workspace *w, srs_status status, int bad_v, double *a);
