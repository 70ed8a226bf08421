// The rows of a sweep as pictures. Failed runs have no outcomes (nan) and are left out of means and counts.
#include "engine/cli/plot/sweep_picture.h"

#include "engine/cli/drawing/heat.h"
#include "engine/cli/drawing/sweep_table.h"
#include "engine/cli/plot/sweep_hdf5.h"
#include "engine/output/output_files.h"
#include "topology/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 4000000, LABEL_ROOM = 192 };

static srs_status find_column(const sweep_table *t, const char *path, const char *name, const sweep_column **column,
                              srs_error *error)
{
  char hint[192];
  srs_nearest nearest = srs_nearest_to(name);
  *column = sweep_table_find(t, name);
  for (int i = 0; i < t->n_columns; i++) srs_nearest_offer(&nearest, t->columns[i].name);
  if (*column == NULL)
    return srs_fail(error, SRS_ERROR_NAME, path, srs_is_hdf5(path) ? 0 : 1, 0, name, "no column is named '%.80s'%s",
                    name, srs_nearest_hint(&nearest, hint));
  if ((*column)->numbers == NULL)
    return srs_fail(error, SRS_ERROR_SYNTAX, path, 0, 0, name, "column '%.80s' has cells that are no numbers", name);
  return SRS_OK;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The different numbers of a column, rising.  @return NULL when out of memory
static double *levels_of(const sweep_column *column, long n, int *n_levels)
{
  double *levels = malloc((size_t)(n + 1) * sizeof *levels);
  int kept = 0;
  if (levels == NULL) return NULL;
  for (long i = 0; i < n; i++)
    if (isfinite(column->numbers[i])) levels[kept++] = column->numbers[i];
  qsort(levels, (size_t)kept, sizeof *levels, compare);
  int different = 0;
  for (int i = 0; i < kept; i++)
    if (different == 0 || levels[i] != levels[different - 1]) levels[different++] = levels[i];
  *n_levels = different;
  return levels;
}

static size_t level_at(const double *levels, int n, double value)
{
  const double *found = bsearch(&value, levels, (size_t)n, sizeof value, compare);
  return found != NULL ? (size_t)(found - levels) : 0;
}

typedef struct cells {
  double *x, *y, *sums, *counts; // nx, ny, ny x nx
  int nx, ny;
} cells;

static srs_status sum_cells(const sweep_table *t, const sweep_column *const columns[3], cells *c, const char *path,
                            srs_error *error)
{
  c->x = levels_of(columns[0], t->n_rows, &c->nx);
  c->y = levels_of(columns[1], t->n_rows, &c->ny);
  const size_t n = (size_t)c->nx * (size_t)c->ny;
  if (c->x != NULL && c->y != NULL && n > MOST_CELLS)
    return srs_fail(error, SRS_ERROR_CAPACITY, path, 0, 0, NULL,
                    "%d x %d different values: a heat map needs columns of a grid, 4 million cells at most", c->nx,
                    c->ny);
  c->sums = calloc(n + 1, sizeof *c->sums);
  c->counts = calloc(n + 1, sizeof *c->counts);
  if (c->x == NULL || c->y == NULL || c->sums == NULL || c->counts == NULL)
    return srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "no memory left for the picture");
  for (long i = 0; i < t->n_rows; i++) {
    const double x = columns[0]->numbers[i], y = columns[1]->numbers[i], value = columns[2]->numbers[i];
    if (!isfinite(x) || !isfinite(y) || !isfinite(value)) continue;
    const size_t at = level_at(c->y, c->ny, y) * (size_t)c->nx + level_at(c->x, c->nx, x);
    c->sums[at] += value;
    c->counts[at]++;
  }
  for (size_t i = 0; i < n; i++) c->sums[i] = c->counts[i] > 0 ? c->sums[i] / c->counts[i] : NAN;
  return SRS_OK;
}

static srs_status draw_heat(const srs_sweep_picture *p, const sweep_table *t, canvas **c, srs_error *error)
{
  char names[2][LABEL_ROOM], label[LABEL_ROOM];
  const char *comma = strchr(p->heat, ',');
  if (comma == NULL || comma == p->heat || comma[1] == '\0' || strlen(p->heat) >= LABEL_ROOM)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "--heat %.60s: two columns with a comma between, X,Y",
                    p->heat);
  srs_print(names[0], LABEL_ROOM, "%.*s", (int)(comma - p->heat), p->heat);
  srs_print(names[1], LABEL_ROOM, "%s", comma + 1);
  const sweep_column *columns[3];
  srs_status status = find_column(t, p->rows, names[0], &columns[0], error);
  if (status == SRS_OK) status = find_column(t, p->rows, names[1], &columns[1], error);
  if (status == SRS_OK) status = find_column(t, p->rows, p->column, &columns[2], error);
  if (status != SRS_OK) return status;
  cells found = {0};
  status = sum_cells(t, columns, &found, p->rows, error);
  srs_print(label, sizeof label, "%s%s", p->column, t->n_rows > (long)found.nx * found.ny ? ", mean" : "");
  const heat_map map = {p->title, names[0], names[1],   label,    found.x,  found.y,
                        found.nx, found.ny, found.sums, p->width, p->height};
  if (status == SRS_OK) status = heat_draw(&map, c, error);
  free(found.x), free(found.y), free(found.sums), free(found.counts);
  return status;
}

static srs_status draw_histogram(const srs_sweep_picture *p, const sweep_table *t, canvas **c, srs_error *error)
{
  const sweep_column *column;
  srs_status status = find_column(t, p->rows, p->column, &column, error);
  if (status != SRS_OK) return status;
  double low = INFINITY, high = -INFINITY;
  for (long i = 0; i < t->n_rows; i++)
    if (isfinite(column->numbers[i])) low = fmin(low, column->numbers[i]), high = fmax(high, column->numbers[i]);
  if (!(low < high)) low -= 0.5, high += 0.5;
  long *counts = calloc((size_t)p->bins, sizeof *counts);
  if (counts == NULL) return srs_fail(error, SRS_ERROR_MEMORY, p->rows, 0, 0, NULL, "no memory left for the picture");
  for (long i = 0; i < t->n_rows; i++) {
    if (!isfinite(column->numbers[i])) continue;
    const double at = floor(p->bins * (column->numbers[i] - low) / (high - low));
    counts[at < p->bins ? (int)at : p->bins - 1]++;
  }
  const histogram h = {p->title, p->column, "runs", low, high, counts, p->bins, p->width, p->height};
  status = histogram_draw(&h, c, error);
  free(counts);
  return status;
}

srs_status srs_sweep_picture_draw(const srs_sweep_picture *picture, canvas **c, srs_error *error)
{
  sweep_table table;
  *c = NULL;
  srs_status status =
      (srs_is_hdf5(picture->rows) ? sweep_table_read_hdf5 : sweep_table_read)(picture->rows, &table, error);
  if (status != SRS_OK) return status;
  status = picture->heat != NULL ? draw_heat(picture, &table, c, error) : draw_histogram(picture, &table, c, error);
  sweep_table_destroy(&table);
  return status;
}
