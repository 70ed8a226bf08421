// Which elements and attributes has a file, and what became of them? One row for each kind: a path and a state.
#include "engine/cli/check/inventory.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

static srs_inventory_row *find(const srs_inventory *inventory, const char *path, srs_item_state state)
{
  const int row = inventory->lists_all ? -1 : srs_names_find(&inventory->paths[state], path);
  return row >= 0 ? &inventory->rows[row] : NULL;
}

// Makes room for one more row.
static bool reserve(srs_inventory *inventory, srs_item_state state)
{
  if (inventory->n == inventory->room) {
    const int room = 2 * inventory->room + 64;
    srs_inventory_row *more = realloc(inventory->rows, (size_t)room * sizeof *more);
    if (more == NULL) return false;
    inventory->rows = more, inventory->room = room;
  }
  return srs_names_reserve(&inventory->paths[state]);
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
  if (kept == NULL || file == NULL || !reserve(inventory, item->state)) {
    inventory->failed = true;
    return;
  }
  if (!inventory->lists_all) srs_names_add(&inventory->paths[item->state], kept, inventory->n);
  inventory->rows[inventory->n++] = (srs_inventory_row){kept, item->state, 1, item->line, item->line, file};
}

void srs_inventory_release(srs_inventory *inventory)
{
  free(inventory->rows);
  for (int i = 0; i < SRS_INVENTORY_STATES; i++) srs_names_release(&inventory->paths[i]);
  srs_arena_release(&inventory->memory);
}
