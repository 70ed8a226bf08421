// Mass matrices of trees that are no long chains. Internal.
#pragma once
#include "engine/batch/memory.h"

/// Finds out whether columns of this model shall climb (`climbs`), in which strides, and where
/// mass matrices are zero (`gaps`).
void srs_batch_plan_climb(srs_batch *batch);

/// The matrices of the states that are loaded, whole, in lanes; turns the angles of the next ones.
void srs_batch_climb(srs_batch *batch);
