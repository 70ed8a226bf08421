// Constraint projection: moves configuration and velocity to the nearest ones that close the loops. Internal.
#pragma once
#include "contact/problem/bilateral.h"
#include "engine/loops/closure.h"

/// Memory for one workspace, which is used as scratch.
typedef struct srs_projector srs_projector;

/// Creates a projector; *projector is NULL where the model has no loops. Allocates; the workspace gets room for the
/// rows.
srs_status srs_projector_create(srs_workspace *w, srs_projector **projector);
void srs_projector_destroy(srs_projector *projector);

/// q <- integrate(q, -M^-1 G^T (G M^-1 G^T)^+ Theta(q)) until |Theta| <= 1e-12 or stagnation at rounding level: the
/// least correction in the metric of kinetic energy. Allocates nothing; leaves the links placed at q.
/// @param q  nq, in and out; untouched on failure
/// @return SRS_OK, SRS_ERROR_SINGULAR (bad_v), or SRS_ERROR_UNREACHABLE: the loop srs_projection_loop stays open
srs_status srs_project_closures(srs_projector *projector, double time, double *q, int *bad_v);

/// The diagonal of G M^-1 G^T, for rows in metres and rows in radians: the least nonzero entry and the largest; the
/// number of nonzero entries.
typedef struct srs_loop_diagonal {
  double least[2], most[2];
  int n;
} srs_loop_diagonal;

static inline srs_loop_diagonal srs_no_diagonal(void) { return (srs_loop_diagonal){.least = {INFINITY, INFINITY}}; }

static inline void srs_note_diagonal(srs_loop_diagonal *diagonal, bool is_angular, double entry)
{
  if (!(entry > 0)) return;
  diagonal->n++;
  diagonal->least[is_angular] = fmin(diagonal->least[is_angular], entry);
  diagonal->most[is_angular] = fmax(diagonal->most[is_angular], entry);
}

/// Whether no row depends on others or nearly so, and none hardly moves anything. Other rows depend on each other only
/// as well as the loops are closed.
bool srs_loops_are_well_conditioned(const srs_loop_diagonal *diagonal, int rank, double least);

/// Hands over the rows G of a step and the factor of G M^-1 G^T, for the next srs_project_closures to start with. Only
/// for well-conditioned rows, while the workspace still has the pivots of that step. Call srs_projector_forget before
/// each step.
/// @param rows  of all loops; must stay until the projection has ended
void srs_projector_forget(srs_projector *projector);
void srs_projector_take(srs_projector *projector, const srs_closure_row *rows, const srs_bilateral *factor);

/// v <- v - M^-1 G^T (G M^-1 G^T)^+ (G v - U) at q: the least change, in the metric of kinetic energy, after which v
/// keeps the loops closed. Where srs_project_closures has just moved q, the metric is that from before. Allocates
/// nothing.
/// @param v  nv, in and out
/// @return SRS_OK or SRS_ERROR_SINGULAR (bad_v)
srs_status srs_project_velocities(srs_projector *projector, double time, const double *q, double *v, int *bad_v);

/// Reports the last projection of a configuration: the largest remaining |gap|, its loop (-1 for none), and the number
/// of evaluations of the gaps.
double srs_projection_gap(const srs_projector *projector);
int srs_projection_loop(const srs_projector *projector);
int srs_projection_evaluations(const srs_projector *projector);
