// What the C library allocates on our behalf, for counted_allocator.h with `ours_only`: the library's own requests come
// from its code, so the functions that make them are interposed too. Include it once, after counted_allocator.h.
#pragma once
#include "allocation/counted_allocator.h"

#include <dlfcn.h>
#include <stdio.h>

static FILE *(*next_fopen)(const char *, const char *);
static FILE *(*next_open_memstream)(char **, size_t *);
static char *(*next_realpath)(const char *, char *);

// Found before anything is refused: looking up takes memory too.
__attribute__((constructor)) static void find_next(void)
{
  *(void **)&next_fopen = dlsym(RTLD_NEXT, "fopen");
  *(void **)&next_open_memstream = dlsym(RTLD_NEXT, "open_memstream");
  *(void **)&next_realpath = dlsym(RTLD_NEXT, "realpath");
}

static void *out_of_memory(void) { return errno = ENOMEM, NULL; }

char *strndup(const char *text, size_t most)
{
  if (REFUSED) return out_of_memory();
  const size_t length = strnlen(text, most);
  char *copy = counted(__libc_malloc(length + 1));
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *strdup(const char *text)
{
  if (REFUSED) return out_of_memory();
  const size_t size = strlen(text) + 1;
  char *copy = counted(__libc_malloc(size));
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

FILE *fopen(const char *path, const char *mode) { return REFUSED ? out_of_memory() : next_fopen(path, mode); }
FILE *open_memstream(char **text, size_t *size) { return REFUSED ? out_of_memory() : next_open_memstream(text, size); }
char *realpath(const char *path, char *resolved) { return REFUSED ? out_of_memory() : next_realpath(path, resolved); }
