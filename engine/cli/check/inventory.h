// What a reader took from a file, kind by kind. Internal.
#pragma once
#include "engine/cli/shared/folding.h"
#include "topology/base/names.h"
#include <sarrus/topology.h>

/// Elements or attributes of one path and one state.
typedef struct srs_inventory_row {
  const char *path; // "robot/link/inertial/mass/@value"
  srs_item_state state;
  int count, first_line, last_line;
  const char *file;
} srs_inventory_row;

enum { SRS_INVENTORY_STATES = SRS_ITEM_UNREAD + 1 };

typedef struct srs_inventory {
  srs_inventory_row *rows; // n, in the order in which their kinds came
  int n, room;
  srs_names paths[SRS_INVENTORY_STATES]; // of each state: the row of a path; empty where all items are listed
  bool lists_all;                        // a row for every item
  bool failed;                           // out of memory
  srs_arena memory;
} srs_inventory;

/// A srs_file_visit whose context is a srs_inventory.
void srs_inventory_take(void *context, const srs_file_item *item);

void srs_inventory_release(srs_inventory *inventory);
