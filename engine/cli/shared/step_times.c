// Quantiles of step times. Times are counted in bins that grow with the time itself: exact below 2^6
// ns, then 2^6 bins for each doubling. With e the exponent of t = m 2^e, 2^6 <= m < 2^7, the bin is e 2^6 + m; its
// width is at most 1/64 of the time, so a quantile read from the bins is that close. The worst time is kept as it is.
#include "engine/cli/shared/step_times.h"

#include <math.h>
#include <time.h>

enum { PER_DOUBLING = 1 << SRS_STEP_TIME_BITS };

void srs_step_times_add(srs_step_times *times, long long nanoseconds)
{
  const long long time = nanoseconds > 0 ? nanoseconds : 0;
  int exponent = 0;
  while ((time >> exponent) >= 2LL * PER_DOUBLING) exponent++;
  times->bins[exponent * PER_DOUBLING + (int)(time >> exponent)]++;
  times->count++;
  if (time > times->worst) times->worst = time;
}

double srs_step_times_quantile(const srs_step_times *times, double part)
{
  const double wanted = part * (double)times->count;
  double below = 0;
  for (int bin = 0; bin < SRS_STEP_TIME_BINS; bin++) {
    below += (double)times->bins[bin];
    if (times->bins[bin] == 0 || below < wanted) continue;
    const int exponent = bin < 2 * PER_DOUBLING ? 0 : bin / PER_DOUBLING - 1;
    const double upper = ldexp((double)(bin - exponent * PER_DOUBLING + 1), exponent) - 1; // last time of the bin
    return fmin(upper, (double)times->worst);
  }
  return 0;
}

static long long read_clock(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

long long srs_clock(void) { return read_clock(CLOCK_MONOTONIC); }

long long srs_cpu_clock(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
