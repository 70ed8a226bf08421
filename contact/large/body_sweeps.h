// Gauss-Seidel sweeps over planar contacts, in velocities of bodies. Internal. Mathematics: body_sweeps.c.
#pragma once
#include "contact/large/body_newton.h"

/// Multiplications of a sweep.
double srs_body_sweep_work(const srs_body_newton *newton);

/// Solves for one contact (limit, dry friction) after another, the others fixed, forwards and backwards in turn.
/// @param x  rows in the cone problem's order, in and out: inside its cones afterwards
void srs_body_sweep(const srs_body_newton *newton, int sweeps, double *x);
