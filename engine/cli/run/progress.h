// A progress bar on stderr, for terminals and for work that takes over a second.
#pragma once
#include <stdbool.h>

typedef struct srs_progress {
  bool is_on, is_shown;
  int calls;
  long long start, drawn; // ns
} srs_progress;

/// Off for good when stderr is no terminal or the command is quiet.
srs_progress srs_progress_start(bool is_quiet);

/// Draws where the work is, ten times a second at most.  @param part  0 to 1   @param sim_time  s
void srs_progress_show(srs_progress *progress, double part, double sim_time);

/// Wipes the bar.
void srs_progress_end(srs_progress *progress);
