// Runs a fuzz target once on every file named and on every file of every folder named, and once on nothing: what
// fuzzers have found stays found, with any compiler.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay(const char *path, int *n)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) abort();
  const long size = ftell(file);
  uint8_t *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
  if (bytes == NULL || fseek(file, 0, SEEK_SET) != 0 || fread(bytes, 1, (size_t)size, file) != (size_t)size) abort();
  fclose(file);
  printf("%s\n", path);
  fflush(stdout);
  uint8_t *exact = malloc((size_t)size + (size == 0)); // without a byte after it, so that reading past it is seen
  if (exact == NULL) abort();
  memcpy(exact, bytes, (size_t)size);
  free(bytes);
  (void)LLVMFuzzerTestOneInput(exact, (size_t)size);
  free(exact);
  ++*n;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

int main(int argc, char **argv)
{
  int n = 0;
  (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
  for (int i = 1; i < argc; i++) {
    struct dirent **entries = NULL;
    const int count = scandir(argv[i], &entries, is_visible, alphasort);
    if (count < 0) replay(argv[i], &n);
    for (int k = 0; k < count; k++) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", argv[i], entries[k]->d_name);
      free(entries[k]);
      replay(path, &n);
    }
    free(entries);
  }
  printf("%d inputs\n", n);
  return n > 0 ? 0 : 1;
}
