// Failures as status and message, and printing as in the "C" locale. Internal.
#pragma once
#include <sarrus/base.h>
#include <stdarg.h>

/// Where something was written. file NULL: nowhere; line or column 0: unknown.
typedef struct srs_place {
  const char *file;
  int line, column;
} srs_place;

/// Fills error (which may be NULL) and returns status. The message is printf-like, printed as in the "C" locale;
/// control characters become spaces and a message too long is cut between characters, so it stays one clean line.
/// @param file     NULL or "" for none; only the end of a very long path is kept
/// @param subject  name of what is concerned, NULL or "" for none
srs_status srs_fail(srs_error *error, srs_status status, const char *file, int line, int column, const char *subject,
                    const char *format, ...) __attribute__((format(printf, 7, 8)));

/// The same at a place.
srs_status srs_fail_at(srs_error *error, srs_status status, srs_place place, const char *subject, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));

/// snprintf as in the "C" locale, whatever the process's.
int srs_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int srs_vprint(char *text, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/// Makes one clean line of a text: control characters become spaces; a UTF-8 character cut off at the end is dropped.
void srs_tidy(char *text);
