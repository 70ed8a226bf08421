// A path to the answer through the modes of planar contacts. Internal. Mathematics: mode_path.c.
#pragma once
#include "contact/iterate/proximal.h"

/// Whether no contact has more than one tangent.
bool srs_is_planar(const srs_cone_problem *cone);

typedef enum srs_mode_end {
  SRS_MODE_ARRIVES, // z solves the softened problem
  SRS_MODE_PARTLY,  // but for some contacts, where r is as it was at the start
  SRS_MODE_LOST,
} srs_mode_end;

/// Follows the path from z towards a solution of the problem softened by rho around the impulses of z. The problem is
/// sparse.
/// @param most   changes of modes on one path; each costs a solve
/// @param z      n, in: anything; out: the end of the path
/// @param changes  in and out: adds up
srs_mode_end srs_mode_path(const srs_proximal *proximal, double rho, int most, double *z, int *changes);
