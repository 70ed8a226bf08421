// Impulses that somebody found for a contact problem, out of a file.
#pragma once
#include <sarrus/contact_file.h>

typedef struct srs_impulses {
  double *impulse;  // n
  double *velocity; // n; NULL: the file has none
} srs_impulses;

/// The solution in the problem's own file.
/// @param impulses  out, freed by srs_impulses_free; both NULL on failure
srs_status srs_impulses_take(const char *path, const srs_contact_file *problem, srs_impulses *impulses,
                             srs_error *error);

/// Those of another file: a solution in FCLIB's format, or JSON: {"impulse": [...], "velocity": [...]} as `solve
/// --json` prints it, other keys being skipped, or the list of impulses alone.
srs_status srs_impulses_read(const char *path, const srs_contact_file *problem, srs_impulses *impulses,
                             srs_error *error);
void srs_impulses_free(srs_impulses *impulses);
