// Velocities at which fewer rows rest than determine them. Internal.
#pragma once
#include "contact/refine/vertices.h"

/// From a vertex to a face of the polyhedron of velocities: some rows of the vertex, drawn, no longer rest, and the
/// others have the impulses that make these velocities. Keeps the dictionary.
/// @param u  rank, out: velocities w = b + L u
/// @param w  n, out
/// @return whether there are such, whatever the impulses of nodes that stick
bool srs_faces_try(const srs_vertices *vertices, double *u, double *w);
