// Which problem of bilateral rows and contacts alone is equivalent? Internal.
#pragma once
#include <sarrus/contact.h>

/// The problem in FCLIB's terms: contacts of three rows each, round cones. With lambda = scale lambda' + offset row by
/// row, row i being row place[i] there; `forced` rows are added: their impulse is given.
typedef struct srs_as_contacts {
  srs_contact_problem problem;
  int n;                  // of the original
  int *place;             // n
  double *scale, *offset; // n
  double *forced;         // rows of `problem`: 0 except for normals that stand for bounds of box rows
  double *memory;
} srs_as_contacts;

/// Whether the problem is in FCLIB's terms as it stands: all contacts with one tangent, or all with two, round.
bool srs_is_as_contacts(const srs_contact_problem *problem);

/// Allocates.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED (torsional friction, infinite bounds of box rows), _MEMORY
srs_status srs_as_contacts_make(const srs_contact_problem *problem, srs_as_contacts *out);
void srs_as_contacts_free(srs_as_contacts *as);

/// Impulses, or with is_velocity velocities, of the original as those of the problem.  @param to  rows of `problem`
void srs_as_contacts_carry(const srs_as_contacts *as, bool is_velocity, const double *from, double *to);
