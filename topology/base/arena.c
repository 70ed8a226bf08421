// An arena: memory of one lifetime in a list of chunks, filled from front to back and freed together.
//
// A request that does not fit opens a chunk of its own size or the usual one, whichever is larger. Failure is
// remembered, so that a caller may take many pieces and check once.
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include "topology/base/reserve.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct srs_arena_chunk {
  srs_arena_chunk *previous;
};

enum { LINE = 64, CHUNK = 16 * 1024 };

static bool open_chunk(srs_arena *arena, size_t size)
{
  if (size > SIZE_MAX / 2) return false;
  const size_t whole = LINE + (size > CHUNK - LINE ? (size + LINE - 1) / LINE * LINE : CHUNK - LINE);
  srs_arena_chunk *chunk = srs_take_pages(whole);
  if (chunk == NULL) return false;
  chunk->previous = arena->chunks;
  arena->chunks = chunk;
  arena->next = (char *)chunk + LINE;
  arena->left = whole - LINE;
  return true;
}

static void *take(srs_arena *arena, size_t size, size_t alignment)
{
  if (arena->failed) return NULL;
  const size_t gap = (size_t)(-(uintptr_t)arena->next) % alignment;
  if (arena->next == NULL || arena->left < gap || arena->left - gap < size) {
    if (!open_chunk(arena, size)) {
      arena->failed = true;
      return NULL;
    }
  } else {
    arena->next += gap;
    arena->left -= gap;
  }
  void *piece = arena->next;
  arena->next += size;
  arena->left -= size;
  return piece;
}

void *srs_arena_take(srs_arena *arena, size_t count, size_t size)
{
  if (size != 0 && count > SIZE_MAX / 4 / size) {
    arena->failed = true;
    return NULL;
  }
  const size_t bytes = count * size > 0 ? count * size : 1;
  void *piece = take(arena, bytes, LINE);
  if (piece != NULL) memset(piece, 0, bytes);
  return piece;
}

char *srs_arena_copy(srs_arena *arena, const char *text)
{
  const size_t size = strlen(text) + 1;
  char *copy = take(arena, size, 1);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

const char *srs_arena_copy_or_null(srs_arena *arena, const char *text)
{
  return text != NULL ? srs_arena_copy(arena, text) : NULL;
}

char *srs_arena_vprint(srs_arena *arena, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  const int length = srs_vprint(NULL, 0, format, again);
  va_end(again);
  char *text = length >= 0 ? take(arena, (size_t)length + 1, 1) : NULL;
  if (text == NULL)
    arena->failed = true; // a text that cannot be printed has no memory to be printed in
  else
    srs_vprint(text, (size_t)length + 1, format, arguments);
  return text;
}

char *srs_arena_print(srs_arena *arena, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = srs_arena_vprint(arena, format, arguments);
  va_end(arguments);
  return text;
}

void srs_arena_release(srs_arena *arena)
{
  srs_arena_chunk *chunk = arena->chunks;
  *arena = (srs_arena){0};
  while (chunk != NULL) {
    srs_arena_chunk *previous = chunk->previous;
    free(chunk);
    chunk = previous;
  }
}
