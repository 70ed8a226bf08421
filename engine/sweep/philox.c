// Philox 4x32-10: each round multiplies two of the four words by constants to 64 bits; the low halves change places,
// the high halves are added (xor) to the other words and to the round's key, which grows by Weyl constants.
#include "engine/sweep/philox.h"

#include <stddef.h>

enum { ROUNDS = 10 };
static const uint32_t multiplier[2] = {0xD2511F53U, 0xCD9E8D57U}, growth[2] = {0x9E3779B9U, 0xBB67AE85U};

void srs_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
  uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t a = (uint64_t)multiplier[0] * c[0], b = (uint64_t)multiplier[1] * c[2];
    const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                              (uint32_t)a};
    for (int i = 0; i < 4; i++) c[i] = next[i];
    for (int i = 0; i < 2; i++) k[i] += growth[i];
  }
  for (int i = 0; i < 4; i++) out[i] = c[i];
}

void srs_philox_uniform(uint64_t seed, uint64_t run, uint32_t variable, double out[2])
{
  const uint32_t counter[4] = {(uint32_t)run, (uint32_t)(run >> 32), variable, 0};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t words[4];
  srs_philox(counter, key, words);
  for (size_t i = 0; i < 2; i++) {
    const uint64_t bits = (uint64_t)words[2 * i] << 32 | words[2 * i + 1];
    out[i] = (double)(bits >> 11) * 0x1p-53;
  }
}
