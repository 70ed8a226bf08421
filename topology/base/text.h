// Text files and strings, for the readers of files. Internal.
#pragma once
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include "topology/base/nearest_word.h"

/// Puts the place into an error that names no file yet.
void srs_place_error(srs_error *error, srs_place place);

/// A terminated copy of length characters; NULL when out of memory.
char *srs_text_copy(srs_arena *arena, const char *text, size_t length);

/// head + separator + tail as one string; NULL when out of memory.
char *srs_text_join(srs_arena *arena, const char *head, const char *separator, const char *tail);

/// Reads one character of terminated text; bytes that are no UTF-8 count one by one, as -1.
/// @return where the next one begins
const char *srs_next_character(const char *text, long *character);

/// The whole file, terminated; freed by free(). Folders and files over 64 MiB are refused.
srs_status srs_read_text(const char *path, char **text, size_t *length, srs_error *error);

/// The path of a file named in another file: as it is where absolute, else beside the other.
char *srs_text_beside(srs_arena *arena, const char *file, const char *name);

/// Whether path ends so, small and capital letters alike.
bool srs_has_ending(const char *path, const char *ending);
