// How are inner loops compiled for more than one processor, and what is a dot product? Lanes of four doubles. Internal.
#pragma once

// Compiled twice and chosen at load time: for any processor of the architecture, and for those with AVX2 and FMA.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(SARRUS_NO_KERNEL_CLONES)
#define SRS_CONTACT_KERNEL __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SRS_CONTACT_KERNEL
#endif
#define SRS_CONTACT_INLINE static inline __attribute__((always_inline))

typedef double srs_lanes __attribute__((vector_size(32), aligned(8)));

SRS_CONTACT_INLINE srs_lanes srs_load(const double *p) { return *(const srs_lanes *)p; }
SRS_CONTACT_INLINE void srs_store(double *p, srs_lanes a) { *(srs_lanes *)p = a; }
SRS_CONTACT_INLINE double srs_sum(srs_lanes a) { return (a[0] + a[1]) + (a[2] + a[3]); }

/// a . b of any n, nothing padded.
SRS_CONTACT_INLINE double srs_dot(int n, const double *a, const double *b)
{
  srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  int i = 0;
  for (; i + 16 <= n; i += 16) {
    s0 += srs_load(a + i) * srs_load(b + i);
    s1 += srs_load(a + i + 4) * srs_load(b + i + 4);
    s2 += srs_load(a + i + 8) * srs_load(b + i + 8);
    s3 += srs_load(a + i + 12) * srs_load(b + i + 12);
  }
  for (; i + 4 <= n; i += 4) s0 += srs_load(a + i) * srs_load(b + i);
  double rest = 0;
  for (; i < n; i++) rest += a[i] * b[i];
  return srs_sum((s0 + s1) + (s2 + s3)) + rest;
}

/// Doubles from row to row for n columns.
static inline int srs_dense_stride(int n) { return (n + 3) & ~3; }
