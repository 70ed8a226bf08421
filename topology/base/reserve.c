// Reserved memory: a line with the block's size before the block. Large blocks are mapped without reserving swap for
// them, so that a capacity of a million contacts costs what the contacts at hand use. Memory that is used from end to
// end, on the other hand, asks for large pages (Linux, MADV_HUGEPAGE; they have 2 MB on x86-64 and mostly elsewhere).
#include "topology/base/reserve.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#include <sys/mman.h>
#define MAPS_LARGE_BLOCKS 1
#else
#define MAPS_LARGE_BLOCKS 0
#endif

static const size_t line = 64;

static const size_t most_present = (size_t)4 << 20;
#if !MAPS_LARGE_BLOCKS
static const size_t most_taken = (size_t)1 << 40; // beyond, AddressSanitizer ends the process
#endif

static char *map_block(size_t bytes)
{
#if MAPS_LARGE_BLOCKS
  void *whole = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return whole == MAP_FAILED ? NULL : whole;
#else
  char *whole = bytes <= most_taken ? aligned_alloc(line, bytes) : NULL;
  return whole != NULL ? memset(whole, 0, bytes) : NULL;
#endif
}

static void unmap_block(char *whole, size_t bytes)
{
#if MAPS_LARGE_BLOCKS
  munmap(whole, bytes);
#else
  (void)bytes;
  free(whole);
#endif
}

// The block behind its size, whatever there is room for there; 0: none.
static size_t bytes_of(size_t count, size_t size)
{
  return size > 0 && count > (SIZE_MAX - 2 * line) / size ? 0 : (count * size + line - 1) / line * line + line;
}

static void *behind_size(char *whole, size_t bytes)
{
  if (whole == NULL) return NULL;
  memcpy(whole, &bytes, sizeof bytes);
  return whole + line;
}

void *srs_reserve(size_t count, size_t size)
{
  const size_t bytes = bytes_of(count, size);
  if (bytes == 0) return NULL;
  char *whole = bytes > most_present ? map_block(bytes) : aligned_alloc(line, bytes);
  if (whole != NULL && bytes <= most_present) memset(whole, 0, bytes);
  return behind_size(whole, bytes);
}

void *srs_reserve_unused(size_t count, size_t size)
{
  const size_t bytes = bytes_of(count, size);
  if (bytes == 0) return NULL;
  return behind_size(bytes > most_present ? map_block(bytes) : calloc(1, bytes), bytes);
}

void *srs_take_pages(size_t bytes)
{
  static const size_t page = (size_t)2 << 20;
  static const size_t least = (size_t)16 << 20; // processors know where some 12 MB of small pages are
  if (bytes > SIZE_MAX / 2) return NULL;
  const size_t alignment = bytes < least ? line : page;
  const size_t whole = (bytes > 0 ? (bytes + alignment - 1) / alignment : 1) * alignment;
#if MAPS_LARGE_BLOCKS
  void *block = aligned_alloc(alignment, whole);
  if (block != NULL && bytes >= least) (void)madvise(block, whole, MADV_HUGEPAGE); // small pages do as well
  return block;
#else
  return whole <= most_taken ? aligned_alloc(alignment, whole) : NULL;
#endif
}

void srs_release(void *block)
{
  if (block == NULL) return;
  char *whole = (char *)block - line;
  size_t bytes;
  memcpy(&bytes, whole, sizeof bytes);
  if (bytes > most_present)
    unmap_block(whole, bytes);
  else
    free(whole);
}
