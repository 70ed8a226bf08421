// Runs of a sweep on the cores of a machine, and on those of others.
#pragma once
#include "engine/cli/shared/command.h"
#include "engine/cli/sweep/rows_file.h"

/// How many processors this process may use.
int srs_sweep_processors(void);

/// Carries out runs from file->n_rows to end - 1 and adds their rows, in order, as they are complete. With several
/// ranks all call this at once; rank 0 has the file.
/// @param n_threads  that compute, on each rank   @param file  NULL on other ranks
/// @param was_interrupted  out   @return the first failure of the file
srs_status srs_sweep_schedule(const srs_command *command, const srs_sweep_plan *plan, int n_threads, long end,
                              srs_rows_file *file, bool *was_interrupted, srs_error *error);
