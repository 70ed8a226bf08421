// How long did it take? Processor time of this thread, in runs that take turns.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_RUNS = 5, BENCH_SPREAD_TEXT = 32 };

/// Processor time that this thread has used, s.
double bench_cpu_time(void);

/// Keeps this thread on the processor it runs on. false where the system refuses.
bool bench_pin(void);

/// The value below which a share of n values lies, by linear interpolation; 0.5 is the median. Sorts the values.
double bench_quantile(double *values, int n, double share);

/// Does `calls` calls of what is measured under number `which`.
typedef void bench_work(void *context, int which, long calls);

/// Times of one call of each of n works, by BENCH_RUNS runs that take turns: in a run each work has its batch of calls,
/// one after the other, three times, so that a clock that drifts meets all alike; the middle one of the three counts.
/// @param batch  s: how long a batch takes about (calls are counted out beforehand, which warms up; at least one)
/// @param times  n x BENCH_RUNS, out: s a call
void bench_take_turns(bench_work *work, void *context, int n, double batch, double (*times)[BENCH_RUNS]);

/// One call of what is measured under number `which`, in the given run.  @return s that it took, by its own account
typedef double bench_long_work(void *context, int which, int run);

/// The same of n works that take long or measure themselves, such as whole simulations: each has one call in a run, and
/// nothing warms up.
/// @param times  n x BENCH_RUNS, out: s a call
void bench_take_long_turns(bench_long_work *work, void *context, int n, double (*times)[BENCH_RUNS]);

/// What runs say of one figure: the middle one and the ends.
typedef struct bench_spread {
  double median, least, most;
} bench_spread;

/// Of a time, or of the ratio of two times, run by run.
bench_spread bench_spread_of(const double times[BENCH_RUNS]);
bench_spread bench_ratio(const double times[BENCH_RUNS], const double others[BENCH_RUNS]);

/// "0.42 (0.40-0.45)", "42.0 (40.1-45.3)", "420 (401-453)".  @return text
const char *bench_spread_print(bench_spread spread, char text[BENCH_SPREAD_TEXT]);

#ifdef __cplusplus
}
#endif
