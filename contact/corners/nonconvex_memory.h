// Memory of the solver of nonconvex contact problems. Internal.
#pragma once
#include "contact/corners/nonconvex_lcp.h"
#include "contact/problem/problem.h"
#include <sarrus/nonconvex.h>

enum { SRS_CORNER_WALK = 24 }; // choices that are remembered

/// Shapes: n_rows, n_groups, n_sides of the capacity.
struct srs_nonconvex_solver {
  srs_nonconvex_capacity capacity;
  double *memory;
  int *indices;
  unsigned char *marks;
  srs_contact_solver *inner;
  struct srs_summation *summation; // NULL: without
  // The problem that is left when sides are chosen.
  double *W, *b, *friction, *anisotropy, *rolling, *x; // n_rows^2, n_rows, n_rows, 3 n_rows, n_rows, n_rows
  unsigned char *tangents;                             // n_rows
  int *row;                                            // n_rows: which row of the whole each is
  // The whole problem.
  int *normal;                               // n_rows: contacts' normal rows
  int *group_of;                             // n_rows: contacts' groups, -1: none
  double *scale, *impulse, *best, *velocity; // n_rows
  double *gap;                               // n_sides: w_n of each side
  unsigned char *is_on;                      // n_sides: chosen
  unsigned char *seen;                       // SRS_CORNER_WALK x n_sides
  int *stack, *next;                         // n_groups: groups in the order in which they were decided; how many
                                             // of its sides were tried
  int *order;                                // n_sides: each group's sides in the order in which they are tried
  unsigned char *is_decided, *is_on_at_best; // n_groups, n_sides
};
