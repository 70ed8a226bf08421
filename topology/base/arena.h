// Arenas: memory taken piece by piece and released at once. Internal.
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct srs_arena_chunk srs_arena_chunk;

typedef struct srs_arena {
  srs_arena_chunk *chunks; // the latest first
  char *next;              // free bytes of the latest
  size_t left;
  bool failed; // some request was refused: every later one is too
} srs_arena;

/// count items of the given size, zeroed, aligned to a cache line; NULL when out of memory. Zero items are one byte.
void *srs_arena_take(srs_arena *arena, size_t count, size_t size);

/// A copy of the text; NULL when out of memory.
char *srs_arena_copy(srs_arena *arena, const char *text);

/// A copy of a text that may be NULL; NULL stays NULL.
const char *srs_arena_copy_or_null(srs_arena *arena, const char *text);

/// A text of whatever length it takes, printf-like, printed as in the "C" locale; NULL when out of memory.
char *srs_arena_print(srs_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *srs_arena_vprint(srs_arena *arena, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/// Gives everything back; the arena is empty and usable afterwards. The arena itself may lie in its own memory.
void srs_arena_release(srs_arena *arena);
