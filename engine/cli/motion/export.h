// `sarrus convert RUN OUT`: a recording as CSV, for ParaView, or as an animation.
#pragma once
#include "engine/cli/motion/parts.h"
#include "engine/cli/shared/loading.h"

#include <stdio.h>

typedef struct srs_export_request {
  const char *from, *to;
  const char *scene; // NULL: the one that the recording names
  const char *every; // as it was typed, NULL: as many frames as the format carries well
  bool is_forced;    // files that are there are replaced
} srs_export_request;

/// Whether both names are those of a recording and of what it can become.
bool srs_is_export(const char *from, const char *to);
bool srs_is_run_file(const char *path); // by its name

/// @return SRS_EXIT_OK, SRS_EXIT_USAGE or SRS_EXIT_FAILED, reported
int srs_export_run(const srs_command *command, srs_loading *loading, const srs_export_request *request);

/// The files, each written as a whole.  @return SRS_OK; SRS_ERROR_FILE, _MEMORY
srs_status srs_export_csv(const srs_recording *recording, const char *path, bool is_forced, srs_error *error);
srs_status srs_export_pvd(const srs_film *film, const srs_parts *parts, const char *path, bool is_forced,
                          srs_error *error);
srs_status srs_export_gltf(const srs_film *film, const srs_parts *parts, const char *path, bool is_forced,
                           srs_error *error);

/// Closes a stream of open_memstream and writes its text to the path.
srs_status srs_export_write(FILE *memory, char **text, const size_t *length, const char *path, bool is_forced,
                            srs_error *error);
