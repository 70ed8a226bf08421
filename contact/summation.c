#include "contact/summation.h"
srs_status srs_summation_create(const srs_nonconvex_capacity *capacity, srs_summation **summation, srs_error *error)
{ (void)capacity; (void)summation; (void)error; return SRS_OK; }
void srs_summation_destroy(srs_summation *summation) { (void)summation; }
srs_status srs_summation_solve(srs_nonconvex_solver *solver, const srs_nonconvex_problem *problem,
                               const srs_nonconvex_options *options, int *side, srs_nonconvex_report *report)
{ (void)solver; (void)problem; (void)options; (void)side; (void)report; return SRS_ERROR_UNSUPPORTED; }
