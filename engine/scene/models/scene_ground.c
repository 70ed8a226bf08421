// Ground of a scene from files: the triangles of an OBJ or STL file, the heights of a table of numbers or of a picture.
//
// A terrain takes the faces as they are, scaled, whatever its form: it is a surface, and needs no convex parts. A table
// has one row of the grid in each line, numbers between commas or white space; lines that are empty or begin with # do
// not count, and no cell between commas may be empty. A picture is a map seen from above: its lower left corner is that
// with the lowest x and y, black is the lower end of `range` and white the upper.
#include "engine/scene/models/scene_entries.h"
#include "topology/base/text.h"
#include "topology/builder/builder.h"
#include "topology/mesh/grey_image.h"
#include "topology/mesh/mesh.h"
#include "topology/mesh/resource.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Where the file of the key `file` is; in the reader's arena.
static srs_status find_file(srs_scene_reader *reader, const srs_yaml_node *node, const char **path)
{
  const char *name = NULL;
  const srs_status read = srs_yaml_text(node, "file", &name, reader->error);
  if (read != SRS_OK) return read;
  srs_resource found;
  if (srs_resource_find(name, reader->file, reader->load->packages, &reader->builder->read, &found) != SRS_OK)
    return srs_scene_no_memory(reader);
  srs_status status = SRS_OK;
  if (found.path == NULL)
    status = srs_fail_at(reader->error, SRS_ERROR_FILE, node->place, name, "'%.100s' was not found; looked for %s",
                         name, found.tried);
  else if ((*path = srs_text_copy(reader->arena, found.path, strlen(found.path))) == NULL)
    status = srs_scene_no_memory(reader);
  srs_resource_release(&found);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_scale(srs_scene_reader *reader, const srs_yaml_node *map, double scale[3])
{
  const srs_yaml_node *size = srs_yaml_get(map, "size");
  scale[0] = scale[1] = scale[2] = 1;
  if (size == NULL) return SRS_OK;
  const srs_status status = srs_yaml_numbers(size, "size", scale, 3, reader->error);
  if (status != SRS_OK) return status;
  if (scale[0] > 0 && scale[1] > 0 && scale[2] > 0) return SRS_OK;
  return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, size->place, "size",
                     "the size of a terrain scales its file and must be positive");
}

static srs_status take_triangles(srs_scene_reader *reader, const srs_mesh *mesh, const double scale[3],
                                 srs_shape_def *def)
{
  const size_t n_points = 3 * (size_t)mesh->n_points, n_triangles = 3 * (size_t)mesh->n_triangles;
  double *points = srs_arena_take(reader->arena, n_points, sizeof *points);
  int *triangles = srs_arena_take(reader->arena, n_triangles, sizeof *triangles);
  if (points == NULL || triangles == NULL) return srs_scene_no_memory(reader);
  for (size_t i = 0; i < n_points; i++) points[i] = scale[i % 3] * mesh->points[i];
  memcpy(triangles, mesh->triangles, n_triangles * sizeof *triangles);
  def->points = points, def->n_points = mesh->n_points;
  def->triangles = triangles, def->n_triangles = mesh->n_triangles;
  def->file = mesh->path;
  memcpy(def->size, scale, sizeof def->size);
  return SRS_OK;
}

srs_status srs_scene_read_terrain_file(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  static const char *const others[] = {"points", "triangles"};
  for (int i = 0; i < 2; i++) {
    const srs_yaml_node *other = srs_yaml_get(map, others[i]);
    if (other != NULL)
      return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, other->key_place, other->key,
                         "a terrain has either 'file' or 'points' and 'triangles'");
  }
  const char *path = NULL;
  double scale[3];
  srs_status status = read_scale(reader, map, scale);
  if (status == SRS_OK) status = find_file(reader, srs_yaml_get(map, "file"), &path);
  if (status != SRS_OK) return status;
  srs_mesh mesh;
  status = srs_mesh_read(path, &reader->builder->read, &mesh, reader->error);
  if (status == SRS_OK) status = take_triangles(reader, &mesh, scale, def);
  srs_mesh_release(&mesh);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Heights
// ---------------------------------------------------------------------------------------------------------------------

typedef struct table {
  const srs_scene_reader *reader;
  const char *path;
  double *numbers; // room
  size_t n, room;
  int n_rows, n_columns, line;
} table;

static srs_status wrong_line(const table *t, const char *what)
{
  return srs_fail(t->reader->error, SRS_ERROR_SYNTAX, t->path, t->line, 0, NULL, "%s", what);
}

static srs_status add_number(table *t, const char *field, size_t length)
{
  if (t->n == t->room) {
    const size_t room = 2 * t->room + 1024;
    double *more = realloc(t->numbers, room * sizeof *more);
    if (more == NULL) return srs_scene_no_memory(t->reader);
    t->numbers = more, t->room = room;
  }
  if (!srs_parse_number(field, length, &t->numbers[t->n]))
    return srs_fail(t->reader->error, SRS_ERROR_SYNTAX, t->path, t->line, 0, NULL,
                    "'%.*s' is not a finite number: a height is needed here", (int)(length < 80 ? length : 80), field);
  t->n++;
  return SRS_OK;
}

// Two commas, or one at the start, leave a cell out; one at the end closes the row.
static srs_status read_row(table *t, const char *at, const char *end)
{
  static const char between[] = ", \t\r";
  const size_t before = t->n;
  const char *start = at;
  bool is_open = true; // a comma now would end an empty cell
  while (at < end) {
    if (*at == ',' && is_open)
      return srs_fail(t->reader->error, SRS_ERROR_SYNTAX, t->path, t->line, (int)(at - start) + 1, NULL,
                      "cell %zu of the row is empty: a height is needed there", t->n - before + 1);
    if (strchr(between, *at) != NULL) {
      is_open = is_open || *at == ',';
      at++;
      continue;
    }
    const char *stop = at;
    while (stop < end && strchr(between, *stop) == NULL) stop++;
    const srs_status status = add_number(t, at, (size_t)(stop - at));
    if (status != SRS_OK) return status;
    at = stop;
    is_open = false;
  }
  const size_t n = t->n - before;
  if (n == 0) return SRS_OK;
  if (t->n_rows == 0) t->n_columns = n < INT_MAX ? (int)n : INT_MAX;
  if (n != (size_t)t->n_columns || t->n_rows == INT_MAX)
    return srs_fail(t->reader->error, SRS_ERROR_SYNTAX, t->path, t->line, 0, NULL,
                    "a row of %zu heights, where the first has %d: all must have as many", n, t->n_columns);
  t->n_rows++;
  return SRS_OK;
}

static srs_status read_table(table *t, const char *text, size_t length)
{
  const char *end = text + length;
  if (memchr(text, '\0', length) != NULL) return wrong_line(t, "the file is no text: a table of numbers is needed");
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline != NULL ? newline : end;
    t->line++;
    if (*at != '#') {
      const srs_status status = read_row(t, at, stop);
      if (status != SRS_OK) return status;
    }
    at = stop + (newline != NULL);
  }
  return t->n_rows >= 2 && t->n_columns >= 2 ? SRS_OK : wrong_line(t, "a heightfield has two rows and columns or more");
}

// ---------------------------------------------------------------------------------------------------------------------
// Pictures
// ---------------------------------------------------------------------------------------------------------------------

static bool is_picture(const char *path)
{
  const size_t n = strlen(path);
  return n >= 4 && path[n - 4] == '.' && (path[n - 3] | 32) == 'p' && (path[n - 2] | 32) == 'n' &&
         (path[n - 1] | 32) == 'g';
}

static srs_status read_picture(srs_scene_reader *reader, const srs_yaml_node *map, const char *path, srs_shape_def *def)
{
  const srs_yaml_node *range = srs_yaml_get(map, "range");
  double ends[2];
  if (range == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, "range",
                       "a heightfield from a picture needs the key 'range': [height of black, height of white], in m");
  srs_status status = srs_yaml_numbers(range, "range", ends, 2, reader->error);
  if (status != SRS_OK) return status;
  srs_grey_image image;
  status = srs_grey_image_read(path, &reader->builder->read, &image, reader->error);
  if (status != SRS_OK) return status;
  const size_t rows = (size_t)image.n_rows, columns = (size_t)image.n_columns;
  double *heights = srs_arena_take(reader->arena, rows * columns, sizeof *heights);
  if (heights == NULL)
    status = srs_scene_no_memory(reader);
  else if (rows < 2 || columns < 2)
    status =
        srs_fail(reader->error, SRS_ERROR_SYNTAX, path, 0, 0, NULL, "a heightfield has two rows and columns or more");
  for (size_t i = 0; i < rows && status == SRS_OK; i++)
    for (size_t j = 0; j < columns; j++) {
      const double level = image.levels[(rows - 1 - i) * columns + j];
      heights[i * columns + j] = (1 - level) * ends[0] + level * ends[1];
    }
  free(image.levels);
  if (status == SRS_OK) def->heights = heights, def->n_rows = image.n_rows, def->n_columns = image.n_columns;
  return status;
}

static srs_status read_numbers(srs_scene_reader *reader, const char *path, srs_shape_def *def)
{
  table t = {.reader = reader, .path = path};
  char *text = NULL;
  size_t length = 0;
  srs_status status = srs_read_text(t.path, &reader->builder->read, &text, &length, reader->error);
  if (status == SRS_OK) status = read_table(&t, text, length);
  double *kept = status == SRS_OK ? srs_arena_take(reader->arena, t.n, sizeof *kept) : NULL;
  if (status == SRS_OK && kept == NULL) status = srs_scene_no_memory(reader);
  if (status == SRS_OK) {
    memcpy(kept, t.numbers, t.n * sizeof *kept);
    def->heights = kept, def->n_rows = t.n_rows, def->n_columns = t.n_columns;
  }
  free(text);
  free(t.numbers);
  return status;
}

srs_status srs_scene_read_heights_file(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *heights = srs_yaml_get(map, "heights"), *range = srs_yaml_get(map, "range");
  if (heights != NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, heights->key_place, heights->key,
                       "a heightfield has either 'file' or 'heights'");
  const char *path = NULL;
  const srs_status status = find_file(reader, srs_yaml_get(map, "file"), &path);
  if (status != SRS_OK) return status;
  if (is_picture(path)) return read_picture(reader, map, path, def);
  if (range != NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, range->key_place, range->key,
                       "'range' belongs to pictures (.png); a table has its heights in m");
  return read_numbers(reader, path, def);
}
