// Which elements and attributes has a file, and what became of them? One row for each kind: a path and a state.
//
// The items are kept one by one until all is known: a reader marks what it has read, and says later that some of it has
// no effect, or refuses the file.
#include "engine/cli/check/inventory.h"
#include "engine/cli/check/refused.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Items
// ---------------------------------------------------------------------------------------------------------------------

// An array of `size` each with room for one more.
static void *grown(void *array, int n, int *room, size_t size)
{
  if (n < *room) return array;
  void *more = realloc(array, (2 * (size_t)*room + 64) * size);
  if (more != NULL) *room = 2 * *room + 64;
  return more;
}

static int path_number(srs_inventory *inventory, const char *path)
{
  const int known = srs_names_find(&inventory->path_names, path);
  if (known >= 0) return known;
  const char *kept = srs_arena_copy(&inventory->memory, path);
  const char **paths = grown(inventory->paths, inventory->n_paths, &inventory->path_room, sizeof *paths);
  if (paths != NULL) inventory->paths = paths;
  if (kept == NULL || paths == NULL || !srs_names_reserve(&inventory->path_names)) return -1;
  srs_names_add(&inventory->path_names, kept, inventory->n_paths);
  paths[inventory->n_paths] = kept;
  return inventory->n_paths++;
}

void srs_inventory_take(void *context, const srs_file_item *item)
{
  static const srs_row_state states[] = {
      [SRS_ITEM_READ] = SRS_ROW_HONOURED, [SRS_ITEM_KNOWN] = SRS_ROW_NO_EFFECT, [SRS_ITEM_UNREAD] = SRS_ROW_IGNORED};
  srs_inventory *inventory = context;
  const int n = inventory->n_items;
  if (inventory->failed) return;
  char text[800];
  srs_print(text, sizeof text, "%s%s%s", item->path, item->attribute != NULL ? "/@" : "",
            item->attribute != NULL ? item->attribute : "");
  const int path = path_number(inventory, text);
  const char *last = n > 0 ? inventory->items[n - 1].file : NULL;
  const char *file =
      last != NULL && strcmp(last, item->file) == 0 ? last : srs_arena_copy(&inventory->memory, item->file);
  srs_inventory_item *items = grown(inventory->items, n, &inventory->item_room, sizeof *items);
  if (items != NULL) inventory->items = items;
  inventory->failed = path < 0 || file == NULL || items == NULL;
  if (inventory->failed) return;
  items[n] = (srs_inventory_item){path, states[item->state], item->line, file};
  inventory->n_items++;
}

static const char *path_of(const srs_inventory *inventory, int item)
{
  return inventory->paths[inventory->items[item].path];
}

// ---------------------------------------------------------------------------------------------------------------------
// Read in vain
// ---------------------------------------------------------------------------------------------------------------------

enum { NAME_SIZE = 80 };

// The last word of the path that a text begins with: "robot/link[@name='p']/collision holds no …" gives "collision".
static size_t end_of_path(const char *text, const char **last)
{
  const char *at = text;
  *last = NULL;
  for (; *at != '\0' && *at != ' '; at++) {
    if (*at == '[' && strchr(at, ']') != NULL) at = strchr(at, ']');
    if (*at == '/') *last = at + 1;
  }
  return *last != NULL ? (size_t)(at - *last) : 0;
}

// The element that a message is about, as a path ends; "actuator/" is any child of that. "" for none.
static void name_element(const char *text, char name[NAME_SIZE])
{
  const char *open = text + strspn(text, "0123456789 "), *last = NULL; // "<gazebo> is …", "7 <gazebo> blocks …"
  const size_t n = end_of_path(text, &last);
  name[0] = '\0';
  if (strstr(text, "does not follow") != NULL)
    srs_print(name, NAME_SIZE, "mimic");
  else if (strncmp(text, "actuator ", 9) == 0)
    srs_print(name, NAME_SIZE, "actuator/");
  else if (n > 0 && n < NAME_SIZE && *last != '@')
    srs_print(name, NAME_SIZE, "%.*s", (int)n, last);
  else if (n == 0 && *open == '<')
    srs_print(name, NAME_SIZE, "%.*s", (int)strcspn(open + 1, " />"), open + 1);
}

static bool is_element(const char *path, const char *name)
{
  const char *slash = strrchr(path, '/'), *last = slash != NULL ? slash + 1 : path;
  const size_t n = strlen(name);
  if (*last == '@') return false;
  if (name[n - 1] != '/') return strcmp(last, name) == 0;
  return (size_t)(last - path) > n && strncmp(last - n, name, n) == 0 && last[-(ptrdiff_t)n - 1] == '/';
}

static bool is_within(const char *path, const char *outer)
{
  const size_t n = strlen(outer);
  return strncmp(path, outer, n) == 0 && path[n] == '/';
}

static void ignore_whole(srs_inventory *inventory, int item)
{
  const char *outer = path_of(inventory, item);
  for (int i = item; i < inventory->n_items && (i == item || is_within(path_of(inventory, i), outer)); i++)
    if (inventory->items[i].state == SRS_ROW_HONOURED) inventory->items[i].state = SRS_ROW_IGNORED;
}

// The element around an item.
static int outer_of(const srs_inventory *inventory, int item)
{
  const char *path = path_of(inventory, item);
  for (int i = item - 1; i >= 0; i--) {
    const char *outer = path_of(inventory, i);
    if (is_within(path, outer) && strchr(path + strlen(outer) + 1, '/') == NULL) return i;
  }
  return item;
}

void srs_inventory_ignore(srs_inventory *inventory, const char *message)
{
  int line;
  char name[NAME_SIZE];
  const char *text = srs_message_text(message, &line);
  const bool is_many = strstr(text, "from here on") != NULL, is_shape = strstr(text, "the shape is left out") != NULL;
  name_element(text, name);
  for (int i = 0; i < inventory->n_items && line > 0 && name[0] != '\0'; i++) {
    const srs_inventory_item *item = &inventory->items[i];
    const size_t n = strlen(item->file);
    if (item->state != SRS_ROW_HONOURED || !is_element(path_of(inventory, i), name)) continue;
    if (strncmp(message, item->file, n) != 0 || message[n] != ':') continue;
    if (item->line != line && !(is_many && item->line > line)) continue;
    ignore_whole(inventory, is_shape ? outer_of(inventory, i) : i);
    if (!is_many) return;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Refused
// ---------------------------------------------------------------------------------------------------------------------

// The item of a document from `first` on that stands there, where the element was not reached the one around it.
static int find_refused(const srs_inventory *inventory, int first, const char *file, const srs_refused *what)
{
  char name[2 * NAME_SIZE];
  int found = -1;
  srs_print(name, sizeof name, "@%s", what->attribute);
  for (int i = first; i < inventory->n_items; i++) {
    const srs_inventory_item *item = &inventory->items[i];
    const char *path = path_of(inventory, i);
    if (item->line != what->line || strcmp(item->file, file) != 0) continue;
    if (found < 0 && is_element(path, what->element)) found = i;
    if (found < 0 || what->attribute[0] == '\0') continue;
    const char *slash = strrchr(path, '/');
    const bool is_it = slash != NULL && strcmp(slash + 1, name) == 0;
    const size_t n = strlen(what->element), outer = slash != NULL ? (size_t)(slash - path) : 0;
    if (is_it && outer >= n && strncmp(slash - n, what->element, n) == 0) return i;
  }
  return found;
}

void srs_inventory_refuse(srs_inventory *inventory, const srs_error *error)
{
  int first = inventory->n_items - 1;
  while (first > 0 && strchr(path_of(inventory, first), '/') != NULL) first--; // the root of the last document
  bool is_there = false;
  for (int i = first; i >= 0 && i < inventory->n_items; i++)
    is_there = is_there || strcmp(inventory->items[i].file, error->file) == 0;
  if (!is_there) return;
  for (int i = first; i < inventory->n_items; i++) {
    srs_row_state *state = &inventory->items[i].state;
    *state = *state == SRS_ROW_HONOURED ? SRS_ROW_READ : *state == SRS_ROW_IGNORED ? SRS_ROW_NOT_REACHED : *state;
  }
  srs_refused what;
  if (!srs_refused_find(error, &what)) return;
  const int at = find_refused(inventory, first, error->file, &what);
  if (at >= 0) inventory->items[at].state = SRS_ROW_REFUSED;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

enum { STATES = SRS_ROW_NOT_REACHED + 1 };

void srs_inventory_fold(srs_inventory *inventory)
{
  const size_t n_kinds = STATES * (size_t)inventory->n_paths;
  int *row_of = calloc(n_kinds + 1, sizeof *row_of); // of a path and a state, from 1; 0: none yet
  inventory->failed = inventory->failed || row_of == NULL;
  for (int i = 0; i < inventory->n_items && !inventory->failed; i++) {
    const srs_inventory_item *item = &inventory->items[i];
    int *row = &row_of[STATES * (size_t)item->path + item->state];
    if (*row > 0 && !inventory->lists_all) {
      inventory->rows[*row - 1].count++;
      inventory->rows[*row - 1].last_line = item->line;
      continue;
    }
    srs_inventory_row *rows = grown(inventory->rows, inventory->n, &inventory->room, sizeof *rows);
    inventory->failed = rows == NULL;
    if (inventory->failed) break;
    inventory->rows = rows;
    rows[inventory->n++] =
        (srs_inventory_row){inventory->paths[item->path], item->state, 1, item->line, item->line, item->file};
    *row = inventory->n;
  }
  free(row_of);
}

void srs_inventory_release(srs_inventory *inventory)
{
  free(inventory->items);
  free(inventory->paths);
  free(inventory->rows);
  srs_names_release(&inventory->path_names);
  srs_arena_release(&inventory->memory);
}
