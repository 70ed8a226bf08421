// Pseudo-random numbers, the same on every machine. Internal.
#pragma once
#include <stdint.h>

/// -1 … 1
static inline double srs_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}
