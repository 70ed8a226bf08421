// What a reader took from a file, kind by kind. Internal.
#pragma once
#include "engine/cli/shared/folding.h"
#include "topology/base/names.h"
#include <sarrus/topology.h>

typedef enum srs_row_state {
  SRS_ROW_HONOURED,
  SRS_ROW_NO_EFFECT, // known to have none
  SRS_ROW_IGNORED,
  SRS_ROW_REFUSED,
  SRS_ROW_READ, // these two in a file that is refused: before that, and no longer
  SRS_ROW_NOT_REACHED,
} srs_row_state;

typedef struct srs_inventory_item {
  int path; // among the paths
  srs_row_state state;
  int line;
  const char *file;
} srs_inventory_item;

/// Elements or attributes of one path and one state.
typedef struct srs_inventory_row {
  const char *path; // "robot/link/inertial/mass/@value"
  srs_row_state state;
  int count, first_line, last_line;
  const char *file;
} srs_inventory_row;

typedef struct srs_inventory {
  srs_inventory_item *items; // n_items, in the order in which they came
  const char **paths;        // n_paths, each once
  srs_inventory_row *rows;   // n, in the order in which their kinds came
  int n_items, item_room, n_paths, path_room, n, room;
  bool lists_all; // a row for every item
  bool failed;    // out of memory
  srs_names path_names;
  srs_arena memory;
} srs_inventory;

/// A srs_file_visit whose context is a srs_inventory.
void srs_inventory_take(void *context, const srs_file_item *item);

/// A message "FILE:LINE: text" says that something has no effect: what it names, and all in it, was read in vain.
void srs_inventory_ignore(srs_inventory *inventory, const char *message);

/// The file in which the last items stand was refused: whatever the reader had not come to was not reached.
void srs_inventory_refuse(srs_inventory *inventory, const srs_error *error);

/// Makes the rows; when all has been taken.
void srs_inventory_fold(srs_inventory *inventory);

void srs_inventory_release(srs_inventory *inventory);
