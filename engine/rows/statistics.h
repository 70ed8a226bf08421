// The statistics of a simulation: how they start, and how a problem that was not solved enters them. Internal.
#pragma once
#include <sarrus/simulation.h>

#include <math.h>

/// Before the first step.
static inline srs_sim_statistics srs_no_statistics(void) { return (srs_sim_statistics){.first_failure_time = NAN}; }

/// Counts a problem that ended above the tolerance.
/// @param time      s: the start of its step
/// @param residual  scaled natural map
static inline void srs_count_failure(srs_sim_statistics *statistics, double time, double residual)
{
  if (statistics->failures++ == 0) statistics->first_failure_time = time;
  if (!(residual <= statistics->failure_residual_max)) statistics->failure_residual_max = residual;
}
