// The cone problem of a large problem, given by blocks. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/problem/scaling.h"

// Immobile rows without demand are left out; so are tangents without friction.
typedef struct srs_large_cone {
  int most_rows, most_nodes;
  size_t most_blocks, most_values, most_fill, room; // room: doubles of elimination
  bool is_short;                                    // the last problem had more fill-in than there is room for
  const srs_contact_problem *problem;
  srs_fallback fallback; // the problem, packed, is in fallback.cone
  srs_sparse pattern;    // its nodes: contacts, unilateral and box rows, bilateral rows
  int *kept, *node;      // pattern.n: which row of the problem each row here is; n_nodes: which block row each node is
  int *place;            // block rows of the problem: which node each is here; -1: none
  int *first;            // n_contacts + 1
  double *unit;          // rows of the problem
  double unit_size;
  double *warm; // rows
  int *integers;
  double *doubles;
} srs_large_cone;

/// Memory, as of srs_interior_reserve (contact/large/interior_point.h).
bool srs_large_cone_reserve(srs_large_cone *large, int n_rows, int n_nodes, size_t n_blocks, size_t n_values);
void srs_large_cone_release(srs_large_cone *large);

/// Takes over a problem, and sets the tolerances of its fallback.
/// @return false where there is no room
bool srs_large_cone_begin(srs_large_cone *large, const srs_contact_problem *problem, const double *scale, double size,
                          double tolerance);

/// Whether any contact has more than one tangent.
bool srs_large_cone_has_planes(const srs_large_cone *large);

/// Impulses of the problem to those of the cone problem, and back (zero where rows are left out).
void srs_large_cone_gather(const srs_large_cone *large, const double *impulse, double *x);
void srs_large_cone_spread(const srs_large_cone *large, const double *x, double *impulse);
