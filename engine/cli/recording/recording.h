// A recorded run: its columns with their units, and the scene that it is of.
#pragma once
#include "engine/cli/drawing/table.h"
#include "engine/output/hdf5/reader.h"

enum { SRS_UNIT_ROOM = 24 };

typedef struct srs_recording {
  const char *path, *name; // name: the path without its folders, to tell runs apart
  table table;
  char (*units)[SRS_UNIT_ROOM];  // of each column, "" where it is not known
  char *scene_file, *scene_text; // NULL where they are not known
  srs_h5_rows_read *hdf5;        // of an HDF5 file: where names, values and contacts are; else NULL
} srs_recording;

/// Reads FILE.csv and, where it is there, FILE.csv.yaml; or FILE.h5. Allocates.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY; FILE:LINE:COL named
srs_status srs_recording_read(const char *path, srs_recording *recording, srs_error *error);
void srs_recording_free(srs_recording *recording);

/// The recording's path with another ending, freed by the caller; NULL when out of memory.
char *srs_recording_beside(const char *path, const char *ending);
