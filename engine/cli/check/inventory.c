// Which elements and attributes has a file, and what became of them? One row for each kind: a path and a state.
#include "engine/cli/check/inventory.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

static srs_inventory_row *find(srs_inventory *inventory, const char *path, srs_item_state state)
{
  for (int i = inventory->lists_all ? inventory->n : 0; i < inventory->n; i++)
    if (inventory->rows[i].state == state && strcmp(inventory->rows[i].path, path) == 0) return &inventory->rows[i];
  return NULL;
}

static srs_inventory_row *add(srs_inventory *inventory)
{
  if (inventory->n == inventory->room) {
    const int room = 2 * inventory->room + 64;
    srs_inventory_row *more = realloc(inventory->rows, (size_t)room * sizeof *more);
    if (more == NULL) return NULL;
    inventory->rows = more, inventory->room = room;
  }
  return &inventory->rows[inventory->n++];
}

void srs_inventory_take(void *context, const srs_file_item *item)
{
  srs_inventory *inventory = context;
  if (inventory->failed) return;
  char path[800];
  srs_print(path, sizeof path, "%s%s%s", item->path, item->attribute != NULL ? "/@" : "",
            item->attribute != NULL ? item->attribute : "");
  srs_inventory_row *row = find(inventory, path, item->state);
  if (row != NULL) {
    row->count++;
    row->last_line = item->line;
    return;
  }
  const char *kept = srs_arena_copy(&inventory->memory, path), *file = srs_arena_copy(&inventory->memory, item->file);
  row = kept != NULL && file != NULL ? add(inventory) : NULL;
  if (row == NULL)
    inventory->failed = true;
  else
    *row = (srs_inventory_row){kept, item->state, 1, item->line, item->line, file};
}

void srs_inventory_release(srs_inventory *inventory)
{
  free(inventory->rows);
  srs_arena_release(&inventory->memory);
}
