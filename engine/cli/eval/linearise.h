// The linearised step at a state, as `sarrus eval` writes it.
#pragma once
#include "engine/cli/eval/query.h"
#include "engine/cli/shared/json.h"

/// The quantity `linearise`: the key "value" and all below.
srs_status srs_linearise_write(const srs_query *query, srs_json *json, srs_error *error);
