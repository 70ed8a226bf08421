// SRS_KERNEL: inner loops compiled for several processors. Internal.
#pragma once

// Kernels are compiled three times and chosen at load time: for any processor of the architecture, for those with AVX2
// and FMA, and for those with AVX-512 too, whose 32 registers hold what 16 do not. Everything they call is
// always_inline, so that each copy is whole. Not under ThreadSanitizer: the choice is made before its runtime is there,
// and the program would not start. Not where all is compiled for AVX2 and FMA anyhow (-march=x86-64-v3, native): one
// copy does, and gcc 12 fails on a second for less. With SARRUS_AVX2_AT_MOST as on a processor without AVX-512, to
// measure that on one with it.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_THREAD__) && !defined(SARRUS_NO_KERNEL_CLONES) && !(defined(__AVX2__) && defined(__FMA__))
#define SRS_KERNEL_COPIES
#ifdef SARRUS_AVX2_AT_MOST
#define SRS_KERNEL __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SRS_KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#else
#define SRS_KERNEL
#endif
