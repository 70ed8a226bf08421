// Which contact problems are there? The HDF5 files of a folder.
#pragma once
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_FILES = 256, BENCH_NAME = 256 };

typedef char bench_file_name[BENCH_NAME];

static inline int bench_by_name(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }

/// $SARRUS_DATA/contact-problems, or the same below `otherwise`.
static inline const char *bench_problem_folder(const char *otherwise)
{
  static char folder[1024];
  const char *data = getenv("SARRUS_DATA");
  snprintf(folder, sizeof folder, "%s/contact-problems", data != NULL ? data : otherwise);
  return folder;
}

/// Names of the files in alphabetical order.  @return how many, -1 where the folder cannot be read
static inline int bench_list_problems(const char *folder, bench_file_name names[BENCH_FILES])
{
  DIR *stream = opendir(folder);
  if (stream == NULL) return -1;
  int n = 0;
  for (struct dirent *entry; (entry = readdir(stream)) != NULL && n < BENCH_FILES;) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending != NULL && strcmp(ending, ".hdf5") == 0) snprintf(names[n++], BENCH_NAME, "%s", entry->d_name);
  }
  closedir(stream);
  qsort(names, (size_t)n, sizeof names[0], bench_by_name);
  return n;
}
