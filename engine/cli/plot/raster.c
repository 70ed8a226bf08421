// Pixels are not drawn here: rsvg-convert reads the SVG on its input and writes the PNG.

#include "engine/cli/plot/raster.h"

#include "engine/cli/shared/messages.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

// Starts the program with a pipe as its input.  @param input  out: the pipe's other end   @return 0, or an errno
static int start(const char *path, pid_t *child, int *input)
{
  int ends[2];
  if (pipe(ends) != 0) return errno;
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  char program[] = "rsvg-convert", format[] = "--format=png", zoom[] = "--zoom=2", output[] = "--output";
  char *const arguments[] = {program, format, zoom, output, (char *)(uintptr_t)path, NULL};
  const int failure = posix_spawnp(child, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  *input = ends[1];
  if (failure != 0) close(ends[1]);
  return failure;
}

srs_status srs_svg_to_png(const char *svg, const char *path, srs_error *error)
{
  pid_t child = 0;
  int input = -1, exit_status = 0;
  size_t written = 0;
  const int failure = start(path, &child, &input);
  if (failure == ENOENT)
    return srs_report_fill(
        error, SRS_ERROR_UNSUPPORTED,
        "a PNG needs the program rsvg-convert (Debian package librsvg2-bin); an SVG needs none: give "
        "--out a name that ends in .svg");
  if (failure != 0) return srs_report_fill(error, SRS_ERROR_FILE, "rsvg-convert does not start: %s", strerror(failure));
  const bool took_all = srs_write_all(input, svg, strlen(svg), &written);
  close(input);
  while (waitpid(child, &exit_status, 0) < 0 && errno == EINTR) continue;
  if (took_all && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0) return SRS_OK;
  return srs_report_fill(error, SRS_ERROR_FILE, "%s: rsvg-convert could not write it", path);
}
