// How long did it take? See timing.h.
#include "timing.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 3 }; // of a run

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

static double time_of(bench_work *work, void *context, int which, long calls)
{
  const double begun = bench_cpu_time();
  work(context, which, calls);
  return bench_cpu_time() - begun;
}

// How many calls fill a batch.
static long count_calls(bench_work *work, void *context, int which, double batch)
{
  for (long calls = 1;; calls *= 2) {
    const double time = time_of(work, context, which, calls);
    if (time > 0.3 * batch) return (long)fmax(1, ceil((double)calls * batch / time));
  }
}

void bench_take_turns(bench_work *work, void *context, int n, double batch, double (*times)[BENCH_RUNS])
{
  long *calls = calloc((size_t)n, sizeof *calls);
  double(*turns)[TURNS] = calloc((size_t)n, sizeof *turns);
  if (calls == NULL || turns == NULL) abort();
  for (int i = 0; i < n; i++) calls[i] = count_calls(work, context, i, batch);
  for (int run = 0; run < BENCH_RUNS; run++) {
    for (int turn = 0; turn < TURNS; turn++)
      for (int i = 0; i < n; i++) turns[i][turn] = time_of(work, context, i, calls[i]) / (double)calls[i];
    for (int i = 0; i < n; i++) times[i][run] = bench_quantile(turns[i], TURNS, 0.5);
  }
  free(calls);
  free(turns);
}

void bench_take_long_turns(bench_long_work *work, void *context, int n, double (*times)[BENCH_RUNS])
{
  for (int run = 0; run < BENCH_RUNS; run++)
    for (int i = 0; i < n; i++) times[i][run] = work(context, i, run);
}

bench_spread bench_spread_of(const double times[BENCH_RUNS])
{
  double sorted[BENCH_RUNS];
  memcpy(sorted, times, sizeof sorted);
  const double median = bench_quantile(sorted, BENCH_RUNS, 0.5);
  return (bench_spread){median, sorted[0], sorted[BENCH_RUNS - 1]};
}

bench_spread bench_ratio(const double times[BENCH_RUNS], const double others[BENCH_RUNS])
{
  double ratios[BENCH_RUNS];
  for (int run = 0; run < BENCH_RUNS; run++) ratios[run] = times[run] / others[run];
  return bench_spread_of(ratios);
}

const char *bench_spread_print(bench_spread spread, char text[BENCH_SPREAD_TEXT])
{
  const int digits = spread.median < 10 ? 2 : spread.median < 100 ? 1 : 0;
  snprintf(text, BENCH_SPREAD_TEXT, "%.*f (%.*f-%.*f)", digits, spread.median, digits, spread.least, digits,
           spread.most);
  return text;
}
