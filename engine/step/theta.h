// How far towards a step's end the midpoint schemes take dampers, springs and servos. Internal. Mathematics: theta.c.
#pragma once
#include <sarrus/engine.h>

/// Prepares a sim of a midpoint scheme, whose memory is laid out.
void srs_bound_mobilities(srs_sim *sim);

/// Finds sim->step.theta of a step of a midpoint scheme, with the inertia at q.
void srs_find_theta(srs_sim *sim, const double *q);
