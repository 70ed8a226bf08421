// SRDF files; the function is public (srs_builder_add_srdf). Internal.
#pragma once
#include <sarrus/topology.h>
