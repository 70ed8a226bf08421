// What touches in a film? Of a CSV file pairs are named by columns, `contact:A:B:fx` …, with a place for each pair; of
// an HDF5 file they are those of the table of contact points.

#include "engine/cli/view/film_contacts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Pairs by columns
// ---------------------------------------------------------------------------------------------------------------------

// The name between "contact:" and ":fx"; NULL for another column.
static char *pair_name(const char *column)
{
  static const char head[] = "contact:", tail[] = ":fx";
  const size_t length = strlen(column), around = sizeof head - 1 + sizeof tail - 1;
  if (length <= around || strncmp(column, head, sizeof head - 1) != 0) return NULL;
  if (strcmp(column + length - (sizeof tail - 1), tail) != 0) return NULL;
  return strndup(column + sizeof head - 1, length - around);
}

// The link that a label of a shape or the name of a link stands for, -1 for the world.
static bool find_body(const srs_model *model, const char *name, int *body)
{
  *body = -1;
  for (int i = 0; i < srs_model_n_shapes(model); i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    if (strcmp(shape->label, name) != 0) continue;
    *body = shape->frame >= 0 ? srs_model_frame(model, shape->frame)->link : -1;
    return true;
  }
  const int frame = srs_model_find_frame(model, name);
  if (frame >= 0) *body = srs_model_frame(model, frame)->link;
  return frame >= 0 || strcmp(name, "world") == 0;
}

// Splits "A:B", whose names may have colons, where both sides are known.
static void split_pair(const srs_model *model, srs_film_pair *pair)
{
  pair->side[0] = pair->names, pair->side[1] = "";
  pair->body[0] = pair->body[1] = -1, pair->sign = 1;
  for (char *colon = strchr(pair->names, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
    int first, second;
    *colon = '\0';
    if (find_body(model, pair->names, &first) && find_body(model, colon + 1, &second)) {
      const bool is_turned = first < 0 && second >= 0;
      pair->side[0] = is_turned ? colon + 1 : pair->names, pair->side[1] = is_turned ? pair->names : colon + 1;
      pair->body[0] = is_turned ? second : first, pair->body[1] = is_turned ? first : second;
      pair->sign = is_turned ? -1 : 1;
      return;
    }
    *colon = ':';
  }
}

static bool find_column_pairs(srs_film *film)
{
  static const char *const tails[6] = {":fx", ":fy", ":fz", ":x", ":y", ":z"};
  const table *t = &film->recording->table;
  film->pairs = calloc((size_t)t->n_columns / 6 + 1, sizeof *film->pairs);
  for (int i = 0; i < t->n_columns && film->pairs != NULL && film->n_pairs < t->n_columns / 6; i++) {
    srs_film_pair pair = {.names = pair_name(t->names[i])};
    bool is_whole = pair.names != NULL;
    for (int k = 0; k < 6 && is_whole; k++) {
      pair.columns[k] = srs_film_column(film->recording, "contact:", pair.names, tails[k], i + k);
      is_whole = pair.columns[k] >= 0;
    }
    if (!is_whole) {
      free(pair.names);
      continue;
    }
    split_pair(film->model, &pair);
    film->pairs[film->n_pairs++] = pair;
  }
  return film->pairs != NULL;
}

static bool take_room(srs_film *film, int n)
{
  film->contact_ends = calloc((size_t)film->n_frames + 1, sizeof *film->contact_ends);
  film->contact_pair = calloc((size_t)n + 1, sizeof *film->contact_pair);
  film->contacts = calloc(6 * (size_t)n + 1, sizeof *film->contacts);
  return film->contact_ends != NULL && film->contact_pair != NULL && film->contacts != NULL;
}

static bool is_touching(const double *row, const srs_film_pair *pair)
{
  for (int k = 0; k < 6; k++)
    if (row[pair->columns[k]] != 0) return true;
  return false;
}

static bool collect_columns(srs_film *film)
{
  int n = 0;
  for (int frame = 0; frame < film->n_frames; frame++)
    for (int i = 0; i < film->n_pairs; i++) n += is_touching(srs_film_row(film, frame), &film->pairs[i]);
  if (!take_room(film, n)) return false;
  for (int frame = 0; frame < film->n_frames; frame++) {
    const double *row = srs_film_row(film, frame);
    for (int i = 0; i < film->n_pairs; i++) {
      const srs_film_pair *pair = &film->pairs[i];
      if (!is_touching(row, pair)) continue;
      float *contact = film->contacts + 6 * (size_t)film->n_contacts;
      for (int k = 0; k < 3; k++) {
        contact[k] = (float)row[pair->columns[3 + k]];
        contact[3 + k] = (float)(pair->sign * row[pair->columns[k]]);
      }
      film->contact_pair[film->n_contacts++] = i;
    }
    film->contact_ends[frame] = film->n_contacts;
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs of a table
// ---------------------------------------------------------------------------------------------------------------------

typedef struct line_list {
  char *text;
  const char **lines; // n
  int n;
} line_list;

static bool split_lines(const char *text, line_list *list)
{
  *list = (line_list){.text = strdup(text)};
  list->lines = calloc(strlen(text) + 1, sizeof *list->lines);
  if (list->text == NULL || list->lines == NULL) return false;
  for (char *at = list->text; *at != '\0';) {
    char *end = strchr(at, '\n');
    list->lines[list->n++] = at;
    if (end == NULL) break;
    *end = '\0';
    at = end + 1;
  }
  return true;
}

static int by_key(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int64_t key_of(const srs_h5_rows_read *rows, int contact)
{
  return ((int64_t)rows->pairs[2 * (size_t)contact] << 32) + rows->pairs[2 * (size_t)contact + 1];
}

// The keys of all contacts, sorted, each once.  @return how many, -1: out of memory
static int list_keys(const srs_h5_rows_read *rows, int64_t **keys)
{
  *keys = calloc((size_t)rows->n_contacts + 1, sizeof **keys);
  if (*keys == NULL) return -1;
  for (int i = 0; i < rows->n_contacts; i++) (*keys)[i] = key_of(rows, i);
  qsort(*keys, (size_t)rows->n_contacts, sizeof **keys, by_key);
  int n = 0;
  for (int i = 0; i < rows->n_contacts; i++)
    if (n == 0 || (*keys)[n - 1] != (*keys)[i]) (*keys)[n++] = (*keys)[i];
  return n;
}

static bool name_pair(srs_film *film, const line_list *shapes, int64_t key, srs_film_pair *pair)
{
  const int64_t side[2] = {key >> 32, key & 0xffffffff};
  const char *names[2];
  for (int i = 0; i < 2; i++) names[i] = side[i] >= 0 && side[i] < shapes->n ? shapes->lines[side[i]] : "?";
  *pair = (srs_film_pair){.names = malloc(strlen(names[0]) + strlen(names[1]) + 2)};
  if (pair->names == NULL) return false;
  sprintf(pair->names, "%s:%s", names[0], names[1]);
  split_pair(film->model, pair);
  return true;
}

static bool name_pairs(srs_film *film, const int64_t *keys, int n)
{
  line_list shapes;
  bool is_good = split_lines(film->recording->hdf5->shapes, &shapes);
  film->pairs = calloc((size_t)n + 1, sizeof *film->pairs);
  is_good = is_good && film->pairs != NULL;
  for (int i = 0; i < n && is_good; i++) {
    is_good = name_pair(film, &shapes, keys[i], &film->pairs[i]);
    if (is_good) film->n_pairs++;
  }
  free(shapes.text);
  free(shapes.lines);
  return is_good;
}

static void take_contact(srs_film *film, const int64_t *keys, int contact)
{
  const srs_h5_rows_read *rows = film->recording->hdf5;
  const int64_t key = key_of(rows, contact);
  const int64_t *found = bsearch(&key, keys, (size_t)film->n_pairs, sizeof *keys, by_key);
  const int pair = found != NULL ? (int)(found - keys) : 0;
  float *to = film->contacts + 6 * (size_t)film->n_contacts;
  for (size_t k = 0; k < 3; k++) {
    to[k] = (float)rows->points[3 * (size_t)contact + k];
    to[3 + k] = (float)(film->pairs[pair].sign * rows->forces[3 * (size_t)contact + k]);
  }
  float *cone = film->cones + 4 * (size_t)film->n_contacts;
  for (size_t k = 0; k < 3; k++) cone[k] = (float)(film->pairs[pair].sign * rows->normals[3 * (size_t)contact + k]);
  cone[3] = (float)rows->friction[contact];
  film->contact_pair[film->n_contacts++] = pair;
}

static bool collect_table(srs_film *film)
{
  const srs_h5_rows_read *rows = film->recording->hdf5;
  int64_t *keys = NULL;
  const int n_keys = list_keys(rows, &keys);
  int n = 0;
  for (int i = 0; i < film->n_frames; i++) {
    const int row = film->rows[i];
    n += rows->contact_ends[row] - (row > 0 ? rows->contact_ends[row - 1] : 0);
  }
  film->cones = calloc(4 * (size_t)n + 1, sizeof *film->cones);
  const bool is_good = film->cones != NULL && n_keys >= 0 && name_pairs(film, keys, n_keys) && take_room(film, n);
  for (int i = 0; i < film->n_frames && is_good; i++) {
    const int row = film->rows[i];
    for (int k = row > 0 ? rows->contact_ends[row - 1] : 0; k < rows->contact_ends[row]; k++)
      take_contact(film, keys, k);
    film->contact_ends[i] = film->n_contacts;
  }
  free(keys);
  return is_good;
}

bool srs_film_add_contacts(srs_film *film)
{
  const srs_h5_rows_read *rows = film->recording->hdf5;
  if (rows != NULL && rows->contact_ends != NULL) return collect_table(film);
  return find_column_pairs(film) && collect_columns(film);
}
