// Memory, names and units of columns.
#include "engine/output/columns/columns.h"

#include "topology/base/errors.h"
#include "topology/base/text.h"

#include <fnmatch.h>
#include <string.h>

bool srs_columns_reserve(srs_arena *arena, srs_columns *c, size_t most, size_t state_size)
{
  *c = (srs_columns){.sensors = c->sensors};
  c->names = srs_arena_take(arena, most + 1, sizeof *c->names);
  c->units = srs_arena_take(arena, most + 1, sizeof *c->units);
  c->axes = srs_arena_take(arena, most + 1, sizeof *c->axes);
  c->values = srs_arena_take(arena, most + 1, sizeof *c->values);
  c->state = srs_arena_take(arena, state_size + 1, 1);
  return c->names != NULL && c->units != NULL && c->axes != NULL && c->values != NULL && c->state != NULL;
}

bool srs_columns_add(srs_arena *arena, srs_columns *c, const char *before, const char *name, const char *after,
                     const char *unit)
{
  c->names[c->n] = srs_text_join(arena, before, name, after);
  c->units[c->n] = unit;
  c->axes[c->n] = "";
  return c->names[c->n++] != NULL;
}

void srs_columns_axes(srs_columns *c, int last, const char *axes)
{
  for (int i = last < c->n ? c->n - last : 0; i < c->n; i++) c->axes[i] = axes;
}

bool srs_column_matches(const char *pattern, const char *name)
{
  return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

const char *srs_force_unit(bool is_angle) { return is_angle ? "N m" : "N"; }

bool srs_is_angle(const srs_model *model, int v_index) { return srs_model_v_unit(model, v_index)[0] == 'r'; }

srs_status srs_columns_made(bool is_good, const char *what, srs_error *error)
{
  return is_good ? SRS_OK : srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the %s", what);
}
