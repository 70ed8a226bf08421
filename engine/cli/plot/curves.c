// Which columns are the curves of a panel? A list of names and patterns, looked up in every run.
//
// A curve is labelled by its column and, where several runs are drawn, its run; by its unit too where the curves of the
// panel have different ones. Where all have one unit it stands at the axis.

#include "engine/cli/plot/curves.h"

#include "engine/cli/shared/messages.h"
#include "topology/base/nearest_word.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static int refuse_name(const srs_recording *run, const char *name)
{
  srs_error error = {.status = SRS_ERROR_NAME};
  char hint[192];
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < run->table.n_columns; i++) srs_nearest_offer(&nearest, run->table.names[i]);
  snprintf(error.file, sizeof error.file, "%s", run->path);
  snprintf(error.message, sizeof error.message, "no column '%.80s'%s; --list shows the %d there are", name,
           srs_nearest_hint(&nearest, hint), run->table.n_columns);
  return srs_report_failure(&error);
}

static int refuse_number(void)
{
  srs_error error = {.status = SRS_ERROR_ARGUMENT};
  snprintf(error.message, sizeof error.message,
           "more than %d curves cannot be told apart: name fewer columns, or put some into a --panel of their own",
           PLOT_MAX_CURVES);
  return srs_report_failure(&error);
}

// The column along x, which is the first unless another is named.
static int x_column(const srs_recording *run, const char *x_name)
{
  return x_name == NULL ? 0 : table_find(&run->table, x_name);
}

static bool add_curve(srs_plot_field *field, const srs_recording *run, const srs_plot_span *span, int x, int y,
                      bool names_run)
{
  if (field->n == PLOT_MAX_CURVES) return false;
  const table *t = &run->table;
  const double *rows = t->values + (size_t)span->first * (size_t)t->n_columns;
  char *label = field->labels[field->n];
  snprintf(label, SRS_PLOT_LABEL, names_run ? "%.90s, %.60s" : "%.90s", t->names[y], run->name);
  field->curves[field->n] =
      (plot_curve){.label = label, .x = rows + x, .y = rows + y, .n = span->end - span->first, .stride = t->n_columns};
  field->n++;
  return true;
}

// Adds the columns of a run that a name or pattern stands for.
static int add_matches(srs_plot_field *field, const srs_recording *run, const srs_plot_span *span, int x,
                       const char *pattern, bool names_run)
{
  int found = 0;
  for (int y = 0; y < run->table.n_columns; y++) {
    if (fnmatch(pattern, run->table.names[y], 0) != 0 && strcmp(pattern, run->table.names[y]) != 0) continue;
    if (strpbrk(pattern, "*?[") != NULL && y == x) continue; // a pattern does not mean the other axis
    if (!add_curve(field, run, span, x, y, names_run)) return refuse_number();
    found++;
  }
  return found > 0 ? SRS_EXIT_OK : refuse_name(run, pattern);
}

static const char *unit_of(const srs_recording *runs, const srs_plot_span *spans, int n_runs, const plot_curve *curve)
{
  for (int r = 0; r < n_runs; r++) {
    const table *t = &runs[r].table;
    const ptrdiff_t column = curve->y - (t->values + (size_t)spans[r].first * (size_t)t->n_columns);
    if (column >= 0 && column < t->n_columns) return runs[r].units[column];
  }
  return "";
}

static void name_axes(const srs_recording *runs, const srs_plot_span *spans, int n_runs, int x, srs_plot_field *field)
{
  const char *unit = unit_of(runs, spans, n_runs, &field->curves[0]), *x_unit = runs[0].units[x];
  bool is_one = true;
  for (int i = 1; i < field->n; i++)
    is_one = is_one && strcmp(unit, unit_of(runs, spans, n_runs, &field->curves[i])) == 0;
  const char *x_name = runs[0].table.names[x];
  snprintf(field->x_label, SRS_PLOT_LABEL, x_unit[0] != '\0' ? "%.100s (%s)" : "%.100s", x_name, x_unit);
  if (field->n == 1)
    snprintf(field->y_label, SRS_PLOT_LABEL, unit[0] != '\0' ? "%.100s (%s)" : "%.100s", field->labels[0], unit);
  else if (is_one && unit[0] != '\0')
    snprintf(field->y_label, SRS_PLOT_LABEL, "%s", unit);
  for (int i = 0; i < field->n && !is_one; i++) {
    const char *own = unit_of(runs, spans, n_runs, &field->curves[i]);
    const size_t length = strlen(field->labels[i]);
    if (own[0] != '\0') snprintf(field->labels[i] + length, SRS_PLOT_LABEL - length, " (%s)", own);
  }
}

int srs_plot_choose(const srs_command *command, const srs_recording *runs, const srs_plot_span *spans, int n_runs,
                    const char *list, const char *x_name, srs_plot_field *field)
{
  *field = (srs_plot_field){0};
  for (int r = 0; r < n_runs; r++)
    if (x_column(&runs[r], x_name) < 0) return refuse_name(&runs[r], x_name);
  for (const char *at = list; at != NULL;) {
    const char *comma = strchr(at, ',');
    char pattern[256];
    const int length = (int)(comma != NULL ? comma - at : (ptrdiff_t)strlen(at));
    if (length == 0 || length >= (int)sizeof pattern)
      return srs_usage_error(command, "'%s' is no list of columns: names or patterns with commas between", list);
    snprintf(pattern, sizeof pattern, "%.*s", length, at);
    for (int r = 0; r < n_runs; r++) {
      const int status = add_matches(field, &runs[r], &spans[r], x_column(&runs[r], x_name), pattern, n_runs > 1);
      if (status != SRS_EXIT_OK) return status;
    }
    at = comma != NULL ? comma + 1 : NULL;
  }
  name_axes(runs, spans, n_runs, x_column(&runs[0], x_name), field);
  return SRS_EXIT_OK;
}
