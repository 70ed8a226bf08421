// Columns that were asked for, as curves of panels. Internal.
#pragma once
#include "engine/cli/drawing/plot.h"
#include "engine/cli/recording/recording.h"
#include "engine/cli/shared/command.h"

enum { SRS_PLOT_RUNS = 8, SRS_PLOT_LABEL = 160 };

/// One panel: its curves, and the texts that they and its axes show.
typedef struct srs_plot_field {
  plot_curve curves[PLOT_MAX_CURVES];
  char labels[PLOT_MAX_CURVES][SRS_PLOT_LABEL];
  char x_label[SRS_PLOT_LABEL], y_label[SRS_PLOT_LABEL];
  int n;
} srs_plot_field;

/// What of a run is drawn: rows first to end - 1 of each run.
typedef struct srs_plot_span {
  int first, end;
} srs_plot_span;

/// Fills a panel with the columns that a list names: names or patterns (* ? []), commas between. Each run gives its
/// own, in the list's order.
/// @param x_name  the column along x; NULL: the first one
/// @return SRS_EXIT_OK, or SRS_EXIT_FAILED after reporting which name no column has, or that there are too many
int srs_plot_choose(const srs_command *command, const srs_recording *runs, const srs_plot_span *spans, int n_runs,
                    const char *list, const char *x_name, srs_plot_field *field);
