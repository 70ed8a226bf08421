// Which impulses solve a problem with groups of sides in its summation form? Internal.
#pragma once
#include "contact/corners/nonconvex_memory.h"

typedef struct srs_summation srs_summation;

srs_status srs_summation_create(const srs_nonconvex_capacity *capacity, srs_summation **summation, srs_error *error);
void srs_summation_destroy(srs_summation *summation);

/// By Lemke's pivots. Rows and groups are placed already (solver's normal, group_of). The answer is left in the
/// solver's impulse and velocity.
srs_status srs_summation_solve(srs_nonconvex_solver *solver, const srs_nonconvex_problem *problem,
                               const srs_nonconvex_options *options, int *side, srs_nonconvex_report *report);
