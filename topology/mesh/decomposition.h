// Programs that divide a mesh into convex parts. Internal.
#pragma once
#include "topology/base/arena.h"

/// The command that divides a mesh, of the first such program that the folders of PATH hold: CoACD, V-HACD. Nothing is
/// run.
/// @param file  the mesh to divide
/// @return text in the arena, "PROGRAM …"; NULL: none is installed, or out of memory
const char *srs_decomposition_command(const char *file, srs_arena *arena);
