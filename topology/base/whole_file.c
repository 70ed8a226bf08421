// Writes files whole, or not at all: a new file beside the target, synchronised, then renamed.
//
// The new file's name cannot be foreseen, and it is created, never opened: it can be no file of the user's, and no link
// that somebody laid. Rename replaces the target in one step. Where the target must stay, the new file is linked to its
// name instead, which fails where the name is taken; file systems without hard links get a look first and a rename.
#include "topology/base/whole_file.h"
#include "topology/base/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMES = 100 };

typedef struct whole_file {
  const char *path;         // as given
  char *target, *temporary; // the target with links followed, and the new file beside it
  mode_t mode;              // of a file that is there, 0: of none
  int descriptor;
  srs_error *error;
} whole_file;

static srs_status fail(const whole_file *f, const char *what, int number)
{
  char why[128];
  const srs_status status = number == ENOMEM ? SRS_ERROR_MEMORY : SRS_ERROR_FILE;
  return srs_fail_at(f->error, status, (srs_place){f->path, 0, 0}, "", "%s: %s", what,
                     strerror_r(number, why, sizeof why));
}

bool srs_write_all(int descriptor, const char *bytes, size_t length, size_t *written)
{
  *written = 0;
  while (*written < length) {
    const ssize_t n = write(descriptor, bytes + *written, length - *written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    *written += (size_t)n;
  }
  return true;
}

static srs_status report_taken(const char *path, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){path, 0, 0}, "",
                     "is there already and stays as it is; give another name, or move it away");
}

bool srs_is_name_taken(const char *path, srs_error *error)
{
  struct stat info;
  if (lstat(path, &info) != 0) return false;
  report_taken(path, error);
  return true;
}

bool srs_is_same_file(const char *a, const char *b)
{
  struct stat first, second;
  return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// Where the path leads to, and what is there.
static srs_status find_target(whole_file *f)
{
  struct stat info;
  if (lstat(f->path, &info) == 0 && S_ISLNK(info.st_mode)) {
    f->target = realpath(f->path, NULL);
    if (f->target == NULL) return fail(f, "is a symbolic link that cannot be followed", errno);
  } else {
    f->target = strdup(f->path);
  }
  if (f->target == NULL) return fail(f, "cannot be written", ENOMEM);
  if (stat(f->target, &info) != 0) return SRS_OK;
  if (!S_ISREG(info.st_mode))
    return srs_fail_at(f->error, SRS_ERROR_FILE, (srs_place){f->path, 0, 0}, "",
                       "is no regular file and cannot be replaced by one; give another name");
  f->mode = (info.st_mode & 07777) | S_IFREG;
  return SRS_OK;
}

// Creates a file in the target's folder. Of a name near the longest possible its begin will do.
static srs_status create(whole_file *f)
{
  const char *slash = strrchr(f->target, '/'), *name = slash != NULL ? slash + 1 : f->target;
  const int folder = (int)(name - f->target), kept = (int)strnlen(name, NAME_MAX - 32);
  const size_t room = (size_t)folder + (size_t)kept + 32;
  f->temporary = malloc(room);
  if (f->temporary == NULL) return fail(f, "cannot be written", ENOMEM);
  for (int i = 0; i < MOST_NAMES; i++) {
    uint64_t random;
    if (getentropy(&random, sizeof random) != 0) return fail(f, "cannot be written", errno);
    snprintf(f->temporary, room, "%.*s.%.*s.%016llx", folder, f->target, kept, name, (unsigned long long)random);
    f->descriptor = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (f->descriptor >= 0) return SRS_OK;
    if (errno != EEXIST) break;
  }
  return fail(f, "cannot be created; name a file in an existing folder that can be written to", errno);
}

static srs_status fill(whole_file *f, const char *bytes, size_t length)
{
  size_t written;
  bool is_good = f->mode == 0 || fchmod(f->descriptor, f->mode & 07777) == 0;
  is_good = is_good && srs_write_all(f->descriptor, bytes, length, &written) && fsync(f->descriptor) == 0;
  const int number = errno;
  const bool is_closed = close(f->descriptor) == 0;
  f->descriptor = -1;
  return is_good && is_closed ? SRS_OK : fail(f, "cannot be written", is_good ? errno : number);
}

static srs_status give_name(const whole_file *f, srs_existing existing)
{
  if (existing == SRS_EXISTING_IS_REPLACED)
    return rename(f->temporary, f->target) == 0 ? SRS_OK : fail(f, "cannot be replaced", errno);
  if (link(f->temporary, f->target) == 0) {
    (void)unlink(f->temporary);
    return SRS_OK;
  }
  if (errno == EEXIST || srs_is_name_taken(f->target, NULL)) return report_taken(f->path, f->error);
  return rename(f->temporary, f->target) == 0 ? SRS_OK : fail(f, "cannot be created", errno);
}

srs_status srs_write_whole_file(const char *path, const void *bytes, size_t length, srs_existing existing,
                                srs_error *error)
{
  whole_file f = {.path = path, .descriptor = -1, .error = error};
  if (existing == SRS_EXISTING_STAYS && srs_is_name_taken(path, error)) return SRS_ERROR_FILE;
  srs_status status = find_target(&f);
  if (status == SRS_OK) status = create(&f);
  const bool is_made = status == SRS_OK;
  if (status == SRS_OK) status = fill(&f, bytes, length);
  if (status == SRS_OK) status = give_name(&f, existing);
  if (status != SRS_OK && is_made) (void)unlink(f.temporary);
  free(f.target);
  free(f.temporary);
  return status;
}
