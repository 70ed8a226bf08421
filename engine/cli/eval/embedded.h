// Derivatives through embedded loops, over the independent coordinates, as `sarrus eval` writes them.
#pragma once
#include "engine/cli/eval/query.h"
#include "engine/cli/shared/json.h"

/// The quantities embedded-...: the key "value" and all below.
srs_status srs_write_embedded_motion(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_embedded_inverse_dynamics(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_embedded_forward_dynamics(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_embedded_frames(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_embedded_coriolis(const srs_query *query, srs_json *json, srs_error *error);
srs_status srs_write_embedded_momentum(const srs_query *query, srs_json *json, srs_error *error);
