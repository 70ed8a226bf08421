// Which contacts are duplicates? Internal.
#pragma once
#include <sarrus/contact.h>

typedef struct srs_duplicates {
  int n_contacts;                                            // without duplicates
  int *place;                                                // contacts of the problem: index of each in the merged one
  int *count;                                                // n_contacts: how many duplicates each has, itself too
  int *row;                                                  // rows of the problem: row of the merged one
  int n;                                                     // rows without duplicates
  double *W, *b, *friction, *anisotropy, *rolling, *impulse; // of the merged problem
  unsigned char *tangents;
} srs_duplicates;

/// Finds contacts whose b, friction and anisotropy are equal bit for bit and whose rows and columns of W are equal up
/// to rounding.
/// @return false when there are none
bool srs_duplicates_find(const srs_contact_problem *problem, srs_duplicates *duplicates);

/// The merged problem, in duplicates' memory.
srs_contact_problem srs_duplicates_merge(const srs_contact_problem *problem, srs_duplicates *duplicates);

/// Impulses of the merged problem (sums over duplicates), and back (shared equally).
void srs_duplicates_gather(const srs_contact_problem *problem, const srs_duplicates *duplicates, const double *impulse);
void srs_duplicates_spread(const srs_contact_problem *problem, const srs_duplicates *duplicates, double *impulse);
