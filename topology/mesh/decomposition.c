// Which program for convex decomposition is installed, and how is it called?
//
// The folders of PATH are looked through in their order for each program of the table below. A shell would find the
// same one.
#include "topology/mesh/decomposition.h"
#include "topology/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
  const char *program, *before, *after; // what stands before and after the mesh's name
} programs[] = {
    {"coacd", "coacd -i", "-o parts.obj"},
    {"testVHACD", "testVHACD --input", "--output parts.obj"}, // to version 3
    {"TestVHACD", "TestVHACD", "-o obj"},                     // from version 4 on
};

enum { PROGRAMS = sizeof programs / sizeof *programs, LONGEST = 4096 };

static bool is_program(const char *folder, size_t length, const char *name)
{
  char path[LONGEST];
  struct stat about;
  if (length == 0 || length + strlen(name) + 2 > sizeof path) return false;
  srs_print(path, sizeof path, "%.*s/%s", (int)length, folder, name);
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

static bool is_installed(const char *name)
{
  const char *folder = getenv("PATH"); // NOLINT(concurrency-mt-unsafe): as for the packages of ROS
  while (folder != NULL && *folder != '\0') {
    const size_t length = strcspn(folder, ":");
    if (is_program(folder, length, name)) return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}

const char *srs_decomposition_command(const char *file, srs_arena *arena)
{
  for (int i = 0; i < PROGRAMS; i++) {
    if (!is_installed(programs[i].program)) continue;
    const char *command = srs_text_join(arena, programs[i].before, " ", file);
    return command != NULL ? srs_text_join(arena, command, " ", programs[i].after) : NULL;
  }
  return NULL;
}
