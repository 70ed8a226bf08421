// Lookup by name: a hash table while items are gathered, a sorted order once they are compiled. Internal.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Names in the order they came, each with a number. Names are not copied.
typedef struct srs_names {
  const char **names; // n
  int *values;        // n
  int *slots;         // n_slots, a power of two: index into names, -1 free
  int n, room, n_slots;
} srs_names;

/// Makes room for one more. @return false, nothing changed, when out of memory
bool srs_names_reserve(srs_names *names);

/// Adds a name that is not there yet; cannot fail after srs_names_reserve.
void srs_names_add(srs_names *names, const char *name, int value);

/// The number that came with the name, -1 when it is not there.
int srs_names_find(const srs_names *names, const char *name);

/// Keeps only those whose number is below `end`. Numbers must have come in rising order.
void srs_names_cut(srs_names *names, int end);

void srs_names_release(srs_names *names);

/// Writes 0 … n-1 into order so that the names rise; equal names in their given order.
/// @param name  n  @param order  n, out  @return false when out of memory
bool srs_names_sort(const char *const *names, int n, int *order);

/// "'a', 'b' and 'c'"; of more than six the first five and how many more.
/// @return text
const char *srs_names_join(const char *const *names, int n, char *text, size_t size);
