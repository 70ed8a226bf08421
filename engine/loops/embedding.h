// Loops that are embedded: which joints move as one, and how. Internal.
//
// The links round the embedded loops that share joints are one COMPOUND. Of its joints' rates v_c the independent ones
// y are named, the others follow: v_c = X(q) y, and dv_c/dt = X dy/dt + drift. The compound hangs on `base`, which is
// none of its links.
#pragma once
#include "engine/loops/closure.h"
#include "topology/base/arena.h"

typedef struct srs_compound {
  int base;      // link that it hangs on, -1: the world
  int first;     // the first of its links
  int closure;   // the first of its loops, for messages
  int n;         // coordinates
  int n_free;    // of them, independent
  int n_held;    // the others
  int n_rows;    // of its loops
  int *v;        // n: indices of v, rising
  int *free;     // n_free: places among these
  int *held;     // n_held
  int *column;   // n: a coordinate's place among held, or -1 - its place among free
  int *rows;     // n_rows: among all rows of loops
  double *X;     // n x n_free
  double *drift; // n
  double *G;     // n_rows x n_held, column by column: the loops' rows over the coordinates that follow
  double *G_old; // the same, kept to tell whether a singular configuration was passed
  double *QR;    // the same: its factors
  double *right; // n_rows x (n_free + 1), column by column: right-hand sides
  double *beta;  // n_held: of the reflections
  double *parts; // n_held: squares of what a column's entries are sums of
  double *size;  // n_held: their roots, in the order of the factors
  int *order;    // n_held: columns as they were taken

  // Of the recursions (compound.c).
  double *M;     // n x n: what joints resist each other with, the base at rest
  double *D;     // n_free x n_free: Cholesky factor of X^T M X, rows first, lower
  double *share; // n: generalised forces of the joints
  double *u;     // n_free: those of the independent ones, then their accelerations
  v6 *U;         // n: force on the base of each joint's unit acceleration
  v6 *V;         // n_free: U X
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

/// NULL in *embedding where the model embeds no loop; else w->tree is changed. Allocates.
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_embedding_create(srs_workspace *w, struct srs_embedding **embedding);
void srs_embedding_destroy(struct srs_embedding *embedding);

/// Whether loop i (closures first, then couplings) is embedded.
static inline bool srs_loop_is_embedded(const srs_model *m, int i)
{
  return i < m->n_closures && m->closures[i].is_embedded;
}

/// Closes the embedded loops by the coordinates that follow: Newton's method from q. The links are placed there.
/// @param q  nq, in and out; untouched on failure
/// @return SRS_OK, SRS_ERROR_UNREACHABLE or _MODEL, loop and joint named in w->error
srs_status srs_embedding_close(srs_workspace *w, double *q);

/// X at a configuration that closes the loops; the links are placed there. q NULL: where srs_embedding_close left them.
/// @return SRS_OK, or SRS_ERROR_MODEL: the independent coordinates do not say where the others are (or there are too
///         many of them), loop and joint named in w->error
srs_status srs_embedding_map(srs_workspace *w, const double *q);

/// The rates that follow, from the independent ones, by the last map.  @param v  nv, in and out
void srs_embedding_lift(const srs_workspace *w, double *v);

/// The drift at rates that srs_embedding_lift made, after srs_embedding_map at the same configuration.
void srs_embedding_drift(srs_workspace *w, const double *v);

/// Adds the last drift to accelerations that srs_embedding_lift made.  @param a  nv, in and out
void srs_embedding_add_drift(const srs_workspace *w, double *a);

/// All three, at a configuration that closes the loops.  @param v  nv, in and out
srs_status srs_embedding_prepare(srs_workspace *w, const double *q, double *v);

/// The configuration of the last map is one from which the motion goes on …
void srs_embedding_keep(srs_workspace *w);

/// … to that of the last map: whether it passed one where the independent coordinates do not determine the others.
/// Such a passage turns det(G_old^T G) to below zero.
/// @return SRS_OK or SRS_ERROR_MODEL, loop and joint named in w->error
srs_status srs_embedding_check_passage(srs_workspace *w);

/// The passes of forward dynamics in and out, after srs_embedding_map and _drift, for bodies whose inertias and forces
/// have been started.  @param bad_v  out, with SRS_ERROR_SINGULAR
srs_status srs_compound_solve(srs_workspace *w, const double *tau, const double *extra, double *a, int *bad_v);

/// As srs_respond.
void srs_compound_respond(srs_workspace *w, v6 *impulse, const double *tau, double *dv);

/// Lambda of rows that all lie on the tree (srs_workspace) with this root, a response a row: O(n_rows * links).
/// By the pivots that srs_compound_solve left.
void srs_compound_lambda(srs_workspace *w, int tree, const srs_row *rows, int n_rows, double *lambda);

/// The rows of a compound's loops at the links' places: G into c->G, and -G of the independent coordinates into the
/// first n_free right-hand sides.
void srs_compound_fill_rows(const srs_workspace *w, srs_compound *c);

/// Factors G (compound_rows.c).  @return the place among `held` of a coordinate that is not determined; -1: all are
int srs_compound_factor(srs_compound *c);

/// G x = right by least squares.  @param right  n_rows, in; out: x in its first entries, in the order of the factors
/// @return the length of what is not met, as a share
double srs_compound_follow(const srs_compound *c, double *right);

/// The smallest x with G^T x = right.  @param right  n_rows, in: n_held entries in the order of the factors; out: x
void srs_compound_loads(const srs_compound *c, double *right);
