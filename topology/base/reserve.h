// Memory for what may come. Internal.
#pragma once
#include <stddef.h>

/// Zeroed memory for `count` elements of `size` bytes, at the start of a cache line. Up to 4 MB are in memory from the
/// start, so that no step waits for a page; of larger blocks the system gives the pages that are used, as they are.
/// @return NULL where there is no memory or no address left
void *srs_reserve(size_t count, size_t size);

/// The same for memory of which a part is used, rarely all of it: no page is touched at the start, and blocks up to 4
/// MB are aligned as malloc's are.
void *srs_reserve_unused(size_t count, size_t size);

/// Gives a block back; NULL does nothing.
void srs_release(void *block);

/// Memory that passes go through from end to end, as a whole; not zeroed. From 16 MB on it lies in large pages where
/// the system gives them, so that a pass over it does not wait for page tables.
/// @return on the start of a cache line, given back with free(); NULL where there is no memory
void *srs_take_pages(size_t bytes);
