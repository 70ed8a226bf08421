// A mechanism of the benchmark as our own model.
#pragma once
#include "peers/peers.h"
#include <sarrus/sarrus.h>
#include <stdio.h>

/// NULL with a reason.
srs_model *bench_build(const bench_model *model, srs_error *error);
