// Embedded loops: closed by the coordinates that follow, moved by the independent ones. Internal.
#pragma once
#include "engine/loops/compound.h"

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
