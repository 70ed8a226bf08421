// The allocator, counted and told to give up: include it in one file of a program. malloc and its kin are interposed,
// C++'s too, which are made of them. Not under the sanitizers, which interpose them themselves.
//
// With `ours_only` requests of shared libraries are granted and not counted: those are told by where the call comes
// from. What the C library takes on our behalf (strdup, fopen, realpath) counts as ours then.
#pragma once
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's names for its own allocator
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *piece, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *piece);
extern const char __executable_start[], etext[]; // the linker's: between them lies the program's code
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// Volatile, for the compiler knows malloc and takes it that no call of it changes a variable of ours.
static volatile long requests;              // so far
static volatile bool armed;                 // requests fail once `left` is used up
static volatile bool ours_only, fails_once; // `once`: later requests are granted again
static volatile long left;                  // requests still granted
static volatile long live;                  // pieces taken while armed, less those freed while armed

static bool refused(const void *caller)
{
  const uintptr_t at = (uintptr_t)caller;
  if (ours_only && (at < (uintptr_t)__executable_start || at >= (uintptr_t)etext)) return false;
  requests++;
  return armed && (left-- == 0 || (left < 0 && !fails_once));
}

#define REFUSED refused(__builtin_return_address(0))

static void *counted(void *piece)
{
  live += armed && piece != NULL;
  return piece;
}

void *malloc(size_t size) { return REFUSED ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return REFUSED ? NULL : counted(__libc_calloc(count, size)); }
void *aligned_alloc(size_t alignment, size_t size)
{
  return REFUSED ? NULL : counted(__libc_memalign(alignment, size));
}
void *realloc(void *piece, size_t size)
{
  if (REFUSED) return NULL;
  return piece == NULL ? counted(__libc_realloc(piece, size)) : __libc_realloc(piece, size);
}
void free(void *piece)
{
  live -= armed && piece != NULL;
  __libc_free(piece);
}
