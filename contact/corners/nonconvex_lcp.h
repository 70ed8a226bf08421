// The linear complementarity problems of groups of sides: max form and summation form. Internal.
#pragma once
#include "contact/iterate/mlcp.h"

/// Groups of a contact problem's sides, as in nonconvex.h.
typedef struct srs_side_groups {
  int n;
  const int *first; // n + 1
  const int *side;  // first[n]: contacts
} srs_side_groups;

/// Unknowns of the max form, for a problem with a friction polyhedron that has mlcp->lcp.n.
int srs_max_form_unknowns(const srs_side_groups *groups, int mlcp_unknowns);

/// EBT eq. 32, 33: unknowns (c, d, g, h, p), then those of the contact problem. gamma: above 1 - any side's velocity.
/// @param mlcp  assembled, of all contacts: sides and others
/// @param out   M, q given (stride of as many unknowns); n and stride are filled in
void srs_max_form(const srs_mlcp *mlcp, const srs_side_groups *groups, double gamma, srs_lcp *out);

/// EBT eq. 34, 35: unknowns c, then those of the contact problem.
/// @param epsilon  of each side, first[n]: velocities in the units of the side's own row
/// @param weight   of each side, first[n]: what makes of its row's velocity one that can be added to the others'
void srs_summation_form(const srs_mlcp *mlcp, const srs_side_groups *groups, const double *epsilon,
                        const double *weight, srs_lcp *out);
