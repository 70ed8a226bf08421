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

/// Starts a step's part anew, from what was before the step: the work that its other parts took stays counted.
static inline void srs_restart_statistics(const srs_sim_statistics *before, srs_sim_statistics *s)
{
  const srs_sim_statistics worked = *s;
  *s = *before;
  s->step_work = worked.step_work, s->step_most_work = worked.step_most_work;
  s->work_max = worked.work_max, s->step_work_max = worked.step_work_max;
  s->most_work_max = worked.most_work_max, s->step_most_work_max = worked.step_most_work_max;
}

/// Counts a problem's work, and what that was bounded by. Problems that are solved again share the bound of the first.
static inline void srs_count_work(srs_sim_statistics *s, double work, double most_work, bool is_again)
{
  const double most = (is_again ? s->step_work : s->step_most_work) + most_work;
  s->step_work += work;
  if (most > s->step_most_work) s->step_most_work = most;
  if (work > s->work_max) s->work_max = work;
  if (most_work > s->most_work_max) s->most_work_max = most_work;
  if (s->step_work > s->step_work_max) s->step_work_max = s->step_work;
  if (s->step_most_work > s->step_most_work_max) s->step_most_work_max = s->step_most_work;
}
