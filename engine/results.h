/// What recorded runs hold: trajectories in HDF5 files, as `sarrus run --out FILE.h5` and srs_trajectory_create write
/// them. (CSV files are read by anything.)
///
/// libhdf5 trusts what a file says of itself: files of strangers are not safe to read (docs/safety.md).
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The rows of a file. One may be read by any number of threads.
typedef struct srs_results srs_results;

/// Reads a file whole, also one of a run that was killed or that still goes on. HDF5 serves one thread at a time.
/// Allocates.
/// @param results  out, freed by srs_results_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX (no trajectory, or damaged) or _MEMORY
srs_status srs_results_read(const char *path, srs_results **results, srs_error *error);
void srs_results_destroy(srs_results *results);

int srs_results_rows(const srs_results *results);
int srs_results_columns(const srs_results *results);

/// "time", then "q:…", "v:…", and the others: the names and units that CSV files have. "" where there is no unit; NULL
/// out of range.
const char *srs_results_name(const srs_results *results, int column);
const char *srs_results_unit(const srs_results *results, int column);

/// The column of a name, -1 for none; O(columns).
int srs_results_find(const srs_results *results, const char *name);

/// All numbers, rows x columns, rows first: a view.
const double *srs_results_values(const srs_results *results);

/// A contact point of a row's step.
typedef struct srs_result_contact {
  int shape_a, shape_b; // indices for srs_results_shape
  double point[3];      // m, world, halfway between the surfaces
  double normal[3];     // unit, from B to A, world
  double force[3];      // N, on A by B, world: the step's impulse over dt
  double friction;      // coefficient
} srs_result_contact;

/// The contact points of a row, where they were recorded: a view.
/// @param n  out: how many   @return NULL where there are none
const srs_result_contact *srs_results_contacts(const srs_results *results, int row, int *n);

/// The label of a shape that contacts name; NULL out of range.
const char *srs_results_shape(const srs_results *results, int shape);

/// A text of the file: "scene" (the scene file), "metadata" (what FILE.csv.yaml would hold), "arguments" (of
/// `sarrus run`). Reads the file again. Allocates.
/// @param text  out, freed by srs_results_free_text; NULL where there is none
/// @return as srs_results_read
srs_status srs_results_read_text(const char *path, const char *name, char **text, srs_error *error);
void srs_results_free_text(char *text);

#ifdef __cplusplus
}
#endif
