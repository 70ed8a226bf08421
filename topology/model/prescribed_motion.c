// Prescribed motions: position and rate as functions of time.
#include "topology/model/prescribed_motion.h"

#include <math.h>
#include <string.h>

const char *srs_motion_kind_name(srs_motion_kind kind)
{
  static const char *const names[SRS_MOTION_KINDS] = {"none", "rate", "sine", "table", "function"};
  return (unsigned)kind < SRS_MOTION_KINDS ? names[kind] : NULL;
}

// Linear between the points, constant outside.
static double table_at(const srs_motion *m, double time, double *rate)
{
  const int n = m->n_points;
  *rate = 0;
  if (time < m->times[0]) return m->values[0];
  if (time >= m->times[n - 1]) return m->values[n - 1];
  int low = 0, high = n - 1; // times[low] <= time < times[high]
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (m->times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  *rate = (m->values[high] - m->values[low]) / (m->times[high] - m->times[low]);
  return m->values[low] + *rate * (time - m->times[low]);
}

double srs_motion_at(const srs_motion *m, double time, double *rate)
{
  double speed = 0, travel = 0;
  switch (m->kind) {
  case SRS_MOTION_NONE: break;
  case SRS_MOTION_RATE:
    speed = m->rate;
    travel = m->rate * time;
    break;
  case SRS_MOTION_SINE:
    speed = m->amplitude * m->frequency * cos(m->frequency * time + m->phase);
    travel = m->amplitude * sin(m->frequency * time + m->phase);
    break;
  case SRS_MOTION_TABLE: travel = table_at(m, time, &speed); break;
  case SRS_MOTION_FUNCTION: travel = m->function(m->context, time, &speed); break;
  }
  if (rate != NULL) *rate = speed;
  return m->kind == SRS_MOTION_NONE ? 0 : m->start + travel;
}

srs_motion srs_motion_copy(srs_arena *arena, const srs_motion *motion)
{
  srs_motion copy = *motion;
  if (motion->kind != SRS_MOTION_TABLE) {
    copy.times = copy.values = NULL;
    copy.n_points = 0;
    return copy;
  }
  const size_t n = (size_t)motion->n_points;
  double *times = srs_arena_take(arena, n, sizeof *times), *values = srs_arena_take(arena, n, sizeof *values);
  copy.times = times, copy.values = values;
  if (times == NULL || values == NULL) return copy;
  memcpy(times, motion->times, n * sizeof *times);
  memcpy(values, motion->values, n * sizeof *values);
  return copy;
}

static srs_status check_table(const srs_motion *m, const char *title, const char *name, srs_place place,
                              srs_error *error)
{
  if (m->n_points < 2 || m->times == NULL || m->values == NULL)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, name,
                       "%s '%s': the table of its motion needs 2 points or more", title, name);
  for (int i = 0; i < m->n_points; i++) {
    if (!isfinite(m->times[i]) || !isfinite(m->values[i]))
      return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, name, "%s '%s': point %d of its motion is not finite",
                         title, name, i);
    if (i > 0 && !(m->times[i] > m->times[i - 1]))
      return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, name,
                         "%s '%s': the times of its motion must rise, here %g s comes after %g s", title, name,
                         m->times[i], m->times[i - 1]);
  }
  return SRS_OK;
}

srs_status srs_check_motion(const srs_motion *m, const char *title, const char *name, srs_place place, srs_error *error)
{
  if ((unsigned)m->kind >= SRS_MOTION_KINDS)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, name, "%s '%s': there is no motion %d", title, name,
                       (int)m->kind);
  const bool is_rate = m->kind == SRS_MOTION_RATE, is_sine = m->kind == SRS_MOTION_SINE;
  const double numbers = (m->kind != SRS_MOTION_NONE ? m->start : 0) + (is_rate ? m->rate : 0) +
                         (is_sine ? m->amplitude + m->frequency + m->phase : 0);
  if (!isfinite(numbers))
    return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, name, "%s '%s': a number of its motion is not finite", title,
                       name);
  if (m->kind == SRS_MOTION_FUNCTION && m->function == NULL)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, name, "%s '%s': the function of its motion is NULL", title,
                       name);
  return m->kind == SRS_MOTION_TABLE ? check_table(m, title, name, place, error) : SRS_OK;
}
