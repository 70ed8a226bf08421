// Text files and strings for the readers: a whole file in memory, UTF-8, paths.
#include "topology/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 64 << 20 };

// ---------------------------------------------------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------------------------------------------------

void srs_place_error(srs_error *error, srs_place place)
{
  if (error == NULL || error->file[0] != '\0') return;
  const srs_error known = *error;
  (void)srs_fail_at(error, known.status, place, known.subject, "%s", known.message);
}

// ---------------------------------------------------------------------------------------------------------------------
// Strings
// ---------------------------------------------------------------------------------------------------------------------

char *srs_text_copy(srs_arena *arena, const char *text, size_t length)
{
  char *copy = srs_arena_take(arena, length + 1, 1);
  if (copy != NULL && length > 0) memcpy(copy, text, length);
  return copy;
}

char *srs_text_join(srs_arena *arena, const char *head, const char *separator, const char *tail)
{
  char *joined = srs_arena_take(arena, strlen(head) + strlen(separator) + strlen(tail) + 1, 1);
  if (joined == NULL) return NULL;
  stpcpy(stpcpy(stpcpy(joined, head), separator), tail);
  return joined;
}

const char *srs_next_character(const char *text, long *character)
{
  const unsigned char first = (unsigned char)text[0];
  const int more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1;
  static const long least[] = {0, 0x80, 0x800, 0x10000};
  long code = more <= 0 ? first : first & (0x3f >> more);
  for (int i = 1; i <= more; i++) {
    if (((unsigned char)text[i] & 0xc0) != 0x80) {
      *character = -1;
      return text + 1;
    }
    code = code << 6 | ((unsigned char)text[i] & 0x3f);
  }
  const bool is_valid = more >= 0 && code >= least[more] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  *character = is_valid ? code : -1;
  return is_valid ? text + more + 1 : text + 1;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

bool srs_note_read(srs_read_files *files, const char *path)
{
  char whole[PATH_MAX];
  if (files == NULL) return true;
  if (realpath(path, whole) == NULL) return errno != ENOMEM;
  for (const srs_read_file *known = files->first; known != NULL; known = known->next)
    if (strcmp(known->path, whole) == 0) return true;
  files->memory->failed = false; // by what came before
  srs_read_file *file = srs_arena_take(files->memory, 1, sizeof *file);
  const char *copy = srs_arena_copy(files->memory, whole);
  if (file == NULL || copy == NULL) return false;
  *file = (srs_read_file){copy, files->first};
  files->first = file;
  return true;
}

static const char *reason(int number, char text[128]) { return strerror_r(number, text, 128); }

static srs_status read_all(int descriptor, const char *path, char **text, size_t *length, srs_error *error)
{
  const srs_place place = {path, 0, 0};
  size_t used = 0, room = 16384;
  char *bytes = malloc(room + 1);
  while (bytes != NULL) {
    const ssize_t got = read(descriptor, bytes + used, room - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      char why[128];
      free(bytes);
      return srs_fail_at(error, SRS_ERROR_FILE, place, "", "cannot be read: %s", reason(errno, why));
    }
    used += (size_t)got;
    if (got == 0) {
      bytes[used] = '\0';
      *text = bytes;
      *length = used;
      return SRS_OK;
    }
    if (used > LARGEST_FILE) {
      free(bytes);
      return srs_fail_at(error, SRS_ERROR_FILE, place, "", "is larger than 64 MiB, which no file of this kind needs");
    }
    if (used < room) continue;
    room *= 2;
    char *larger = realloc(bytes, room + 1);
    if (larger == NULL) free(bytes);
    bytes = larger;
  }
  return srs_fail_at(error, SRS_ERROR_MEMORY, place, "", "no memory left to read the file");
}

srs_status srs_read_text(const char *path, srs_read_files *files, char **text, size_t *length, srs_error *error)
{
  char why[128];
  const srs_place place = {path, 0, 0};
  if (path[0] == '\0') return srs_fail_at(error, SRS_ERROR_FILE, place, "", "the path is empty");
  if (!srs_note_read(files, path))
    return srs_fail_at(error, SRS_ERROR_MEMORY, place, "", "no memory left to read the file");
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return srs_fail_at(error, SRS_ERROR_FILE, place, "", "cannot be opened: %s", reason(errno, why));
  struct stat info;
  srs_status status = SRS_OK;
  if (fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode))
    status = srs_fail_at(error, SRS_ERROR_FILE, place, "", "is a folder, not a file");
  if (status == SRS_OK) status = read_all(descriptor, path, text, length, error);
  close(descriptor);
  return status;
}

char *srs_text_beside(srs_arena *arena, const char *file, const char *name)
{
  const char *slash = strrchr(file, '/');
  if (name[0] == '/' || slash == NULL) return srs_text_copy(arena, name, strlen(name));
  char *folder = srs_text_copy(arena, file, (size_t)(slash - file) + 1);
  return folder != NULL ? srs_text_join(arena, folder, "", name) : NULL;
}

bool srs_has_ending(const char *path, const char *ending)
{
  const size_t n = strlen(path), m = strlen(ending);
  if (n < m) return false;
  for (size_t i = 0; i < m; i++)
    if (srs_lower_case(path[n - m + i]) != srs_lower_case(ending[i])) return false;
  return true;
}
