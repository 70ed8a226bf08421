// Compiles what follows for eight states at a time. Internal; the first include of a file.
//
// Such a file includes one of engine/batch, whose external functions then have names of their own.
#pragma once
#include "topology/base/kernel.h"

#if defined(SRS_KERNEL_COPIES) && !defined(__AVX512F__)
#pragma GCC target("arch=x86-64-v4")
#undef SRS_KERNEL
#define SRS_KERNEL
#endif

#define SRS_EIGHT_LANES
#define srs_batch_load          srs_batch_eight_load
#define srs_batch_store         srs_batch_eight_store
#define srs_batch_store_matrix  srs_batch_eight_store_matrix
#define srs_batch_find_angles   srs_batch_eight_find_angles
#define srs_batch_load_q        srs_batch_eight_load_q
#define srs_batch_look_ahead    srs_batch_eight_look_ahead
#define srs_batch_take_ahead    srs_batch_eight_take_ahead
#define srs_batch_forces_out    srs_batch_eight_forces_out
#define srs_batch_solve         srs_batch_eight_solve
#define srs_batch_solve_again   srs_batch_eight_solve_again
#define srs_batch_singular      srs_batch_eight_singular
#define srs_batch_places        srs_batch_eight_places
#define srs_batch_forces        srs_batch_eight_forces
#define srs_batch_accelerations srs_batch_eight_accelerations
#define srs_batch_climb         srs_batch_eight_climb
#define srs_batch_matrices      srs_batch_eight_matrices
#define srs_batch_steps         srs_batch_eight_steps
#define srs_batch_kernels_here  srs_batch_eight
#define srs_batch_four          srs_batch_eight
