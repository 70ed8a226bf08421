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

/// A list of the files that were read for something, so that its results are not written over them.
typedef struct srs_read_file {
  const char *path; // absolute, without links
  const struct srs_read_file *next;
} srs_read_file;

typedef struct srs_read_files {
  srs_arena *memory;
  const srs_read_file *first; // the latest
} srs_read_files;

/// Notes a file that is about to be read, once however often. NULL for the list, and what is no file: nothing.
/// @return false when out of memory
bool srs_note_read(srs_read_files *files, const char *path);

/// The whole file, terminated; freed by free(). Folders and files over 64 MiB are refused.
/// @param files  notes the file; NULL for none, as with the other readers of files
srs_status srs_read_text(const char *path, srs_read_files *files, char **text, size_t *length, srs_error *error);

/// The path of a file named in another file: as it is where absolute, else beside the other.
char *srs_text_beside(srs_arena *arena, const char *file, const char *name);

/// Whether path ends so, small and capital letters alike.
bool srs_has_ending(const char *path, const char *ending);
