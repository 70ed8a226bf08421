// The checks of a batch's calls. Internal.
#pragma once
#include "engine/batch/memory.h"

/// Fills the batch's error and returns status.
srs_status srs_batch_fail(srs_batch *batch, srs_status status, const char *subject, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Checks the count, the pointers, and that q and v (NULL: not asked for) are finite.  @param out  must not be NULL
srs_status srs_batch_check(srs_batch *batch, int n, const double *q, const double *v, const void *out);

/// Refuses the first number of n states that is not finite.  @param what  "q"   @param size  numbers of a state
srs_status srs_batch_check_finite(srs_batch *batch, int n, const char *what, const double *x, int size);

/// The same of results, as SRS_ERROR_DIVERGED.  @param what  "the force"
srs_status srs_batch_check_result(srs_batch *batch, int n, const char *what, const double *x, int size);
