// Random numbers by counting: the number for run i, variable k and a seed needs no other. Internal.
#pragma once
#include <stdint.h>

/// Philox 4x32 of ten rounds (Salmon, Moraes, Dror & Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011).
/// @param counter  4   @param key  2   @param out  4
void srs_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/// Two numbers, uniform in [0, 1), multiples of 2^-53.
void srs_philox_uniform(uint64_t seed, uint64_t run, uint32_t variable, double out[2]);
