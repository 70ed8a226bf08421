// Derivatives, the Coriolis and the centroidal momentum matrix at a state, as `sarrus eval` writes them.
#pragma once
#include "engine/cli/eval/query.h"
#include "engine/cli/shared/json.h"

/// The quantities of these names: the key "value" and all below.
srs_status srs_write_inverse_dynamics_derivatives(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_forward_dynamics_derivatives(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_frame_derivatives(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_coriolis_matrix(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_centroidal_momentum_matrix(const srs_query *query, srs_json *json, srs_error *error);
