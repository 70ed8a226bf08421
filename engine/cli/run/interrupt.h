// Ctrl-C during a run.
#pragma once
#include <signal.h>
#include <stdbool.h>

/// How the signals were handled before.
typedef struct srs_interrupt {
  struct sigaction interrupt, terminate;
} srs_interrupt;

/// From here on the first SIGINT or SIGTERM only sets a mark, so that what is under way can be finished; a second one
/// ends the process in the usual way.
void srs_interrupt_catch(srs_interrupt *before);
void srs_interrupt_release(const srs_interrupt *before);

/// Whether one came since they are caught.
bool srs_interrupt_came(void);
