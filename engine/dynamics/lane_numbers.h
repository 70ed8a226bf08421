// Several doubles at a time, by the compiler's vector types. Internal.
//
// LANES is four: one register where the processor has AVX, two where it has not. Batches are compiled for eight too
// (SRS_EIGHT_LANES, engine/batch/eight), one register of AVX-512; then nothing in the file may need lanes.h, whose
// vectors are of four.
#pragma once
#include "topology/base/spatial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A coordinate counts as unresisted when D is below this share of P's diagonal, about fifty roundings. Here joint axes
// point in any direction, so a smaller D is rounding, even where building accepted the joint
// (topology/checks/mobility.h tests it in the joint's own axes).
#define SRS_SINGULAR_SHARE 1e-14

typedef double quad __attribute__((vector_size(32), aligned(32))); // the same alignment with AVX and without

#ifdef SRS_EIGHT_LANES
enum { QUAD = 4, LANES = 8 };
typedef double lanes __attribute__((vector_size(64), aligned(64)));
typedef int64_t lane_mask __attribute__((vector_size(64))); // each lane has all bits set or none
#else
enum { QUAD = 4, LANES = QUAD };
typedef quad lanes;
typedef int64_t lane_mask __attribute__((vector_size(32)));
#endif

SRS_INLINE lanes lanes_load(const double *p)
{
  lanes a;
  memcpy(&a, p, sizeof a);
  return a;
}
SRS_INLINE void lanes_store(double *p, lanes a) { memcpy(p, &a, sizeof a); }
SRS_INLINE quad quad_load(const double *p)
{
  quad a;
  memcpy(&a, p, sizeof a);
  return a;
}
SRS_INLINE void quad_store(double *p, quad a) { memcpy(p, &a, sizeof a); }

SRS_INLINE lanes lanes_choose(lane_mask mask, lanes yes, lanes no)
{
  return (lanes)(((lane_mask)yes & mask) | ((lane_mask)no & ~mask));
}

SRS_INLINE double lanes_sum(lanes a)
{
  double sum = 0;
  for (int l = 0; l < LANES; l++) sum += a[l];
  return sum;
}

// Four by four numbers, rows to columns.
SRS_INLINE void quads_transpose(quad *a, quad *b, quad *c, quad *d)
{
  const quad ab0 = __builtin_shufflevector(*a, *b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
  const quad cd0 = __builtin_shufflevector(*c, *d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
  *a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  *b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  *c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  *d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}
