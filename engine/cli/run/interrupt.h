// Ctrl-C during a run.
#pragma once
#include <signal.h>
#include <stdbool.h>

/// How the signals were handled before.
typedef struct srs_interrupt {
  struct sigaction interrupt, terminate;
} srs_interrupt;

/// From here on the first SIGINT or SIGTERM only sets a mark, so that the current step can be finished; a second one
/// ends the process as usual.
void srs_interrupt_catch(srs_interrupt *before);
void srs_interrupt_release(const srs_interrupt *before);

/// Whether a signal has arrived since srs_interrupt_catch.
bool srs_interrupt_came(void);
