// Lookup by name: open addressing over FNV-1a hashes while items are gathered, a sorted order once they are compiled.
#include "topology/base/names.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *text)
{
  uint32_t h = 2166136261u;
  for (const char *c = text; *c != '\0'; c++) h = (h ^ (unsigned char)*c) * 16777619u;
  return h;
}

static void fill_slots(srs_names *names, int *slots, int n_slots)
{
  const uint32_t mask = (uint32_t)n_slots - 1;
  for (int i = 0; i < n_slots; i++) slots[i] = -1;
  for (int i = 0; i < names->n; i++) {
    uint32_t at = hash(names->names[i]) & mask;
    while (slots[at] >= 0) at = (at + 1) & mask;
    slots[at] = i;
  }
}

bool srs_names_reserve(srs_names *names)
{
  if (names->n < names->room) return true;
  if (names->room > INT_MAX / 8) return false;
  const int room = names->room > 0 ? 2 * names->room : 16, n_slots = 2 * room;
  const char **texts = realloc(names->names, (size_t)room * sizeof *texts);
  if (texts != NULL) names->names = texts;
  int *values = realloc(names->values, (size_t)room * sizeof *values);
  if (values != NULL) names->values = values;
  int *slots = malloc((size_t)n_slots * sizeof *slots);
  if (texts == NULL || values == NULL || slots == NULL) {
    free(slots);
    return false;
  }
  fill_slots(names, slots, n_slots);
  free(names->slots);
  names->slots = slots;
  names->room = room;
  names->n_slots = n_slots;
  return true;
}

void srs_names_add(srs_names *names, const char *name, int value)
{
  const uint32_t mask = (uint32_t)names->n_slots - 1;
  uint32_t at = hash(name) & mask;
  while (names->slots[at] >= 0) at = (at + 1) & mask;
  names->slots[at] = names->n;
  names->names[names->n] = name;
  names->values[names->n] = value;
  names->n++;
}

int srs_names_find(const srs_names *names, const char *name)
{
  if (names->n == 0) return -1;
  const uint32_t mask = (uint32_t)names->n_slots - 1;
  for (uint32_t at = hash(name) & mask; names->slots[at] >= 0; at = (at + 1) & mask)
    if (strcmp(names->names[names->slots[at]], name) == 0) return names->values[names->slots[at]];
  return -1;
}

void srs_names_cut(srs_names *names, int end)
{
  const int before = names->n;
  while (names->n > 0 && names->values[names->n - 1] >= end) names->n--;
  if (names->n < before) fill_slots(names, names->slots, names->n_slots);
}

void srs_names_release(srs_names *names)
{
  free(names->names);
  free(names->values);
  free(names->slots);
  *names = (srs_names){0};
}

typedef struct named {
  const char *name;
  int index;
} named;

static int compare(const void *a, const void *b)
{
  const named *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

bool srs_names_sort(const char *const *names, int n, int *order)
{
  if (n <= 0) return true;
  named *items = malloc((size_t)n * sizeof *items);
  if (items == NULL) return false;
  for (int i = 0; i < n; i++) items[i] = (named){names[i], i};
  qsort(items, (size_t)n, sizeof *items, compare);
  for (int i = 0; i < n; i++) order[i] = items[i].index;
  free(items);
  return true;
}

const char *srs_names_join(const char *const *names, int n, char *text, size_t size)
{
  const int shown = n > 6 ? 5 : n;
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < shown && at < size; i++) {
    const char *before = i == 0 ? "" : i == n - 1 ? " and " : ", ";
    at += (size_t)snprintf(text + at, size - at, "%s'%s'", before, names[i]);
  }
  if (shown < n && at < size) snprintf(text + at, size - at, " and %d more", n - shown);
  return text;
}
