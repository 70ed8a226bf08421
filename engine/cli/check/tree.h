// The tree of a model as a picture in text. Internal.
#pragma once
#include <sarrus/topology.h>

/// Prints every link of the file, also those that fixed joints weld, with the joint that carries it, on stdout.
/// @return false when out of memory
bool srs_tree_print(const srs_model *model);
