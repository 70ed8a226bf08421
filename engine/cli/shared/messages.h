// Messages of the command on stderr: whole single lines that begin with "sarrus: ".
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/base.h>

#define SRS_PRINTF(text, first) __attribute__((format(printf, text, first)))

/// Reports a mistake on the command line and points to the help.  @return SRS_EXIT_USAGE
int srs_usage_error(const srs_command *command, const char *format, ...) SRS_PRINTF(2, 3);

/// Reports why the work failed, starting with the place in a file where the error has one.  @return SRS_EXIT_FAILED
int srs_report_failure(const srs_error *error);

/// Fills an error that has no place in a file.  @return status
srs_status srs_report_fill(srs_error *error, srs_status status, const char *format, ...) SRS_PRINTF(3, 4);

/// Silent when the command is quiet. A warning is never cut.
void srs_report_warning(const srs_command *command, const char *text);

/// The same of another kind, a "note".
void srs_report_message(const srs_command *command, const char *kind, const char *text);
void srs_report_note(const srs_command *command, const char *format, ...) SRS_PRINTF(2, 3);

/// A note that n meshes are not drawn, and why the first of them.
void srs_report_missing_meshes(const srs_command *command, int n, const srs_error *first);

/// Flushes stdout and reports when not all of it could be written.
/// @return status, or SRS_EXIT_FAILED where the results did not get out
int srs_report_finish(int status);
