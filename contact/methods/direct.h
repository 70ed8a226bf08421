// Which problems are answered without a search? Internal.
#pragma once
#include "contact/problem/problem.h"

/// Problems of contacts alone whose contacts do not feel each other, or that are planar and few.
/// @param scale, size  of contact/problem/problem.h
/// @param impulse      n, out; touched only with an answer (which is to be certified)
/// @return iterations; -1: a search is needed
int srs_contact_direct(const srs_contact_problem *problem, const srs_contact_form *form, const double *scale,
                       double size, double *impulse);
