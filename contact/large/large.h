// Which impulses solve a large problem, given by blocks? Internal.
#pragma once
#include "contact/large/interior_point.h"
#include "contact/large/large_polyhedral.h"

typedef struct srs_large {
  srs_interior interior; // its scale and velocity are of every problem
  srs_large_cone cone;
  srs_large_polyhedral polyhedral;
  srs_contact_form form;
} srs_large;

/// Memory; kept where it is enough, but for what elimination has just found no room for: twice as much.
/// @return false when there is none
bool srs_large_reserve(srs_large *large, const srs_contact_sizes *sizes);
bool srs_large_has_room(const srs_large *large, const srs_contact_sizes *sizes);
void srs_large_release(srs_large *large);

/// Certified as every answer is.
/// @param velocity  n, out; may be NULL
/// @return SRS_ERROR_CAPACITY where there is no room
srs_status srs_large_solve(srs_large *large, const srs_contact_problem *problem, const srs_contact_form *form,
                           const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                           srs_contact_report *report);
