// Which files besides sweep and scene decide what comes of a run? Robot files, what they include, meshes and terrain:
// each with its length and the hash (FNV-1a) of its bytes, so that a sweep whose robot has changed is not gone on with.
// Folders are left out, since the same sweep may be started from another one.
#include "engine/sweep/read_files.h"

#include "engine/simulation/fingerprint.h"
#include "topology/base/whole_file.h"
#include "topology/builder/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; // what a line has besides the name

static const char *name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

// Appends a file's line to the text, which has the room.
static bool add_line(const char *path, char *text, size_t room)
{
  char *bytes = NULL;
  size_t length = 0;
  if (srs_read_text(path, NULL, &bytes, &length, NULL) != SRS_OK) return false;
  const size_t at = strlen(text);
  srs_print(text + at, room - at, "%s, %zu bytes, %016" PRIx64 "\n", name_of(path), length,
            srs_hash_bytes(SRS_HASH_START, bytes, length));
  free(bytes);
  return true;
}

srs_status srs_describe_read_files(const srs_model *model, const char *scene_file, srs_arena *arena, const char **text)
{
  const srs_read_file *first = srs_source_of(model)->read.first;
  size_t room = 1;
  for (const srs_read_file *file = first; file != NULL; file = file->next) room += strlen(name_of(file->path)) + LINE;
  char *lines = srs_arena_take(arena, room, 1);
  if (lines == NULL) return SRS_ERROR_MEMORY;
  for (const srs_read_file *file = first; file != NULL; file = file->next)
    if (!srs_is_same_file(file->path, scene_file)) (void)add_line(file->path, lines, room); // gone since: no line
  *text = lines;
  return SRS_OK;
}
