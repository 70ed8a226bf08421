// A mesh is what its file holds, wherever that lies and whatever it is called: paths that differ are read and compared
// byte by byte. Of files that are not there the names are all that there is.
#include "engine/cli/against/mesh_files.h"

#include <stdio.h>
#include <string.h>

static bool have_same_bytes(FILE *a, FILE *b)
{
  char x[4096], y[4096];
  size_t m, n;
  do {
    m = fread(x, 1, sizeof x, a);
    n = fread(y, 1, sizeof y, b);
    if (m != n || memcmp(x, y, m) != 0) return false;
  } while (m > 0);
  return !ferror(a) && !ferror(b);
}

srs_files_are srs_compare_files(const char *a, const char *b)
{
  if (a == NULL || b == NULL) return a == b ? SRS_FILES_SAME : SRS_FILES_OTHERS;
  if (strcmp(a, b) == 0) return SRS_FILES_SAME;
  FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
  srs_files_are are = SRS_FILES_UNKNOWN;
  if (x != NULL && y != NULL) are = have_same_bytes(x, y) ? SRS_FILES_SAME : SRS_FILES_OTHERS;
  if (x != NULL) fclose(x);
  if (y != NULL) fclose(y);
  return are;
}
