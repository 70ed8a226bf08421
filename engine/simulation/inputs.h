// Checks of the caller's inputs. Internal.
#pragma once
#include <sarrus/engine.h>

/// Refuses values that are not finite, by name.
srs_status srs_sim_check_finite(srs_sim *sim, const char *what, const double *x, int n, srs_error *error);

/// Whether all quaternions of q have unit length within 1e-6; the error names the joint and the length.
srs_status srs_check_quaternions(const srs_model *model, const double *q, srs_error *error);

/// Copies q with its quaternions normalised.  @param out  nq
srs_status srs_sim_normalized_configuration(srs_sim *sim, const double *q, double *out, srs_error *error);
