// `sarrus check MODEL`: what a file says, what became of it, and what is odd. Internal.
#pragma once
#include "engine/cli/shared/loading.h"

/// @return the exit status: refused 1; with strictness 1 where anything was changed, ignored or is doubtful; else 0
int srs_report_model(srs_command *command, srs_loading *loading, const char *path, bool lists_all, bool is_json);
