// Climbing columns of mass matrices, of eight states at a time.
#include "engine/batch/eight/eight.h"

#include "engine/batch/kernels.h"

#ifdef SRS_HAS_EIGHT_LANES
#include "engine/batch/climb.c"
#endif
