// The allocator, counted and told to give up: include it in one file of a program. malloc and its kin are interposed,
// C++'s too, which are made of them. Not under the sanitizers, which interpose them themselves.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names for its own allocator
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *piece, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *piece);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// Volatile, for the compiler knows malloc and takes it that no call of it changes a variable of ours.
static volatile long requests; // so far
static volatile bool armed;    // requests fail once `left` is used up
static volatile long left;     // requests still granted
static volatile long live;     // pieces taken while armed, less those freed while armed

static bool refused(void) { return requests++, armed && left-- <= 0; }

static void *counted(void *piece)
{
  live += armed && piece != NULL;
  return piece;
}

void *malloc(size_t size) { return refused() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : counted(__libc_calloc(count, size)); }
void *aligned_alloc(size_t alignment, size_t size)
{
  return refused() ? NULL : counted(__libc_memalign(alignment, size));
}
void *realloc(void *piece, size_t size)
{
  if (refused()) return NULL;
  return piece == NULL ? counted(__libc_realloc(piece, size)) : __libc_realloc(piece, size);
}
void free(void *piece)
{
  live -= armed && piece != NULL;
  __libc_free(piece);
}
