// Rows and columns of a film's recording.
#include "engine/cli/view/frames.h"

#include <stdio.h>
#include <string.h>

int srs_film_column(const srs_recording *recording, const char *head, const char *name, const char *tail, int near)
{
  char wanted[512];
  snprintf(wanted, sizeof wanted, "%s%s%s", head, name, tail);
  const table *t = &recording->table;
  if (near >= 0 && near < t->n_columns && strcmp(t->names[near], wanted) == 0) return near;
  return table_find(t, wanted);
}

const double *srs_film_row(const srs_film *film, int frame)
{
  const table *t = &film->recording->table;
  return t->values + (size_t)film->rows[frame] * (size_t)t->n_columns;
}
