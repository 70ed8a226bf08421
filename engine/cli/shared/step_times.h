// How long steps took: the median, the time that 99.99 % stay below, the worst. Adding one costs no memory.
#pragma once

enum { SRS_STEP_TIME_BITS = 6, SRS_STEP_TIME_BINS = (64 - SRS_STEP_TIME_BITS) << SRS_STEP_TIME_BITS };

/// Start with all zero.
typedef struct srs_step_times {
  long bins[SRS_STEP_TIME_BINS];
  long count;
  long long worst; // ns
} srs_step_times;

void srs_step_times_add(srs_step_times *times, long long nanoseconds);

/// The time in ns below or at which the given part of the steps stayed, within 1.6 %; 0 when there are none.
double srs_step_times_quantile(const srs_step_times *times, double part);

/// Nanoseconds of a clock that only goes forward.
long long srs_clock(void);

/// Nanoseconds that this process has kept processors busy.
long long srs_cpu_clock(void);
