// Checks of arguments, and the errors that a workspace keeps. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

static inline bool srs_axes_known(srs_axes axes) { return axes == SRS_AXES_WORLD || axes == SRS_AXES_LOCAL; }

/// Index of the first entry that is NaN or infinite, -1 when there is none.
int srs_first_not_finite(const double *x, int n);

/// Refuses non-finite input and names the entry in w->error. what: "q", "v", …
srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n);

/// The same of q, v and a at once.
srs_status srs_check_all_finite(srs_workspace *w, const double *q, const double *v, const double *a);

/// Fills w->error and returns status.
srs_status srs_workspace_fail(srs_workspace *w, srs_status status, const char *subject, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Why the pivots at hand end at a coordinate, in words that name the joint.  @param text  out
/// @return SRS_ERROR_SINGULAR, or SRS_ERROR_DIVERGED where numbers have overflowed
srs_status srs_singular_cause(const srs_workspace *w, int v_index, char text[320]);

/// Fills w->error with that.
srs_status srs_workspace_singular(srs_workspace *w, int v_index);

// Refuse results that are not finite though the arguments were, as SRS_ERROR_DIVERGED with what has overflowed.

/// nv numbers of coordinates.  @param what  "the force"
srs_status srs_check_coordinates(srs_workspace *w, const char *what, const double *x);

/// A matrix of nv x nv, a row at a time, so that the coordinate is named.
srs_status srs_check_rows(srs_workspace *w, const char *what, const double *matrix);

/// Of the mechanism as a whole.  @param what  "the energy"
srs_status srs_check_whole(srs_workspace *w, const char *what, const double *x, int n);

/// Of a frame or a loop.  @param what  "the gap"
srs_status srs_check_named(srs_workspace *w, const char *what, const char *name, const double *x, int n);

/// Name of the link that moves fastest, or of the first whose speed is not finite; after srs_move_links.
const char *srs_fastest_link(const srs_workspace *w);

/// Of the links: their positions, from level 2 their velocities, from 3 their accelerations.
srs_status srs_check_links(srs_workspace *w, int level);
