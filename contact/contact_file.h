/// Contact problems in files: FCLIB's local problem in HDF5.
#pragma once
#include <sarrus/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A contact problem as a file holds it: FCLIB's "local" problem in HDF5 (docs/contact.md), u = W r + V lambda + q, 0 =
/// V^T r + R lambda + s: bilateral and contact rows, all contacts with two tangents (spacedim 3) or all with one
/// (spacedim 2), round.
typedef struct srs_contact_file {
  srs_contact_problem problem; // n rows
  const double *impulse;       // n: of the solution; NULL for none
  const double *velocity;      // n: of the solution, zero in bilateral rows; NULL for none
  const double *guesses;       // n_guesses x n: impulses to start from; NULL for none
  int n_guesses;
  const char *title, *description, *math_info; // NULL for none
  void *memory;                                // holds all of the above in a file that was read
} srs_contact_file;

/// Reads a file and checks every size, index and number in it. Allocates. Only one thread may use HDF5 at a time.
/// @param file  out, to be freed by srs_contact_file_free; untouched on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NOT_FINITE, _CAPACITY (more than 10000 rows), _UNSUPPORTED (a global
///         problem), _MEMORY; error names the file and the entry
srs_status srs_contact_file_read(const char *path, srs_contact_file *file, srs_error *error);
void srs_contact_file_free(srs_contact_file *file);

/// Writes the problem and whatever else is not NULL; `memory` is ignored. An existing file is replaced once the new one
/// is complete. Unilateral and box rows, mixed tangents and anisotropic contacts are written as equivalent contacts of
/// three rows, with their impulses and velocities, so the file holds another problem than the one given. Allocates.
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _NOT_FINITE, _UNSUPPORTED (torsional friction, box rows with infinite bounds,
///         bilateral rows that differ from their columns by more than 1e-9 of the largest entry), _FILE, _MEMORY
srs_status srs_contact_file_write(const char *path, const srs_contact_file *file, srs_error *error);

#ifdef __cplusplus
}
#endif
