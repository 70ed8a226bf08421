// Embedded loops: the independent coordinates move them, the dependent ones keep them closed. Internal.
#pragma once
#include "engine/loops/compound.h"

/// Creates the embedding and adapts w->tree. *embedding is NULL where the model embeds no loop. Allocates.
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_embedding_create(srs_workspace *w, struct srs_embedding **embedding);
void srs_embedding_destroy(struct srs_embedding *embedding);

/// Whether loop i (closures first, then couplings) is embedded.
static inline bool srs_loop_is_embedded(const srs_model *m, int i)
{
  return i < m->n_closures && m->closures[i].is_embedded;
}

/// Closes the embedded loops by changing the dependent coordinates: Newton's method from q. Leaves the links placed
/// there.
/// @param q  nq, in and out; untouched on failure
/// @return SRS_OK, SRS_ERROR_UNREACHABLE or _MODEL, loop and joint named in w->error
srs_status srs_embedding_close(srs_workspace *w, double *q);

/// Finds X at a configuration with closed loops and places the links there. q NULL: where srs_embedding_close left
/// them.
/// @return SRS_OK, or SRS_ERROR_MODEL: the independent coordinates do not determine the others (or there are too many
///         of them), loop and joint named in w->error
srs_status srs_embedding_map(srs_workspace *w, const double *q);

/// Sets the dependent rates from the independent ones, by the last map.  @param v  nv, in and out
void srs_embedding_lift(const srs_workspace *w, double *v);

/// Finds the drift at rates from srs_embedding_lift, after srs_embedding_map at the same configuration.
void srs_embedding_drift(srs_workspace *w, const double *v);

/// Adds the last drift to accelerations from srs_embedding_lift.  @param a  nv, in and out
void srs_embedding_add_drift(const srs_workspace *w, double *a);

/// Map, lift and drift, at a configuration that closes the loops.  @param v  nv, in and out
srs_status srs_embedding_prepare(srs_workspace *w, const double *q, double *v);

/// Keeps the last map's G as that of the step's start, for srs_embedding_check_passage.
void srs_embedding_keep(srs_workspace *w);

/// Whether the motion from the kept configuration to that of the last map passed one in which the independent
/// coordinates do not determine the others: there det(G_old^T G) changes its sign.
/// @return SRS_OK or SRS_ERROR_MODEL, loop and joint named in w->error
srs_status srs_embedding_check_passage(srs_workspace *w);
