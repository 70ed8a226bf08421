// One block of memory for many arrays: a first pass measures it, a second hands the arrays out. Internal.
#pragma once
#include <stddef.h>

enum { SRS_BLOCK_ALIGNMENT = 64 };

/// Takes the next array of a block, on a cache line of its own.
/// @param base  NULL: only measure   @param used  bytes so far, in and out
static inline void *srs_block_take(char *base, size_t *used, size_t count, size_t size)
{
  void *at = base != NULL ? base + *used : NULL;
  *used += (count * size + SRS_BLOCK_ALIGNMENT - 1) / SRS_BLOCK_ALIGNMENT * SRS_BLOCK_ALIGNMENT;
  return at;
}
