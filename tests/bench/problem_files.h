// Which contact problems are there? The HDF5 files of a folder.
#pragma once
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_FILES = 256, BENCH_NAME = 256 };

typedef char bench_file_name[BENCH_NAME];

static inline int bench_by_name(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }

/// FOLDER/contact-problems where that can be read, otherwise FOLDER itself: the folder of all data may be named too.
static inline const char *bench_problem_folder_in(const char *data)
{
  static char folder[1024];
  snprintf(folder, sizeof folder, "%s/contact-problems", data);
  DIR *stream = opendir(folder);
  if (stream == NULL) return data;
  closedir(stream);
  return folder;
}

/// That of $SARRUS_DATA, or of `otherwise` where it is not set.
static inline const char *bench_problem_folder(const char *otherwise)
{
  const char *data = getenv("SARRUS_DATA");
  return bench_problem_folder_in(data != NULL ? data : otherwise);
}

/// Names of the files in alphabetical order; a line to stderr where there are none.  @return how many
static inline int bench_list_problems(const char *folder, bench_file_name names[BENCH_FILES])
{
  DIR *stream = opendir(folder);
  int n = 0;
  for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL && n < BENCH_FILES;) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending != NULL && strcmp(ending, ".hdf5") == 0) snprintf(names[n++], BENCH_NAME, "%s", entry->d_name);
  }
  if (stream != NULL) closedir(stream);
  if (n == 0)
    fprintf(stderr, "%s: %s: name the folder as an argument, or set SARRUS_DATA to the folder of contact-problems\n",
            folder, stream != NULL ? "no .hdf5 file is here" : "the folder cannot be read");
  qsort(names, (size_t)n, sizeof names[0], bench_by_name);
  return n;
}
