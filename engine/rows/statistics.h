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

/// At the start of a step.
static inline void srs_start_work(srs_sim_statistics *statistics)
{
  statistics->step_work = statistics->step_most_work = 0;
}

/// Counts a problem's work, and what that was bounded by.
static inline void srs_count_work(srs_sim_statistics *s, double work, double most_work)
{
  s->step_work += work, s->step_most_work += most_work;
  if (work > s->work_max) s->work_max = work;
  if (most_work > s->most_work_max) s->most_work_max = most_work;
  if (s->step_work > s->step_work_max) s->step_work_max = s->step_work;
  if (s->step_most_work > s->step_most_work_max) s->step_most_work_max = s->step_most_work;
}
