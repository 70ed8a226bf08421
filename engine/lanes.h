// Four doubles at a time, by the compiler's vector types: whatever the processor has, one or two registers. Internal.
#pragma once
#include <string.h>

enum { LANES = 4 };

typedef double lanes __attribute__((vector_size(32)));

#define SRS_LANES static inline __attribute__((always_inline, unused))

SRS_LANES lanes lanes_load(const double *p)
{
  lanes a;
  memcpy(&a, p, sizeof a);
  return a;
}

SRS_LANES void lanes_store(double *p, lanes a) { memcpy(p, &a, sizeof a); }

// A loop whose turns do not depend on each other.
#if defined(__clang__)
#define SRS_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SRS_INDEPENDENT _Pragma("GCC ivdep")
#endif
