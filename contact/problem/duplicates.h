// Which contacts stand there more than once? Internal.
#pragma once
#include <sarrus/contact.h>

typedef struct srs_twins {
  int n_contacts;                              // without copies
  int *place;                                  // contacts of the problem: which of those it is
  int *count;                                  // n_contacts: how often each stands there
  int *row;                                    // rows of the problem: which row of the one without copies
  int n;                                       // rows without copies
  double *W, *b, *friction, *extent, *impulse; // of the problem without copies
  unsigned char *tangents;
} srs_twins;

/// Finds contacts whose velocities, friction and extents are the same to the last bit, rows and columns but for
/// rounding.
/// @return false when there are none
bool srs_twins_find(const srs_contact_problem *problem, srs_twins *twins);

/// The problem without copies, in twins' memory.
srs_contact_problem srs_twins_merge(const srs_contact_problem *problem, srs_twins *twins);

/// Impulses there (the sum over copies) from here, and back (shared equally).
void srs_twins_gather(const srs_contact_problem *problem, const srs_twins *twins, const double *impulse);
void srs_twins_spread(const srs_contact_problem *problem, const srs_twins *twins, double *impulse);
