// Solver of the summation form of nonconvex contact problems. Internal.
#pragma once
#include "contact/corners/nonconvex_memory.h"

typedef struct srs_summation srs_summation;

srs_status srs_summation_create(const srs_nonconvex_capacity *capacity, srs_summation **summation, srs_error *error);
void srs_summation_destroy(srs_summation *summation);

/// By Lemke's pivoting. The solver's normal and group_of are set already. The solution goes to its impulse and
/// velocity.
srs_status srs_summation_solve(srs_nonconvex_solver *solver, const srs_nonconvex_problem *problem,
                               const srs_nonconvex_options *options, int *side, srs_nonconvex_report *report);
