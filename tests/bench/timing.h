// How long did it take? Processor time of this thread.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Processor time that this thread has used, s.
double bench_cpu_time(void);

/// Keeps this thread on the processor it runs on. false where the system refuses.
bool bench_pin(void);

/// The value below which a share of n values lies, by linear interpolation; 0.5 is the median. Sorts the values.
double bench_quantile(double *values, int n, double share);

#ifdef __cplusplus
}
#endif
