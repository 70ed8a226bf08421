// How long did it take? See timing.h.
#include "timing.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

double bench_cpu_time(void)
{
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_pin(void)
{
  const int cpu = sched_getcpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET((size_t)cpu, &only);
  return sched_setaffinity(0, sizeof only, &only) == 0;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_quantile(double *values, int n, double share)
{
  qsort(values, (size_t)n, sizeof *values, compare);
  const double at = share * (n - 1);
  const int below = (int)at;
  if (below + 1 >= n) return values[n - 1];
  return values[below] + (at - below) * (values[below + 1] - values[below]);
}
