// `sarrus run --live PORT`: a page that shows the run while it goes on, and pushes bodies.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

typedef struct srs_live srs_live;

/// Opens the server and says its address on stderr. The sim outlives it.
/// @param port  of 127.0.0.1; 0: any that is free
/// @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_live_open(int port, srs_sim *sim, srs_live **live);
void srs_live_close(srs_live *live);

/// Whether a page listens; serves for up to a tenth of a second where none does.
bool srs_live_is_watched(srs_live *live);

/// After some steps: sends the state up to thirty times a second, takes pushes, and waits while the run is ahead of the
/// clock.
void srs_live_show(srs_live *live);
