// Contacts at a state, as `sarrus eval` writes them.
#pragma once
#include "engine/cli/eval/query.h"
#include "engine/cli/shared/json.h"

/// The quantity `contacts`: the key "value" and all below.
srs_status srs_contacts_write(const srs_query *query, srs_json *json, srs_error *error);
