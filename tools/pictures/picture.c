// The commands of `picture`: they turn options into numbers and names, let stage.c and show.c or plot.c do the work,
// and write the file.
#include "tools/pictures/picture.h"
#include "engine/cli/drawing/plot.h"
#include "engine/cli/drawing/table.h"
#include "tools/pictures/arguments.h"
#include "tools/pictures/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TIMES = 64 };

static srs_status save(srs_status status, canvas *c, const char *path, srs_error *error)
{
  if (status == SRS_OK) status = canvas_save(c, path, error);
  canvas_destroy(c);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// picture scene
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_view(const char *text, sketch_view *view, srs_error *error)
{
  static const struct {
    const char *name;
    double azimuth, elevation;
  } known[] = {{"front", 0, 0}, {"side", 90, 0}, {"top", 0, 90}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(text, known[i].name) != 0) continue;
    *view = sketch_look(known[i].azimuth, known[i].elevation);
    return SRS_OK;
  }
  double angles[2];
  if (arguments_numbers("view", text, angles, 2, NULL) != 2)
    return picture_fail(error, SRS_ERROR_ARGUMENT, "--view %s: front, side, top or AZIMUTH,ELEVATION is wanted", text);
  *view = sketch_look(angles[0], angles[1]);
  return SRS_OK;
}

static srs_status read_times(const char *text, double *times, int *n, srs_error *error)
{
  *n = text != NULL ? arguments_numbers("at", text, times, MAX_TIMES, error) : 0;
  if (text == NULL) return picture_fail(error, SRS_ERROR_ARGUMENT, "--at is missing: the times to show");
  if (*n < 0) return SRS_ERROR_ARGUMENT;
  for (int i = 0; i < *n; i++)
    if (times[i] < 0 || (i > 0 && times[i] <= times[i - 1]))
      return picture_fail(error, SRS_ERROR_ARGUMENT, "--at %s: times rise, from 0 on", text);
  return SRS_OK;
}

static srs_status read_size(const char *text, double *width, double *height, int fewest, srs_error *error)
{
  double size[2] = {0, 0};
  const int n = arguments_numbers("size", text, size, 2, error);
  if (n < 0) return SRS_ERROR_ARGUMENT;
  if (n < fewest || size[0] < 20 || (n == 2 && size[1] < 20) || size[0] > 4000 || size[1] > 4000)
    return picture_fail(error, SRS_ERROR_ARGUMENT, "--size %s: %s in pixels is wanted, 20 to 4000", text,
                        fewest == 2 ? "WIDTH,HEIGHT" : "WIDTH or WIDTH,HEIGHT");
  *width = size[0];
  *height = size[1];
  return SRS_OK;
}

static srs_status read_shown(show_options *show, const char *size, const char *columns, const char *window,
                             srs_error *error)
{
  if (size != NULL) {
    const srs_status status = read_size(size, &show->width, &show->height, 1, error);
    if (status != SRS_OK) return status;
  }
  if (columns != NULL) {
    double n = 0;
    if (arguments_numbers("columns", columns, &n, 1, error) < 0) return SRS_ERROR_ARGUMENT;
    if (n < 1 || n > MAX_TIMES)
      return picture_fail(error, SRS_ERROR_ARGUMENT, "--columns %s: 1 to %d", columns, MAX_TIMES);
    show->columns = (int)n;
  }
  if (window == NULL) return SRS_OK;
  const int n = arguments_numbers("window", window, show->window, 4, error);
  if (n < 0) return SRS_ERROR_ARGUMENT;
  if (n != 4 || show->window[2] <= show->window[0] || show->window[3] <= show->window[1])
    return picture_fail(error, SRS_ERROR_ARGUMENT, "--window %s: LEFT,BOTTOM,RIGHT,TOP in metres is wanted", window);
  show->has_window = true;
  return SRS_OK;
}

srs_status picture_scene(int argc, char **argv, srs_error *error)
{
  const char *scene, *at = NULL, *out = NULL, *view = "front", *size = NULL, *columns = NULL, *window = NULL;
  const char *traces[ARGUMENT_TIMES];
  double times[MAX_TIMES];
  show_options show = show_default_options();
  stage_options play = {.times = times, .traces = traces};
  const argument options[] = {
      {.name = "at", .value = "T[,T...]", .text = &at},
      {.name = "out", .value = "FILE.svg", .text = &out},
      {.name = "view", .value = "VIEW", .text = &view},
      {.name = "size", .value = "WIDTH[,HEIGHT]", .text = &size},
      {.name = "columns", .value = "N", .text = &columns},
      {.name = "window", .value = "LEFT,BOTTOM,RIGHT,TOP", .text = &window},
      {.name = "contacts", .flag = &play.contacts},
      {.name = "overlay", .flag = &show.overlay},
      {.name = "trace", .value = "FRAME", .text = traces, .count = &play.n_traces},
      {.name = "mark", .value = "LINK", .text = &show.marked},
      {.name = "title", .value = "TEXT", .text = &show.title},
  };
  srs_status status = arguments_read(options, sizeof options / sizeof *options, argc, argv, &scene, error);
  if (status == SRS_OK && scene == NULL) status = picture_fail(error, SRS_ERROR_ARGUMENT, "a scene is missing");
  if (status == SRS_OK && out == NULL) status = picture_fail(error, SRS_ERROR_ARGUMENT, "--out is missing");
  if (status == SRS_OK) status = read_times(at, times, &play.n_times, error);
  if (status == SRS_OK) status = read_view(view, &play.view, error);
  if (status == SRS_OK) status = read_shown(&show, size, columns, window, error);
  if (status != SRS_OK) return status;

  stage s;
  status = stage_play(scene, &play, &s, error);
  if (status != SRS_OK) return status == SRS_ERROR_ARGUMENT ? SRS_ERROR_MODEL : status;
  canvas *c = NULL;
  status = show_draw(&s, &show, &c, error);
  stage_destroy(&s);
  return save(status, c, out, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// picture plot
// ---------------------------------------------------------------------------------------------------------------------

enum { MAX_FILES = ARGUMENT_TIMES + 1 };

typedef struct plot_words {
  const char *files[MAX_FILES];
  int n_files;
  const char *x, *y, *out;
  const char *labels[ARGUMENT_TIMES];
  int n_labels;
  table tables[MAX_FILES];
  char names[PLOT_MAX_CURVES][96];
  char *columns; // y, cut at its commas
  plot_curve curves[PLOT_MAX_CURVES];
  int n_curves;
} plot_words;

static srs_status find_column(const table *t, const char *file, const char *name, int *column, srs_error *error)
{
  *column = table_find(t, name);
  if (*column >= 0) return SRS_OK;
  return picture_fail(error, SRS_ERROR_NAME, "%s: no column '%s' in the header", file, name);
}

// The curve's name in the legend: what was asked for, else its column, its file too where there are several.
static const char *name_curve(plot_words *w, int file, const char *column, int n_columns)
{
  if (w->n_curves < w->n_labels) return w->labels[w->n_curves];
  const char *slash = strrchr(w->files[file], '/'), *stem = slash != NULL ? slash + 1 : w->files[file];
  char *name = w->names[w->n_curves];
  if (w->n_files == 1)
    snprintf(name, sizeof w->names[0], "%s", column);
  else
    snprintf(name, sizeof w->names[0], "%.*s%s%s", (int)strcspn(stem, "."), stem, n_columns > 1 ? " " : "",
             n_columns > 1 ? column : "");
  return name;
}

static srs_status add_curves(plot_words *w, int file, const char *const *columns, int n_columns, srs_error *error)
{
  table *t = &w->tables[file];
  int x;
  srs_status status = table_read(w->files[file], t, error);
  if (status == SRS_OK) status = find_column(t, w->files[file], w->x, &x, error);
  for (int k = 0; status == SRS_OK && k < n_columns; k++) {
    int y;
    status = find_column(t, w->files[file], columns[k], &y, error);
    if (status == SRS_OK && w->n_curves == PLOT_MAX_CURVES)
      status = picture_fail(error, SRS_ERROR_ARGUMENT, "more than %d curves", PLOT_MAX_CURVES);
    if (status != SRS_OK) break;
    w->curves[w->n_curves] =
        (plot_curve){.x = &t->values[x], .y = &t->values[y], .n = t->n_rows, .stride = t->n_columns};
    w->curves[w->n_curves].label = name_curve(w, file, columns[k], n_columns);
    w->n_curves++;
  }
  return status;
}

static srs_status draw_curves(plot_words *w, plot_options *options, srs_error *error)
{
  const char *columns[PLOT_MAX_CURVES];
  w->columns = strdup(w->y);
  if (w->columns == NULL) return picture_fail(error, SRS_ERROR_MEMORY, "no memory left");
  const int n_columns = arguments_split(w->columns, columns, PLOT_MAX_CURVES);
  srs_status status = SRS_OK;
  for (int i = 0; status == SRS_OK && i < w->n_files; i++) status = add_curves(w, i, columns, n_columns, error);
  if (status != SRS_OK) return status;
  if (options->x_label == NULL) options->x_label = strcmp(w->x, "time") == 0 ? "time (s)" : w->x;
  if (options->y_label == NULL && n_columns == 1) options->y_label = columns[0];
  canvas *c = NULL;
  status = plot_draw(w->curves, w->n_curves, options, &c, error);
  return save(status, c, w->out, error);
}

static srs_status check_words(const plot_words *w, const char *size, const char *range, plot_options *options,
                              srs_error *error)
{
  if (w->files[0] == NULL) return picture_fail(error, SRS_ERROR_ARGUMENT, "a CSV file is missing");
  if (w->x == NULL || w->y == NULL)
    return picture_fail(error, SRS_ERROR_ARGUMENT, "--%s is missing: the name of a column", w->x == NULL ? "x" : "y");
  if (w->out == NULL) return picture_fail(error, SRS_ERROR_ARGUMENT, "--out is missing");
  if (range != NULL) {
    const int n = arguments_numbers("y-range", range, options->y_range, 2, error);
    if (n < 0) return SRS_ERROR_ARGUMENT;
    if (n != 2 || options->y_range[1] <= options->y_range[0] || (options->log_y && options->y_range[0] <= 0))
      return picture_fail(error, SRS_ERROR_ARGUMENT, "--y-range %s: LOW,HIGH is wanted", range);
    options->has_y_range = true;
  }
  return size != NULL ? read_size(size, &options->width, &options->height, 2, error) : SRS_OK;
}

srs_status picture_plot(int argc, char **argv, srs_error *error)
{
  plot_words w = {.n_files = 0};
  plot_options plot = plot_default_options();
  const char *size = NULL, *range = NULL;
  const argument options[] = {
      {.name = "x", .value = "COLUMN", .text = &w.x},
      {.name = "y", .value = "COLUMN[,COLUMN...]", .text = &w.y},
      {.name = "out", .value = "FILE.svg", .text = &w.out},
      {.name = "and", .value = "FILE.csv", .text = &w.files[1], .count = &w.n_files},
      {.name = "label", .value = "TEXT", .text = w.labels, .count = &w.n_labels},
      {.name = "log-x", .flag = &plot.log_x},
      {.name = "log-y", .flag = &plot.log_y},
      {.name = "title", .value = "TEXT", .text = &plot.title},
      {.name = "x-label", .value = "TEXT", .text = &plot.x_label},
      {.name = "y-label", .value = "TEXT", .text = &plot.y_label},
      {.name = "y-range", .value = "LOW,HIGH", .text = &range},
      {.name = "size", .value = "WIDTH,HEIGHT", .text = &size},
  };
  srs_status status = arguments_read(options, sizeof options / sizeof *options, argc, argv, &w.files[0], error);
  w.n_files++;
  if (status == SRS_OK) status = check_words(&w, size, range, &plot, error);
  if (status == SRS_OK) status = draw_curves(&w, &plot, error);
  for (int i = 0; i < w.n_files; i++) table_destroy(&w.tables[i]);
  free(w.columns);
  return status;
}
