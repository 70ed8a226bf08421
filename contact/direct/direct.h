// Which problems need no iteration over the whole? Internal.
#pragma once
#include "contact/problem/problem.h"

/// Solves problems of contacts alone that are decoupled, or planar and few.
/// @param scale, size  of contact/problem/problem.h
/// @param impulse      n, out; written only with a solution (which the caller certifies)
/// @return iterations; -1: the general solver is needed
int srs_contact_direct(const srs_contact_problem *problem, const srs_contact_form *form, const double *scale,
                       double size, double *impulse);
