// Which contacts stand there more than once? Internal.
#pragma once
#include <sarrus/contact.h>

typedef struct srs_duplicates {
  int n_contacts;                                  // without copies
  int *place;                                      // contacts of the problem: which of those it is
  int *count;                                      // n_contacts: how often each stands there
  int *row;                                        // rows of the problem: which row of the one without copies
  int n;                                           // rows without copies
  double *W, *b, *friction, *anisotropy, *impulse; // of the problem without copies
  unsigned char *tangents;
} srs_duplicates;

/// Finds contacts whose velocities, friction and anisotropy are the same to the last bit, rows and columns but for
/// rounding.
/// @return false when there are none
bool srs_duplicates_find(const srs_contact_problem *problem, srs_duplicates *duplicates);

/// The problem without copies, in duplicates' memory.
srs_contact_problem srs_duplicates_merge(const srs_contact_problem *problem, srs_duplicates *duplicates);

/// Impulses there (the sum over copies) from here, and back (shared equally).
void srs_duplicates_gather(const srs_contact_problem *problem, const srs_duplicates *duplicates, const double *impulse);
void srs_duplicates_spread(const srs_contact_problem *problem, const srs_duplicates *duplicates, double *impulse);
