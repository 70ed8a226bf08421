// Velocities of which some are known to rest, the others by a smaller problem. Internal.
#pragma once
#include "contact/refine/rest.h"

/// Where more rows rest than make a vertex, but without impulses: keeps the velocities that these determine, and
/// searches for those of the other contacts.
/// @param u, w  in: the vertex's; out: with those found
/// @param x     n, out: impulses, as those of srs_resting_press
/// @return whether there are any; not tried again for the same rows
bool srs_core_search(srs_resting *resting, double *u, double *w, double *x);

/// The same for contacts that stick, drawn; all others make the smaller problem.
bool srs_core_draw(srs_resting *resting, double *u, double *w, double *x);
