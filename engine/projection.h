// Back onto the loops: the configuration next to a given one in which they are closed. Internal.
#pragma once
#include "engine/closure.h"

/// Memory for one workspace, which is used as scratch.
typedef struct srs_projector srs_projector;

/// NULL in *projector where the model has no loops. Allocates; the workspace gets room for the rows.
srs_status srs_projector_create(srs_workspace *w, srs_projector **projector);
void srs_projector_destroy(srs_projector *projector);

/// q <- integrate(q, -M^-1 G^T (G M^-1 G^T)^+ Theta(q)) until |Theta| <= 1e-12 or rounding: the least correction in the
/// metric of kinetic energy. Allocates nothing; the links are placed at q afterwards.
/// @param q  nq, in and out; untouched on failure
/// @return SRS_OK, SRS_ERROR_SINGULAR (bad_v), or SRS_ERROR_UNREACHABLE: the loop srs_projection_loop stays open
srs_status srs_project_closures(srs_projector *projector, double time, double *q, int *bad_v);

/// The rows G of a step and its matrix G M^-1 G^T, with which the next srs_project_closures starts: the workspace's
/// pivots are those of that step still. Forget the last ones, then hand them in, rows that share no tree one after the
/// other.
/// @param rows    of all loops; they are looked at until the projection has ended
/// @param row     n: which of them, rising
/// @param W       of those n   @param stride  doubles from line to line
void srs_projector_forget(srs_projector *projector);
void srs_projector_take(srs_projector *projector, const srs_closure_row *rows, int n, const int *row, const double *W,
                        int stride);

/// v <- v - M^-1 G^T (G M^-1 G^T)^+ (G v - U) at q: the least change, in the metric of kinetic energy, after which v
/// moves along the loops. Where srs_project_closures has just moved q, the metric is that from before. Allocates
/// nothing.
/// @param v  nv, in and out
/// @return SRS_OK or SRS_ERROR_SINGULAR (bad_v)
srs_status srs_project_velocities(srs_projector *projector, double time, const double *q, double *v, int *bad_v);

/// Of the last projection of a configuration: the largest |gap| left, the loop that has it (-1 for none), and how often
/// gaps were computed.
double srs_projection_gap(const srs_projector *projector);
int srs_projection_loop(const srs_projector *projector);
int srs_projection_evaluations(const srs_projector *projector);
