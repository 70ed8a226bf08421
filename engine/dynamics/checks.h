// Checks of arguments, and the errors that a workspace keeps. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

static inline bool srs_axes_known(srs_axes axes) { return axes == SRS_AXES_WORLD || axes == SRS_AXES_LOCAL; }

/// Index of the first entry that is NaN or infinite, -1 when there is none.
int srs_first_not_finite(const double *x, int n);

/// Refuses non-finite input and names the entry in w->error. what: "q", "v", …
srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n);

/// Fills w->error and returns status.
srs_status srs_workspace_fail(srs_workspace *w, srs_status status, const char *subject, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Fills w->error with the joint that nothing resists.
srs_status srs_workspace_singular(srs_workspace *w, int v_index);
