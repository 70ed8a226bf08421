// Checks of the caller's inputs. Internal.
#pragma once
#include <sarrus/engine.h>

/// Refuses values that are not finite, by name.
srs_status srs_sim_check_finite(srs_sim *sim, const char *what, const double *x, int n, srs_error *error);

/// Whether all quaternions of q have unit length within 1e-6; the error names the joint and the length.
srs_status srs_check_quaternions(const srs_model *model, const double *q, srs_error *error);

/// Copies q with its quaternions normalised.  @param out  nq
srs_status srs_sim_normalized_configuration(srs_sim *sim, const double *q, double *out, srs_error *error);

/// Makes the motions of loops what their targets say, or the model's where there is none; after inputs were copied.
void srs_set_targets(srs_sim *sim);

/// All inputs as numbers in a fixed order: what is set at all, torques, wrenches, servo, actuators of loop joints.
size_t srs_sim_input_count(const srs_sim *sim);

/// One of them, to read or to set.  @param i  below srs_sim_input_count
double *srs_sim_input(srs_sim *sim, size_t i);
