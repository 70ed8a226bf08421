// `sarrus plot RUN COLUMNS`: curves of a trajectory's columns over time, or over each other, as SVG or PNG.

#include "engine/cli/drawing/plot.h"
#include "engine/cli/plot/curves.h"
#include "engine/cli/plot/plot.h"
#include "engine/cli/plot/raster.h"
#include "engine/cli/plot/sweep_picture.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/values.h"
#include "topology/base/text.h"
#include "topology/base/whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 8 };

typedef struct plot_request {
  const char *run, *columns, *out, *x, *title, *from, *to, *size;
  const char *heat, *histogram; // of a sweep's rows
  srs_texts panels, others;
  bool log_x, log_y, is_list, is_forced;
} plot_request;

typedef struct plot_work {
  srs_recording runs[SRS_PLOT_RUNS];
  srs_plot_span spans[SRS_PLOT_RUNS];
  int n_runs;
  srs_plot_field fields[MOST_PANELS];
  int n_panels;
  double from, to, width, height; // s, s, pixels of the picture and of one panel
  int bins;                       // of a histogram
} plot_work;

static int read_numbers(const srs_command *command, const plot_request *request, plot_work *work)
{
  *work = (plot_work){.from = -INFINITY, .to = INFINITY, .width = 720, .height = 300};
  int status = SRS_EXIT_OK;
  if (request->heat != NULL) work->width = 640, work->height = 480;
  if (request->heat != NULL && request->histogram != NULL)
    return srs_usage_error(command, "--heat and --histogram are two pictures");
  if (request->histogram != NULL) status = srs_value_count(command, "histogram", request->histogram, &work->bins);
  if (status == SRS_EXIT_OK && work->bins > 2000)
    return srs_usage_error(command, "--histogram %d: 2000 bars at most", work->bins);
  if (status == SRS_EXIT_OK && request->from != NULL)
    status = srs_value_list(command, "from", request->from, 1, NULL, NULL, &work->from);
  if (status == SRS_EXIT_OK && request->to != NULL)
    status = srs_value_list(command, "to", request->to, 1, NULL, NULL, &work->to);
  double size[2];
  if (status == SRS_EXIT_OK && request->size != NULL) {
    status = srs_value_list(command, "size", request->size, 2, NULL, NULL, size);
    work->width = size[0], work->height = size[1];
    if (status == SRS_EXIT_OK && !(size[0] >= 100 && size[0] <= 10000 && size[1] >= 100 && size[1] <= 10000))
      status = srs_usage_error(command, "--size %s: a panel is 100 to 10000 pixels wide and high", request->size);
  }
  return status;
}

// Rows whose first number is within the times asked for.
static srs_plot_span span_of(const srs_recording *run, double from, double to)
{
  const table *t = &run->table;
  srs_plot_span span = {0, t->n_rows};
  while (span.first < span.end && t->values[(size_t)span.first * (size_t)t->n_columns] < from) span.first++;
  while (span.end > span.first && t->values[(size_t)(span.end - 1) * (size_t)t->n_columns] > to) span.end--;
  return span;
}

static int read_run(const char *path, plot_work *work)
{
  srs_error error = {0};
  srs_recording *run = &work->runs[work->n_runs];
  if (srs_recording_read(path, run, &error) != SRS_OK) return srs_report_failure(&error);
  work->spans[work->n_runs] = span_of(run, work->from, work->to);
  const bool is_empty = work->spans[work->n_runs].first == work->spans[work->n_runs].end;
  work->n_runs++;
  if (!is_empty) return SRS_EXIT_OK;
  const table *t = &run->table;
  srs_report_fill(&error, SRS_ERROR_ARGUMENT, "%s: no rows between --from and --to: it has %s = %.9g to %.9g", path,
                  t->names[0], t->values[0], t->values[(size_t)(t->n_rows - 1) * (size_t)t->n_columns]);
  return srs_report_failure(&error);
}

static int read_runs(const srs_command *command, const plot_request *request, plot_work *work)
{
  if (request->others.count >= SRS_PLOT_RUNS)
    return srs_usage_error(command, "--with is given more than %d times", SRS_PLOT_RUNS - 1);
  int status = read_run(request->run, work);
  for (int i = 0; i < request->others.count && status == SRS_EXIT_OK; i++)
    status = read_run(request->others.items[i], work);
  return status;
}

static int choose_panels(const srs_command *command, const plot_request *request, plot_work *work)
{
  if (request->panels.count >= MOST_PANELS)
    return srs_usage_error(command, "--panel is given more than %d times", MOST_PANELS - 1);
  int status = SRS_EXIT_OK;
  for (int i = 0; i <= request->panels.count && status == SRS_EXIT_OK; i++) {
    const char *list = i == 0 ? request->columns : request->panels.items[i - 1];
    status = srs_plot_choose(command, work->runs, work->spans, work->n_runs, list, request->x, &work->fields[i]);
    work->n_panels++;
  }
  return status;
}

static int print_columns(const srs_recording *run)
{
  for (int i = 0; i < run->table.n_columns; i++)
    printf("%s%s%s\n", run->table.names[i], run->units[i][0] != '\0' ? "  " : "", run->units[i]);
  return SRS_EXIT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// The picture
// ---------------------------------------------------------------------------------------------------------------------

static bool is_of_sweep(const plot_request *request) { return request->heat != NULL || request->histogram != NULL; }

// A panel is high enough for its legend, unless it is given a size.
static double panel_height(const plot_request *request, const plot_work *work, const srs_plot_field *field)
{
  enum { AROUND = 70 }; // pixels above and below the field
  return request->size != NULL ? work->height : fmax(work->height, (double)PLOT_LEGEND_LINE * field->n + AROUND);
}

static srs_status draw(const plot_request *request, const plot_work *work, canvas **c, srs_error *error)
{
  const srs_sweep_picture picture = {request->run,   request->columns, request->heat, work->bins,
                                     request->title, work->width,      work->height};
  if (is_of_sweep(request)) return srs_sweep_picture_draw(&picture, c, error);
  plot_panel panels[MOST_PANELS];
  for (int i = 0; i < work->n_panels; i++) {
    const srs_plot_field *field = &work->fields[i];
    const bool is_last = i + 1 == work->n_panels;
    panels[i] = (plot_panel){.curves = field->curves,
                             .n = field->n,
                             .options = {.title = i == 0 ? request->title : NULL,
                                         .x_label = is_last ? field->x_label : NULL,
                                         .y_label = field->y_label[0] != '\0' ? field->y_label : NULL,
                                         .log_x = request->log_x,
                                         .log_y = request->log_y,
                                         .width = work->width,
                                         .height = panel_height(request, work, field)}};
  }
  return plot_draw_panels(panels, work->n_panels, c, error);
}

// No file that is drawn from is written over, whatever link leads to it.
static srs_status spare_runs(const plot_request *request, const char *path, srs_error *error)
{
  bool is_read = srs_is_same_file(path, request->run);
  for (int i = 0; i < request->others.count; i++) is_read = is_read || srs_is_same_file(path, request->others.items[i]);
  if (!is_read) return SRS_OK;
  return srs_report_fill(error, SRS_ERROR_FILE, "%s is a run that is drawn; give the picture another name", path);
}

static srs_status write_picture(const plot_request *request, const char *path, canvas *c, srs_error *error)
{
  const srs_existing existing = request->is_forced ? SRS_EXISTING_IS_REPLACED : SRS_EXISTING_STAYS;
  const char *svg = canvas_text_of(c);
  if (svg == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  if (!srs_has_ending(path, ".png")) return srs_write_whole_file(path, svg, strlen(svg), existing, error);
  if (!request->is_forced && srs_is_name_taken(path, error)) return error->status; // before the work
  return srs_svg_to_png(svg, path, existing, error);
}

static int make_picture(const srs_command *command, const plot_request *request, const plot_work *work)
{
  char *path = request->out != NULL ? strdup(request->out) : srs_recording_beside(request->run, ".svg");
  canvas *c = NULL;
  srs_error error = {0};
  srs_status status = SRS_OK;
  int exit_status = SRS_EXIT_OK;
  if (path == NULL) status = srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory");
  if (status == SRS_OK && !srs_has_ending(path, ".svg") && !srs_has_ending(path, ".png"))
    exit_status = srs_usage_error(command, "--out %s: a picture's name ends in .svg or .png", path);
  if (status == SRS_OK && exit_status == SRS_EXIT_OK) {
    status = spare_runs(request, path, &error);
    if (status == SRS_OK) status = draw(request, work, &c, &error);
    if (status == SRS_OK) status = write_picture(request, path, c, &error);
    if (status == SRS_OK) printf("written  %s\n", path);
  }
  if (status != SRS_OK) exit_status = srs_report_failure(&error);
  canvas_destroy(c);
  free(path);
  return exit_status;
}

static int work_through(const srs_command *command, const plot_request *request)
{
  plot_work *work = malloc(sizeof *work);
  if (work == NULL) return srs_report_failure(&(srs_error){.status = SRS_ERROR_MEMORY, .message = "out of memory"});
  int status = read_numbers(command, request, work);
  const bool is_sweep = is_of_sweep(request);
  if (status == SRS_EXIT_OK && !is_sweep) status = read_runs(command, request, work);
  if (status == SRS_EXIT_OK && request->is_list && !is_sweep) {
    status = print_columns(&work->runs[0]);
  } else {
    if (!is_sweep && status == SRS_EXIT_OK) status = choose_panels(command, request, work);
    if (status == SRS_EXIT_OK) status = make_picture(command, request, work);
  }
  for (int i = 0; i < work->n_runs; i++) srs_recording_free(&work->runs[i]);
  free(work);
  return status;
}

static const char purpose[] = "Draws columns of a trajectory (the CSV or HDF5 file of `sarrus run`) over time. "
                              "COLUMNS are names or patterns with\n"
                              "commas between: 'q:*,v:elbow'. Units are those recorded with it.";
static const char notes[] = "--list needs COLUMNS too; '*' will do.\n"
                            "$ sarrus plot pendulum12.csv 'q:*' --panel 'energy:*' --out pendulum12.svg\n"
                            "$ sarrus plot double_pendulum.csv v:elbow --x q:elbow      (a phase plot)\n"
                            "$ sarrus plot grasps.csv success --heat x,y                (of `sarrus sweep`)";

int srs_command_plot(int argc, char **argv)
{
  srs_command command = {.name = "plot"};
  plot_request request = {0};
  bool wants_help = false;
  request.panels.items = calloc((size_t)argc + 1, sizeof *request.panels.items);
  request.others.items = calloc((size_t)argc + 1, sizeof *request.others.items);
  const srs_option options[] = {
      {"out", "FILE", "the picture, .svg or .png (default: RUN's name with .svg)", .text = &request.out},
      {"panel", "COLUMNS", "one more panel below; may be given several times", .texts = &request.panels},
      {"with", "RUN", "the same columns of another run; may be given several times", .texts = &request.others},
      {"x", "COLUMN", "along x, in place of time", .text = &request.x},
      {"from", "T", "from this time on, s", .text = &request.from},
      {"to", "T", "up to this time, s", .text = &request.to},
      {"log-x", NULL, "logarithmic x", .flag = &request.log_x},
      {"log-y", NULL, "logarithmic y", .flag = &request.log_y},
      {"heat", "X,Y", "rows of a sweep: the mean of the column over the columns X and Y", .text = &request.heat},
      {"histogram", "BARS", "rows of a sweep: how often the column has which values", .text = &request.histogram},
      {"title", "TEXT", "above the first panel", .text = &request.title},
      {"size", "W,H", "of a panel, pixels (default 720,300)", .text = &request.size},
      {"list", NULL, "print the columns and their units, and draw nothing", .flag = &request.is_list},
      {"force", NULL, "replace a file that has the picture's name", .flag = &request.is_forced},
  };
  static const char *const operand_names[] = {"RUN", "COLUMNS"};
  const srs_usage usage = {
      "plot RUN COLUMNS", purpose, notes, operand_names, 2, options, sizeof options / sizeof *options};
  const char *operands[2] = {NULL, NULL};
  int status = SRS_EXIT_FAILED;
  if (request.panels.items == NULL || request.others.items == NULL)
    srs_report_failure(&(srs_error){.status = SRS_ERROR_MEMORY, .message = "out of memory"});
  else
    status = srs_options_read(&command, &usage, argc, argv, operands, &wants_help);
  if (status == SRS_EXIT_OK && wants_help) {
    srs_options_help(&usage);
  } else if (status == SRS_EXIT_OK) {
    request.run = operands[0], request.columns = operands[1];
    status = work_through(&command, &request);
  }
  free(request.panels.items);
  free(request.others.items);
  return status;
}
