// Trajectories to draw: their columns, and the units that the metadata beside them give. Internal.
#pragma once
#include "engine/cli/drawing/table.h"

enum { SRS_PLOT_UNIT = 24 };

typedef struct srs_plot_run {
  const char *path, *name; // name: the path without its folders, to tell runs apart
  table table;
  char (*units)[SRS_PLOT_UNIT]; // of each column, "" where it is not known
} srs_plot_run;

/// Reads FILE.csv and, where it is there, FILE.csv.yaml. Allocates.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY; FILE:LINE:COL named
srs_status srs_plot_run_read(const char *path, srs_plot_run *run, srs_error *error);
void srs_plot_run_free(srs_plot_run *run);
