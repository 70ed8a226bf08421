// States into eight lanes and back.
#include "engine/batch/eight/eight.h"

#include "engine/batch/kernels.h"

#ifdef SRS_HAS_EIGHT_LANES
#include "engine/batch/states.c"
#endif
