// Compound links: the groups of links that embedded loops tie together. Internal.
//
// The links around embedded loops that share joints form one COMPOUND. Of its joints' rates v_c the user names
// independent ones y; the dependent ones follow: v_c = X(q) y, and dv_c/dt = X dy/dt + drift. The compound hangs on the
// link `base`, which is not part of it.
#pragma once
#include "engine/loops/closure.h"
#include "topology/base/arena.h"

typedef struct srs_compound {
  int base;          // the link it hangs on, -1: the world
  int first;         // its first link
  int closure;       // its first loop, for messages
  int n;             // coordinates
  int n_independent; // the independent ones among them
  int n_dependent;   // the dependent ones
  int n_rows;        // constraint rows of its loops
  int *v;            // n: indices of v, ascending
  int *independent;  // n_independent: places among these
  int *dependent;    // n_dependent
  int *column;       // n: a coordinate's place among dependent, or -1 - its place among independent
  int *rows;         // n_rows: places among all rows of loops
  double *X;         // n x n_independent
  double *drift;     // n
  double *G;         // n_rows x n_dependent, by columns: the loops' rows over the dependent coordinates
  double *G_old;     // the same at the step's start, to detect the passage of a singular configuration
  double *QR;        // the same: its QR factors
  double *right;     // n_rows x (n_independent + 1), by columns: right-hand sides
  double *beta;      // n_dependent: scale of each reflection
  double *parts;     // n_dependent: sum of the squares of all terms that a column's entries are sums of
  double *size;      // n_dependent: their square roots, in the order of the factors
  int *order;        // n_dependent: columns in pivoting order

  // Scratch of the recursions (compound_recursions.c).
  double *M;     // n x n: mass matrix of the joints, the base at rest
  double *D;     // n_independent squared: Cholesky factor of X^T M X, rows first, lower
  double *share; // n: generalised forces of the joints
  double *u;     // n_independent: their generalised forces, then their accelerations
  v6 *U;         // n: force on the base per unit acceleration of each joint
  v6 *V;         // n_independent: U X
} srs_compound;

struct srs_embedding {
  int n_compounds;
  bool holds_all;          // all loops are embedded, none is held by rows
  srs_compound *compounds; // n_compounds
  int *of_link;            // n_links: the link's compound, -1 for none
  int *place;              // nv: a coordinate's place in its compound's v
  int *tree;               // n_links: see srs_workspace
  srs_closure_row *loops;  // n_loop_rows
  double *bias;            // n_loop_rows
  double *step, *v, *dv;   // nv each
  double *q;               // nq
  v6 *impulse;             // n_links
  srs_arena arena;         // everything above
};
