// Writing the page of a run: for `sarrus view` and `sarrus run --view`.
#pragma once
#include "engine/cli/recording/recording.h"
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

typedef struct srs_page_request {
  const srs_recording *recording;
  const srs_scene *scene;
  const char *out;     // NULL: the recording's name with .html
  const char *columns; // whose curves are drawn first, names or patterns; NULL: the first of q
  const char *title;   // NULL: the scene's name, else the recording's
  int every;           // rows from frame to frame; 0: as a page carries well
  bool is_forced;      // a file that is there is replaced
  bool replaces_pages; // likewise, where it is a page of a run
  bool opens;          // by xdg-open
  bool is_aside;       // what is said goes to stderr
} srs_page_request;

/// Whether this program can write pages; fills the error with what the build lacked.
bool srs_page_is_possible(srs_error *error);

/// Writes the page and says so.
/// @return SRS_EXIT_OK, or SRS_EXIT_FAILED or _USAGE, reported
int srs_write_page(const srs_command *command, const srs_page_request *request);
