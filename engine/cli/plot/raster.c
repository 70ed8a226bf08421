// Pixels are not drawn here: rsvg-convert reads the SVG on its input and writes the PNG to its output. The input is a
// file that has no name, so that neither of the two waits for the other; the output is gathered and goes to the disk as
// any other file does. What the program says is left out: one line of ours tells that it failed.
#include "engine/cli/plot/raster.h"

#include "engine/cli/shared/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

// The text as a file to read from its begin.  @return a descriptor, or -1: errno tells
static int as_file(const char *svg)
{
  size_t written = 0;
  const int file = memfd_create("picture", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (srs_write_all(file, svg, strlen(svg), &written) && lseek(file, 0, SEEK_SET) == 0) return file;
  const int number = errno;
  close(file);
  errno = number;
  return -1;
}

// Starts the program.  @param output  out: to read what it writes   @return 0, or an errno
static int start(int input, pid_t *child, int *output)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure == 0) {
    char program[] = "rsvg-convert", format[] = "--format=png", zoom[] = "--zoom=2";
    char *const arguments[] = {program, format, zoom, NULL};
    failure = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (failure == 0) failure = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  *output = ends[0];
  if (failure != 0) close(ends[0]);
  return failure;
}

// All that comes until the end.  @param bytes  out, to be freed   @return 0, or an errno
static int gather(int from, char **bytes, size_t *n)
{
  size_t room = 0;
  *bytes = NULL, *n = 0;
  for (;;) {
    if (*n == room) {
      char *larger = realloc(*bytes, room = room > 0 ? 2 * room : 65536);
      if (larger == NULL) return ENOMEM;
      *bytes = larger;
    }
    const ssize_t more = read(from, *bytes + *n, room - *n);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return more < 0 ? errno : 0;
    *n += (size_t)more;
  }
}

srs_status srs_svg_to_png(const char *svg, const char *path, srs_existing existing, srs_error *error)
{
  pid_t child = 0;
  int output = -1, exit_status = 0;
  char *png = NULL;
  size_t n = 0;
  const int input = as_file(svg);
  int failure = input < 0 ? errno : start(input, &child, &output);
  if (input >= 0) close(input);
  if (failure == ENOENT)
    return srs_report_fill(
        error, SRS_ERROR_UNSUPPORTED,
        "a PNG needs the program rsvg-convert (Debian package librsvg2-bin); an SVG needs none: give "
        "--out a name that ends in .svg");
  if (failure != 0) return srs_report_fill(error, SRS_ERROR_FILE, "rsvg-convert does not start: %s", strerror(failure));
  failure = gather(output, &png, &n);
  close(output);
  while (waitpid(child, &exit_status, 0) < 0 && errno == EINTR) continue;
  srs_status status = SRS_OK;
  if (failure != 0)
    status = srs_report_fill(error, failure == ENOMEM ? SRS_ERROR_MEMORY : SRS_ERROR_FILE,
                             "%s: what rsvg-convert made cannot be read: %s", path, strerror(failure));
  else if (!WIFEXITED(exit_status) || WEXITSTATUS(exit_status) != 0 || n == 0)
    status = srs_report_fill(error, SRS_ERROR_FILE, "%s: rsvg-convert could not make it", path);
  if (status == SRS_OK) status = srs_write_whole_file(path, png, n, existing, error);
  free(png);
  return status;
}
