// Compound links: what embedded loops are made of. Internal.
//
// The links round the embedded loops that share joints are one COMPOUND. Of its joints' rates v_c the independent ones
// y are named, the others follow: v_c = X(q) y, and dv_c/dt = X dy/dt + drift. The compound hangs on `base`, which is
// none of its links.
#pragma once
#include "engine/loops/closure.h"
#include "topology/base/arena.h"

typedef struct srs_compound {
  int base;          // link that it hangs on, -1: the world
  int first;         // the first of its links
  int closure;       // the first of its loops, for messages
  int n;             // coordinates
  int n_independent; // of them, independent
  int n_dependent;   // the others
  int n_rows;        // of its loops
  int *v;            // n: indices of v, rising
  int *independent;  // n_independent: places among these
  int *dependent;    // n_dependent
  int *column;       // n: a coordinate's place among held, or -1 - its place among free
  int *rows;         // n_rows: among all rows of loops
  double *X;         // n x n_independent
  double *drift;     // n
  double *G;         // n_rows x n_dependent, column by column: the loops' rows over the coordinates that follow
  double *G_old;     // the same, kept to tell whether a singular configuration was passed
  double *QR;        // the same: its factors
  double *right;     // n_rows x (n_independent + 1), column by column: right-hand sides
  double *beta;      // n_dependent: of the reflections
  double *parts;     // n_dependent: squares of what a column's entries are sums of
  double *size;      // n_dependent: their roots, in the order of the factors
  int *order;        // n_dependent: columns as they were taken

  // Of the recursions (compound.c).
  double *M;     // n x n: what joints resist each other with, the base at rest
  double *D;     // n_independent x n_independent: Cholesky factor of X^T M X, rows first, lower
  double *share; // n: generalised forces of the joints
  double *u;     // n_independent: those of the independent ones, then their accelerations
  v6 *U;         // n: force on the base of each joint's unit acceleration
  v6 *V;         // n_independent: U X
} srs_compound;

struct srs_embedding {
  int n_compounds;
  bool holds_all;          // no loop is left to rows
  srs_compound *compounds; // n_compounds
  int *of_link;            // n_links: the link's compound, -1 for none
  int *place;              // nv: a coordinate's place in its compound
  int *tree;               // n_links: see srs_workspace
  srs_closure_row *loops;  // n_loop_rows
  double *bias;            // n_loop_rows
  double *step, *v, *dv;   // nv each
  double *q;               // nq
  v6 *impulse;             // n_links
  srs_arena arena;         // everything above
};
