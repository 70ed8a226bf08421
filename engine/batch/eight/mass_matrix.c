// Mass matrices of eight states at a time.
#include "engine/batch/eight/eight.h"

#include "engine/batch/kernels.h"

#ifdef SRS_HAS_EIGHT_LANES
#include "engine/batch/mass_matrix.c"
#endif
